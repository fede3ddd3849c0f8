//! How long a hole may wait for its bytes, and how much may wait behind it.

/// Captures on several queues or interfaces bring segments late by what the queues hold; senders
/// bring lost ones back within a round trip, in which a fast network carries megabytes.
pub(super) const WAITING_BYTES: u64 = 16 << 20;

/// The same bound for small segments: runs that wait in one direction.
pub(super) const WAITING_RUNS: usize = 8192;

/// Over all connections, so that many of them with holes stay within tens of megabytes.
pub(super) const WAITING_RUNS_IN_ALL: usize = 1 << 18;

/// Once the other end has acknowledged the bytes of a hole nobody sends them again. They can only
/// come late, and these many packets and nanoseconds of the connection are late enough.
pub(super) const LATE_PACKETS: u32 = 16;
pub(super) const LATE_TIME: i64 = 2_000_000_000;

/// Bytes this near to those of a connection that is over are late copies of it; others belong to a
/// new one on the same ports. Windows are rarely larger, and a new connection starts at random.
pub(super) const NEAR: u32 = 16 << 20;

/// An acknowledgment or a sequence number further ahead than any window allows is not believed.
pub(super) const WINDOW: u64 = 1 << 30;
