//! The bytes of one message, put together from the packets that they came in.

use std::ops::Range;

use crate::capture::{Capture, Packet, Place, Step, Walk};
use crate::net::{Flags, Reader, Segment};

use super::decrypted::Decrypted;
use super::exchange::Message;

/// The bytes of a message and where they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// All bytes, the size prefix first; those that were not captured are zero.
    pub bytes: Vec<u8>,
    /// Ranges of `bytes` that were not captured, in order.
    pub missing: Vec<Range<usize>>,
    /// Where the others come from, in order.
    pub origins: Vec<Origin>,
}

/// A run of a message's bytes that came in one packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Range in the message.
    pub range: Range<usize>,
    /// Number of the packet, over all inputs and in its own.
    pub packet: u64,
    pub packet_in_file: u64,
    /// Its time, nanoseconds since 1970-01-01 UTC.
    pub time: i64,
    /// Index of the input, and offset of the run's first byte in it.
    pub file: usize,
    pub offset: u64,
    /// The packet's record in the input.
    pub header: Place,
}

/// IP fragments that come before the one that makes sense of them may lie a little behind the
/// last place that is known of a message.
const BEHIND: usize = 256;

/// A message that claims more than it has is not given the memory that it claims.
const MAX_MISSING: usize = 64 << 20;

/// Puts a message together.
pub(super) fn gather(capture: &Capture, decrypted: &Decrypted, message: &Message) -> Gathered {
    let captured = message.captured as usize;
    let size = (message.size as usize).min(captured + MAX_MISSING);
    if message.place.is_derived() {
        return gather_decrypted(capture, decrypted, message, size);
    }
    if message.is_in_one_packet() {
        let mut bytes = capture.bytes(message.place, captured).to_vec();
        let range = 0..bytes.len();
        bytes.resize(size, 0);
        let mut gathered = Gathered {
            bytes,
            missing: Vec::new(),
            origins: vec![Origin {
                range,
                packet: message.packet,
                time: message.time,
                file: message.place.file(),
                offset: message.place.offset(),
                ..find(
                    capture,
                    message.last,
                    message.packet,
                    message.time,
                    message.place,
                )
            }],
        };
        gathered.note_missing();
        return gathered;
    }
    // Only the numbers of merged files are known beforehand.
    let mut walk = Walk::at(capture, message.place, 0, message.time);
    let mut reader = Reader::new();
    let mut gathered = Gathered {
        bytes: vec![0; size],
        ..Gathered::default()
    };
    let mut seen = Seen::default();
    let mut n_filled = 0;
    let mut n_behind = 0;
    while n_filled < captured {
        let Step::Packet(packet) = walk.next(capture) else {
            break;
        };
        if packet.record > message.last {
            n_behind += 1;
            if n_behind > BEHIND {
                break;
            }
        }
        seen.push(&packet);
        let mut next = reader.read(&packet);
        while let Some(segment) = next {
            n_filled += gathered.fill(capture, message, &segment);
            next = reader.released();
        }
    }
    seen.tell(&mut gathered.origins);
    if message.place.number().is_none() {
        // The walk counted from zero; the packet with the first byte is known by number.
        let first = gathered.origins.first().map(|first| first.packet);
        let shift = first.map_or(0, |first| message.packet.wrapping_sub(first));
        for origin in &mut gathered.origins {
            origin.packet = origin.packet.wrapping_add(shift);
            origin.packet_in_file = origin.packet;
        }
    }
    gathered.note_missing();
    gathered
}

/// Puts a message together that was decrypted. Its bytes are said to come from where the records
/// that held them are.
fn gather_decrypted(
    capture: &Capture,
    decrypted: &Decrypted,
    message: &Message,
    size: usize,
) -> Gathered {
    let mut gathered = Gathered {
        bytes: vec![0; size],
        ..Gathered::default()
    };
    let Some(first) = decrypted.first(message.place) else {
        gathered.note_missing();
        return gathered;
    };
    // The place is in the record that holds the first byte that there is; where that is not the
    // first of the message, the low half of its offset is known.
    let before = i64::from((first.at as u32).wrapping_sub(message.seq) as i32);
    let start = (first.at as i64).saturating_sub(before);
    let end = start.saturating_add(size as i64);
    for entry in decrypted.until(first, |entry| entry.at as i64 >= end) {
        let at = entry.at as i64 - start;
        let from = at.clamp(0, size as i64);
        let to = (at + i64::from(entry.len)).clamp(from, size as i64);
        let place = entry.place.plus((from - at) as u64);
        let bytes = capture.bytes(place, (to - from) as usize);
        let range = from as usize..from as usize + bytes.len();
        if range.is_empty() {
            continue;
        }
        if let Some(to) = gathered.bytes.get_mut(range.clone()) {
            to.copy_from_slice(bytes);
        }
        gathered.origins.push(Origin {
            range,
            packet: entry.packet,
            time: entry.time,
            file: entry.record.file(),
            offset: entry.record.offset(),
            ..find(capture, entry.walk, entry.packet, entry.time, entry.payload)
        });
    }
    gathered.note_missing();
    gathered
}

/// What is known of the packet with this number and time that holds `place`, and that a walk comes
/// to from `from`.
fn find(capture: &Capture, from: Place, number: u64, time: i64, place: Place) -> Origin {
    let mut walk = Walk::at(capture, from, number, time);
    let packets = std::iter::from_fn(|| match walk.next(capture) {
        Step::Packet(packet) => Some(packet),
        Step::Pending | Step::End => None,
    });
    let holds = |packet: &Packet<'_>| {
        let end = packet.place.plus(packet.bytes.len() as u64);
        (packet.place..end).contains(&place)
    };
    // A fragment is behind the record that makes sense of it.
    let packet = packets.take(BEHIND).find(holds);
    packet.map_or(Origin::default(), |packet| Origin {
        packet_in_file: packet.number_in_file,
        header: packet.header,
        ..Origin::default()
    })
}

/// The packets of a walk, in order: their numbers, those in their files, their headers.
#[derive(Default)]
struct Seen(Vec<(u64, u64, Place)>);

impl Seen {
    fn push(&mut self, packet: &Packet<'_>) {
        self.0
            .push((packet.number, packet.number_in_file, packet.header));
    }

    /// Tells the origins what is known of their packets.
    fn tell(&self, origins: &mut [Origin]) {
        for origin in origins {
            let idx = self
                .0
                .binary_search_by_key(&origin.packet, |(number, ..)| *number);
            if let Some(&(_, number, header)) = idx.ok().and_then(|idx| self.0.get(idx)) {
                origin.packet_in_file = number;
                origin.header = header;
            }
        }
    }
}
impl Gathered {
    /// Takes what a segment has of the message and no earlier one had; returns how much.
    fn fill(&mut self, capture: &Capture, message: &Message, segment: &Segment) -> usize {
        if segment.source != message.source
            || segment.destination != message.destination
            || segment.flags.has(Flags::RST)
        {
            return 0;
        }
        let seq = match segment.flags.has(Flags::SYN) {
            true => segment.seq.wrapping_add(1),
            false => segment.seq,
        };
        let at = i64::from(seq.wrapping_sub(message.seq) as i32);
        let payload = segment.payload;
        let mut n_filled = 0;
        let end = (at + i64::from(payload.len)).clamp(0, self.bytes.len() as i64) as usize;
        let mut from = at.max(0) as usize;
        // Origins are in order and do not overlap; most segments go behind all of them.
        let last = self.origins.last();
        let mut idx = match last.is_none_or(|last| last.range.end <= from) {
            true => self.origins.len(),
            false => self
                .origins
                .partition_point(|origin| origin.range.end <= from),
        };
        while from < end {
            // The next run that is already there, and the free room in front of it.
            let next = self.origins.get(idx).map(|origin| origin.range.clone());
            let next = next.filter(|range| range.start < end);
            let until = next.as_ref().map_or(end, |range| range.start.max(from));
            if from < until {
                let place = payload.place.plus((from as i64 - at) as u64);
                let bytes = capture.bytes(place, until - from);
                if let Some(to) = self.bytes.get_mut(from..from + bytes.len()) {
                    to.copy_from_slice(bytes);
                }
                n_filled += until - from;
                let origin = Origin {
                    range: from..until,
                    packet: payload.packet,
                    time: payload.time,
                    file: place.file(),
                    offset: place.offset(),
                    ..Origin::default()
                };
                self.origins.insert(idx, origin);
                idx += 1;
            }
            idx += 1;
            from = next.map_or(end, |range| range.end);
        }
        n_filled
    }

    fn note_missing(&mut self) {
        let mut at = 0;
        for origin in &self.origins {
            if origin.range.start > at {
                self.missing.push(at..origin.range.start);
            }
            at = at.max(origin.range.end);
        }
        if at < self.bytes.len() {
            self.missing.push(at..self.bytes.len());
        }
    }
}
