//! Untrusted text made safe to show.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// Bytes as text: printable UTF-8 as it is, all else as escapes. Control and format characters
/// (which move the cursor, hide text or turn its direction) never pass.
pub fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        push_escaped(&mut out, chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Like [`escape`] for text that is known to be UTF-8.
pub fn escape_str(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text);
    out
}

/// Like [`escape_str`] for text that no quotes stand around, so that its own need no backslash.
pub fn escape_sentence(text: &str) -> String {
    escape_str(text).replace("\\\"", "\"")
}

/// Like [`escape_sentence`] for text of people who sit at the terminal, whose backslashes stay, too.
pub fn escape_typed(text: &str) -> String {
    escape_sentence(text).replace("\\\\", "\\")
}

/// Appends text as [`escape_str`] gives it.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ if is_hidden(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

/// Whether a character takes no room or acts on its neighbours.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control() || c.width().unwrap_or(0) == 0 || matches!(c, '\u{2028}' | '\u{2029}')
        // Marks that turn or isolate text direction.
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_a_sentence_stay_as_they_are() {
        assert_eq!(escape_sentence("api == \"a\u{1b}\""), "api == \"a\\u{1b}\"");
    }

    #[test]
    fn nothing_that_steers_a_terminal_passes() {
        assert_eq!(escape(b"a\x1b[2J\"b\\"), "a\\u{1b}[2J\\\"b\\\\");
        assert_eq!(escape(b"\xff\xc3\xa9"), "\\xff\u{e9}");
        assert_eq!(
            escape_str("\u{202e}x\u{7f}\u{9b}"),
            "\\u{202e}x\\u{7f}\\u{9b}"
        );
        assert_eq!(escape_str("日本\n"), "日本\\n");
    }
}
