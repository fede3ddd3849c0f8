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

use super::scan::{byte, line_end, line_start, slice};

/// Fewest lines that count as numbered; with a rule between number and line, one less.
const FEWEST: usize = 3;

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
    let mut blanked = Cow::Borrowed(code);
    for mark in [b'>', b'+'] {
        unquote(&mut blanked, mark);
    }
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
    let mut at = 0;
    let mut n_lines = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let line = slice(code, at..end);
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        let len = line
            .iter()
            .take_while(|byte| **byte == mark || **byte == b' ')
            .count();
        let is_quoted = byte(code, at + blanks) == mark && blanks < line.len();
        if !line.trim_ascii().is_empty() {
            n_lines += 1;
            // `>>> b'...'` is a prompt, `@@` and `diff` begin a diff.
            let is_heading = mark == b'+' && (line.starts_with(b"@@") || line.starts_with(b"diff"));
            match is_quoted && !line.starts_with(b">>>") {
                true => marks.push(at..at + len),
                false if is_heading => n_lines -= 1,
                false => return,
            }
        }
        at = end + 1;
    }
    if marks.len() < 2 || marks.len() < n_lines {
        return;
    }
    for range in marks {
        if let Some(bytes) = code.to_mut().get_mut(range) {
            bytes.fill(b' ');
        }
    }
}

fn apply(code: &mut Cow<'_, [u8]>, run: &[Number]) {
    let is_ruled = run.iter().all(|number| number.ruled);
    if run.len() + usize::from(is_ruled) < FEWEST {
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
        assert_eq!(blank("@@ -1 +1 @@\n+ a\n+b"), "@@ -1 +1 @@\n  a\n b");
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
