//! A body or data structure by itself, without frame and header.

use crate::{
    event::{Code, Meaning, Node, Place, Role, Section, Shape, Sink, Stop, Walker, bytes_are},
    payload::Lead,
    schema::Plan,
    wire::{BufferId, Cursor, Span},
};

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
