//! A body or data structure by itself, without frame and header.

use crate::{
    event::{
        Code, Meaning, Node, Place, Role, Section, Shape, Sink, Stop, Value, Walker, bytes_are,
    },
    schema::Plan,
    wire::{BufferId, Cursor, Span},
};

/// The number that some structures are stored behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// None: the bytes start with the first field.
    None,
    /// An int16 that names the version (values of coordinator records, consumer protocol) or the
    /// record type (keys of coordinator records).
    Int16 {
        name: &'static str,
        about: &'static str,
    },
}

/// Decodes `bytes` as one structure.
pub fn structure<S: Sink>(plan: &'static Plan, lead: Lead, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let section = match plan.kind {
        crate::schema::Kind::Request => Section::Request,
        _ => Section::Response,
    };
    let body = Node {
        name: plan.name,
        index: None,
        shape: Shape::Body {
            version: plan.version,
        },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section,
        about: "",
    };
    let content = |walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>| -> Result<(), Stop> {
        let read = walker.structure(&plan.body, cursor);
        if read.is_ok() && cursor.left() > 0 {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
            let message = format!(
                "{} left over behind the last field",
                bytes_are(cursor.left())
            );
            let _ = walker.error(Code::TrailingBytes, Place::Here, span, message);
        }
        walker.undecoded(cursor, section);
        read
    };
    let Lead::Int16 { name, about } = lead else {
        let _ = walker.compound(body, &mut cursor, content);
        return;
    };
    let root = Node {
        shape: Shape::Message {
            version: plan.version,
        },
        ..body
    };
    let _ = walker.compound(root, &mut cursor, |walker, cursor| {
        let from = cursor.at();
        let number = cursor
            .i16()
            .map_err(|fault| walker.fault(fault, Place::Field(name), "int16", cursor))?;
        let node = Node {
            name,
            shape: Shape::Leaf { ty: "int16" },
            section: Section::Header,
            about,
            ..body
        };
        walker.value(node, Value::Int16(number), cursor.since(from));
        walker.compound(body, cursor, content)
    });
}
