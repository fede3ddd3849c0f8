//! How much is kept and tried, however much the bytes ask for it.

/// The longest fragment of a record: 2^14 bytes and what compression and ciphers of TLS 1.2 may add
/// (RFC 5246, 6.2.3). TLS 1.3 allows less.
pub(super) const MAX_FRAGMENT: usize = (1 << 14) + 2048;

/// The longest ClientHello or ServerHello that is read. Key shares that no quantum computer breaks
/// and tickets fill a few kilobytes.
pub(super) const MAX_HELLO: usize = 1 << 16;

/// Sequence numbers that are tried for one record: so many may have been lost before it.
pub(super) const MAX_TRIES: u64 = 4096;

/// Sessions of a key log that are tried where the hello of the client is missing: some hundredths of
/// a second, for each connection of the kind.
pub(super) const MAX_SESSIONS: usize = 1024;

/// Sequence numbers that are tried with each of them.
pub(super) const MAX_SESSION_TRIES: u64 = 8;

/// Bytes that could be authenticated in the time in which the keys of a session are derived.
pub(super) const DERIVING: usize = 1 << 14;

/// Bytes that are authenticated in tries that fail, for each byte of the connection and at least:
/// noise that looks like records everywhere costs no more than a second for a megabyte.
pub(super) const TRIED_PER_BYTE: u64 = 256;
pub(super) const MIN_TRIED_BYTES: u64 = 64 << 20;

/// Records in a row that no secret fits, until the direction is given up. The secrets are then
/// those of another connection, or more was lost than sequence numbers are tried.
pub(super) const MAX_FAILED: u32 = 32;

/// The smallest protected record on the wire: a header, a tag, and a byte. A hole of some bytes
/// has swallowed no more records than fit in it.
pub(super) const MIN_RECORD: u64 = 5 + 16 + 1;

/// Broken lines of a key log that are told one by one.
pub(super) const MAX_BAD_LINES: usize = 20;

/// The longest line of a key log that is looked at. A session needs two hundred characters.
pub(super) const MAX_LINE: usize = 1 << 12;
