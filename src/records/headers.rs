//! The headers of a record: a count, then a name and a value each.

use super::{
    header::compound,
    record::{field, prefixed},
    set::Set,
};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop, Value,
        Walker,
    },
    wire::Cursor,
};

static HEADER_KEY: Node = field("key", "string", "name of the header").node(Role::Plain);
static HEADER_VALUE: Node = field("value", "bytes", "value of the header").node(Role::Payload);

impl<S: Sink> Set<'_, S> {
    /// All headers of a record.
    pub(super) fn headers(
        &self,
        walker: &mut Walker<'_, S>,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let place = Place::Field("headers");
        let stored = cursor
            .varint()
            .map_err(|fault| walker.fault(fault, place, "headers count", cursor))?;
        let count = u32::try_from(stored).unwrap_or(0);
        if stored < 0 {
            // Some write it as the compact arrays of messages are counted; Kafka refuses that.
            let why = match stored {
                -1 => "; 0x01 is 0 only where counts are unsigned and one more",
                _ => "",
            };
            let message = format!("headers count is {stored}, below 0{why}");
            let span = cursor.since(from);
            let stop = walker.error(Code::NegativeLength, place, span, message);
            if stored != -1 {
                cursor.back(from);
                return Err(stop);
            }
        }
        let node = Node {
            name: "headers",
            index: None,
            shape: Shape::Array {
                of: "Header",
                len: Some(count),
            },
            role: Role::Plain,
            section: Section::Record,
            meaning: Meaning::Plain,
            about: "",
        };
        walker.compound_from(&node, from, cursor, |walker, cursor| {
            let span = cursor.since(from);
            let (role, value) = (Role::Length { count }, Value::Varint(stored));
            walker.encoding("length", "varint", role, node.section, value, span);
            // A header takes two bytes at least.
            if count as usize > cursor.left() / 2 {
                let message = format!(
                    "{count} headers are claimed, {} left for them",
                    n_are_bytes(cursor.left())
                );
                let span = cursor.since(from);
                return Err(walker.error(Code::ImpossibleCount, Place::Here, span, message));
            }
            for index in 0..count {
                if self.is_full(walker, "headers", index, cursor) {
                    walker.undecoded(cursor, node.section);
                    break;
                }
                header(walker, index, cursor)?;
            }
            Ok(())
        })
    }
}

fn header<S: Sink>(
    walker: &mut Walker<'_, S>,
    index: u32,
    cursor: &mut Cursor<'_>,
) -> Result<(), Stop> {
    let node = compound("Header", index, Role::Plain, Section::Record, "");
    walker.compound(&node, cursor, |walker, cursor| {
        for (node, is_text) in [(&HEADER_KEY, true), (&HEADER_VALUE, false)] {
            let from = cursor.at();
            let content = prefixed(walker, node, Prefix::Varint, cursor)?.content;
            let value = match content.map(|content| content.rest()) {
                Some(text) if is_text => Value::String(text, Prefix::Varint),
                Some(bytes) => Value::Bytes(bytes, Prefix::Varint),
                None => Value::Null(Prefix::Varint),
            };
            walker.value(node, value, cursor.since(from));
            let span = cursor.since(from);
            match value {
                Value::Null(_) if is_text => {
                    let message = "the key of a header is null".to_owned();
                    walker.problem(Severity::Error, Code::UnexpectedNull, node, span, message);
                }
                Value::String(text, _) if std::str::from_utf8(text).is_err() => {
                    let message = "the key of a header is not UTF-8".to_owned();
                    walker.problem(Severity::Warning, Code::InvalidUtf8, node, span, message);
                }
                _ => {}
            }
        }
        Ok(())
    })
}

fn n_are_bytes(n: usize) -> String {
    match n {
        0 => "no bytes are".to_owned(),
        1 => "1 byte is".to_owned(),
        n => format!("{n} bytes are"),
    }
}
