//! Record batches of magic 2 (KIP-98): a header of 61 bytes, then records, compressed or not.

use super::{
    Attributes, Source, TimestampType,
    checksum::{Polynomial, complaint},
    compressed::Packed,
    header::Field,
    limits,
    record::Record,
    set::Set,
};
use crate::{
    event::{
        Attributes as Layout, Code, Meaning, Names, Node, Place, Role, Section, Severity, Shape,
        Sink, Stop, Value, Walker,
    },
    wire::{Cursor, Span},
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

const BASE_OFFSET: Field = field(
    "base_offset",
    "int64",
    "offset that the records' deltas count from; 0 until a broker assigns it",
);
const BATCH_LENGTH: Field = field("batch_length", "int32", "number of bytes that follow");
const LEADER_EPOCH: Field = Field {
    meaning: Meaning::Number(Names::Absent),
    ..field(
        "partition_leader_epoch",
        "int32",
        "epoch of the leader that appended the batch, -1 from producers",
    )
};
const MAGIC: Field = field("magic", "int8", "version of the format");
const CRC: Field = field("crc", "uint32", "CRC-32C of everything behind it");
const ATTRIBUTES: Field = Field {
    meaning: Meaning::Attributes(Layout::Batch),
    ..field("attributes", "int16", "")
};
const LAST_OFFSET_DELTA: Field = field(
    "last_offset_delta",
    "int32",
    "distance of the last record's offset from the base offset",
);
const BASE_TIMESTAMP: Field = Field {
    meaning: Meaning::Time(Names::Absent),
    ..field(
        "base_timestamp",
        "int64",
        "time that the records' deltas count from, in ms since 1970",
    )
};
const DELETE_HORIZON: Field = Field {
    meaning: Meaning::Time(Names::Absent),
    ..field(
        "base_timestamp",
        "int64",
        "time from which tombstones may be deleted; the records' deltas count from it",
    )
};
const MAX_TIMESTAMP: Field = Field {
    meaning: Meaning::Time(Names::Absent),
    ..field(
        "max_timestamp",
        "int64",
        "latest time of a record; the time of all with log-append time",
    )
};
const PRODUCER_ID: Field = Field {
    meaning: Meaning::Number(Names::Absent),
    ..field(
        "producer_id",
        "int64",
        "id of an idempotent or transactional producer, -1 for none",
    )
};
const PRODUCER_EPOCH: Field = Field {
    meaning: Meaning::Number(Names::Absent),
    ..field(
        "producer_epoch",
        "int16",
        "epoch that fences older producers of the same id, -1 for none",
    )
};
const BASE_SEQUENCE: Field = Field {
    meaning: Meaning::Number(Names::Absent),
    ..field(
        "base_sequence",
        "int32",
        "sequence number of the first record, by which repeats are found, -1 for none",
    )
};
const RECORDS_COUNT: Field = field("records_count", "int32", "number of records in the batch");

/// What the header says that its records need.
pub(super) struct Batch {
    pub base_offset: i64,
    pub attributes: Attributes,
    pub base_timestamp: i64,
    pub max_timestamp: i64,
    last_offset_delta: (i32, Span),
    max_timestamp_span: Span,
    count: (i32, Span),
}

/// What was found in the records.
#[derive(Default)]
struct Tally {
    found: u32,
    last_offset_delta: Option<i32>,
    max_timestamp: Option<i64>,
    /// Whether the offsets rise from record to record.
    is_in_order: bool,
    /// Whether all records were read to their end.
    is_whole: bool,
}

impl<S: Sink> Set<'_, S> {
    /// A batch that fills the window; its header only when it `is_whole` not.
    pub(super) fn batch(
        &self,
        walker: &mut Walker<'_, S>,
        is_whole: bool,
        window: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let batch = self.header(walker, is_whole, window)?;
        if !is_whole {
            return Ok(());
        }
        let array = Node {
            name: "records",
            index: None,
            shape: Shape::Array {
                of: "Record",
                len: Some(u32::try_from(batch.count.0).unwrap_or(0)),
            },
            role: Role::Plain,
            section: Section::Record,
            meaning: Meaning::Plain,
            about: "",
        };
        let mut tally = Tally::default();
        match (batch.attributes.codec_number(), batch.attributes.codec()) {
            (0, _) => {
                let _ = walker.compound(&array, window, |walker, cursor| {
                    self.batch_records(walker, &batch, &mut tally, cursor)
                });
            }
            (_, Some(codec)) => {
                let packed = Packed {
                    name: "records",
                    inner: array,
                    prefix: None,
                    codec,
                    magic: 2,
                };
                self.compressed(walker, packed, window, |walker, cursor, _| {
                    self.batch_records(walker, &batch, &mut tally, cursor)
                });
            }
            // The header has said that there is no such codec.
            (_, None) => return Err(Stop),
        }
        if tally.is_whole {
            self.compare(walker, &batch, &tally);
        }
        Ok(())
    }

    fn header(
        &self,
        walker: &mut Walker<'_, S>,
        is_whole: bool,
        window: &mut Cursor<'_>,
    ) -> Result<Batch, Stop> {
        let bytes = window.rest();
        let start = window.at();
        let plain = |value| (Role::Plain, Value::Int32(value));
        let millis = |millis| (Role::Timestamp { millis }, Value::Int64(millis));
        let base_offset = BASE_OFFSET.read(walker, window, Cursor::i64, |absolute| {
            (Role::Offset { absolute }, Value::Int64(absolute))
        })?;
        BATCH_LENGTH.read(walker, window, Cursor::i32, plain)?;
        LEADER_EPOCH.read(walker, window, Cursor::i32, plain)?;
        MAGIC.read(walker, window, Cursor::i8, |magic| {
            (Role::Plain, Value::Int8(magic))
        })?;
        checksum(
            walker,
            CRC,
            Polynomial::Crc32c,
            is_whole,
            bytes,
            start,
            window,
        )?;
        let at = window.at();
        let attributes = ATTRIBUTES.read(walker, window, Cursor::i16, |bits| {
            (Role::Plain, Value::Int16(bits))
        })?;
        let attributes = Attributes(attributes);
        check_attributes(walker, attributes, window.since(at));
        let at = window.at();
        let last_offset_delta = LAST_OFFSET_DELTA.read(walker, window, Cursor::i32, |delta| {
            let absolute = base_offset.wrapping_add(delta.into());
            (Role::Offset { absolute }, Value::Int32(delta))
        })?;
        let last_offset_delta = (last_offset_delta, window.since(at));
        let base = match attributes.has_delete_horizon() {
            true => DELETE_HORIZON,
            false => BASE_TIMESTAMP,
        };
        let base_timestamp = base.read(walker, window, Cursor::i64, millis)?;
        let at = window.at();
        let max_timestamp = MAX_TIMESTAMP.read(walker, window, Cursor::i64, millis)?;
        let max_timestamp_span = window.since(at);
        PRODUCER_ID.read(walker, window, Cursor::i64, |id| {
            (Role::Plain, Value::Int64(id))
        })?;
        PRODUCER_EPOCH.read(walker, window, Cursor::i16, |epoch| {
            (Role::Plain, Value::Int16(epoch))
        })?;
        BASE_SEQUENCE.read(walker, window, Cursor::i32, plain)?;
        let at = window.at();
        let count = RECORDS_COUNT.read(walker, window, Cursor::i32, |count| {
            (Role::RecordsCount, Value::Int32(count))
        })?;
        Ok(Batch {
            base_offset,
            attributes,
            base_timestamp,
            max_timestamp,
            last_offset_delta,
            max_timestamp_span,
            count: (count, window.since(at)),
        })
    }

    /// The records of a batch: all that are there, however many the header claims.
    fn batch_records(
        &self,
        walker: &mut Walker<'_, S>,
        batch: &Batch,
        tally: &mut Tally,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        if walker.is_quiet() {
            cursor.finish();
            return Ok(());
        }
        tally.is_whole = true;
        tally.is_in_order = true;
        let mut broken = 0;
        for index in 0.. {
            if cursor.left() == 0 {
                break;
            }
            if self.is_full(walker, "records", index, cursor) {
                tally.is_whole = false;
                break;
            }
            if broken == limits::BROKEN {
                let message = format!(
                    "records from number {index} on are not shown: {broken} before them are broken"
                );
                let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
                walker.problem(Severity::Warning, Code::Bound, Place::Here, span, message);
                break;
            }
            let before = Record {
                offset_delta: tally.last_offset_delta,
                is_in_order: tally.is_in_order && tally.is_whole,
                timestamp: None,
                is_whole: true,
            };
            match self.record(walker, batch, (index, before), cursor) {
                Ok(record) => {
                    tally.found += 1;
                    tally.is_in_order = record.is_in_order;
                    tally.last_offset_delta = record.offset_delta;
                    tally.max_timestamp = tally.max_timestamp.max(record.timestamp);
                    tally.is_whole &= record.is_whole;
                    broken += u32::from(!record.is_whole);
                }
                Err(Stop) => {
                    tally.is_whole = false;
                    break;
                }
            }
        }
        walker.undecoded(cursor, Section::Record);
        Ok(())
    }

    /// Compares what the header says of the records with what they are.
    fn compare(&self, walker: &mut Walker<'_, S>, batch: &Batch, tally: &Tally) {
        let mut complain = |severity, name, span, message| {
            walker.problem(
                severity,
                Code::Inconsistent,
                Place::Field(name),
                span,
                message,
            );
        };
        let (count, span) = batch.count;
        if i64::from(count) != i64::from(tally.found) {
            let message = format!("records_count is {count}, {} found", n_records(tally.found));
            complain(Severity::Error, "records_count", span, message);
        }
        let (delta, span) = batch.last_offset_delta;
        let last = tally.last_offset_delta.unwrap_or(delta);
        if batch.base_offset.checked_add(last.into()).is_none() {
            let message = format!(
                "the last record's offset, {} and {last}, is more than 64 bits can hold",
                batch.base_offset
            );
            complain(Severity::Error, "last_offset_delta", span, message);
        }
        if let Some(last) = tally.last_offset_delta.filter(|&last| last != delta) {
            let message = format!("last_offset_delta is {delta}, the last record has {last}");
            // Compaction removes records and leaves the range of offsets as it was.
            let (severity, why) = match (self.source, delta > last) {
                (Source::Produce, _) | (_, false) => (Severity::Error, ""),
                _ => (
                    Severity::Note,
                    "; compaction may have removed what followed",
                ),
            };
            complain(severity, "last_offset_delta", span, message + why);
        }
        let stored = batch.max_timestamp;
        if batch.attributes.timestamp_type() == TimestampType::CreateTime
            && let Some(latest) = tally.max_timestamp.filter(|&latest| latest != stored)
        {
            let message = format!("max_timestamp is {stored}, the latest record has {latest}");
            complain(
                Severity::Warning,
                "max_timestamp",
                batch.max_timestamp_span,
                message,
            );
        }
    }
}

/// Reads a checksum over all of `bytes`, which start at `start`, behind itself.
pub(super) fn checksum<S: Sink>(
    walker: &mut Walker<'_, S>,
    field: Field,
    polynomial: Polynomial,
    is_whole: bool,
    bytes: &[u8],
    start: usize,
    window: &mut Cursor<'_>,
) -> Result<(), Stop> {
    let at = window.at();
    let covered = (at + 4).saturating_sub(start);
    let computed = is_whole.then(|| polynomial.of(bytes.get(covered..).unwrap_or_default()));
    let stored = field.read(walker, window, Cursor::u32, |stored| {
        (Role::Checksum { computed }, Value::Uint32(stored))
    })?;
    if let Some(computed) = computed.filter(|&computed| computed != stored) {
        let message = complaint(polynomial, stored, computed, bytes, covered);
        walker.problem(
            Severity::Error,
            Code::Checksum,
            Place::Field(field.name),
            window.since(at),
            message,
        );
    }
    Ok(())
}

fn check_attributes<S: Sink>(walker: &mut Walker<'_, S>, attributes: Attributes, span: Span) {
    let place = Place::Field("attributes");
    if attributes.codec_number() != 0 && attributes.codec().is_none() {
        let message = format!(
            "attributes name codec {}, which does not exist",
            attributes.codec_number()
        );
        walker.problem(Severity::Error, Code::Inconsistent, place, span, message);
    }
    if attributes.unknown() != 0 {
        let message = format!(
            "attributes have bits without a meaning: 0x{:04x}",
            attributes.unknown()
        );
        walker.problem(Severity::Warning, Code::Inconsistent, place, span, message);
    }
}

fn n_records(n: u32) -> String {
    match n {
        1 => "1 record".to_owned(),
        n => format!("{n} records"),
    }
}
