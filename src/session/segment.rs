//! A log segment: record batches and message set entries one after another in a file.
//!
//! What comes in is the file, mapped; what goes out are its [`Batch`]es in order, each with what its
//! header says and how many things are wrong with it. Nothing is kept, records are not decompressed,
//! and pages are given back on the way, so the size of the file does not matter. Where a size cannot
//! be right, the entry ends where the next sound batch begins; if there is none, it is the rest of the
//! file.

use super::sought::{self, Sought};
use crate::{
    capture::Plain,
    decode::log,
    event::{
        Code, Descend, Node, Place, Problem, Role, Severity, Shape, Sink, Value, Walker, n_bytes,
    },
    records::{Extent, LOG_OVERHEAD, MAGIC_AT, Overview, are_records, is_offset, is_preallocated},
    tree::{Builder, Tree},
    wire::{BufferId, Span},
};

/// Bytes that are shown where no batch can be read, which may be most of a large file: enough to see
/// what it is.
const UNREADABLE: usize = 64 << 10;

/// A batch or message set entry of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Counts from 1.
    pub n: u64,
    /// Where in the file it starts.
    pub at: usize,
    /// Bytes of it that are there.
    pub len: usize,
    /// By its size field; where that is wrong, `len` may be less.
    pub extent: Extent,
    /// What its header says; `None` for bytes that have none.
    pub overview: Option<Overview>,
    /// Things that are wrong with it, its records left out.
    pub problems: u32,
    /// Why its size does not say where the next one is; `None` where it does, or where its checksum
    /// says that it is all there and its size is wrong.
    pub ending: Option<Ending>,
}

/// The batches of a segment. Behind the last one there may be zeros.
#[derive(Debug)]
pub struct Segment<'f> {
    file: &'f Plain,
    at: usize,
    n: u64,
    sought: Sought,
}

/// Why the size of a batch does not lead to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The file ends inside it.
    Cut,
    /// Its size is wrong: a sound batch begins inside it, so many bytes into the file.
    Size { next: usize },
    /// It is no batch; the next one begins so many bytes into the file, if there is one.
    NoBatch { next: Option<usize> },
}

impl<'f> Segment<'f> {
    /// A walk from the start.
    pub fn new(file: &'f Plain) -> Segment<'f> {
        Segment {
            file,
            at: 0,
            n: 0,
            sought: Sought::default(),
        }
    }

    /// Whether `bytes` are a segment, the first batch of which may be damaged. `is_named` if the file
    /// has a name as segments have.
    pub fn is_one(bytes: &[u8], is_named: bool) -> bool {
        Segment::starts(bytes) || sought::begins_damaged(bytes, is_named)
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
        let (len, ending) = self.bounds(rest, extent);
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
            ending,
        })
    }

    /// How many of these bytes the entry takes that they start with, and what is wrong if that is not
    /// what its size says.
    fn bounds(&mut self, rest: &[u8], extent: Extent) -> (usize, Option<Ending>) {
        let is_batch = match extent {
            Extent::Whole(len) => {
                let (batch, behind) = rest.split_at_checked(len).unwrap_or((rest, &[]));
                let is_led_to = sought::follows(behind);
                if is_led_to && sought::goes_on(batch, behind) || self.sought.passes(batch) {
                    return (len, None);
                }
                let next = self.sought.find(rest, len);
                // It may lead to a batch and be wrong all the same, if it leads over several.
                return match next.filter(|&next| !is_led_to || sought::leads(batch, next)) {
                    Some(next) => (next, Some(self.size(next))),
                    None => (len, None),
                };
            }
            Extent::Cut(None) => return (rest.len(), Some(Ending::Cut)),
            Extent::Cut(Some(_)) if self.sought.fits(rest) => return (rest.len(), None),
            Extent::Cut(Some(_)) => is_like_batch(rest),
            Extent::Rest => false,
        };
        match self.sought.find(rest, rest.len()) {
            Some(next) if is_batch || is_like_header(rest) => (next, Some(self.size(next))),
            Some(next) => {
                let next_at = Some(self.at + next);
                (next, Some(Ending::NoBatch { next: next_at }))
            }
            None if is_batch => (rest.len(), Some(Ending::Cut)),
            None => (rest.len(), Some(Ending::NoBatch { next: None })),
        }
    }

    fn size(&self, next: usize) -> Ending {
        Ending::Size {
            next: self.at + next,
        }
    }

    fn rest(&self) -> &'f [u8] {
        self.file.bytes().get(self.at..).unwrap_or_default()
    }
}

impl Iterator for Segment<'_> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut batch = self.step()?;
        // Zeros are no problem where nothing follows them.
        batch.problems = n_problems(batch.bytes(self.file)).max(batch.is_damaged().into());
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
        matches!(self.extent, Extent::Cut(_)) && !self.is_damaged()
    }

    /// Whether it is a batch at all, and not bytes between batches.
    pub fn is_batch(&self) -> bool {
        !matches!(self.ending, Some(Ending::NoBatch { .. }))
    }

    /// Whether its size does not lead to the next batch though the file does not end inside it.
    pub fn is_damaged(&self) -> bool {
        matches!(
            self.ending,
            Some(Ending::Size { .. } | Ending::NoBatch { .. })
        )
    }

    /// Has a sink walk the batch with its records; of damaged bytes, the start.
    pub fn decode_into(&self, file: &Plain, sink: &mut impl Sink) {
        log(self.shown(file), sink);
    }

    /// Its bytes; of damaged bytes, the start.
    fn shown<'f>(&self, file: &'f Plain) -> &'f [u8] {
        let bytes = self.bytes(file);
        match self.is_damaged() {
            true => bytes.get(..UNREADABLE).unwrap_or(bytes),
            false => bytes,
        }
    }

    /// The batch with its records, or the start of damaged bytes; offsets count from its first byte.
    pub fn open(&self, file: &Plain) -> Tree {
        let bytes = self.bytes(file);
        let shown = self.shown(file);
        let (tree, ()) = Builder::build(shown.to_vec(), |shown, sink| {
            log(shown, sink);
            if shown.len() < bytes.len() {
                let message = format!(
                    "{} of {} are shown: no batch can be read here",
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

/// Whether the end of a file may have cut these bytes out of a batch: its header is one, or cut as
/// well.
fn is_like_batch(bytes: &[u8]) -> bool {
    let magic = bytes.get(MAGIC_AT);
    sought::is_cut_batch(bytes) && magic.is_none_or(|magic| *magic <= 2)
}

/// Whether bytes start as a batch does, its size left out.
fn is_like_header(bytes: &[u8]) -> bool {
    let offset = bytes.first_chunk().copied().map(i64::from_be_bytes);
    let magic = bytes.get(MAGIC_AT);
    let is_blank = bytes.iter().take(LOG_OVERHEAD).all(|&byte| byte == 0);
    !is_blank && offset.is_some_and(is_offset) && magic.is_some_and(|magic| *magic <= 2)
}

/// Things that are wrong with batches, their records left out.
pub(super) fn n_problems(bytes: &[u8]) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Polynomial;

    /// A message of magic 0 without key and value.
    fn message(offset: i64) -> Vec<u8> {
        let content = [0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        let crc = Polynomial::Crc32.of(&content);
        let parts: [&[u8]; 4] = [
            &offset.to_be_bytes(),
            &14_i32.to_be_bytes(),
            &crc.to_be_bytes(),
            &content,
        ];
        parts.concat()
    }

    /// Sound messages, and between them those whose size leads so many bytes in front of the end, or
    /// behind it, where nothing can be.
    fn alternating(n: usize, short: i64) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..2 * n).flat_map(|idx| message(idx as i64)).collect();
        bytes.extend([0xff; 40]);
        for at in (0..n).map(|idx| (2 * idx + 1) * 26) {
            let size = bytes.len() as i64 - at as i64 - 12 - short;
            bytes[at + 8..at + 12].copy_from_slice(&(size as i32).to_be_bytes());
        }
        bytes
    }

    /// The bytes that were read to tell what is a batch, and the number of entries.
    fn walked(bytes: &[u8], left: usize) -> (usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0.log");
        std::fs::write(&path, bytes).unwrap();
        let file = Plain::open(&path).unwrap();
        let mut segment = Segment::new(&file);
        segment.sought = Sought::with(left);
        let n = std::iter::from_fn(|| segment.step()).count();
        (left - segment.sought.left(), n)
    }

    #[test]
    fn what_damaged_sizes_claim_is_read_within_bounds() {
        for short in [40, -40] {
            let bytes = alternating(100, short);
            let (read, n) = walked(&bytes, 1 << 30);
            // Behind the last one the end is a row of its own, or cuts it.
            assert_eq!(n, 200 + usize::from(short > 0), "{short}");
            // Half of it a hundred times: all of that counts.
            assert!(read > 40 * bytes.len(), "{short}: {read}");
            // Then sizes are taken as they stand.
            let (read, n) = walked(&bytes, 4 * bytes.len());
            assert!(read <= 4 * bytes.len(), "{short}: {read}");
            assert!(n < 201 || short < 0, "{n}");
        }
    }
}
