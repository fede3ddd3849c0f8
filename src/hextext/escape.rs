//! Strings with escapes: `b'\x00\x04test'`, `"\0\x12"`, `'\u0000'`, `echo -ne '\x00'`.
//!
//! In: scanned text. Out: one sketch with a part for every string value whose bytes are spelled,
//! and a second one where the same spelling has another meaning in another language (how many
//! digits `\x` and `\0` take). Escapes outside quotes are read too.
//!
//! A `\u` up to 00ff is that byte, since that is how binary data gets into such a string; a
//! character above it is its UTF-8. U+FFFD is damage: the bytes it stands for are gone.

use std::ops::Range;

use super::bare;
use super::chain;
use super::draft::{Damage, Draft, Findings, Sketch};
use super::ellipsis;
use super::quoted;
use super::reading::Family;
use super::repeats;
use super::scan::{Quoted, Scan, byte, has_byte_escape, line_start, slice};
use super::unescape::{self, Decimal, Rules};
use super::variable::{self, Value};

/// Looks for strings with escapes.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let Spelled {
        mut values,
        mut labels,
        first,
    } = Spelled::of(scan);
    let quoted = first.is_some();
    if !quoted {
        values = bare::find(scan);
        labels = values.iter().map(|_| None).collect();
    }
    let rules = rules(scan, &values, first);
    let named = |rules: Rules| match (rules, first) {
        (Rules::Decimal, _) => "string with decimal escapes",
        (Rules::Haskell, _) => "Haskell string",
        (_, Some(string)) => name(scan, string, &values),
        (_, None) => "escapes without quotes",
    };
    let confidence = if quoted { 93 } else { 85 };
    let mut sketch = match read(scan, &values, rules, Ends::Elided, confidence) {
        Ok(sketch) => sketch,
        Err(damage) => return found.damages.push(damage),
    };
    for (part, label) in sketch.parts.iter_mut().zip(labels) {
        part.label = label;
    }
    sketch.notation = named(rules);
    let mut beside = |rules: Rules, ends: Ends, why: &str| {
        let Ok(mut other) = read(scan, &values, rules, ends, BESIDE) else {
            return;
        };
        if !other.same_bytes(&sketch) {
            other.notation = named(rules);
            other.why = why.into();
            found.add(other);
        }
    };
    let decimal = || Rules::of_decimal(scan, &values) != Decimal::No;
    let others = [
        Rules::Common,
        Rules::Latin1,
        Rules::Rust,
        Rules::Echo,
        Rules::C,
    ]
    .into_iter();
    let others = others.chain(decimal().then_some(Rules::Decimal));
    // Haskell's escapes have names that no other language knows.
    let is_named = rules == Rules::Haskell;
    for other in others.filter(|&other| other != rules && !is_named) {
        beside(other, Ends::Elided, other.why());
    }
    beside(rules, Ends::Verbatim, "if the dots at its end are bytes");
    found.add(sketch);
}

/// The values of strings that spell bytes.
#[derive(Default)]
struct Spelled<'a> {
    /// Of each, where its pieces are.
    values: Vec<Vec<Range<usize>>>,
    labels: Vec<Option<Range<usize>>>,
    /// The first piece of the first.
    first: Option<&'a Quoted>,
}

impl<'a> Spelled<'a> {
    fn of(scan: &'a Scan) -> Spelled<'a> {
        let mut spelled = Spelled::default();
        for strings in chain::texts(scan) {
            let Some(head) = strings.first() else {
                continue;
            };
            // `printf '%b' '...'`: the format is no part of what it prints.
            let (head, strings) = match strings {
                [format, head, ..] if is_format(scan, format) => (head, strings.get(1..)),
                _ => (head, Some(strings)),
            };
            let strings = strings.unwrap_or_default();
            if strings.iter().any(|string| spells_bytes(scan, string)) {
                let pieces = strings.iter().map(|string| string.body.clone());
                spelled.values.push(pieces.collect());
                spelled.labels.push(chain::label(scan, head));
                spelled.first = spelled.first.or(Some(head));
            }
        }
        spelled
    }
}

/// How sure another meaning of the same spelling is.
const BESIDE: u8 = 40;

/// What an ellipsis at the end of a string is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// A mark for bytes that are left out, unless it makes a message whole.
    Elided,
    /// Bytes.
    Verbatim,
}

/// Whether a string is the format of the strings behind it.
fn is_format(scan: &Scan, string: &Quoted) -> bool {
    matches!(
        slice(&scan.code, string.body.clone()),
        b"%b" | b"%s" | b"%b\\n" | b"%s\\n"
    )
}

/// Whether this string is written to spell bytes.
fn spells_bytes(scan: &Scan, string: &Quoted) -> bool {
    let body = slice(&scan.code, string.body.clone());
    match slice(&scan.code, string.prefix.clone()) {
        b"b" | b"B" | b"rb" | b"br" if !body.is_empty() => {
            // `b'00000012'`: what hexlify returns.
            has_byte_escape(body) || !quoted::is_hex(&scan.code, string)
        }
        b"x" | b"X" => false,
        _ => has_byte_escape(body) && !is_bytea(body),
    }
}

/// PostgreSQL's `\x0000001200`: one `\x` and hex digits to the end.
pub(super) fn is_bytea(body: &[u8]) -> bool {
    body.strip_prefix(b"\\x")
        .is_some_and(|digits| digits.len() > 4 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Which rules the text itself asks for.
fn rules(scan: &Scan, values: &[Vec<Range<usize>>], first: Option<&Quoted>) -> Rules {
    if values.iter().flatten().any(|body| {
        let body = slice(&scan.code, body.clone());
        memchr::memchr_iter(b'\\', body)
            .any(|at| unescape::is_named(body, at + 1) || byte(body, at + 1) == b'&')
    }) {
        return Rules::Haskell;
    }
    if Rules::of_decimal(scan, values) == Decimal::Sure {
        return Rules::Decimal;
    }
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
    ends: Ends,
    confidence: u8,
) -> Result<Sketch, Damage> {
    let mut parts = Vec::with_capacity(values.len());
    let mut remarks = Vec::new();
    let mut escapes = 0;
    let mut repeated = 0;
    for bodies in values {
        let mut part = Draft::default();
        for body in bodies {
            let variables = variable::find(scan, body);
            let mut take = |piece: Range<usize>, part: &mut Draft| {
                let (count, wide) = unescape::append(scan, piece, rules, part)?;
                escapes += count;
                if let Some(at) = wide {
                    let text = "a character that is not ASCII is taken as its UTF-8 bytes";
                    remarks.push((at, text.to_owned()));
                }
                Ok(())
            };
            let mut from = body.start;
            for variable in &variables {
                if variable.value != Value::Letters {
                    take(from..variable.range.start, &mut part)?;
                    from = variable.range.end;
                }
                if variable.value == Value::Unknown {
                    part.hole(None, variable.range.start);
                }
            }
            take(from..body.end, &mut part)?;
            remarks.extend(variables.iter().filter_map(|found| found.remark(scan)));
            repeat(scan, body, &mut repeated, &mut part);
        }
        if let Some(body) = bodies.last() {
            leave_out(scan, body, ends, &mut part);
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

/// Repeats the character in front of gdb's `<repeats 16 times>`.
fn repeat(scan: &Scan, body: &Range<usize>, repeated: &mut usize, part: &mut Draft) {
    let Some((count, _)) = repeats::at(&scan.code, body.end + 1) else {
        return;
    };
    let more = count.saturating_sub(1);
    match (part.bytes.last().copied(), repeated.saturating_add(more)) {
        (Some(last), all @ ..=repeats::MOST) => {
            *repeated = all;
            for _ in 0..more {
                part.push(last, body.start);
            }
        }
        _ => part.hole(Some(more as u64), body.end),
    }
}

/// Makes a hole of an ellipsis at the end of a string, or directly behind it (`"..."...`).
fn leave_out(scan: &Scan, body: &Range<usize>, ends: Ends, part: &mut Draft) {
    let quote = slice(&scan.code, body.end..body.end + 1);
    let behind = repeats::at(&scan.code, body.end + 1).map_or(body.end + 1, |(_, end)| end);
    if matches!(quote, b"\"" | b"'" | b"`")
        && byte(&scan.code, behind) == b'.'
        && let Some((_, missing)) = ellipsis::at(&scan.code, behind)
    {
        return part.hole(missing, behind);
    }
    let Some((start, missing)) = ellipsis::tail(&scan.code, body.clone()) else {
        return;
    };
    // Dots that make the message as long as it says are text of a message.
    if ends == Ends::Elided && !part.is_frame() {
        let len = part.at.partition_point(|&at| at < start);
        part.truncate(len);
        part.hole(missing, start);
    }
}

fn name(scan: &Scan, first: &Quoted, values: &[Vec<Range<usize>>]) -> &'static str {
    let line = slice(
        &scan.code,
        line_start(&scan.code, first.start, 200)..first.start,
    );
    let has = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
    let spells = |escape: &[u8]| {
        let mut bodies = values.iter().flatten();
        bodies.any(|body| memchr::memmem::find(slice(&scan.code, body.clone()), escape).is_some())
    };
    let octal = || (b'0'..=b'7').any(|digit| spells(&[b'\\', digit]));
    match slice(&scan.code, first.prefix.clone()) {
        b"b" | b"B" if first.quote == b'"' => "b\"...\" literal",
        b"b" | b"B" | b"rb" | b"br" => "Python bytes literal",
        b"$" => "shell $'...' string",
        _ if has(b"printf") => "printf escapes",
        _ if has(b"echo") => "echo -e escapes",
        _ if spells(b"\\u") => "string with \\u escapes",
        _ if !spells(b"\\x") && octal() => "string with octal escapes",
        _ => "string with \\x escapes",
    }
}
