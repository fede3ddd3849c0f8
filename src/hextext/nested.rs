//! Text inside a string of JSON or of a log: a dump with `\n` between its rows, `b'\\x00'`.
//!
//! In: cleaned text. Out: the text with its double-quoted strings opened, one level of escapes
//! undone, each on lines of its own; the way back to the paste stays. Escapes for byte values
//! (`\x00`, `\u0000`) are not undone: they are bytes, which is for the reader of strings to say.

use super::clean::Text;
use super::scan::{self, Pass, Quoted, byte, slice};

/// How deep strings are opened: a log line in the log of a container in a report.
pub(super) const DEEPEST: usize = 3;

/// Opens the strings of a text; `None` if none has escapes of the kind.
pub(super) fn open(text: &Text) -> Option<Text> {
    let code = text.bytes();
    memchr::memchr(b'\\', code)?;
    let scan = scan::scan(code, text.swaps(), Pass::CommentsAsText);
    let is_text = |string: &&Quoted| {
        string.quote == b'"'
            && string.closed
            && string.prefix.is_empty()
            && wraps(slice(code, string.body.clone()))
    };
    let mut edit = text.edit();
    let mut is_opened = false;
    for string in scan.strings.iter().filter(is_text) {
        is_opened = true;
        edit.replace(string.prefix.end..string.body.start, b"\n");
        let mut at = string.body.start;
        while let Some(len) = memchr::memchr(b'\\', slice(code, at..string.body.end)) {
            at += len;
            let put: &[u8] = match byte(code, at + 1) {
                b'n' => b"\n",
                b't' => b"\t",
                b'r' => b"\r",
                b'"' => b"\"",
                b'\\' => b"\\",
                b'/' => b"/",
                _ => {
                    at += 2;
                    continue;
                }
            };
            edit.replace(at..at + 2, put);
            at += 2;
        }
        edit.replace(string.body.end..string.end(), b"\n");
    }
    is_opened.then(|| edit.done())
}

/// Whether a string's own escapes spell bytes, so that its line breaks may be bytes too.
pub(super) fn spells_bytes(text: &Text) -> bool {
    let code = text.bytes();
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', code.get(at..).unwrap_or_default()) {
        at += len;
        if is_byte_escape(byte(code, at + 1)) {
            return true;
        }
        at += 2;
    }
    false
}

fn is_byte_escape(letter: u8) -> bool {
    matches!(letter, b'x' | b'u' | b'0'..=b'7')
}

/// Whether a string has a line break, or a backslash that begins an escape inside it.
fn wraps(body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', body.get(at..).unwrap_or_default()) {
        at += len;
        match byte(body, at + 1) {
            b'n' => return true,
            b'\\' if byte(body, at + 2) == b'n' => return true,
            b'\\' if is_byte_escape(byte(body, at + 2)) => return true,
            _ => at += 2,
        }
    }
    false
}
