//! Variables in the strings of languages that put their values in: `"$header\x00"`.
//!
//! In: scanned text and the body of a string. Out: where names of variables stand in it, and what is
//! known of their values. Only shells, Perl and PHP read `$name` so, in double quotes, and JavaScript
//! `${name}` in backquotes. To other languages it is text: what stands in front of the string tells
//! which of them it is, and where it does not, that is said.

use std::ops::Range;

use super::list::word_end;
use super::scan::{Scan, byte, line_start, slice};

/// Characters in front of a string that are looked at.
const MOST_BEFORE: usize = 200;

/// Letters of a name that is none if nothing else speaks for a variable: text has signs, too.
const FEW_LETTERS: usize = 2;

/// The longest name that is quoted.
const LONGEST_NAME: usize = 40;

/// The longest command whose output is filled in.
const LONGEST_CALL: usize = 200;

/// What a name in a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// What the variable held before: `req="$req\x00"` appends to it.
    Own,
    /// Bytes that are not in the paste.
    Unknown,
    /// The letters, unless the language is one that has variables.
    Letters,
}

/// A name of a variable in a string.
pub(super) struct Variable {
    pub(super) range: Range<usize>,
    pub(super) value: Value,
}

/// The variables in a body, ascending.
pub(super) fn find(scan: &Scan<'_>, body: &Range<usize>) -> Vec<Variable> {
    let code = &scan.code;
    let Some(quote) = body.start.checked_sub(1) else {
        return Vec::new();
    };
    let line = line_start(code, quote, MOST_BEFORE);
    let before = slice(code, line..quote);
    let is_prefixed = before
        .last()
        .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'@' | b'_'));
    let in_backquotes = match byte(code, quote) {
        b'"' if !is_prefixed => false,
        b'`' => true,
        _ => return Vec::new(),
    };
    let fills_in = fills_in(before);
    let mut found = Vec::new();
    let mut at = body.start;
    while let Some(len) = memchr::memchr2(b'$', b'\\', slice(code, at..body.end)) {
        let start = at + len;
        if byte(code, start) == b'\\' {
            at = body.end.min(start + 2);
            continue;
        }
        at = start + 1;
        let Some((end, name)) = name(code, start, body.end) else {
            continue;
        };
        let in_braces = byte(code, start + 1) == b'{';
        let is_own = start == body.start && !name.is_empty() && is_assigned(before, name);
        let value = match fills_in {
            _ if in_backquotes && !in_braces => continue,
            _ if in_backquotes => Value::Unknown,
            _ if is_own => Value::Own,
            true => Value::Unknown,
            false if name.len() < FEW_LETTERS => continue,
            false => Value::Letters,
        };
        found.push(Variable {
            range: start..end,
            value,
        });
        at = end;
    }
    found
}

impl Variable {
    /// What is said of it.
    pub(super) fn remark(&self, scan: &Scan<'_>) -> Option<(usize, String)> {
        let end = self.range.end.min(self.range.start + LONGEST_NAME);
        let name = String::from_utf8_lossy(slice(&scan.code, self.range.start..end));
        let text = match self.value {
            Value::Own => return None,
            Value::Unknown => format!("`{name}` is a variable, and its bytes are not here"),
            Value::Letters => {
                format!("`{name}` is read as letters; shells, Perl and PHP have a variable there")
            }
        };
        Some((self.range.start, text))
    }
}

/// The variable at a dollar sign: where it ends, and its name, which calls of commands have none of.
fn name(code: &[u8], at: usize, end: usize) -> Option<(usize, &[u8])> {
    let start = at + 1;
    let closing = match byte(code, start) {
        b'{' => b'}',
        b'(' => b')',
        first if first.is_ascii_alphabetic() || first == b'_' => {
            let behind = word_end(code, start).min(end);
            let name = slice(code, start..behind);
            return Some((element(code, behind, end).unwrap_or(behind), name));
        }
        _ => return None,
    };
    let inner = slice(code, start + 1..end.min(start + 1 + LONGEST_CALL));
    let len = memchr::memchr2(closing, b'\\', inner)?;
    let inner = inner.get(..len)?;
    let is_name = closing == b'}'
        && inner
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let behind = start + 1 + len;
    (byte(code, behind) == closing).then_some((behind + 1, if is_name { inner } else { b"" }))
}

/// End of what takes an element of a variable: `[0]`, `{len}`.
fn element(code: &[u8], at: usize, end: usize) -> Option<usize> {
    let closing = match byte(code, at) {
        b'[' => b']',
        b'{' => b'}',
        _ => return None,
    };
    let inner = slice(code, at + 1..end.min(at + LONGEST_NAME));
    let is_key = |b: &&u8| b.is_ascii_alphanumeric() || b"_'$-".contains(b);
    let len = inner.iter().take_while(is_key).count();
    (len > 0 && inner.get(len) == Some(&closing)).then_some(at + 1 + len + 1)
}

/// Whether the text in front of a string is of a language that fills its variables in: a command of a
/// shell, an assignment as shells have it, or a variable with a sign.
fn fills_in(before: &[u8]) -> bool {
    let has = |mark: &[u8]| memchr::memmem::find(before, mark).is_some();
    let is_name = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let assigned = before.strip_suffix(b"=");
    let assigned = assigned.map(|name| name.strip_suffix(b"+").unwrap_or(name));
    let has_sign = || {
        let mut signs = memchr::memchr_iter(b'$', before);
        signs.any(|at| {
            let first = before.get(at + 1);
            is_name(first) && !first.is_some_and(u8::is_ascii_digit)
        })
    };
    has(b"echo ")
        || has(b"printf ")
        || assigned.is_some_and(|name| is_name(name.last()))
        || has_sign()
}

/// Whether the string is given to the variable of this name.
fn is_assigned(before: &[u8], name: &[u8]) -> bool {
    let target = before
        .strip_suffix(b"=")
        .and_then(|left| left.strip_suffix(name));
    target.is_some_and(|left| {
        let last = left.last();
        !last.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    })
}
