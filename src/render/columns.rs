//! What the columns of an object tree say about one node; the browser shows the same.

use std::{borrow::Cow, fmt::Write};

use super::{
    escape::{escape, escape_str},
    json_value::push_hex,
    state,
};
use crate::{
    event::{Node, Prefix, Role, Shape, Value},
    explain::{self, Known},
    payload::guess,
    tree::{NodeId, Tree},
    wire::{BufferId, Span},
};

/// How much of a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Meanings end after 78 characters, values after 64.
    Short,
    /// The same where lines are so wide, but meanings go on as far as there is room for them in their
    /// line.
    Fit(usize),
    /// Nothing is cut.
    Wide,
}

/// What the length of an array says about the elements behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// Real elements, counted.
    Counted,
    /// The sample element of a documented layout.
    Sample,
}

/// The texts of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Name, with the index of an element.
    pub name: String,
    /// Type; empty for a frame.
    pub ty: Cow<'static, str>,
    /// Value without the equals sign; `None` where there is none to show.
    pub value: Option<String>,
    /// `[0x0000, 4B]`; `[1:0x0000, 4B]` in the first buffer that was decompressed.
    pub range: String,
    /// What it is for; may be empty.
    pub meaning: String,
}

/// Bytes of a value that are shown even to those who want values whole. A small batch can be
/// decompressed to a value of a hundred megabytes, and no reader takes a line of that.
const WIDE_LIMIT: usize = 1 << 20;

const MEANING_LIMIT: usize = 78;
/// What is longer no eye follows back to its start.
const LONGEST_MEANING: usize = 160;
const VALUE_LIMIT: usize = 64;
const BYTES_LIMIT: usize = 16;

/// The texts of node `id`.
pub fn columns(tree: &Tree, id: NodeId, wording: Wording, cut: Cut) -> Option<Columns> {
    let node = tree.node(id)?;
    let span = tree.span(id);
    let mut name = node.name.to_owned();
    if let Some(index) = node.index {
        let _ = write!(name, "[{index}]");
    }
    let meaning = full_meaning(tree, id, wording).unwrap_or_default();
    Some(Columns {
        name,
        ty: ty(node),
        value: match tree.value(id) {
            Some(_) if tree.is_hidden(id) => Some("*** (hidden)".to_owned()),
            Some(value) => Some(leaf(node, value, tree.known(), wording, cut)),
            None => compound(node),
        },
        range: range(span),
        meaning: match cut {
            Cut::Short => shorten(meaning, MEANING_LIMIT),
            Cut::Fit(_) => shorten(meaning, LONGEST_MEANING),
            Cut::Wide => meaning,
        },
    })
}

/// What node `id` is for, however long that is.
pub(super) fn full_meaning(tree: &Tree, id: NodeId, wording: Wording) -> Option<String> {
    let node = tree.node(id)?;
    let is_inside = tree
        .parent(id)
        .and_then(|above| tree.node(above))
        .is_some_and(|above| matches!(above.shape, Shape::Content { .. }));
    Some(match node.shape {
        // Not the body of a message, but a structure in a field.
        Shape::Body { version } if is_inside => format!("version {version}"),
        _ if wording == Wording::Sample => meaning(node, tree.value(id), wording),
        // What holds in this message comes before what holds in all.
        _ => match state::note(tree, id) {
            Some(state) => note(state, &meaning(node, tree.value(id), wording)),
            None => meaning(node, tree.value(id), wording),
        },
    })
}

/// A meaning in a line that has room for so many more characters.
pub(super) fn fit(meaning: &str, cut: Cut, room: usize) -> Cow<'_, str> {
    match cut {
        Cut::Fit(_) if meaning.len() > MEANING_LIMIT => {
            shorten(meaning.to_owned(), room.max(MEANING_LIMIT)).into()
        }
        _ => meaning.into(),
    }
}

/// A place as text; the buffer is named where it is not the message itself.
pub fn range(span: Span) -> String {
    match span.buffer {
        BufferId::FRAME => format!("[0x{:04x}, {}B]", span.at, span.len),
        BufferId(buffer) => format!("[{buffer}:0x{:04x}, {}B]", span.at, span.len),
    }
}

fn ty(node: &Node) -> Cow<'static, str> {
    match node.shape {
        Shape::Message { version: ..0 } => "message".into(),
        Shape::Message { version } => format!("message v{version}").into(),
        Shape::Frame => "".into(),
        Shape::Header { version } => format!("v{version}").into(),
        Shape::Body { .. } => "struct".into(),
        Shape::Struct { ty, .. } | Shape::Leaf { ty } | Shape::Content { ty, .. } => ty.into(),
        Shape::Array { of, .. } => format!("[]{of}").into(),
        Shape::TaggedFields { .. } => "[]tagged_field".into(),
        Shape::TaggedField { tag, .. } => format!("tag {tag}").into(),
    }
}

fn compound(node: &Node) -> Option<String> {
    let plural = |count: u32, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    Some(match node.shape {
        Shape::Array { len: None, .. } | Shape::Struct { present: false, .. } => {
            match explain::null_meaning(node) {
                Some(meaning) => format!("null ({meaning})"),
                None => "null".to_owned(),
            }
        }
        Shape::Array {
            len: Some(count), ..
        } => plural(count, "element", "elements"),
        Shape::Struct { present: true, .. } => "struct".to_owned(),
        Shape::TaggedFields { count } => plural(count, "field", "fields"),
        Shape::Content { len, .. } => match len {
            1 => "1 byte".to_owned(),
            len => format!("{len} bytes"),
        },
        _ => return None,
    })
}

fn leaf(node: &Node, value: Value<'_>, known: Known<'_>, wording: Wording, cut: Cut) -> String {
    let plain = match value {
        Value::Null(prefix) => {
            let note = length_note(prefix, None);
            return match explain::null_meaning(node) {
                Some(meaning) => format!("null{note}, {meaning}"),
                None => format!("null{note}"),
            };
        }
        Value::String(text, prefix) => return string(text, prefix, cut),
        Value::Bytes(bytes, _) if node.role == Role::NotCaptured => {
            return format!("{} bytes", bytes.len());
        }
        Value::Bytes(bytes, prefix) => return self::bytes(bytes, prefix, cut),
        Value::Bool(value) => value.to_string(),
        Value::Uuid(value) => value.to_string(),
        Value::Float64(value) => value.to_string(),
        Value::Int8(value) => value.to_string(),
        Value::Int16(value) => value.to_string(),
        Value::Int32(value) | Value::Varint(value) => value.to_string(),
        Value::Int64(value) | Value::Varlong(value) => value.to_string(),
        Value::Uint16(value) => value.to_string(),
        Value::Uint32(value) | Value::Uvarint(value) => value.to_string(),
    };
    match (node.role, value) {
        (Role::Size { .. }, Value::Uvarint(_)) => format!("{plain} (compact, len+1)"),
        (Role::Checksum { computed }, Value::Uint32(stored)) => checksum(stored, computed),
        (Role::Length { .. }, Value::Uvarint(0)) => "0 (compact, null)".to_owned(),
        (Role::Length { .. }, Value::Uvarint(_)) => format!("{plain} (compact, n+1)"),
        (Role::Length { .. }, Value::Int32(-1)) => "-1 (null)".to_owned(),
        // A sample's zeros are there to be seen, not to mean anything.
        (role, _) if wording == Wording::Sample && role != Role::ApiKey => plain,
        _ => match explain::meaning(node, &value, known) {
            // Names of topics and hosts are as they came from the wire.
            Some(meaning) => match (node.role, escape_str(&meaning), cut) {
                (Role::TopicId | Role::BrokerId, meaning, Cut::Short | Cut::Fit(_)) => {
                    format!("{plain} ({})", shorten(meaning, MEANING_LIMIT))
                }
                (_, meaning, _) => format!("{plain} ({meaning})"),
            },
            None => plain,
        },
    }
}

/// A checksum with its verdict.
fn checksum(stored: u32, computed: Option<u32>) -> String {
    match computed {
        None => format!("0x{stored:08x} (not checked)"),
        Some(computed) if computed == stored => format!("0x{stored:08x} (valid)"),
        Some(computed) => format!("0x{stored:08x} (wrong, computed 0x{computed:08x})"),
    }
}

fn string(text: &[u8], prefix: Prefix, cut: Cut) -> String {
    let note = length_note(prefix, Some(text.len()));
    match cut {
        Cut::Short | Cut::Fit(_) => {
            // No character takes more bytes; what is behind them is not even looked at.
            let start = text.get(..4 * VALUE_LIMIT).unwrap_or(text);
            format!("\"{}\"{note}", shorten(escape(start), VALUE_LIMIT))
        }
        Cut::Wide => match text.get(..WIDE_LIMIT) {
            Some(start) if start.len() < text.len() => {
                format!("\"{}\"...{note}", escape(whole_characters(start)))
            }
            _ => format!("\"{}\"{note}", escape(text)),
        },
    }
}

/// `text` without the start of a character whose end was cut off.
fn whole_characters(text: &[u8]) -> &[u8] {
    match std::str::from_utf8(text) {
        Err(error) if error.error_len().is_none() => {
            text.get(..error.valid_up_to()).unwrap_or(text)
        }
        _ => text,
    }
}

fn bytes(bytes: &[u8], prefix: Prefix, cut: Cut) -> String {
    if prefix != Prefix::None && is_text(bytes) {
        return string(bytes, prefix, cut);
    }
    let limit = match cut {
        Cut::Short | Cut::Fit(_) => BYTES_LIMIT,
        Cut::Wide => WIDE_LIMIT,
    };
    let shown = bytes.get(..limit).unwrap_or(bytes);
    let mut text = String::with_capacity(2 * shown.len() + 32);
    if bytes.is_empty() {
        text.push_str("empty");
    } else {
        text.push_str("0x");
        push_hex(&mut text, shown);
    }
    if shown.len() < bytes.len() {
        text.push_str("...");
    }
    match prefix {
        Prefix::None => match bytes.len() {
            1 => text.push_str(" (1 byte)"),
            len => {
                let _ = write!(text, " ({len} bytes)");
            }
        },
        _ => text.push_str(&length_note(prefix, Some(bytes.len()))),
    }
    text
}

/// Whether people would rather read bytes as text: UTF-8 with nothing in it but what prints.
fn is_text(bytes: &[u8]) -> bool {
    let bytes = match bytes.get(..WIDE_LIMIT) {
        Some(start) => whole_characters(start),
        None => bytes,
    };
    !bytes.is_empty()
        && std::str::from_utf8(bytes).is_ok_and(|text| !text.chars().any(char::is_control))
}

/// How the length was written, as ` (compact, len+1=7)`.
fn length_note(prefix: Prefix, len: Option<usize>) -> String {
    let stored = len.map_or(-1, |len| len as i64);
    match prefix {
        Prefix::None => String::new(),
        Prefix::Int16 => format!(" (int16 len={stored})"),
        Prefix::Int32 => format!(" (int32 len={stored})"),
        Prefix::Varint => format!(" (varint len={stored})"),
        Prefix::Compact => format!(" (compact, len+1={})", stored + 1),
    }
}

fn meaning(node: &Node, value: Option<Value<'_>>, wording: Wording) -> String {
    match (node.role, node.shape) {
        (_, Shape::Body { version }) => format!("message body, version {version}"),
        (Role::Length { count }, _) => {
            let null = matches!(value, Some(Value::Uvarint(0) | Value::Int32(-1)));
            match (count, wording) {
                (0, _) if null => "null, no elements follow".to_owned(),
                (0, _) => "no elements follow".to_owned(),
                (1, Wording::Sample) => "one sample element follows".to_owned(),
                (1, Wording::Counted) => "1 element follows".to_owned(),
                (count, _) => format!("{count} elements follow"),
            }
        }
        (Role::Size { bytes }, _) => match bytes {
            1 => "1 byte follows".to_owned(),
            bytes => format!("{bytes} bytes follow"),
        },
        // What is derived comes first, for it is what most readers look for.
        (Role::Offset { absolute }, _) if value != Some(Value::Int64(absolute)) => {
            note(&format!("offset {absolute}"), node.about)
        }
        (Role::Timestamp { millis }, _) if value != Some(Value::Int64(millis)) => {
            let derived = match (millis, explain::time(millis)) {
                (-1, _) => "no timestamp".to_owned(),
                (_, Some(time)) => format!("timestamp {millis}, {time}"),
                (_, None) => format!("timestamp {millis}"),
            };
            note(&derived, node.about)
        }
        (Role::Payload, _) => match value {
            Some(Value::Bytes(bytes, _)) => match guess(bytes) {
                Some(guess) => note(&format!("looks like {}", escape_str(&guess)), node.about),
                None => node.about.to_owned(),
            },
            _ => node.about.to_owned(),
        },
        _ => node.about.to_owned(),
    }
}

fn note(derived: &str, about: &str) -> String {
    match about {
        "" => derived.to_owned(),
        about => format!("{derived}; {about}"),
    }
}

/// At most `limit` characters, the last three of them dots where something was cut.
fn shorten(text: String, limit: usize) -> String {
    if text.len() <= limit || text.chars().count() <= limit {
        return text;
    }
    let mut short: String = text.chars().take(limit - 3).collect();
    short.push_str("...");
    short
}
