//! What the decoder refuses to do however much the bytes ask for it.

/// Elements of an array whose elements take no bytes: the count is all there is to see, and a
/// hostile one would otherwise cost time without costing its sender anything.
pub(super) const EMPTY_ELEMENTS: u32 = 256;

/// Repairs that a diagnosis names: behind the likeliest, fitting is mostly chance.
pub(super) const REPAIRS: usize = 6;

/// Repairs that are named beside the likeliest.
pub(super) const OTHERS: usize = 3;

/// How much more far-fetched than the likeliest repair another one may be, and be named.
pub(super) const COST_SPREAD: u32 = 14;

/// A repair that costs no more leaves no need to look for another API.
pub(super) const SURE: u32 = 16;

/// What an explanation costs more that does not explain all bytes.
pub(super) const NEAREST: u32 = 100;

/// Bytes that a diagnosis reads in all its trials of one message, so that a large broken message
/// takes a moment and no more.
pub(super) const TRIAL_BYTES: usize = 24 << 20;

/// Mistakes that are tried together: with more of them anything fits.
pub(super) const MISTAKES: usize = 3;

/// Attempts that the search goes on from with one more mistake.
pub(super) const TRIALS_KEPT: usize = 8;

/// Different places that a trial remembers; the largest definition has fewer.
pub(super) const TRIAL_SITES: usize = 256;

/// Contents of bytes fields that are looked into where a message is fine otherwise.
pub(super) const CONTENTS: usize = 256;

/// Decisions before its end that a trial remembers: a mistake shows soon after it was made.
pub(super) const TRIAL_STEPS: usize = 512;

/// The same for mistakes that explain nearly anything.
pub(super) const FEW_STEPS: usize = 48;

/// The same where one mistake has been granted already, and the next must lie behind it.
pub(super) const NEXT_STEPS: usize = 24;

/// Right lengths that are tried for a length that cannot be kept.
pub(super) const LENGTHS_TRIED: usize = 128;

/// Lengths of one message that are doubted: each is tried with all that it could be.
pub(super) const DOUBTS: usize = 4;

/// Bytes of text without which a message may be nearly any API's.
pub(super) const TEXT_THAT_SPEAKS: usize = 3;

/// Bytes that must make sense for an explanation which does not explain all of them.
pub(super) const SENSE_GAINED: usize = 8;

/// Elements that an array may claim beyond the bytes there are, in a message that was cut: more
/// are a sign that the count is something else.
pub(super) const CUT_COUNT: usize = 10_000;

/// Messages of one paste that are held against all responses: who has more of what is no request
/// has no messages at all.
pub(super) const GUESSED: usize = 1000;
