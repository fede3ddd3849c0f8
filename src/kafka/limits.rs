//! How much is looked at and kept while nothing is certain.

/// The largest message that is believed while framing is in step. Brokers take requests of 100 MiB
/// unless told otherwise (`socket.request.max.bytes`), and clients fetch 50 MiB (`fetch.max.bytes`);
/// more than 1 GiB is more than either side would hold in memory for one message.
pub(super) const MAX_FRAME: u32 = 1 << 30;

/// The largest message that a search believes in: what brokers take unless told otherwise.
pub(super) const MAX_SEARCHED: u32 = 100 << 20;

/// The largest request with a wrong header that is waited for while framing is in step: behind a
/// size that is noise, the search is held up no longer than this.
pub(super) const MAX_MALFORMED: u32 = 1 << 20;

/// Unknown APIs have numbers near the known ones, or far above them where vendors added their own,
/// and few versions; this leaves out text and noise.
pub(super) const MAX_API_KEY: i16 = 20_000;
pub(super) const MAX_VERSION: i16 = 200;

/// A search reads this much at a time.
pub(super) const SEARCH_STEP: usize = 1 << 16;

/// Possible messages whose end has not come yet that a search remembers.
pub(super) const MAX_CANDIDATES: usize = 16;

/// Bytes of a connection that are searched at every offset before only the starts of segments are
/// looked at: large transfers that are not Kafka must not cost more than others.
pub(super) const MAX_SEARCHED_BYTES: u64 = 1 << 20;

/// Undecided bytes that are kept of a direction.
pub(super) const MAX_UNDECIDED: u64 = 1 << 22;

/// Requests of a connection that wait for their responses; clients have five in flight, and
/// hundreds when they are told to. Older ones stay unanswered.
pub(super) const MAX_PENDING: usize = 8192;

/// How far correlation ids may jump in a stream that is in step, where lost packets took some.
pub(super) const MAX_CORRELATION_STEP: u32 = 10_000;

/// How far they may be from their neighbours where that is part of the proof.
pub(super) const MAX_ORPHAN_STEP: u32 = 2_000;

/// How far they may jump from one message to the very next one, for it to count as its successor.
pub(super) const MAX_NEXT_STEP: i32 = 64;

/// Client ids are names that people chose.
pub(super) const MAX_CLIENT_ID: usize = 1024;

/// Requests without acks that wait for a response which they should not get.
pub(super) const MAX_UNASKED: usize = 64;

/// A message of this many bytes that a definition consumes exactly is no accident.
pub(super) const TELLING: u32 = 24;

/// Bytes of a response whose end has not come that are looked at: all that it says of its structure
/// in front of the first record.
pub(super) const MAX_FRONT: usize = 1 << 10;

/// Segments of the other side that are looked at for the answer to what may be a request; answers
/// come soon, and this is asked again as more comes.
pub(super) const MAX_STARTS: usize = 1024;

/// How far correlation ids may jump from one small response to the next: requests without an
/// answer lie between them.
pub(super) const MAX_SMALL_STEP: i32 = 8;

/// Starts of segments where a request of a supposed server is looked for each time that more has come;
/// the others have their turn the next time.
pub(super) const MAX_ASKED: usize = 64;

/// Possible chains of responses without requests that are remembered until more has come.
pub(super) const MAX_CHAINS: usize = 1024;

/// The shortest request there is, with an empty header and one number, and the shortest response,
/// with an error code: so many messages at most are in lost bytes.
pub(super) const LEAST_REQUEST: u64 = 14;
pub(super) const LEAST_RESPONSE: u64 = 10;

/// Requests that may have been under way when a connection was joined in the middle.
pub(super) const MAX_IN_FLIGHT: u32 = 16;

/// Possibilities of whose turn it is that are followed; with more of them nothing would be known.
pub(super) const MAX_POSSIBLE: usize = 64;

/// Requests of which each may be next, where nothing is known of the order; so many are tried for
/// each response.
pub(super) const MAX_DOUBTED: usize = 512;

/// So many frames that count up, each with nothing but an outcome, are answers to heartbeats; so many
/// if none of them is an error.
pub(super) const MIN_QUIET: u32 = 32;
pub(super) const MIN_QUIET_ZEROS: u32 = 128;

/// Frames that are walked over to find the first in front of a boundary.
pub(super) const MAX_WALKED: usize = 1 << 16;

/// Those of them nearest to the boundary in whose content a definition is looked for.
pub(super) const MAX_LOOKED_INTO: usize = 32;
