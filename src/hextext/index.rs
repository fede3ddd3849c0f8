//! The number of an element in front of it: `[10] = 0x00`, `10 => 0`, `10 = 0`, `10: 0`, and of the
//! first element of a row, as R has it (`[17]   0   0`) and gdb (`0x404028 <buf+8>:`).
//!
//! In: text at the first character of the index. Out: its value, and where the element begins. That
//! indexes count on is for the reader of lists to demand.

use super::scan::{byte, line_start, slice};

/// Most digits of an index.
const MOST_DIGITS: usize = 9;
/// A name in front of an index in brackets.
const MOST_NAME: usize = 40;

/// The longest line of an index and its element.
const LONGEST_LINE: usize = 80;

/// What an index counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Element,
    /// The first element of a row.
    Row,
    /// Bytes of memory up to the first of a row.
    Address,
}

/// An index.
pub(super) struct Index {
    pub(super) value: u64,
    /// Where the element begins, or the blanks in front of it.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// The index at `at`; `within` a list, where less is needed to know one.
pub(super) fn at(code: &[u8], at: usize, within: bool) -> Option<Index> {
    let here = byte(code, at);
    if here.is_ascii_alphabetic() || here == b'_' {
        return named(code, at);
    }
    let bracket = usize::from(here == b'[');
    let start = at + bracket;
    if let Some(found) = address(code, at) {
        return Some(found);
    }
    let (value, mut end) = value(code, start)?;
    let is_free = at
        .checked_sub(1)
        .is_none_or(|at| b" \t\r\n,([{|]".contains(&byte(code, at)));
    if !is_free {
        return None;
    }
    if bracket == 1 {
        if byte(code, end) != b']' {
            return None;
        }
        end += 1;
    }
    if let Some(end) = mark(code, end, bracket == 1) {
        return Some(Index {
            value,
            end,
            kind: Kind::Element,
        });
    }
    // R: the row's first element, at the start of a line.
    let before = slice(code, line_start(code, at, 80)..at);
    let is_row = bracket == 1 && matches!(byte(code, end), b' ' | b'\t');
    let is_row = is_row && before.iter().all(u8::is_ascii_whitespace);
    (is_row && (within || value == 1)).then_some(Index {
        value,
        end,
        kind: Kind::Row,
    })
}

/// Whether the line that `at` stands in, and one beside it, begin with an index that counts on, so
/// that the arrow at `at` points from an index.
pub(super) fn is_counted(code: &[u8], at: usize) -> bool {
    let of_line = |start: usize| {
        let text = slice(code, start..code.len().min(start + LONGEST_LINE));
        let blanks = text
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let (value, end) = value(code, start + blanks)?;
        mark(code, end, false).map(|_| value)
    };
    let start = line_start(code, at, LONGEST_LINE);
    let Some(here) = of_line(start) else {
        return false;
    };
    let rest = slice(code, at..code.len().min(at + LONGEST_LINE));
    let next = memchr::memchr(b'\n', rest).and_then(|len| of_line(at + len + 1));
    let before = start.checked_sub(1);
    let before = before.and_then(|end| of_line(line_start(code, end, LONGEST_LINE)));
    next.is_some_and(|next| Some(next) == here.checked_add(1))
        || before.is_some_and(|before| Some(here) == before.checked_add(1))
}

/// `buf[10] = 0`.
fn named(code: &[u8], at: usize) -> Option<Index> {
    let name = slice(code, at..code.len().min(at + MOST_NAME));
    let len = name
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || b"_.->".contains(b))
        .count();
    if byte(code, at + len) != b'[' {
        return None;
    }
    let (value, end) = value(code, at + len + 1)?;
    let end = mark(code, end + 1, true).filter(|_| byte(code, end) == b']')?;
    Some(Index {
        value,
        end,
        kind: Kind::Element,
    })
}

/// Most digits of an address.
const ADDRESS_DIGITS: usize = 16;

/// The address in front of a row of gdb's characters: `0x404028 <buf+8>:<tab>18 '\022'`.
fn address(code: &[u8], at: usize) -> Option<Index> {
    let text = slice(code, at..code.len().min(at + LONGEST_LINE));
    let start = line_start(code, at, LONGEST_LINE);
    let len = memchr::memchr(b'\t', text).filter(|_| start == at && text.starts_with(b"0x"))?;
    let label = text.get(..len)?.strip_suffix(b":")?;
    let is_label = label.ends_with(b">") || label.iter().all(u8::is_ascii_alphanumeric);
    let cell = text.get(len + 1..)?;
    let digits = cell
        .iter()
        .take_while(|b| b.is_ascii_digit() || **b == b'-')
        .count();
    let is_row = is_label && digits > 0 && cell.get(digits..)?.starts_with(b" '");
    let number = text.get(2..2 + ADDRESS_DIGITS).unwrap_or_default();
    let digits = number.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let number = std::str::from_utf8(number.get(..digits)?).ok()?;
    is_row.then_some(Index {
        value: u64::from_str_radix(number, 16).ok()?,
        end: at + len,
        kind: Kind::Address,
    })
}

fn value(code: &[u8], at: usize) -> Option<(u64, usize)> {
    // gdb's indexes have the format of the elements.
    if let [b'0', b'x', digits @ ..] = slice(code, at..code.len().min(at + 2 + MOST_DIGITS)) {
        let len = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        let digits = std::str::from_utf8(digits.get(..len)?).ok()?;
        return Some((u64::from_str_radix(digits, 16).ok()?, at + 2 + len));
    }
    let text = slice(code, at..code.len().min(at + MOST_DIGITS + 1));
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let digits = std::str::from_utf8(text.get(..len)?).ok()?;
    let is_padded = len > 1 && digits.starts_with('0');
    (len <= MOST_DIGITS && !is_padded).then_some(())?;
    Some((digits.parse().ok()?, at + len))
}

/// End of what stands between an index and its element.
fn mark(code: &[u8], at: usize, in_brackets: bool) -> Option<usize> {
    let text = slice(code, at..code.len().min(at + 8));
    let blanks = text.iter().take_while(|b| **b == b' ').count();
    let at = at + blanks;
    match slice(code, at..at + 2) {
        b"=>" => Some(at + 2),
        b"==" => None,
        [b'=', _] => Some(at + 1),
        // A colon directly behind an index, with a blank behind it: `{ 0: 0, 1: 18 }`.
        [b':', b' '] if blanks == 0 || in_brackets => Some(at + 1),
        _ => None,
    }
}
