//! JSON that is safe to show: what `escape` hides in text, JSON spells `\uXXXX`.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::escape::is_hidden;

/// Writes `value` as JSON on one line. The parsed value is the same as with plain `serde_json`,
/// which escapes the C0 controls only, and leaves terminals the rest of what steers them.
pub fn write_json(out: impl io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping))
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let is_plain = |byte| matches!(byte, b' '..=b'~');
        if fragment.bytes().all(is_plain) {
            return out.write_all(fragment.as_bytes());
        }
        let mut utf8 = [0; 4];
        let mut utf16 = [0; 2];
        for c in fragment.chars() {
            if is_hidden(c) {
                for unit in c.encode_utf16(&mut utf16) {
                    write!(out, "\\u{unit:04x}")?;
                }
            } else {
                out.write_all(c.encode_utf8(&mut utf8).as_bytes())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_passes_and_nothing_is_lost() {
        let text = "a\x1b\x7f\u{9b}\u{202e}\u{e0001}日本\"\\";
        let mut line = Vec::new();
        write_json(&mut line, &text).unwrap();
        let line = String::from_utf8(line).unwrap();
        assert_eq!(
            line,
            "\"a\\u001b\\u007f\\u009b\\u202e\\udb40\\udc01日本\\\"\\\\\""
        );
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }
}
