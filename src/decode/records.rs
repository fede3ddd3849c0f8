//! Fields of record batches, and what their keys and values hold.

use super::{
    embedded::{Found, find},
    field::int32_or_compact,
};
use crate::{
    event::{
        Code, Context, Meaning, Node, Place, Role, Section, Severity, Shape, Sink, Stop, Topic,
        Value, Walker, n_bytes,
    },
    payload::{self, Lead, Reading, Structure},
    records::{
        ControlType, Holding, Interpreter, LOG_OVERHEAD, MAGIC_AT, Part, Payload, Reader, Source,
        all_sound_batches, are_records, sound_batches,
    },
    schema::{Catalogue, Direction, FieldPlan, Inside, Kind, Plan, record_format},
    wire::{BufferId, Cursor, Pieces, Span},
};

/// Decodes `bytes` as record batches and message set entries one after another, as a segment of a
/// log holds them. What they are like is not asked: somebody has said that they are.
pub fn log<S: Sink>(bytes: &[u8], sink: &mut S) {
    read(Source::Log, Topic::Ordinary, bytes, sink);
}

/// Decodes `bytes` as a part of the log of `__cluster_metadata`; nothing where they are no records.
pub fn metadata_log<S: Sink>(bytes: &[u8], sink: &mut S) {
    if are_records(bytes) {
        read(Source::Fetch, Topic::ClusterMetadata, bytes, sink);
    }
}

/// Decodes `bytes`, the content of a field of records in a produce request or a fetch response,
/// by themselves; nothing where they are no records.
pub fn record_set<S: Sink>(direction: Direction, bytes: &[u8], sink: &mut S) {
    if are_records(bytes) {
        read(source(direction), Topic::Ordinary, bytes, sink);
    }
}

/// The same for a sink that skips records and wants to know how many there are and what is wrong.
/// Of sound batches at the front it is told nothing: the number of their records is returned.
pub fn count_records<S: Sink>(direction: Direction, bytes: &[u8], sink: &mut S) -> u32 {
    let (n_records, taken) = sound_batches(bytes);
    match bytes.get(taken..) {
        Some(rest) if taken > 0 && !rest.is_empty() => {
            read(source(direction), Topic::Ordinary, rest, sink);
        }
        Some(_) if taken > 0 => {}
        _ => record_set(direction, bytes, sink),
    }
    n_records
}

/// How many records the batches of a field of records have, which lies in several pieces of a message
/// of `plan`; `None` where there is more to say of them.
pub fn count_records_in_pieces(plan: &Plan, pieces: Pieces<'_>) -> Option<u32> {
    let (n_records, n_batches) = all_sound_batches(pieces)?;
    // Brokers refuse more than one in a request.
    (n_batches <= 1 || only_format(plan).is_none()).then_some(n_records)
}

fn source(direction: Direction) -> Source {
    match direction {
        Direction::Request => Source::Produce,
        Direction::Response => Source::Fetch,
    }
}

fn read<S: Sink>(source: Source, topic: Topic, bytes: &[u8], sink: &mut S) {
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
    let _ = walker.compound(&node, &mut cursor, |walker, cursor| {
        Reader::new(source, &Contents { topic }).read(walker, cursor);
        Ok(())
    });
}

impl<S: Sink> Walker<'_, S> {
    /// A field of records. Bytes that are none stay one value.
    pub(super) fn records(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let prefix = int32_or_compact(plan);
        let Some(length) = self.length(plan, node, prefix, cursor)? else {
            self.value(node, Value::Null(prefix), cursor.since(from));
            return Ok(());
        };
        let length_span = cursor.since(from);
        let mut content = self.content(node, from, length, cursor)?;
        let bytes = content.rest();
        if self.is_quiet() {
            return Ok(());
        }
        if !bytes.is_empty() && !are_records(bytes) {
            let span = cursor.since(from);
            self.value(node, Value::Bytes(bytes, prefix), span);
            if node.section == Section::Response && may_start_a_batch(bytes) {
                let message = format!(
                    "left as bytes: {}, less than the offset and size that a batch starts with; \
                     brokers cut the last one at the size that a fetch asks for",
                    n_bytes(bytes.len() as u64)
                );
                self.problem(Severity::Note, Code::PartialBatch, node, span, message);
            }
            return Ok(());
        }
        let source = match node.section {
            Section::Request => Source::Produce,
            _ => Source::Fetch,
        };
        let topic = match plan.inside {
            Some(Inside::MetadataLog) => Topic::ClusterMetadata,
            _ => self.context().topic,
        };
        let compound = Node {
            shape: Shape::Content {
                ty: "records",
                len: length,
            },
            role: Role::Records,
            ..*node
        };
        self.compound_from(&compound, from, &mut content, |walker, content| {
            walker.content_length(node.section, prefix, length, length_span);
            walker.other_format(content);
            Reader::new(source, &Contents { topic }).read(walker, content);
            Ok(())
        })
    }
}

impl<S: Sink> Walker<'_, S> {
    /// Says that records have a format that the request may not carry, or are more than one batch.
    fn other_format(&mut self, content: &Cursor<'_>) {
        let Some(right) = self.context().records_format else {
            return;
        };
        let (from, len, message) = if let Some(magic) = older_format(right, content.rest()) {
            let message = format!(
                "the records have magic {magic}; brokers refuse all but batches of magic {right} in \
                 this version (KIP-98)"
            );
            (MAGIC_AT, 1, message)
        } else if let Some(second) = second_batch(content.rest()) {
            let message = "a second record batch; brokers refuse all but exactly one a partition in \
                           this version (KIP-98)";
            (second, LOG_OVERHEAD, message.to_owned())
        } else {
            return;
        };
        let at = content.at() + from;
        let span = Span::new(content.buffer(), at, at + len);
        self.problem(
            Severity::Error,
            Code::Inconsistent,
            Place::Here,
            span,
            message,
        );
    }
}

/// The magic of `bytes` if they are records of a format before `right`.
pub(super) fn older_format(right: i8, bytes: &[u8]) -> Option<i8> {
    let magic = bytes.get(MAGIC_AT)?.cast_signed();
    ((0..right).contains(&magic) && are_records(bytes)).then_some(magic)
}

/// Where another batch starts behind a whole one of magic 2.
fn second_batch(bytes: &[u8]) -> Option<usize> {
    if bytes.get(MAGIC_AT) != Some(&2) {
        return None;
    }
    let length = bytes.get(LOG_OVERHEAD - 4..)?.first_chunk().copied()?;
    let end = usize::try_from(i32::from_be_bytes(length))
        .ok()?
        .checked_add(LOG_OVERHEAD)?;
    let rest = bytes.get(end..)?;
    (rest.len() > MAGIC_AT && are_records(rest)).then_some(end)
}

/// The only format that records may have in a request of `plan`; brokers look at it from the version
/// on that brought batches.
pub(super) fn only_format(plan: &Plan) -> Option<i8> {
    let is_request = plan.kind == Kind::Request;
    Some(record_format(plan)).filter(|&format| is_request && format >= 2)
}

/// Whether brokers refuse the records `bytes` in a request of `plan` for their format, or for being
/// more than one batch.
pub fn are_refused(plan: &Plan, bytes: &[u8]) -> bool {
    only_format(plan)
        .is_some_and(|right| older_format(right, bytes).is_some() || second_batch(bytes).is_some())
}

/// Whether `bytes` are so few that a broker may have cut a batch before its size, as far as its
/// offset can tell.
fn may_start_a_batch(bytes: &[u8]) -> bool {
    bytes.len() < LOG_OVERHEAD && bytes.iter().take(2).all(|&byte| byte == 0)
}

/// Knows what keys and values hold: those of control records, and of Kafka's own topics.
struct Contents {
    topic: Topic,
}

impl Contents {
    fn find(&self, part: &Part<'_>) -> Result<Found, Option<String>> {
        let reading = match (part.is_control, part.payload) {
            (true, Payload::Key) => Reading::Opaque,
            (true, Payload::Value) => marker(part),
            (false, Payload::Key) => payload::key(self.topic, part.bytes),
            (false, Payload::Value) => payload::value(self.topic, part.key, part.bytes),
        };
        find(reading, Context::default(), part.bytes)
    }
}

/// The value of a control record, in the version that its first two bytes say. Whether it fits is
/// not asked: its key says what it is.
fn marker(part: &Part<'_>) -> Reading {
    let doubtful = |why: String| Reading::Doubtful(format!("left as bytes: {why}"));
    let Some(ty) = part.control_type() else {
        return doubtful("no key of 4 bytes says what the marker is".to_owned());
    };
    let (name, lead) = match ty {
        ControlType(0 | 1) => ("EndTxnMarker", Lead::VERSION),
        // These have the version as their first field.
        ControlType(2) => ("LeaderChangeMessage", Lead::None),
        ControlType(3) => ("SnapshotHeaderRecord", Lead::None),
        ControlType(4) => ("SnapshotFooterRecord", Lead::None),
        ControlType(5) => ("KRaftVersionRecord", Lead::None),
        ControlType(6) => ("VotersRecord", Lead::None),
        ControlType(ty) => return doubtful(format!("no control record has type {ty}")),
    };
    let Some(version) = part.bytes.first_chunk().copied().map(i16::from_be_bytes) else {
        return doubtful(format!("too short for the version of {name}"));
    };
    match Catalogue::current().plan(name, version) {
        Some(plan) => Reading::Structure(Structure::whole(plan, lead)),
        None => doubtful(format!("{name} has no version {version}")),
    }
}

impl<S: Sink> Interpreter<S> for Contents {
    fn claims(&self, part: &Part<'_>) -> Holding {
        // Nobody knows what is in the topics of users, and this is asked for each of their records.
        if self.topic == Topic::Ordinary && !part.is_control {
            return Holding::Bytes;
        }
        match self.find(part) {
            Ok(found) => Holding::Structure(found.ty()),
            Err(Some(why)) => Holding::Doubtful(why),
            Err(None) => Holding::Bytes,
        }
    }

    fn read(&self, part: &Part<'_>, walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
        if let Ok(found) = self.find(part) {
            let read = walker.inside(|walker| found.read(walker, Section::Record, cursor));
            if part.is_control && read.is_ok() {
                walker.trailing(cursor);
            }
        }
    }
}
