//! A log segment: record batches and message set entries one after another in a file.
//!
//! What comes in is the file, mapped; what goes out are its [`Batch`]es in order, each with what its
//! header says and how many things are wrong with it. Nothing is kept, records are not decompressed,
//! and pages are given back on the way, so the size of the file does not matter. Where a size cannot
//! be right, the rest of the file is one entry: the next batch is not looked for.

use crate::{
    capture::Plain,
    decode::log,
    event::{
        Code, Descend, Node, Place, Problem, Role, Severity, Shape, Sink, Value, Walker, n_bytes,
    },
    records::{
        Extent, LOG_OVERHEAD, MAGIC_AT, Overview, are_records, fits_checksum, is_preallocated,
    },
    tree::{Builder, Tree},
    wire::{BufferId, Span},
};

/// Bytes that are shown of a rest without batches, which may be most of a large file: enough to see
/// what it is.
const UNREADABLE: usize = 64 << 10;

/// Bytes behind a damaged size in which the next batch is looked for: more than the largest batch that
/// brokers usually take.
const SOUGHT: usize = 64 << 20;

/// Bytes of what looks like batches that are read to tell whether they are some.
const TRIED: usize = 1 << 30;

/// A batch or message set entry of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Counts from 1.
    pub n: u64,
    /// Where in the file it starts.
    pub at: usize,
    /// Bytes of it that are there.
    pub len: usize,
    /// By its size field.
    pub extent: Extent,
    /// What its header says; `None` for bytes that have none.
    pub overview: Option<Overview>,
    /// Things that are wrong with it, its records left out.
    pub problems: u32,
}

/// The batches of a segment. Behind the last one there may be zeros.
#[derive(Debug)]
pub struct Segment<'f> {
    file: &'f Plain,
    at: usize,
    n: u64,
}

/// Why no batch can be found behind one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The file ends inside it.
    Cut,
    /// Its size is wrong: a sound batch begins inside it, so many bytes into the file.
    Size { next: usize },
    /// It is no batch.
    NoBatch,
}

impl<'f> Segment<'f> {
    /// A walk from the start.
    pub fn new(file: &'f Plain) -> Segment<'f> {
        Segment { file, at: 0, n: 0 }
    }

    /// Whether `bytes` are a segment: they start with a batch that is sound.
    pub fn starts(bytes: &[u8]) -> bool {
        let Extent::Whole(len) = Extent::of(bytes) else {
            return false;
        };
        let first = bytes.get(..len).unwrap_or_default();
        are_records(bytes) && n_problems(first) == 0
    }

    /// Number of the last batch.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Where the walk is.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Number of zeros that a broker laid out the end of the file with in advance.
    pub fn preallocated(&self) -> usize {
        let rest = self.rest();
        match is_preallocated(rest) {
            true => rest.len(),
            false => 0,
        }
    }

    /// The next batch without a look for what is wrong with it.
    pub fn step(&mut self) -> Option<Batch> {
        let rest = self.rest();
        if rest.is_empty() || is_preallocated(rest) {
            return None;
        }
        let extent = Extent::of(rest);
        let len = match extent {
            Extent::Whole(len) => len,
            Extent::Cut(_) | Extent::Rest => rest.len(),
        };
        let at = self.at;
        self.at += len;
        self.n += 1;
        self.file.passed(at, self.at);
        Some(Batch {
            n: self.n,
            at,
            len,
            extent,
            overview: Overview::of(rest),
            problems: 0,
        })
    }

    fn rest(&self) -> &'f [u8] {
        self.file.bytes().get(self.at..).unwrap_or_default()
    }
}

impl Iterator for Segment<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut batch = self.step()?;
        batch.problems = n_problems(batch.bytes(self.file));
        Some(batch)
    }
}

impl Batch {
    /// Its bytes.
    pub fn bytes<'f>(&self, file: &'f Plain) -> &'f [u8] {
        let bytes = file.bytes().get(self.at..self.at + self.len);
        bytes.unwrap_or_default()
    }

    /// Whether the file ends inside it.
    pub fn is_cut(&self) -> bool {
        matches!(self.extent, Extent::Cut(_))
    }

    /// Why no batch can be found behind it; `None` where its size says where the next one is, or where
    /// its checksum says that it is all there and its size is wrong.
    pub fn ending(&self, file: &Plain) -> Option<Ending> {
        let bytes = self.bytes(file);
        let is_batch = match self.extent {
            Extent::Whole(_) => return None,
            Extent::Cut(None) => return Some(Ending::Cut),
            Extent::Cut(Some(_)) if fits_checksum(bytes) => return None,
            Extent::Cut(Some(_)) => self.is_like_batch(bytes),
            Extent::Rest => false,
        };
        Some(match (self.next(bytes), is_batch) {
            (Some(next), _) => Ending::Size { next },
            (None, true) => Ending::Cut,
            (None, false) => Ending::NoBatch,
        })
    }

    /// Whether the end of a file may have cut it out of a batch: its header is one, or cut as well.
    fn is_like_batch(&self, bytes: &[u8]) -> bool {
        let magic = bytes.get(MAGIC_AT);
        are_records(bytes) && magic.is_none_or(|magic| *magic <= 2)
    }

    /// Where in the file the first sound batch begins inside of it, of a later offset if its own is
    /// known.
    fn next(&self, bytes: &[u8]) -> Option<usize> {
        let before = self
            .overview
            .map_or(-1, |overview| match overview.base_offset {
                Some(base) => base,
                None => overview.last_offset,
            });
        let mut left = TRIED;
        (LOG_OVERHEAD..bytes.len().min(SOUGHT)).find_map(|at| {
            let rest = bytes.get(at..)?;
            let Extent::Whole(len) = Extent::of(rest) else {
                return None;
            };
            let overview = Overview::of(rest)?;
            // Random bytes claim larger ones nearly always.
            let is_offset = before < overview.last_offset && overview.last_offset < 1 << 48;
            if !is_offset || len > left {
                return None;
            }
            left -= len;
            let is_sound = n_problems(rest.get(..len)?) == 0;
            is_sound.then_some(self.at + at)
        })
    }

    /// Has a sink walk the batch with its records; of a rest without batches, its start.
    pub fn decode_into(&self, file: &Plain, sink: &mut impl Sink) {
        log(self.shown(file), sink);
    }

    /// Its bytes, or the start of a rest without batches.
    fn shown<'f>(&self, file: &'f Plain) -> &'f [u8] {
        let bytes = self.bytes(file);
        match self.extent {
            Extent::Rest => bytes.get(..UNREADABLE).unwrap_or(bytes),
            Extent::Whole(_) | Extent::Cut(_) => bytes,
        }
    }

    /// The batch with its records, or the start of a rest without batches; offsets count from its
    /// first byte.
    pub fn open(&self, file: &Plain) -> Tree {
        let bytes = self.bytes(file);
        let shown = self.shown(file);
        let (tree, ()) = Builder::build(shown.to_vec(), |shown, sink| {
            log(shown, sink);
            if shown.len() < bytes.len() {
                let message = format!(
                    "the rest has no batches: {} of {} are shown",
                    shown.len(),
                    n_bytes(bytes.len() as u64)
                );
                let end = Span::new(BufferId::FRAME, shown.len(), shown.len());
                Walker::new(sink).problem(Severity::Note, Code::Bound, Place::Here, end, message);
            }
        });
        tree
    }
}

fn n_problems(bytes: &[u8]) -> u32 {
    let mut count = Count::default();
    log(bytes, &mut count);
    count.problems
}

/// Counts problems, and does without what is in the records.
#[derive(Debug, Default)]
struct Count {
    problems: u32,
}

impl Sink for Count {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        match (node.role, node.shape) {
            (Role::Compressed, _) | (_, Shape::Array { of: "Record", .. }) => Descend::Skip,
            _ => Descend::Into,
        }
    }

    fn value(&mut self, _: &Node, _: Value<'_>, _: Span) {}

    fn leave(&mut self, _: usize) {}

    fn wants_content(&self) -> bool {
        false
    }

    fn problem(&mut self, problem: Problem) {
        self.problems += u32::from(problem.severity > Severity::Note);
    }
}
