//! Whether bytes are records at all.
//!
//! A `records` field may hold anything: tests and proxies put arbitrary bytes there. But a real
//! batch with one field destroyed must still be shown as a batch. So each sign by itself proves
//! nothing, and two that do not depend on each other do.

use super::checksum::Polynomial;
use crate::wire::{BufferId, Cursor};

/// Offset of the magic byte, the same in all formats.
pub const MAGIC_AT: usize = 16;
/// Bytes of offset and size, which the size does not count.
pub const LOG_OVERHEAD: usize = 12;
/// Bytes of a batch without records.
pub(super) const BATCH: usize = 61;
/// Bytes of a message of magic 0 whose key and value are null or empty.
pub(super) const MESSAGE_V0: usize = 26;
/// The same of magic 1, which has a timestamp.
pub(super) const MESSAGE_V1: usize = 34;

/// Fewest bytes that the size field may count; `None` for an unknown magic.
pub(super) fn smallest(magic: i8) -> Option<usize> {
    let whole = match magic {
        0 => MESSAGE_V0,
        1 => MESSAGE_V1,
        2 => BATCH,
        _ => return None,
    };
    Some(whole - LOG_OVERHEAD)
}

/// Whether a record of a log may have this offset: no partition has seen 2^48 records, and random bytes
/// claim more nearly always. `-1` is out: it stands for an offset that is not known, and in a log all are.
pub fn is_offset(offset: i64) -> bool {
    (0..1 << 48).contains(&offset)
}

/// Whether `bytes` start with a record batch or message set entry, whole, cut or damaged.
pub fn are_records(bytes: &[u8]) -> bool {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let (Ok(offset), Ok(size)) = (cursor.i64(), cursor.i32()) else {
        return false;
    };
    // A producer does not know the offsets that its records will have, and may say so.
    let is_offset = is_offset(offset) || offset == -1;
    let size = usize::try_from(size).unwrap_or(0);
    let fits = size <= cursor.left();
    let magic = bytes.get(MAGIC_AT).map(|&magic| magic.cast_signed());
    let Some(magic) = magic else {
        // So short that a broker must have cut it, or it is none: only the size can tell.
        return is_offset && !fits && size >= MESSAGE_V0 - LOG_OVERHEAD;
    };
    let least = smallest(magic);
    let is_size = size >= least.unwrap_or(MESSAGE_V0 - LOG_OVERHEAD);
    if fits && is_size && (is_offset || least.is_some()) {
        return true;
    }
    let has_attributes = match magic {
        2 => matches!(bytes.get(21..23), Some(&[0, low]) if low < 0x80),
        _ => matches!(bytes.get(17), Some(&low) if low < 0x10),
    };
    if least.is_some() && is_offset && (is_size || has_attributes && size > 0) {
        return true;
    }
    // Only the checksum is left to speak for it.
    let (polynomial, at) = match magic {
        2 => (Polynomial::Crc32c, 17),
        _ => (Polynomial::Crc32, 12),
    };
    let stored = bytes.get(at..).and_then(|rest| rest.split_first_chunk());
    stored.is_some_and(|(stored, covered)| polynomial.of(covered) == u32::from_be_bytes(*stored))
}
