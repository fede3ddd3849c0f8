//! Positions of a walk over merged inputs, kept so that it can be taken up again in the middle, and
//! when it went on without an input that was still being written, so that packets get the same
//! numbers again.

use std::sync::atomic::{AtomicBool, Ordering};
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

/// Packets that were numbered while nobody waited for a file that had nothing to give.
#[derive(Clone, Copy, Debug)]
struct Hold {
    file: usize,
    /// Numbers of packets before it, and before its next one; `None` while it is held.
    from: u64,
    to: Option<u64>,
}

/// The positions of the first walk from the start, in order.
#[derive(Debug, Default)]
pub(super) struct Trail {
    positions: Mutex<Vec<Position>>,
    holds: Mutex<Vec<Hold>>,
    /// There is a hold at all: only files that are followed have any.
    holds_any: AtomicBool,
}

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
        self.positions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, behind packet `number`, nobody waits for `file`.
    pub(super) fn hold(&self, file: usize, number: u64) {
        self.holds().push(Hold {
            file,
            from: number,
            to: None,
        });
        self.holds_any.store(true, Ordering::Release);
    }

    /// Behind packet `number`, `file` has its turn again.
    pub(super) fn release(&self, file: usize, number: u64) {
        let mut holds = self.holds();
        let open = |hold: &&mut Hold| hold.file == file && hold.to.is_none();
        if let Some(hold) = holds.iter_mut().rev().find(open) {
            hold.to = Some(number);
        }
    }

    /// Whether the walk goes on without `file` behind packet `number`.
    pub(super) fn is_held(&self, file: usize, number: u64) -> bool {
        self.holds_any.load(Ordering::Acquire)
            && self.holds().iter().rev().any(|hold| {
                hold.file == file && hold.from <= number && hold.to.is_none_or(|to| number < to)
            })
    }

    fn holds(&self) -> MutexGuard<'_, Vec<Hold>> {
        self.holds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
