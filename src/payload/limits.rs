//! How far content is looked into, however much the bytes ask for it.

/// Bytes fields within bytes fields. Kafka's own go three deep: metadata of a group within a
/// record, user data within the metadata.
pub const DEPTH: u32 = 4;

/// Bytes that compressed metrics may give. Brokers take no more than a megabyte by default.
pub const UNPACKED: usize = 16 << 20;

/// Bytes of a response in an Envelope whose API is searched for: all APIs in all versions are tried
/// on it, and controllers answer in short.
pub const SEARCHED: usize = 1 << 16;

/// Messages within messages of protobuf. Values of attributes may nest without end.
pub(super) const NESTING: u32 = 16;

/// Nodes of all metrics in a message. Each takes two bytes at least, so compressed ones could ask
/// for far more memory than was sent.
pub(super) const NODES: usize = 200_000;

/// Bytes of a key or value that are read to see whether they are JSON; of a longer one the ends
/// are looked at.
pub(super) const JSON: usize = 1 << 16;

/// Bytes of a key or value that are looked at to see whether they are text.
pub(super) const TEXT: usize = 1 << 16;
