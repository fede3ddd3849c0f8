//! Tagged fields (KIP-482): a count, then tag, size and content of each.

use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop, Value,
        Walker, n_are, n_bytes,
    },
    schema::FieldPlan,
    wire::{Cursor, Span},
};

/// The number of tagged fields of a struct.
pub(super) static IN_STRUCT: Node = number("number of tagged fields in this struct");

/// The number of tagged fields of a header.
pub(super) static IN_HEADER: Node = number("number of tagged fields in the header");

const fn number(about: &'static str) -> Node {
    Node {
        name: "tagged_fields",
        index: None,
        shape: Shape::Leaf { ty: "uvarint" },
        role: Role::TaggedCount,
        meaning: Meaning::Plain,
        section: Section::TaggedFields,
        about,
    }
}

impl<S: Sink> Walker<'_, S> {
    /// The tagged fields at the end of a struct or header; `number` describes their count.
    pub(super) fn tagged_fields(
        &mut self,
        known: &[(u32, FieldPlan)],
        number: &'static Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let count = cursor
            .uvarint()
            .map_err(|fault| self.fault(fault, number, "uvarint", cursor))?;
        let span = cursor.since(from);
        if count == 0 {
            self.value(number, Value::Uvarint(count), span);
            return Ok(());
        }
        let node = Node {
            shape: Shape::TaggedFields { count },
            role: Role::Plain,
            ..*number
        };
        self.compound_from(&node, from, cursor, |walker, cursor| {
            let value = Value::Uvarint(count);
            walker.encoding(
                "count",
                "uvarint",
                Role::TaggedCount,
                node.section,
                value,
                span,
            );
            let mut lowest = 0;
            for _ in 0..count {
                walker.tagged_field(known, &mut lowest, cursor)?;
            }
            Ok(())
        })
    }

    fn tagged_field(
        &mut self,
        known: &[(u32, FieldPlan)],
        lowest: &mut u32,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let mut ahead = *cursor;
        let tag = ahead
            .uvarint()
            .map_err(|fault| self.fault(fault, Place::Field("tag"), "uvarint", cursor))?;
        let tag_span = ahead.since(from);
        if tag < *lowest {
            let message = format!("tag {tag} follows tag {}; tags must rise", *lowest - 1);
            self.problem(
                Severity::Error,
                Code::TagOrder,
                Place::Field("tag"),
                tag_span,
                message,
            );
        }
        *lowest = (*lowest).max(tag.saturating_add(1));
        let field = known
            .iter()
            .find(|&&(known, _)| known == tag)
            .map(|(_, field)| field);
        let node = Node {
            name: field.map_or("unknown_tag", |field| field.node.name),
            index: None,
            shape: Shape::TaggedField {
                tag,
                known: field.is_some(),
            },
            role: Role::Plain,
            meaning: Meaning::Plain,
            section: Section::TaggedFields,
            about: "",
        };
        self.compound(&node, cursor, |walker, cursor| {
            *cursor = ahead;
            let section = Section::TaggedFields;
            let value = Value::Uvarint(tag);
            walker.encoding("tag", "uvarint", Role::Encoding, section, value, tag_span);
            let from = cursor.at();
            let size = cursor
                .uvarint()
                .map_err(|fault| walker.fault(fault, Place::Field("size"), "uvarint", cursor))?;
            let size_span = cursor.since(from);
            let value = Value::Uvarint(size);
            walker.encoding("size", "uvarint", Role::Encoding, section, value, size_span);
            let mut content = cursor.window(size as usize).map_err(|_| {
                let message = format!(
                    "tagged field {tag} claims {}, {} left",
                    n_bytes(u64::from(size)),
                    n_are(cursor.left())
                );
                let span = Span::new(size_span.buffer, size_span.at, cursor.end());
                walker.error(Code::Short, Place::Field("size"), span, message)
            })?;
            walker.tagged_content(field, &mut content);
            Ok(())
        })
    }

    /// The content is bounded by its size, so what is wrong in it stays in it.
    fn tagged_content(&mut self, field: Option<&FieldPlan>, content: &mut Cursor<'_>) {
        let Some(field) = field else {
            let from = content.at();
            let bytes = content.rest();
            content.finish();
            let node = Node {
                name: "value",
                index: None,
                shape: Shape::Leaf { ty: "bytes" },
                role: Role::Plain,
                meaning: Meaning::Plain,
                section: Section::TaggedFields,
                about: "content of a tag that this version does not define",
            };
            let value = Value::Bytes(bytes, Prefix::None);
            self.value(&node, value, content.since(from));
            return;
        };
        let start = content.at();
        if self.field(field, &field.node, content).is_ok() && content.left() > 0 {
            let span = Span::new(content.buffer(), content.at(), content.end());
            let message = format!(
                "tagged field is {} bytes long, its content takes {}",
                content.end() - start,
                content.at() - start
            );
            self.problem(Severity::Error, Code::TagSize, &field.node, span, message);
        }
        self.undecoded(content, Section::TaggedFields);
    }
}
