//! Groups of hex digits to bytes, whatever the groups are.
//!
//! In: the groups of one part, in order. Out: its bytes. Groups of one or two digits are a byte
//! each; as soon as one is longer, all digits run together across groups and lines, for a group
//! may be of any size and a line may be broken anywhere. Then their number must be even.

use std::ops::Range;

use super::draft::{Damage, Draft};
use super::scan::hex_value;
use super::scan::{byte, slice};

/// A piece of hex text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Digits without their prefix.
    Digits(Range<usize>),
    /// Bytes left out: how many if known, and where.
    Hole(Option<u64>, usize),
    /// A blank line.
    Break,
}

/// The bytes of the cells; damage if a digit is missing.
pub(super) fn join<'a>(
    code: &[u8],
    cells: impl Iterator<Item = &'a Cell> + Clone,
    confidence: u8,
) -> Result<Draft, Damage> {
    let mut draft = Draft::default();
    let short = widths(cells.clone()).all(|width| width <= 2);
    let mut pending: Option<usize> = None;
    for cell in cells.clone() {
        match cell {
            Cell::Hole(len, at) if pending.is_none() => draft.hole(*len, *at),
            Cell::Hole(_, at) => return Err(odd(code, cells, *at, confidence)),
            Cell::Break => {
                if pending.is_none() {
                    draft.breaks.push(draft.bytes.len());
                }
            }
            Cell::Digits(range) if short => {
                let value = slice(code, range.clone())
                    .iter()
                    .fold(0, |value, &digit| value << 4 | hex_value(digit));
                draft.push(value, range.start);
            }
            Cell::Digits(range) => {
                for at in range.clone() {
                    match pending.take() {
                        None => pending = Some(at),
                        Some(high) => {
                            let value =
                                hex_value(byte(code, high)) << 4 | hex_value(byte(code, at));
                            draft.push(value, high);
                        }
                    }
                }
            }
        }
    }
    match pending {
        None => Ok(draft),
        Some(at) => Err(odd(code, cells, at, confidence)),
    }
}

fn widths<'a>(cells: impl Iterator<Item = &'a Cell>) -> impl Iterator<Item = usize> {
    cells.filter_map(|cell| match cell {
        Cell::Digits(range) => Some(range.len()),
        _ => None,
    })
}

/// Points at the group that most likely lost its digit: the first odd one among even ones, or the
/// last.
fn odd<'a>(
    code: &[u8],
    cells: impl Iterator<Item = &'a Cell> + Clone,
    last: usize,
    confidence: u8,
) -> Damage {
    let mut digits = 0;
    let mut groups = 0;
    let mut first = None;
    for cell in cells {
        if let Cell::Digits(range) = cell {
            digits += range.len();
            groups += 1;
            if range.len() % 2 == 1 && first.is_none() {
                first = Some(range.clone());
            }
        }
    }
    let found = match &first {
        Some(group) if groups > 1 => {
            let text = slice(code, group.start..group.end.min(group.start + 32));
            format!(
                "an odd number of hex digits ({digits}); the group `{}` has {}",
                String::from_utf8_lossy(text),
                group.len()
            )
        }
        _ => format!("an odd number of hex digits ({digits})"),
    };
    Damage {
        at: first
            .filter(|_| groups > 1)
            .map_or(last, |group| group.start),
        confidence,
        found,
        expected: "two hex digits for each byte".into(),
    }
}

/// Where a word of mostly hex digits stops being one: digits that were mistyped or garbled.
///
/// Only long words count, since many short words of any language are nearly hex.
pub(super) fn nearly(word: &[u8]) -> Option<usize> {
    if word.len() < 16 {
        return None;
    }
    let digits = word.iter().filter(|b| b.is_ascii_hexdigit()).count();
    let decimals = word.iter().filter(|b| b.is_ascii_digit()).count();
    let bad = word.iter().position(|b| !b.is_ascii_hexdigit())?;
    (digits * 10 >= word.len() * 9 && decimals * 4 >= word.len()).then_some(bad)
}

/// Damage for a character that is no hex digit.
pub(super) fn stray(code: &[u8], at: usize, confidence: u8) -> Damage {
    let bytes = slice(code, at..code.len().min(at + 4));
    let found = bytes
        .utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().next());
    let found = match found {
        Some(char::REPLACEMENT_CHARACTER) => {
            "U+FFFD, which stands for bytes that a text decoder threw away".into()
        }
        Some(c @ ('O' | 'o' | 'l' | 'I')) => format!("the letter `{c}`"),
        Some(c) => format!("`{c}`"),
        None => "a byte that is no character".into(),
    };
    Damage {
        at,
        confidence,
        found,
        expected: "a hex digit (0-9, a-f)".into(),
    }
}

/// Whether the cells are the groups of a UUID.
pub(super) fn is_uuid(cells: &[Cell]) -> bool {
    widths(cells.iter()).eq([8, 4, 4, 4, 12])
}

/// How many digits a run has, and whether they can hardly be anything but bytes.
pub(super) fn weigh(code: &[u8], cells: &[Cell]) -> (usize, bool) {
    let mut digits = 0;
    let mut pairs = 0;
    let mut groups = 0;
    let mut letters = 0;
    let mut zeros = false;
    for cell in cells {
        let Cell::Digits(range) = cell else { continue };
        let text = slice(code, range.clone());
        zeros |= digits == 0 && text.starts_with(b"0");
        digits += text.len();
        groups += 1;
        pairs += usize::from(text.len() == 2);
        letters += text
            .iter()
            .filter(|digit| digit.is_ascii_alphabetic())
            .count();
    }
    // Words such as `added` or `decade` are letters only.
    let hexlike = digits > letters && (zeros || letters > 0);
    let strong = !is_uuid(cells)
        && ((digits >= 16 && hexlike)
            || (digits >= 8 && zeros && digits > letters)
            || (pairs >= 4 && pairs == groups));
    (digits, strong)
}
