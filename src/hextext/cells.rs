//! What the cells of a dump mean: bytes or words, in which base and byte order.
//!
//! In: the words of digits of a row. Out: its bytes, and where each cell ends, so that a row can be
//! cut after any of them.

use std::ops::Range;

use super::scan::hex_value;
use super::scan::{byte, slice};

/// The kind of a dump's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Hex digits in the order of the bytes.
    Hex,
    /// Words of hex digits, the lowest byte printed last (`hexdump`, `od -x`, `xxd -e`).
    LittleHex,
    /// Octal bytes.
    Octal,
    /// Octal words of two bytes, the lowest byte first in the file (`od`).
    OctalWords,
    /// Decimal bytes, signed or not.
    Decimal,
    /// Decimal words of two bytes (`hexdump -d`).
    DecimalWords,
    /// Binary digits.
    Binary,
    /// Characters and escapes, four columns each (`od -c`).
    Characters,
}

/// In the order in which they are tried.
pub(super) const KINDS: [Kind; 7] = [
    Kind::Hex,
    Kind::LittleHex,
    Kind::Octal,
    Kind::OctalWords,
    Kind::Decimal,
    Kind::DecimalWords,
    Kind::Binary,
];

/// The bytes of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoded {
    /// Each byte with its offset in the text.
    pub(super) bytes: Vec<(u8, usize)>,
    /// For each cell: how many bytes there are up to its end, and where it ends in the text.
    pub(super) ends: Vec<(usize, usize)>,
    /// Bytes of the first cell.
    pub(super) word: usize,
}

/// Decodes cells up to the first that is not of the kind.
pub(super) fn decode(kind: Kind, code: &[u8], cells: &[Range<usize>]) -> Decoded {
    let mut decoded = Decoded::default();
    for cell in cells {
        // Nor has a last row of `xxd -e` more than a piece of a word, perhaps.
        let is_piece = kind == Kind::LittleHex && cells.len() == 1 && matches!(cell.len(), 2 | 6);
        let kind = if is_piece { Kind::Hex } else { kind };
        let from = decoded.bytes.len();
        if push(kind, code, cell, &mut decoded.bytes).is_none() {
            break;
        }
        if is_piece && let Some(piece) = decoded.bytes.get_mut(from..) {
            piece.reverse();
        }
        if decoded.ends.is_empty() {
            decoded.word = decoded.bytes.len();
        }
        decoded.ends.push((decoded.bytes.len(), cell.end));
    }
    decoded
}

fn push(kind: Kind, code: &[u8], cell: &Range<usize>, bytes: &mut Vec<(u8, usize)>) -> Option<()> {
    let digits = slice(code, cell.clone());
    match kind {
        Kind::Hex | Kind::LittleHex => {
            let even = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
            if !even || (kind == Kind::LittleHex && !matches!(digits.len(), 4 | 8 | 16)) {
                // The last word of `xxd -e` may be cut to its bytes.
                if kind != Kind::LittleHex || !even || digits.len() > 16 || bytes.is_empty() {
                    return None;
                }
            }
            let pair = |at: usize| {
                (
                    hex_value(byte(code, at)) << 4 | hex_value(byte(code, at + 1)),
                    at,
                )
            };
            let pairs = cell.clone().step_by(2).map(pair);
            if kind == Kind::Hex {
                bytes.extend(pairs);
            } else {
                bytes.extend(pairs.rev());
            }
        }
        // gdb leaves zeros out, but for one.
        Kind::Octal => {
            let is_octal = digits.len() == 3 || digits.starts_with(b"0") && digits.len() <= 4;
            let value = value(digits, 8, digits.len()).filter(|_| is_octal)?;
            bytes.push((u8::try_from(value).ok()?, cell.start));
        }
        Kind::Decimal => {
            let (negative, magnitude) = match digits {
                [b'-', rest @ ..] => (true, rest),
                _ => (false, digits),
            };
            if magnitude.len() > 3 {
                return None;
            }
            let value = u8::try_from(value(magnitude, 10, magnitude.len())?).ok()?;
            bytes.push((
                if negative {
                    value.wrapping_neg()
                } else {
                    value
                },
                cell.start,
            ));
        }
        Kind::OctalWords | Kind::DecimalWords => {
            let value = match kind {
                Kind::OctalWords => value(digits, 8, 6)?,
                _ => value(digits, 10, 5)?,
            };
            let [low, high] = u16::try_from(value).ok()?.to_le_bytes();
            bytes.extend([(low, cell.start), (high, cell.start)]);
        }
        Kind::Binary => bytes.push((u8::try_from(value(digits, 2, 8)?).ok()?, cell.start)),
        Kind::Characters => return None,
    }
    Some(())
}

fn value(digits: &[u8], radix: u32, len: usize) -> Option<u32> {
    if digits.len() != len || digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u32, |value, &digit| {
        value
            .checked_mul(radix)?
            .checked_add(char::from(digit).to_digit(radix)?)
    })
}

/// Decodes the text behind an offset as `od -c` and `hexdump -c` print it: cells of four columns.
pub(super) fn characters(code: &[u8], text: Range<usize>) -> Option<Decoded> {
    let mut decoded = Decoded {
        word: 1,
        ..Decoded::default()
    };
    let trimmed = slice(code, text.clone()).trim_ascii_end();
    // A blank at the end is a cell of its own, but what `hexdump` pads its last row with is not.
    let end = (text.start + trimmed.len().div_ceil(4) * 4).min(text.end);
    // `hexdump -c` has one blank more behind the offset.
    let first = text.start + (end - text.start) % 4;
    for at in (first..end).step_by(4) {
        let cell = slice(code, at..at + 4);
        let value = match cell {
            [b' ', b' ', b' ', c @ 0x20..=0x7e] => *c,
            [b' ', b' ', b'\\', b'0'] => 0,
            [b' ', b' ', b'\\', letter] => super::unescape::simple(*letter)?,
            [b' ', digits @ ..] => u8::try_from(value(digits, 8, 3)?).ok()?,
            _ => return None,
        };
        decoded.bytes.push((
            value,
            at + cell.iter().take_while(|b| **b == b' ').count().min(3),
        ));
        decoded.ends.push((decoded.bytes.len(), at + 4));
    }
    (!decoded.bytes.is_empty()).then_some(decoded)
}
