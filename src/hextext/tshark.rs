//! Packets as tshark writes them for programs: `-T json`, `jsonraw`, `ek` and `pdml`.
//!
//! In: cleaned text. Out: one sketch with a part for every packet, of its whole frame if it is there,
//! else of what TCP carries. All other fields only say parts of that again, and stay out.

use std::ops::Range;

use super::draft::{Draft, Findings, Sketch};
use super::list::hex_value;
use super::reading::Family;
use super::scan::{byte, slice};

/// What only such text has.
const MARKS: [&[u8]; 3] = [b"\"_source\"", b"\"layers\"", b"<pdml"];

/// What stands in front of the digits, the best first.
const FIELDS: [(&[u8], &str); 5] = [
    (b"\"frame_raw\"", "the frames of the packets"),
    (b"\"tcp.payload_raw\"", "what the TCP segments carry"),
    (b"\"tcp.payload\"", "what the TCP segments carry"),
    (b"\"tcp_tcp_payload\"", "what the TCP segments carry"),
    (
        b"<field name=\"tcp.payload\"",
        "what the TCP segments carry",
    ),
];

/// How far behind the name of a field its digits may begin.
const REACH: usize = 4096;

/// Looks for packets.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let has = |mark: &&[u8]| memchr::memmem::find(code, mark).is_some();
    if !MARKS.iter().any(has) {
        return;
    }
    for (field, what) in FIELDS {
        let parts: Vec<Draft> = memchr::memmem::find_iter(code, field)
            .filter_map(|at| packet(code, at, field))
            .collect();
        let Some(first) = parts.first().and_then(|part| part.at.first()) else {
            continue;
        };
        return found.add(Sketch {
            family: Family::Hex,
            notation: "tshark packets",
            confidence: 97,
            why: "the fields are named as tshark names them".into(),
            remarks: vec![(*first, format!("read are {what}, and no other field"))],
            parts,
            comments: Vec::new(),
        });
    }
}

/// The bytes of the field whose name stands at `at`.
fn packet(code: &[u8], at: usize, field: &[u8]) -> Option<Draft> {
    let from = at + field.len();
    let rest = slice(code, from..code.len().min(from + REACH));
    let start = match field.starts_with(b"<") {
        true => memchr::memmem::find(rest, b" value=\"").map(|len| from + len + 8)?,
        // `: "00:..."`, and `: ["00..."` of raw fields.
        false => {
            let len = memchr::memchr(b'"', rest)?;
            let between = rest.get(..len)?;
            let is_value = |b: &u8| b.is_ascii_whitespace() || b":[".contains(b);
            between.iter().all(is_value).then_some(from + len + 1)?
        }
    };
    let len = memchr::memchr(b'"', code.get(start..)?)?;
    digits(code, start..start + len)
}

fn digits(code: &[u8], range: Range<usize>) -> Option<Draft> {
    let mut draft = Draft::default();
    let mut at = range.start;
    while at < range.end {
        let (high, low) = (byte(code, at), byte(code, at + 1));
        if high == b':' {
            at += 1;
            continue;
        }
        if !high.is_ascii_hexdigit() || !low.is_ascii_hexdigit() {
            return None;
        }
        draft.push(hex_value(high) << 4 | hex_value(low), at);
        at += 2;
    }
    Some(draft).filter(|draft| !draft.bytes.is_empty())
}
