//! Places in a message: which buffer, from which byte, how many bytes.

/// Names a buffer of a message: [`BufferId::FRAME`] holds the bytes as they were captured, every
/// further one the output of one decompression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub u16);

impl BufferId {
    /// The bytes of the message itself.
    pub const FRAME: BufferId = BufferId(0);
}

/// A run of bytes in one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The buffer that `at` counts in.
    pub buffer: BufferId,
    /// Offset of the first byte.
    pub at: usize,
    /// Number of bytes.
    pub len: usize,
}

impl Span {
    /// The bytes `at..end` of `buffer`.
    #[inline]
    pub fn new(buffer: BufferId, at: usize, end: usize) -> Span {
        Span {
            buffer,
            at,
            len: end.saturating_sub(at),
        }
    }

    /// Offset of the first byte behind the run.
    pub fn end(self) -> usize {
        self.at + self.len
    }

    /// Whether byte `at` of `buffer` lies in the run.
    pub fn contains(self, buffer: BufferId, at: usize) -> bool {
        self.buffer == buffer && self.at <= at && at < self.end()
    }

    /// Whether `other` lies wholly in the run.
    pub fn covers(self, other: Span) -> bool {
        self.buffer == other.buffer && self.at <= other.at && other.end() <= self.end()
    }
}
