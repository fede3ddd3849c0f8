//! Characters that terminals, browsers, editors and mail programs put in the place of others.
//!
//! In: text at one of its characters. Out: how many of its bytes are to be replaced, and by which.
//! What is invisible goes (colour codes, zero-width spaces, soft hyphens), what is decoration becomes
//! the ASCII that it decorates (curly quotes, hard spaces, full-width digits, arrows, the lines of
//! tables), and HTML entities become their characters.
//!
//! It does not know whether the character stands in a string, where it may be meant as it is.

/// The printable ASCII characters, to take one as a slice.
const ASCII: &[u8; 95] =
    b" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Entities of web pages whose characters have a meaning in some notation.
const ENTITIES: [(&[u8], &[u8]); 15] = [
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&amp;", b"&"),
    (b"&quot;", b"\""),
    (b"&apos;", b"'"),
    (b"&nbsp;", b" "),
    (b"&#34;", b"\""),
    (b"&#39;", b"'"),
    (b"&#039;", b"'"),
    (b"&#60;", b"<"),
    (b"&#62;", b">"),
    (b"&#92;", b"\\"),
    (b"&#96;", b"`"),
    (b"&#x22;", b"\""),
    (b"&#x27;", b"'"),
];

/// How many bytes at the start of `rest` are replaced, and by what; `(0, _)` keeps the byte.
/// `before` is the text so far.
pub(super) fn replacement(rest: &[u8], before: &[u8]) -> (usize, &'static [u8]) {
    match rest {
        [0x1b, ..] => (escape_len(rest), b""),
        // Copying from a terminal often loses the escape character and keeps what it began.
        [b'[', ..] if !is_spelled(before) => (colour_len(rest), b""),
        [b'&', ..] => entity(rest),
        [0..=0x7f, ..] if !matches!(rest, [0x07 | 0x08, ..]) => (0, b""),
        [0x07 | 0x08, ..] => (1, b""),
        [0xc2, 0xa0, ..] => (2, b" "),
        // The soft hyphen.
        [0xc2, 0xad, ..] => (2, b""),
        [0xe2, 0x80, mark, ..] => punctuation(*mark),
        [0xe2, 0x81, 0xa0, ..] => (3, b""),
        [0xe2, 0x86, 0x90, ..] => (3, b"<-"),
        [0xe2, 0x86, 0x92, ..] => (3, b"->"),
        [0xe2, 0x87, 0x90, ..] => (3, b"<="),
        [0xe2, 0x87, 0x92, ..] => (3, b"=>"),
        // The minus sign.
        [0xe2, 0x88, 0x92, ..] => (3, b"-"),
        [0xe2, 0x94, 0x80..=0xbf, ..] | [0xe2, 0x95, 0x80..=0xbf, ..] => (3, table_line(rest)),
        // The ideographic space.
        [0xe3, 0x80, 0x80, ..] => (3, b" "),
        [0xef, 0xb8, 0x8e | 0x8f, ..] | [0xef, 0xbb, 0xbf, ..] => (3, b""),
        // Full-width forms: U+FF01 to U+FF5E are `!` to `~`.
        [0xef, 0xbc, low @ 0x81..=0xbf, ..] => (3, ascii(usize::from(*low - 0x80))),
        [0xef, 0xbd, low @ 0x80..=0x9e, ..] => (3, ascii(usize::from(*low - 0x80) + 0x40)),
        _ => (0, b""),
    }
}

/// The character `at` places behind the blank.
fn ascii(at: usize) -> &'static [u8] {
    ASCII.get(at..at + 1).unwrap_or_default()
}

fn entity(rest: &[u8]) -> (usize, &'static [u8]) {
    let known = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
    known.map_or((0, b""), |(name, character)| (name.len(), character))
}

/// U+2000 to U+203F, by the last byte.
fn punctuation(mark: u8) -> (usize, &'static [u8]) {
    match mark {
        0x80..=0x8a | 0xaf => (3, b" "),
        0x8b..=0x8f => (3, b""),
        0x90..=0x94 => (3, b"-"),
        0x98..=0x9b => (3, b"'"),
        0x9c..=0x9f => (3, b"\""),
        0xa6 => (3, b"..."),
        // The line and the paragraph separator.
        0xa8 | 0xa9 => (3, b"\n"),
        _ => (0, b""),
    }
}

/// Box drawing: what parts columns, or rules the table.
fn table_line(rest: &[u8]) -> &'static [u8] {
    match rest {
        [0xe2, 0x94, 0x82 | 0x83 | 0x86 | 0x87 | 0x8a | 0x8b, ..]
        | [0xe2, 0x95, 0x8e | 0x8f | 0x91, ..] => b"|",
        _ => b"-",
    }
}

/// Whether an escape character stands before as an escape of a string, which is data.
fn is_spelled(before: &[u8]) -> bool {
    let spellings: [&[u8]; 14] = [
        b"x1b", b"x1B", b"033", b"\\e", b"001b", b"001B", b"{1b}", b"ESC", b"\\27", b"\\027",
        b"^[", b"=1B", b"%1B", b"<1B>",
    ];
    spellings.iter().any(|spelling| before.ends_with(spelling))
}

/// Length of the terminal sequence that `rest` starts with.
fn escape_len(rest: &[u8]) -> usize {
    let tail = |from: usize| rest.get(from..).unwrap_or_default();
    match rest.get(1) {
        Some(b'[') => {
            let body = tail(2);
            let len = body
                .iter()
                .take(64)
                .position(|byte| (0x40..=0x7e).contains(byte))
                .map_or(0, |len| len + 1);
            2 + len
        }
        // A title or a link: up to BEL or ESC \.
        Some(b']') => {
            let body = tail(2);
            let len = body
                .iter()
                .take(2048)
                .position(|&byte| byte == 0x07 || byte == 0x1b);
            match len {
                Some(len) if body.get(len) == Some(&0x1b) => 2 + len + 2.min(body.len() - len),
                Some(len) => 2 + len + 1,
                None => 2,
            }
        }
        Some(b'(' | b')') => 3.min(rest.len()),
        Some(byte) if byte.is_ascii() => 2,
        _ => 1,
    }
}

/// Length of a colour code without its escape character: `[33m`, `[1;31m`.
fn colour_len(rest: &[u8]) -> usize {
    let body = rest.get(1..).unwrap_or_default();
    let digits = body
        .iter()
        .take(20)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    if digits > 0 && body.get(digits) == Some(&b'm') {
        digits + 2
    } else {
        0
    }
}
