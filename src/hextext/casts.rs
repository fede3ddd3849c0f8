//! Words in front of a number that say it is a byte: `(byte)`, `byte(`, `std::byte{`, `.byte`.
//!
//! In: text at the word. Out: where what it says it of begins.

use super::list::word_end;
use super::scan::{byte, line_start, slice};

/// What is called to make a byte of a number.
const CALLS: [&[u8]; 16] = [
    b"byte", b"Byte", b"sbyte", b"uint8", b"int8", b"u8", b"i8", b"char", b"chr", b"Chr", b"CHR",
    b"uint8_t", b"int8_t", b"UInt8", b"Int8", b"Word8",
];

/// Words with which assemblers begin a line of bytes; in capitals too.
const DIRECTIVES: [&[u8]; 7] = [b".byte", b".db", b"db", b"dc.b", b"fcb", b".ubyte", b"defb"];

/// End of a cast such as `(byte)`, if one stands here.
pub(super) fn cast(code: &[u8], at: usize) -> Option<usize> {
    let inner = slice(code, at + 1..code.len().min(at + 24));
    let len = memchr::memchr(b')', inner)?;
    let name = inner.get(..len)?.trim_ascii();
    let known: [&[u8]; 9] = [
        b"byte",
        b"sbyte",
        b"char",
        b"unsigned char",
        b"signed char",
        b"uint8_t",
        b"int8_t",
        b"Byte",
        b"u8",
    ];
    known.contains(&name).then_some(at + 1 + len + 1)
}

/// End of `byte(`, `std::byte{`, `static_cast<char>(`, if one stands here; of `int(` only behind an
/// index.
pub(super) fn call(code: &[u8], at: usize, is_indexed: bool) -> Option<usize> {
    let mut start = at;
    let mut end = word_end(code, at);
    let mut closing = 0;
    if slice(code, at..end) == b"static_cast" && byte(code, end) == b'<' {
        start = end + 1;
        let name = slice(code, start..code.len().min(start + 24));
        end = start + memchr::memchr(b'>', name)?;
        closing = 1;
    }
    let is_std = slice(code, start..start + 5) == b"std::";
    if is_std {
        start += 5;
        end = end.max(word_end(code, start));
    }
    let name = slice(code, start..end);
    let known = CALLS.contains(&name) || is_indexed && name == b"int";
    let open = end + closing;
    // `[]byte{` opens a list.
    let opens = byte(code, open) == b'(' || is_std && byte(code, open) == b'{';
    (known && opens).then_some(open + 1)
}

/// End of the word with which a line of bytes begins in an assembler.
pub(super) fn directive(code: &[u8], at: usize) -> Option<usize> {
    let text = slice(code, at..code.len().min(at + 8));
    let len = text
        .iter()
        .take_while(|b| b.is_ascii_alphabetic() || **b == b'.')
        .count();
    let word = text.get(..len)?.to_ascii_lowercase();
    let before = slice(code, line_start(code, at, 80)..at).trim_ascii_end();
    let is_first = before.is_empty() || before.ends_with(b":");
    let is_blank = matches!(byte(code, at + len), b' ' | b'\t');
    (is_first && is_blank && DIRECTIVES.contains(&word.as_slice())).then_some(at + len)
}
