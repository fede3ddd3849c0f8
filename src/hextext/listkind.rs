//! Which lists are lists of bytes, and what language they are in.
//!
//! In: lists of numbers. Out: one sketch of those that can be bytes. What stands before a list on its
//! line names its type; without a type, only long lists and prefixed numbers count.

use std::ops::Range;

use super::draft::{Damage, Findings, Sketch};
use super::list::List;
use super::reading::Family;
use super::scan::{Scan, byte, line_start, slice};

/// Keeps the lists that are bytes, and judges them.
pub(super) fn choose(scan: &Scan, lists: Vec<(u8, List)>, found: &mut Findings) {
    let mut kept: Vec<(u8, List)> = Vec::new();
    for (confidence, list) in lists {
        if list.misfit.is_some() {
            found.damages.extend(damage(&list));
        } else if confidence > 0 {
            kept.push((confidence, list));
        }
    }
    let confidences = kept.iter().map(|(confidence, _)| *confidence);
    let best = confidences.max().unwrap_or(0);
    let lens = kept.iter().map(|(_, list)| list.draft.bytes.len());
    let most = lens.max().unwrap_or(0);
    // Among long lists, a short one is an argument or an index.
    kept.retain(|(confidence, list)| {
        confidence + 20 >= best && (most < 16 || list.draft.bytes.len() >= 4 || list.explicit > 0)
    });
    // A lone number beside a list is said about it, as its checksum.
    if most >= 16 && kept.iter().any(|(_, list)| list.elements > 1) {
        kept.retain(|(_, list)| list.elements > 1);
    }
    let Some((_, first)) = kept.first() else {
        return;
    };
    let notation = name(first, &scan.code);
    let wide = kept
        .iter()
        .find(|(_, list)| list.wide > 0 && list.elements > 1);
    let wide = wide.map(|(_, list)| {
        let at = list.draft.at.first().copied().unwrap_or(0);
        (
            at,
            "numbers of more than two hex digits are taken in the order they are printed".into(),
        )
    });
    let mut remarks: Vec<(usize, String)> = wide.into_iter().collect();
    for (_, list) in &mut kept {
        remarks.append(&mut list.remarks);
    }
    found.add(Sketch {
        family: Family::List,
        notation,
        confidence: best,
        why: why(&kept),
        remarks,
        comments: scan.comments.clone(),
        parts: kept
            .into_iter()
            .map(|(_, mut list)| {
                list.draft.label = label(&list, &scan.code);
                list.draft
            })
            .collect(),
    });
}

/// The number that is no byte, in a list in which nearly all are.
fn damage(list: &List) -> Option<Damage> {
    let (at, text) = list.misfit.as_ref()?;
    // Eight digits each are bits.
    let bits = list.width == Some(8) && !list.uneven;
    (!bits && list.elements >= 8 && list.misfits * 8 <= list.elements).then(|| Damage {
        at: *at,
        confidence: 80,
        found: format!("the number {text} in a list of bytes"),
        expected: "a value from -128 to 255".into(),
    })
}

/// How sure it is that the list is one of bytes; 0 if it is none.
pub(super) fn judge(list: &List, code: &[u8]) -> u8 {
    let n = list.elements;
    if n == 1 {
        return if list.hex == 1 && list.draft.bytes.len() >= 4 {
            70
        } else {
            0
        };
    }
    // Lists of F# stand in brackets, times hardly ever.
    if list.years > 0 && (list.open.is_none() || n < 4) {
        return 0;
    }
    let typed = typed(list, code).is_some();
    if list.paired == n && n >= 4 {
        return 94;
    }
    match list.indexed {
        0 => {}
        // More certain than what spells some of its elements.
        indexed if indexed == n && n >= 4 => return 94,
        // A number in front of the first alone counts no elements: it says which list this is.
        1 if n > 1 => {}
        _ => return 0,
    }
    if list.explicit > 0 || list.hex > 0 {
        return match n {
            2..=3 if !typed && list.open.is_none() => 40,
            4..=7 if list.hours == n && !typed => 40,
            _ if list.casts > 0 || typed || list.open.is_some() => 92,
            _ => 90,
        };
    }
    let even_padding = list.padded > 0 && !list.uneven && list.width == Some(3);
    if list.padded > 0 && !even_padding {
        return 0;
    }
    // Two digits each throughout can as well be hex without a prefix.
    let ambiguous = !list.uneven && list.width == Some(2) && !typed;
    match (list.open.is_some(), list.casts > 0 || typed) {
        (_, true) => 92,
        _ if list.rows > 0 && list.uneven && n >= 4 => 88,
        (true, _) if ambiguous => 55,
        (true, _) if n >= 8 => 88,
        (true, _) if n >= 4 => 70,
        (false, _) if ambiguous && n >= 4 => 35,
        (false, _) if n >= 8 && list.commas + 1 >= n => 85,
        (false, _) if n >= 8 => 75,
        (false, _) if n >= 4 && list.commas + 1 >= n => 55,
        _ => 0,
    }
}

/// What stands before the list on its line.
fn context<'a>(list: &List, code: &'a [u8]) -> &'a [u8] {
    let Some(open) = list.open.or_else(|| list.draft.at.first().copied()) else {
        return b"";
    };
    slice(code, line_start(code, open, 160).max(list.from)..open)
}

/// The name of the language construct before the list, if it says that these are bytes.
fn typed(list: &List, code: &[u8]) -> Option<&'static str> {
    let context = context(list, code);
    let table: [(&[u8], &str); 20] = [
        (b"[]byte", "Go []byte"),
        (b"[]uint8", "Go []byte"),
        (b"byteArrayOf", "Kotlin byteArrayOf"),
        (b"Array[Byte]", "Scala Array[Byte]"),
        (b"Uint8Array", "JavaScript Uint8Array"),
        (b"Array(", "Scala Array"),
        (b"byte[]", "Java byte[]"),
        (b"sbyte[]", "C# sbyte[]"),
        (b"\"data\"", "JSON Buffer"),
        (b"Buffer", "JavaScript Buffer"),
        (b"uint8_t", "C array"),
        (b"char", "C array"),
        (b"UInt8", "Swift [UInt8]"),
        (b"vec!", "Rust byte array"),
        (b"u8", "Rust byte array"),
        (b"&[", "Rust byte array"),
        (b"bytearray(", "Python bytearray list"),
        (b"bytes(", "Python bytes list"),
        (b"bytes", "list of bytes"),
        (b"payload", "list of bytes"),
    ];
    if context.ends_with(b"&") && list.open.is_some() {
        return Some("Rust byte array");
    }
    table
        .iter()
        .find(|(mark, _)| memchr::memmem::find(context, mark).is_some())
        .map(|(_, name)| *name)
}

fn name(list: &List, code: &[u8]) -> &'static str {
    if let Some(name) = typed(list, code) {
        return name;
    }
    match list {
        _ if list.first_index.is_some() => "list with indexes",
        _ if list.indexed > 0 => "JSON of a typed array",
        _ if list.casts > 0 => "list with casts",
        _ if list.hex == 1 && list.elements == 1 => "hex literal",
        _ if list.hex == list.elements => "0x list",
        _ if list.hex > 0 => "list of hex and decimal numbers",
        _ if list.chars > 0 => "list with characters",
        _ if list.signed > 0 => "list of signed numbers",
        _ => "list of decimal numbers",
    }
}

fn why(kept: &[(u8, List)]) -> String {
    let elements: usize = kept.iter().map(|(_, list)| list.elements).sum();
    let lists = if kept.len() == 1 {
        String::new()
    } else {
        format!(" in {} lists", kept.len())
    };
    let signed = kept.iter().any(|(_, list)| list.signed > 0);
    let range = if signed { "-128..=255" } else { "0..=255" };
    format!("{elements} elements{lists}, all of them in {range}")
}

/// The words before the list, up to its bracket.
fn label(list: &List, code: &[u8]) -> Option<Range<usize>> {
    let open = list.open?;
    let start = line_start(code, open, 160).max(list.from);
    let text = slice(code, start..open);
    // `std::array{`: no label, but a name.
    let is_path = |at: usize| byte(text, at) == b':' && byte(text, at.saturating_sub(1)) == b':';
    let len = text
        .iter()
        .rposition(|byte| matches!(byte, b'=' | b':'))
        .filter(|&at| !is_path(at))
        .unwrap_or(0);
    text.iter()
        .take(len)
        .any(|byte| byte.is_ascii_alphabetic())
        .then_some(start..start + len)
}
