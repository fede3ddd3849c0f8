//! Hex in quotes: `"00000012"`, `bytes.fromhex("00 00" "00 12")`, `hex2bin('...')`, `X'...'`.
//!
//! In: scanned text. Out: one sketch with a part for every string value that is nothing but hex
//! digits and separators. Short strings of digits are mostly port numbers, so they count only
//! where something says that they are hex.

use super::chain;
use super::draft::{Findings, Sketch};
use super::ellipsis;
use super::hex::{self, Cell};
use super::reading::Family;
use super::scan::{Quoted, Scan, byte, line_end, line_start, slice};

struct Value {
    cells: Vec<Cell>,
    digits: usize,
    /// Something around it says that it is hex.
    named: bool,
    label: Option<std::ops::Range<usize>>,
    start: usize,
    end: usize,
}

/// Looks for hex in quotes.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let mut values: Vec<Value> = Vec::new();
    for strings in chain::chains(scan) {
        let Some(value) = value(scan, strings, found) else {
            continue;
        };
        match values.last_mut() {
            // `"00", "12"`: a list of bytes that are strings.
            Some(last)
                if last.digits % 2 == 0 && value.digits <= 2 && adjoins(scan, last, &value) =>
            {
                last.cells.extend(value.cells);
                last.digits += value.digits;
                last.end = value.end;
            }
            _ => values.push(value),
        }
    }
    if are_fields(scan, &values) {
        values = join_fields(values);
    }
    let most = values.iter().map(|value| value.digits).max().unwrap_or(0);
    values.retain(|value| value.named || value.digits >= 8 || value.digits == most);
    values.retain(|value| value.digits > 0);
    let named = values.iter().any(|value| value.named);
    let zeros = values.iter().any(|value| starts_with_zeros(scan, value));
    let confidence = match most {
        16.. if named || zeros => 91,
        16.. => 84,
        8.. if named || zeros => 85,
        8.. => 50,
        _ if named => 60,
        _ => 20,
    };
    let mut parts = Vec::with_capacity(values.len());
    for value in &values {
        match hex::join(&scan.code, value.cells.iter(), confidence) {
            Ok(mut part) => {
                part.label = value.label.clone();
                parts.push(part);
            }
            Err(damage) => return found.damages.push(damage),
        }
    }
    let strings = parts.len();
    found.add(Sketch {
        family: Family::Hex,
        notation: "hex in quotes",
        confidence,
        why: match strings {
            1 => "hex digits only between the quotes".into(),
            _ => format!("{strings} strings of hex digits only"),
        },
        parts,
        remarks: Vec::new(),
        comments: scan.comments.clone(),
    });
}

/// Whether values are the fields of one message, each on its line behind its name, as Markdown has
/// them: - api key: `00 12`.
fn are_fields(scan: &Scan, values: &[Value]) -> bool {
    let on_own_line = |pair: &[Value]| match pair {
        [left, right] => slice(&scan.code, left.end..right.start).contains(&b'\n'),
        _ => true,
    };
    let is_field = |value: &Value| {
        byte(&scan.code, value.start) == b'`'
            && value.label.is_some()
            && value.digits.is_multiple_of(2)
    };
    values.len() >= 2
        && values.iter().all(is_field)
        && values.windows(2).all(on_own_line)
        && values.iter().any(|value| (4..8).contains(&value.digits))
}

fn join_fields(values: Vec<Value>) -> Vec<Value> {
    let mut values = values.into_iter();
    let Some(mut whole) = values.next() else {
        return Vec::new();
    };
    whole.label = None;
    for value in values {
        whole.cells.extend(value.cells);
        whole.digits += value.digits;
        whole.end = value.end;
    }
    vec![whole]
}

fn adjoins(scan: &Scan, left: &Value, right: &Value) -> bool {
    let between = slice(&scan.code, left.end..right.start);
    between
        .iter()
        .all(|b| b.is_ascii_whitespace() || *b == b',')
}

fn starts_with_zeros(scan: &Scan, value: &Value) -> bool {
    match value.cells.first() {
        Some(Cell::Digits(range)) => slice(&scan.code, range.clone()).starts_with(b"00"),
        _ => false,
    }
}

fn value(scan: &Scan, strings: &[Quoted], found: &mut Findings) -> Option<Value> {
    let mut cells = Vec::new();
    for string in strings {
        if let Err(bad) = split(&scan.code, string, &mut cells) {
            if let Some(at) = bad {
                found.damages.push(hex::stray(&scan.code, at, 75));
            }
            return None;
        }
    }
    let first = strings.first()?;
    let last = strings.last()?;
    // `'0x0'` is a byte as `'0x00'` is.
    let is_byte = first.body.len() == 3 && slice(&scan.code, first.body.clone()).starts_with(b"0x");
    let digits = cells
        .iter()
        .map(|cell| match cell {
            Cell::Digits(range) => range.len() + usize::from(is_byte),
            _ => 0,
        })
        .sum();
    if hex::is_uuid(&cells) {
        return None;
    }
    let named = named(scan, first, last);
    // An odd number in quotes is a number.
    if digits % 2 == 1 && digits < 8 && !named {
        return None;
    }
    Some(Value {
        cells,
        digits,
        named,
        label: chain::label(scan, first),
        start: first.start,
        end: last.end(),
    })
}

/// Whether the words around say hex: `fromhex(`, `hexHeader =`, `pack('H*'`, `| xxd -r`.
fn named(scan: &Scan, first: &Quoted, last: &Quoted) -> bool {
    let before = slice(
        &scan.code,
        line_start(&scan.code, first.start, 80)..first.start,
    );
    // Cut first: a line may be the whole paste, and have many strings.
    let rest = scan.code.get(last.end()..).unwrap_or_default();
    let after = rest.get(..40).unwrap_or(rest);
    let after = slice(after, 0..line_end(after, 0));
    let before = before.to_ascii_lowercase();
    let has = |text: &[u8], mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    has(&before, b"hex") || has(&before, b"h*") || has(after, b"xxd") || {
        matches!(slice(&scan.code, first.prefix.clone()), b"x" | b"X" | b"h")
    }
}

/// Whether a string is a number of bytes in hex, and long enough to be no word.
pub(super) fn is_hex(code: &[u8], string: &Quoted) -> bool {
    let mut cells = Vec::new();
    let digits = |cells: &[Cell]| {
        let widths = cells.iter().map(|cell| match cell {
            Cell::Digits(range) => range.len(),
            _ => 0,
        });
        widths.sum::<usize>()
    };
    split(code, string, &mut cells).is_ok()
        && digits(&cells) >= 8
        && digits(&cells).is_multiple_of(2)
}

/// Splits a string body into cells; `Err` if it is no hex, with the place if it nearly is.
fn split(code: &[u8], string: &Quoted, cells: &mut Vec<Cell>) -> Result<(), Option<usize>> {
    let body = slice(code, string.body.clone());
    let mut at = string.body.start;
    if body.starts_with(b"\\x") || body.starts_with(b"0x") || body.starts_with(b"0X") {
        at += 2;
    }
    while at < string.body.end {
        let rest = slice(code, at..string.body.end);
        let len = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if len > 0 {
            cells.push(Cell::Digits(at..at + len));
            at += len;
            continue;
        }
        match byte(code, at) {
            b' ' | b'\t' | b'\r' | b'\n' | b':' | b'-' | b',' | b'_' | b'|' => at += 1,
            b'.' | b'[' | b'(' | b'<' | b'{' | 0xe2
                if let Some((end, len)) =
                    ellipsis::at(code, at).filter(|found| found.0 <= string.body.end) =>
            {
                cells.push(Cell::Hole(len, at));
                at = end;
            }
            b'.' => return Err(None),
            _ => {
                let bad = hex::nearly(body).filter(|_| at > string.body.start);
                return Err(bad.map(|_| at));
            }
        }
    }
    Ok(())
}
