//! What a walk over a map will come to next, brought in before it is looked at.
//!
//! Pages come into the page tables by the window and leave them again, which costs a fraction of the
//! page faults and keeps the process small. Their bytes come into the processor's cache by the step,
//! one line after the other: a walk that jumps from header to header would wait for each of them,
//! while memory that is read in order is fetched in advance by the processor itself.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::source::Source;

/// Pages that come in together.
const WINDOW: usize = 1 << 20;

/// Bytes in front of a walk that somebody who has nothing better to do brings in.
const AHEAD: usize = 2 * WINDOW;

/// Bytes behind what was brought in last that stay: others still look at the packets in them.
const KEPT: usize = AHEAD + 4 * WINDOW;

/// Bytes that come into the cache together, a fraction of what it holds.
const STEP: usize = 32 << 10;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// The part of a map that a walk is in. What it says is only used to be in time: another walk over
/// the same map may disturb it.
#[derive(Debug, Default)]
pub(super) struct Front {
    is_walked: AtomicBool,
    /// Where the walk is.
    at: AtomicUsize,
    /// Up to where pages were brought in, or are about to be by who has moved it.
    mapped: AtomicUsize,
}

/// The walk's own knowledge of what was brought in.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    is_under_way: bool,
    cached: usize,
}

impl Ahead {
    /// Brings in what follows `at`, the position of the walk.
    #[inline]
    pub(super) fn slide(&mut self, source: &Source, at: usize) {
        if at + STEP / 2 >= self.cached {
            self.step(source, at);
        }
    }

    #[inline(never)]
    fn step(&mut self, source: &Source, at: usize) {
        let front = source.front();
        if !self.is_under_way {
            self.is_under_way = true;
            front.mapped.store(at, Ordering::Relaxed);
            front.is_walked.store(true, Ordering::Relaxed);
        }
        front.at.store(at, Ordering::Relaxed);
        front.bring(source, WINDOW / 2);
        self.cache(source, at);
    }

    /// Lets go what is still in the page tables.
    pub(super) fn leave(&self, source: &Source) {
        let front = source.front();
        front.is_walked.store(false, Ordering::Relaxed);
        let mapped = front.mapped.load(Ordering::Relaxed);
        let behind = mapped.saturating_sub(KEPT + WINDOW) & !0xfff;
        source.map().release(behind, mapped - behind);
    }

    fn cache(&mut self, source: &Source, at: usize) {
        let from = self.cached.max(at);
        let bytes = source.map().bytes();
        let mapped = source.front().mapped.load(Ordering::Relaxed);
        let end = (from + STEP).min(mapped).min(source.filled().0 as usize);
        if let Some(bytes) = bytes.get(from..end) {
            let lines = bytes.iter().step_by(LINE);
            hint::black_box(lines.fold(0_u8, |all, &byte| all.wrapping_add(byte)));
            self.cached = end;
        }
    }
}

impl Front {
    /// Brings a window in for a walk that is under way and will need it soon; returns whether
    /// there was one. For any thread.
    pub(super) fn help(&self, source: &Source) -> bool {
        self.is_walked.load(Ordering::Relaxed) && self.bring(source, AHEAD)
    }

    /// Brings the next window in if the walk is within `distance` of it and nobody else has done so.
    fn bring(&self, source: &Source, distance: usize) -> bool {
        let at = self.at.load(Ordering::Relaxed);
        let mapped = self.mapped.load(Ordering::Relaxed);
        if at + distance < mapped {
            return false;
        }
        let end_of =
            |from: usize| from.saturating_add(WINDOW).min(source.filled().0 as usize) & !0xfff;
        let from = mapped.max(at & !0xfff);
        if end_of(from) <= from {
            return false;
        }
        source.check_length();
        let end = end_of(from);
        let order = Ordering::Relaxed;
        if end <= from
            || self
                .mapped
                .compare_exchange(mapped, end, order, order)
                .is_err()
        {
            return false;
        }
        source.map().prefetch(from, end - from);
        if let Some(behind) = from.checked_sub(KEPT) {
            source.map().release(behind, WINDOW);
        }
        true
    }
}
