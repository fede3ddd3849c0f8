//! What the decoder refuses to do however much the bytes ask for it.

/// Elements of an array whose elements take no bytes: the count is all there is to see, and a
/// hostile one would otherwise cost time without costing its sender anything.
pub(super) const EMPTY_ELEMENTS: u32 = 256;
