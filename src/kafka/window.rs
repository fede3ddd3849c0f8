//! What of a stream can still be looked at.

use std::ops::Range;

/// The bytes of one direction that were delivered and not released. Offsets count from an
/// arbitrary origin; bytes that the capture does not hold have offsets as well.
pub trait Window {
    /// Offset of the first byte that is kept.
    fn start(&self) -> u64;
    /// Offset behind the last byte that is known, captured or lost.
    fn end(&self) -> u64;
    /// The bytes from `at` on, at most `len` and fewer where the stream ends; lost ones as zeros.
    fn bytes(&mut self, at: u64, len: usize) -> &[u8];
    /// The bytes from `at` to the end of the segment that holds it; empty if they are lost or
    /// have not come. This never copies.
    fn segment(&self, at: u64) -> &[u8];
    /// The first run of lost bytes that overlaps `range`.
    fn lost(&self, range: Range<u64>) -> Option<Range<u64>>;
    /// Whether a captured segment starts at `at`.
    fn starts_segment(&self, at: u64) -> bool;
    /// The first start of a segment at or behind `at`.
    fn next_segment(&self, at: u64) -> Option<u64>;
    /// How far the other stream was known when the byte at `at` came.
    fn met(&self, at: u64) -> u64;
    /// Nothing before `to` is needed any more.
    fn release(&mut self, to: u64);
}

/// The next `N` bytes at `at`, if all of them are there and none is lost.
pub(super) fn array<const N: usize>(window: &mut impl Window, at: u64) -> Option<[u8; N]> {
    if window.lost(at..at + N as u64).is_some() {
        return None;
    }
    window.bytes(at, N).first_chunk::<N>().copied()
}
