//! The marks with which people and tools leave bytes out: `...`, `[snip]`, `<64 bytes omitted>`,
//! `(12 more)`, `+12 more`, `-- 8< --`, `... 82 more items`.
//!
//! In: text at a character that may begin a mark. Out: where the mark ends, and how many elements
//! it says are missing. Whether a mark may stand there is for the reader of the notation to say.

use std::ops::Range;

use super::scan::{byte, slice};

/// Longest mark that is looked for.
const LONGEST: usize = 80;

/// What people call it, in lower case.
const WORDS: [&[u8]; 14] = [
    b"snip",
    b"snipped",
    b"snippet",
    b"cut",
    b"cut off",
    b"cut here",
    b"truncated",
    b"trimmed",
    b"elided",
    b"omitted",
    b"skipped",
    b"left out",
    b"abbreviated",
    b"and so on",
];

/// What is counted.
const UNITS: [&[u8]; 9] = [
    b"bytes",
    b"byte",
    b"items",
    b"item",
    b"elements",
    b"element",
    b"lines",
    b"line",
    b"b",
];

/// If a mark stands at `at`: the offset behind it, and how many elements it says are missing.
///
/// Two dots are none (a range) unless they stand alone; four and more are.
pub(super) fn at(code: &[u8], at: usize) -> Option<(usize, Option<u64>)> {
    match byte(code, at) {
        b'.' => dots(code, at).map(|end| behind_dots(code, end)),
        b'[' | b'(' | b'<' | b'{' => in_brackets(code, at),
        b'-' | b'=' | b'~' => between_rules(code, at),
        // `[0, 0, +13 more]`, as IntelliJ has it.
        b'+' => {
            let said = count(code, at + 1).filter(|said| said.says_missing)?;
            Some((said.end, said.missing()))
        }
        // Scissors.
        0xe2 if slice(code, at..at + 2) == b"\xe2\x9c" => {
            matches!(byte(code, at + 2), 0x80..=0x84).then_some((at + 3, None))
        }
        _ => None,
    }
}

/// If a line is nothing but a mark, or a `*` as dumps have it: how many elements are missing.
pub(super) fn line(text: &[u8]) -> Option<Option<u64>> {
    let text = text.trim_ascii();
    if text == b"*" || word(text, 0) == Some(text.len()) {
        return Some(None);
    }
    let (end, missing) = at(text, 0)?;
    (end == text.len()).then_some(missing)
}

/// The mark that a string ends with: where it begins, and how many bytes it says are missing.
pub(super) fn tail(code: &[u8], body: Range<usize>) -> Option<(usize, Option<u64>)> {
    let from = body.start.max(body.end.saturating_sub(LONGEST));
    (from..body.end).find_map(|start| {
        let (end, missing) = at(code, start)?;
        (end == body.end).then_some((start, missing))
    })
}

/// End of `...`, `. . .`, and of `..` between blanks.
fn dots(code: &[u8], at: usize) -> Option<usize> {
    let run = |at: usize| {
        let rest = code.get(at..).unwrap_or_default();
        rest.iter().take_while(|byte| **byte == b'.').count()
    };
    let count = run(at);
    let end = at + count;
    let is_blank = |byte| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n');
    let alone = at.checked_sub(1).is_none_or(|at| is_blank(byte(code, at)));
    match count {
        3.. => Some(end),
        2 if alone && (is_blank(byte(code, end)) || b",])}".contains(&byte(code, end))) => {
            Some(end)
        }
        1 if alone && slice(code, at..at + 5) == b". . ." => Some(at + 5),
        _ => None,
    }
}

/// Takes what is said behind dots: ` 82 more items`, `[truncated]...`, ` (94 bytes) ...`.
fn behind_dots(code: &[u8], from: usize) -> (usize, Option<u64>) {
    let mut end = from;
    let mut missing = None;
    let start = skip_blanks(code, from);
    let said = match byte(code, start) {
        b'[' | b'(' | b'<' | b'{' => bracketed(code, start),
        b'+' => count(code, start + 1).filter(|count| count.says_missing),
        _ => count(code, start).filter(|count| count.says_missing),
    };
    if let Some(said) = said {
        end = said.end;
        missing = said.missing();
        if let Some(dots) = dots(code, skip_blanks(code, end)) {
            end = dots;
        }
    }
    (end, missing)
}

/// `[snip]`, `[...]`, `<64 bytes omitted>`, `(12 more)`.
fn in_brackets(code: &[u8], at: usize) -> Option<(usize, Option<u64>)> {
    let said = bracketed(code, at).filter(|said| said.says_missing)?;
    match dots(code, skip_blanks(code, said.end)) {
        Some(end) => Some((end, said.missing())),
        None => Some((said.end, said.missing())),
    }
}

/// What a mark says.
struct Said {
    end: usize,
    number: Option<u64>,
    /// Whether it says that something is missing, not only how much there is.
    says_missing: bool,
}

impl Said {
    fn missing(&self) -> Option<u64> {
        self.number.filter(|_| self.says_missing)
    }
}

fn bracketed(code: &[u8], at: usize) -> Option<Said> {
    let close = match byte(code, at) {
        b'[' => b']',
        b'(' => b')',
        b'<' => b'>',
        b'{' => b'}',
        _ => return None,
    };
    let start = skip_blanks(code, at + 1);
    let mut said = match (dots(code, start), word(code, start)) {
        (Some(end), _) => {
            let (end, number) = behind_dots(code, end);
            Said {
                end,
                number,
                says_missing: true,
            }
        }
        (_, Some(end)) => Said {
            end,
            number: None,
            says_missing: true,
        },
        _ => count(code, start + usize::from(byte(code, start) == b'+'))?,
    };
    let end = skip_blanks(code, said.end);
    said.end = end + 1;
    (byte(code, end) == close).then_some(said)
}

/// `-- snip --`, `--- 8< ---`.
fn between_rules(code: &[u8], at: usize) -> Option<(usize, Option<u64>)> {
    let rule = byte(code, at);
    let run = |at: usize| {
        let rest = slice(code, at..code.len().min(at + LONGEST));
        at + rest.iter().take_while(|byte| **byte == rule).count()
    };
    let end = run(at);
    let start = skip_blanks(code, end);
    if end < at + 2 {
        return None;
    }
    let scissors: [&[u8]; 4] = [b"8<", b"8>", b"%<", b">8"];
    let behind = match scissors
        .iter()
        .any(|mark| slice(code, start..start + 2) == *mark)
    {
        true => start + 2,
        false => word(code, start)?,
    };
    let end = run(skip_blanks(code, behind));
    (end > behind).then_some((end, None))
}

/// End of one of the words for it.
fn word(code: &[u8], at: usize) -> Option<usize> {
    let mut words = WORDS.iter();
    let word = words.rfind(|word| starts_with(code, at, word))?;
    Some(at + word.len())
}

/// `82 more items`, `64 bytes omitted`, `12 more`, `94 bytes`.
fn count(code: &[u8], at: usize) -> Option<Said> {
    let text = slice(code, at..code.len().min(at + 20));
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(text.get(..digits)?)
        .ok()?
        .parse()
        .ok()?;
    let mut end = at + digits;
    let mut says_missing = false;
    let mut is_counted = false;
    // A unit, `more`, and what was done with them, in any order.
    for _ in 0..4 {
        let start = skip_blanks(code, end);
        let unit = UNITS.iter().find(|unit| starts_with(code, start, unit));
        if starts_with(code, start, b"more") {
            says_missing = true;
            end = start + 4;
        } else if let Some(unit) = unit {
            is_counted = true;
            end = start + unit.len();
        } else if let Some(behind) = word(code, start) {
            says_missing = true;
            end = behind;
        } else {
            break;
        }
    }
    (says_missing || is_counted).then_some(Said {
        end,
        number: Some(number),
        says_missing,
    })
}

/// Whether a whole word in any case stands at `at`.
fn starts_with(code: &[u8], at: usize, word: &[u8]) -> bool {
    let end = at + word.len();
    slice(code, at..end).eq_ignore_ascii_case(word) && !byte(code, end).is_ascii_alphanumeric()
}

fn skip_blanks(code: &[u8], at: usize) -> usize {
    let rest = slice(code, at..code.len().min(at + LONGEST));
    at + rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

#[cfg(test)]
mod tests {
    #[test]
    fn marks_are_read_to_their_end_with_their_count() {
        let read = |text: &str| super::at(text.as_bytes(), 0);
        for (text, len, missing) in [
            ("... 82 more items ]", 17, Some(82)),
            ("...>>", 3, None),
            ("... 00 12", 3, None),
            ("... +12 more", 12, Some(12)),
            ("...[truncated]... 00", 17, None),
            ("... (94 bytes) 00", 14, None),
            ("...(94 more bytes)", 18, Some(94)),
            ("... 20 more bytes ...", 21, Some(20)),
            (". . . 00", 5, None),
            (".. 00", 2, None),
            ("[snip] 00", 6, None),
            ("[ ... ]", 7, None),
            ("(12 more)", 9, Some(12)),
            ("<64 bytes omitted>", 18, Some(64)),
            ("-- snip -- 00", 10, None),
            ("--- 8< --- 00", 10, None),
            ("\u{2702} 00", 3, None),
        ] {
            assert_eq!(read(text), Some((len, missing)), "{text}");
        }
    }

    #[test]
    fn what_leaves_nothing_out_is_no_mark() {
        let read = |text: &str| super::at(text.as_bytes(), 0);
        for text in [
            "..ff",
            "[12]",
            "(94 bytes)",
            "<cutter>",
            "-- size",
            "- 12 more",
            "<- ",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
