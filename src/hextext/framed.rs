//! Whole messages among what a log says: `conn=17 fd=4 raw=00000030…`.
//!
//! In: text without its gutter. Out: one sketch with a part for every word of hex digits, or run of
//! pairs, that is frames to its last byte or as long as the line says, which leaves nothing to chance:
//! the numbers around it are no bytes. Where other words may be bytes as well, there is no sketch.

use std::collections::BTreeSet;
use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{byte, hex_pair, line_end, slice};

/// Digits of the shortest request: a size and a header without client id.
const FEWEST: usize = 2 * (4 + 8);

/// Bytes behind the size of the shortest message: a correlation id and an error code.
const SHORTEST: usize = 6;

/// So many words of hex digits with the same between them may be a row of bytes.
const ROW: usize = 4;

/// So many of them with dots between them: an address has fewer.
const DOTTED_ROW: usize = 6;

/// Numbers of a log directly in front of pairs that can pass for some.
pub(super) const MOST_ASIDE: usize = 3;

/// Names of the number of bytes.
const COUNTS: [&[u8]; 7] = [
    b"bytes", b"byte", b"len", b"length", b"size", b"n", b"count",
];

/// Adds the frames of a text, unless the best reading has the same bytes.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let parts = frames(code);
    let sketch = Sketch {
        family: Family::Hex,
        notation: "hex in a log",
        confidence: 97,
        why: "each word of hex digits is a whole frame, or as long as its line says".into(),
        parts,
        remarks: Vec::new(),
        comments: Vec::new(),
    };
    let surest = found.confidence();
    let is_best = |other: &Sketch| other.confidence == surest && other.same_bytes(&sketch);
    if !found.sketches.iter().any(is_best) {
        found.add(sketch);
    }
}

/// The frames of a text that has no other bytes.
pub(super) fn frames(code: &[u8]) -> Vec<Draft> {
    let mut frames = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let n_before = frames.len();
        let line = at..end;
        of_line(code, line.clone(), &mut frames);
        if frames.len() == n_before && may_be_bytes(code, line) {
            return Vec::new();
        }
        at = end + 1;
    }
    frames
}

/// Takes the frames of a line, each with what the line says before it.
fn of_line(code: &[u8], line: Range<usize>, frames: &mut Vec<Draft>) {
    let all: Vec<Range<usize>> = words(code, line.clone()).collect();
    let counts = counts(code, &line, &all);
    let mut from = line.start;
    let mut rest = all.as_slice();
    while let Some((word, behind)) = rest.split_first() {
        let n_pairs = n_pairs(code, rest);
        let draft = match n_pairs {
            0..ROW => whole(code, &counts, word),
            _ => {
                let pairs = rest.get(..n_pairs).unwrap_or_default();
                run(code, &counts, pairs, word.start > line.start)
            }
        };
        if let Some(mut draft) = draft {
            let start = draft.at.first().copied().unwrap_or(from);
            draft.label = Some(from..start).filter(|label| !label.is_empty());
            from = match n_pairs {
                0..ROW => word.end,
                _ => rest.get(n_pairs - 1).map_or(word.end, |last| last.end),
            };
            frames.push(draft);
        }
        rest = match n_pairs {
            0..ROW => behind,
            _ => rest.get(n_pairs..).unwrap_or_default(),
        };
    }
}

/// A word that is whole frames, or as long as its line says.
fn whole(code: &[u8], counts: &BTreeSet<usize>, word: &Range<usize>) -> Option<Draft> {
    let digits = slice(code, word.clone());
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    if digits.len() < FEWEST || !digits.len().is_multiple_of(2) || !is_hex {
        return None;
    }
    let mut draft = Draft::default();
    for (idx, pair) in digits.as_chunks::<2>().0.iter().enumerate() {
        draft.push(hex_pair(pair), word.start + 2 * idx);
    }
    let is_whole = starts(&draft.bytes).first() == Some(&true);
    (is_whole || is_counted(counts, &draft.bytes)).then_some(draft)
}

/// Pairs that are whole frames, perhaps behind numbers of the log, or as many as their line says.
fn run(
    code: &[u8],
    counts: &BTreeSet<usize>,
    pairs: &[Range<usize>],
    is_behind: bool,
) -> Option<Draft> {
    let mut draft = Draft::default();
    for word in pairs {
        let pair = slice(code, word.clone()).first_chunk()?;
        draft.push(hex_pair(pair), word.start);
    }
    let starts = starts(&draft.bytes);
    let n_aside = if is_behind { MOST_ASIDE } else { 0 };
    let first = starts.iter().take(n_aside + 1).position(|starts| *starts);
    let first = match first {
        Some(first) => first,
        None if is_counted(counts, &draft.bytes) => 0,
        None => return None,
    };
    draft.bytes.drain(..first);
    draft.at.drain(..first);
    (2 * draft.bytes.len() >= FEWEST).then_some(draft)
}

/// For each byte, whether frames follow each other from it to the last byte.
pub(super) fn starts(bytes: &[u8]) -> Vec<bool> {
    let mut starts = vec![false; bytes.len() + 1];
    if let Some(end) = starts.last_mut() {
        *end = true;
    }
    for at in (0..bytes.len()).rev() {
        let size = bytes.get(at..).and_then(|rest| rest.first_chunk());
        let size = size.copied().map(u32::from_be_bytes);
        let size = size.and_then(|size| usize::try_from(size).ok());
        let end = size.and_then(|size| size.checked_add(at + 4));
        let is_start = size.is_some_and(|size| size >= SHORTEST)
            && end.is_some_and(|end| starts.get(end) == Some(&true));
        if let Some(start) = starts.get_mut(at) {
            *start = is_start;
        }
    }
    starts.pop();
    starts
}

/// The numbers of bytes that a line says: `len=121`, `121 bytes`, `121B`.
fn counts(code: &[u8], line: &Range<usize>, words: &[Range<usize>]) -> BTreeSet<usize> {
    let is_name = |word: Option<&Range<usize>>| {
        word.is_some_and(|word| {
            let name = slice(code, word.clone()).to_ascii_lowercase();
            COUNTS.contains(&name.as_slice())
        })
    };
    let count = |(idx, word): (usize, &Range<usize>)| {
        let before = byte(code, word.start.saturating_sub(1));
        let is_free = word.start == line.start || b" \t=:([\"".contains(&before);
        let idx_before = idx.checked_sub(1).and_then(|idx| words.get(idx));
        let text = std::str::from_utf8(slice(code, word.clone())).ok()?;
        let digits = text.trim_end_matches('B');
        let has_unit = digits.len() + 1 == text.len();
        let is_count = has_unit || is_name(idx_before) || is_name(words.get(idx + 1));
        digits.parse().ok().filter(|_| is_free && is_count)
    };
    words.iter().enumerate().filter_map(count).collect()
}

/// Whether bytes that can begin a message are as many as their line says.
fn is_counted(counts: &BTreeSet<usize>, bytes: &[u8]) -> bool {
    bytes.first() == Some(&0) && 2 * bytes.len() >= FEWEST && counts.contains(&bytes.len())
}

/// How many pairs of hex digits the words begin with, with the same blank or mark between them.
fn n_pairs(code: &[u8], words: &[Range<usize>]) -> usize {
    let is_pair = |word: &Range<usize>| {
        word.len() == 2 && slice(code, word.clone()).iter().all(u8::is_ascii_hexdigit)
    };
    let between = |words: &[Range<usize>]| match words {
        [one, next] => slice(code, one.end..next.start),
        _ => &[],
    };
    let separator = words.get(..2).map_or(&[][..], between);
    if !words.first().is_some_and(is_pair) || separator.len() != 1 {
        return 0;
    }
    let is_next =
        |pair: &&[Range<usize>]| pair.get(1).is_some_and(is_pair) && between(pair) == separator;
    1 + words.windows(2).take_while(is_next).count()
}

/// Whether a line has words that others would take for bytes: nothing but hex digits, a long word of
/// them, or a row. Dates and times are rows of three.
fn may_be_bytes(code: &[u8], line: Range<usize>) -> bool {
    let mut row = 0;
    let mut n_words = 0;
    let mut n_hex = 0;
    let mut before: Option<Range<usize>> = None;
    let mut separator: &[u8] = &[];
    let is_found = words(code, line).any(|word| {
        let digits = slice(code, word.clone());
        let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
        let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
        n_words += 1;
        n_hex += usize::from(is_hex);
        let between = before
            .replace(word.clone())
            .map(|last| last.end..word.start);
        let between = between.map_or(&[][..], |between| slice(code, between));
        row = match (is_hex, between == separator) {
            (false, _) => 0,
            (true, true) => row + 1,
            (true, false) => 1 + usize::from(row > 0),
        };
        separator = between;
        let fewest = if separator == b"." { DOTTED_ROW } else { ROW };
        is_hex && digits.len() >= FEWEST || row >= fewest
    });
    is_found || n_words > 0 && n_hex == n_words
}

/// Runs of letters and digits.
fn words(code: &[u8], line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let is_of_word = |at: &usize| byte(code, *at).is_ascii_alphanumeric();
    let mut at = line.start;
    std::iter::from_fn(move || {
        let start = (at..line.end).find(is_of_word)?;
        at = (start..line.end)
            .find(|at| !is_of_word(at))
            .unwrap_or(line.end);
        Some(start..at)
    })
}
