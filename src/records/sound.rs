//! Batches about which there is nothing to say but how many records they have.
//!
//! What comes in are bytes that should be batches; what goes out is how many records the first of
//! them hold, up to the first batch that the [`Reader`](super::Reader) would not pass in silence
//! with its records skipped. A list of a million messages asks for no more.

use super::{
    Attributes, Extent,
    checksum::Polynomial,
    plausible::{BATCH, MAGIC_AT},
};
use crate::wire::Pieces;

/// Where the checksum is, and what it covers begins.
const CRC_AT: usize = MAGIC_AT + 1;
const COVERED_AT: usize = CRC_AT + 4;

/// Number of records in the sound batches that `bytes` start with, and of bytes that these take.
pub fn sound_batches(bytes: &[u8]) -> (u32, usize) {
    let (mut n_records, mut taken) = (0_u32, 0);
    let mut rest = bytes;
    while let Extent::Whole(len) = Extent::of(rest)
        && let Some((batch, behind)) = rest.split_at_checked(len)
        && let Some(count) = count(batch)
    {
        n_records = n_records.saturating_add(count);
        taken += len;
        rest = behind;
    }
    (n_records, taken)
}

/// The same of batches in pieces, which have to be sound to the last byte; returns how many records
/// and how many batches there are.
pub fn all_sound_batches(mut pieces: Pieces<'_>) -> Option<(u32, usize)> {
    let (mut n_records, mut n_batches) = (0_u32, 0);
    while !pieces.is_empty() {
        let header = { pieces }.array::<BATCH>()?;
        let Extent::Whole(len) = Extent::within(&header, pieces.len()) else {
            return None;
        };
        let mut covered = pieces.take(len)?;
        covered.take(COVERED_AT)?;
        let crc = Polynomial::crc32c_of(covered.slices());
        n_records = n_records.saturating_add(counted(&header, crc)?);
        n_batches += 1;
    }
    Some((n_records, n_batches))
}

/// Number of records in a batch; `None` if anything about its header is unusual.
fn count(batch: &[u8]) -> Option<u32> {
    let header = batch.first_chunk::<BATCH>()?;
    counted(header, Polynomial::Crc32c.of(batch.get(COVERED_AT..)?))
}

/// The same of a batch with this header and checksum.
fn counted(header: &[u8; BATCH], crc: u32) -> Option<u32> {
    let attributes = Attributes(i16::from_be_bytes([header[21], header[22]]));
    let is_usual = header[MAGIC_AT] == 2
        && attributes.unknown() == 0
        && (attributes.codec_number() == 0 || attributes.codec().is_some());
    let stored = u32::from_be_bytes(*header.get(CRC_AT..)?.first_chunk()?);
    let count = i32::from_be_bytes(*header.last_chunk()?);
    if !is_usual || crc != stored {
        return None;
    }
    u32::try_from(count).ok()
}
