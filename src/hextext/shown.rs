//! Bytes as terminals, editors and addresses show them, among characters that stand for themselves:
//! `^@^@^@^RM-^?` (`cat -v`, vim), `<86>` (less), `%00%12` (addresses), `&#0;` (web pages),
//! `=00=12` (mail).
//!
//! In: scanned text. Out: one sketch with a part for every run of it. A run begins with the first
//! byte that is spelled; in a line of its own it goes to the line's end, else to the end of the word
//! of the last. What is said with two characters may be those two characters, so nothing here is
//! certain, and a remark says so.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::hex_value;
use super::scan::{Scan, byte, line_end, slice};

/// Fewest spelled bytes that are no accident.
const FEWEST: usize = 4;

/// Blanks in front of a line that is all of a run.
const MOST_INDENT: usize = 256;

/// A way to show bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Caret,
    Angle,
    /// As above, and control characters with carets.
    AngleCaret,
    Percent,
    Entity,
    Mail,
}

impl Style {
    fn mark(self) -> &'static [u8] {
        match self {
            Style::Caret => b"^@",
            Style::Angle | Style::AngleCaret => b"<00>",
            Style::Percent => b"%",
            Style::Entity => b"&#",
            Style::Mail => b"=00",
        }
    }

    /// The byte that is spelled at `at`, and the length of its spelling.
    fn unit(self, code: &[u8], at: usize) -> Option<(u8, usize)> {
        match self {
            Style::Caret => caret(code, at),
            Style::Angle => angle(code, at),
            Style::AngleCaret => angle(code, at).or_else(|| caret(code, at)),
            Style::Percent | Style::Mail => match slice(code, at..at + 3) {
                [b'%', high, low] if self == Style::Percent => Some((pair(*high, *low)?, 3)),
                [b'=', high, low] if self == Style::Mail => Some((pair(*high, *low)?, 3)),
                _ => None,
            },
            Style::Entity => entity(code, at),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Style::Caret => "cat -v",
            Style::Angle | Style::AngleCaret => "hex in angle brackets",
            Style::Percent => "percent-encoding",
            Style::Entity => "numeric entities",
            Style::Mail => "quoted-printable",
        }
    }

    /// Whether the bytes that break lines break them here too.
    fn keeps_lines(self) -> bool {
        matches!(
            self,
            Style::Caret | Style::Angle | Style::AngleCaret | Style::Mail
        )
    }

    /// What may be read wrong.
    fn doubt(self) -> &'static str {
        match self {
            Style::Caret => "`^@`, `M-^?` and the like may also be characters of the text itself",
            Style::Angle | Style::AngleCaret => {
                "`<00>` and the like may also be characters of the text itself"
            }
            Style::Mail => "`=00` and the like may also be characters of the text itself",
            Style::Percent => "`+` is taken as it is; in forms it is a blank",
            Style::Entity => "characters above U+00FF are not bytes",
        }
    }
}

/// Looks for shown bytes.
pub(super) fn find(scan: &Scan, raw: &Scan, found: &mut Findings) {
    for style in [
        Style::Caret,
        Style::Angle,
        Style::AngleCaret,
        Style::Percent,
        Style::Entity,
        Style::Mail,
    ] {
        let mut reader = Reader {
            code: &scan.code,
            style,
            parts: Vec::new(),
            units: 0,
            nuls: 0,
            is_mixed: false,
            doubtful: None,
        };
        if memchr::memmem::find(&scan.code, style.mark()).is_some() {
            reader.read();
        }
        reader.join_lines(&raw.code);
        // A message has a length in front, which begins with a NUL.
        if reader.units < FEWEST || reader.nuls == 0 {
            continue;
        }
        // Pairs with brackets around them, and nothing else.
        let in_angles = matches!(style, Style::Angle | Style::AngleCaret);
        if in_angles && !reader.is_mixed {
            continue;
        }
        // Whether carets are themselves there, only the length of the message tells.
        let is_whole = in_angles && reader.parts.iter().all(Draft::is_frame);
        let first = reader.parts.first().and_then(|part| part.at.first());
        let doubt = reader.doubtful.or(first.copied()).unwrap_or(0);
        found.add(Sketch {
            family: Family::Escaped,
            notation: style.name(),
            confidence: if is_whole { 89 } else { 88 },
            why: format!(
                "{} bytes are spelled, {} of them NUL",
                reader.units, reader.nuls
            ),
            remarks: match (style, reader.doubtful) {
                (Style::Percent | Style::Mail, None) => Vec::new(),
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
    /// Whether characters stand for themselves, other than blanks.
    is_mixed: bool,
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
            let is_line = self.style.keeps_lines() && byte(self.code, at) == b'\n';
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
        if self.style.keeps_lines() && line.start + indent.count() == start {
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
            Style::Caret | Style::Angle | Style::AngleCaret => b"\"'`".contains(&byte),
            Style::Mail => byte.is_ascii_whitespace() || b"\"'`".contains(&byte),
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
                    self.is_mixed |= !value.is_ascii_whitespace();
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

    /// A line break is printed as it is: lines are one message if only that makes it whole, with what
    /// looked like comments in them.
    fn join_lines(&mut self, raw: &[u8]) {
        let first = self.parts.iter().find_map(|part| part.at.first().copied());
        let last = self
            .parts
            .iter()
            .rev()
            .find_map(|part| part.at.last().copied());
        let (Some(first), Some(last), true) = (first, last, self.style.keeps_lines()) else {
            return;
        };
        if self.parts.iter().all(Draft::is_frame) {
            return;
        }
        let mut joined = Draft::default();
        let mut at = first;
        let mut end = line_end(raw, last);
        // `cat -A` marks the end of every line, but for a last one that has none.
        let text = slice(raw, first..end);
        let breaks = memchr::memchr_iter(b'\n', text);
        let is_marked = self.style == Style::Caret
            && memchr::memchr(b'\n', text).is_some()
            && breaks
                .map(|at| at.wrapping_sub(1))
                .all(|at| byte(text, at) == b'$');
        let ends_marked = is_marked && text.ends_with(b"$");
        end -= usize::from(ends_marked);
        while at < end {
            let here = byte(raw, at);
            let rest = slice(raw, at..end.min(at + 3));
            at += match self.style.unit(raw, at) {
                Some((value, len)) => {
                    joined.push(value, at);
                    len
                }
                None if self.style == Style::Mail && rest.starts_with(b"=\n") => 2,
                None if self.style == Style::Mail && rest == b"=\r\n" => 3,
                None if rest.starts_with(b"\r\n") => 1,
                None if is_marked && rest.starts_with(b"$\n") => 1,
                None => {
                    joined.push(here, at);
                    1
                }
            };
        }
        // A soft break at its end breaks nothing, and the last `$` of `cat -A` may not either.
        if joined.bytes.last() == Some(&b'=') && self.style == Style::Mail {
            joined.truncate(joined.bytes.len() - 1);
        }
        if ends_marked && !joined.is_frame() {
            joined.push(b'\n', end);
        }
        if joined.is_frame() {
            self.parts = vec![joined];
        }
    }

    /// Goes on with the lines that follow, as long as a mail's `=` says that they are no lines.
    fn soft_lines(&mut self, at: &mut usize, part: &mut Draft) {
        while self.style == Style::Mail && part.bytes.last() == Some(&b'=') {
            let sign = part.at.last().copied().unwrap_or(0);
            if byte(self.code, sign + 1).is_ascii_hexdigit() {
                return;
            }
            part.truncate(part.bytes.len() - 1);
            let next = line_end(self.code, *at) + 1;
            if next >= self.code.len() {
                return;
            }
            let line = slice(self.code, next..line_end(self.code, next));
            let len = line.strip_suffix(b"\r").unwrap_or(line).len();
            *at = next + len;
            self.take(next..next + len, part);
        }
    }

    /// Goes on with the lines that follow, as long as `cat -A` marks their ends.
    fn lines(&mut self, at: &mut usize, part: &mut Draft) {
        self.soft_lines(at, part);
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

/// `<00>`.
fn angle(code: &[u8], at: usize) -> Option<(u8, usize)> {
    match slice(code, at..at + 4) {
        [b'<', high, low, b'>'] => Some((pair(*high, *low)?, 4)),
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
