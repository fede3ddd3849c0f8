//! Whole frames among what a log says: `conn=17 fd=4 raw=00000030…`.
//!
//! In: text without its gutter. Out: one sketch with a part for every word of hex digits that is a
//! frame to its last byte, which leaves nothing to chance: the numbers around it are no bytes. Where
//! other words may be bytes as well, there is no sketch.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{byte, line_end, slice};

/// Digits of the shortest request: a size and a header without client id.
const FEWEST: usize = 2 * (4 + 8);

/// So many words of hex digits with the same between them may be a row of bytes.
const ROW: usize = 4;

/// Adds the frames of a text, unless the best reading has the same bytes.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let parts = frames(code);
    let sketch = Sketch {
        family: Family::Hex,
        notation: "hex in a log",
        confidence: 97,
        why: "each word of hex digits is a whole frame".into(),
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
        let line = at..end;
        let frame = words(code, line.clone()).find_map(|word| frame(code, at, word));
        match frame {
            Some(frame) => frames.push(frame),
            None if may_be_bytes(code, line) => return Vec::new(),
            None => {}
        }
        at = end + 1;
    }
    frames
}

/// A word that is a whole frame, behind what a line says before it.
fn frame(code: &[u8], line: usize, word: Range<usize>) -> Option<Draft> {
    let digits = slice(code, word.clone());
    if digits.len() < FEWEST || !digits.len().is_multiple_of(2) {
        return None;
    }
    let mut draft = Draft {
        label: Some(line..word.start).filter(|label| !label.is_empty()),
        ..Draft::default()
    };
    for (idx, pair) in digits.chunks_exact(2).enumerate() {
        let pair = std::str::from_utf8(pair).ok()?;
        draft.push(u8::from_str_radix(pair, 16).ok()?, word.start + 2 * idx);
    }
    draft.is_frame().then_some(draft)
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
        is_hex && digits.len() >= FEWEST || row >= ROW
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
