//! Numbers among words that are no bytes: of a process or thread, in a name, times of the day.

use std::ops::Range;

use super::hex::Cell;
use super::scan::{byte, slice};
use super::stamp;

/// Characters between a word and the number that it is about.
const WIDEST_GAP: usize = 4;

/// Digits of a number that belongs to a name.
const LONGEST: usize = 4;

/// What of a line has been read.
pub(super) struct Aside<'a> {
    pub(super) code: &'a [u8],
    pub(super) line_end: usize,
    /// Words so far.
    pub(super) words: usize,
    /// End of the last word that is no hex.
    pub(super) word_end: Option<usize>,
    /// Whether the number could go on from bytes.
    pub(super) is_open: bool,
}

impl Aside<'_> {
    /// Whether a word is a name in quotes: `"a": "00 00"`.
    pub(super) fn is_quoted_name(&self, word: &Range<usize>) -> bool {
        let quotes = (
            slice(self.code, word.start.saturating_sub(1)..word.start),
            slice(self.code, word.end..word.end + 2),
        );
        matches!(quotes, (b"\"", b"\":") | (b"'", b"':"))
    }

    /// Whether a word is a name of one letter, as of client and server: `C: 00 00`.
    pub(super) fn is_letter_name(&self, word: &Range<usize>) -> bool {
        let is_first = self.words == 0 && !self.is_open;
        let is_letter =
            matches!(slice(self.code, word.clone()), [letter] if letter.is_ascii_alphabetic());
        let behind = (byte(self.code, word.end), byte(self.code, word.end + 1));
        is_first && is_letter && matches!(behind, (b':' | b'>', b' ' | b'\t' | b'\r' | b'\n' | 0))
    }

    /// Whether a word in brackets is the number of something: `kafka[1234]: 00 00`,
    /// `DEBUG [1772452893] 00 00`, `[pid 4242] 00 00`.
    pub(super) fn is_index(&self, word: Range<usize>) -> bool {
        let digits = slice(self.code, word.clone());
        if byte(self.code, word.end) != b']'
            || !digits.iter().all(u8::is_ascii_digit)
            || self.is_boxed_alike(&word)
        {
            return false;
        }
        let opens = slice(self.code, word.start.saturating_sub(2)..word.start);
        // The number of an element, in front of pairs: ` [1] 00 00`.
        let is_first = digits.len() == 1 && self.words == 0 && opens.ends_with(b"[");
        let is_boxed = self.words > 0 && opens == b" [" || self.is_named(word.start);
        let behind = slice(self.code, word.end + 1..self.line_end);
        let is_followed = || !behind.trim_ascii_start().is_empty();
        matches!(opens, [name, b'['] if name.is_ascii_alphanumeric())
            || !self.is_open && (is_first || is_boxed && is_followed())
    }

    /// Whether another box with as many digits follows: `[00] [12]` are bytes.
    fn is_boxed_alike(&self, word: &Range<usize>) -> bool {
        let behind = slice(self.code, word.end + 1..self.line_end);
        let next = behind.trim_ascii_start().strip_prefix(b"[");
        let next = next.and_then(|next| next.split_at_checked(word.len()));
        next.is_some_and(|(digits, rest)| {
            digits.iter().all(u8::is_ascii_hexdigit) && rest.starts_with(b"]")
        })
    }

    /// Whether nothing but blanks or a mark stands between a word and `at`.
    fn is_named(&self, at: usize) -> bool {
        let gap = self.word_end.map(|word| word..at);
        let gap = gap.filter(|gap| (1..=WIDEST_GAP).contains(&gap.len()));
        gap.is_some_and(|gap| matches!(slice(self.code, gap).trim_ascii(), b"" | b"=" | b":"))
    }

    /// Whether a number belongs to the word before it: `producer-1`, `conn.rs:88]`.
    pub(super) fn is_of_word(&self, word: Range<usize>) -> bool {
        let mark = byte(self.code, word.start.saturating_sub(1));
        let is_joined =
            b"-._@/#".contains(&mark) || mark == b':' && byte(self.code, word.end) == b']';
        is_joined
            && !self.is_open
            && word.len() <= LONGEST
            && (self.is_extension(&word)
                || slice(self.code, word.clone())
                    .iter()
                    .all(u8::is_ascii_digit))
            && !self.begins_row(&word, mark)
            && self.word_end.is_some_and(|end| end + 1 == word.start)
    }

    /// Whether a word is the end of the name of a file with a line behind it: `conn.cc:88`.
    pub(super) fn is_extension(&self, word: &Range<usize>) -> bool {
        let letters = slice(self.code, word.clone());
        byte(self.code, word.start.saturating_sub(1)) == b'.'
            && byte(self.code, word.end) == b':'
            && letters.iter().all(u8::is_ascii_alphabetic)
    }

    /// Whether a number is as wide as the next, and no number but bytes: `data/00 00`, `msg-12-00`.
    fn begins_row(&self, word: &Range<usize>, mark: u8) -> bool {
        let gap = byte(self.code, word.end);
        let from = self.line_end.min(word.end + 1);
        let next = slice(self.code, from..self.line_end.min(from + word.len()));
        let is_alike = word.len() >= 2
            && next.len() == word.len()
            && next.iter().all(u8::is_ascii_hexdigit)
            && !byte(self.code, from + next.len()).is_ascii_alphanumeric();
        is_alike
            && !gap.is_ascii_alphanumeric()
            && (gap == mark || byte(self.code, word.start) == b'0')
    }

    /// End of a number with a fraction, which no bytes have: `"ts":1772452893.1`.
    pub(super) fn fraction(&self, word: Range<usize>) -> Option<usize> {
        let digits = slice(self.code, word.clone());
        let is_whole = digits.len() > 2 && digits.iter().all(u8::is_ascii_digit);
        let behind = slice(self.code, word.end..self.line_end);
        let fraction = behind
            .strip_prefix(b".")
            .filter(|_| is_whole && !self.is_open)?;
        let len = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        let next = byte(self.code, word.end + 1 + len);
        (len > 0 && next != b'.' && !next.is_ascii_alphanumeric()).then_some(word.end + 1 + len)
    }

    /// End of the timestamp at `at`, which may stand behind what another log has put in front of it.
    pub(super) fn stamp(&self, at: usize) -> Option<usize> {
        let before = slice(self.code, at.saturating_sub(1)..at);
        let is_free = !self.is_open && matches!(before, b" " | b"\t" | b"[" | b"(" | b">");
        if !is_free || !byte(self.code, at).is_ascii_digit() {
            return None;
        }
        match stamp::skip(self.code, at, self.line_end) {
            end if end > at => Some(end),
            _ => self.time_of_day(at),
        }
    }

    /// End of `12:01 PM`, as chats put it beside a name.
    fn time_of_day(&self, at: usize) -> Option<usize> {
        let text = slice(self.code, at..self.line_end.min(at + 8));
        let hour = text.iter().take_while(|b| b.is_ascii_digit()).count();
        match text.get(hour..hour + 6)? {
            [b':', b'0'..=b'5', b'0'..=b'9', b' ', b'A' | b'P', b'M'] if hour <= 2 => {
                Some(at + hour + 6)
            }
            _ => None,
        }
    }
}

/// Whether what stands between a word and digits makes it the name of a field: `: `, `): "`, `" => `.
pub(super) fn ends_name(between: &[u8]) -> bool {
    let is_closing = |byte: &u8| b" \t)]}>\"'`".contains(byte);
    let n_closing = between.iter().take_while(|byte| is_closing(byte)).count();
    match between.get(n_closing..) {
        Some([b':' | b'=' | b'|', behind @ ..]) => {
            behind.iter().all(|byte| b" \t>([{<\"'`".contains(byte))
        }
        _ => false,
    }
}

/// Whether the first number is the size of what follows it, and no byte of it: `WRITE: 138B 0000...`,
/// and behind words `len=138 0000...`.
pub(super) fn begins_with_size(code: &[u8], cells: &[Cell], words_before: usize) -> bool {
    let [Cell::Digits(size), rest @ ..] = cells else {
        return false;
    };
    let is_pair = |cell: &Cell| matches!(cell, Cell::Digits(range) if range.len() == 2);
    let digits = match slice(code, size.clone()) {
        // `6b 00 12`: a pair among pairs.
        [_, b'B' | b'b'] if rest.iter().any(is_pair) => return false,
        [digits @ .., b'B' | b'b'] => digits,
        digits @ [b'1'..=b'9', ..] if words_before > 0 => digits,
        _ => return false,
    };
    let said = std::str::from_utf8(digits).ok();
    let said: Option<usize> = said.and_then(|text| text.parse().ok());
    let digits = rest.iter().map(|cell| match cell {
        Cell::Digits(range) => range.len(),
        _ => 0,
    });
    said.is_some_and(|said| said > 0 && said.checked_mul(2) == Some(digits.sum()))
}
