//! What a walk over a map will come to next, brought in before it is looked at.
//!
//! Pages come into the page tables by the window and leave them again, which costs a fraction of the
//! page faults and keeps the process small. Their bytes come into the processor's cache by the step,
//! one line after the other: a walk that jumps from header to header would wait for each of them,
//! while memory that is read in order is fetched in advance by the processor itself.

use std::hint;

use super::source::Source;

/// Pages that come in together.
const WINDOW: usize = 1 << 20;

/// Windows behind the position that stay: others still look at the packets in them.
const KEPT: usize = 4;

/// Bytes that come into the cache together, a fraction of what it holds.
const STEP: usize = 32 << 10;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Up to where a map was brought in.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    mapped: usize,
    cached: usize,
}

impl Ahead {
    /// Brings in what follows `at`, the position of the walk.
    pub(super) fn slide(&mut self, source: &Source, at: usize) {
        if at + STEP / 2 < self.cached {
            return;
        }
        if at + WINDOW / 2 >= self.mapped {
            self.map(source, at);
        }
        self.cache(source, at);
    }

    /// Lets go what is still in the page tables.
    pub(super) fn leave(&self, source: &Source) {
        let behind = self.mapped.saturating_sub((KEPT + 1) * WINDOW) & !0xfff;
        source.map().release(behind, self.mapped - behind);
    }

    fn map(&mut self, source: &Source, at: usize) {
        let filled = source.filled().0 as usize;
        let from = self.mapped;
        let end = from.max(at).saturating_add(WINDOW).min(filled) & !0xfff;
        if end <= from {
            return;
        }
        source.check_length();
        let end = end.min(source.filled().0 as usize & !0xfff);
        if end <= from {
            return;
        }
        source.map().prefetch(from, end - from);
        if let Some(behind) = from.checked_sub(KEPT * WINDOW) {
            source.map().release(behind & !0xfff, WINDOW);
        }
        self.mapped = end;
    }

    fn cache(&mut self, source: &Source, at: usize) {
        let from = self.cached.max(at);
        let bytes = source.map().bytes();
        let end = (from + STEP).min(self.mapped);
        if let Some(bytes) = bytes.get(from..end) {
            let lines = bytes.iter().step_by(LINE);
            hint::black_box(lines.fold(0_u8, |all, &byte| all.wrapping_add(byte)));
            self.cached = end;
        }
    }
}
