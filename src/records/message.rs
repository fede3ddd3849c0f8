//! Entries of message sets, magic 0 and 1: a message, or a compressed set of messages as one.
//!
//! The value of a compressed message is a message set. Its offsets are absolute for magic 0; for
//! magic 1 (KIP-31) they are relative, and the offset of the message around them is that of the
//! last one.

use super::{
    Attributes, Codec, Part, Payload, TimestampType,
    batch::checksum,
    checksum::Polynomial,
    compressed::Packed,
    header::Field,
    record::{Prefixed, prefixed},
    set::Set,
};
use crate::{
    event::{
        Attributes as Layout, Code, Meaning, Names, Node, Place, Prefix, Role, Section, Severity,
        Shape, Sink, Stop, Value, Walker, n_bytes,
    },
    wire::{BufferId, Cursor, Span},
};

const fn field(name: &'static str, ty: &'static str, about: &'static str) -> Field {
    Field {
        name,
        ty,
        section: Section::RecordBatch,
        meaning: Meaning::Plain,
        about,
    }
}

const OFFSET: Field = field(
    "offset",
    "int64",
    "offset of the message; of the last one for a compressed set",
);
const SIZE: Field = field("message_size", "int32", "number of bytes that follow");
const CRC: Field = field("crc", "uint32", "CRC-32 of everything behind it");
const MAGIC: Field = field("magic", "int8", "version of the format");
const ATTRIBUTES: Field = field("attributes", "int8", "");
const TIMESTAMP: Field = Field {
    meaning: Meaning::Time(Names::Absent),
    ..field("timestamp", "int64", "time in ms since 1970, -1 for none")
};
const KEY: Field = Field {
    section: Section::Record,
    ..field("key", "bytes", "key of the message, null for none")
};
const VALUE: Field = Field {
    section: Section::Record,
    ..field(
        "value",
        "bytes",
        "value of the message, null for a tombstone",
    )
};

/// What a compressed message says of the messages in it.
#[derive(Clone, Copy)]
pub(super) struct Wrapper {
    pub magic: i8,
    /// What is added to the offsets inside; `None` where nothing tells.
    base: Option<i64>,
    /// The time of all messages inside, when the broker set it.
    append_time: Option<i64>,
}

impl<S: Sink> Set<'_, S> {
    /// A message that fills the window; its header only when it `is_whole` not.
    pub(super) fn message(
        &self,
        walker: &mut Walker<'_, S>,
        magic: i8,
        wrapper: Option<Wrapper>,
        is_whole: bool,
        window: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let (bytes, start) = (window.rest(), window.at());
        let base = wrapper.map_or(Some(0), |wrapper| wrapper.base);
        let offset = OFFSET.read(walker, window, Cursor::i64, |stored| {
            let role = match base.map(|base| base.wrapping_add(stored)) {
                Some(absolute) => Role::Offset { absolute },
                None => Role::Plain,
            };
            (role, Value::Int64(stored))
        })?;
        let offset_span = window.since(start);
        let offset = base.map(|base| base.wrapping_add(offset));
        SIZE.read(walker, window, Cursor::i32, |size| {
            (Role::Plain, Value::Int32(size))
        })?;
        checksum(
            walker,
            CRC,
            Polynomial::Crc32,
            is_whole,
            bytes,
            start,
            window,
        )?;
        MAGIC.read(walker, window, Cursor::i8, |magic| {
            (Role::Plain, Value::Int8(magic))
        })?;
        let at = window.at();
        let layout = match magic {
            0 => Layout::Message0,
            _ => Layout::Message1,
        };
        let field = Field {
            meaning: Meaning::Attributes(layout),
            ..ATTRIBUTES
        };
        let attributes = field.read(walker, window, Cursor::i8, |bits| {
            (Role::Plain, Value::Int8(bits))
        })?;
        let attributes = Attributes(i16::from(attributes.cast_unsigned()));
        check_attributes(walker, magic, attributes, window.since(at));
        let mut timestamp = -1;
        if magic == 1 {
            let append_time = wrapper.and_then(|wrapper| wrapper.append_time);
            timestamp = TIMESTAMP.read(walker, window, Cursor::i64, |stored| {
                let millis = append_time.unwrap_or(stored);
                (Role::Timestamp { millis }, Value::Int64(stored))
            })?;
        }
        if !is_whole {
            return Ok(());
        }
        let part = Part {
            payload: Payload::Key,
            is_control: false,
            key: None,
            bytes: &[],
        };
        let key = self.payload(
            walker,
            &KEY.node(Role::Payload),
            Prefix::Int32,
            part,
            window,
        )?;
        if attributes.codec_number() == 0 {
            let part = Part {
                payload: Payload::Value,
                key,
                ..part
            };
            self.payload(
                walker,
                &VALUE.node(Role::Payload),
                Prefix::Int32,
                part,
                window,
            )?;
        } else {
            let codec = attributes.codec().ok_or(Stop)?;
            let wrapper = Wrapper {
                magic,
                base: Some(0),
                append_time: (attributes.timestamp_type() == TimestampType::LogAppendTime)
                    .then_some(timestamp),
            };
            self.wrapped(walker, codec, wrapper, (offset, offset_span), window)?;
        }
        if window.left() > 0 {
            let message = format!(
                "{} in the message behind its value",
                n_bytes(window.left() as u64)
            );
            let span = Span::new(window.buffer(), window.at(), window.end());
            return Err(walker.error(Code::Inconsistent, Place::Here, span, message));
        }
        Ok(())
    }

    /// The value of a compressed message whose own offset is `offset`.
    fn wrapped(
        &self,
        walker: &mut Walker<'_, S>,
        codec: Codec,
        wrapper: Wrapper,
        offset: (Option<i64>, Span),
        window: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = window.at();
        let node = VALUE.node(Role::Plain);
        let Prefixed { stored, content } = prefixed(walker, &node, Prefix::Int32, window)?;
        let span = Span::new(window.buffer(), from, from + 4);
        let Some(mut content) = content else {
            walker.value(&node, Value::Null(Prefix::Int32), span);
            let message = "compressed message without a value".to_owned();
            walker.problem(Severity::Error, Code::Inconsistent, &node, span, message);
            return Ok(());
        };
        let packed = Packed {
            name: VALUE.name,
            inner: Node {
                name: "messages",
                index: None,
                shape: Shape::Content {
                    ty: "MessageSet",
                    len: 0,
                },
                role: Role::Records,
                section: Section::Record,
                meaning: Meaning::Plain,
                about: "",
            },
            prefix: Some((stored, span)),
            codec,
            magic: wrapper.magic,
        };
        self.compressed(walker, packed, &mut content, |walker, inside, is_whole| {
            if walker.is_quiet() {
                inside.finish();
                return Ok(());
            }
            let wrapper = Wrapper {
                base: match wrapper.magic {
                    1 => base(walker, offset, inside, is_whole),
                    _ => Some(0),
                },
                ..wrapper
            };
            let set = Set {
                source: self.source,
                interpreter: self.interpreter,
                before: self.before,
                depth: self.depth + 1,
            };
            set.entries(walker, Some(wrapper), inside);
            Ok(())
        });
        Ok(())
    }
}

/// What the offsets in the set at `inside` lack to be absolute. They count back from the last one,
/// so where that may be lost, nothing tells.
fn base<S: Sink>(
    walker: &mut Walker<'_, S>,
    (offset, span): (Option<i64>, Span),
    inside: &Cursor<'_>,
    is_whole: bool,
) -> Option<i64> {
    let offset = offset?;
    // Some versions of librdkafka produced sets in messages of offset 0.
    if offset == 0 || inside.left() == 0 {
        return Some(0);
    }
    let (last, left) = last_offset(inside);
    let Some(last) = last.filter(|_| is_whole && left == 0) else {
        let message = format!(
            "the offsets inside count back from the last message, which is that of offset {offset} \
             and may be missing: they are unknown"
        );
        walker.problem(
            Severity::Note,
            Code::PartialBatch,
            Place::Here,
            span,
            message,
        );
        return None;
    };
    if offset < last {
        let message = format!(
            "the message has offset {offset}, which is below {last}, the last one inside it"
        );
        let place = Place::Here;
        walker.problem(Severity::Error, Code::Inconsistent, place, span, message);
        return Some(0);
    }
    Some(offset.wrapping_sub(last))
}

/// The offset of the last whole entry of a message set, as it is stored, and how many bytes are left
/// behind it.
fn last_offset(set: &Cursor<'_>) -> (Option<i64>, usize) {
    let mut cursor = Cursor::new(set.rest(), BufferId::FRAME);
    let mut last = None;
    let mut left = cursor.left();
    while let (Ok(offset), Ok(size)) = (cursor.i64(), cursor.i32()) {
        let skipped = usize::try_from(size).map(|size| cursor.take(size));
        if !matches!(skipped, Ok(Ok(_))) {
            break;
        }
        last = Some(offset);
        left = cursor.left();
    }
    (last, left)
}

fn check_attributes<S: Sink>(
    walker: &mut Walker<'_, S>,
    magic: i8,
    attributes: Attributes,
    span: Span,
) {
    let (severity, message) = match (attributes.codec_number(), attributes.codec()) {
        (0, _) => return,
        (number, None) => (
            Severity::Error,
            format!("attributes name codec {number}, which does not exist"),
        ),
        (_, Some(Codec::Zstd)) => (
            Severity::Warning,
            format!("zstd in a message of magic {magic}; it is legal from magic 2 on (KIP-110)"),
        ),
        _ => return,
    };
    let place = Place::Field("attributes");
    walker.problem(severity, Code::Inconsistent, place, span, message);
}
