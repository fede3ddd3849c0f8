//! One number as source languages and assemblers write it: `0x1f`, `&H1F`, `$1F`, `#x1F`, `16#1F#`,
//! `1Fh`, `8'h1f`, `0b101`, `0o22`, `31`, with the suffix of its type (`31u8`, `0x1fuy`).
//!
//! In: text at the number's first character. Out: its digits or its value, and where it ends. What
//! stands around it, and whether it is a byte at all, is for the reader of lists to say.

use std::ops::Range;

use super::list::word_end;
use super::scan::{byte, slice};

/// A number.
pub(super) enum Number {
    /// Hex digits, where they stand.
    Digits(Range<usize>),
    /// A value in another base.
    Value(u64),
    /// A decimal value, and its digits.
    Decimal(u64, Range<usize>),
}

/// A number with what its suffix says.
pub(super) struct Literal {
    pub(super) number: Number,
    /// Behind the suffix.
    pub(super) end: usize,
    /// Whether its suffix is the type of a byte.
    pub(super) typed: bool,
    /// A decimal number and a `y`: a signed byte of F#, or years.
    pub(super) years: bool,
}

/// Marks in front of hex digits.
const HEX: [&[u8]; 11] = [
    b"0x", b"0X", b"&H", b"&h", b"#x", b"#X", b"#$", b"$", b"16#", b"16r", b"8'h",
];

/// Marks in front of digits of other bases.
const OTHERS: [(&[u8], u32); 12] = [
    (b"0b", 2),
    (b"0B", 2),
    (b"#b", 2),
    (b"2#", 2),
    (b"8'b", 2),
    (b"&B", 2),
    (b"0o", 8),
    (b"0O", 8),
    (b"#o", 8),
    (b"8#", 8),
    (b"&O", 8),
    (b"8'd", 10),
];

/// Suffixes that say no type of a byte.
const SUFFIXES: [&[u8]; 7] = [b"", b"u", b"U", b"L", b"l", b"UL", b"ul"];

/// Suffixes of bytes: Rust, F#, Nim.
const BYTE_SUFFIXES: [&[u8]; 6] = [b"u8", b"i8", b"_u8", b"_i8", b"uy", b"y"];

/// Reads the number at `at`.
pub(super) fn read(code: &[u8], at: usize) -> Option<Literal> {
    let rest = slice(code, at..code.len().min(at + 4));
    if let Some(mark) = HEX.iter().find(|mark| rest.starts_with(mark)) {
        let start = at + mark.len();
        let len = digits(code, start, 16);
        // A dollar sign has many meanings; a byte behind one has two digits.
        let is_byte = !mark.ends_with(b"$") || len == 2;
        return is_byte.then(|| suffixed(code, start, len, Number::Digits))?;
    }
    if let Some((mark, radix)) = OTHERS.iter().find(|(mark, _)| rest.starts_with(mark)) {
        let start = at + mark.len();
        let found = suffixed(code, start, digits(code, start, *radix), |range| {
            Number::Value(value(code, range, *radix))
        });
        // `0b1h`, which is hex, begins like a binary number.
        return found.or_else(|| assembler(code, at));
    }
    let decimal = suffixed(code, at, digits(code, at, 10), |range| {
        Number::Decimal(value(code, range.clone(), 10), range)
    });
    decimal.or_else(|| assembler(code, at))
}

/// `0FFh`, as MASM and NASM write it; people often leave the leading zero out.
pub(super) fn assembler(code: &[u8], at: usize) -> Option<Literal> {
    let end = word_end(code, at);
    let word = slice(code, at..end);
    let [digits @ .., b'h' | b'H'] = word else {
        return None;
    };
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    // The zero in front of a letter is no half of a byte.
    let zero = usize::from(digits.len() == 3 && digits.starts_with(b"0"));
    (is_hex && matches!(digits.len() - zero, 1..=2)).then(|| Literal {
        number: Number::Digits(at + zero..end - 1),
        end,
        typed: false,
        years: false,
    })
}

fn suffixed(
    code: &[u8],
    start: usize,
    len: usize,
    number: impl FnOnce(Range<usize>) -> Number,
) -> Option<Literal> {
    if len == 0 {
        return None;
    }
    let behind = start + len;
    let mut end = word_end(code, behind);
    let suffix = slice(code, behind..end);
    let mut typed = BYTE_SUFFIXES.contains(&suffix);
    if !typed && !SUFFIXES.contains(&suffix) {
        return None;
    }
    // Nim parts its suffix, Ada and Visual Basic close what they opened.
    match slice(code, end..end + 3) {
        b"'u8" | b"'i8" => {
            typed = true;
            end += 3;
        }
        [b'#' | b'&', ..] | [b'#' | b'&'] if suffix.is_empty() => {
            let opened = slice(code, start.saturating_sub(3)..start);
            let closes = match byte(code, end) {
                b'#' => opened.ends_with(b"#"),
                _ => opened.ends_with(b"&H") || opened.ends_with(b"&h"),
            };
            end += usize::from(closes);
        }
        _ => {}
    }
    let conversion = conversion(code, end);
    typed |= conversion > 0;
    end += conversion;
    let number = number(start..behind);
    Some(Literal {
        years: suffix == b"y" && matches!(number, Number::Decimal(..)),
        number,
        end,
        typed,
    })
}

fn digits(code: &[u8], at: usize, radix: u32) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    rest.iter()
        .take_while(|&&digit| char::from(digit).is_digit(radix))
        .count()
}

/// The value of digits. More of them than 64 bits hold are no byte, but still a number.
fn value(code: &[u8], range: Range<usize>, radix: u32) -> u64 {
    let text = std::str::from_utf8(slice(code, range)).unwrap_or_default();
    u64::from_str_radix(text, radix).unwrap_or(u64::MAX)
}

/// Length of the call that makes a byte of a number: `0x86.toByte()`.
fn conversion(code: &[u8], at: usize) -> usize {
    let known: [&[u8]; 6] = [
        b".toByte()",
        b".toUByte()",
        b".toByte",
        b".byteValue()",
        b" as u8",
        b" as i8",
    ];
    let rest = slice(code, at..code.len().min(at + 16));
    let found = known.iter().find(|call| rest.starts_with(call));
    found.map_or(0, |call| call.len())
}
