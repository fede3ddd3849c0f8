//! What Wireshark and tshark show of a TCP stream: "Follow stream" as a hex dump, raw, or as YAML.
//!
//! In: text without its gutter. Out: one sketch in which what each side sent is put together, whatever
//! packets it came in, and parted where the sizes in front of messages say that one is whole. The parts
//! are in the order in which messages ended, so an answer comes behind what it answers.

use std::ops::Range;

use super::base64;
use super::draft::{Draft, Findings, Sketch};
use super::framed::starts;
use super::reading::Family;
use super::scan::{byte, hex_pair, line_end, slice};

/// What stands above a stream that tshark shows.
const TITLE: &[u8] = b"Follow: ";

/// What begins the bytes of a packet in YAML.
const BLOCK: &[u8] = b"!!binary |";

/// Bytes of a row of a hex dump.
const ROW: usize = 16;

/// What was sent one way in one piece.
struct Segment {
    side: Side,
    draft: Draft,
    /// Number of the stream.
    stream: usize,
    /// What its first byte is called in a hex dump.
    offset: Option<usize>,
}

/// Who sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Looks for streams.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let Some(segments) = yaml(code)
        .or_else(|| rows(code, b",hex", dump_row))
        .or_else(|| rows(code, b",raw", raw_row))
    else {
        return;
    };
    let Some(first) = segments.iter().find_map(|it| it.draft.at.first().copied()) else {
        return;
    };
    let count = segments.len();
    found.add(Sketch {
        family: Family::Hex,
        notation: "followed stream",
        confidence: 97,
        why: "what both sides sent, as Wireshark shows it".into(),
        parts: messages(segments),
        remarks: vec![(
            first,
            format!("what each side sent is put together from {count} pieces"),
        )],
        comments: Vec::new(),
    });
}

/// The blocks of YAML: `peer: 0` and `data: !!binary |`, or `peer0_3: !!binary |` of older versions.
fn yaml(code: &[u8]) -> Option<Vec<Segment>> {
    memchr::memmem::find(code, BLOCK)?;
    let mut segments: Vec<Segment> = Vec::new();
    let mut side = None;
    let mut stream = 0;
    let mut in_block = false;
    for line in lines(code) {
        let text = slice(code, line.clone()).trim_ascii();
        if in_block && !text.is_empty() && text.iter().all(is_base64) {
            let last = segments.last_mut()?;
            let more = base64::digits(code, line);
            last.draft.bytes.extend(more.bytes);
            last.draft.at.extend(more.at);
            continue;
        }
        in_block = false;
        if text == b"peers:" {
            stream += 1;
        } else if let Some(peer) = text.strip_prefix(b"peer: ") {
            side = of_peer(peer);
        } else if let Some(name) = text.strip_suffix(BLOCK) {
            if let Some(peer) = name.strip_prefix(b"peer") {
                side = of_peer(peer);
            }
            segments.push(Segment {
                side: side?,
                draft: Draft::default(),
                stream,
                offset: None,
            });
            in_block = true;
        }
    }
    Some(segments)
}

fn of_peer(number: &[u8]) -> Option<Side> {
    match number.first() {
        Some(b'0') => Some(Side::First),
        Some(b'1') => Some(Side::Second),
        _ => None,
    }
}

fn is_base64(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The bytes of a row, with its offset if it has one.
type Row = (Option<usize>, Draft);

/// Rows of which those of the second side are indented. Without the title above them, they must go on
/// behind each other on both sides.
fn rows(
    code: &[u8],
    kind: &[u8],
    row: fn(&[u8], Range<usize>) -> Option<Row>,
) -> Option<Vec<Segment>> {
    let may_be_titled = memchr::memmem::find(code, TITLE).is_some();
    if !may_be_titled && !has_both_sides(code) {
        return None;
    }
    let mut segments: Vec<Segment> = Vec::new();
    let mut stream = 0;
    let mut is_titled = false;
    for line in lines(code) {
        let text = slice(code, line.clone());
        if text.starts_with(TITLE) {
            is_titled = text.ends_with(kind);
            stream += 1;
        }
        let len = text.trim_ascii_start().len();
        let Some((offset, draft)) = row(code, line.end - len..line.end) else {
            if len > 0 && !may_be_titled {
                return None;
            }
            continue;
        };
        if may_be_titled && !is_titled {
            continue;
        }
        let side = match len < text.len() {
            true => Side::Second,
            false => Side::First,
        };
        segments.push(Segment {
            side,
            draft,
            stream,
            offset,
        });
    }
    let of_side = |side: Side| segments.iter().filter(move |segment| segment.side == side);
    let is_whole = |side: Side| {
        let drafts = of_side(side).map(|segment| &segment.draft);
        let bytes: Vec<u8> = drafts
            .flat_map(|draft| draft.bytes.iter().copied())
            .collect();
        starts(&bytes).first() == Some(&true)
    };
    let is_proven = || SIDES.into_iter().all(is_whole) && goes_on(&segments);
    (!segments.is_empty() && (may_be_titled || is_proven())).then_some(segments)
}

/// Whether some lines are indented, and some are not.
fn has_both_sides(code: &[u8]) -> bool {
    let is_indented = |line: Range<usize>| byte(code, line.start).is_ascii_whitespace();
    let mut indented = lines(code).filter(|line| !line.is_empty()).map(is_indented);
    let first = indented.next();
    first.is_some_and(|first| indented.any(|other| other != first))
}

/// Whether offsets, if there are any, count what each side sent.
fn goes_on(segments: &[Segment]) -> bool {
    SIDES.into_iter().all(|side| {
        let mut n_bytes = 0;
        let mut of_side = segments.iter().filter(|segment| segment.side == side);
        of_side.all(|segment| {
            let is_next = segment.offset.is_none_or(|offset| offset == n_bytes);
            n_bytes += segment.draft.bytes.len();
            is_next
        })
    })
}

/// `00000010  66 6b 61 6a 73 2d 6c 61  62   fkajs-la b`.
fn dump_row(code: &[u8], line: Range<usize>) -> Option<Row> {
    let digits = slice(code, line.start..line.start + 8);
    if digits.len() < 8 || slice(code, line.start + 8..line.start + 10) != b"  " {
        return None;
    }
    let offset = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    let mut draft = Draft::default();
    let mut at = line.start + 10;
    while draft.bytes.len() < ROW && at + 2 <= line.end {
        let pair = slice(code, at..at + 2).first_chunk::<2>()?;
        if !pair.iter().all(u8::is_ascii_hexdigit) {
            break;
        }
        draft.push(hex_pair(pair), at);
        // A gap in the middle of a row.
        at += if draft.bytes.len() == ROW / 2 { 4 } else { 3 };
    }
    (!draft.bytes.is_empty()).then_some((Some(offset), draft))
}

/// Hex digits and nothing else.
fn raw_row(code: &[u8], line: Range<usize>) -> Option<Row> {
    let digits = slice(code, line.clone());
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut draft = Draft::default();
    for (idx, pair) in digits.as_chunks::<2>().0.iter().enumerate() {
        draft.push(hex_pair(pair), line.start + 2 * idx);
    }
    (!draft.bytes.is_empty()).then_some((None, draft))
}

/// All lines, without blanks at their ends.
fn lines(code: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let end = (start < code.len()).then(|| line_end(code, start))?;
        at = end + 1;
        Some(start..start + slice(code, start..end).trim_ascii_end().len())
    })
}

/// What one side sent of a stream.
#[derive(Default)]
struct Sent {
    /// What is not yet part of a whole message.
    rest: Draft,
    n_bytes: usize,
}

/// The messages of all segments.
fn messages(segments: Vec<Segment>) -> Vec<Draft> {
    let mut parts = Vec::new();
    let mut sides = [Sent::default(), Sent::default()];
    let mut stream = None;
    for segment in segments {
        if stream.replace(segment.stream) != Some(segment.stream) {
            end(&mut sides, &mut parts);
        }
        let [first, second] = &mut sides;
        let sent = match segment.side {
            Side::First => first,
            Side::Second => second,
        };
        sent.take(segment, &mut parts);
    }
    end(&mut sides, &mut parts);
    parts
}

/// Hands out what is left at the end of a stream.
fn end(sides: &mut [Sent; 2], parts: &mut Vec<Draft>) {
    for sent in std::mem::take(sides) {
        sent.finish(parts);
    }
}

impl Sent {
    /// Takes what was sent, and hands out the messages that are whole with it.
    fn take(&mut self, segment: Segment, parts: &mut Vec<Draft>) {
        let Segment { draft, offset, .. } = segment;
        let first = draft.at.first().copied().unwrap_or(0);
        match offset.map(|offset| offset.checked_sub(self.n_bytes)) {
            None | Some(Some(0)) => {}
            Some(Some(missing)) => {
                self.rest.hole(Some(missing as u64), first);
                self.n_bytes += missing;
            }
            // Another stream, without a title.
            Some(None) => {
                std::mem::take(self).finish(parts);
                self.n_bytes = offset.unwrap_or(0);
            }
        }
        self.n_bytes += draft.bytes.len();
        self.rest.bytes.extend(draft.bytes);
        self.rest.at.extend(draft.at);
        // Behind a gap, nobody knows yet where a message begins.
        if !self.rest.holes.is_empty() {
            return;
        }
        let mut from = 0;
        while let Some(size) = self.rest.bytes.get(from..).and_then(|it| it.first_chunk()) {
            let size = usize::try_from(i32::from_be_bytes(*size)).ok();
            let to = size.and_then(|size| size.checked_add(from + 4));
            let Some(to) = to.filter(|to| *to <= self.rest.bytes.len()) else {
                break;
            };
            from = to;
        }
        if from > 0 {
            let behind = Draft {
                bytes: self.rest.bytes.split_off(from),
                at: self.rest.at.split_off(from),
                ..Draft::default()
            };
            parts.push(std::mem::replace(&mut self.rest, behind));
        }
    }

    fn finish(self, parts: &mut Vec<Draft>) {
        if !self.rest.bytes.is_empty() {
            parts.push(self.rest);
        }
    }
}
