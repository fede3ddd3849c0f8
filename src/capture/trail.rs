//! Positions of a walk over merged inputs, kept so that it can be taken up again in the middle.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Place;

/// Packets between two positions. To find a packet again, this many headers are walked over: a few
/// microseconds. Positions cost a fifth of a byte a packet and file.
pub(super) const STEP: u64 = 256;

/// Where a walk was before it came to a packet.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Number of the packet that came next.
    pub(super) number: u64,
    /// Number of packets that were counted before.
    pub(super) counted: u64,
    /// The inputs that it was in the middle of.
    pub(super) heads: Box<[Head]>,
    /// The first input that it had not come to.
    pub(super) next_file: usize,
}

/// The packet that comes next in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) header: Place,
    pub(super) number_in_file: u64,
    pub(super) time: i64,
    /// The last packet of the file that was counted: those between cannot be read.
    pub(super) counted: u64,
}

/// The positions of the first walk from the start, in order.
#[derive(Debug, Default)]
pub(super) struct Trail(Mutex<Vec<Position>>);

impl Trail {
    /// Adds a position, unless a walk has been here before.
    pub(super) fn add(&self, position: Position) {
        let mut positions = self.positions();
        if positions
            .last()
            .is_none_or(|last| last.number < position.number)
        {
            positions.push(position);
        }
    }

    /// The last position that is not behind packet `number`.
    pub(super) fn before(&self, number: u64) -> Option<Position> {
        let positions = self.positions();
        let after = positions.partition_point(|position| position.number <= number);
        positions.get(after.checked_sub(1)?).cloned()
    }

    fn positions(&self) -> MutexGuard<'_, Vec<Position>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
