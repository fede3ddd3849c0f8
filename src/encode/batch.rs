//! Record batches of magic 2 from JSON.
//!
//! Offsets and times become distances again. What is not said is what a producer would write; what
//! is said is kept, right or wrong.

use serde_json::{Map, Value as Json};

use super::{
    EncodeError, Writer,
    entry::{Claims, Made, packed},
    trail::Trail,
};
use crate::records::{Attributes, Polynomial, TimestampType};

const BATCH: &[&str] = &[
    "base_offset",
    "batch_length",
    "partition_leader_epoch",
    "magic",
    "crc",
    "computed_crc",
    "attributes",
    "last_offset_delta",
    "base_timestamp",
    "max_timestamp",
    "producer_id",
    "producer_epoch",
    "base_sequence",
    "records_count",
    "records",
];
const RECORD: &[&str] = &[
    "offset",
    "timestamp",
    "timestamp_delta",
    "attributes",
    "key",
    "control",
    "value",
    "headers",
    "headers_count",
];
const HEADER: &[&str] = &["key", "value"];

/// The bit of the batch's attributes that says that its records are markers.
const CONTROL: i16 = 1 << 5;

/// Bytes behind the length field and in front of the checksum: leader epoch and magic.
const BEFORE_CRC: usize = 4 + 1;

/// One batch.
pub(super) fn batch(
    trail: &mut Trail,
    json: &Json,
    writer: &mut Writer,
) -> Result<(), EncodeError> {
    let object = trail.object(json, "a batch", BATCH)?;
    check_whole(trail, object)?;
    let items = match object.get("records") {
        Some(Json::String(_)) => None,
        _ => Some(trail.items(object, "records", "an array of records, or hex,")?),
    };
    let records = read_records(trail, items.unwrap_or_default())?;
    let explicit = trail.member(object, "attributes", i16::MIN.into(), i16::MAX.into())?;
    let has_markers = records.iter().any(|record| record.is_marker);
    let bits = explicit.unwrap_or(if has_markers { CONTROL } else { 0 });
    let attributes = Attributes(bits);
    let frame = Frame::of(trail, object, attributes, &records)?;
    let (content, last_delta) = frame.records(trail, &records)?;
    let (content, made) = match items {
        // What could not be decompressed stands as it was.
        None => (
            trail.bytes(object, "records")?.unwrap_or_default(),
            Made::Exactly,
        ),
        Some(_) if attributes.codec_number() != 0 && attributes.codec().is_none() => {
            let found = attributes.codec_number().into();
            return Err(trail.wrong_member("attributes", "a codec from 0 to 4", &found));
        }
        Some(_) => packed(trail, attributes.codec(), content)?,
    };
    let count = i32::try_from(records.len()).unwrap_or(i32::MAX);
    let fields = Fields::of(trail, object, last_delta, count)?;
    let mut covered = Writer::default();
    covered.i16(bits);
    covered.i32(fields.last_delta);
    covered.i64(frame.base_timestamp);
    covered.i64(frame.max_timestamp);
    covered.i64(fields.producer);
    covered.i16(fields.producer_epoch);
    covered.i32(fields.sequence);
    covered.i32(fields.count);
    covered.raw(&content);
    let covered = covered.into_bytes();
    let size = BEFORE_CRC + size_of::<u32>() + covered.len();
    let computed = Claims {
        size: i32::try_from(size).unwrap_or(i32::MAX),
        crc: Polynomial::Crc32c.of(&covered),
    };
    let claims = Claims::of(trail, object, "batch_length", made, computed)?;
    writer.i64(frame.base_offset);
    writer.i32(claims.size);
    writer.i32(fields.leader_epoch);
    writer.i8(2);
    writer.i32(claims.crc.cast_signed());
    writer.raw(&covered);
    Ok(())
}

/// Fields of the header that nothing follows from.
struct Fields {
    leader_epoch: i32,
    last_delta: i32,
    producer: i64,
    producer_epoch: i16,
    sequence: i32,
    count: i32,
}

impl Fields {
    /// As the batch has them; the last delta and the count are else those of the records.
    fn of(
        trail: &mut Trail,
        object: &Map<String, Json>,
        last_delta: i32,
        count: i32,
    ) -> Result<Fields, EncodeError> {
        let mut int32 = |name, default| -> Result<i32, EncodeError> {
            let given = trail.member(object, name, i32::MIN.into(), i32::MAX.into())?;
            Ok(given.unwrap_or(default))
        };
        let leader_epoch = int32("partition_leader_epoch", -1)?;
        let last_delta = int32("last_offset_delta", last_delta)?;
        let sequence = int32("base_sequence", -1)?;
        let count = int32("records_count", count)?;
        let producer = trail.member(object, "producer_id", i64::MIN, i64::MAX)?;
        let producer_epoch =
            trail.member(object, "producer_epoch", i16::MIN.into(), i16::MAX.into())?;
        Ok(Fields {
            leader_epoch,
            last_delta,
            producer: producer.unwrap_or(-1),
            producer_epoch: producer_epoch.unwrap_or(-1),
            sequence,
            count,
        })
    }
}

/// Refuses what decoding says of a batch that was cut inside its header: nothing tells where.
fn check_whole(trail: &Trail, object: &Map<String, Json>) -> Result<(), EncodeError> {
    let is_cut = object.contains_key("batch_length")
        && !object.contains_key("records_count")
        && !object.contains_key("records");
    match is_cut {
        true => Err(trail.wrong_member(
            "records",
            "an array of records, or no batch_length,",
            &"a batch that was cut".into(),
        )),
        false => Ok(()),
    }
}

/// Key and value of a header.
type Header = (Option<Vec<u8>>, Option<Vec<u8>>);

/// A record as the values tell it.
struct Record {
    offset: Option<i64>,
    timestamp: Option<i64>,
    timestamp_delta: Option<i64>,
    attributes: i8,
    key: Option<Vec<u8>>,
    value: Option<Vec<u8>>,
    headers: Vec<Header>,
    headers_count: i32,
    is_marker: bool,
}

fn read_records(trail: &mut Trail, items: &[Json]) -> Result<Vec<Record>, EncodeError> {
    trail.enter("records");
    let mut records = Vec::new();
    for (idx, item) in items.iter().enumerate() {
        trail.enter_item(idx);
        records.push(record(trail, item)?);
        trail.leave();
    }
    trail.leave();
    Ok(records)
}

fn record(trail: &mut Trail, json: &Json) -> Result<Record, EncodeError> {
    let object = trail.object(json, "a record", RECORD)?;
    let attributes = trail.member(object, "attributes", i8::MIN.into(), i8::MAX.into())?;
    let mut headers = Vec::new();
    let items = trail.items(object, "headers", "an array of headers")?;
    trail.enter("headers");
    for (idx, item) in items.iter().enumerate() {
        trail.enter_item(idx);
        headers.push(header(trail, item)?);
        trail.leave();
    }
    trail.leave();
    let count = trail.member(object, "headers_count", i32::MIN.into(), i32::MAX.into())?;
    let is_marker = object.contains_key("control");
    // What a marker marks is said by its key; the word beside it is for readers.
    if let (true, None | Some(Json::Null)) = (is_marker, object.get("key")) {
        let expected = "the key of a control record, as 00000001 for a commit,";
        return Err(trail.wrong_member("key", expected, &Json::Null));
    }
    Ok(Record {
        offset: trail.member(object, "offset", i64::MIN, i64::MAX)?,
        timestamp: trail.member(object, "timestamp", i64::MIN, i64::MAX)?,
        timestamp_delta: trail.member(object, "timestamp_delta", i64::MIN, i64::MAX)?,
        attributes: attributes.unwrap_or(0),
        key: trail.bytes(object, "key")?,
        value: trail.bytes(object, "value")?,
        headers_count: count.unwrap_or(i32::try_from(headers.len()).unwrap_or(i32::MAX)),
        headers,
        is_marker,
    })
}

fn header(trail: &mut Trail, json: &Json) -> Result<Header, EncodeError> {
    let object = trail.object(json, "a header", HEADER)?;
    let key = match object.get("key") {
        Some(Json::String(text)) => Some(text.clone().into_bytes()),
        // Kafka refuses it, but it can be written.
        Some(Json::Null) => None,
        other => {
            let found = other.unwrap_or(&Json::Null);
            return Err(trail.wrong_member("key", "a text", found));
        }
    };
    Ok((key, trail.bytes(object, "value")?))
}

/// What the distances of the records are counted from.
struct Frame {
    attributes: Attributes,
    base_offset: i64,
    base_timestamp: i64,
    max_timestamp: i64,
}

impl Frame {
    fn of(
        trail: &mut Trail,
        object: &Map<String, Json>,
        attributes: Attributes,
        records: &[Record],
    ) -> Result<Frame, EncodeError> {
        let mut int64 = |name| trail.member(object, name, i64::MIN, i64::MAX);
        let first = records.first();
        let timestamps = || records.iter().filter_map(|record| record.timestamp);
        let base_offset = int64("base_offset")?.or(first.and_then(|record| record.offset));
        let base_timestamp = int64("base_timestamp")?.or(timestamps().next());
        let base_timestamp = base_timestamp.unwrap_or(-1);
        let latest = timestamps().max().unwrap_or(base_timestamp);
        Ok(Frame {
            attributes,
            base_offset: base_offset.unwrap_or(0),
            base_timestamp,
            max_timestamp: int64("max_timestamp")?.unwrap_or(latest),
        })
    }

    /// The records section before compression, and the distance of the last offset.
    fn records(
        &self,
        trail: &mut Trail,
        records: &[Record],
    ) -> Result<(Vec<u8>, i32), EncodeError> {
        let mut writer = Writer::default();
        let mut next = self.base_offset;
        let mut last_delta = 0;
        trail.enter("records");
        for (idx, record) in records.iter().enumerate() {
            trail.enter_item(idx);
            let offset = record.offset.unwrap_or(next);
            next = offset.wrapping_add(1);
            last_delta = i32::try_from(offset.wrapping_sub(self.base_offset)).map_err(|_| {
                let expected = format!("an offset within 2^31 of base_offset {}", self.base_offset);
                trail.wrong_member("offset", &expected, &offset.into())
            })?;
            if record.is_marker && !self.attributes.is_control() {
                let expected =
                    "no such member, as attributes lack the bit 0x20 of control batches,";
                return Err(trail.wrong_member("control", expected, &"one".into()));
            }
            let content = self.record(trail, record, last_delta)?;
            writer.varint_bytes(Some(&content));
            trail.leave();
        }
        trail.leave();
        Ok((writer.into_bytes(), last_delta))
    }

    fn record(
        &self,
        trail: &Trail,
        record: &Record,
        offset_delta: i32,
    ) -> Result<Vec<u8>, EncodeError> {
        let timestamp = record.timestamp.unwrap_or(self.base_timestamp);
        let delta = timestamp.wrapping_sub(self.base_timestamp);
        let delta = match record.timestamp_delta {
            // With log-append time, no reader looks at the distance.
            Some(given)
                if given != delta
                    && record.timestamp.is_some()
                    && self.attributes.timestamp_type() == TimestampType::CreateTime =>
            {
                let expected = format!("{delta}, as timestamp and base_timestamp say,");
                return Err(trail.wrong_member("timestamp_delta", &expected, &given.into()));
            }
            Some(given) => given,
            None => delta,
        };
        let mut writer = Writer::default();
        writer.i8(record.attributes);
        writer.varint(delta);
        writer.varint(offset_delta.into());
        writer.varint_bytes(record.key.as_deref());
        writer.varint_bytes(record.value.as_deref());
        writer.varint(record.headers_count.into());
        for (key, value) in &record.headers {
            writer.varint_bytes(key.as_deref());
            writer.varint_bytes(value.as_deref());
        }
        Ok(writer.into_bytes())
    }
}
