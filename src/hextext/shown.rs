//! Bytes as terminals, editors and addresses show them, among characters that stand for themselves:
//! `^@^@^@^RM-^?` (`cat -v`, vim), `<86>` (less), `%00%12` (addresses), `&#0;` (web pages).
//!
//! In: scanned text. Out: one sketch with a part for every run of it. A run begins with the first
//! byte that is spelled; in a line of its own it goes to the line's end, else to the end of the word
//! of the last. What is said with two characters may be those two characters, so nothing here is
//! certain, and a remark says so.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::list::hex_value;
use super::reading::Family;
use super::scan::{Scan, byte, line_end, slice};

/// Fewest spelled bytes that are no accident.
const FEWEST: usize = 4;

/// Blanks in front of a line that is all of a run.
const MOST_INDENT: usize = 256;

/// A way to show bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Caret,
    Percent,
    Entity,
}

impl Style {
    fn mark(self) -> &'static [u8] {
        match self {
            Style::Caret => b"^@",
            Style::Percent => b"%",
            Style::Entity => b"&#",
        }
    }

    /// The byte that is spelled at `at`, and the length of its spelling.
    fn unit(self, code: &[u8], at: usize) -> Option<(u8, usize)> {
        match self {
            Style::Caret => caret(code, at),
            Style::Percent => match slice(code, at..at + 3) {
                [b'%', high, low] => Some((pair(*high, *low)?, 3)),
                _ => None,
            },
            Style::Entity => entity(code, at),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Style::Caret => "cat -v",
            Style::Percent => "percent-encoding",
            Style::Entity => "numeric entities",
        }
    }

    /// What may be read wrong.
    fn doubt(self) -> &'static str {
        match self {
            Style::Caret => "`^@`, `M-^?` and the like may also be characters of the text itself",
            Style::Percent => "`+` is taken as it is; in forms it is a blank",
            Style::Entity => "characters above U+00FF are not bytes",
        }
    }
}

/// Looks for shown bytes.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    for style in [Style::Caret, Style::Percent, Style::Entity] {
        let mut reader = Reader {
            code: &scan.code,
            style,
            parts: Vec::new(),
            units: 0,
            nuls: 0,
            doubtful: None,
        };
        if memchr::memmem::find(&scan.code, style.mark()).is_some() {
            reader.read();
        }
        reader.join_lines();
        // A message has a length in front, which begins with a NUL.
        if reader.units < FEWEST || reader.nuls == 0 {
            continue;
        }
        let first = reader.parts.first().and_then(|part| part.at.first());
        let doubt = reader.doubtful.or(first.copied()).unwrap_or(0);
        found.add(Sketch {
            family: Family::Escaped,
            notation: style.name(),
            confidence: 88,
            why: format!(
                "{} bytes are spelled, {} of them NUL",
                reader.units, reader.nuls
            ),
            remarks: match (style, reader.doubtful) {
                (Style::Percent, None) => Vec::new(),
                _ => vec![(doubt, style.doubt().to_owned())],
            },
            parts: reader.parts,
            comments: scan.comments.clone(),
        });
    }
}

struct Reader<'a> {
    code: &'a [u8],
    style: Style,
    parts: Vec<Draft>,
    units: usize,
    nuls: usize,
    /// The first character that may mean another byte.
    doubtful: Option<usize>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        // End of the run before, if it took all of its line.
        let mut last_end = None;
        let mut line = 0..line_end(self.code, 0);
        while at < self.code.len() {
            while line.end < at {
                line = line.end + 1..line_end(self.code, line.end + 1);
            }
            if self.style.unit(self.code, at).is_none() {
                at += 1;
                continue;
            }
            let run = match last_end {
                // A line goes on with the one before it, which ended where it ends.
                Some(end) if end + 1 == line.start => line.clone(),
                _ => self.run(at, &line),
            };
            at = run.end.max(at + 1);
            let mut part = Draft::default();
            self.take(run, &mut part);
            self.lines(&mut at, &mut part);
            let is_line = self.style == Style::Caret && byte(self.code, at) == b'\n';
            last_end = is_line.then_some(at);
            self.parts.push(part);
        }
    }

    /// The run that begins at `start` of a line.
    fn run(&self, start: usize, line: &Range<usize>) -> Range<usize> {
        let end = line.end;
        let before = slice(
            self.code,
            line.start..line.end.min(line.start + MOST_INDENT),
        );
        let indent = before.iter().take_while(|byte| byte.is_ascii_whitespace());
        if self.style == Style::Caret && line.start + indent.count() == start {
            let text = slice(self.code, start..end);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            return start..start + text.len();
        }
        let mut last = start;
        let mut at = start;
        while at < end {
            match self.style.unit(self.code, at) {
                Some((_, len)) => {
                    at += len;
                    last = at;
                }
                None if self.is_end(byte(self.code, at)) => break,
                None => at += 1,
            }
        }
        let rest = slice(self.code, last..end).iter();
        let tail = rest.take_while(|byte| !self.is_end(**byte) && !byte.is_ascii_whitespace());
        start..last + tail.count()
    }

    fn is_end(&self, byte: u8) -> bool {
        match self.style {
            Style::Caret => b"\"'`".contains(&byte),
            Style::Entity => byte.is_ascii_whitespace(),
            Style::Percent => byte.is_ascii_whitespace() || b"\"'`&#<>".contains(&byte),
        }
    }

    fn take(&mut self, run: Range<usize>, part: &mut Draft) {
        let mut at = run.start;
        while at < run.end {
            let (value, len) = match self.style.unit(self.code, at) {
                Some((value, len)) => {
                    self.units += 1;
                    self.nuls += usize::from(value == 0);
                    (value, len)
                }
                None => {
                    let value = byte(self.code, at);
                    if self.style == Style::Percent && value == b'+' {
                        self.doubtful = self.doubtful.or(Some(at));
                    }
                    (value, 1)
                }
            };
            part.push(value, at);
            at += len;
        }
    }

    /// `cat -v` prints a line break as it is: lines are one message if only that makes it whole.
    fn join_lines(&mut self) {
        let mut joined = Draft::default();
        for part in &self.parts {
            if let (Style::Caret, Some(&last)) = (self.style, joined.at.last()) {
                joined.push(b'\n', line_end(self.code, last));
            }
            joined.bytes.extend_from_slice(&part.bytes);
            joined.at.extend_from_slice(&part.at);
        }
        if joined.is_frame() {
            self.parts = vec![joined];
        }
    }

    /// Goes on with the lines that follow, as long as `cat -A` marks their ends.
    fn lines(&mut self, at: &mut usize, part: &mut Draft) {
        while self.style == Style::Caret && part.bytes.last() == Some(&b'$') {
            // The sign stands for the byte that breaks the line.
            let sign = part.at.last().copied().unwrap_or(0);
            part.truncate(part.bytes.len() - 1);
            let is_last = slice(self.code, *at..self.code.len())
                .trim_ascii()
                .is_empty();
            if !(is_last && part.is_frame()) {
                part.push(b'\n', sign);
            }
            let next = line_end(self.code, *at) + 1;
            if is_last || next >= self.code.len() {
                return;
            }
            let run = next..line_end(self.code, next);
            *at = run.end;
            self.take(run, part);
        }
    }
}

/// `^@`, `^?`, `M-^@`, `M-a`, `<86>`.
fn caret(code: &[u8], at: usize) -> Option<(u8, usize)> {
    let control = |letter: u8| match letter {
        b'?' => Some(0x7f),
        b'@'..=b'_' => Some(letter - b'@'),
        _ => None,
    };
    match slice(code, at..code.len().min(at + 4)) {
        [b'M', b'-', b'^', letter] => Some((control(*letter)? | 0x80, 4)),
        [b'M', b'-', letter @ 0x20..=0x7e, ..] => Some((letter | 0x80, 3)),
        [
            b'<',
            high @ (b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F'),
            low,
            b'>',
        ] => Some((pair(*high, *low)?, 4)),
        [b'^', letter, ..] => Some((control(*letter)?, 2)),
        _ => None,
    }
}

/// `&#0;`, `&#x12;`.
fn entity(code: &[u8], at: usize) -> Option<(u8, usize)> {
    let text = slice(code, at..code.len().min(at + 10));
    let inner = text.strip_prefix(b"&#")?;
    let len = memchr::memchr(b';', inner)?;
    let digits = std::str::from_utf8(inner.get(..len)?).ok()?;
    let value = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    Some((value.ok()?, len + 3))
}

fn pair(high: u8, low: u8) -> Option<u8> {
    let is_hex = high.is_ascii_hexdigit() && low.is_ascii_hexdigit();
    is_hex.then(|| hex_value(high) << 4 | hex_value(low))
}
