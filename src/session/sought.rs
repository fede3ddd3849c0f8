//! The next sound batch in bytes that are damaged.
//!
//! What comes in are bytes at whose start no batch is, or one whose size cannot be right; what goes
//! out is where the first one begins whose checksum is right.

use std::ops::Range;

use super::segment::n_problems;
use crate::records::{Extent, Overview, are_records, fits_checksum, is_offset, is_preallocated};

/// Bytes in which the next batch is looked for: more than the largest batch that brokers usually
/// take.
const SOUGHT: usize = 64 << 20;

/// The same at the start of a file that nothing else calls a segment.
const SOUGHT_IN_FRONT: usize = 1 << 20;

/// Bytes of what looks like batches that are read to tell whether they are some, in all of a file.
const TRIED: usize = 1 << 30;

/// More bytes than the header of a batch has.
const HEADER: usize = 64;

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
        (self.affords(len) && n_problems(rest.get(..len)?) == 0).then_some(len)
    }

    /// Whether nothing is wrong with a batch, as far as there is still room to look.
    pub(super) fn passes(&mut self, batch: &[u8]) -> bool {
        !self.affords(batch.len()) || n_problems(batch) == 0
    }

    /// Whether all of `bytes` are a batch by its checksum, and there is still room to look.
    pub(super) fn fits(&mut self, bytes: &[u8]) -> bool {
        self.affords(bytes.len()) && fits_checksum(bytes)
    }

    /// Takes so many bytes from those that may still be read.
    fn affords(&mut self, len: usize) -> bool {
        let left = self.left.checked_sub(len);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    #[cfg(test)]
    pub(super) fn with(left: usize) -> Sought {
        Sought { left }
    }

    #[cfg(test)]
    pub(super) fn left(&self) -> usize {
        self.left
    }
}

/// Whether `bytes` can be what follows a batch: another one, also a cut one, zeros, or nothing.
pub(super) fn follows(bytes: &[u8]) -> bool {
    match Extent::of(bytes) {
        Extent::Cut(None) => true,
        Extent::Whole(_) => {
            Overview::of(bytes).is_some_and(|overview| is_offset(overview.last_offset))
        }
        Extent::Cut(Some(_)) => {
            // The end may have cut the header as well.
            is_cut_batch(bytes)
                && Overview::of(bytes).is_none_or(|overview| is_offset(overview.last_offset))
        }
        Extent::Rest => is_preallocated(bytes),
    }
}

/// Whether the offsets behind a batch are the next ones: then its size is right without a look at all
/// of it.
pub(super) fn goes_on(batch: &[u8], behind: &[u8]) -> bool {
    let last = Overview::of(batch).map(|overview| overview.last_offset);
    let next = Overview::of(behind).and_then(|overview| overview.base_offset);
    next.is_some() && last.and_then(|last| last.checked_add(1)) == next
}

/// Whether sizes lead from `at` on exactly to the end of `bytes`.
pub(super) fn leads(bytes: &[u8], at: usize) -> bool {
    let mut at = at;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Extent::Whole(len) = Extent::of(rest) else {
            return false;
        };
        at += len;
    }
    at == bytes.len()
}

/// Whether bytes that are fewer than their size says start as a batch does. Their checksum is not
/// looked at, which would read all of them.
pub(super) fn is_cut_batch(bytes: &[u8]) -> bool {
    are_records(bytes.get(..HEADER).unwrap_or(bytes))
}

/// Number of bytes of the whole batches that `bytes` start with, if nothing is behind them but what may
/// end a segment. Only headers are looked at.
fn lead_to_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        if !follows(rest) {
            return None;
        }
        match Extent::of(rest) {
            Extent::Whole(len) => at += len,
            Extent::Cut(_) | Extent::Rest => return Some(at),
        }
    }
}

/// Whether `front` ends in one of these sizes, as the field of a message does in which batches are: in
/// older versions the size itself, in flexible ones a varint of one more.
fn ends_in_size(front: &[u8], sizes: [usize; 2]) -> bool {
    let fixed = front.last_chunk().copied().map(u32::from_be_bytes);
    sizes.into_iter().any(|size| {
        let varint = varint(size + 1);
        fixed.is_some_and(|fixed| fixed as usize == size) || front.ends_with(&varint)
    })
}

fn varint(mut n: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n > 0x7f {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// Whether `bytes` are a segment whose first batch is damaged: sound ones follow soon, and are all that
/// follows if nothing else calls it one. A message that holds records starts with its size, or says it in
/// front of them.
pub(super) fn begins_damaged(bytes: &[u8], is_named: bool) -> bool {
    if is_framed(bytes) || is_archive(bytes) {
        return false;
    }
    let mut sought = Sought::default();
    let most = if is_named { SOUGHT } else { SOUGHT_IN_FRONT }.min(bytes.len());
    let Some(at) = sought.find(bytes, most) else {
        return false;
    };
    if is_named {
        return true;
    }
    // Messages and archives hold batches, too, and something else behind them.
    let (front, batches) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let Some(whole) = lead_to_end(batches) else {
        return false;
    };
    if ends_in_size(front, [whole, batches.len()]) {
        return false;
    }
    // One may be a piece of anything.
    let next = sought.is_sound(batches, 0);
    let next = next.and_then(|len| batches.get(len..));
    let is_led_to = match Extent::of(bytes) {
        Extent::Whole(len) => bytes.get(..len).is_some_and(|batch| leads(batch, at)),
        Extent::Cut(_) | Extent::Rest => false,
    };
    is_led_to || next.is_some_and(|next| sought.is_sound(next, 0).is_some())
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

/// Bytes of the header in front of each file of a tar archive, and where its checksum stands, in octal
/// digits.
const TAR_HEADER: usize = 512;
const TAR_CHECKSUM: Range<usize> = 148..156;

/// Whether `bytes` are an archive, of which a segment may be the last file.
fn is_archive(bytes: &[u8]) -> bool {
    let magics: [&[u8]; 4] = [b"!<arch>\n", b"070701", b"070702", b"070707"];
    magics.iter().any(|magic| bytes.starts_with(magic)) || is_tar(bytes)
}

/// Whether `bytes` start with a header of a tar archive: the sum of its bytes, the checksum as blanks,
/// is the checksum.
fn is_tar(bytes: &[u8]) -> bool {
    let (Some(header), Some(digits)) = (bytes.get(..TAR_HEADER), bytes.get(TAR_CHECKSUM)) else {
        return false;
    };
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    let digits = digits.trim_matches(['\0', ' ']);
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    let blanks = u32::from(b' ') * TAR_CHECKSUM.len() as u32;
    let expected = sum(header) - sum(header.get(TAR_CHECKSUM).unwrap_or_default()) + blanks;
    u32::from_str_radix(digits, 8) == Ok(expected)
}
