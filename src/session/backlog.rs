//! What one direction of a connection has delivered and nobody has consumed, as references.

use std::collections::VecDeque;
use std::ops::Range;

use crate::capture::{Capture, Piece, Place};
use crate::flow::Run;
use crate::kafka::Window;

/// A run of captured or lost bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) at: u64,
    pub(super) len: u64,
    /// Sequence number of the first byte.
    pub(super) seq: u32,
    /// Where the bytes are; `None` if they are lost.
    pub(super) piece: Option<Piece>,
    /// How far the other direction was known when this came.
    other_end: u64,
}

impl Part {
    pub(super) fn end(&self) -> u64 {
        self.at + self.len
    }
}

/// A run of captured bytes and its offset in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'r> {
    pub(super) at: u64,
    /// Sequence number of the first byte.
    pub(super) seq: u32,
    pub(super) piece: &'r Piece,
}

impl Held<'_> {
    /// Where the byte at offset `at` is.
    pub(super) fn place(&self, at: u64) -> Place {
        self.piece.place.plus(at - self.at)
    }
}

/// The parts of one direction, in order and without holes between them. Few of thousands of
/// connections have anything waiting at a time, so what waits is set apart, and given back.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    waiting: Option<Box<Parts>>,
    start: u64,
    end: u64,
}

#[derive(Debug, Default)]
struct Parts {
    parts: VecDeque<Part>,
    /// Those of them that are lost, so that a hole is found without a walk over what was captured.
    lost: VecDeque<Range<u64>>,
}

static NOTHING: Parts = Parts {
    parts: VecDeque::new(),
    lost: VecDeque::new(),
};

/// Bytes that had to be put together, and which ones they are.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    bytes: Vec<u8>,
    range: Range<u64>,
}

/// What a message needs beyond this is given back once the next one is put together.
const KEPT_SCRATCH: usize = 4 << 20;

impl Scratch {
    /// What is in it belongs to another stream from now on.
    pub(super) fn forget(&mut self) {
        self.range = 0..0;
    }
}

impl Backlog {
    /// Adds what comes while the other direction is known up to `other_end`.
    pub(super) fn push(&mut self, run: Run, other_end: u64) {
        self.add(run.piece.len.into(), run.seq, Some(run.piece), other_end);
    }

    pub(super) fn push_lost(&mut self, len: u64, other_end: u64) {
        self.add(len, 0, None, other_end);
    }

    fn add(&mut self, len: u64, seq: u32, piece: Option<Piece>, other_end: u64) {
        let waiting = self.waiting.get_or_insert_default();
        if piece.is_none() {
            waiting.lost.push_back(self.end..self.end + len);
        }
        waiting.parts.push_back(Part {
            at: self.end,
            len,
            seq,
            piece,
            other_end,
        });
        self.end += len;
    }

    fn waiting(&self) -> &Parts {
        self.waiting.as_deref().unwrap_or(&NOTHING)
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The part that holds byte `at`, and those behind it.
    fn parts_from(&self, at: u64) -> impl Iterator<Item = &Part> {
        let parts = &self.waiting().parts;
        let idx = match parts.front() {
            Some(first) if at < first.end() => 0,
            _ => parts.partition_point(|part| part.end() <= at),
        };
        parts.range(idx..)
    }

    /// The part that holds byte `at`.
    fn part(&self, at: u64) -> Option<&Part> {
        self.parts_from(at).next()
    }

    /// The parts that hold `range`.
    pub(super) fn parts(&self, range: Range<u64>) -> impl Iterator<Item = &Part> {
        self.parts_from(range.start)
            .take_while(move |part| part.at < range.end)
    }

    /// The captured run that holds all of `range`; `None` where it goes on in another one.
    pub(super) fn whole(&self, range: &Range<u64>) -> Option<Held<'_>> {
        let part = self.part(range.start)?;
        let holds = part.at <= range.start && range.end <= part.end();
        let piece = part.piece.as_ref().filter(|_| holds)?;
        Some(Held {
            at: part.at,
            seq: part.seq,
            piece,
        })
    }

    /// The captured bytes of `range` up to the first that is lost, a slice a packet.
    pub(super) fn pieces<'a>(
        &self,
        capture: &'a Capture,
        range: Range<u64>,
    ) -> impl Iterator<Item = &'a [u8]> {
        self.parts(range.clone()).map_while(move |part| {
            let from = range.start.max(part.at);
            let len = range.end.min(part.end()) - from;
            let place = part.piece?.place.plus(from - part.at);
            Some(capture.bytes(place, len as usize))
        })
    }

    /// Whether everything was consumed that was delivered.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_none()
    }

    /// The next `len` bytes were delivered, and consumed at once.
    pub(super) fn pass(&mut self, len: u64) {
        self.end += len;
        self.start = self.end;
    }

    fn release(&mut self, to: u64) {
        self.start = self.start.max(to.min(self.end));
        let Some(waiting) = &mut self.waiting else {
            return;
        };
        while let Some(first) = waiting.parts.front() {
            if first.end() > to {
                return;
            }
            if first.piece.is_none() {
                waiting.lost.pop_front();
            }
            waiting.parts.pop_front();
        }
        self.waiting = None;
    }
}

/// A backlog with the capture that its references lead into.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) capture: &'a Capture,
    pub(super) backlog: &'a mut Backlog,
    pub(super) scratch: &'a mut Scratch,
}

fn look<'a>(
    capture: &'a Capture,
    backlog: &'a Backlog,
    scratch: &'a mut Scratch,
    at: u64,
    len: usize,
) -> &'a [u8] {
    let range = at..at.saturating_add(len as u64).min(backlog.end);
    if range.start >= range.end {
        return &[];
    }
    let Some(part) = backlog.part(at) else {
        return &[];
    };
    let len = (range.end - range.start) as usize;
    if let Some(piece) = part.piece
        && range.end <= part.end()
    {
        return capture.bytes(piece.place.plus(at - part.at), len);
    }
    if scratch.range.start == range.start && range.end <= scratch.range.end {
        return scratch.bytes.get(..len).unwrap_or_default();
    }
    if scratch.bytes.capacity() > KEPT_SCRATCH && len < KEPT_SCRATCH {
        scratch.bytes = Vec::new();
    }
    scratch.bytes.clear();
    scratch.bytes.reserve(len);
    for part in backlog.parts(range.clone()) {
        let from = range.start.max(part.at);
        let n = (range.end.min(part.end()) - from) as usize;
        match part.piece {
            Some(piece) => {
                let bytes = capture.bytes(piece.place.plus(from - part.at), n);
                scratch.bytes.extend_from_slice(bytes);
            }
            None => scratch.bytes.resize(scratch.bytes.len() + n, 0),
        }
    }
    scratch.range = range;
    &scratch.bytes
}

impl Window for View<'_> {
    fn start(&self) -> u64 {
        self.backlog.start
    }

    fn end(&self) -> u64 {
        self.backlog.end
    }

    fn bytes(&mut self, at: u64, len: usize) -> &[u8] {
        look(self.capture, self.backlog, self.scratch, at, len)
    }

    fn segment(&self, at: u64) -> &[u8] {
        let part = self.backlog.part(at);
        let Some((part, piece)) = part.and_then(|part| Some((part, part.piece?))) else {
            return &[];
        };
        let skip = at.saturating_sub(part.at);
        let len = part.len.saturating_sub(skip) as usize;
        self.capture.bytes(piece.place.plus(skip), len)
    }

    fn lost(&self, range: Range<u64>) -> Option<Range<u64>> {
        let lost = &self.backlog.waiting().lost;
        let idx = lost.partition_point(|hole| hole.end <= range.start);
        let mut holes = lost.range(idx..);
        let first = holes.next().filter(|hole| hole.start < range.end)?;
        let mut end = first.end;
        for hole in holes {
            if hole.start != end {
                break;
            }
            end = hole.end;
        }
        Some(first.start..end)
    }

    fn starts_segment(&self, at: u64) -> bool {
        self.backlog
            .part(at)
            .is_some_and(|part| part.at == at && part.piece.is_some())
    }

    fn next_segment(&self, at: u64) -> Option<u64> {
        self.backlog
            .parts_from(at)
            .find(|part| part.at >= at && part.piece.is_some())
            .map(|part| part.at)
    }

    fn met(&self, at: u64) -> u64 {
        self.backlog.part(at).map_or(0, |part| part.other_end)
    }

    fn release(&mut self, to: u64) {
        self.backlog.release(to);
    }
}
