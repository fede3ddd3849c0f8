//! Raw SASL tokens, as they follow SaslHandshake version 0: a size and bytes, no header.

use super::{Framing, embedded::raw_token};
use crate::{
    event::{Meaning, Node, Role, Section, Shape, Sink, Walker},
    wire::{BufferId, Cursor},
};

/// Decodes a token with its size.
pub fn sasl_token<S: Sink>(framing: Framing<'_>, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let root = Node {
        name: "SaslToken",
        index: None,
        shape: Shape::Struct {
            ty: "raw token",
            present: true,
        },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section: Section::Request,
        about: "raw SASL token, without a Kafka header, as it follows SaslHandshake version 0",
    };
    // A frame that stops short has said so, and what is left is emitted here.
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        walker.around_holes(framing, Section::Request, cursor, |walker, cursor| {
            walker.frame(cursor)?;
            let node = Node {
                name: "token",
                shape: Shape::Leaf { ty: "bytes" },
                about: "what the SASL mechanism says; may hold a password",
                ..root
            };
            raw_token(walker, node, cursor);
            Ok(())
        })
    });
}
