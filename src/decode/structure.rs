//! A body or data structure by itself, without frame and header.

use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Shape, Sink, Stop, Value, Walker,
        bytes_are,
    },
    payload::Lead,
    schema::Plan,
    wire::{BufferId, Cursor, Span},
};

/// Decodes `bytes` from byte `at` on as one structure; those before it are a value of their own.
pub fn structure_from<S: Sink>(plan: &'static Plan, at: usize, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let section = section(plan);
    let body = body(plan, section);
    let root = Node {
        shape: Shape::Message {
            version: plan.version,
        },
        ..body
    };
    let before = Node {
        name: "before",
        shape: Shape::Leaf { ty: "bytes" },
        role: Role::Undecoded,
        section: Section::Frame,
        about: "bytes in front of the structure",
        ..body
    };
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        let from = cursor.at();
        if let Ok(skipped) = cursor.take(at.min(bytes.len())) {
            walker.value(
                &before,
                Value::Bytes(skipped, Prefix::None),
                cursor.since(from),
            );
        }
        walker.compound(&body, cursor, |walker, cursor| {
            whole(plan, section, walker, cursor)
        })
    });
}

/// Reads a structure that is to be all that is left.
fn whole<S: Sink>(
    plan: &'static Plan,
    section: Section,
    walker: &mut Walker<'_, S>,
    cursor: &mut Cursor<'_>,
) -> Result<(), Stop> {
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
}

fn section(plan: &Plan) -> Section {
    match plan.kind {
        crate::schema::Kind::Request => Section::Request,
        _ => Section::Response,
    }
}

pub(super) fn body(plan: &'static Plan, section: Section) -> Node {
    Node {
        name: plan.name,
        index: None,
        shape: Shape::Body {
            version: plan.version,
        },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section,
        about: "",
    }
}

/// Decodes `bytes` as one structure.
pub fn structure<S: Sink>(plan: &'static Plan, lead: Lead, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let section = section(plan);
    let body = body(plan, section);
    let content =
        |walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>| whole(plan, section, walker, cursor);
    if lead == Lead::None {
        let _ = walker.compound(&body, &mut cursor, content);
        return;
    }
    let root = Node {
        shape: Shape::Message {
            version: plan.version,
        },
        ..body
    };
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        walker.lead(lead, Section::Header, cursor)?;
        walker.compound(&body, cursor, content)
    });
}
