//! Where decrypted bytes come from: which record each run of them was in, and which run of the same
//! direction comes next.
//!
//! Invariant: entries are in the order of their places and are only added, so that a place finds
//! its entry by a search, and messages are put together while others are still being found.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::capture::{Piece, Place};

/// The runs of a capture.
#[derive(Debug, Default)]
pub(super) struct Decrypted(RwLock<Vec<Entry>>);

/// The content of one record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The decrypted bytes.
    pub(super) place: Place,
    pub(super) len: u32,
    /// The entry of the same direction that comes next; 0 for none.
    next: u32,
    /// Offset of the first byte among the decrypted bytes of its direction.
    pub(super) at: u64,
    /// The first byte of the record, header included, in its input.
    pub(super) record: Place,
    /// What holds the record's last byte.
    pub(super) packet: u64,
    pub(super) time: i64,
    /// From where a walk comes to that packet, and where it has its payload.
    pub(super) walk: Place,
    pub(super) payload: Place,
}

impl Entry {
    /// Of `len` decrypted bytes at `place`, whose record starts at `record` and ends in `last`.
    pub(super) fn new(place: Place, len: u32, at: u64, record: Place, last: Piece) -> Entry {
        Entry {
            place,
            len,
            next: 0,
            at,
            record,
            packet: last.packet,
            time: last.time,
            walk: last.record,
            payload: last.place,
        }
    }
}

impl Decrypted {
    /// Adds the entry that comes after `before` in its direction; returns its index, counting
    /// from 1.
    pub(super) fn push(&self, before: u32, entry: Entry) -> u32 {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
        let n = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        if let Some(before) = entries.get_mut((before as usize).wrapping_sub(1)) {
            before.next = n;
        }
        n
    }

    /// The entry that holds `place`.
    pub(super) fn first(&self, place: Place) -> Option<Entry> {
        let entries = self.entries();
        let after = entries.partition_point(|entry| entry.place <= place);
        entries.get(after.checked_sub(1)?).copied()
    }

    /// `first` and what comes after it in its direction, up to the first for which `is_behind` is
    /// true.
    pub(super) fn until(&self, first: Entry, is_behind: impl Fn(&Entry) -> bool) -> Vec<Entry> {
        let entries = self.entries();
        std::iter::successors(Some(first), |entry| {
            entries.get((entry.next as usize).wrapping_sub(1)).copied()
        })
        .take_while(|entry| !is_behind(entry))
        .collect()
    }

    fn entries(&self) -> RwLockReadGuard<'_, Vec<Entry>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}
