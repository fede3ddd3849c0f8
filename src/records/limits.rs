//! How far compressed data is followed, however much the bytes ask for it.

/// Bytes that all decompressions of one message may give, whatever its size. A kilobyte can be
/// made to decompress to gigabytes; brokers take no batch that is larger than this by default.
pub(super) const UNPACKED: usize = 128 << 20;

/// Bytes beyond that for each byte of the message: a large Fetch response honestly holds many
/// compressed batches, and its reader has chosen to hold it in memory.
pub(super) const UNPACKED_PER_BYTE: usize = 8;

/// Nodes that all decompressed data of one message may give, whatever its size: an output that
/// keeps nodes needs far more memory for one than the two bytes that the smallest take.
pub(super) const NODES: usize = 500_000;

/// Bytes of the message for each node beyond that; uncompressed bytes make about as many.
pub(super) const BYTES_PER_NODE: usize = 2;

/// Compressed sets within compressed sets. Kafka writes one within a plain set and refuses more;
/// every level multiplies what a sender can ask for.
pub(super) const NESTING: u32 = 4;

/// Members, frames or blocks of one compressed value that hold nothing. They cost time and give
/// no output that the other limits would count.
pub(super) const EMPTY_PARTS: u32 = 4096;

/// Broken records of one batch. Where the length of a record is wrong, what follows most likely
/// is no record at all, and every byte of it could be complained about.
pub(super) const BROKEN: u32 = 64;
