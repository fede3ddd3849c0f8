//! The next sound batch in bytes that are damaged.
//!
//! What comes in are bytes at whose start no batch is, or one whose size cannot be right; what goes
//! out is where the first one begins whose checksum is right.

use super::segment::n_problems;
use crate::records::{Extent, Overview, are_records, is_preallocated};

/// Bytes in which the next batch is looked for: more than the largest batch that brokers usually
/// take.
const SOUGHT: usize = 64 << 20;

/// The same at the start of a file that nothing else calls a segment.
const SOUGHT_IN_FRONT: usize = 1 << 20;

/// Bytes of what looks like batches that are read to tell whether they are some, in all of a file.
const TRIED: usize = 1 << 30;

/// The largest message of a protocol, which begins with its size.
const LARGEST: usize = 100 << 20;

/// Looks for batches, and bounds what that costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought {
    left: usize,
}

impl Default for Sought {
    fn default() -> Sought {
        Sought { left: TRIED }
    }
}

impl Sought {
    /// Where in the first `most` of `bytes`, behind their start, the first sound batch begins.
    pub(super) fn find(&mut self, bytes: &[u8], most: usize) -> Option<usize> {
        (1..most.min(SOUGHT)).find(|&at| self.is_sound(bytes, at).is_some())
    }

    /// Number of bytes of the batch at `at`, if it is all there and sound.
    fn is_sound(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let Extent::Whole(len) = Extent::of(rest) else {
            return None;
        };
        let overview = Overview::of(rest)?;
        if !is_offset(overview.last_offset) {
            return None;
        }
        self.left = self.left.checked_sub(len)?;
        (n_problems(rest.get(..len)?) == 0).then_some(len)
    }
}

/// Random bytes claim larger ones nearly always.
pub(super) fn is_offset(offset: i64) -> bool {
    (0..1 << 48).contains(&offset)
}

/// Whether `bytes` can be what follows a batch: another one, also a cut one, zeros, or nothing.
pub(super) fn follows(bytes: &[u8]) -> bool {
    match Extent::of(bytes) {
        Extent::Cut(None) => true,
        Extent::Whole(_) | Extent::Cut(Some(_)) => {
            let overview = Overview::of(bytes);
            are_records(bytes) && overview.is_some_and(|overview| is_offset(overview.last_offset))
        }
        Extent::Rest => is_preallocated(bytes),
    }
}

/// Whether `bytes` are a segment whose first batch is damaged: sound ones follow soon. A message that
/// holds records starts with its size.
pub(super) fn begins_damaged(bytes: &[u8], is_named: bool) -> bool {
    if is_framed(bytes) {
        return false;
    }
    let mut sought = Sought::default();
    let most = if is_named { SOUGHT } else { SOUGHT_IN_FRONT }.min(bytes.len());
    let Some(at) = sought.find(bytes, most) else {
        return false;
    };
    // One may be a piece of anything.
    let is_led_to = Extent::of(bytes) == Extent::Whole(at);
    let next = sought
        .is_sound(bytes, at)
        .and_then(|len| bytes.get(at + len..));
    is_named
        || next.is_some_and(|next| sought.is_sound(next, 0).is_some() || is_led_to && follows(next))
}

/// Whether `bytes` are messages one after another: their sizes lead to the end, or to the last one,
/// which is cut.
fn is_framed(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut n_whole = 0;
    while let Some((size, behind)) = rest.split_first_chunk::<4>() {
        let size = u32::from_be_bytes(*size) as usize;
        if !(8..=LARGEST).contains(&size) {
            return false;
        }
        let Some(next) = behind.get(size..) else {
            return n_whole > 0;
        };
        (rest, n_whole) = (next, n_whole + 1);
    }
    n_whole > 0 && rest.is_empty()
}
