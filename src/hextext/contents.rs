//! What Node prints of memory: `[Uint8Contents]: <00 12>`, with the view on it in front.
//!
//! In: cleaned text. Out: one sketch with a part for every buffer, or for what a view has of it:
//! `DataView { byteLength: 22, byteOffset: 3, buffer: ArrayBuffer { [Uint8Contents]: <...> } }` is 22
//! bytes from the fourth on.

use super::draft::{Draft, Findings, Sketch};
use super::ellipsis;
use super::reading::Family;
use super::scan::{byte, hex_pair, slice};

/// What stands in front of the bytes.
const MARK: &[u8] = b"[Uint8Contents]: <";

/// How far in front of them their view begins: its two numbers, and blanks.
const REACH: usize = 400;

/// Looks for buffers.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let mut parts = Vec::new();
    let mut remarks = Vec::new();
    for at in memchr::memmem::find_iter(code, MARK) {
        let Some(whole) = contents(code, at + MARK.len()) else {
            continue;
        };
        let shown = whole.bytes.len();
        let part = match view(code, at) {
            Some((from, len)) => seen(whole, from, len),
            None => whole,
        };
        if part.bytes.len() < shown {
            let text = format!(
                "the view has {} of the {shown} bytes of its buffer that are here",
                part.bytes.len()
            );
            remarks.push((at, text));
        }
        parts.push(part);
    }
    found.add(Sketch {
        family: Family::Hex,
        notation: "Node ArrayBuffer",
        confidence: 96,
        why: "the bytes are named as Node names them".into(),
        parts,
        remarks,
        comments: Vec::new(),
    });
}

/// The bytes from `at` up to the closing mark, or the end of the paste.
fn contents(code: &[u8], mut at: usize) -> Option<Draft> {
    let mut draft = Draft::default();
    loop {
        match byte(code, at) {
            b'>' => return Some(draft),
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            b'.' => {
                let (end, len) = ellipsis::at(code, at)?;
                draft.hole(len, at);
                at = end;
            }
            high if high.is_ascii_hexdigit() && byte(code, at + 1).is_ascii_hexdigit() => {
                draft.push(hex_pair(&[high, byte(code, at + 1)]), at);
                at += 2;
            }
            _ if at + 1 >= code.len() => {
                draft.hole(None, at);
                return Some(draft);
            }
            _ => return None,
        }
    }
}

/// Where in its buffer a view begins, and how long it is.
fn view(code: &[u8], at: usize) -> Option<(usize, usize)> {
    let before = slice(code, at.saturating_sub(REACH)..at);
    let start = memchr::memmem::rfind(before, b"DataView {")?;
    let text = before.get(start..)?;
    // Nothing is closed between the view and its buffer.
    let number = |name: &[u8]| {
        let from = memchr::memmem::find(text, name)? + name.len();
        let rest = text.get(from..)?;
        let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        std::str::from_utf8(rest.get(..len)?).ok()?.parse().ok()
    };
    let is_open = !text.contains(&b'}');
    let found = (number(b"byteOffset: ")?, number(b"byteLength: ")?);
    is_open.then_some(found)
}

/// What of a buffer a view sees.
fn seen(whole: Draft, from: usize, len: usize) -> Draft {
    let shown = whole.bytes.len();
    let to = from.saturating_add(len);
    let range = from.min(shown)..to.min(shown);
    let mut part = Draft {
        bytes: whole.bytes.get(range.clone()).unwrap_or_default().to_vec(),
        at: whole.at.get(range).unwrap_or_default().to_vec(),
        ..Draft::default()
    };
    // Node leaves out what stands at the end.
    if let Some((_, _, at)) = whole.holes.first().filter(|_| to > shown) {
        let missing = (to - shown).min(len) as u64;
        part.hole(Some(missing), *at);
    }
    part
}
