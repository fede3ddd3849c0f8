//! Message set entries of magic 0 and 1 from JSON: a message, or a compressed set of messages.
//!
//! An entry stands in JSON as a batch, so the offset and time of a message are there twice; they
//! must agree. Sets within sets come out as one, which readers see no difference in.

use serde_json::{Map, Value as Json};

use super::{
    EncodeError, Writer,
    entry::{Claims, Made, packed},
    trail::Trail,
};
use crate::records::{Attributes, Codec, Polynomial};

const ENTRY: &[&str] = &[
    "base_offset",
    "offset",
    "message_size",
    "crc",
    "computed_crc",
    "magic",
    "attributes",
    "timestamp",
    "records",
];
const MESSAGE: &[&str] = &["offset", "timestamp", "key", "value", "headers"];

/// One entry.
pub(super) fn entry(
    trail: &mut Trail,
    json: &Json,
    magic: i8,
    writer: &mut Writer,
) -> Result<(), EncodeError> {
    let object = trail.object(json, "an entry of a message set", ENTRY)?;
    let bits: Option<i8> = trail.member(object, "attributes", i8::MIN.into(), i8::MAX.into())?;
    let bits = bits.unwrap_or(0);
    let attributes = Attributes(bits.cast_unsigned().into());
    if attributes.codec_number() != 0 && attributes.codec().is_none() {
        let found = attributes.codec_number().into();
        return Err(trail.wrong_member("attributes", "a codec from 0 to 4", &found));
    }
    let base_offset = trail.member(object, "base_offset", i64::MIN, i64::MAX)?;
    let entry = Entry {
        magic,
        offset: trail.member(object, "offset", i64::MIN, i64::MAX)?,
        timestamp: time(trail, object, magic)?,
    };
    let (message, made) = match (attributes.codec(), object.get("records")) {
        // What could not be decompressed stands as it was.
        (Some(_), Some(Json::String(_))) => {
            let offset = entry.offset.or(base_offset).unwrap_or(0);
            let value = trail.bytes(object, "records")?;
            (entry.holding(offset, entry.timestamp, value), Made::Exactly)
        }
        (codec, _) => {
            let expected = "an array of messages";
            let items = trail.items(object, "records", expected)?;
            let messages = read_messages(trail, items, magic, base_offset.or(entry.offset))?;
            check_base_offset(trail, base_offset, &messages)?;
            match codec {
                Some(codec) => {
                    let (offset, value) = entry.set(trail, codec, &messages)?;
                    let times = messages.iter().filter_map(|message| message.timestamp);
                    let timestamp = entry.timestamp.or(times.max());
                    let set = entry.holding(offset, timestamp, Some(value));
                    (set, Made::Compressed)
                }
                None => (entry.alone(trail, object, messages)?, Made::Exactly),
            }
        }
    };
    let covered = message.content(bits);
    let claims = Claims::of(trail, object, "message_size", made, computed(&covered))?;
    write(writer, message.offset, &claims, &covered);
    Ok(())
}

/// What the members of an entry say of itself.
struct Entry {
    magic: i8,
    offset: Option<i64>,
    timestamp: Option<i64>,
}

/// A message as the values tell it.
struct Message {
    magic: i8,
    offset: i64,
    timestamp: Option<i64>,
    key: Option<Vec<u8>>,
    value: Option<Vec<u8>>,
}

impl Message {
    /// What the checksum of a message covers.
    fn content(&self, attributes: i8) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.i8(self.magic);
        writer.i8(attributes);
        if self.magic == 1 {
            writer.i64(self.timestamp.unwrap_or(-1));
        }
        writer.int32_bytes(self.key.as_deref());
        writer.int32_bytes(self.value.as_deref());
        writer.into_bytes()
    }
}

fn read_messages(
    trail: &mut Trail,
    items: &[Json],
    magic: i8,
    base_offset: Option<i64>,
) -> Result<Vec<Message>, EncodeError> {
    let mut next = base_offset.unwrap_or(0);
    let mut messages = Vec::new();
    trail.enter("records");
    for (idx, item) in items.iter().enumerate() {
        trail.enter_item(idx);
        let message = read_message(trail, item, magic, next)?;
        next = message.offset.wrapping_add(1);
        messages.push(message);
        trail.leave();
    }
    trail.leave();
    Ok(messages)
}

fn read_message(
    trail: &mut Trail,
    json: &Json,
    magic: i8,
    next: i64,
) -> Result<Message, EncodeError> {
    let object = trail.object(json, "a message", MESSAGE)?;
    if let Some(headers) = object
        .get("headers")
        .filter(|headers| **headers != Json::Array(vec![]))
    {
        let expected = "an empty array, as messages of magic 0 and 1 have no headers,";
        return Err(trail.wrong_member("headers", expected, headers));
    }
    let offset = trail.member(object, "offset", i64::MIN, i64::MAX)?;
    // A set may hold older messages than what is around it, which have no time.
    let magic = match object.get("timestamp") {
        Some(Json::Null) => 0,
        _ => magic,
    };
    Ok(Message {
        magic,
        offset: offset.unwrap_or(next),
        timestamp: time(trail, object, magic)?,
        key: trail.bytes(object, "key")?,
        value: trail.bytes(object, "value")?,
    })
}

/// The time of an entry or a message.
fn time(
    trail: &mut Trail,
    object: &Map<String, Json>,
    magic: i8,
) -> Result<Option<i64>, EncodeError> {
    let timestamp: Option<i64> = trail.member(object, "timestamp", i64::MIN, i64::MAX)?;
    match (magic, timestamp) {
        (0, Some(timestamp)) => {
            let expected = "null, as messages of magic 0 have no time,";
            Err(trail.wrong_member("timestamp", expected, &timestamp.into()))
        }
        _ => Ok(timestamp),
    }
}

fn check_base_offset(
    trail: &Trail,
    base_offset: Option<i64>,
    messages: &[Message],
) -> Result<(), EncodeError> {
    match (base_offset, messages.first()) {
        (Some(base), Some(first)) if base != first.offset => {
            let expected = format!("{}, the offset of the first message,", first.offset);
            Err(trail.wrong_member("base_offset", &expected, &base.into()))
        }
        _ => Ok(()),
    }
}

impl Entry {
    /// The message that holds a compressed set, which has no key.
    fn holding(&self, offset: i64, timestamp: Option<i64>, value: Option<Vec<u8>>) -> Message {
        Message {
            magic: self.magic,
            offset,
            timestamp,
            key: None,
            value,
        }
    }

    /// The message that stands by itself, as nothing is compressed.
    fn alone(
        &self,
        trail: &Trail,
        object: &Map<String, Json>,
        messages: Vec<Message>,
    ) -> Result<Message, EncodeError> {
        let Ok([message]) = <[Message; 1]>::try_from(messages) else {
            let expected = "one message, as nothing is compressed,";
            let found = object.get("records").unwrap_or(&Json::Null);
            return Err(trail.wrong_member("records", expected, found));
        };
        self.agrees(trail, &message)?;
        Ok(Message {
            magic: self.magic,
            offset: self.offset.unwrap_or(message.offset),
            timestamp: self.timestamp.or(message.timestamp),
            ..message
        })
    }

    /// Refuses a message that is said to be another one than its entry.
    fn agrees(&self, trail: &Trail, message: &Message) -> Result<(), EncodeError> {
        let pairs = [
            ("offset", self.offset, Some(message.offset)),
            ("timestamp", self.timestamp, message.timestamp),
        ];
        for (name, own, inner) in pairs {
            if let (Some(own), Some(inner)) = (own, inner)
                && own != inner
            {
                let expected = format!("{inner}, as the message in records has,");
                return Err(trail.wrong_member(name, &expected, &own.into()));
            }
        }
        Ok(())
    }

    /// The offset of the entry, and the compressed set of `messages`.
    fn set(
        &self,
        trail: &Trail,
        codec: Codec,
        messages: &[Message],
    ) -> Result<(i64, Vec<u8>), EncodeError> {
        let first = messages.first().map_or(0, |message| message.offset);
        let last = messages.last().map_or(0, |message| message.offset);
        let offset = self.offset.unwrap_or(last);
        if self.magic == 1 && offset > last && !messages.is_empty() {
            let expected = format!("{last}, the offset of the last message, or less");
            return Err(trail.wrong_member("offset", &expected, &offset.into()));
        }
        // With another offset, readers take the offsets inside as they are (KIP-31).
        let is_relative = self.magic == 1 && offset == last && offset != 0;
        let base = if is_relative { first } else { 0 };
        let mut set = Writer::default();
        for message in messages {
            let covered = message.content(0);
            let offset = message.offset.wrapping_sub(base);
            write(&mut set, offset, &computed(&covered), &covered);
        }
        let (value, _) = packed(trail, Some(codec), set.into_bytes())?;
        Ok((offset, value))
    }
}

fn computed(covered: &[u8]) -> Claims {
    let size = size_of::<u32>() + covered.len();
    Claims {
        size: i32::try_from(size).unwrap_or(i32::MAX),
        crc: Polynomial::Crc32.of(covered),
    }
}

fn write(writer: &mut Writer, offset: i64, claims: &Claims, covered: &[u8]) {
    writer.i64(offset);
    writer.i32(claims.size);
    writer.i32(claims.crc.cast_signed());
    writer.raw(covered);
}
