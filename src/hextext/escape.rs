//! Strings with escapes: `b'\x00\x04test'`, `"\0\x12"`, `'\u0000'`, `echo -ne '\x00'`.
//!
//! In: scanned text. Out: one sketch with a part for every string value whose bytes are spelled,
//! and a second one where the same spelling has another meaning in another language (how many
//! digits `\x` and `\0` take). Escapes outside quotes are read too.
//!
//! A `\u` up to 00ff is that byte, since that is how binary data gets into such a string; a
//! character above it is its UTF-8. U+FFFD is damage: the bytes it stands for are gone.

use std::ops::Range;

use super::chain;
use super::draft::{Damage, Draft, Findings, Sketch};
use super::list::hex_value;
use super::reading::Family;
use super::scan::{Quoted, Scan, byte, has_byte_escape, line_end, line_start, slice};

/// How many digits an escape takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// `\x` takes two, `\0` up to two more octal digits: Python, Go, JavaScript, printf.
    Common,
    /// As common, but `\0` is a NUL whatever follows: Rust.
    Rust,
    /// As common, but `\0` takes up to three more: `echo -e`, `printf %b`.
    Echo,
    /// `\x` takes all digits that follow: C.
    C,
}

/// Looks for strings with escapes.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let mut values: Vec<Vec<Range<usize>>> = Vec::new();
    let mut labels = Vec::new();
    let mut first: Option<&Quoted> = None;
    for strings in chain::chains(scan) {
        let Some(head) = strings.first() else {
            continue;
        };
        if strings.iter().any(|string| spells_bytes(scan, string)) {
            values.push(strings.iter().map(|string| string.body.clone()).collect());
            labels.push(chain::label(scan, head));
            first = first.or(Some(head));
        }
    }
    let quoted = first.is_some();
    if !quoted {
        values = bare(scan);
        labels = values.iter().map(|_| None).collect();
    }
    let rules = rules(scan, &values, first);
    let notation = match first {
        Some(string) => name(scan, string, &values),
        None => "escapes without quotes",
    };
    let confidence = if quoted { 93 } else { 85 };
    let mut sketch = match read(scan, &values, rules, confidence) {
        Ok(sketch) => sketch,
        Err(damage) => return found.damages.push(damage),
    };
    for (part, label) in sketch.parts.iter_mut().zip(labels) {
        part.label = label;
    }
    sketch.notation = notation;
    for other in [Rules::Common, Rules::Rust, Rules::Echo, Rules::C] {
        if other == rules {
            continue;
        }
        let Ok(mut alternative) = read(scan, &values, other, 40) else {
            continue;
        };
        if !alternative.same_bytes(&sketch) {
            alternative.notation = notation;
            alternative.why = match other {
                Rules::Common => "if \\x takes two digits and \\ up to three octal ones",
                Rules::Rust => "if \\0 takes no further digits, as in Rust",
                Rules::Echo => "if \\0 takes three further digits, as in echo -e",
                Rules::C => "if \\x takes all hex digits that follow, as in C",
            }
            .into();
            found.add(alternative);
        }
    }
    found.add(sketch);
}

/// Whether this string is written to spell bytes.
fn spells_bytes(scan: &Scan, string: &Quoted) -> bool {
    let body = slice(&scan.code, string.body.clone());
    match slice(&scan.code, string.prefix.clone()) {
        b"b" | b"B" | b"rb" | b"br" if !body.is_empty() => true,
        b"x" | b"X" => false,
        _ => has_byte_escape(body) && !is_bytea(body),
    }
}

/// PostgreSQL's `\x0000001200`: one `\x` and hex digits to the end.
fn is_bytea(body: &[u8]) -> bool {
    body.strip_prefix(b"\\x")
        .is_some_and(|digits| digits.len() > 4 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Escapes outside quotes: from the first of a line to the end of the word of the last.
fn bare(scan: &Scan) -> Vec<Vec<Range<usize>>> {
    let code = &scan.code;
    let mut values: Vec<Vec<Range<usize>>> = Vec::new();
    let mut at = 0;
    let mut last_line = None;
    while let Some(len) = memchr::memchr(b'\\', code.get(at..).unwrap_or_default()) {
        let start = at + len;
        let end = line_end(code, start);
        let line = slice(code, start..end);
        let mut tail = 0;
        let mut count = 0;
        for escape in memchr::memchr_iter(b'\\', line) {
            let hex = |idx| byte(line, escape + idx).is_ascii_hexdigit();
            match byte(line, escape + 1) {
                b'x' if hex(2) && hex(3) => tail = escape + 4,
                b'u' if hex(2) && hex(3) && hex(4) && hex(5) => tail = escape + 6,
                b'0'..=b'3' if hex(2) && hex(3) => tail = escape + 4,
                _ => continue,
            }
            count += 1;
        }
        let first = line_start(code, start, start);
        at = end;
        let digits = slice(line, 2..line.len());
        if count == 0 || (count == 1 && digits.len() > 4 && is_bytea(line.trim_ascii_end())) {
            continue;
        }
        let rest = slice(line, tail..line.len());
        tail += rest
            .iter()
            .position(|b| b.is_ascii_whitespace() || b"'\"`".contains(b))
            .unwrap_or(rest.len());
        let range = start..start + tail;
        // Lines that begin with an escape go on with the line before.
        match values.last_mut() {
            Some(value) if last_line == Some(first) && first == start => value.push(range),
            _ => values.push(vec![range]),
        }
        last_line = Some(end + 1);
    }
    // Blanks between all escapes part them, and are no bytes.
    for value in &mut values {
        let spaced = value.iter().all(|range| {
            let words = slice(code, range.clone()).split(u8::is_ascii_whitespace);
            words
                .filter(|word| !word.is_empty())
                .all(|word| word.starts_with(b"\\"))
        });
        if spaced {
            *value = value.iter().flat_map(|range| words(code, range)).collect();
        }
    }
    values
}

fn words(code: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = range.start;
    for at in range.clone() {
        if byte(code, at).is_ascii_whitespace() {
            words.push(from..at);
            from = at + 1;
        }
    }
    words.push(from..range.end);
    words.retain(|word| !word.is_empty());
    words
}

/// Which rules the text itself asks for.
fn rules(scan: &Scan, values: &[Vec<Range<usize>>], first: Option<&Quoted>) -> Rules {
    let Some(first) = first else {
        return Rules::Common;
    };
    let line = slice(
        &scan.code,
        line_start(&scan.code, first.start, 200)..first.start,
    );
    let has = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
    if has(b"echo ") || has(b"%b") {
        return Rules::Echo;
    }
    // A NUL that is followed by a letter or a backslash every time but for digits: Rust writes
    // `\0`, which nobody does who has to pad octal digits.
    let rust = slice(&scan.code, first.prefix.clone()) == b"b" && first.quote == b'"';
    let short = values.iter().flatten().any(|body| {
        let body = slice(&scan.code, body.clone());
        memchr::memmem::find_iter(body, b"\\0").any(|at| !byte(body, at + 2).is_ascii_digit())
    });
    if rust && short {
        Rules::Rust
    } else {
        Rules::Common
    }
}

fn read(
    scan: &Scan,
    values: &[Vec<Range<usize>>],
    rules: Rules,
    confidence: u8,
) -> Result<Sketch, Damage> {
    let mut parts = Vec::with_capacity(values.len());
    let mut remarks = Vec::new();
    let mut escapes = 0;
    for bodies in values {
        let mut part = Draft::default();
        for body in bodies {
            let reader = Reader {
                code: &scan.code,
                end: body.end,
                rules,
                part: &mut part,
                escapes: 0,
                wide: None,
            };
            let (count, wide) = reader.body(body.start)?;
            escapes += count;
            if let Some(at) = wide {
                let text = "a character above U+00FF is taken as its UTF-8 bytes";
                remarks.push((at, text.to_owned()));
            }
        }
        parts.push(part);
    }
    remarks.truncate(3);
    Ok(Sketch {
        family: Family::Escaped,
        notation: "",
        confidence,
        why: format!("{escapes} escapes"),
        parts,
        remarks,
        comments: scan.comments.clone(),
    })
}

/// Appends the bytes of a string body by the common rules.
pub(super) fn unescape(code: &[u8], body: Range<usize>, part: &mut Draft) -> Result<(), Damage> {
    let reader = Reader {
        code,
        end: body.end,
        rules: Rules::Common,
        part,
        escapes: 0,
        wide: None,
    };
    reader.body(body.start).map(|_| ())
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

fn name(scan: &Scan, first: &Quoted, values: &[Vec<Range<usize>>]) -> &'static str {
    let line = slice(
        &scan.code,
        line_start(&scan.code, first.start, 200)..first.start,
    );
    let has = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
    let unicode = values
        .iter()
        .flatten()
        .any(|body| memchr::memmem::find(slice(&scan.code, body.clone()), b"\\u").is_some());
    match slice(&scan.code, first.prefix.clone()) {
        b"b" | b"B" if first.quote == b'"' => "b\"...\" literal",
        b"b" | b"B" | b"rb" | b"br" => "Python bytes literal",
        b"$" => "shell $'...' string",
        _ if has(b"printf") => "printf escapes",
        _ if has(b"echo") => "echo -e escapes",
        _ if unicode => "string with \\u escapes",
        _ => "string with \\x escapes",
    }
}
