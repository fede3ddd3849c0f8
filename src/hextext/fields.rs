//! The fields of a message, one a line, with whatever names people give them: `12-13 len: 00 06`,
//! `client_id len (int16): 0x0006`, `00 12 00 00 : 2) api`.
//!
//! In: text without comments. Out: one sketch with all fields as one part, if they are together what
//! the size in front of them says. That proves that the numbers in the names are no bytes, so names
//! are not looked at.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::framed::starts;
use super::reading::Family;
use super::scan::{Scan, byte, hex_pair, line_end, slice};

/// Fewest fields that are no accident.
const FEWEST: usize = 3;

/// Marks of a line behind which its bytes are looked for.
const MOST_MARKS: usize = 16;

/// Columns of a table in which bytes are looked for.
const MOST_COLUMNS: usize = 6;

/// The bytes of a line, and the words that say which they are.
struct Field {
    draft: Draft,
    name: Option<Range<usize>>,
}

/// Where in its line a field has its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Behind their name.
    Named,
    /// In front of what is said of them.
    Noted,
    /// In this column of a table.
    Column(usize),
}

/// Adds the fields of a text, unless the best reading has their bytes in one part.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let columns = match memchr::memchr(b'|', &scan.code) {
        Some(_) => 0..MOST_COLUMNS,
        None => 0..0,
    };
    let layouts = [Layout::Named, Layout::Noted].into_iter();
    let mut layouts = layouts.chain(columns.map(Layout::Column));
    let Some((part, names)) = layouts.find_map(|layout| joined(&scan.code, layout)) else {
        return;
    };
    let mut comments = scan.comments.clone();
    comments.extend(names);
    comments.sort_by_key(|comment| comment.start);
    let sketch = Sketch {
        family: Family::Hex,
        notation: "hex fields",
        confidence: 96,
        why: "the fields together are as long as the size in front of them says".into(),
        parts: vec![part],
        remarks: Vec::new(),
        comments,
    };
    let surest = found.confidence();
    let is_known = |other: &Sketch| {
        other.confidence == surest && other.parts.len() == 1 && other.same_bytes(&sketch)
    };
    if !found.sketches.iter().any(is_known) {
        found.add(sketch);
    }
}

/// The bytes of all lines, and the names beside them, if they are frames to the last byte, and no
/// line is one.
fn joined(code: &[u8], layout: Layout) -> Option<(Draft, Vec<Range<usize>>)> {
    let mut all = Draft::default();
    let mut names = Vec::new();
    let mut n_words = 0;
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let text = slice(code, at..end).trim_ascii_end();
        // The border of a table.
        let text = text.strip_suffix(b"|").unwrap_or(text).trim_ascii_end();
        let line = at..at + text.len();
        at = end + 1;
        if line.is_empty() {
            continue;
        }
        let Some(field) = field(code, line, layout) else {
            // A title, or what is said of the bytes.
            n_words += 1;
            continue;
        };
        // Four zeros are a field as well.
        if field.draft.bytes.len() > 4 && field.draft.is_frame() {
            return None;
        }
        all.bytes.extend(field.draft.bytes);
        all.at.extend(field.draft.at);
        names.extend(field.name);
    }
    let is_whole = starts(&all.bytes).first() == Some(&true);
    (is_whole && names.len() >= FEWEST.max(n_words)).then_some((all, names))
}

fn field(code: &[u8], line: Range<usize>, layout: Layout) -> Option<Field> {
    if let Layout::Column(column) = layout {
        return cell(code, line, column);
    }
    if let Some((draft, end)) = bytes(code, line.clone()) {
        if end == line.end {
            return Some(Field { draft, name: None });
        }
        if layout == Layout::Noted {
            let name = Some(end..line.end);
            return Some(Field { draft, name });
        }
    }
    if layout == Layout::Noted {
        return None;
    }
    // A name may have marks in it too, so bytes to the end of the line are looked for first.
    let is_mark = |at: &usize| b":=|)]> \t".contains(&byte(code, *at));
    let marks = || line.clone().filter(is_mark).take(MOST_MARKS);
    let behind = |at: usize| bytes(code, at + 1..line.end).map(|found| (at, found));
    let is_whole = |found: &(usize, (Draft, usize))| found.1.1 == line.end;
    let whole = marks().filter_map(behind).find(is_whole);
    let (at, (draft, _)) = whole.or_else(|| marks().find_map(behind))?;
    Some(Field {
        draft,
        name: Some(line.start..at),
    })
}

/// The bytes of a cell of a table, which has nothing else in it.
fn cell(code: &[u8], line: Range<usize>, column: usize) -> Option<Field> {
    let mut bars = line.clone().filter(|&at| byte(code, at) == b'|');
    let start = bars.nth(column)? + 1;
    let end = bars.next().unwrap_or(line.end);
    let len = slice(code, start..end).trim_ascii_end().len();
    let (draft, found) = bytes(code, start..start + len)?;
    (found == start + len).then_some(Field {
        draft,
        name: Some(end..line.end),
    })
}

/// The bytes that a line, or what of it stands behind a name, begins with, and where the words behind
/// them begin.
fn bytes(code: &[u8], line: Range<usize>) -> Option<(Draft, usize)> {
    let mut draft = Draft::default();
    let mut at = line.start;
    let mut end = line.start;
    while at < line.end {
        let here = byte(code, at);
        if here.is_ascii_alphanumeric() {
            let is_of_word = |at: &usize| byte(code, *at).is_ascii_alphanumeric();
            let word_end = (at..line.end).find(|at| !is_of_word(at));
            let word_end = word_end.unwrap_or(line.end);
            let word = slice(code, at..word_end);
            let digits = word.strip_prefix(b"0x").unwrap_or(word);
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            if !is_hex || digits.is_empty() || !digits.len().is_multiple_of(2) {
                break;
            }
            let first = word_end - digits.len();
            for (idx, pair) in digits.as_chunks::<2>().0.iter().enumerate() {
                draft.push(hex_pair(pair), first + 2 * idx);
            }
            at = word_end;
            end = at;
            continue;
        }
        // ` : `, ` = `, ` | ` and a gap part bytes from what is said of them.
        let before = byte(code, at.saturating_sub(1));
        let is_gap = here == b'\t' || here == b' ' && before == b' ';
        let is_mark = at > end && !b" \"'`[]{}<>,;".contains(&here)
            || here == b':' && byte(code, at + 1) == b' ';
        if !draft.bytes.is_empty() && (is_gap || is_mark) || b"(#/".contains(&here) {
            break;
        }
        at += 1;
    }
    if at >= line.end {
        end = line.end;
    }
    (!draft.bytes.is_empty()).then_some((draft, end))
}
