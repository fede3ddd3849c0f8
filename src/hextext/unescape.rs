//! The escapes of a string body, one after the other, to bytes.
//!
//! In: a body and the [`Rules`] of its language. Out: bytes, each at the place of its escape or
//! character. A broken escape is damage, except where the paste ends in the middle of it.

use std::ops::Range;

use super::clean::Swap;
use super::draft::{Damage, Draft};
use super::scan::hex_value;
use super::scan::{Scan, byte, slice};

/// How many digits an escape takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// `\x` takes two, `\0` up to two more octal digits: Python, Go, JavaScript, printf.
    Common,
    /// As common, but `\0` is a NUL whatever follows: Rust.
    Rust,
    /// As common, but `\0` takes up to three more: `echo -e`, `printf %b`.
    Echo,
    /// `\x` takes all digits that follow: C.
    C,
    /// As common, and a character up to U+00FF is the byte of its number: text that was decoded as
    /// Latin-1, which Python and JavaScript print so.
    Latin1,
    /// `\` takes up to three decimal digits: OCaml, Lua.
    Decimal,
    /// `\` takes decimal digits or the name of a control character, `\&` is nothing: Haskell.
    Haskell,
}

/// Whether the numbers behind backslashes are decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimal {
    No,
    /// As well as octal.
    Maybe,
    Sure,
}

impl Rules {
    /// What the reading by these rules rests on, beside one by others.
    pub(super) fn why(self) -> &'static str {
        match self {
            Rules::Common => "if \\x takes two digits and \\ up to three octal ones",
            Rules::Rust => "if \\0 takes no further digits, as in Rust",
            Rules::Echo => "if \\0 takes three further digits, as in echo -e",
            Rules::C => "if \\x takes all hex digits that follow, as in C",
            Rules::Latin1 => "if characters up to U+00FF are one byte each",
            Rules::Decimal => "if \\ takes decimal digits, as in OCaml and Lua",
            Rules::Haskell => "if \\ takes decimal digits and names, as in Haskell",
        }
    }

    /// Whether the numbers in these bodies can be decimal, and nothing else.
    pub(super) fn of_decimal(scan: &Scan<'_>, values: &[Vec<Range<usize>>]) -> Decimal {
        let mut answer = Decimal::No;
        for body in values.iter().flatten() {
            let body = slice(&scan.code, body.clone());
            let mut at = 0;
            while let Some(len) = memchr::memchr(b'\\', body.get(at..).unwrap_or_default()) {
                at += len + 1;
                let digits = slice(body, at..body.len().min(at + 3));
                let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
                let digits = digits.get(..count).unwrap_or_default();
                match (byte(body, at), count) {
                    (b'x' | b'u', _) => return Decimal::No,
                    // Who leaves zeros out does not write one in front of another digit.
                    (b'0', 2) => return Decimal::No,
                    (_, 0) => {}
                    _ if decimal(digits).is_none() => return Decimal::No,
                    _ if digits.iter().any(|digit| matches!(digit, b'8' | b'9')) => {
                        answer = Decimal::Sure;
                    }
                    _ if answer == Decimal::No => answer = Decimal::Maybe,
                    _ => {}
                }
                at += 1;
            }
        }
        answer
    }
}

/// The byte that decimal digits say.
fn decimal(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Whether what stands at `at` can only be the name of a control character, as Haskell writes it.
/// Names of two letters begin words of other languages too.
pub(super) fn is_named(text: &[u8], at: usize) -> bool {
    control_name(text, at).is_some_and(|(_, len)| len == 3)
}

/// The names of the control characters, in their order.
const CONTROL_NAMES: [&[u8]; 32] = [
    b"NUL", b"SOH", b"STX", b"ETX", b"EOT", b"ENQ", b"ACK", b"BEL", b"BS", b"HT", b"LF", b"VT",
    b"FF", b"CR", b"SO", b"SI", b"DLE", b"DC1", b"DC2", b"DC3", b"DC4", b"NAK", b"SYN", b"ETB",
    b"CAN", b"EM", b"SUB", b"ESC", b"FS", b"GS", b"RS", b"US",
];

/// The name of a control character at `at`: its value and its length.
fn control_name(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let rest = slice(text, at..text.len().min(at + 3));
    if !rest.first()?.is_ascii_uppercase() {
        return None;
    }
    if rest.starts_with(b"DEL") {
        return Some((0x7f, 3));
    }
    // `\SOH` is one character, not `\SO` and a letter.
    let names = (0u8..).zip(CONTROL_NAMES);
    let longest = names
        .filter(|(_, name)| rest.starts_with(name))
        .max_by_key(|(_, name)| name.len());
    longest.map(|(value, name)| (value, name.len()))
}

/// Appends the bytes of a string body to a part: how many escapes there were, and where the first
/// character stands that is no single byte.
pub(super) fn append(
    scan: &Scan<'_>,
    body: Range<usize>,
    rules: Rules,
    part: &mut Draft,
) -> Result<(usize, Option<usize>), Damage> {
    let reader = Reader {
        code: &scan.code,
        swaps: scan.swaps(&body),
        end: body.end,
        rules,
        part,
        escapes: 0,
        wide: None,
    };
    reader.body(body.start)
}

/// The byte of an escape that is one letter.
pub(super) fn simple(letter: u8) -> Option<u8> {
    Some(match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'e' | b'E' => 0x1b,
        b'\\' | b'"' | b'\'' | b'`' | b'$' | b'#' | b'?' | b'/' => letter,
        _ => return None,
    })
}

struct Reader<'a, 'b> {
    code: &'a [u8],
    /// Characters that the code has others for, from the one that comes next.
    swaps: &'a [Swap],
    end: usize,
    rules: Rules,
    part: &'b mut Draft,
    escapes: usize,
    /// The first character that is no single byte.
    wide: Option<usize>,
}

impl Reader<'_, '_> {
    fn body(mut self, from: usize) -> Result<(usize, Option<usize>), Damage> {
        let mut at = from;
        while at < self.end {
            if let Some(end) = self.swapped(at) {
                at = end;
                continue;
            }
            at = match byte(self.code, at) {
                b'\\' => self.escape(at)?,
                b'\n' | b'\r' => at + 1,
                0..=0x7f => {
                    self.part.push(byte(self.code, at), at);
                    at + 1
                }
                _ => self.character(at)?,
            };
        }
        Ok((self.escapes, self.wide))
    }

    /// Takes a character as it was before cleaning, and gives the offset behind what replaced it.
    fn swapped(&mut self, at: usize) -> Option<usize> {
        while let [passed, rest @ ..] = self.swaps
            && passed.at.start < at
        {
            self.swaps = rest;
        }
        let swap = self.swaps.first().filter(|swap| swap.at.start == at)?;
        if !swap.was.is_ascii() {
            self.wide = self.wide.or(Some(at));
        }
        for &value in &swap.was {
            self.part.push(value, at);
        }
        Some(swap.at.end)
    }

    fn escape(&mut self, at: usize) -> Result<usize, Damage> {
        self.escapes += 1;
        match byte(self.code, at + 1) {
            b'&' if self.rules == Rules::Haskell => Ok(at + 2),
            b'0'..=b'9' if matches!(self.rules, Rules::Decimal | Rules::Haskell) => {
                self.decimal(at)
            }
            b'A'..=b'Z'
                if self.rules == Rules::Haskell
                    && let Some((value, len)) = control_name(self.code, at + 1) =>
            {
                self.part.push(value, at);
                Ok(at + 1 + len)
            }
            b'x' => self.hex(at),
            b'u' | b'U' => self.unicode(at),
            b'0'..=b'7' => Ok(self.octal(at)),
            // A terminal wraps between any two characters, so in an escape too.
            b'\n' if byte(self.code, at + 2) == b'x' && self.digits(at + 3, 2) == 2 => {
                self.part.push(self.value(at + 3, 2) as u8, at);
                Ok(at + 5)
            }
            // A line that is continued.
            b'\n' => Ok(at + 2),
            b'\r' => Ok(at + 2),
            letter => match simple(letter) {
                Some(value) => {
                    self.part.push(value, at);
                    Ok(at + 2)
                }
                // Python keeps a backslash that escapes nothing.
                None => {
                    self.part.push(b'\\', at);
                    Ok(at + 1)
                }
            },
        }
    }

    fn digits(&self, from: usize, most: usize) -> usize {
        let digits = slice(self.code, from..self.end.min(from.saturating_add(most)));
        digits.iter().take_while(|b| b.is_ascii_hexdigit()).count()
    }

    fn value(&self, from: usize, len: usize) -> u32 {
        let digits = slice(self.code, from..from + len).iter();
        digits.fold(0u32, |value, &digit| {
            value << 4 | u32::from(hex_value(digit))
        })
    }

    fn hex(&mut self, at: usize) -> Result<usize, Damage> {
        if byte(self.code, at + 2) == b'{' {
            return self.braces(at);
        }
        let most = if self.rules == Rules::C { 8 } else { 2 };
        let len = self.digits(at + 2, most);
        if let Some((value, end)) = self.wrapped(at + 2, len) {
            self.part.push(value, at);
            return Ok(end);
        }
        if len == 0 {
            return self.cut(at, "two hex digits behind \\x");
        }
        match u8::try_from(self.value(at + 2, len)) {
            Ok(value) => self.part.push(value, at),
            Err(_) => return Err(self.damage(at, at + 2 + len, "a \\x escape up to \\xff")),
        }
        Ok(at + 2 + len)
    }

    /// The two digits of `\x` with a line break between or before them, and where they end.
    fn wrapped(&self, at: usize, len: usize) -> Option<(u8, usize)> {
        if len > 1 || byte(self.code, at + len) != b'\n' || at + len >= self.end {
            return None;
        }
        let next = at + len + 1;
        let more = 2 - len;
        let is_whole = self.digits(next, more) == more;
        let value = self.value(at, len) << (4 * more as u32) | self.value(next, more);
        is_whole.then_some((u8::try_from(value).ok()?, next + more))
    }

    fn unicode(&mut self, at: usize) -> Result<usize, Damage> {
        let wanted = match byte(self.code, at + 1) {
            _ if byte(self.code, at + 2) == b'{' => return self.braces(at),
            b'u' => 4,
            _ => 8,
        };
        if self.digits(at + 2, wanted) < wanted {
            return self.cut(at, "four hex digits behind \\u");
        }
        let value = self.value(at + 2, wanted);
        let mut end = at + 2 + wanted;
        let mut code_point = value;
        // A surrogate pair is one character in two escapes.
        if (0xd800..0xdc00).contains(&value)
            && byte(self.code, end) == b'\\'
            && byte(self.code, end + 1) == b'u'
            && self.digits(end + 2, 4) == 4
        {
            let low = self.value(end + 2, 4);
            if (0xdc00..0xe000).contains(&low) {
                code_point = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
                end += 6;
            }
        }
        self.code_point(code_point, at, end)?;
        Ok(end)
    }

    /// `\x{12}` of Perl and Ruby, `\u{12}` of Rust, Swift and JavaScript.
    fn braces(&mut self, at: usize) -> Result<usize, Damage> {
        let len = self.digits(at + 3, 8);
        if len == 0 || byte(self.code, at + 3 + len) != b'}' {
            return self.cut(at, "hex digits in braces");
        }
        let end = at + 4 + len;
        self.code_point(self.value(at + 3, len), at, end)?;
        Ok(end)
    }

    fn decimal(&mut self, at: usize) -> Result<usize, Damage> {
        let most = if self.rules == Rules::Haskell { 7 } else { 3 };
        let digits = slice(self.code, at + 1..self.end.min(at + 1 + most));
        let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        let end = at + 1 + len;
        let digits = digits.get(..len).unwrap_or_default();
        let Some(value) = std::str::from_utf8(digits)
            .ok()
            .and_then(|d| d.parse().ok())
        else {
            return Err(self.damage(at, end, "a decimal escape up to \\255"));
        };
        match self.rules {
            Rules::Haskell => self.code_point(value, at, end)?,
            _ => match decimal(digits) {
                Some(value) => self.part.push(value, at),
                None => return Err(self.damage(at, end, "a decimal escape up to \\255")),
            },
        }
        Ok(end)
    }

    fn octal(&mut self, at: usize) -> usize {
        let zero = byte(self.code, at + 1) == b'0';
        let most = match self.rules {
            Rules::Rust => 1,
            Rules::Echo if zero => 4,
            _ => 3,
        };
        let digits = slice(self.code, at + 1..self.end.min(at + 1 + most));
        let digits = digits
            .iter()
            .take_while(|digit| matches!(digit, b'0'..=b'7'));
        let (len, value) = digits.fold((0, 0u32), |(len, value), digit| {
            // A fourth digit, or a third one above \377, is a character of its own.
            let next = value << 3 | u32::from(digit - b'0');
            if next > 0xff {
                (len, value)
            } else {
                (len + 1, next)
            }
        });
        self.part.push(value as u8, at);
        at + 1 + len.max(1)
    }

    /// A character that is not ASCII, as it stands.
    fn character(&mut self, at: usize) -> Result<usize, Damage> {
        let bytes = slice(self.code, at..self.end.min(at + 4));
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let Some(c) = valid.chars().next() else {
            return Err(self.damage(at, at + 1, "a character"));
        };
        let end = at + c.len_utf8();
        if c == char::REPLACEMENT_CHARACTER {
            return Err(self.replaced(at));
        }
        if let (Rules::Latin1, Ok(value)) = (self.rules, u8::try_from(c)) {
            self.part.push(value, at);
            return Ok(end);
        }
        self.wide = self.wide.or(Some(at));
        for (idx, &value) in bytes.iter().take(c.len_utf8()).enumerate() {
            self.part.push(value, at + idx);
        }
        Ok(end)
    }

    fn code_point(&mut self, value: u32, at: usize, end: usize) -> Result<(), Damage> {
        if value == 0xfffd {
            return Err(self.replaced(at));
        }
        if let Ok(value) = u8::try_from(value) {
            self.part.push(value, at);
            return Ok(());
        }
        let Some(c) = char::from_u32(value) else {
            return Err(self.damage(at, end, "a character"));
        };
        self.wide = self.wide.or(Some(at));
        for &byte in c.encode_utf8(&mut [0; 4]).as_bytes() {
            self.part.push(byte, at);
        }
        Ok(())
    }

    /// An escape that the paste's end cuts is a hole, any other broken one is damage.
    fn cut(&mut self, at: usize, expected: &str) -> Result<usize, Damage> {
        if slice(self.code, self.end..self.code.len())
            .trim_ascii()
            .is_empty()
        {
            self.part.hole(None, at);
            return Ok(self.end);
        }
        Err(self.damage(at, at + 4, expected))
    }

    fn damage(&self, at: usize, end: usize, expected: &str) -> Damage {
        let text = String::from_utf8_lossy(slice(self.code, at..end.min(self.end))).into_owned();
        Damage {
            at,
            confidence: 90,
            found: format!("`{text}`"),
            expected: expected.to_owned(),
        }
    }

    fn replaced(&self, at: usize) -> Damage {
        Damage {
            at,
            confidence: 94,
            found: "U+FFFD, which stands for bytes that a text decoder threw away".into(),
            expected: "the bytes themselves: copy them as hex, or read them from the source".into(),
        }
    }
}
