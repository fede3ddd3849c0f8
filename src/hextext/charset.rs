//! Which character set the input is in, and whether it is text at all.
//!
//! In: raw bytes. Out: a string, or the byte that shows that there is none. UTF-16 is known by its
//! byte order mark, or by nothing but ASCII in every second byte; anything else is UTF-8 with at
//! most a few odd bytes in a long text.

use super::reading::NotText;

/// Fewest characters that are taken for UTF-16 without a mark.
const FEWEST: usize = 8;

/// Tells text from raw bytes.
pub(super) fn text(input: &[u8]) -> Result<String, NotText> {
    if let Some(source) = utf16(input) {
        return Ok(source);
    }
    match std::str::from_utf8(input) {
        Ok(source) => match control(input) {
            Some(not_text) => Err(not_text),
            None => Ok(source.to_owned()),
        },
        Err(error) => lenient(input, error.valid_up_to()),
    }
}

/// Text in UTF-16, as PowerShell writes it.
fn utf16(input: &[u8]) -> Option<String> {
    let (marked, unit): (_, fn([u8; 2]) -> u16) = match input {
        [0xff, 0xfe, rest @ ..] => (Some(rest), u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => (Some(rest), u16::from_be_bytes),
        [_, 0, ..] => (None, u16::from_le_bytes),
        _ => (None, u16::from_be_bytes),
    };
    let (pairs, odd) = marked.unwrap_or(input).as_chunks::<2>();
    if !odd.is_empty() {
        return None;
    }
    let is_ascii = |unit: u16| matches!(unit, 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
    let is_sure = pairs.len() >= FEWEST && pairs.iter().all(|pair| is_ascii(unit(*pair)));
    if marked.is_none() && !is_sure {
        return None;
    }
    let text = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .ok()?;
    (!text.contains('\0')).then_some(text)
}

fn is_control(byte: u8) -> bool {
    byte < 0x20
        && !matches!(
            byte,
            b'\t' | b'\n' | b'\r' | 0x07 | 0x08 | 0x0b | 0x0c | 0x1b
        )
}

/// The control character that shows that valid UTF-8 is no text all the same.
fn control(input: &[u8]) -> Option<NotText> {
    let at = input.iter().position(|&byte| is_control(byte))?;
    let count = input.iter().filter(|&&byte| is_control(byte)).count();
    // One stray control character in a long log is no message; a NUL is in no text, and a message
    // without one is too short to matter.
    let stray = count * 200 < input.len() && at >= 16 && !input.contains(&0);
    let byte = input.get(at).copied()?;
    (!stray).then_some(NotText { at, byte })
}

/// Reads text that is not quite UTF-8 (a Latin-1 comment, a cut character), or finds it binary.
fn lenient(input: &[u8], at: usize) -> Result<String, NotText> {
    let byte = input.get(at).copied().unwrap_or_default();
    let not_text = NotText { at, byte };
    if let Some(found) = control(input) {
        return Err(found);
    }
    // A message without a NUL is rare, but a fragment such as a varint is not; in text the first
    // odd byte comes late and there are few.
    let mut text = String::with_capacity(input.len());
    let mut invalid = 0;
    for chunk in input.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            invalid += chunk.invalid().len();
            // Not U+FFFD: that one means that the paste itself had been damaged before.
            text.push('\u{bf}');
        }
    }
    if at < 16 || invalid * 100 > input.len() {
        return Err(not_text);
    }
    Ok(text)
}
