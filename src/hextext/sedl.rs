//! What `sed -n l` prints: escapes, lines that are cut with `\` at their end, and a `$` where a line
//! of the data ends.
//!
//! In: text with its comments, which may be data. Out: one sketch with a part for every block of such lines. A `$` inside a block
//! is the byte that breaks the line; at the end of it sed prints one whether there is such a byte or
//! not, so it counts only if that makes the message as long as it says.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{Scan, byte, line_end, slice};
use super::unescape::{self, Rules};

/// Fewest escapes of three digits that are no accident.
const FEWEST: usize = 4;

/// Looks for blocks, and answers whether there are any.
pub(super) fn find(scan: &Scan, found: &mut Findings) -> bool {
    let mut parts = Vec::new();
    let mut block: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < scan.code.len() {
        let end = line_end(&scan.code, at);
        let line = slice(&scan.code, at..end);
        let len = line.strip_suffix(b"\r").unwrap_or(line).len();
        match is_printed(slice(&scan.code, at..at + len)) {
            true => block.push(at..at + len),
            false => parts.extend(part(scan, &std::mem::take(&mut block))),
        }
        at = end + 1;
    }
    parts.extend(part(scan, &block));
    let is_found = !parts.is_empty();
    found.add(Sketch {
        family: Family::Escaped,
        notation: "sed -n l",
        // What it lists may have quotes and comments in it.
        confidence: 94,
        why: "its lines end in `\\` or `$`, and all escapes are sed's".into(),
        parts,
        remarks: Vec::new(),
        comments: scan.comments.clone(),
    });
    is_found
}

/// Whether a line is one of sed's: printable, its escapes known, and its end marked.
fn is_printed(line: &[u8]) -> bool {
    let mut at = 0;
    while at + 1 < line.len() {
        at += match (byte(line, at), byte(line, at + 1)) {
            (b'\\', b'0'..=b'3') => {
                let digits = slice(line, at + 2..at + 4);
                if digits.len() < 2 || !digits.iter().all(|digit| matches!(digit, b'0'..=b'7')) {
                    return false;
                }
                4
            }
            (b'\\', b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\') => 2,
            (b'\\', _) => return false,
            (0x20..=0x7e, _) => 1,
            _ => return false,
        };
    }
    at + 1 == line.len() && matches!(byte(line, at), b'\\' | b'$')
}

/// Whether lines are cut as sed cuts them: all as long as the first but the last, which has a `$`, or
/// else comes behind others. A single line with `\` at its end is a command that goes on in the next.
fn is_listing(scan: &Scan, lines: &[Range<usize>]) -> bool {
    let mut widths = lines.iter().rev().skip(1).map(Range::len);
    let width = widths.next();
    let is_ended = lines
        .last()
        .is_some_and(|last| byte(&scan.code, last.end - 1) == b'$');
    is_ended || width.is_some() && widths.all(|other| Some(other) == width)
}

/// The bytes of the lines of a block.
fn part(scan: &Scan, lines: &[Range<usize>]) -> Option<Draft> {
    let escapes = lines.iter().flat_map(|line| {
        let text = slice(&scan.code, line.clone());
        memchr::memmem::find_iter(text, b"\\").filter(|at| byte(text, at + 1).is_ascii_digit())
    });
    if escapes.count() < FEWEST || !is_listing(scan, lines) {
        return None;
    }
    let mut part = Draft::default();
    for line in lines {
        let last = line.end - 1;
        unescape::append(scan, line.start..last, Rules::Common, &mut part).ok()?;
        if byte(&scan.code, last) == b'$' {
            part.push(b'\n', last);
        }
    }
    // A block that is cut ends in a hole.
    let last = lines.last()?.end - 1;
    if byte(&scan.code, last) == b'\\' {
        part.hole(None, last);
    } else if !part.is_frame() {
        part.truncate(part.bytes.len() - 1);
    }
    Some(part)
}
