//! A paste before it is decoded: what its parts are parts of.
//!
//! In: the parts that were read from text. Out: parts that begin where messages can begin: without
//! the headers of packets, with the size that a program read first in front of what it is of, and
//! cut where bytes are left out.

use super::{Unpacked, unpack};
use crate::{
    capture::Format,
    hextext::{Hole, Part, Place, Remark},
};

/// Bytes of the shortest header of a capture.
const SHORTEST_CAPTURE: usize = 24;

/// Says that a paste is a dump of a whole capture, if it is: it is no message, and only of a file can
/// the commands tell what is in it.
pub fn capture_in(parts: &[Part]) -> Option<String> {
    let bytes = &parts.first()?.bytes;
    let format = Format::detect(bytes).filter(|_| bytes.len() >= SHORTEST_CAPTURE)?;
    Some(format!(
        "these are the bytes of a {} capture, not of a message; kafscope list shows what is in a \
         file of them, which xxd -r makes of a dump, and xxd -r -p of plain hex",
        format.name()
    ))
}

/// Puts the parts of a reading together; what there is to say about it.
pub fn prepare(parts: &mut Vec<Part>) -> Option<Remark> {
    let unpacked = unpack(parts);
    let remark = unpacked.as_ref().map(|unpacked| {
        let first = parts.first().and_then(|part| part.places.first());
        Remark {
            place: first.copied().unwrap_or(Place { line: 1, column: 1 }),
            text: headers(unpacked),
        }
    });
    if let Some(unpacked) = unpacked {
        *parts = unpacked.parts;
    }
    *parts = join_sizes(std::mem::take(parts));
    remark
}

/// Says what of packets is left out.
fn headers(unpacked: &Unpacked) -> String {
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let mut text = format!(
        "these are the bytes of {}; the {} of their headers are no part of the messages",
        count(unpacked.n_packets, "packet"),
        count(unpacked.n_header_bytes, "byte"),
    );
    if unpacked.n_empty > 0 {
        text += &format!("; {} carried no data", count(unpacked.n_empty, "packet"));
    }
    if unpacked.n_repeated > 0 {
        text += &format!(
            "; {} only what others carry",
            count(unpacked.n_repeated, "packet")
        );
    }
    text
}

/// Parts where a size and what it is of, which programs read one after the other, are one part.
fn join_sizes(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(size)
                if size.bytes.len() == 4 && part.bytes.len() > 4 && {
                    let size = size.bytes.first_chunk().copied().map(i32::from_be_bytes);
                    size.map(usize::try_from) == Some(Ok(part.bytes.len()))
                } =>
            {
                size.bytes.extend(part.bytes);
                size.places.extend(part.places);
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// The pieces of a part between the bytes that are left out. A hole stays at the end of the piece
/// in front of it.
pub fn pieces(part: &Part) -> Vec<Part> {
    let mut pieces: Vec<Part> = Vec::new();
    let mut from = 0;
    let inner = |hole: &&Hole| hole.at > 0 && hole.at < part.bytes.len();
    let holes = part.holes.iter().filter(inner);
    let ends = holes.map(|hole| (hole.at, Some(*hole)));
    let last = part.holes.iter().find(|hole| hole.at == part.bytes.len());
    for (end, hole) in ends.chain([(part.bytes.len(), last.copied())]) {
        // Two marks at one place are one gap of unknown length.
        if end == from
            && let (Some(before), Some(hole)) = (pieces.last_mut(), hole)
        {
            before.holes = vec![Hole {
                at: before.bytes.len(),
                len: None,
                ..hole
            }];
            continue;
        }
        let bytes = part.bytes.get(from..end).unwrap_or_default().to_vec();
        let at = bytes.len();
        pieces.push(Part {
            label: part.label.clone(),
            way: part.way,
            places: part.places.get(from..end).unwrap_or_default().to_vec(),
            holes: hole.map(|hole| Hole { at, ..hole }).into_iter().collect(),
            notes: Vec::new(),
            bytes,
        });
        from = end;
    }
    pieces
}

/// How many bytes a message at the end of a piece still lacks behind the gap; `None` where the gap
/// does not say how long it is, or reaches beyond the message.
pub fn owed(piece: &Part) -> Option<usize> {
    let gap = usize::try_from(piece.holes.first()?.len?).ok()?;
    let mut rest = piece.bytes.as_slice();
    while let Some((size, content)) = rest.split_first_chunk() {
        let size = usize::try_from(i32::from_be_bytes(*size)).ok()?;
        match content.get(size..) {
            Some(behind) => rest = behind,
            None => return (size - content.len()).checked_sub(gap),
        }
    }
    None
}

/// The first `len` bytes of a piece, and the others.
pub fn split(piece: &Part, len: usize) -> (Part, Part) {
    let len = len.min(piece.bytes.len());
    let part = |range: std::ops::Range<usize>| Part {
        label: piece.label.clone(),
        way: piece.way,
        bytes: piece.bytes.get(range.clone()).unwrap_or_default().to_vec(),
        places: piece.places.get(range).unwrap_or_default().to_vec(),
        ..Part::default()
    };
    let mut rest = part(len..piece.bytes.len());
    let holes = piece.holes.iter().filter(|hole| hole.at > len);
    rest.holes = holes
        .map(|hole| Hole {
            at: hole.at - len,
            ..*hole
        })
        .collect();
    (part(0..len), rest)
}
