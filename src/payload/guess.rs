//! What keys and values of applications look like. Nothing says what they are, so this is a guess
//! for people to read and never more.

use std::fmt::Write;

use serde_json::Value as Json;
use uuid::Uuid;

use super::{limits, protobuf};
use crate::wire::{BufferId, Cursor};

/// What `bytes` look like, as the end of a sentence "looks like"; `None` for nothing in particular.
/// Text is quoted as it is, and has to be escaped by who shows it.
pub fn guess(bytes: &[u8]) -> Option<String> {
    if bytes.is_empty() {
        return None;
    }
    if let Some(text) = text(bytes) {
        return Some(described(text));
    }
    // A small number with zeros in front has the form of a schema id as well, and is likelier.
    integer(bytes)
        .or_else(|| schema(bytes))
        .or_else(|| uuid(bytes))
}

/// All of `bytes` if they are text that people could have written.
fn text(bytes: &[u8]) -> Option<&str> {
    let start = bytes.get(..limits::TEXT).unwrap_or(bytes);
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The cut may lie within a character.
        Err(error) if start.len() < bytes.len() && error.error_len().is_none() => {
            std::str::from_utf8(start.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_readable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_readable).then_some(text)
}

fn described(text: &str) -> String {
    let trimmed = text.trim();
    let kind = match trimmed.as_bytes() {
        [b'{', .., b'}'] => Some("a JSON object"),
        [b'[', .., b']'] => Some("a JSON array"),
        [b'<', .., b'>'] => return "XML".to_owned(),
        _ => None,
    };
    if let Some(kind) = kind {
        let is_json = text.len() >= limits::JSON || serde_json::from_str::<Json>(trimmed).is_ok();
        if is_json {
            return kind.to_owned();
        }
    }
    if trimmed.len() == 36 && Uuid::try_parse(trimmed).is_ok() {
        return "a UUID as text".to_owned();
    }
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("text '{shown}'")
}

/// Characters of a text that are quoted.
const SHOWN: usize = 40;

/// The prefix that serializers with a schema registry write: a zero, then the id of the schema.
fn schema(bytes: &[u8]) -> Option<String> {
    /// Ids count up from 1; one of many millions is no id.
    const HIGHEST: u32 = 10_000_000;
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    if cursor.u8() != Ok(0) {
        return None;
    }
    let id = cursor.u32().ok().filter(|id| (1..HIGHEST).contains(id))?;
    let mut text = format!("schema {id}, ");
    if let Some(path) = protobuf_message(&mut cursor) {
        let _ = write!(text, "message {path} of it if that is protobuf, ");
    }
    let _ = match cursor.left() {
        1 => write!(text, "1 byte"),
        left => write!(text, "{left} bytes"),
    };
    Some(text)
}

/// The message within a protobuf schema, by its indexes; a single 0 stands for the first.
fn protobuf_message(cursor: &mut Cursor<'_>) -> Option<String> {
    /// Messages within messages; few schemas have even three.
    const DEEPEST: i32 = 8;
    let mut ahead = *cursor;
    let count = ahead.varint().ok().filter(|n| (0..=DEEPEST).contains(n))?;
    let mut path = String::new();
    for _ in 0..count {
        let index = ahead
            .varint()
            .ok()
            .filter(|index| (0..1000).contains(index))?;
        if !path.is_empty() {
            path.push('.');
        }
        let _ = write!(path, "{index}");
    }
    if count == 0 {
        path.push('0');
    }
    if ahead.left() == 0 || !protobuf::is_message(ahead) {
        return None;
    }
    *cursor = ahead;
    Some(path)
}

fn integer(bytes: &[u8]) -> Option<String> {
    if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
        return Some(format!("int32 {}", i32::from_be_bytes(bytes)));
    }
    let bytes = <[u8; 8]>::try_from(bytes).ok()?;
    Some(format!("int64 {}", i64::from_be_bytes(bytes)))
}

fn uuid(bytes: &[u8]) -> Option<String> {
    let uuid = Uuid::from_slice(bytes).ok()?;
    let is_made =
        uuid.get_variant() == uuid::Variant::RFC4122 && (1..=8).contains(&uuid.get_version_num());
    is_made.then(|| format!("UUID {uuid}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(bytes: &[u8]) -> String {
        guess(bytes).unwrap_or_default()
    }

    #[test]
    fn things_are_taken_for_what_they_look_like() {
        assert_eq!(looks(b"{\"a\": [1]}"), "a JSON object");
        assert_eq!(looks(b" [1,2]\n"), "a JSON array");
        assert_eq!(looks(b"{broken"), "text '{broken'");
        assert_eq!(looks(b"<a/>"), "XML");
        assert_eq!(looks(b"key-7"), "text 'key-7'");
        assert_eq!(looks("Zoë".as_bytes()), "text 'Zoë'");
        assert_eq!(looks(&[0, 0, 0, 42]), "int32 42");
        assert_eq!(looks(&[0, 0, 0, 0, 0, 0, 1, 0]), "int64 256");
        assert_eq!(looks(&[0, 0, 0, 0, 17, 2, b'a']), "schema 17, 2 bytes");
        assert_eq!(looks(&[]), "");
        assert_eq!(looks(&[0xff; 7]), "");
    }

    #[test]
    fn a_protobuf_message_is_named_by_its_indexes() {
        assert_eq!(
            looks(&[0, 0, 0, 0, 17, 0, 0x0a, 2, b'h', b'i']),
            "schema 17, message 0 of it if that is protobuf, 4 bytes"
        );
        assert_eq!(
            looks(&[0, 0, 0, 0, 17, 4, 2, 0, 0x0a, 1, b'h']),
            "schema 17, message 1.0 of it if that is protobuf, 3 bytes"
        );
    }

    #[test]
    fn uuids_are_known_as_text_and_as_bytes() {
        let uuid = Uuid::from_u128(0x550e_8400_e29b_41d4_a716_4466_5544_0000);
        assert_eq!(looks(uuid.to_string().as_bytes()), "a UUID as text");
        assert_eq!(looks(uuid.as_bytes()), format!("UUID {uuid}"));
        assert_eq!(looks(&[0xff; 16]), "");
    }

    #[test]
    fn a_long_text_may_be_cut_within_a_character() {
        let text = "ë".repeat(limits::TEXT);
        assert!(looks(text.as_bytes()).starts_with("text "));
        let text = format!("x{text}");
        assert!(looks(text.as_bytes()).starts_with("text "));
    }
}
