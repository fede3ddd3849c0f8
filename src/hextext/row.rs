//! One row of a dump: an offset, cells, and what stands behind them.
//!
//! In: a line. Out: where its parts are; what the digits mean is settled later, when all rows are
//! known (see `cells`). Words before the offset (a log's prefix) are passed over.

use std::ops::Range;

use super::scan::{byte, slice};
use super::stamp;

/// The longest line that is looked at: `xxd -c 256 -g 1` takes a quarter of it.
const LONGEST_LINE: usize = 4096;
/// How far into a line its offset may stand.
const PREFIX: usize = 256;

/// Blanks in front of a short offset, which is filled up to a column.
const MOST_INDENT: usize = 6;

/// Digits of an address in memory; an offset in a message has fewer.
const SHORTEST_ADDRESS: usize = 5;

/// The longest symbol that gdb prints beside an address.
const LONGEST_SYMBOL: usize = 256;

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: Range<usize>,
    /// The digits of the offset.
    pub(super) offset: Range<usize>,
    pub(super) style: Style,
    /// Indexes into the cells of all rows.
    pub(super) cells: Range<usize>,
    /// Offset in the text behind the row's offset and its marks.
    pub(super) text: usize,
}

/// What stands around the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) zero_x: bool,
    pub(super) colon: bool,
    pub(super) bracket: bool,
    pub(super) bar: bool,
    /// The offset is the lower half of an address, as WinDbg has it.
    pub(super) halves: bool,
    /// Blanks behind it.
    pub(super) gap: usize,
}

impl Style {
    /// Something that only stands behind an offset.
    pub(super) fn marked(self) -> bool {
        self.zero_x || self.colon || self.bracket || self.bar
    }
}

impl Row {
    /// Whether gdb wrote it, with an address in front: `0x404028:`.
    pub(super) fn is_of_memory(&self) -> bool {
        self.style.zero_x && self.style.colon && self.offset.len() >= SHORTEST_ADDRESS
    }
}

/// Reads a line as a row; of several numbers that may be its offset, the one after `skip` others.
pub(super) fn read(
    code: &[u8],
    line: Range<usize>,
    skip: usize,
    cells: &mut Vec<Range<usize>>,
) -> Option<Row> {
    if line.len() > LONGEST_LINE {
        return None;
    }
    let mut skip = skip;
    let mut at = stamp::skip(code, line.start, line.end);
    let limit = line.end.min(line.start + PREFIX);
    while at < limit {
        let before = if at == line.start {
            b' '
        } else {
            byte(code, at - 1)
        };
        let free = before.is_ascii_whitespace()
            || matches!(before, b'[' | b'|' | b'(' | b'>' | b'"' | b'`' | b'=')
            || before == b':' && is_behind_word(code, at);
        if free && byte(code, at).is_ascii_hexdigit() {
            let mark = cells.len();
            if let Some(row) = from(code, at, &line, cells) {
                if skip == 0 {
                    return Some(row);
                }
                skip -= 1;
                cells.truncate(mark);
            }
            while byte(code, at).is_ascii_alphanumeric() {
                at += 1;
            }
            continue;
        }
        at += 1;
    }
    None
}

/// Whether the colon before `at` ends a word, and no number: `DEBUG:kafka.conn:0000: 00`.
fn is_behind_word(code: &[u8], at: usize) -> bool {
    let before = byte(code, at.saturating_sub(2));
    before.is_ascii_alphabetic() && !before.is_ascii_hexdigit() || before == b']'
}

/// An offset with what stands around it.
struct Offset {
    digits: Range<usize>,
    style: Style,
    /// How many digits were written, halves of an address apart.
    len: usize,
    /// It is an index in the column of a table.
    is_table: bool,
    /// Where the text behind it and its marks begins.
    end: usize,
}

impl Offset {
    /// Reads the offset that begins at `start`, if there can be one.
    fn read(code: &[u8], start: usize, line: &Range<usize>) -> Option<Offset> {
        let mut style = Style::default();
        let mut at = start;
        if byte(code, at) == b'0' && matches!(byte(code, at + 1), b'x' | b'X') {
            style.zero_x = true;
            at += 2;
        }
        let len = n_digits(slice(code, at..line.end));
        // One digit is an offset in brackets, or with a gap behind it: ` [1] 00 00`.
        let behind = slice(code, at + len..line.end);
        let is_short = len == 1 && (behind.starts_with(b"]") || behind.starts_with(b"  "));
        // A table with a column of indexes.
        let is_table = len == 1
            && behind.trim_ascii_start().starts_with(b"|")
            && slice(code, start.saturating_sub(2)..start) == b"| ";
        if !is_short && !is_table && !(2..=16).contains(&len) {
            return None;
        }
        let mut digits = at..at + len;
        // WinDbg parts the halves of an address; the lower one is offset enough.
        if byte(code, digits.end) == b'`' && len == 8 {
            let low = digits.end + 1;
            let len = n_digits(slice(code, low..line.end));
            if len != 8 {
                return None;
            }
            digits = low..low + len;
            style.halves = true;
        }
        let end = style.marks(code, digits.end, line.end);
        Some(Offset {
            digits,
            style,
            len,
            is_table,
            end,
        })
    }
}

impl Style {
    /// Takes in the marks that stand at `at`, behind the digits; returns where they end.
    fn marks(&mut self, code: &[u8], at: usize, end: usize) -> usize {
        let mut at = at;
        // `0010h:`, as 010 Editor has it.
        if matches!(slice(code, at..at + 2), b"h:" | b"H:") {
            at += 1;
        }
        // gdb's `0x55550040 <buf+8>:`
        if self.zero_x && slice(code, at..at + 2) == b" <" {
            let symbol = slice(code, at + 2..end.min(at + 2 + LONGEST_SYMBOL));
            if let Some(len) = memchr::memmem::find(symbol, b">:") {
                at += 2 + len + 1;
            }
        }
        if matches!(byte(code, at), b']' | b')') {
            self.bracket = true;
            at += 1;
        }
        match byte(code, at) {
            b':' => {
                self.colon = true;
                at += 1;
            }
            b'|' => {
                self.bar = true;
                at += 1;
            }
            _ => {}
        }
        at
    }
}

/// How many hex digits the text begins with.
fn n_digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_hexdigit()).count()
}

fn from(
    code: &[u8],
    start: usize,
    line: &Range<usize>,
    cells: &mut Vec<Range<usize>>,
) -> Option<Row> {
    let Offset {
        digits: offset,
        mut style,
        len,
        is_table,
        end: text,
    } = Offset::read(code, start, line)?;
    let blank = |at| at >= line.end || matches!(byte(code, at), b' ' | b'\t' | b'\r' | b'$');
    if !blank(text) && !style.bar {
        return None;
    }
    let skip_blanks = |mut at: usize| {
        while at < line.end && matches!(byte(code, at), b' ' | b'\t') {
            at += 1;
        }
        at
    };
    let mut at = skip_blanks(text);
    if matches!(byte(code, at), b'|' | b'-') && blank(at + 1) {
        style.bar = true;
        at = skip_blanks(at + 1);
    }
    style.gap = at - text;
    // `0x00 0x12`: a list of numbers, and no offset in front of them.
    let is_listed = style.zero_x && !style.colon && !style.bracket && !style.bar;
    if is_listed && style.gap == 1 && matches!(slice(code, at..at + 2), b"0x" | b"0X") {
        return None;
    }
    let first = cells.len();
    read_cells(code, at, line.end, cells);
    let pairs = cells.get(first..).unwrap_or_default();
    // A letter with a dash behind it is text of an ASCII column.
    let is_marked = style.marked() && (len > 1 || style.bracket || is_table);
    if len < 4 && !is_marked && !is_short_row(code, line, start, style.gap, pairs) {
        cells.truncate(first);
        return None;
    }
    Some(Row {
        line: line.clone(),
        offset,
        style,
        cells: first..cells.len(),
        text,
    })
}

/// Whether a short number without a mark can be an offset: it begins its line, and a gap parts it
/// from pairs, four at least unless they fill the line: `  12  00 00 00 12`.
fn is_short_row(
    code: &[u8],
    line: &Range<usize>,
    start: usize,
    gap: usize,
    cells: &[Range<usize>],
) -> bool {
    let indent = slice(code, line.start..start);
    let pairs = cells.iter().take_while(|cell| cell.len() == 2).count();
    let end = cells.last().map_or(start, |cell| cell.end);
    let is_filled = slice(code, end..line.end).trim_ascii().is_empty();
    indent.len() <= MOST_INDENT
        && indent.iter().all(u8::is_ascii_whitespace)
        && gap >= 2
        && (pairs >= 4 || is_filled && pairs > 0 && pairs == cells.len())
}

/// Takes words of hex digits, up to the first that is none.
fn read_cells(code: &[u8], from: usize, end: usize, cells: &mut Vec<Range<usize>>) {
    let mut at = from;
    loop {
        if byte(code, at) == b'0' && byte(code, at + 1) == b'x' {
            at += 2;
        }
        let sign = usize::from(byte(code, at) == b'-' && byte(code, at + 1).is_ascii_digit());
        let len = n_digits(slice(code, at + sign..end));
        let behind = at + sign + len;
        let next = byte(code, behind);
        let whole =
            behind >= end || matches!(next, b' ' | b'\t' | b'\r' | b'|' | b'-' | b':' | b',');
        if len == 0 || !whole {
            return;
        }
        cells.push(at..behind);
        at = behind;
        // `00 01-fc 03`, `00:12`: one mark between two digits parts them.
        if matches!(next, b'-' | b':' | b',') && byte(code, at + 1).is_ascii_hexdigit() {
            at += 1;
        }
        while at < end && matches!(byte(code, at), b' ' | b'\t' | b'\r') {
            at += 1;
        }
        // A rule in the middle of the row, as hexyl draws one.
        if let [b'|', b' ', high, low, b' '] = slice(code, at..at + 5)
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            at += 2;
        }
    }
}
