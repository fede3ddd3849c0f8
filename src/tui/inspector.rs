//! What the bytes at the cursor are, read as every type that the protocol has.
//!
//! What comes in are the bytes from the cursor on; what goes out are texts that are safe to show.
//! Nothing here knows what the bytes are meant to be: that is what the tree says.

use std::fmt::LowerExp;

use uuid::Uuid;

use crate::{
    explain,
    render::escape,
    wire::{BufferId, Cursor},
};

/// Bytes of text that are shown.
const TEXT: usize = 24;

/// One type, and what the bytes are as that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub name: &'static str,
    /// As Kafka writes it: the highest byte first. A dash where the bytes do not reach.
    pub value: String,
    /// With the lowest byte first, of a byte its bits; empty where that makes no difference.
    pub swapped: String,
}

/// All readings of `bytes` from their first, the likeliest first.
pub(super) fn readings(bytes: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut push = |name, value: Option<String>, swapped: Option<String>| {
        readings.push(Reading {
            name,
            value: value.unwrap_or_else(|| "-".to_owned()),
            swapped: swapped.unwrap_or_default(),
        });
    };
    let first = bytes.first().copied();
    push(
        "byte",
        first.map(|byte| match byte.cast_signed() {
            signed @ ..0 => format!("{byte}, signed {signed}"),
            _ => byte.to_string(),
        }),
        first.map(|byte| format!("{byte:08b}")),
    );
    macro_rules! number {
        ($name:literal, $type:ty) => {
            let raw = bytes.first_chunk().copied();
            push(
                $name,
                raw.map(|raw| <$type>::from_be_bytes(raw).to_string()),
                raw.map(|raw| <$type>::from_le_bytes(raw).to_string()),
            );
        };
    }
    number!("int16", i16);
    number!("uint16", u16);
    number!("int32", i32);
    number!("uint32", u32);
    number!("int64", i64);
    number!("uint64", u64);
    push(
        "uvarint",
        varint(bytes, |cursor| cursor.uvarlong().ok()),
        None,
    );
    push(
        "varint",
        varint(bytes, |cursor| cursor.varlong().ok()),
        None,
    );
    push("length+1", compact(bytes), None);
    push("text", text(bytes), None);
    push(
        "uuid",
        bytes
            .first_chunk()
            .map(|raw| Uuid::from_bytes(*raw).to_string()),
        None,
    );
    push(
        "time ms",
        bytes
            .first_chunk()
            .and_then(|raw| explain::time(i64::from_be_bytes(*raw))),
        None,
    );
    let seconds = |raw: &[u8; 4]| i64::from(u32::from_be_bytes(*raw)) * 1000;
    push(
        "time s",
        bytes
            .first_chunk()
            .and_then(|raw| explain::time(seconds(raw))),
        None,
    );
    let raw = bytes.first_chunk().copied();
    push(
        "float64",
        raw.map(|raw| float(f64::from_be_bytes(raw))),
        raw.map(|raw| float(f64::from_le_bytes(raw))),
    );
    let raw = bytes.first_chunk().copied();
    push(
        "float32",
        raw.map(|raw| float(f32::from_be_bytes(raw))),
        raw.map(|raw| float(f32::from_le_bytes(raw))),
    );
    readings
}

/// Few digits for few: a float is looked at to see whether it is one.
fn float<T: Copy + Into<f64> + ToString + LowerExp>(value: T) -> String {
    match value.into().abs() {
        size if size == 0.0 || (1e-4..1e12).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// A number of as many bytes as it takes, with how many those are.
fn varint<T: ToString>(
    bytes: &[u8],
    read: impl Fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<String> {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let value = read(&mut cursor)?.to_string();
    Some(match cursor.at() {
        1 => format!("{value} (1 byte)"),
        n => format!("{value} ({n} bytes)"),
    })
}

/// The length that Kafka's compact types write as one more.
fn compact(bytes: &[u8]) -> Option<String> {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    Some(match cursor.uvarint().ok()? {
        0 => "null".to_owned(),
        n => (n - 1).to_string(),
    })
}

fn text(bytes: &[u8]) -> Option<String> {
    let start = bytes.get(..TEXT).unwrap_or(bytes);
    let valid = start.utf8_chunks().next().map(|chunk| chunk.valid())?;
    (!valid.is_empty()).then(|| format!("\"{}\"", escape(valid.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bytes: &[u8], name: &str) -> (String, String) {
        let readings = readings(bytes);
        let found = readings
            .iter()
            .find(|reading| reading.name == name)
            .unwrap();
        (found.value.clone(), found.swapped.clone())
    }

    fn pair(value: &str, swapped: &str) -> (String, String) {
        (value.to_owned(), swapped.to_owned())
    }

    #[test]
    fn numbers_are_read_both_ways_round() {
        let bytes = [0xff, 0xfe, 0, 1, 0, 0, 0, 0];
        assert_eq!(value(&bytes, "byte"), pair("255, signed -1", "11111111"));
        assert_eq!(value(&bytes, "int16"), pair("-2", "-257"));
        assert_eq!(value(&bytes, "uint16"), pair("65534", "65279"));
        assert_eq!(value(&bytes, "int32"), pair("-131071", "16842495"));
        assert_eq!(value(&1.5_f32.to_be_bytes(), "float32").0, "1.5");
        assert_eq!(value(&(-2.25_f64).to_le_bytes(), "float64").1, "-2.25");
    }

    #[test]
    fn varints_say_how_long_they_are() {
        assert_eq!(value(&[0xac, 0x02], "uvarint").0, "300 (2 bytes)");
        assert_eq!(value(&[0xac, 0x02], "varint").0, "150 (2 bytes)");
        assert_eq!(value(&[0x01], "varint").0, "-1 (1 byte)");
        assert_eq!(value(&[0x01], "length+1").0, "0");
        assert_eq!(value(&[0x00], "length+1").0, "null");
        // Cut off, or with no end.
        assert_eq!(value(&[0x80], "uvarint").0, "-");
        assert_eq!(value(&[0xff; 12], "varint").0, "-");
    }

    #[test]
    fn times_uuids_and_text() {
        let ms = 1_793_527_200_000_i64.to_be_bytes();
        assert_eq!(
            value(&ms, "time ms").0,
            explain::time(1_793_527_200_000).unwrap()
        );
        let s = 1_793_527_200_u32.to_be_bytes();
        assert_eq!(
            value(&s, "time s").0,
            explain::time(1_793_527_200_000).unwrap()
        );
        assert_eq!(
            value(&[0; 16], "uuid").0,
            "00000000-0000-0000-0000-000000000000"
        );
        assert_eq!(value(b"orders\xff", "text").0, "\"orders\"");
        assert_eq!(value(b"\x1b[2J", "text").0, "\"\\u{1b}[2J\"");
        assert_eq!(value(&[0xff], "text").0, "-");
    }

    #[test]
    fn no_byte_is_no_reading() {
        assert!(readings(&[]).iter().all(|reading| reading.value == "-"));
    }
}
