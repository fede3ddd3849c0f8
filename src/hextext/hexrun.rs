//! One line of plain hex: its runs of hex words, and the words that they are no part of.
//!
//! In: a line without comments. Out: its [`Run`]s, with what tells whether they are bytes, and the
//! first character that stands where a hex digit should. Which runs count is for `hexline`, which
//! knows the other lines.

use std::ops::Range;

use super::column::{self, Agreement};
use super::ellipsis;
use super::hex::{self, Cell};
use super::hexaside::{self, Aside};
use super::scan::hex_value;
use super::scan::{byte, slice};
use super::stamp;

/// Bytes in a row that has an ASCII column.
const WIDEST_ROW: usize = 64;
/// Characters in such a row.
const LONGEST_ROW: usize = 512;
/// Bytes with dots between them that are no address of IP.
const FEWEST_DOTTED: usize = 6;
/// U+FFFD.
const REPLACEMENT: &[u8] = b"\xef\xbf\xbd";

/// What counts in text around bytes.
const UNITS: [&[u8]; 5] = [b"byte", b"octet", b"item", b"row", b"line"];

/// Hex words that nothing but separators stands between.
pub(super) struct Run {
    /// Indexes into the cells of all lines.
    pub(super) cells: Range<usize>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) digits: usize,
    /// Words before it on its line.
    pub(super) words_before: usize,
    /// It can hardly be anything but bytes.
    pub(super) strong: bool,
    /// Words stand behind it.
    pub(super) noted: bool,
}

/// Reads one line.
pub(super) struct Reader<'a> {
    code: &'a [u8],
    line: Range<usize>,
    cells: &'a mut Vec<Cell>,
    pub(super) runs: Vec<Run>,
    /// The first cell of the run that is being read, and the number of words before it.
    open: Option<(usize, usize)>,
    pub(super) words: usize,
    /// A word that came directly behind a cell of its own length, waiting for a cell behind it.
    last_word: Option<usize>,
    /// Whether the last word has `0x` in front of its digits.
    prefixed: bool,
    /// End of the last cell or word.
    last_end: usize,
    /// End of the last word that is no hex.
    word_end: Option<usize>,
    /// Numbers that belong to words.
    pub(super) n_aside: usize,
    pub(super) hex_digits: usize,
    pub(super) alphanumerics: usize,
    /// The first character that is out of place, and how sure that is.
    pub(super) suspect: Option<(usize, u8)>,
}

impl<'a> Reader<'a> {
    /// Reads a line; its cells are appended to `cells`.
    pub(super) fn read(code: &'a [u8], line: Range<usize>, cells: &'a mut Vec<Cell>) -> Self {
        let start = line.start;
        let mut reader = Reader {
            code,
            line,
            cells,
            runs: Vec::new(),
            open: None,
            words: 0,
            last_word: None,
            prefixed: false,
            last_end: start,
            word_end: None,
            n_aside: 0,
            hex_digits: 0,
            alphanumerics: 0,
            suspect: None,
        };
        reader.line();
        reader
    }

    fn line(&mut self) {
        let mut at = stamp::skip(self.code, self.line.start, self.line.end);
        self.words += usize::from(at > self.line.start);
        while at < self.line.end {
            if self.is_column(at) {
                self.words += 1;
                self.close(at, true);
                return;
            }
            let here = byte(self.code, at);
            at = if let Some(end) = self.aside().stamp(at) {
                self.words += 1;
                self.last_end = end;
                end
            } else if here.is_ascii_alphanumeric() {
                self.word(at)
            } else if here == b'.'
                && let Some(end) = self.dotted(at)
            {
                let pairs = (at..end).step_by(3);
                self.cells
                    .extend(pairs.map(|dot| Cell::Digits(dot + 1..dot + 3)));
                self.hex_digits += (end - at) / 3 * 2;
                self.last_end = end;
                end
            } else if (self.open.is_some() || self.words == 0)
                && let Some((end, len)) = ellipsis::at(self.code, at)
            {
                self.open_run();
                self.cells.push(Cell::Hole(len, at));
                self.last_end = end;
                end
            } else {
                self.mark(at, here);
                at + 1
            };
        }
        // A pair at the end of a line of pairs that is no hex.
        if let Some(at) = self.last_word.take() {
            self.suspect = self.suspect.or(Some((at, 80)));
        }
        self.close(self.line.end, false);
    }

    fn aside(&self) -> Aside<'a> {
        Aside {
            code: self.code,
            line_end: self.line.end,
            words: self.words,
            word_end: self.word_end,
            is_open: self.open.is_some(),
        }
    }

    /// Whether the ASCII column of the bytes before begins at `at`.
    fn is_column(&self, at: usize) -> bool {
        let Some((first, _)) = self.open else {
            return false;
        };
        // Before the gap is looked at: where a comment was, it may be as long as the paste.
        if self.line.len() > LONGEST_ROW {
            return false;
        }
        let gap = slice(self.code, self.last_end..at);
        let is_gap = gap.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        let is_marked = byte(self.code, at) == b'|' && !gap.is_empty();
        let is_blank = matches!(byte(self.code, at), b' ' | b'\t' | b'\r');
        let cells = self.cells.get(first..).unwrap_or_default();
        if !is_gap
            || is_blank
            || !(gap.len() >= 2 || is_marked)
            || !(4..=WIDEST_ROW).contains(&cells.len())
        {
            return false;
        }
        let pairs: Option<Vec<u8>> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Digits(range) => pair(slice(self.code, range.clone())),
                _ => None,
            })
            .collect();
        let text = slice(self.code, self.last_end..self.line.end);
        pairs.is_some_and(|bytes| column::compare(bytes.iter().copied(), text) == Agreement::Equal)
    }

    /// End of `.00.12.03...` behind a pair, if there is so much of it that it is no address.
    fn dotted(&self, at: usize) -> Option<usize> {
        let rest = slice(self.code, at..self.line.end);
        let is_pair = |group: &&[u8; 3]| matches!(group, [b'.', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
        let all = rest.as_chunks::<3>().0.iter().take_while(is_pair).count();
        // The last pair may be the beginning of something longer.
        let is_whole = !byte(self.code, at + 3 * all).is_ascii_alphanumeric();
        let count = all - usize::from(!is_whole && all > 0);
        let end = at + 3 * count;
        let before = self.cells.len() - self.open.map_or(0, |(first, _)| first);
        let joined = self.open.is_some() && self.last_end == at && self.width_before() == Some(2);
        (joined && count > 0 && before + count >= FEWEST_DOTTED).then_some(end)
    }

    fn mark(&mut self, at: usize, here: u8) {
        // `88] -> 00 12`: what the arrow points at is something else than what it points from.
        if here == b'>' && slice(self.code, at.saturating_sub(1)..at) == b"-" {
            self.words += usize::from(self.open.is_some());
            return self.close(at, true);
        }
        if slice(self.code, at..at + 3) == REPLACEMENT && self.hex_digits >= 4 {
            self.suspect = self.suspect.or(Some((at, 85)));
        }
        // `A%00%12`: an address in which some bytes are letters, not hex.
        if here == b'%' && self.last_end == at && !self.is_percent() {
            self.suspect = self.suspect.or(Some((at, 80)));
        }
        if b" \t\r,:;-|_'\"`[]{}()<>%".contains(&here) {
            return;
        }
        let before = self.last_end == at && at > self.line.start;
        let joined = before
            && self.open.is_some()
            && byte(self.code, at - 1).is_ascii_hexdigit()
            && self.behind(at).is_ascii_hexdigit();
        if joined && here != b'.' && here != b'/' && self.hex_digits >= 8 {
            self.suspect = self.suspect.or(Some((at, 78)));
        }
        // What comes behind `=` and the like is no longer the first on its line.
        self.words += usize::from(self.open.is_some());
        self.close(at, here != b'.');
    }

    /// The byte behind the character at `at`.
    fn behind(&self, at: usize) -> u8 {
        let mut next = at + 1;
        while byte(self.code, next) & 0xc0 == 0x80 {
            next += 1;
        }
        byte(self.code, next)
    }

    fn open_run(&mut self) {
        if self.open.is_none() {
            self.open = Some((self.cells.len(), self.words));
        }
    }

    /// Reads the word at `at` and returns where it ends, or the number that it begins.
    fn word(&mut self, at: usize) -> usize {
        let mut end = at;
        while byte(self.code, end).is_ascii_alphanumeric() {
            end += 1;
        }
        let passed = self.word_aside(at..end);
        if passed.is_none() {
            self.cell(at..end);
        }
        self.last_end = passed.unwrap_or(end);
        self.last_end
    }

    /// Passes over a word that is no bytes by what stands around it; returns where it ends.
    fn word_aside(&mut self, word: Range<usize>) -> Option<usize> {
        let aside = self.aside();
        let mut end = word.end;
        if aside.is_index(word.clone()) {
            self.close(word.start, true);
            self.words += 1;
        } else if let Some(behind) = aside.fraction(word.clone()) {
            self.words += 1;
            end = behind;
        } else if aside.is_of_word(word.clone()) {
            self.word_end = aside.is_extension(&word).then_some(end);
            self.n_aside += 1;
        } else if aside.is_quoted_name(&word) {
            self.close(word.start, true);
            self.words += 1;
        } else if aside.is_letter_name(&word) {
            self.words += 1;
        } else {
            return None;
        }
        Some(end)
    }

    /// Takes a word as a cell, if it is one.
    fn cell(&mut self, word: Range<usize>) {
        let at = word.start;
        let digits = self.digits(&word);
        self.alphanumerics += word.len();
        // `crc=0x1c2d3e4f: 0000`: a number, and bytes; `0x0000001c 000c0003`: one after the other.
        let is_prefixed = digits.start > at;
        let gap = slice(self.code, self.last_end..at);
        let goes_on = gap == b" " && self.width_before() == Some(digits.len());
        if self.open.is_some() && self.prefixed && !is_prefixed && gap.ends_with(b" ") && !goes_on {
            self.close(at, true);
            self.words += 1;
        }
        self.prefixed = is_prefixed;
        let is_hex = slice(self.code, digits.clone())
            .iter()
            .all(u8::is_ascii_hexdigit);
        if digits.is_empty() || !is_hex {
            return self.not_hex(at, word.end);
        }
        self.hex_digits += digits.len();
        if let Some(bad) = self.last_word.take()
            && self.width_before() == Some(digits.len())
        {
            self.suspect = self.suspect.or(Some((bad, 80)));
        }
        self.open_run();
        self.cells.push(Cell::Digits(digits));
    }

    /// The word without a prefix that says that it is hex.
    fn digits(&self, word: &Range<usize>) -> Range<usize> {
        let at = word.start;
        match slice(self.code, word.clone()) {
            // Behind a name, a short one too: `api key = 0x0012`.
            [b'0', b'x' | b'X', digits @ ..]
                if digits.len() >= 6 || digits.len() >= 2 && self.is_named(at) =>
            {
                at + 2..word.end
            }
            // PostgreSQL's `\\x0000`.
            [b'x', digits @ ..]
                if digits.len() >= 6 && at > 0 && byte(self.code, at - 1) == b'\\' =>
            {
                at + 1..word.end
            }
            _ => word.clone(),
        }
    }

    fn not_hex(&mut self, at: usize, end: usize) {
        self.word_end = Some(end);
        let word = slice(self.code, at..end);
        let bad = word
            .iter()
            .position(|b| !b.is_ascii_hexdigit())
            .unwrap_or(0);
        // Beside these marks it is Base64.
        let mark = |at| matches!(byte(self.code, at), b'+' | b'/' | b'=');
        let base64 = mark(end) || at.checked_sub(1).is_some_and(mark);
        if hex::nearly(word).is_some() && !base64 {
            self.hex_digits += word.len();
            self.suspect = self.suspect.or(Some((at + bad, 75)));
        }
        // `00 0g 00`: between cells of its own length it is a cell that went wrong.
        let alike = self.open.is_some() && self.width_before() == Some(word.len());
        let gap = slice(self.code, self.last_end..at).len() == 1;
        self.last_word =
            (alike && gap && (word.len() <= 2 || has_digits(word))).then_some(at + bad);
        // `xx 00 12`: a pair that was masked or mistyped at the start of a line of pairs.
        let first = self.words == 0 && self.hex_digits == 0 && self.open.is_none();
        let masked =
            matches!(word, b"xx" | b"XX") || (word.len() == 2 && bad == 1 && has_digits(word));
        let pair = slice(self.code, end + 1..end + 4);
        let pairs = matches!(pair, [a, b, b' '] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        if first && masked && pairs {
            self.suspect = self.suspect.or(Some((at + bad, 80)));
        }
        if self.last_word.is_none() {
            self.close(at, true);
            self.words += 1;
        } else {
            self.alphanumerics = self.alphanumerics.saturating_sub(word.len());
        }
    }

    /// Whether the name of a field stands before `at`.
    fn is_named(&self, at: usize) -> bool {
        let between = slice(self.code, self.last_end..at);
        self.words > 0 && self.open.is_none() && hexaside::ends_name(between)
    }

    /// Whether the cell before is written `%00`.
    fn is_percent(&self) -> bool {
        match (self.open, self.cells.last()) {
            (Some(_), Some(Cell::Digits(range))) if range.start > 0 => {
                byte(self.code, range.start - 1) == b'%'
            }
            _ => true,
        }
    }

    fn width_before(&self) -> Option<usize> {
        match self.cells.last() {
            Some(Cell::Digits(range)) => Some(range.len()),
            _ => None,
        }
    }

    /// Ends the run that is being read, before what stands at `at`.
    fn close(&mut self, at: usize, word: bool) {
        let Some((first, words_before)) = self.open.take() else {
            return;
        };
        let mut end = self.last_end;
        if word {
            end = self.count(first, at, end);
        }
        if word && words_before == 0 {
            end = self.trim(first, at, end);
        }
        let cells = self.cells.get(first..).unwrap_or_default();
        if hexaside::begins_with_size(self.code, cells, words_before) {
            self.cells.remove(first);
        }
        let cells = self.cells.get(first..).unwrap_or_default();
        let (digits, strong) = hex::weigh(self.code, cells);
        let start = match cells.first() {
            Some(Cell::Digits(range)) => range.start,
            Some(Cell::Hole(_, at)) => *at,
            _ => end,
        };
        if cells.is_empty() {
            return;
        }
        self.runs.push(Run {
            cells: first..self.cells.len(),
            start,
            end,
            digits,
            words_before,
            strong,
            noted: word,
        });
    }

    /// Drops the number of `<digits>, 22 bytes`, and of `(1 row)`.
    fn count(&mut self, first: usize, at: usize, end: usize) -> usize {
        let behind = slice(self.code, at..self.line.end);
        let unit = UNITS.iter().any(|unit| behind.starts_with(unit));
        let cells = self.cells.get(first..).unwrap_or_default();
        let Some(Cell::Digits(last)) = cells.last() else {
            return end;
        };
        let digits = slice(self.code, last.clone());
        if !unit || digits.starts_with(b"0") || !digits.iter().all(u8::is_ascii_digit) {
            return end;
        }
        let end = match cells {
            [.., Cell::Digits(before), _] => before.end,
            [_] => last.start,
            _ => return end,
        };
        self.cells.pop();
        end
    }

    /// Drops words of a note that look like hex: `00 03   a code`.
    fn trim(&mut self, first: usize, at: usize, end: usize) -> usize {
        let gap = slice(self.code, end..at);
        if gap.len() >= 2 || gap.contains(&b'\t') || !gap.iter().all(u8::is_ascii_whitespace) {
            return end;
        }
        let cells = self.cells.get(first..).unwrap_or_default();
        let mut previous: Option<&Range<usize>> = None;
        let mut cut = None;
        for (idx, cell) in cells.iter().enumerate() {
            let Cell::Digits(range) = cell else { continue };
            if let Some(before) = previous {
                let gap = slice(self.code, before.end..range.start);
                let wide = gap.len() >= 2 && gap.iter().all(u8::is_ascii_whitespace);
                if wide || gap == b"\t" {
                    cut = Some((idx, before.end));
                }
            }
            previous = Some(range);
        }
        if cut.is_none() {
            let mut widths = cells
                .iter()
                .enumerate()
                .filter_map(|(idx, cell)| match cell {
                    Cell::Digits(range) => Some((idx, range.clone())),
                    _ => None,
                });
            let width = widths.next().map(|(_, range)| range.len());
            if width == Some(2) {
                cut = widths
                    .find(|(_, range)| range.len() != 2)
                    .map(|(idx, range)| (idx, range.start));
            }
        }
        match cut {
            Some((idx, end)) => {
                self.cells.truncate(first + idx);
                end
            }
            None => end,
        }
    }
}

/// The byte of two digits.
fn pair(digits: &[u8]) -> Option<u8> {
    match digits {
        [high, low] => Some(hex_value(*high) << 4 | hex_value(*low)),
        _ => None,
    }
}

fn has_digits(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit)
}
