//! What is wrong in the traffic. A problem is an event with a place, never an error of the
//! program.

use std::fmt;

use super::Node;
use crate::wire::Span;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, and normal.
    Note,
    /// Against the protocol, but the message can be read.
    Warning,
    /// The bytes are not what the protocol says.
    Error,
}

impl Severity {
    /// The word that outputs show.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The kinds of problems. The names are part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A value needs more bytes than are left.
    Short,
    /// Bytes are left over behind the last field.
    TrailingBytes,
    /// A varint has more bytes than its type allows.
    LongVarint,
    /// A length below the smallest that its type allows.
    NegativeLength,
    /// Null where the definition does not allow it.
    UnexpectedNull,
    /// A count larger than the bytes that are left could hold.
    ImpossibleCount,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// A bool that is neither 0 nor 1, a presence byte that is neither 1 nor -1.
    InvalidByte,
    /// Tagged fields out of order, or the same tag twice.
    TagOrder,
    /// A tagged field whose size is not what its content takes.
    TagSize,
    /// An API key that no definition has.
    UnknownApi,
    /// A version that the definition never had.
    UnknownVersion,
    /// The size prefix is not the number of bytes that follow.
    FrameSize,
    /// Bytes are missing that the capture never held.
    Gap,
    /// A response was decoded in another version than the request's.
    VersionFallback,
    /// A checksum does not fit its bytes.
    Checksum,
    /// Compressed data that its codec refuses.
    Decompression,
    /// A count, delta or size that other fields contradict.
    Inconsistent,
    /// Something was not looked into, for a bound of the program.
    Bound,
    /// A response whose request was not captured.
    Orphan,
    /// The mistake that would explain the other problems of a message.
    Diagnosis,
    /// A batch that the sender cut off, as Fetch responses may.
    PartialBatch,
    /// Zeros behind the last batch of a log segment.
    Preallocated,
    /// What a bytes field holds is not what it should be, or less, or more.
    Embedded,
    /// An error code to which the version of the API gives another sense, or none.
    ErrorVersion,
}

impl Code {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Code::Short => "short",
            Code::TrailingBytes => "trailing-bytes",
            Code::LongVarint => "long-varint",
            Code::NegativeLength => "negative-length",
            Code::UnexpectedNull => "unexpected-null",
            Code::ImpossibleCount => "impossible-count",
            Code::InvalidUtf8 => "invalid-utf8",
            Code::InvalidByte => "invalid-byte",
            Code::TagOrder => "tag-order",
            Code::TagSize => "tag-size",
            Code::UnknownApi => "unknown-api",
            Code::UnknownVersion => "unknown-version",
            Code::FrameSize => "frame-size",
            Code::Gap => "gap",
            Code::VersionFallback => "version-fallback",
            Code::Checksum => "checksum",
            Code::Decompression => "decompression",
            Code::Inconsistent => "inconsistent",
            Code::Bound => "bound",
            Code::Orphan => "orphan",
            Code::Diagnosis => "diagnosis",
            Code::PartialBatch => "partial-batch",
            Code::Preallocated => "preallocated",
            Code::Embedded => "embedded",
            Code::ErrorVersion => "error-version",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The field that a problem is about, seen from the innermost open compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The compound itself.
    Here,
    /// A field of it.
    Field(&'static str),
    /// An element of it.
    Element(u32),
}

impl From<&Node> for Place {
    fn from(node: &Node) -> Place {
        match node.index {
            Some(index) => Place::Element(index),
            None => Place::Field(node.name),
        }
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// The bytes concerned; empty at the place where bytes are missing.
    pub span: Span,
    /// The field it happened at.
    pub place: Place,
    /// One sentence without a full stop: what was claimed, needed, found.
    pub message: String,
}
