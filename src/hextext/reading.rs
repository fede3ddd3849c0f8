//! What a paste turned out to be: the vocabulary that this layer answers in.
//!
//! Nothing here reads text. All text in it ([`Part::label`], [`Note::text`], [`Refusal::found`])
//! comes from the paste and is not safe for a terminal before it is escaped.

use std::fmt;
use std::net::SocketAddr;

/// A place in the paste as an editor counts it: lines and columns from 1, a column per character
/// (a tab is one, a colour code as many as it has characters).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The outcome of [`read`](super::read).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The input is no text: its bytes are the message, as they are.
    Binary(NotText),
    /// The text holds bytes; the best reading first, never empty.
    Bytes(Vec<Candidate>),
    /// The text holds no bytes, but numbers that a log writes for bytes somebody received.
    Numbers(Vec<LogNumber>),
    /// The text holds no bytes, or only bytes that cannot be trusted.
    Refused(Refusal),
}

impl Reading {
    /// The reading to use when nobody chooses.
    pub fn best(&self) -> Option<&Candidate> {
        match self {
            Reading::Bytes(candidates) => candidates.first(),
            _ => None,
        }
    }
}

/// Why the input is taken for raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotText {
    /// Offset of the first byte that no text has.
    pub at: usize,
    /// That byte.
    pub byte: u8,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte 0x{:02x} at offset {}", self.byte, self.at)
    }
}

/// One way to read the paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The kind of notation.
    pub family: Family,
    /// The notation's name as people know it, such as `hexdump -C` or `Go []byte`.
    pub notation: &'static str,
    /// 0 to 100: how sure it is that these are the bytes which were meant.
    pub confidence: u8,
    /// What speaks for this reading, as half a sentence.
    pub why: String,
    /// The byte sequences, in the order of the paste; never empty, and no part is.
    pub parts: Vec<Part>,
    /// What a reader should know, such as an ASCII column that disagrees with the bytes.
    pub remarks: Vec<Remark>,
}

impl Candidate {
    /// The bytes of all parts, one behind the other.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in &self.parts {
            bytes.extend_from_slice(&part.bytes);
        }
        bytes
    }
}

/// A kind of notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Rows with an offset in front.
    Dump,
    /// Hex digits, in groups or not.
    Hex,
    /// Zeros and ones, eight a byte.
    Binary,
    /// A list of numbers or characters.
    List,
    /// A string with escapes.
    Escaped,
    /// Erlang and Elixir `<<...>>`.
    BitSyntax,
    /// Base64, either alphabet.
    Base64,
}

/// A byte sequence of the paste.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The words that stand before it.
    pub label: Option<String>,
    /// From where to where they went, where the bytes are those that packets carry.
    pub way: Option<(SocketAddr, SocketAddr)>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where each byte stands; as many as there are bytes.
    pub places: Vec<Place>,
    /// Where bytes are left out.
    pub holes: Vec<Hole>,
    /// Comments and annotations.
    pub notes: Vec<Note>,
}

/// Bytes that the paste leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// They are missing before this byte of the part.
    pub at: usize,
    /// How many, where the paste says it.
    pub len: Option<u64>,
    /// Where the paste leaves them out.
    pub place: Place,
}

/// A comment of the paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The first byte that it stands beside; of a heading, the first byte behind it.
    pub at: usize,
    /// Behind the last byte that it stands beside; `at` for a heading.
    pub end: usize,
    /// The comment without its marks.
    pub text: String,
    /// Where it begins.
    pub place: Place,
}

/// Something about a place of the paste that does not make the reading wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The place meant.
    pub place: Place,
    /// One sentence without its full stop.
    pub text: String,
}

/// A number of a log line with the bytes that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogNumber {
    /// The number as it is printed.
    pub value: i64,
    /// What the words around it call it.
    pub role: NumberRole,
    /// The same number as bytes on the wire, big-endian; empty for a limit.
    pub bytes: Vec<u8>,
    /// The words before it.
    pub label: String,
    /// Where it stands.
    pub place: Place,
}

/// What a number of a log line counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberRole {
    /// The size of a message or of a field with a 4-byte length.
    Size,
    /// The length of a string: 2 bytes, unless it is too long for them.
    StringLength,
    /// How many elements an array has: 4 bytes.
    Count,
    /// An API key: 2 bytes.
    ApiKey,
    /// An API version: 2 bytes.
    ApiVersion,
    /// A correlation id: 4 bytes.
    CorrelationId,
    /// A configured limit that the other numbers are compared with.
    Limit,
}

/// Why a paste is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place of the trouble.
    pub place: Place,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: found {}, expected {}",
            self.place.line, self.place.column, self.found, self.expected
        )
    }
}

impl std::error::Error for Refusal {}
