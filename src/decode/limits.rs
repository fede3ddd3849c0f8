//! What the decoder refuses to do however much the bytes ask for it.

/// Elements of an array whose elements take no bytes: the count is all there is to see, and a
/// hostile one would otherwise cost time without costing its sender anything.
pub(super) const EMPTY_ELEMENTS: u32 = 256;

/// Repairs that a diagnosis names: behind the likeliest, fitting is mostly chance.
pub(super) const REPAIRS: usize = 4;

/// Bytes that a diagnosis reads in all its trials of one message, so that a large broken message
/// takes a moment and no more.
pub(super) const TRIAL_BYTES: usize = 64 << 20;
