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
    /// A number of a fixed width, either way round.
    macro_rules! number {
        ($type:ty) => {
            number!($type, |number| number.to_string())
        };
        ($type:ty, $show:expr) => {{
            let raw = bytes.first_chunk().copied();
            (
                raw.map(<$type>::from_be_bytes).map($show),
                raw.map(<$type>::from_le_bytes).map($show),
            )
        }};
    }
    let uvarint = varint(bytes, |cursor| cursor.uvarlong().ok());
    let varint = varint(bytes, |cursor| cursor.varlong().ok());
    let uuid = bytes.first_chunk().map(|raw| Uuid::from_bytes(*raw));
    let ms = bytes.first_chunk().map(|raw| i64::from_be_bytes(*raw));
    let seconds = bytes.first_chunk().map(|raw| u32::from_be_bytes(*raw));
    let s = seconds.map(|seconds| i64::from(seconds) * 1000);
    let read = [
        ("byte", byte(bytes)),
        ("int16", number!(i16)),
        ("uint16", number!(u16)),
        ("int32", number!(i32)),
        ("uint32", number!(u32)),
        ("int64", number!(i64)),
        ("uint64", number!(u64)),
        ("uvarint", (uvarint, None)),
        ("varint", (varint, None)),
        ("length+1", (compact(bytes), None)),
        ("text", (text(bytes), None)),
        ("uuid", (uuid.map(|uuid| uuid.to_string()), None)),
        ("time ms", (ms.and_then(explain::time), None)),
        ("time s", (s.and_then(explain::time), None)),
        ("float64", number!(f64, float)),
        ("float32", number!(f32, float)),
    ];
    let reading = |(name, (value, swapped)): (_, (Option<String>, Option<String>))| Reading {
        name,
        value: value.unwrap_or_else(|| "-".to_owned()),
        swapped: swapped.unwrap_or_default(),
    };
    read.into_iter().map(reading).collect()
}

/// The first byte, and its bits.
fn byte(bytes: &[u8]) -> (Option<String>, Option<String>) {
    let first = bytes.first();
    let value = first.map(|byte| match byte.cast_signed() {
        signed @ ..0 => format!("{byte}, signed {signed}"),
        _ => byte.to_string(),
    });
    (value, first.map(|byte| format!("{byte:08b}")))
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
