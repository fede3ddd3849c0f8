//! Escapes outside quotes: what a terminal or a log shows of bytes, also with doubled backslashes.
//!
//! In: scanned text. Out: for each value the pieces of text that spell it, from the first escape of
//! a line to the end of the word of the last. Lines that begin with an escape go on with the line
//! before.

use std::ops::Range;

use super::escape::is_bytea;
use super::scan::{Scan, byte, line_end, line_start, slice};

/// The values.
pub(super) fn find(scan: &Scan) -> Vec<Vec<Range<usize>>> {
    let code = &scan.code;
    let mut values: Vec<Vec<Range<usize>>> = Vec::new();
    let mut at = 0;
    let mut last_line = None;
    while let Some(len) = memchr::memchr(b'\\', code.get(at..).unwrap_or_default()) {
        let start = at + len;
        let end = line_end(code, start);
        let line = slice(code, start..end);
        let mut tail = 0;
        let mut count = 0;
        for escape in memchr::memchr_iter(b'\\', line) {
            let hex = |idx| byte(line, escape + idx).is_ascii_hexdigit();
            match byte(line, escape + 1) {
                b'x' if hex(2) && hex(3) => tail = escape + 4,
                b'u' if hex(2) && hex(3) && hex(4) && hex(5) => tail = escape + 6,
                b'0'..=b'3' if hex(2) && hex(3) => tail = escape + 4,
                _ => continue,
            }
            count += 1;
        }
        let first = line_start(code, start, start);
        at = end;
        let bytea = line
            .strip_prefix(b"\\\\")
            .map_or(line, |_| slice(line, 1..line.len()));
        if count == 0 || (count == 1 && is_bytea(bytea.trim_ascii_end())) {
            continue;
        }
        let rest = slice(line, tail..line.len());
        tail += rest
            .iter()
            .position(|b| b.is_ascii_whitespace() || b"'\"`".contains(b))
            .unwrap_or(rest.len());
        let range = start..start + tail;
        // Lines that begin with an escape go on with the line before.
        match values.last_mut() {
            Some(value) if last_line == Some(first) && first == start => value.push(range),
            _ => values.push(vec![range]),
        }
        last_line = Some(end + 1);
    }
    if is_doubled(code, &values) {
        for value in &mut values {
            *value = value.iter().flat_map(|range| halves(code, range)).collect();
        }
    }
    // Blanks between all escapes part them, and are no bytes.
    for value in &mut values {
        let spaced = value.iter().all(|range| {
            let words = slice(code, range.clone()).split(u8::is_ascii_whitespace);
            words
                .filter(|word| !word.is_empty())
                .all(|word| word.starts_with(b"\\"))
        });
        if spaced {
            *value = value.iter().flat_map(|range| words(code, range)).collect();
        }
    }
    values
}

/// Whether the backslash of every escape is escaped itself, as in a string of JSON or SQL.
fn is_doubled(code: &[u8], values: &[Vec<Range<usize>>]) -> bool {
    let mut any = false;
    for range in values.iter().flatten() {
        let text = slice(code, range.clone());
        let mut at = 0;
        while let Some(len) = memchr::memchr(b'\\', text.get(at..).unwrap_or_default()) {
            at += len;
            if byte(text, at + 1) != b'\\' {
                return false;
            }
            any = true;
            at += 2;
        }
    }
    any
}

/// A range without the first of every two backslashes.
fn halves(code: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
    let text = slice(code, range.clone());
    let mut pieces = Vec::new();
    let mut from = range.start;
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', text.get(at..).unwrap_or_default()) {
        at += len;
        pieces.push(from..range.start + at);
        from = range.start + at + 1;
        at += 2;
    }
    pieces.push(from..range.end);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn words(code: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = range.start;
    for at in range.clone() {
        if byte(code, at).is_ascii_whitespace() {
            words.push(from..at);
            from = at + 1;
        }
    }
    words.push(from..range.end);
    words.retain(|word| !word.is_empty());
    words
}
