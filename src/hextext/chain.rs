//! Which neighbouring strings are one value.
//!
//! In: scanned text. Out: the strings in groups: adjacent literals (`b'..' b'..'`), sums
//! (`"..." + "..."`), what is appended to one variable (`req+='..'`), and what gdb parts where a
//! character repeats. Any other comma or a word between two strings parts them.

use super::draft::Draft;
use super::repeats;
use super::scan::{Quoted, Scan, byte, slice};
use super::unescape::{self, Rules};

/// How two neighbouring strings stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// One value.
    Same,
    /// Two values.
    Apart,
}

/// The strings, grouped; each group is a run of neighbours.
pub(super) fn chains<'a>(scan: &'a Scan<'_>) -> impl Iterator<Item = &'a [Quoted]> {
    scan.strings
        .chunk_by(|left, right| link(scan, left, right) == Link::Same)
}

/// The same, but a list of characters is one value too: `'\x00', '\x04', 't'`, `[b'\0', b'\x12']`.
pub(super) fn texts<'a>(scan: &'a Scan<'_>) -> impl Iterator<Item = &'a [Quoted]> {
    scan.strings.chunk_by(|left, right| {
        link(scan, left, right) == Link::Same
            || slice(&scan.code, left.end()..right.start).trim_ascii() == b","
                && is_character(scan, left)
                && is_character(scan, right)
    })
}

/// Whether a string spells a single byte.
fn is_character(scan: &Scan, string: &Quoted) -> bool {
    // As long as `\u{000000}`.
    if string.body.len() > 10 {
        return false;
    }
    let mut part = Draft::default();
    let read = unescape::append(scan, string.body.clone(), Rules::Common, &mut part);
    read.is_ok() && part.bytes.len() == 1
}

fn link(scan: &Scan, left: &Quoted, right: &Quoted) -> Link {
    let between = slice(&scan.code, left.end()..right.start);
    let text = between.trim_ascii();
    let joined = text
        .iter()
        .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'+' | b'.' | b'\\' | b'&'));
    if joined || is_repeated(scan, left, right) {
        return Link::Same;
    }
    // `req+='...'`, `req += "..."`, `export req+=...`
    let appended = text
        .strip_suffix(b"+=")
        .or_else(|| text.strip_suffix(b"<<"))
        .is_some_and(|name| {
            let name = name.trim_ascii();
            let name = name.strip_prefix(b";").unwrap_or(name).trim_ascii_start();
            !name.is_empty()
                && name.len() <= 64
                && name
                    .iter()
                    .all(|b| b.is_ascii_alphanumeric() || b"_$ ".contains(b))
        });
    if appended { Link::Same } else { Link::Apart }
}

/// Whether two strings are one value as gdb prints it: `"\000\004", '\000' <repeats 16 times>, "t"`.
fn is_repeated(scan: &Scan, left: &Quoted, right: &Quoted) -> bool {
    let behind_left = repeats::at(&scan.code, left.end());
    let from = behind_left.map_or(left.end(), |(_, end)| end);
    let between = slice(&scan.code, from..right.start).trim_ascii();
    between == b"," && (behind_left.is_some() || repeats::at(&scan.code, right.end()).is_some())
}

/// The words before a string on its line that say what it is: `reqHex: "`, `response = "`.
pub(super) fn label(scan: &Scan, first: &Quoted) -> Option<std::ops::Range<usize>> {
    let before = scan
        .strings
        .partition_point(|string| string.start < first.start);
    let before = before.checked_sub(1).and_then(|idx| scan.strings.get(idx));
    let start =
        super::scan::line_start(&scan.code, first.start, 160).max(before.map_or(0, Quoted::end));
    let text = slice(&scan.code, start..first.start);
    let mark = text.iter().rposition(|byte| matches!(byte, b'=' | b':'))?;
    // `req+=` names the same variable as `req=`.
    let end = if mark > 0 && byte(text, mark - 1) == b'+' {
        mark - 1
    } else {
        mark
    };
    let from = text
        .iter()
        .take(end)
        .rposition(|byte| matches!(byte, b',' | b';' | b'{' | b'('))
        .map_or(0, |at| at + 1);
    let words = slice(text, from..end);
    words
        .iter()
        .any(u8::is_ascii_alphabetic)
        .then_some(start + from..start + end)
}
