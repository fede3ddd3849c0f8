//! The escapes of a string body, one after the other, to bytes.
//!
//! In: a body and the [`Rules`] of its language. Out: bytes, each at the place of its escape or
//! character. A broken escape is damage, except where the paste ends in the middle of it.

use std::ops::Range;

use super::draft::{Damage, Draft};
use super::list::hex_value;
use super::scan::{byte, slice};

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
}

/// Appends the bytes of a string body to a part: how many escapes there were, and where the first
/// character stands that is no single byte.
pub(super) fn append(
    code: &[u8],
    body: Range<usize>,
    rules: Rules,
    part: &mut Draft,
) -> Result<(usize, Option<usize>), Damage> {
    let reader = Reader {
        code,
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
    end: usize,
    rules: Rules,
    part: &'b mut Draft,
    escapes: usize,
    /// The first character that is no single byte.
    wide: Option<usize>,
}

impl Reader<'_, '_> {
    fn body(mut self, from: usize) -> Result<(usize, Option<usize>), Damage> {
        let mut at = skip_variable(self.code, from, self.end);
        while at < self.end {
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

    fn escape(&mut self, at: usize) -> Result<usize, Damage> {
        self.escapes += 1;
        match byte(self.code, at + 1) {
            b'x' => self.hex(at),
            b'u' | b'U' => self.unicode(at),
            b'0'..=b'7' => Ok(self.octal(at)),
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
        if len == 0 {
            return self.cut(at, "two hex digits behind \\x");
        }
        match u8::try_from(self.value(at + 2, len)) {
            Ok(value) => self.part.push(value, at),
            Err(_) => return Err(self.damage(at, at + 2 + len, "a \\x escape up to \\xff")),
        }
        Ok(at + 2 + len)
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

/// `"$req\x00"` appends to what `req` held before.
fn skip_variable(code: &[u8], from: usize, end: usize) -> usize {
    if byte(code, from) != b'$' {
        return from;
    }
    let brace = byte(code, from + 1) == b'{';
    let start = from + 1 + usize::from(brace);
    let name = super::list::word_end(code, start).min(end);
    match (name > start, brace && byte(code, name) == b'}') {
        (false, _) => from,
        (true, true) => name + 1,
        (true, false) => name,
    }
}
