//! Fields of record batches, and control records in them.

use super::field::int32_or_compact;
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop, Value,
        Walker, n_are,
    },
    records::{ControlType, Interpreter, Part, Payload, Reader, Source, are_records},
    schema::{Catalogue, Direction, FieldPlan, Plan},
    wire::{BufferId, Cursor, Span},
};

/// Decodes `bytes` as record batches and message set entries one after another, as a segment of a
/// log holds them. What they are like is not asked: somebody has said that they are.
pub fn log<S: Sink>(bytes: &[u8], sink: &mut S) {
    read(Source::Log, bytes, sink);
}

/// Decodes `bytes`, the content of a field of records in a produce request or a fetch response,
/// by themselves; nothing where they are no records.
pub fn record_set<S: Sink>(direction: Direction, bytes: &[u8], sink: &mut S) {
    if are_records(bytes) {
        let source = match direction {
            Direction::Request => Source::Produce,
            Direction::Response => Source::Fetch,
        };
        read(source, bytes, sink);
    }
}

fn read<S: Sink>(source: Source, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let node = Node {
        name: "records",
        index: None,
        shape: Shape::Content {
            ty: "records",
            len: bytes.len(),
        },
        role: Role::Records,
        section: Section::RecordBatch,
        meaning: Meaning::Plain,
        about: "",
    };
    let _ = walker.compound(node, &mut cursor, |walker, cursor| {
        Reader::new(source, &Markers).read(walker, cursor);
        Ok(())
    });
}

impl<S: Sink> Walker<'_, S> {
    /// A field of records. Bytes that are none stay one value.
    pub(super) fn records(
        &mut self,
        plan: &FieldPlan,
        node: Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let prefix = int32_or_compact(plan);
        let mut ahead = *cursor;
        let Some(length) = self.length(plan, &node, prefix, &mut ahead)? else {
            *cursor = ahead;
            self.value(node, Value::Null(prefix), cursor.since(from));
            return Ok(());
        };
        let length_span = ahead.since(from);
        let mut content = ahead;
        let bytes = self.content(&node, from, length, &mut ahead)?;
        *cursor = ahead;
        if self.is_quiet() {
            return Ok(());
        }
        if !bytes.is_empty() && !are_records(bytes) {
            self.value(node, Value::Bytes(bytes, prefix), cursor.since(from));
            return Ok(());
        }
        // The same bytes again; they are known to be there.
        let mut content = content.window(length).map_err(|_| Stop)?;
        let source = match node.section {
            Section::Request => Source::Produce,
            _ => Source::Fetch,
        };
        let compound = Node {
            shape: Shape::Content {
                ty: "records",
                len: length,
            },
            role: Role::Records,
            ..node
        };
        self.compound_from(compound, from, &mut content, |walker, content| {
            let stored = u32::try_from(length).unwrap_or(u32::MAX);
            let (ty, value) = match prefix {
                Prefix::Compact => ("uvarint", Value::Uvarint(stored.wrapping_add(1))),
                _ => ("int32", Value::Int32(stored.cast_signed())),
            };
            let role = Role::Size { bytes: stored };
            walker.encoding("length", ty, role, node.section, value, length_span);
            Reader::new(source, &Markers).read(walker, content);
            Ok(())
        })
    }
}

/// Knows the values of control records.
struct Markers;

impl Markers {
    /// The definition of a value, in the version that its first two bytes say; and whether these
    /// stand before the structure or are its first field.
    fn plan(part: &Part<'_>) -> Option<(&'static Plan, bool)> {
        if part.payload != Payload::Value {
            return None;
        }
        let (name, is_prefixed) = match part.control_type()? {
            ControlType(0 | 1) => ("EndTxnMarker", true),
            ControlType(2) => ("LeaderChangeMessage", false),
            ControlType(3) => ("SnapshotHeaderRecord", false),
            ControlType(4) => ("SnapshotFooterRecord", false),
            ControlType(5) => ("KRaftVersionRecord", false),
            ControlType(6) => ("VotersRecord", false),
            ControlType(_) => return None,
        };
        let version = i16::from_be_bytes(*part.bytes.first_chunk()?);
        let plan = Catalogue::embedded().plan(name, version)?;
        Some((plan, is_prefixed))
    }
}

impl<S: Sink> Interpreter<S> for Markers {
    fn claims(&self, part: &Part<'_>) -> Option<&'static str> {
        Markers::plan(part).map(|(plan, _)| plan.name)
    }

    fn read(&self, part: &Part<'_>, walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
        let Some((plan, is_prefixed)) = Markers::plan(part) else {
            return;
        };
        if is_prefixed {
            let from = cursor.at();
            let Ok(version) = cursor.i16() else { return };
            let node = Node {
                name: "version",
                index: None,
                shape: Shape::Leaf { ty: "int16" },
                role: Role::Plain,
                section: Section::Record,
                meaning: Meaning::Plain,
                about: "version of the structure that follows",
            };
            walker.value(node, Value::Int16(version), cursor.since(from));
        }
        if walker.structure(&plan.body, cursor).is_ok() && cursor.left() > 0 {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
            let message = format!("{} left over behind the last field", n_are(cursor.left()));
            walker.problem(
                Severity::Error,
                Code::TrailingBytes,
                Place::Here,
                span,
                message,
            );
        }
    }
}
