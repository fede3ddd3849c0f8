//! Packets as tshark writes them for programs: `-T json`, `jsonraw`, `ek` and `pdml`.
//!
//! In: cleaned text. Out: one sketch with a part for every packet, of its whole frame if it is there,
//! else of what TCP carries. All other fields only say parts of that again, and stay out. A field that is
//! cut off is read up to there, and told.

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::hex_value;

/// What only such text has.
const MARKS: [&[u8]; 4] = [
    b"\"_source\"",
    b"\"layers\"",
    b"<pdml",
    b"<field name=\"tcp.payload\"",
];

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

/// Most cut fields that are remarked on.
const MOST_REMARKS: usize = 5;

/// Looks for packets.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let has = |mark: &&[u8]| memchr::memmem::find(code, mark).is_some();
    if !MARKS.iter().any(has) {
        return;
    }
    for (field, what) in FIELDS {
        let packets: Vec<Packet> = memchr::memmem::find_iter(code, field)
            .filter_map(|at| packet(code, at, field))
            .collect();
        let first = packets.iter().find_map(|packet| packet.draft.at.first());
        let Some(first) = first else {
            continue;
        };
        let cuts = packets.iter().filter_map(Packet::cut).take(MOST_REMARKS);
        let mut remarks = vec![(*first, format!("read are {what}, and no other field"))];
        remarks.extend(cuts);
        return found.add(Sketch {
            family: Family::Hex,
            notation: "tshark packets",
            confidence: 97,
            why: "the fields are named as tshark names them".into(),
            remarks,
            parts: packets.into_iter().map(|packet| packet.draft).collect(),
            comments: Vec::new(),
        });
    }
}

/// The field of a packet.
struct Packet {
    draft: Draft,
    /// Where its digits break off.
    broken: Option<usize>,
}

impl Packet {
    /// What is said of a field that is not there to its end.
    fn cut(&self) -> Option<(usize, String)> {
        let at = self.broken?;
        let text = match self.draft.bytes.len() {
            0 => "the field of this packet is cut off in front of its first byte".to_owned(),
            1 => "the field of this packet is cut off behind 1 byte".to_owned(),
            len => format!("the field of this packet is cut off behind {len} bytes"),
        };
        Some((at, text))
    }
}

/// The field whose name stands at `at`, as far as it is there; `None` if it is a field without
/// bytes.
fn packet(code: &[u8], at: usize, field: &[u8]) -> Option<Packet> {
    let from = at + field.len();
    let rest = code.get(from..)?;
    let start = match field.starts_with(b"<") {
        true => {
            let end = memchr::memchr2(b'<', b'>', rest).unwrap_or(rest.len());
            let attributes = rest.get(..end)?;
            // `show` has the same digits in front, in case that the other is cut off.
            let behind = |name: &[u8]| {
                let found = memchr::memmem::find(attributes, name);
                found.map(|len| from + len + name.len())
            };
            behind(b" value=\"").or_else(|| behind(b" show=\""))
        }
        // `: "00:..."`, and `: ["00..."` of raw fields.
        false => {
            let is_value = |b: &&u8| b.is_ascii_whitespace() || b":[".contains(b);
            let end = from + rest.iter().take_while(is_value).count();
            match code.get(end) {
                Some(b'"') => Some(end + 1),
                Some(_) => return None,
                None => None,
            }
        }
    };
    Some(match start {
        Some(start) => digits(code, start),
        None => Packet {
            draft: Draft::default(),
            broken: Some(code.len()),
        },
    })
}

/// The bytes from `at` up to the quote.
fn digits(code: &[u8], mut at: usize) -> Packet {
    let mut draft = Draft::default();
    loop {
        match (code.get(at), code.get(at + 1)) {
            (Some(b'"'), _) => {
                let broken = None;
                return Packet { draft, broken };
            }
            (Some(b':'), _) => at += 1,
            (Some(&high), Some(&low)) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                draft.push(hex_value(high) << 4 | hex_value(low), at);
                at += 2;
            }
            _ => {
                if !draft.bytes.is_empty() {
                    draft.hole(None, at);
                }
                let broken = Some(at);
                return Packet { draft, broken };
            }
        }
    }
}
