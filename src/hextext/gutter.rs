//! What is printed in front of all lines: line numbers of editors, compilers and web pages, and the
//! marks of quoting and of a diff; and the lines between rows that number their columns.
//!
//! In: cleaned text. Out: the same text with all that blanked, so that no number is taken for a byte
//! and no mark parts a list; offsets do not move.
//!
//! Invariant: only numbers that count on by one from line to line go, and only where something
//! other than the rest of a list parts them from it; only marks that all lines have.

use std::borrow::Cow;
use std::ops::Range;

use super::logrows;
use super::prefix;
use super::scan::{byte, line_end, line_start, slice};

/// Fewest lines that count as numbered; with a rule between number and line, one less.
const FEWEST: usize = 3;

/// Fewest numbers with a dash in front that are a list.
const FEWEST_BULLETS: usize = 4;

/// Blanks and what stands in front of a heading.
const MOST_HEADING: usize = 80;

/// A number at the start of a line.
struct Number {
    value: u64,
    /// The number with the mark behind it.
    at: Range<usize>,
    /// A rule (`12 | ...`) stands behind it, which nothing else has.
    ruled: bool,
}

/// Blanks line numbers and marks of quoting.
pub(super) fn blank(code: &[u8]) -> Cow<'_, [u8]> {
    let mut rows = Cow::Borrowed(code);
    logrows::blank(&mut rows);
    let mut blanked = match rows {
        Cow::Borrowed(code) => prefix::blank(code),
        Cow::Owned(code) => Cow::Owned(prefix::blank(&code).into_owned()),
    };
    for mark in [b'>', b'+', b'/', b'#', b'*', b'-'] {
        unquote(&mut blanked, mark);
    }
    blank_borders(&mut blanked);
    blank_bullets(&mut blanked);
    let quoted = blanked.clone();
    let code = quoted.as_ref();
    let mut run: Vec<Number> = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let number = number(code, at..end);
        let goes_on = match (&number, run.last()) {
            (Some(number), Some(last)) => {
                number.value == last.value + 1 && number.ruled == last.ruled
            }
            _ => false,
        };
        if !goes_on && !slice(code, at..end).trim_ascii().is_empty() {
            apply(&mut blanked, &run);
            run.clear();
        }
        run.extend(number);
        at = end + 1;
    }
    apply(&mut blanked, &run);
    blank_headings(&mut blanked);
    blanked
}

/// Blanks what Octave and Matlab print in front of rows that are wider than the screen:
/// `Columns 14 through 22:`.
fn blank_headings(code: &mut Cow<'_, [u8]>) {
    let headings: Vec<Range<usize>> = memchr::memmem::find_iter(code.as_ref(), b"Column")
        .map(|at| {
            // No more of a line than a heading has.
            let near = slice(code, at..code.len().min(at + MOST_HEADING));
            let len = memchr::memchr(b'\n', near).unwrap_or(near.len());
            line_start(code, at, MOST_HEADING)..at + len
        })
        .filter(|line| is_heading(slice(code, line.clone())))
        .collect();
    for line in headings {
        if let Some(bytes) = code.to_mut().get_mut(line) {
            bytes.fill(b' ');
        }
    }
}

fn is_heading(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.trim().trim_end_matches(':').split(' ').collect();
    let is_number = |word: &&str| word.parse::<u32>().is_ok();
    match words.as_slice() {
        ["Column", only] => is_number(only),
        ["Columns", first, "through" | "and", last] => is_number(first) && is_number(last),
        _ => false,
    }
}

/// Blanks the marks in front of all lines, of which there are two at least.
fn unquote(code: &mut Cow<'_, [u8]>, mark: u8) {
    let mut marks = Vec::new();
    let mut headings = Vec::new();
    let mut at = 0;
    let mut n_lines = 0;
    let mut has_content = false;
    while at < code.len() {
        let end = line_end(code, at);
        let line = slice(code, at..end);
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        // A sign or the `*` of a dump may stand behind these.
        let len = match mark {
            b'-' | b'*' | b'#' => blanks + 1,
            _ => line
                .iter()
                .take_while(|byte| **byte == mark || **byte == b' ')
                .count(),
        };
        let content = line.get(blanks..).unwrap_or_default();
        let is_quoted = is_mark(content, mark);
        if !line.trim_ascii().is_empty() {
            n_lines += 1;
            // `>>> b'...'` is a prompt, `@@` and `diff` begin a diff.
            let is_heading = mark == b'+' && (line.starts_with(b"@@") || line.starts_with(b"diff"));
            match is_quoted && !line.starts_with(b">>>") {
                true => {
                    has_content |= content.trim_ascii_end().len() > 1;
                    marks.push(at..at + len);
                }
                false if is_heading => {
                    n_lines -= 1;
                    headings.push(at..end);
                }
                false => return,
            }
        }
        at = end + 1;
    }
    let is_diff = !headings.is_empty() && !marks.is_empty();
    if marks.len() < 2 && !is_diff || marks.len() < n_lines || !has_content {
        return;
    }
    for range in marks.into_iter().chain(headings) {
        if let Some(bytes) = code.to_mut().get_mut(range) {
            bytes.fill(b' ');
        }
    }
}

/// Whether a line has a mark of quoting in front of it, and not as a part of what it says.
fn is_mark(line: &[u8], mark: u8) -> bool {
    match (mark, line) {
        (b'>' | b'+', [first, ..]) => *first == mark,
        (b'/', [b'/', b'/', ..]) => true,
        // Alone it quotes an empty line.
        (b'#' | b'*' | b'-', [first] | [first, b' ' | b'\t' | b'\r', ..]) => *first == mark,
        _ => false,
    }
}

/// Blanks lines that only say what stands between them: `-----BEGIN MESSAGE-----`.
fn blank_borders(code: &mut Cow<'_, [u8]>) {
    const RULE: &[u8] = b"-----";
    let borders: Vec<Range<usize>> = memchr::memmem::find_iter(code.as_ref(), b"-----")
        .filter(|at| {
            let before = slice(code, at.saturating_sub(1)..*at);
            matches!(before, [] | b"\n" | b" ")
        })
        .map(|at| {
            let near = slice(code, at..code.len().min(at + MOST_HEADING));
            let len = memchr::memchr(b'\n', near).unwrap_or(near.len());
            at..at + len
        })
        .filter(|line| {
            let words = slice(code, line.clone()).trim_ascii();
            let inner = words.strip_prefix(RULE);
            let inner = inner.and_then(|rest| rest.strip_suffix(RULE));
            inner.is_some_and(|inner| inner.starts_with(b"BEGIN ") || inner.starts_with(b"END "))
        })
        .collect();
    for line in borders {
        if let Some(bytes) = code.to_mut().get_mut(line) {
            bytes.fill(b' ');
        }
    }
}

/// Blanks the dashes in front of numbers, one a line, as YAML and Swift list them: `- 18`.
fn blank_bullets(code: &mut Cow<'_, [u8]>) {
    let mut bullets = Vec::new();
    let mut run = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let line = slice(code, at..end);
        let blanks = line
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let number = line.get(blanks..).and_then(|rest| rest.strip_prefix(b"- "));
        let number = number.and_then(|rest| rest.split(|byte| *byte == b'<').next());
        match number.map(<[u8]>::trim_ascii) {
            Some(number) if is_element(number) => run.push(at + blanks),
            _ if line.trim_ascii().is_empty() => {}
            _ => {
                if run.len() >= FEWEST_BULLETS {
                    bullets.append(&mut run);
                }
                run.clear();
            }
        }
        at = end + 1;
    }
    if run.len() >= FEWEST_BULLETS {
        bullets.append(&mut run);
    }
    for at in bullets {
        if let Some(byte) = code.to_mut().get_mut(at) {
            *byte = b' ';
        }
    }
}

/// A number that can be a byte.
pub(super) fn is_element(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    match digits {
        [b'0', b'x' | b'X', digits @ ..] => {
            (1..=2).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit)
        }
        digits => (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
    }
}

fn apply(code: &mut Cow<'_, [u8]>, run: &[Number]) {
    let is_ruled = run.iter().all(|number| number.ruled);
    if run.len() + usize::from(is_ruled) < FEWEST && !is_all(code, run) {
        return;
    }
    for number in run {
        if let Some(bytes) = code.to_mut().get_mut(number.at.clone()) {
            bytes.fill(b' ');
        }
    }
}

/// The number at the start of a line, if it can be the line's.
fn number(code: &[u8], line: Range<usize>) -> Option<Number> {
    let text = slice(code, line.clone());
    let start = line.start
        + text
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
    let digits = slice(code, start..line.end);
    let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=6).contains(&len) {
        return None;
    }
    let value = std::str::from_utf8(digits.get(..len)?).ok()?.parse().ok()?;
    let end = start + len;
    let blanks = |at: usize| {
        let rest = slice(code, at..line.end);
        rest.iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    };
    let gap = blanks(end);
    let mark = end + gap;
    let ruled = byte(code, mark) == b'|' && mark < line.end;
    let behind = match byte(code, end) {
        _ if ruled => mark + 1,
        b':' | b'.' | b')' if blanks(end + 1) > 0 => end + 1,
        b'\t' => end,
        b' ' if gap >= 2 => end,
        // `1 00 00 00 12`: a number among pairs.
        b' ' if len == 1 && is_pair(slice(code, mark..line.end)) => end,
        _ => return None,
    };
    let rest = slice(code, behind..line.end).trim_ascii();
    (!rest.is_empty()).then_some(Number {
        value,
        at: start..behind,
        ruled,
    })
}

/// Whether a text is one line with the number 1 in front, set off as `cat -n` and editors do.
fn is_all(code: &[u8], run: &[Number]) -> bool {
    let [only] = run else {
        return false;
    };
    let number = slice(code, only.at.clone());
    let before = slice(code, 0..only.at.start);
    let is_set_off = only.ruled || byte(code, only.at.end) == b'\t' && before.len() >= 3;
    let behind = slice(code, line_end(code, only.at.end)..code.len());
    only.value == 1
        && number.starts_with(b"1")
        && is_set_off
        && before.iter().all(u8::is_ascii_whitespace)
        && behind.trim_ascii().is_empty()
}

fn is_pair(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    digits == 2
}

#[cfg(test)]
mod tests {
    fn blank(text: &str) -> String {
        String::from_utf8(super::blank(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn numbers_that_count_lines_go() {
        assert_eq!(blank(" 9 | 00 12\n10 | 00"), "     00 12\n     00");
        assert_eq!(blank("1\ta\n2\tb\n\n3\tc"), " \ta\n \tb\n\n \tc");
        assert_eq!(
            blank("1 00 11\n2 00 11\n3 00 11"),
            "  00 11\n  00 11\n  00 11"
        );
        assert_eq!(blank("x\n8: a\n9: b\n10: c\ny"), "x\n   a\n   b\n    c\ny");
    }

    #[test]
    fn marks_in_front_of_all_lines_go() {
        assert_eq!(blank("> a\n> > b\n>\n> c"), "  a\n    b\n \n  c");
        assert_eq!(blank("@@ -1 +1 @@\n+ a\n+b"), "           \n  a\n b");
        assert_eq!(blank("#\n# a\n#\tb"), " \n  a\n \tb");
        assert_eq!(blank(" *\n * a\n *\tb"), "  \n   a\n  \tb");
        for text in ["*\n*", "* a\n*b"] {
            assert_eq!(blank(text), text);
        }
        for text in ["> 00\n< 00", "> 00", ">>> b'a'\n>>> b'b'", "+ a\nb"] {
            assert_eq!(blank(text), text);
        }
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            "1 2 3\n2 3 4\n3 4 5",
            "0,\n1,\n2,\n3,",
            "01 00 00\n02 00 00\n03 00 00",
            "00000000: 00\n00000010: 00\n00000020: 00",
            "1: 00 00\n3: 00 00\n4: 00 00",
        ] {
            assert_eq!(blank(text), text);
        }
    }
}
