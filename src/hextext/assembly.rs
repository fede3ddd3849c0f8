//! Data as compilers write it for an assembler (`gcc -S`): `.string "\022"`, `.zero 3`, `.value 4608`.
//!
//! In: text with its quotes and comments, which may be data. Out: one sketch with a part for every
//! label. `.string` and `.asciz` end in a NUL that is not written, `.ascii` does not. Bytes alone
//! (`.byte 0, 18`) are a list like others, which is not for here.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::number::{self, Number};
use super::reading::Family;
use super::repeats;
use super::scan::{Scan, byte, line_end, slice};
use super::unescape::{self, Rules};

/// Fewest bytes that are no accident.
const FEWEST: usize = 4;

/// What a line holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// Texts.
    Text,
    /// Texts, a NUL behind each.
    Terminated,
    /// So many zeros.
    Zeros,
    /// Numbers of so many bytes, the lowest first.
    Numbers(usize),
}

/// The directives, as GNU as knows them.
const DIRECTIVES: [(&[u8], Data); 20] = [
    (b".ascii", Data::Text),
    (b".string", Data::Terminated),
    (b".string8", Data::Terminated),
    (b".asciz", Data::Terminated),
    (b".zero", Data::Zeros),
    (b".skip", Data::Zeros),
    (b".space", Data::Zeros),
    (b".byte", Data::Numbers(1)),
    (b".1byte", Data::Numbers(1)),
    (b".value", Data::Numbers(2)),
    (b".short", Data::Numbers(2)),
    (b".half", Data::Numbers(2)),
    (b".hword", Data::Numbers(2)),
    (b".2byte", Data::Numbers(2)),
    (b".long", Data::Numbers(4)),
    (b".int", Data::Numbers(4)),
    (b".4byte", Data::Numbers(4)),
    (b".quad", Data::Numbers(8)),
    (b".xword", Data::Numbers(8)),
    (b".8byte", Data::Numbers(8)),
];

/// Looks for data, and answers whether there is any.
pub(super) fn find(scan: &Scan, found: &mut Findings) -> bool {
    let mut reader = Reader {
        scan,
        parts: Vec::new(),
        is_open: false,
        label: None,
        n_zeros: 0,
        word: None,
        is_compiled: false,
    };
    let mut at = 0;
    while at < scan.code.len() {
        let end = line_end(&scan.code, at);
        reader.line(at..end);
        at = end + 1;
    }
    let Reader {
        mut parts,
        word,
        is_compiled,
        ..
    } = reader;
    // Texts of a program beside its data.
    if parts.iter().any(|part| !is_text(part)) {
        parts.retain(|part| !is_text(part));
    }
    let len: usize = parts.iter().map(|part| part.bytes.len()).sum();
    if len < FEWEST || !is_compiled {
        return false;
    }
    let remark = "words are taken as little-endian, the lower byte first";
    found.add(Sketch {
        family: Family::Escaped,
        notation: "assembler data",
        confidence: 95,
        why: "data directives of an assembler".into(),
        parts,
        remarks: word.map(|at| (at, remark.to_owned())).into_iter().collect(),
        comments: Vec::new(),
    });
    true
}

fn is_text(part: &Draft) -> bool {
    let text = part.bytes.strip_suffix(b"\0").unwrap_or(&part.bytes);
    text.iter()
        .all(|b| matches!(b, b'\t' | b'\n' | 0x20..=0x7e))
}

struct Reader<'a, 'b> {
    scan: &'a Scan<'b>,
    parts: Vec<Draft>,
    /// Whether the last part goes on.
    is_open: bool,
    label: Option<Range<usize>>,
    n_zeros: usize,
    /// The first number of several bytes.
    word: Option<usize>,
    /// Whether anything but bytes is there.
    is_compiled: bool,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: Range<usize>) {
        let code = &self.scan.code;
        let blanks = |from: usize| {
            let rest = slice(code, from..line.end).iter();
            from + rest.take_while(|b| b.is_ascii_whitespace()).count()
        };
        let mut at = blanks(line.start);
        let word = |at: usize| {
            let rest = slice(code, at..line.end).iter();
            at + rest
                .take_while(|b| b.is_ascii_alphanumeric() || b"._$".contains(b))
                .count()
        };
        let mut end = word(at);
        if end > at && byte(code, end) == b':' {
            self.is_open = false;
            self.label = Some(at..end);
            at = blanks(end + 1);
            end = word(at);
        }
        if at >= line.end {
            return;
        }
        let name = slice(code, at..end);
        let known = DIRECTIVES.iter().find(|(directive, _)| *directive == name);
        let read = known.and_then(|(_, data)| self.data(*data, blanks(end)..line.end));
        // An address, or what is no data.
        if read.is_none() {
            self.is_open = false;
            self.label = None;
        }
    }

    /// Reads the operands of a directive.
    fn data(&mut self, data: Data, operands: Range<usize>) -> Option<()> {
        let mut read = Draft::default();
        match data {
            Data::Text | Data::Terminated => self.texts(data, operands, &mut read)?,
            Data::Zeros => {
                let count = self.number(operands.start)?.0;
                let count = usize::try_from(count).ok()?;
                self.n_zeros = self.n_zeros.saturating_add(count);
                match self.n_zeros <= repeats::MOST {
                    true => (0..count).for_each(|_| read.push(0, operands.start)),
                    false => read.hole(Some(count as u64), operands.start),
                }
            }
            Data::Numbers(size) => self.numbers(size, operands, &mut read)?,
        }
        self.is_compiled |= data != Data::Numbers(1);
        if !self.is_open {
            self.is_open = true;
            self.parts.push(Draft {
                label: self.label.take(),
                ..Draft::default()
            });
        }
        let part = self.parts.last_mut()?;
        let len = part.bytes.len();
        part.bytes.append(&mut read.bytes);
        part.at.append(&mut read.at);
        let holes = read.holes.into_iter();
        part.holes
            .extend(holes.map(|(before, n, at)| (len + before, n, at)));
        Some(())
    }

    fn texts(&mut self, data: Data, operands: Range<usize>, read: &mut Draft) -> Option<()> {
        let code = &self.scan.code;
        let mut at = operands.start;
        loop {
            let start = (byte(code, at) == b'"').then_some(at + 1)?;
            let mut end = start;
            while end < operands.end && byte(code, end) != b'"' {
                end += 1 + usize::from(byte(code, end) == b'\\');
            }
            if end >= operands.end {
                return None;
            }
            unescape::append(self.scan, start..end, Rules::Common, read).ok()?;
            if data == Data::Terminated {
                read.push(0, end);
            }
            match self.comma(end + 1, operands.end) {
                Some(next) => at = next,
                None => return Some(()),
            }
        }
    }

    fn numbers(&mut self, size: usize, operands: Range<usize>, read: &mut Draft) -> Option<()> {
        let mut at = operands.start;
        loop {
            let (value, end) = self.number(at)?;
            let bytes = value.to_le_bytes();
            let (kept, rest) = bytes.split_at_checked(size)?;
            // A number that needs more is none of this size.
            let sign = if value < 0 { 0xff } else { 0 };
            if rest.iter().any(|b| *b != sign) {
                return None;
            }
            kept.iter().for_each(|&b| read.push(b, at));
            if size > 1 {
                self.word = self.word.or(Some(at));
            }
            match self.comma(end, operands.end) {
                Some(next) => at = next,
                None => return Some(()),
            }
        }
    }

    /// The number at `at`, and where it ends.
    fn number(&self, at: usize) -> Option<(i128, usize)> {
        let code = &self.scan.code;
        let negative = byte(code, at) == b'-';
        let found = number::read(code, at + usize::from(negative))?;
        let value = match found.number {
            Number::Digits(digits) => {
                let digits = std::str::from_utf8(slice(code, digits)).ok()?;
                u64::from_str_radix(digits, 16).ok()?
            }
            Number::Value(value) | Number::Decimal(value, _) => value,
        };
        let value = i128::from(value);
        Some((if negative { -value } else { value }, found.end))
    }

    /// Where the next operand begins, if a comma follows.
    fn comma(&self, at: usize, end: usize) -> Option<usize> {
        let code = &self.scan.code;
        let skip = |from: usize| {
            let rest = slice(code, from..end).iter();
            from + rest.take_while(|b| matches!(b, b' ' | b'\t')).count()
        };
        let at = skip(at);
        (byte(code, at) == b',').then(|| skip(at + 1))
    }
}
