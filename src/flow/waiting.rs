//! Runs that cannot be delivered yet, in stream order and without overlaps.

use std::collections::VecDeque;

use super::Piece;

/// Bytes `at..at + len` of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) at: u64,
    pub(super) len: u32,
    /// Where they are; `None` if the snap length cut them off.
    pub(super) piece: Option<Piece>,
    /// What the sender had acknowledged, as a sequence number of the other direction.
    pub(super) ack: Option<u32>,
}

impl Waiting {
    pub(super) fn end(self) -> u64 {
        self.at + u64::from(self.len)
    }

    /// The part of the run that lies in `from..to`.
    pub(super) fn part(self, from: u64, to: u64) -> Option<Waiting> {
        let from = from.max(self.at);
        let to = to.min(self.end());
        if from >= to {
            return None;
        }
        // Both fit, as they lie inside the run.
        let skip = (from - self.at) as u32;
        let len = (to - from) as u32;
        Some(Waiting {
            at: from,
            len,
            piece: self.piece.map(|piece| piece.skip(skip).take(len)),
            ack: self.ack,
        })
    }
}

/// The runs of one direction that wait. Holes are rare, so what they need is set apart, and given
/// back: there are thousands of connections.
#[derive(Debug, Default)]
pub(super) struct Queue(Option<Box<Runs>>);

#[derive(Debug, Default)]
struct Runs {
    runs: VecDeque<Waiting>,
    bytes: u64,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |waiting| waiting.runs.len())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.as_ref().map_or(0, |waiting| waiting.bytes)
    }

    pub(super) fn first(&self) -> Option<Waiting> {
        self.0.as_ref()?.runs.front().copied()
    }

    /// Offset behind the last byte that waits.
    pub(super) fn end(&self) -> u64 {
        let last = self.0.as_ref().and_then(|waiting| waiting.runs.back());
        last.map_or(0, |run| run.end())
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let waiting = self.0.as_mut()?;
        let run = waiting.runs.pop_front()?;
        waiting.bytes -= u64::from(run.len);
        if waiting.runs.is_empty() {
            self.0 = None;
        }
        Some(run)
    }

    /// Adds what no earlier run has of `run`; returns by how many runs there are more now.
    pub(super) fn insert(
        &mut self,
        run: Waiting,
        mut overlap: impl FnMut(Waiting, Waiting),
    ) -> usize {
        let Runs { runs, bytes } = &mut **self.0.get_or_insert_default();
        let before = runs.len();
        let mut idx = runs.partition_point(|other| other.end() <= run.at);
        let mut from = run.at;
        while from < run.end() {
            let next = runs.get(idx).copied();
            let until = next.map_or(run.end(), |next| next.at.max(from).min(run.end()));
            if let Some(part) = run.part(from, until) {
                runs.insert(idx, part);
                *bytes += u64::from(part.len);
                idx += 1;
            }
            let Some(next) = next.filter(|next| next.at < run.end()) else {
                break;
            };
            if let (Some(old), Some(new)) =
                (next.part(run.at, run.end()), run.part(next.at, next.end()))
            {
                overlap(old, new);
            }
            from = next.end();
            idx += 1;
        }
        runs.len() - before
    }
}
