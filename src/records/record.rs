//! Records of magic 2, and what keys and values have in common in all formats.

use super::{
    ControlType, TimestampType,
    batch::Batch,
    control,
    header::{Field, compound},
    set::{Set, Source},
};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop, Value,
        Walker, n_are, n_bytes,
    },
    wire::{Cursor, Fault, Span},
};

/// Which of the two parts of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    Key,
    Value,
}

/// A key or value, and what is known of its record when it is read.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub payload: Payload,
    /// Whether the batch holds control records.
    pub is_control: bool,
    /// The key, once the value is read.
    pub key: Option<&'a [u8]>,
    pub bytes: &'a [u8],
}

impl Part<'_> {
    /// What a control record marks, as its key says; `None` for other records.
    pub fn control_type(&self) -> Option<ControlType> {
        let key = self.key.filter(|_| self.is_control)?;
        ControlType::of_key(key)
    }

    /// Whether it is the key of a control record, in full.
    fn is_marker(&self) -> bool {
        self.is_control && self.payload == Payload::Key && self.bytes.len() >= control::KEY_LEN
    }
}

/// What somebody who knows keys and values says of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holding {
    /// Nothing that is known.
    Bytes,
    /// Bytes, although something else was to be expected; the text says why.
    Doubtful(String),
    /// A structure of that name.
    Structure(&'static str),
}

/// Knows what keys and values hold. The layers above have the definitions and know the topic.
pub trait Interpreter<S> {
    /// What `part` is.
    fn claims(&self, part: &Part<'_>) -> Holding;

    /// Decodes a part that it has claimed. What it leaves is shown as undecoded.
    fn read(&self, part: &Part<'_>, walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>);
}

/// Leaves all keys and values as bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opaque;

impl<S> Interpreter<S> for Opaque {
    fn claims(&self, _: &Part<'_>) -> Holding {
        Holding::Bytes
    }
    fn read(&self, _: &Part<'_>, _: &mut Walker<'_, S>, _: &mut Cursor<'_>) {}
}

pub(super) const fn field(name: &'static str, ty: &'static str, about: &'static str) -> Field {
    Field {
        name,
        ty,
        section: Section::Record,
        meaning: Meaning::Plain,
        about,
    }
}

const TIMESTAMP: Field = field("timestamp_delta", "varlong", "distance from base_timestamp");
const OFFSET: Field = field("offset_delta", "varint", "distance from base_offset");

// What is the same for every record is made once.
static ATTRIBUTES: Node = field("attributes", "int8", "unused").node(Role::Plain);
static KEY: Node = field("key", "bytes", "key of the record, null for none").node(Role::Payload);
static VALUE: Node = field(
    "value",
    "bytes",
    "value of the record, null for a tombstone",
)
.node(Role::Payload);

/// What a batch compares with its header.
#[derive(Clone, Copy)]
pub(super) struct Record {
    /// Of this record, or before it is read of the one before.
    pub offset_delta: Option<i32>,
    /// Whether this and all records before it have the offsets that they should; only the first
    /// that has not is told.
    pub is_in_order: bool,
    pub timestamp: Option<i64>,
    /// Whether its content takes just the length that it claims.
    pub is_whole: bool,
}

/// A length and the bytes that it counts.
pub(super) struct Prefixed<'a> {
    pub stored: i32,
    /// `None` for null.
    pub content: Option<Cursor<'a>>,
}

impl<S: Sink> Set<'_, S> {
    /// One record behind `before`. Stops when its length cannot be right.
    pub(super) fn record(
        &self,
        walker: &mut Walker<'_, S>,
        batch: &Batch,
        (index, before): (u32, Record),
        cursor: &mut Cursor<'_>,
    ) -> Result<Record, Stop> {
        let from = cursor.at();
        let node = compound("Record", index, Role::Record, Section::Record, "");
        let Prefixed { stored, content } = prefixed(walker, &node, Prefix::Varint, cursor)?;
        let Some(mut window) = content else {
            let message = "Record length is -1, which no record has".to_owned();
            let span = cursor.since(from);
            cursor.back(from);
            return Err(walker.error(Code::NegativeLength, &node, span, message));
        };
        let mut record = Record {
            timestamp: None,
            is_whole: true,
            ..before
        };
        let result = walker.compound_from(&node, from, &mut window, |walker, window| {
            let value = Value::Varint(stored);
            let role = Role::Size {
                bytes: stored.unsigned_abs(),
            };
            let length = window.since(from);
            walker.encoding("length", "varint", role, node.section, value, length);
            let result = self.fields(walker, batch, &mut record, window);
            if result.is_ok() && window.left() > 0 {
                let message = format!(
                    "record length is {stored}, its content takes {}",
                    stored as usize - window.left()
                );
                let span = Span::new(window.buffer(), window.at(), window.end());
                walker.problem(
                    Severity::Error,
                    Code::Inconsistent,
                    Place::Field("length"),
                    span,
                    message,
                );
                record.is_whole = false;
            }
            walker.undecoded(window, Section::Record);
            result
        });
        record.is_whole &= result.is_ok();
        Ok(record)
    }

    fn fields(
        &self,
        walker: &mut Walker<'_, S>,
        batch: &Batch,
        record: &mut Record,
        window: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = window.at();
        let bits = window
            .i8()
            .map_err(|fault| walker.fault(fault, &ATTRIBUTES, "int8", window))?;
        walker.value(&ATTRIBUTES, Value::Int8(bits), window.since(from));
        let timestamp = |delta| match batch.attributes.timestamp_type() {
            TimestampType::LogAppendTime => batch.max_timestamp,
            TimestampType::CreateTime => batch.base_timestamp.wrapping_add(delta),
        };
        let delta = leaf(walker, TIMESTAMP, window, Cursor::varlong, |delta| {
            let millis = timestamp(delta);
            (Role::Timestamp { millis }, Value::Varlong(delta))
        })?;
        record.timestamp = Some(timestamp(delta));
        let from = window.at();
        let delta = leaf(walker, OFFSET, window, Cursor::varint, |delta| {
            let absolute = batch.base_offset.wrapping_add(delta.into());
            (Role::Offset { absolute }, Value::Varint(delta))
        })?;
        let before = record.offset_delta;
        let least = before.map_or(0, |before| before.saturating_add(1));
        let is_right = match self.source {
            Source::Produce => delta == least,
            Source::Fetch | Source::Log => delta >= least,
        };
        if record.is_in_order && !is_right {
            record.is_in_order = false;
            let message = self.disorder(before, delta);
            let place = Place::Field(OFFSET.name);
            let span = window.since(from);
            walker.problem(Severity::Error, Code::Inconsistent, place, span, message);
        }
        record.offset_delta = Some(delta);
        let part = Part {
            payload: Payload::Key,
            is_control: batch.attributes.is_control(),
            key: None,
            bytes: &[],
        };
        let key = self.payload(walker, &KEY, Prefix::Varint, part, window)?;
        let part = Part {
            payload: Payload::Value,
            key,
            ..part
        };
        self.payload(walker, &VALUE, Prefix::Varint, part, window)?;
        self.headers(walker, window)
    }

    /// What is wrong with the delta of an offset behind that of the record `before`.
    #[cold]
    fn disorder(&self, before: Option<i32>, delta: i32) -> String {
        match (self.source, before) {
            (Source::Produce, before) => format!(
                "offset_delta is {delta}, {} is due: producers number records without a hole",
                before.map_or(0, |before| before.saturating_add(1))
            ),
            (_, Some(before)) => {
                format!("offset_delta is {delta}, the record before has {before}; they rise")
            }
            (_, None) => format!("offset_delta is {delta}, below 0"),
        }
    }

    /// A key or value, looked into where somebody knows what it holds. Returns its bytes.
    #[inline(always)]
    pub(super) fn payload<'a>(
        &self,
        walker: &mut Walker<'_, S>,
        node: &Node,
        prefix: Prefix,
        part: Part<'_>,
        cursor: &mut Cursor<'a>,
    ) -> Result<Option<&'a [u8]>, Stop> {
        let from = cursor.at();
        let Prefixed { stored, content } = prefixed(walker, node, prefix, cursor)?;
        let Some(content) = content else {
            walker.value(node, Value::Null(prefix), cursor.since(from));
            return Ok(None);
        };
        let bytes = content.rest();
        let part = Part { bytes, ..part };
        let holding = match part.is_marker() {
            true => Holding::Structure(control::KEY),
            false if walker.wants_content() => self.interpreter.claims(&part),
            false => Holding::Bytes,
        };
        if holding == Holding::Bytes {
            walker.value(node, Value::Bytes(bytes, prefix), cursor.since(from));
        } else {
            self.claimed(
                walker,
                node,
                (prefix, stored, from),
                &part,
                holding,
                content,
            );
        }
        Ok(Some(bytes))
    }

    /// A key or value that is not just bytes, behind its length, which starts at `from`.
    #[inline(never)]
    fn claimed(
        &self,
        walker: &mut Walker<'_, S>,
        node: &Node,
        (prefix, stored, from): (Prefix, i32, usize),
        part: &Part<'_>,
        holding: Holding,
        mut content: Cursor<'_>,
    ) {
        let Holding::Structure(ty) = holding else {
            let span = Span::new(content.buffer(), from, content.end());
            walker.value(node, Value::Bytes(part.bytes, prefix), span);
            if let Holding::Doubtful(why) = holding {
                walker.problem(Severity::Note, Code::Embedded, node, span, why);
            }
            return;
        };
        let shape = Shape::Content {
            ty,
            len: part.bytes.len(),
        };
        let length = content.since(from);
        let node = Node { shape, ..*node };
        let _ = walker.compound_from(&node, from, &mut content, |walker, content| {
            let (ty, value) = match prefix {
                Prefix::Varint => ("varint", Value::Varint(stored)),
                _ => ("int32", Value::Int32(stored)),
            };
            let bytes = stored.unsigned_abs();
            walker.encoding(
                "length",
                ty,
                Role::Size { bytes },
                node.section,
                value,
                length,
            );
            if part.is_marker() {
                control::key(walker, content)?;
            } else {
                walker.within(node.section, |walker| {
                    self.interpreter.read(part, walker, content);
                });
            }
            walker.undecoded(content, node.section);
            Ok(())
        });
    }
}

/// Reads a varint or int32 length and the bytes behind it; does not move when it fails.
// What it gives back is best not put into memory between two fields of each record.
#[inline(always)]
pub(super) fn prefixed<'a, S: Sink>(
    walker: &mut Walker<'_, S>,
    node: &Node,
    prefix: Prefix,
    cursor: &mut Cursor<'a>,
) -> Result<Prefixed<'a>, Stop> {
    let from = cursor.at();
    let read = match prefix {
        Prefix::Varint => cursor.varint(),
        _ => cursor.i32(),
    };
    match read {
        Ok(stored @ 0..) => match cursor.window(stored as usize) {
            Ok(content) => Ok(Prefixed {
                stored,
                content: Some(content),
            }),
            Err(_) => Err(short(walker, node, stored, from, cursor)),
        },
        Ok(stored @ -1) => Ok(Prefixed {
            stored,
            content: None,
        }),
        read => Err(no_length(walker, node, prefix, read, from, cursor)),
    }
}

/// Says that not all of the bytes are there that the length at `from` claims.
#[cold]
fn short<S: Sink>(
    walker: &mut Walker<'_, S>,
    node: &Node,
    stored: i32,
    from: usize,
    cursor: &mut Cursor<'_>,
) -> Stop {
    let message = format!(
        "{} claims {}, {} left",
        node.name,
        n_bytes(u64::from(stored.unsigned_abs())),
        n_are(cursor.left())
    );
    cursor.back(from);
    let span = Span::new(cursor.buffer(), from, cursor.end());
    walker.error(Code::Short, node, span, message)
}

/// Says what is wrong with a length that was read, or not, from `from`.
#[cold]
fn no_length<S: Sink>(
    walker: &mut Walker<'_, S>,
    node: &Node,
    prefix: Prefix,
    read: Result<i32, Fault>,
    from: usize,
    cursor: &mut Cursor<'_>,
) -> Stop {
    match read {
        Err(fault) => {
            let ty = match prefix {
                Prefix::Varint => "varint length",
                _ => "int32 length",
            };
            walker.fault(fault, node, ty, cursor)
        }
        Ok(stored) => {
            let message = format!("{} length is {stored}, below -1", node.name);
            let span = cursor.since(from);
            cursor.back(from);
            walker.error(Code::NegativeLength, node, span, message)
        }
    }
}

/// Reads a field of a record, where a fault is news.
#[inline]
fn leaf<'a, S: Sink, T: Copy>(
    walker: &mut Walker<'_, S>,
    field: Field,
    cursor: &mut Cursor<'a>,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Fault>,
    describe: impl FnOnce(T) -> (Role, Value<'a>),
) -> Result<T, Stop> {
    let from = cursor.at();
    let value = read(cursor)
        .map_err(|fault| walker.fault(fault, Place::Field(field.name), field.ty, cursor))?;
    let (role, described) = describe(value);
    walker.value(&field.node(role), described, cursor.since(from));
    Ok(value)
}
