//! Lists of byte literals: `0x00, 0x12`, `[0, 18, -1]`, `(byte) 0xff`, `'k'`, `{0, 0x12}`.
//!
//! In: scanned text. Out: one sketch whose parts are the lists. Elements may be hexadecimal (more
//! than two digits are several bytes, as printed), decimal, signed, octal or binary with their
//! prefix, characters, casts and suffixed numbers; between them stand commas, semicolons or
//! spaces. An ellipsis is a hole, also with a count (`... 82 more items`).
//!
//! Invariant: a list with a number that fits no byte is no list of bytes, unless nearly all of it
//! is; then that number is damage. Bare digits with leading zeros (`00 12`) are left to the
//! readers of hex.

use std::ops::Range;

use super::casts::{call, cast, directive};
use super::draft::{Draft, Findings};
use super::ellipsis;
use super::index;
use super::listkind;
use super::number::{self, Literal, Number};
use super::repeats;
use super::scan::{Quoted, Scan, byte, hex_pair, hex_value, slice};

/// Most rows of a list that are remarked on one by one.
const MOST_REMARKS: usize = 5;

/// Looks for lists.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let mut reader = Reader {
        code: &scan.code,
        strings: &scan.strings,
        at: 0,
        string_idx: 0,
        list: List::default(),
        value: 0,
        calls: 0,
        element_end: 0,
        repeated: 0,
        last_end: 0,
        lists: Vec::new(),
    };
    while reader.at < scan.code.len() {
        reader.step();
    }
    reader.flush();
    listkind::choose(scan, reader.lists, found);
}

/// A list, with what tells whether it is one of bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) draft: Draft,
    pub(super) elements: usize,
    /// Elements that can only be bytes: two hex digits with `0x`, characters, casts.
    pub(super) explicit: usize,
    pub(super) hex: usize,
    /// Hexadecimal elements that may be hours: `12h`.
    pub(super) hours: usize,
    /// Decimal elements that may be years: `10y`.
    pub(super) years: usize,
    pub(super) signed: usize,
    pub(super) casts: usize,
    pub(super) chars: usize,
    /// Elements that are printed as a number and as a character.
    pub(super) paired: usize,
    pub(super) commas: usize,
    pub(super) wide: usize,
    /// Elements that a mark says there are more of.
    pub(super) extra: usize,
    /// Elements behind their index, rows behind that of their first, and the first of these.
    pub(super) indexed: usize,
    pub(super) rows: usize,
    pub(super) first_index: Option<u64>,
    /// Decimal elements with a leading zero, and whether all elements have one width.
    pub(super) padded: usize,
    pub(super) width: Option<usize>,
    pub(super) uneven: bool,
    /// The address of the last row that has one, and how many bytes stand before it.
    pub(super) row: Option<(u64, usize)>,
    /// What the addresses of rows say.
    pub(super) remarks: Vec<(usize, String)>,
    /// Offset of the opening bracket, if there is one.
    pub(super) open: Option<usize>,
    /// End of the list before this one.
    pub(super) from: usize,
    /// (offset, text) of the first element that fits no byte, and how many there are.
    pub(super) misfit: Option<(usize, String)>,
    pub(super) misfits: usize,
}

struct Reader<'a> {
    code: &'a [u8],
    strings: &'a [Quoted],
    at: usize,
    string_idx: usize,
    list: List,
    /// Where the value behind the last index begins.
    value: usize,
    /// How many `byte(` are open.
    calls: usize,
    /// End of the last element.
    element_end: usize,
    /// Bytes that marks of repetition stand for.
    repeated: usize,
    /// End of the list before.
    last_end: usize,
    lists: Vec<(u8, List)>,
}

impl Reader<'_> {
    fn step(&mut self) {
        let at = self.at;
        while self
            .strings
            .get(self.string_idx)
            .is_some_and(|s| s.end() <= at)
        {
            self.string_idx += 1;
        }
        if self.list.elements > 0
            && let Some((end, len)) = ellipsis::at(self.code, at)
        {
            self.list.draft.hole(len, at);
            self.at = end;
            return;
        }
        if self.index(at) {
            return;
        }
        match byte(self.code, at) {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b',' | b';' => {
                self.list.commas += 1;
                self.at += 1;
            }
            b'(' => match cast(self.code, at) {
                Some(end) => {
                    self.list.casts += 1;
                    self.at = end;
                }
                None => self.open(),
            },
            b'[' | b'{' => self.open(),
            // F# opens arrays with `[|`.
            b'|' if self.list.open == at.checked_sub(1) => self.at += 1,
            b')' | b'}' if self.calls > 0 => {
                self.calls -= 1;
                self.at += 1;
            }
            b']' | b'}' | b')' => {
                self.flush();
                self.at += 1;
            }
            b'<' => self.repeat(),
            // `chr(0) + chr(18)`, `Chr(0) & Chr(18)`.
            b'+' | b'&' if self.list.casts > 0 && byte(self.code, at + 1) == b' ' => self.at += 1,
            b'-' if byte(self.code, at + 1).is_ascii_digit() => self.number(),
            b'.' if let Some(end) = directive(self.code, at) => self.at = end,
            b'.' => {
                let dots = slice(self.code, at..self.code.len()).iter();
                self.stop(at + dots.take_while(|b| **b == b'.').count());
            }
            b'0'..=b'9' | b'&' | b'$' | b'#' => self.number(),
            b'\'' | b'"' | b'`' => self.string(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.word(),
            _ => self.stop(at + 1),
        }
    }

    /// Passes over the number of the element that follows, or of the first of its row.
    fn index(&mut self, at: usize) -> bool {
        let Some(found) = index::at(self.code, at, self.list.elements > 0) else {
            return false;
        };
        if found.kind == index::Kind::Address {
            self.address(at, found.value);
            self.at = found.end;
            return true;
        }
        let list = &mut self.list;
        let is_next = match list.first_index {
            _ if list.elements == 0 => true,
            Some(first) => {
                first.checked_add(list.elements.saturating_add(list.extra) as u64)
                    == Some(found.value)
            }
            None => false,
        };
        if !is_next {
            return false;
        }
        list.first_index = list.first_index.filter(|_| list.elements > 0);
        list.first_index.get_or_insert(found.value);
        match found.kind {
            index::Kind::Row => list.rows += 1,
            _ => list.indexed += 1,
        }
        self.value = found.end;
        self.at = found.end;
        true
    }

    /// Takes the address of a row as dumps take offsets: a jump leaves a hole, and one that does
    /// not rise begins another list.
    fn address(&mut self, at: usize, address: u64) {
        // Numbers in front of the first row are none of its bytes: `(gdb) x/8cb buf+16`.
        if self.list.row.is_none() && self.list.elements > 0 {
            self.flush();
        }
        let list = &mut self.list;
        let len = list.draft.bytes.len();
        if let Some((before, from)) = list.row {
            let in_row = (len - from) as u64;
            let expected = before.saturating_add(in_row);
            let mut remark = |text: String| {
                if list.remarks.len() < MOST_REMARKS {
                    list.remarks.push((at, text));
                }
            };
            match address.checked_sub(expected) {
                Some(0) => {}
                Some(gap) => {
                    list.draft.hole(Some(gap), at);
                    remark(format!(
                        "the addresses leave out {gap} bytes before this row"
                    ));
                }
                None if address > before => remark(format!(
                    "the address says {address:#x}, but bytes up to {expected:#x} stand before it"
                )),
                None => self.flush(),
            }
        }
        self.list.row = Some((address, self.list.draft.bytes.len()));
    }

    /// Repeats the last element as often as gdb says.
    fn repeat(&mut self) {
        let found = repeats::at(self.code, self.at).filter(|_| self.list.elements > 0);
        let last = self.list.draft.bytes.last().copied();
        let (Some((count, end)), Some(last)) = (found, last) else {
            return self.stop(self.at + 1);
        };
        let more = count.saturating_sub(1);
        self.list.extra = self.list.extra.saturating_add(more);
        match self.repeated.saturating_add(more) {
            all @ ..=repeats::MOST => {
                self.repeated = all;
                for _ in 0..more {
                    self.list.draft.push(last, self.at);
                }
            }
            _ => self.list.draft.hole(Some(more as u64), self.at),
        }
        self.at = end;
    }

    fn open(&mut self) {
        self.flush();
        self.list.open = Some(self.at);
        self.at += 1;
    }

    fn stop(&mut self, next: usize) {
        self.flush();
        self.at = next;
    }

    fn flush(&mut self) {
        self.calls = 0;
        let mut list = std::mem::take(&mut self.list);
        if list.elements == 0 {
            return;
        }
        list.from = self.last_end;
        // A lone number, such as an array's length, is no list that another could follow.
        if list.elements > 1 {
            self.last_end = self.at;
        }
        let confidence = listkind::judge(&list, self.code);
        if confidence > 0 || list.misfits > 0 {
            self.lists.push((confidence, list));
        }
    }

    fn word(&mut self) {
        let end = word_end(self.code, self.at);
        let word = slice(self.code, self.at..end);
        if let Some(behind) = call(self.code, self.at, self.list.indexed > 0) {
            self.list.casts += 1;
            self.calls += 1;
            self.at = behind;
        } else if word == b"b" && byte(self.code, end) == b'\'' {
            self.at = end;
            self.string();
        } else if let Some(end) = directive(self.code, self.at) {
            self.at = end;
        } else if self.list.elements > 0 && number::assembler(self.code, self.at).is_some() {
            self.number();
        } else {
            self.stop(end);
        }
    }

    /// A string ends a list, a character is an element.
    fn string(&mut self) {
        let at = self.at;
        let string = self.strings.get(self.string_idx);
        let string = string.filter(|string| string.start <= at);
        let end = string.map_or(at + 1, Quoted::end).max(at + 1);
        // `"0": 0, "1": 18`: how JavaScript spells a typed array as JSON; Node has single quotes.
        if let Some(string) = string
            && byte(self.code, end) == b':'
            && is_index(slice(self.code, string.body.clone()), self.list.elements)
        {
            self.list.indexed += 1;
            self.value = end + 1;
            self.at = end + 1;
            return;
        }
        if byte(self.code, at) == b'\''
            && let Some((value, end)) = character(self.code, at)
        {
            // `45 '-'`: gdb prints a byte in both ways.
            let is_same = self.list.draft.bytes.last() == Some(&value);
            if is_same && self.list.elements > 0 && self.element_end + 1 == at {
                self.list.casts += 1;
                self.list.paired += 1;
                self.at = end;
                return;
            }
            self.list.chars += 1;
            self.list.explicit += 1;
            self.list.elements += 1;
            self.list.draft.push(value, at);
            self.at = end;
            self.element_end = end;
            return;
        }
        self.stop(end);
    }

    fn number(&mut self) {
        let at = self.at;
        let negative = byte(self.code, at) == b'-';
        let start = at + usize::from(negative);
        let word = word_end(self.code, start);
        if byte(self.code, word) == b'.' && byte(self.code, word + 1).is_ascii_digit() {
            return self.stop(word + 1);
        }
        let before = if at == 0 {
            b' '
        } else {
            byte(self.code, at - 1)
        };
        let glued = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'.' | b':' | b'-');
        let glued = glued && self.value != at;
        let literal = number::read(self.code, start).filter(|_| !glued);
        let Some(literal) = literal else {
            return self.stop(word.max(at + 1));
        };
        let Literal {
            number, end, typed, ..
        } = literal;
        // Who writes bytes with a `y` writes all of them so.
        let are_years = self.list.years > 0;
        if self.list.elements > 0 && are_years != literal.years {
            self.flush();
        }
        if let Number::Digits(digits) = &number
            && self.is_of_another(digits, end - start)
        {
            self.flush();
        }
        self.list.elements += 1;
        self.list.casts += usize::from(typed);
        self.list.years += usize::from(literal.years);
        let value = match number {
            Number::Digits(digits) => {
                self.list.hex += 1;
                self.list.hours += usize::from(matches!(byte(self.code, end - 1), b'h' | b'H'));
                self.hex(at, digits);
                None
            }
            Number::Value(value) => {
                self.list.explicit += 1;
                Some(value)
            }
            Number::Decimal(value, digits) => {
                let len = digits.len();
                let first = byte(self.code, digits.start);
                self.list.padded += usize::from(len > 1 && first == b'0');
                self.list.uneven |= self.list.width.is_some_and(|width| width != len);
                self.list.width = Some(len);
                Some(value)
            }
        };
        if let Some(value) = value {
            self.list.signed += usize::from(negative);
            let byte = match (negative, u8::try_from(value)) {
                (false, Ok(byte)) => Some(byte),
                (true, Ok(byte @ 0..=128)) => Some(byte.wrapping_neg()),
                _ => None,
            };
            match byte {
                Some(byte) => self.list.draft.push(byte, at),
                None => self.misfit(at, end),
            }
        }
        self.at = end;
        self.element_end = end;
    }

    /// Whether a hex number, of which `width` characters are written, is of another list than the
    /// numbers before it: `./dump 3 4` in front of one.
    fn is_of_another(&self, digits: &Range<usize>, width: usize) -> bool {
        let list = &self.list;
        let is_bare = list.hex + list.explicit + list.commas + list.indexed == 0;
        if !is_bare || list.open.is_some() || list.elements == 0 {
            return false;
        }
        // `0000 0x12`: what C prints of a zero has no prefix, and may be as wide as what has one.
        let is_wide = list.width == Some(width);
        let is_zero = slice(self.code, digits.clone()).iter().all(|b| *b == b'0');
        let are_zeros = list.draft.bytes.iter().all(|byte| *byte == 0);
        !are_zeros || !is_wide && is_zero
    }

    fn hex(&mut self, start: usize, digits: Range<usize>) {
        let len = digits.len();
        self.list.explicit += usize::from(len <= 2);
        self.list.wide += usize::from(len > 2);
        let mut at = digits.start;
        // An odd number of digits has its leading zero left out.
        let mut take = if len % 2 == 1 { 1 } else { 2 };
        while at < digits.end {
            let value = slice(self.code, at..at + take)
                .iter()
                .fold(0, |value, &digit| value << 4 | hex_value(digit));
            // The byte of `0x12` begins with its prefix.
            self.list
                .draft
                .push(value, if len <= 2 { start } else { at });
            at += take;
            take = 2;
        }
    }

    fn misfit(&mut self, at: usize, end: usize) {
        self.list.misfits += 1;
        if self.list.misfit.is_none() {
            let text = slice(self.code, at..end.min(at + 40));
            self.list.misfit = Some((at, String::from_utf8_lossy(text).into_owned()));
        }
    }
}

/// Whether a key is the index of the next element.
fn is_index(key: &[u8], elements: usize) -> bool {
    let key = std::str::from_utf8(key)
        .ok()
        .and_then(|key| key.parse().ok());
    key == Some(elements)
}

/// End of the run of letters, digits and underscores.
pub(super) fn word_end(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    let len = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    at + len
}

/// The character literal at `at` and its end: `'a'`, `'\n'`, `'\x00'`, `'\0'`.
fn character(code: &[u8], at: usize) -> Option<(u8, usize)> {
    let (value, end) = match (byte(code, at + 1), byte(code, at + 2)) {
        (b'\\', b'x') => {
            let (high, low) = (byte(code, at + 3), byte(code, at + 4));
            if !high.is_ascii_hexdigit() || !low.is_ascii_hexdigit() {
                return None;
            }
            (hex_pair(&[high, low]), at + 5)
        }
        (b'\\', first @ b'0'..=b'7') => {
            let more = slice(code, at + 3..at + 5);
            let more = more.iter().take_while(|b| matches!(b, b'0'..=b'7'));
            let (count, value) = more.fold((0, u16::from(first - b'0')), |(n, value), &digit| {
                (n + 1, value * 8 + u16::from(digit - b'0'))
            });
            (u8::try_from(value).ok()?, at + 3 + count)
        }
        (b'\\', letter) => (super::unescape::simple(letter)?, at + 3),
        (plain @ 0x20..=0x7e, _) => (plain, at + 2),
        _ => return None,
    };
    (byte(code, end) == b'\'').then_some((value, end + 1))
}
