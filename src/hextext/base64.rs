//! Base64 in either alphabet, with or without padding and line wraps.
//!
//! In: cleaned text, with its comments, for `//` is also two digits. Out: one sketch. Many identifiers are Base64 by accident, so a word counts
//! only if something speaks for it: the word `base64` nearby, padding, a start of zeros (`AAAA`, as
//! every length prefix gives), or a long mix of cases and digits.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{byte, line_start, slice};

/// Lenient in all but the digits: people cut padding, and encoders leave stray bits.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Shortest word that is looked at: two header fields and a size.
const SHORTEST: usize = 12;

/// Blanks in front of a line and behind it: as many as a log had words there.
const WIDEST_INDENT: usize = 160;

/// Narrowest lines that are wrapped ones.
const NARROWEST: usize = 16;

/// Shortest group of digits that are parted by blanks, and the fewest of them.
const SHORTEST_GROUP: usize = 8;
const FEWEST_GROUPS: usize = 3;

/// A run of Base64 digits, maybe over several lines.
struct Word {
    digits: Vec<u8>,
    at: Vec<usize>,
    padding: usize,
    lines: usize,
}

/// Looks for Base64.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let mut parts = Vec::new();
    let mut best = 0;
    let mut at = 0;
    let mut no_groups = 0;
    while at < code.len() {
        if !is_digit(byte(code, at)) {
            at += 1;
            continue;
        }
        let (word, end) = word(code, at, &mut no_groups);
        let confidence = judge(code, at, &word);
        at = end;
        if confidence == 0 {
            continue;
        }
        if let Some(part) = decode(&word) {
            best = best.max(confidence);
            parts.push((confidence, part));
        }
    }
    parts.retain(|(confidence, _)| confidence + 25 >= best);
    found.add(Sketch {
        family: Family::Base64,
        notation: "base64",
        confidence: best,
        why: match best {
            80.. => "Base64 digits that begin as a length does, or are called base64".into(),
            _ => "Base64 digits; nothing else says that they are".into(),
        },
        parts: parts.into_iter().map(|(_, part)| part).collect(),
        remarks: Vec::new(),
        comments: Vec::new(),
    });
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Takes the word at `start`, and the lines behind it that it was wrapped to.
fn word(code: &[u8], start: usize, no_groups: &mut usize) -> (Word, usize) {
    let mut word = Word {
        digits: Vec::new(),
        at: Vec::new(),
        padding: 0,
        lines: 1,
    };
    let mut at = start;
    let mut width = None;
    loop {
        let len = code
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| is_digit(**b))
            .count();
        // Wrapped lines have one width; only the last may be shorter.
        if width.is_some_and(|width| len > width) {
            return (word, at);
        }
        word.digits.extend_from_slice(slice(code, at..at + len));
        word.at.extend(at..at + len);
        at += len;
        at = grouped(code, at, len, no_groups, &mut word);
        while byte(code, at) == b'=' && word.padding < 2 {
            word.padding += 1;
            at += 1;
        }
        let first = width.is_none();
        // What begins as a length does may be wrapped to narrower lines, if it fills them.
        let is_narrow = len >= NARROWEST && len.is_multiple_of(4) && is_filled(code, start, at);
        let is_wide = len >= 48 || is_narrow && word.digits.starts_with(b"AAA");
        let full = is_wide && (first || width == Some(len));
        let newline = at + trailing(code, at);
        let rest = slice(code, newline + 1..code.len());
        let indent = rest
            .iter()
            .take(WIDEST_INDENT)
            .take_while(|byte| **byte == b' ')
            .count();
        let next = newline + 1 + indent;
        if word.padding > 0 || !full || byte(code, newline) != b'\n' || !is_digit(byte(code, next))
        {
            return (word, at);
        }
        width = Some(len);
        word.lines += 1;
        at = next;
    }
}

/// Whether the word at `start` is all there is on its line, up to `end`.
fn is_filled(code: &[u8], start: usize, end: usize) -> bool {
    let before = slice(code, line_start(code, start, WIDEST_INDENT)..start);
    let end = end + trailing(code, end);
    before.iter().all(u8::is_ascii_whitespace) && byte(code, end) == b'\n'
}

/// Blanks at the end of a line, if it ends there.
fn trailing(code: &[u8], at: usize) -> usize {
    let rest = slice(code, at..code.len().min(at + WIDEST_INDENT));
    let blanks = rest
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
    let len = blanks.count();
    if byte(code, at + len) == b'\n' {
        len
    } else {
        0
    }
}

/// Takes the groups behind the first, if a blank parts groups of one width, of which only the last is
/// shorter: `AAAAHAAM AAMAAAAH AAJj`.
///
/// Up to `no_groups` it was looked for already.
fn grouped(
    code: &[u8],
    from: usize,
    width: usize,
    no_groups: &mut usize,
    word: &mut Word,
) -> usize {
    if width < SHORTEST_GROUP || from < *no_groups {
        return from;
    }
    let len = |at: usize| {
        let rest = code.get(at..).unwrap_or_default();
        rest.iter().take_while(|digit| is_digit(**digit)).count()
    };
    let mut n_groups = 1;
    let mut at = from;
    while byte(code, at) == b' ' {
        let len = len(at + 1);
        if len == 0 || len > width {
            break;
        }
        at += 1 + len;
        n_groups += 1;
        if len < width {
            break;
        }
    }
    let is_ended = matches!(byte(code, at), 0 | b'\n' | b'\r' | b'=' | b'"' | b'\'');
    if n_groups < FEWEST_GROUPS || !is_ended {
        *no_groups = at;
        return from;
    }
    let places = (from..at).filter(|&at| byte(code, at) != b' ');
    for place in places {
        word.digits.push(byte(code, place));
        word.at.push(place);
    }
    at
}

fn judge(code: &[u8], start: usize, word: &Word) -> u8 {
    let len = word.digits.len();
    let all_hex = word.digits.iter().all(u8::is_ascii_hexdigit);
    if len < SHORTEST || all_hex {
        return 0;
    }
    if word.padding > 0 && !(len + word.padding).is_multiple_of(4) {
        return 0;
    }
    let any = |class: fn(&u8) -> bool| word.digits.iter().any(class);
    let mixed =
        any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase) && any(u8::is_ascii_digit);
    let before = slice(code, line_start(code, start, 80)..start).to_ascii_lowercase();
    let has = |mark: &[u8]| memchr::memmem::find(&before, mark).is_some();
    if has(b"base64") || has(b"b64") {
        return 88;
    }
    if word.digits.starts_with(b"AAA") {
        return 86;
    }
    let standard = word.digits.iter().all(|b| !matches!(b, b'-' | b'_'));
    match (word.padding > 0, mixed) {
        (_, true) if word.lines > 1 => 80,
        (true, true) => 65,
        (true, false) if len >= 16 => 50,
        (false, true) if len >= 24 && len.is_multiple_of(4) && standard => 40,
        _ => 0,
    }
}

/// The bytes of a piece of text that is nothing but digits and padding; none if they are broken.
pub(super) fn digits(code: &[u8], piece: std::ops::Range<usize>) -> Draft {
    let mut word = Word {
        digits: Vec::new(),
        at: Vec::new(),
        padding: 0,
        lines: 1,
    };
    for at in piece.filter(|&at| is_digit(byte(code, at))) {
        word.digits.push(byte(code, at));
        word.at.push(at);
    }
    decode(&word).unwrap_or_default()
}

fn decode(word: &Word) -> Option<Draft> {
    let len = word.digits.len();
    let whole = if len % 4 == 1 { len - 1 } else { len };
    let standard: Vec<u8> = word
        .digits
        .iter()
        .map(|digit| match digit {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        })
        // A lone digit behind the last four is half of what a cut took away.
        .take(whole)
        .collect();
    let bytes = LENIENT.decode(standard).ok()?;
    let mut draft = Draft::default();
    for (idx, byte) in bytes.into_iter().enumerate() {
        // Three bytes stand in four digits; a byte begins in the digit of its highest bits.
        let at = word.at.get(idx / 3 * 4 + idx % 3).copied()?;
        draft.push(byte, at);
    }
    if let Some(&cut) = word.at.get(whole) {
        draft.hole(None, cut);
    }
    Some(draft)
}
