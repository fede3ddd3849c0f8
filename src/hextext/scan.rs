//! Finds comments and quoted strings, the two things that every source language has.
//!
//! In: cleaned text. Out: the same text with comments blanked (offsets do not move), the
//! comments, and the strings. One pass, each byte looked at a bounded number of times.
//!
//! It does not know the language, so what opens a comment depends on what stands around it: `#`
//! after a letter is none, `//` after a colon is an address. A paste whose bytes all stand in
//! comments or in unusual quotes is scanned again with less being recognised, see [`Pass`].

use std::ops::Range;

use super::clean::Swap;
use super::ellipsis;
use super::index;
use super::unescape;

/// How much is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Comments and strings.
    Strict,
    /// Strings only: the bytes stand in a comment, or `#` was a prompt.
    CommentsAsText,
    /// Neither: quotes are punctuation.
    QuotesAsText,
}

/// A quoted string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    /// Offset of the prefix, or of the opening quote.
    pub(super) start: usize,
    /// What stands directly before the quote: `b`, `x`, `$` and the like, or nothing.
    pub(super) prefix: Range<usize>,
    pub(super) quote: u8,
    pub(super) body: Range<usize>,
    /// Whether the closing quote is there.
    pub(super) closed: bool,
}

impl Quoted {
    /// Offset behind the closing quotes.
    pub(super) fn end(&self) -> usize {
        // As many closing quotes as opening ones.
        let quotes = self.body.start - self.prefix.end;
        self.body.end + if self.closed { quotes } else { 0 }
    }
}

/// Scanned text.
pub(super) struct Scan<'a> {
    /// The text with comments blanked.
    pub(super) code: Vec<u8>,
    pub(super) comments: Vec<Range<usize>>,
    pub(super) strings: Vec<Quoted>,
    swaps: &'a [Swap],
}

impl Scan<'_> {
    /// The characters of a string's body that the clean text has others for.
    ///
    /// None if the quotes were replaced themselves: then a word processor or a web page did it to
    /// all of the string, and what it did is to be undone.
    pub(super) fn swaps(&self, body: &Range<usize>) -> &[Swap] {
        let from = self.swaps.partition_point(|swap| swap.at.end < body.start);
        let to = self.swaps.partition_point(|swap| swap.at.start < body.end);
        match self.swaps.get(from..to).unwrap_or_default() {
            [quote, ..] if quote.at.end == body.start => &[],
            swaps => swaps,
        }
    }
}

/// The byte at `at`, or 0 behind the end; no cleaned text contains a 0.
pub(super) fn byte(code: &[u8], at: usize) -> u8 {
    code.get(at).copied().unwrap_or(0)
}

/// The bytes of `range`, or none.
pub(super) fn slice(code: &[u8], range: Range<usize>) -> &[u8] {
    code.get(range).unwrap_or_default()
}

/// Offset of the end of the line that `at` lies in.
pub(super) fn line_end(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(code.len(), |len| at + len)
}

/// Offset of the start of the line that `at` lies in, looking back at most `limit` bytes.
pub(super) fn line_start(code: &[u8], at: usize, limit: usize) -> usize {
    let floor = at.saturating_sub(limit);
    memchr::memrchr(b'\n', slice(code, floor..at)).map_or(floor, |back| floor + back + 1)
}

/// Scans cleaned text; `swaps` are the characters that cleaning replaced.
pub(super) fn scan<'a>(text: &'a [u8], swaps: &'a [Swap], pass: Pass) -> Scan<'a> {
    let mut scanner = Scanner {
        text,
        scan: Scan {
            code: text.to_vec(),
            comments: Vec::new(),
            strings: Vec::new(),
            swaps,
        },
        at: 0,
        hex_so_far: true,
        block_end: true,
        triple_end: true,
    };
    while scanner.at < text.len() {
        scanner.step(pass);
    }
    scanner.scan
}

struct Scanner<'a> {
    text: &'a [u8],
    scan: Scan<'a>,
    at: usize,
    /// Whether the line so far has hex digits and separators only.
    hex_so_far: bool,
    /// Whether a further `*/` may exist.
    block_end: bool,
    /// Whether further closing triple quotes may exist.
    triple_end: bool,
}

impl Scanner<'_> {
    fn step(&mut self, pass: Pass) {
        let here = byte(self.text, self.at);
        match here {
            b'\n' => self.hex_so_far = true,
            b'\'' | b'"' | b'`' if pass != Pass::QuotesAsText && self.string(here) => return,
            b'/' | b'#' | b'%' | b';' | b'-' | b'<' | b'=' if pass == Pass::Strict => {
                // `<64 bytes omitted>`, `--- 8< ---`: the reader of the notation wants to see it.
                if let Some((end, _)) = ellipsis::at(self.text, self.at) {
                    self.at = end;
                    return;
                }
                if let Some(end) = self.comment_end(here) {
                    self.comment(end);
                    return;
                }
            }
            _ => {}
        }
        if !here.is_ascii_hexdigit() && !b" \t\n\r,:|-'\"xX_".contains(&here) {
            self.hex_so_far = false;
        }
        self.at += 1;
    }

    fn comment_end(&mut self, here: u8) -> Option<usize> {
        let before = match self.at {
            0 => b'\n',
            at => byte(self.text, at - 1),
        };
        let next = byte(self.text, self.at + 1);
        let spaced = before.is_ascii_whitespace();
        // Only looked for when a comment is certain: a line may be the whole paste.
        let end = || Some(line_end(self.text, self.at));
        match (here, next) {
            (b'/', b'*') if self.block_end => {
                let rest = self.text.get(self.at + 2..).unwrap_or_default();
                let found = memchr::memmem::find(rest, b"*/");
                self.block_end = found.is_some();
                found.map(|len| self.at + 2 + len + 2)
            }
            (b'/', b'/') if before != b':' => end(),
            (b'#', _) if spaced && !self.is_directive() => end(),
            // `0 => 18`, as PHP has it: an index and its element.
            (b'=', b'>') if index::is_counted(self.text, self.at) => None,
            (b'%', b'%' | b' ') if spaced => end(),
            // These are comments in assembly, SQL and hand-written notes, and something else
            // everywhere else, so only bytes may stand before them.
            (b';', _) | (b'-', b'-' | b'>') | (b'<', b'-') | (b'=', b'>')
                if spaced && self.hex_so_far =>
            {
                end()
            }
            _ => None,
        }
    }

    /// `#define MESSAGE "..."`, `#[rustfmt::skip]`, `#x00` and `#(0 18)` are no comments.
    fn is_directive(&self) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        if let [b'x' | b'X' | b'$', digits @ ..] = rest {
            let len = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            return matches!(len, 1 | 2) && !byte(digits, len).is_ascii_alphanumeric();
        }
        // A vector of Lisp.
        let vectors: [&[u8]; 3] = [b"(", b"u8(", b"vu8("];
        let opened = vectors.iter().find_map(|vector| rest.strip_prefix(*vector));
        if opened.is_some_and(|list| byte(list, 0).is_ascii_digit() || byte(list, 0) == b'#') {
            return true;
        }
        rest.starts_with(b"[") || rest.starts_with(b"define") || rest.starts_with(b"include")
    }

    fn comment(&mut self, end: usize) {
        if let Some(bytes) = self.scan.code.get_mut(self.at..end) {
            for byte in bytes {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        self.scan.comments.push(self.at..end);
        self.at = end;
    }

    /// Takes the string that opens here; false if this quote opens none.
    fn string(&mut self, quote: u8) -> bool {
        let Some(prefix) = prefix(self.text, self.at) else {
            return false;
        };
        let rest = self.text.get(self.at..).unwrap_or_default();
        let triple = [quote; 3];
        let string = if rest.starts_with(&triple) {
            let found = if self.triple_end && quote != b'`' {
                memchr::memmem::find(rest.get(3..).unwrap_or_default(), &triple)
            } else {
                None
            };
            let Some(len) = found else {
                self.triple_end &= quote == b'`';
                // A Markdown fence, or quotes that are never closed: skipped as one.
                self.at += 3;
                return true;
            };
            Quoted {
                start: prefix.start,
                prefix,
                quote,
                body: self.at + 3..self.at + 3 + len,
                closed: true,
            }
        } else {
            let Some((end, closed)) = close(self.text, self.at + 1, quote) else {
                return false;
            };
            // Markdown has code between backquotes, and the string is in the code.
            if quote == b'`' && holds_string(slice(self.text, self.at + 1..end)) {
                return false;
            }
            Quoted {
                start: prefix.start,
                prefix,
                quote,
                body: self.at + 1..end,
                closed,
            }
        };
        self.at = string.end();
        self.scan.strings.push(string);
        true
    }
}

/// Whether a text has a string in it that begins with an escape.
fn holds_string(text: &[u8]) -> bool {
    let quotes = memchr::memchr2_iter(b'"', b'\'', text);
    let mut opening = quotes.filter(|at| byte(text, at + 1) == b'\\');
    opening.next().is_some_and(|at| {
        let rest = text.get(at + 1..).unwrap_or_default();
        memchr::memchr(byte(text, at), rest).is_some()
    })
}

/// The literal's prefix before the quote at `at`, or `None` if the quote is an apostrophe.
fn prefix(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut start = at;
    while start > 0 && at - start < 3 && byte(text, start - 1).is_ascii_alphanumeric() {
        start -= 1;
    }
    let outside = if start == 0 {
        b'\n'
    } else {
        byte(text, start - 1)
    };
    match slice(text, start..at) {
        b"" if outside == b'$' => Some(at - 1..at),
        b"" if matches!(outside, b'\\' | b'&') => None,
        b"" => Some(at..at),
        b"b" | b"B" | b"r" | b"R" | b"u" | b"U" | b"rb" | b"br" | b"Rb" | b"c" | b"x" | b"X"
        | b"h" | b"L" | b"e" | b"E" | b"f" | b"u8" | b"s"
            if !outside.is_ascii_alphanumeric() && outside != b'_' =>
        {
            Some(start..at)
        }
        _ => None,
    }
}

/// End of the string body from `from`, and whether the quote is there; `None` if it opens none.
fn close(text: &[u8], from: usize, quote: u8) -> Option<(usize, bool)> {
    let mut at = from;
    let mut escapes = false;
    loop {
        match byte(text, at) {
            0 => return escapes.then_some((text.len(), false)),
            b'\\' => {
                let next = byte(text, at + 1);
                escapes |=
                    matches!(next, b'x' | b'u' | b'0'..=b'7') || unescape::is_named(text, at + 1);
                at = (at + 2).min(text.len());
            }
            // A long string is wrapped by terminals and mail programs.
            b'\n' if !escapes => return None,
            b'\n' => {
                let line = slice(text, at + 1..line_end(text, at + 1));
                // A terminal may have wrapped in an escape.
                let is_wrapped = matches!(slice(text, at.saturating_sub(2)..at), b"\\x")
                    || matches!(slice(text, at.saturating_sub(3)..at), [b'\\', b'x', _]);
                if !has_byte_escape(line) && !is_wrapped {
                    return Some((at, false));
                }
                at += 1;
            }
            here if here == quote => return Some((at, true)),
            _ => at += 1,
        }
    }
}

/// Whether a string body has an escape that stands for a byte value.
pub(super) fn has_byte_escape(body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', body.get(at..).unwrap_or_default()) {
        at += len;
        match byte(body, at + 1) {
            b'x' | b'u' | b'0'..=b'7' => return true,
            _ if unescape::is_named(body, at + 1) => return true,
            _ => at += 2,
        }
    }
    false
}

/// The byte of two hex digits.
pub(super) fn hex_pair([high, low]: &[u8; 2]) -> u8 {
    hex_value(*high) << 4 | hex_value(*low)
}

/// The value of a hex digit; 0 for what is none.
pub(super) fn hex_value(digit: u8) -> u8 {
    char::from(digit).to_digit(16).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(text: &str) -> Vec<String> {
        let scan = scan(text.as_bytes(), &[], Pass::Strict);
        let body = |s: &Quoted| String::from_utf8_lossy(slice(&scan.code, s.body.clone())).into();
        scan.strings.iter().map(body).collect()
    }

    fn code(text: &str) -> String {
        String::from_utf8(scan(text.as_bytes(), &[], Pass::Strict).code).unwrap()
    }

    #[test]
    fn quotes_are_told_from_apostrophes() {
        assert_eq!(strings(r"Can't read b'\x00#' # isn't it"), [r"\x00#"]);
        assert_eq!(strings(r#"x = "a\"b" + 'c'"#), [r#"a\"b"#, "c"]);
        assert_eq!(strings("fn f(x: &'a str)"), [""; 0]);
        assert_eq!(strings("b'''a\nb''' ```sh"), ["a\nb"]);
    }

    #[test]
    fn a_string_without_end_goes_on_while_there_are_escapes() {
        assert_eq!(strings("b'\\x00\n\\x01\nend"), ["\\x00\n\\x01"]);
        assert_eq!(strings("'tis 00"), [""; 0]);
    }

    #[test]
    fn comments_are_blanked() {
        assert_eq!(code("00 // x\n01 /* y */ 02"), "00     \n01         02");
        assert_eq!(code("http://a #b"), "http://a   ");
        assert_eq!(code("[t::#F] 00 <- size"), "[t::#F] 00 <- size");
        assert_eq!(code("00 12 <- size"), "00 12        ");
        assert_eq!(code("#define M 1"), "#define M 1");
    }
}
