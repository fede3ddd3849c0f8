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
use super::reading::Family;
use super::scan::{Quoted, Scan, byte, has_byte_escape, line_end, line_start, slice};
use super::unescape::{self, Rules};

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
            let (count, wide) = unescape::append(&scan.code, body.clone(), rules, &mut part)?;
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
