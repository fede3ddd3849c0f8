//! What a decoder says about a node before its content: name, type, meaning.

use super::Meaning;

/// The part of a message that a byte belongs to; outputs colour by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// The four-byte size prefix.
    #[default]
    Frame,
    /// Request or response header.
    Header,
    /// Body of a request.
    Request,
    /// Body of a response, or a structure decoded by itself.
    Response,
    /// Fields of a record batch or message set entry.
    RecordBatch,
    /// One record of a batch.
    Record,
    /// Tagged fields, known or not.
    TaggedFields,
}

impl Section {
    /// The name that legends show.
    pub fn name(self) -> &'static str {
        match self {
            Section::Frame => "frame",
            Section::Header => "rpc header",
            Section::Request => "request body",
            Section::Response => "response body",
            Section::RecordBatch => "RecordBatch",
            Section::Record => "Record",
            Section::TaggedFields => "tagged_fields",
        }
    }
}

/// What a node is made of; this is what the type column of an object tree shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A whole message or structure with its version.
    Message { version: i16 },
    /// The size prefix and nothing else.
    Frame,
    /// A header with its version.
    Header { version: i16 },
    /// The body of a message: the top-level struct of a definition.
    Body { version: i16 },
    /// A struct type by name; `present` is false for a null one.
    Struct { ty: &'static str, present: bool },
    /// An array of the element type; `len` is `None` for a null one.
    Array { of: &'static str, len: Option<u32> },
    /// The tagged fields of a struct, when there are any.
    TaggedFields { count: u32 },
    /// One tagged field: its tag, size and content.
    TaggedField { tag: u32, known: bool },
    /// A bytes field whose content was decoded as well.
    Content { ty: &'static str, len: usize },
    /// A value without parts, by the name of its type.
    Leaf { ty: &'static str },
}

/// What a value is for, beyond its type. Sinks that take any message pick fields by role, not by
/// field name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// Number of bytes of the frame.
    FrameSize,
    /// Length of an array; `count` elements follow.
    Length { count: u32 },
    /// Number of tagged fields.
    TaggedCount,
    /// An API key.
    ApiKey,
    /// A Kafka error code.
    ErrorCode,
    /// A topic name.
    TopicName,
    /// A topic id.
    TopicId,
    /// The number of a partition of the topic named before it.
    Partition,
    /// The id of a node: a broker, a controller or both.
    BrokerId,
    /// The host that the node named before it listens on.
    Host,
    /// Its port.
    Port,
    /// Milliseconds that a client is held back for exceeding a quota.
    Throttle,
    /// A group id.
    GroupId,
    /// A transactional id.
    TransactionalId,
    /// Bytes that nothing could decode.
    Undecoded,
    /// Bytes that the capture does not hold; what stands in their place is zero.
    NotCaptured,
    /// A field that only says how the next one is encoded (presence, tag, size), or the bytes
    /// that the nodes beside it were decompressed from.
    Encoding,
    /// Length of content that is decoded as well; as many `bytes` follow.
    Size { bytes: u32 },
    /// Record batches and message set entries, one after another.
    Records,
    /// A record batch.
    Batch,
    /// An entry of a message set: a message, or a compressed set of them.
    Message,
    /// A record of a batch.
    Record,
    /// Number of records in a batch.
    RecordsCount,
    /// An offset, written whole or as a distance; `absolute` is the one in the partition.
    Offset { absolute: i64 },
    /// A time, written whole or as a distance; `millis` counts from 1970.
    Timestamp { millis: i64 },
    /// A checksum, and what it is by the bytes; `None` where these are not all there.
    Checksum { computed: Option<u32> },
    /// What a control record marks.
    ControlType,
    /// A key or value that an application wrote.
    Payload,
    /// A password, or what stands for one; outputs hide it unless they are told not to.
    Secret,
    /// Compressed content: the bytes as they are, then what came out of them.
    Compressed,
}

/// The description of a node. Its strings live as long as the program: they come from message
/// definitions, which are never unloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Field name as the definition spells it; for an element of an array, the element type.
    pub name: &'static str,
    /// Position in the array, for an element.
    pub index: Option<u32>,
    /// What the node is made of.
    pub shape: Shape,
    /// What the value is for.
    pub role: Role,
    /// How its value reads.
    pub meaning: Meaning,
    /// The part of the message that it belongs to.
    pub section: Section,
    /// One sentence on the field; empty where there is nothing to say.
    pub about: &'static str,
}
