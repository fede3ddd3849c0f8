//! From the input's bytes to text that the notations can be looked for in.
//!
//! In: raw bytes. Out: the same text without what terminals, browsers and mail programs put into
//! it (colour codes, byte order marks, hard spaces, curly quotes), and the way back from each of
//! its bytes to the character of the paste. Or the finding that the input is no text.
//!
//! It does not look at what the text says.

use std::ops::Range;

use super::charset;
use super::reading::{NotText, Place};
use super::typography::replacement;

/// A paste, cleaned.
pub(super) struct Text {
    source: String,
    clean: Vec<u8>,
    /// (offset in `clean`, offset in `source`) where the two begin to run in step again, ascending.
    steps: Vec<(usize, usize)>,
    swaps: Vec<Swap>,
}

/// A character of the paste in whose place the clean text has others, which a string may mean as it
/// was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Swap {
    /// Where the characters in its place stand in the clean text.
    pub(super) at: Range<usize>,
    /// The character as it was pasted.
    pub(super) was: Box<[u8]>,
}

impl Text {
    /// Tells text from raw bytes, and cleans it.
    pub(super) fn new(input: &[u8]) -> Result<Text, NotText> {
        charset::text(input).map(|source| Text::cleaned(line_ends(source)))
    }

    /// The cleaned text.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.clean
    }

    /// The characters that were replaced by others, ascending.
    pub(super) fn swaps(&self) -> &[Swap] {
        &self.swaps
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

    /// Begins to replace pieces of the clean text.
    pub(super) fn edit(&self) -> Edit<'_> {
        Edit {
            locator: self.locator(),
            from: 0,
            clean: Vec::with_capacity(self.clean.len()),
            steps: vec![(0, 0)],
        }
    }

    fn cleaned(source: String) -> Text {
        let mut clean = Vec::with_capacity(source.len());
        let mut steps = vec![(0, 0)];
        let mut swaps = Vec::new();
        let bytes = source.as_bytes();
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (skip, put) = replacement(rest, &clean);
            if skip == 0 {
                clean.extend(rest.first());
                at += 1;
                continue;
            }
            if !put.is_empty() {
                swaps.push(Swap {
                    at: clean.len()..clean.len() + put.len(),
                    was: rest.get(..skip).unwrap_or_default().into(),
                });
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
            swaps,
        }
    }
}

/// The text with a line feed wherever a carriage return alone ends a line, as terminals send it for
/// the lines of a paste. Offsets do not move. Those in front of a line feed belong to it.
fn line_ends(source: String) -> String {
    if memchr::memchr(b'\r', source.as_bytes()).is_none() {
        return source;
    }
    let mut ended = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let inner = match content.len() < line.len() {
            true => content.trim_end_matches('\r'),
            false => content,
        };
        ended.extend(inner.chars().map(|c| if c == '\r' { '\n' } else { c }));
        ended.push_str(line.get(inner.len()..).unwrap_or_default());
    }
    ended
}

/// A clean text in which pieces are replaced, from the first to the last.
pub(super) struct Edit<'a> {
    locator: Locator<'a>,
    /// Offset of the old text from which nothing is taken over yet.
    from: usize,
    clean: Vec<u8>,
    steps: Vec<(usize, usize)>,
}

impl Edit<'_> {
    /// Puts other bytes in the place of a piece behind the ones replaced before.
    pub(super) fn replace(&mut self, piece: Range<usize>, put: &[u8]) {
        self.keep(piece.start);
        self.step(piece.start);
        self.clean.extend_from_slice(put);
        self.from = piece.end;
    }

    /// The edited text.
    pub(super) fn done(mut self) -> Text {
        self.keep(self.locator.text.clean.len());
        Text {
            source: self.locator.text.source.clone(),
            clean: self.clean,
            steps: self.steps,
            // Strings that were opened mean what they look like.
            swaps: Vec::new(),
        }
    }

    /// Takes the old text over up to `end`.
    fn keep(&mut self, end: usize) {
        let mut from = self.from;
        while from < end {
            self.step(from);
            // As far as old text and source run in step.
            let next = self.locator.next_step(from).min(end);
            let text = self.locator.text;
            let kept = text.clean.get(from..next).unwrap_or_default();
            self.clean.extend_from_slice(kept);
            from = next;
        }
        self.from = end;
    }

    /// Notes that what comes next is from `offset` of the old text.
    fn step(&mut self, offset: usize) {
        let source = self.locator.source_offset(offset);
        self.steps.push((self.clean.len(), source));
    }
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

    /// The offset behind `offset` at which cleaned text and source are out of step.
    fn next_step(&mut self, offset: usize) -> usize {
        self.source_offset(offset);
        let next = self.text.steps.get(self.step + 1);
        next.map_or(usize::MAX, |&(clean, _)| clean)
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
    fn a_carriage_return_alone_ends_a_line() {
        for (paste, cleaned) in [
            ("ab\rcd\r", "ab\ncd\n"),
            ("ab\r\rcd", "ab\n\ncd"),
            ("ab\r\ncd\r\n", "ab\r\ncd\r\n"),
            ("ab\r\r\ncd", "ab\r\r\ncd"),
        ] {
            assert_eq!(clean(paste), cleaned, "{paste:?}");
        }
        let text = Text::new("größe\r00 zz\r01".as_bytes()).unwrap();
        let mut locator = text.locator();
        let at = |what: &[u8]| memchr::memmem::find(text.bytes(), what).unwrap();
        assert_eq!(locator.place(at(b"zz")).to_string(), "2:4");
        assert_eq!(locator.place(at(b"01")).to_string(), "3:1");
        assert_eq!(locator.place(at(b"00")).to_string(), "2:1");
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
