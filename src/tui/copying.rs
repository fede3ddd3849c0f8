//! What can be copied of a message, and in which notation.
//!
//! What comes in is the message with its selection; what goes out is the text for the clipboard,
//! or why there is none.

use std::fmt::{self, Write};

use super::{App, Effect, app::Overlay, keys::Action, message::OpenMessage, osc52::LONGEST};
use crate::{
    event::Value,
    render::{Cut, Palette, Parts, Wording, columns, escape, json_message, message, write_json},
    tree::Tree,
};

/// A way to write what is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Value,
    Path,
    Hex,
    C,
    Go,
    Rust,
    Java,
    Python,
    Json,
    Annotated,
}

/// The menu: the key, what it copies, what the menu says.
pub(super) const MENU: [(char, Notation, &str); 10] = [
    ('v', Notation::Value, "value of the field"),
    ('p', Notation::Path, "path of the field"),
    ('h', Notation::Hex, "bytes of the field as hex"),
    ('c', Notation::C, "bytes as a C array"),
    ('g', Notation::Go, "bytes as a Go literal"),
    ('r', Notation::Rust, "bytes as a Rust literal"),
    ('a', Notation::Java, "bytes as a Java literal"),
    ('y', Notation::Python, "bytes as a Python literal"),
    ('n', Notation::Json, "the message as JSON"),
    ('t', Notation::Annotated, "the message as annotated text"),
];

impl App {
    pub(super) fn open_copy_menu(&mut self) {
        match self.message {
            Some(_) => {
                self.overlay = Some(Overlay::Copy(0));
                self.overlay_scroll = 0;
            }
            None => self.say("there is no message to copy from"),
        }
    }

    /// A key while the menu is open: a letter of it, or an action of the key table.
    pub(super) fn choose_copy(&mut self, letter: Option<char>, action: Option<Action>) -> Effect {
        let Some(Overlay::Copy(row)) = self.overlay else {
            return Effect::None;
        };
        let by_letter = MENU.iter().find(|(key, _, _)| Some(*key) == letter);
        if let Some(&(_, notation, what)) = by_letter {
            return self.copy(notation, what);
        }
        let last = MENU.len() - 1;
        match action {
            Some(Action::Up) => self.overlay = Some(Overlay::Copy(row.saturating_sub(1))),
            Some(Action::Down) => self.overlay = Some(Overlay::Copy((row + 1).min(last))),
            _ => self.overlay = None,
        }
        Effect::None
    }

    /// Copies what a row of the menu says; a place behind the rows closes it.
    pub(super) fn copy_row(&mut self, row: usize) -> Effect {
        match MENU.get(row) {
            Some(&(_, notation, what)) => self.copy(notation, what),
            None => {
                self.overlay = None;
                Effect::None
            }
        }
    }

    fn copy(&mut self, notation: Notation, what: &str) -> Effect {
        self.overlay = None;
        let Some(message) = &self.message else {
            return Effect::None;
        };
        match text(message, notation) {
            Ok(text) if text.len() > LONGEST => {
                self.say(format!(
                    "{} bytes are too many for a terminal's clipboard, which takes {LONGEST}; they \
                     can be saved to a file",
                    text.len()
                ));
                Effect::None
            }
            Ok(text) => {
                self.say(format!(
                    // Whether it takes them, no terminal says.
                    "sent the {what} to the terminal's clipboard, {} characters",
                    text.chars().count()
                ));
                Effect::Copy(text)
            }
            Err(why) => {
                self.say(why);
                Effect::None
            }
        }
    }
}

/// What is selected, in a notation.
pub(super) fn text(message: &OpenMessage, notation: Notation) -> Result<String, &'static str> {
    match notation {
        Notation::Value => value(message),
        Notation::Path => Ok(message.tree.path(message.selected())),
        Notation::Json => json(message).ok_or("this message has no JSON form"),
        Notation::Annotated => {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = annotated(&mut text, &message.tree);
            Ok(text)
        }
        notation => literal(message, notation),
    }
}

fn value(open: &OpenMessage) -> Result<String, &'static str> {
    let id = open.selected();
    if open.tree.is_hidden(id) {
        return Err(HIDDEN);
    }
    match open.tree.value(id) {
        // As it is, unless that could steer a terminal that it is pasted into.
        Some(Value::String(text, _)) => Ok(match std::str::from_utf8(text) {
            Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
            _ => escape(text),
        }),
        Some(Value::Int8(n)) => Ok(n.to_string()),
        Some(Value::Int16(n)) => Ok(n.to_string()),
        Some(Value::Int32(n) | Value::Varint(n)) => Ok(n.to_string()),
        Some(Value::Int64(n) | Value::Varlong(n)) => Ok(n.to_string()),
        Some(Value::Uint16(n)) => Ok(n.to_string()),
        Some(Value::Uint32(n) | Value::Uvarint(n)) => Ok(n.to_string()),
        _ => columns(&open.tree, id, Wording::Counted, Cut::Wide)
            .and_then(|columns| columns.value)
            .ok_or("this has no value of its own; the message can be copied as JSON"),
    }
}

fn literal(open: &OpenMessage, notation: Notation) -> Result<String, &'static str> {
    let span = open.span();
    let is_secret = |hidden: &crate::wire::Span| {
        hidden.buffer == span.buffer && hidden.at < span.end() && span.at < hidden.end()
    };
    if open.tree.hidden().iter().any(is_secret) {
        return Err(HIDDEN);
    }
    Ok(in_notation(open.tree.bytes(span), notation))
}

/// What is said of a secret instead of copying it.
pub(super) const HIDDEN: &str =
    "this holds a secret; nothing is copied or saved until secrets are shown";

fn in_notation(bytes: &[u8], notation: Notation) -> String {
    let list = |byte: &dyn Fn(u8) -> String| {
        let texts: Vec<String> = bytes.iter().map(|&value| byte(value)).collect();
        texts.join(", ")
    };
    let hex = |byte: u8| format!("0x{byte:02x}");
    match notation {
        Notation::C => format!("{{ {} }}", list(&hex)),
        Notation::Go => format!("[]byte{{{}}}", list(&hex)),
        Notation::Rust => format!("[{}]", list(&|byte| format!("0x{byte:02x}u8"))),
        // Java's bytes have a sign.
        Notation::Java => {
            let signed = |byte: u8| match byte {
                0x80.. => format!("(byte) 0x{byte:02x}"),
                _ => format!("0x{byte:02x}"),
            };
            format!("new byte[] {{ {} }}", list(&signed))
        }
        Notation::Python => {
            let mut text = "b\"".to_owned();
            for byte in bytes {
                let _ = write!(text, "\\x{byte:02x}");
            }
            text + "\""
        }
        _ => bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }),
    }
}

fn json(open: &OpenMessage) -> Option<String> {
    let line = json_message(&open.tree, &open.head()?);
    let mut text = Vec::new();
    write_json(&mut text, &line).ok()?;
    String::from_utf8(text).ok()
}

/// Tree, problems and grid as `show` prints them.
pub(super) fn annotated(out: &mut impl Write, tree: &Tree) -> fmt::Result {
    message(out, tree, Parts::All, Cut::Wide, Palette::Plain, |_| None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::message::tests::open;

    #[test]
    fn bytes_in_the_notation_of_each_language() {
        let notations = [
            (Notation::Hex, "007fff"),
            (Notation::C, "{ 0x00, 0x7f, 0xff }"),
            (Notation::Go, "[]byte{0x00, 0x7f, 0xff}"),
            (Notation::Rust, "[0x00u8, 0x7fu8, 0xffu8]"),
            (Notation::Java, "new byte[] { 0x00, 0x7f, (byte) 0xff }"),
            (Notation::Python, "b\"\\x00\\x7f\\xff\""),
        ];
        for (notation, text) in notations {
            assert_eq!(in_notation(&[0, 0x7f, 0xff], notation), text);
        }
    }

    #[test]
    fn what_is_selected_is_copied() {
        let mut message = open(2);
        let name = message
            .tree
            .nodes()
            .find(|&id| message.tree.path(id) == "Topics[1].Name");
        message.select(name.unwrap());
        assert_eq!(text(&message, Notation::Value).unwrap(), "topic-1");
        assert_eq!(text(&message, Notation::Path).unwrap(), "Topics[1].Name");
        assert_eq!(text(&message, Notation::Hex).unwrap(), "0007746f7069632d31");
        assert!(
            text(&message, Notation::Annotated)
                .unwrap()
                .contains("\"topic-1\"")
        );
        let json = text(&message, Notation::Json).unwrap();
        assert!(json.contains(r#""Name":"topic-1""#), "{json}");
    }

    #[test]
    fn no_letter_means_two_things() {
        let mut letters = MENU.map(|(letter, _, _)| letter).to_vec();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), MENU.len());
    }
}
