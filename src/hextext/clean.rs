//! From the input's bytes to text that the notations can be looked for in.
//!
//! In: raw bytes. Out: the same text without what terminals, browsers and mail programs put into
//! it (colour codes, byte order marks, hard spaces, curly quotes), and the way back from each of
//! its bytes to the character of the paste. Or the finding that the input is no text.
//!
//! It does not look at what the text says.

use super::reading::{NotText, Place};

/// A paste, cleaned.
pub(super) struct Text {
    source: String,
    clean: Vec<u8>,
    /// (offset in `clean`, offset in `source`) where the two begin to run in step again, ascending.
    steps: Vec<(usize, usize)>,
}

impl Text {
    /// Tells text from raw bytes, and cleans it.
    pub(super) fn new(input: &[u8]) -> Result<Text, NotText> {
        if let Some(source) = utf16(input) {
            return Ok(Text::cleaned(source));
        }
        match std::str::from_utf8(input) {
            Ok(source) => match control(input) {
                Some(at) => Err(at),
                None => Ok(Text::cleaned(source.to_owned())),
            },
            Err(error) => lenient(input, error.valid_up_to()).map(Text::cleaned),
        }
    }

    /// The cleaned text.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.clean
    }

    /// Finds the places of offsets; cheap as long as the offsets mostly rise.
    pub(super) fn locator(&self) -> Locator<'_> {
        Locator {
            text: self,
            step: 0,
            at: 0,
            place: Place { line: 1, column: 1 },
        }
    }

    fn cleaned(source: String) -> Text {
        let mut clean = Vec::with_capacity(source.len());
        let mut steps = vec![(0, 0)];
        let bytes = source.as_bytes();
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (skip, put) = replacement(rest, &clean);
            if skip == 0 {
                clean.extend(rest.first());
                at += 1;
                continue;
            }
            clean.extend_from_slice(put);
            at += skip;
            if skip != put.len() {
                steps.push((clean.len(), at));
            }
        }
        Text {
            source,
            clean,
            steps,
        }
    }
}

/// How many bytes at the start of `rest` are replaced, and by what; `(0, _)` keeps the byte.
fn replacement(rest: &[u8], before: &[u8]) -> (usize, &'static [u8]) {
    match rest {
        [0x1b, ..] => (escape_len(rest), b""),
        // Copying from a terminal often loses the escape character and keeps what it began.
        [b'[', ..] if !is_spelled(before) => (colour_len(rest), b""),
        [0x07 | 0x08, ..] => (1, b""),
        [0xc2, 0xa0, ..] => (2, b" "),
        [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xef, 0xbb, 0xbf, ..] | [0xe2, 0x81, 0xa0, ..] => (3, b""),
        [0xe2, 0x80, 0x80..=0x8a | 0xaf, ..] => (3, b" "),
        [0xe2, 0x80, 0x90..=0x94, ..] => (3, b"-"),
        [0xe2, 0x80, 0x98 | 0x99, ..] => (3, b"'"),
        [0xe2, 0x80, 0x9c | 0x9d, ..] => (3, b"\""),
        [0xe2, 0x80, 0xa6, ..] => (3, b"..."),
        _ => (0, b""),
    }
}

/// Whether an escape character stands before as an escape of a string, which is data.
fn is_spelled(before: &[u8]) -> bool {
    let spellings: [&[u8]; 5] = [b"x1b", b"x1B", b"033", b"\\e", b"u001b"];
    spellings.iter().any(|spelling| before.ends_with(spelling))
}

/// Length of the terminal sequence that `rest` starts with.
fn escape_len(rest: &[u8]) -> usize {
    let tail = |from: usize| rest.get(from..).unwrap_or_default();
    match rest.get(1) {
        Some(b'[') => {
            let body = tail(2);
            let len = body
                .iter()
                .take(64)
                .position(|byte| (0x40..=0x7e).contains(byte))
                .map_or(0, |len| len + 1);
            2 + len
        }
        // A title or a link: up to BEL or ESC \.
        Some(b']') => {
            let body = tail(2);
            let len = body
                .iter()
                .take(2048)
                .position(|&byte| byte == 0x07 || byte == 0x1b);
            match len {
                Some(len) if body.get(len) == Some(&0x1b) => 2 + len + 2.min(body.len() - len),
                Some(len) => 2 + len + 1,
                None => 2,
            }
        }
        Some(b'(' | b')') => 3.min(rest.len()),
        Some(byte) if byte.is_ascii() => 2,
        _ => 1,
    }
}

/// Length of a colour code without its escape character: `[33m`, `[1;31m`.
fn colour_len(rest: &[u8]) -> usize {
    let body = rest.get(1..).unwrap_or_default();
    let digits = body
        .iter()
        .take(20)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    if digits > 0 && body.get(digits) == Some(&b'm') {
        digits + 2
    } else {
        0
    }
}

/// Text in UTF-16 with a byte order mark, as PowerShell writes it.
fn utf16(input: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match input {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, odd) = input.get(2..)?.as_chunks::<2>();
    if !odd.is_empty() {
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

/// Turns offsets in the cleaned text into places of the paste.
pub(super) struct Locator<'a> {
    text: &'a Text,
    step: usize,
    /// Offset in the source that `place` is the place of.
    at: usize,
    place: Place,
}

impl Locator<'_> {
    /// The place of the character at `offset` of the cleaned text.
    pub(super) fn place(&mut self, offset: usize) -> Place {
        let target = self.source_offset(offset).min(self.text.source.len());
        let source = self.text.source.as_bytes();
        if target < self.at {
            self.rewind(source, target);
        }
        let passed = source.get(self.at..target).unwrap_or_default();
        for &byte in passed {
            if byte == b'\n' {
                self.place.line = self.place.line.saturating_add(1);
                self.place.column = 1;
            } else if byte & 0xc0 != 0x80 {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        self.at = target;
        self.place
    }

    /// Goes back to the start of the line of `target`.
    fn rewind(&mut self, source: &[u8], target: usize) {
        let passed = source.get(target..self.at).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', passed).count();
        if lines == 0 {
            let chars = passed.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
            self.place.column = self.place.column.saturating_sub(chars as u32).max(1);
            self.at = target;
            return;
        }
        let before = source.get(..target).unwrap_or_default();
        self.at = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        self.place.line = self.place.line.saturating_sub(lines as u32).max(1);
        self.place.column = 1;
    }

    fn source_offset(&mut self, offset: usize) -> usize {
        let steps = &self.text.steps;
        while steps
            .get(self.step + 1)
            .is_some_and(|&(clean, _)| clean <= offset)
        {
            self.step += 1;
        }
        while self.step > 0
            && steps
                .get(self.step)
                .is_some_and(|&(clean, _)| clean > offset)
        {
            self.step -= 1;
        }
        steps.get(self.step).map_or(offset, |&(clean, source)| {
            source + offset.saturating_sub(clean)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        String::from_utf8(Text::new(text.as_bytes()).unwrap().clean).unwrap()
    }

    #[test]
    fn colours_go_and_places_stay() {
        let paste = "\u{1b}[33mab\u{1b}[0m\n[36mcd[0m \u{201c}x\u{201d}";
        let text = Text::new(paste.as_bytes()).unwrap();
        assert_eq!(text.bytes(), b"ab\ncd \"x\"");
        let mut locator = text.locator();
        assert_eq!(locator.place(0).to_string(), "1:6");
        assert_eq!(locator.place(3).to_string(), "2:5");
        assert_eq!(locator.place(7).to_string(), "2:12");
        assert_eq!(locator.place(4).to_string(), "2:6");
        assert_eq!(locator.place(1).to_string(), "1:7");
    }

    #[test]
    fn a_colour_inside_a_string_stays() {
        assert_eq!(clean(r"b'\x1b[0m'"), r"b'\x1b[0m'");
        assert_eq!(clean("[12, 13]"), "[12, 13]");
    }

    #[test]
    fn bytes_are_told_from_text() {
        assert!(Text::new(&[0, 0, 0, 4]).is_err());
        assert!(Text::new(&[0xa2, 0xd9, 0x9e, 0xea, 0x82, 0x68]).is_err());
        assert!(Text::new(b"\x01\x02abc").is_err());
        assert!(Text::new(b"00 00 00 12").is_ok());
        assert!(Text::new("00 00 00 12 // größe".as_bytes()).is_ok());
        let mut latin1 =
            b"00 00 00 12 00 03 00 00 00 00 00 01 // the size of the request, which counts \
            from behind the prefix, gr"
                .to_vec();
        latin1.extend([0xf6, b'e']);
        assert!(Text::new(&latin1).is_ok());
    }

    #[test]
    fn powershell_text_is_text() {
        let mut paste = vec![0xff, 0xfe];
        paste.extend("00 12".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(Text::new(&paste).unwrap().bytes(), b"00 12");
    }
}
