//! A log segment: record batches and message set entries one after another in a file.
//!
//! What comes in is the file, mapped; what goes out are its [`Batch`]es in order, each with what its
//! header says and how many things are wrong with it. Nothing is kept, records are not decompressed,
//! and pages are given back on the way, so the size of the file does not matter.

use crate::{
    capture::Plain,
    decode::log,
    event::{Descend, Node, Problem, Role, Severity, Shape, Sink, Value},
    records::{Overview, are_records, is_preallocated},
    tree::{Builder, Tree},
    wire::{BufferId, Span},
};

/// A batch or message set entry of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Counts from 1.
    pub n: u64,
    /// Where in the file it starts.
    pub at: usize,
    /// Bytes of it that are there.
    pub len: usize,
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

impl<'f> Segment<'f> {
    /// A walk from the start.
    pub fn new(file: &'f Plain) -> Segment<'f> {
        Segment { file, at: 0, n: 0 }
    }

    /// Whether `bytes` are a segment: they start with a batch that is sound.
    pub fn starts(bytes: &[u8]) -> bool {
        if !are_records(bytes) {
            return false;
        }
        let size = Overview::of(bytes).and_then(|overview| usize::try_from(overview.size).ok());
        size.and_then(|size| bytes.get(..size))
            .is_some_and(|batch| n_problems(batch) == 0)
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
        let overview = Overview::of(rest);
        // Where the size cannot be right, nobody knows where the next batch starts.
        let len = overview
            .and_then(|overview| usize::try_from(overview.size).ok())
            .map_or(rest.len(), |size| size.min(rest.len()));
        let at = self.at;
        self.at += len;
        self.n += 1;
        self.file.passed(at, self.at);
        Some(Batch {
            n: self.n,
            at,
            len,
            overview,
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

    /// The batch with its records; offsets count from its first byte.
    pub fn open(&self, file: &Plain) -> Tree {
        let (tree, ()) = Builder::build(self.bytes(file).to_vec(), log);
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
