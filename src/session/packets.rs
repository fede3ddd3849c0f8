//! Packets in a paste: what `tcpdump -x` and tshark print has the headers of IP and TCP in front.
//!
//! In: the parts of a paste. Out: what the packets carry, each direction of a connection put in the
//! order of its sequence numbers, and how much was left out. A direction is parted where a packet
//! begins with a message and the other side has spoken, so that questions stand before answers.
//!
//! Bytes are a packet only if the length that its IP header says is that of the bytes, or, where
//! they are cut, the header's checksum is right or the paste breaks off: no message of Kafka starts so.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::memmem;

use crate::capture::{LinkType, Packet, Place};
use crate::flow::Endpoint;
use crate::hextext::{self, Hole, Part};
use crate::net::Reader;

/// Link layers that are printed, with the offset of the IP header: none (`-x`), Ethernet (`-xx`),
/// Linux cooked, loopback.
const LINKS: [(LinkType, usize); 6] = [
    (LinkType(101), 0),
    (LinkType(1), 14),
    (LinkType(1), 18),
    (LinkType(113), 16),
    (LinkType(276), 20),
    (LinkType(0), 4),
];

/// All headers of a packet, with the most options that they can have.
const LONGEST_HEADERS: usize = 20 + 60 + 60;

/// Ethernet fills short packets up to this, without its checksum.
const SHORTEST_FRAME: usize = 60;

/// What packets of a paste carry.
#[derive(Debug)]
pub struct Unpacked {
    /// The payload, as parts of the paste.
    pub parts: Vec<Part>,
    pub n_packets: usize,
    /// Packets without payload.
    pub n_empty: usize,
    /// Packets that repeat what others carry.
    pub n_repeated: usize,
    /// Bytes of headers that were left out, and of padding.
    pub n_header_bytes: usize,
}

/// The payload of packets; `None` unless all parts are TCP packets.
///
/// tshark prints a message that came in several packets once more below the last of them. It is
/// used where not all of them are in the paste.
pub fn unpack(parts: &[Part]) -> Option<Unpacked> {
    let mut packets = Vec::with_capacity(parts.len());
    let mut messages: Vec<&Part> = Vec::new();
    for (idx, part) in parts.iter().enumerate() {
        let label = part.label.as_deref().unwrap_or_default();
        if label.starts_with(REASSEMBLED) && idx > 0 {
            messages.push(part);
        } else if let Some(packet) = read(part) {
            packets.push(Carried { idx, ..packet });
        } else if idx == 0 || !is_cut(part) || part.bytes.len() >= LONGEST_HEADERS {
            // What the paste cuts off in its headers carries nothing.
            return None;
        }
    }
    let mut unpacked = (!packets.is_empty()).then(|| join(parts, packets))?;
    let streams = streams(&unpacked.parts);
    for message in messages {
        let is_whole = |stream: &Vec<u8>| memmem::find(stream, &message.bytes).is_some();
        if streams.iter().any(is_whole) {
            continue;
        }
        // What of it the packet holds is the end of it.
        let is_end = |part: &Part| message.bytes.ends_with(&part.bytes);
        match unpacked.parts.iter().position(is_end) {
            Some(idx) => {
                if let Some(part) = unpacked.parts.get_mut(idx) {
                    *part = message.clone();
                }
            }
            None => unpacked.parts.push(message.clone()),
        }
    }
    Some(unpacked)
}

/// All that went in each direction, which parts have the name of.
fn streams(parts: &[Part]) -> Vec<Vec<u8>> {
    let mut labels: Vec<&Option<String>> = Vec::new();
    let mut streams: Vec<Vec<u8>> = Vec::new();
    for part in parts {
        let known = labels.iter().position(|label| **label == part.label);
        match known.and_then(|idx| streams.get_mut(idx)) {
            Some(stream) => stream.extend_from_slice(&part.bytes),
            None => {
                labels.push(&part.label);
                streams.push(part.bytes.clone());
            }
        }
    }
    streams
}

/// What tshark calls a message that it put together of packets.
const REASSEMBLED: &str = "Reassembled TCP";

/// Whether the paste breaks off in a part.
fn is_cut(part: &Part) -> bool {
    part.holes.iter().any(|hole| hole.at == part.bytes.len())
}

/// What one packet carries.
struct Carried {
    /// Index of its part.
    idx: usize,
    ends: (Endpoint, Endpoint),
    seq: u32,
    /// Where the payload lies in the part.
    at: usize,
    len: usize,
    missing: u32,
}

/// Reads a part as one packet.
fn read(part: &Part) -> Option<Carried> {
    let bytes = part.bytes.as_slice();
    let (link, _) = LINKS
        .into_iter()
        .find(|&(link, at)| is_packet(link, part, at))?;
    let packet = Packet {
        number: 1,
        number_in_file: 1,
        time: 0,
        link,
        bytes,
        original_len: u32::try_from(bytes.len()).ok()?,
        record: Place::default(),
        header: Place::default(),
        place: Place::default(),
    };
    let segment = Reader::new().read(&packet)?;
    Some(Carried {
        idx: 0,
        ends: (segment.source, segment.destination),
        seq: segment.seq,
        at: usize::try_from(segment.payload.place.offset()).ok()?,
        len: usize::try_from(segment.payload.len).ok()?,
        missing: segment.missing,
    })
}

/// Whether an IP packet with TCP in it begins at `at` and ends with the bytes.
fn is_packet(link: LinkType, part: &Part, at: usize) -> bool {
    let bytes = part.bytes.as_slice();
    let ip = bytes.get(at..).unwrap_or_default();
    let names_ip = match (link, bytes.get(..at)) {
        (LinkType(0), Some(family)) => {
            matches!(family, [2, 0, 0, 0] | [0, 0, 0, 2] | [0, 0, 0, 30])
                || matches!(family, [24 | 28 | 30, 0, 0, 0] | [0, 0, 0, 24 | 28])
        }
        (LinkType(276), Some(cooked)) => {
            cooked.starts_with(&[0x08, 0x00]) || cooked.starts_with(&[0x86, 0xdd])
        }
        (_, Some([])) => true,
        (_, Some(header)) => header.ends_with(&[0x08, 0x00]) || header.ends_with(&[0x86, 0xdd]),
        _ => false,
    };
    let (said, is_tcp, is_checked) = match ip {
        [0x45..=0x4f, _, high, low, _, _, _, _, _, protocol, ..] => (
            usize::from(u16::from_be_bytes([*high, *low])),
            *protocol == 6,
            is_checksum_right(ip),
        ),
        [0x60..=0x6f, _, _, _, high, low, next, ..] => (
            40 + usize::from(u16::from_be_bytes([*high, *low])),
            *next == 6,
            false,
        ),
        _ => return false,
    };
    let is_padded = link == LinkType(1) && bytes.len() <= SHORTEST_FRAME && said < ip.len();
    let fits = said == ip.len() || is_padded || said > ip.len() && (is_checked || is_cut(part));
    names_ip && is_tcp && said >= 40 && fits
}

/// Whether the words of an IPv4 header add up as they should.
fn is_checksum_right(ip: &[u8]) -> bool {
    let words = ip.first().map_or(0, |first| usize::from(first & 0x0f) * 2);
    let (pairs, _) = ip.as_chunks::<2>();
    let Some(header) = pairs.get(..words) else {
        return false;
    };
    let sum: u32 = header
        .iter()
        .map(|pair| u32::from(u16::from_be_bytes(*pair)))
        .sum();
    (sum & 0xffff) + (sum >> 16) == 0xffff
}

/// One direction while its packets are put together.
struct Stream {
    next: u32,
    /// Index of the part that is being filled.
    open: Option<usize>,
}

fn join(parts: &[Part], mut packets: Vec<Carried>) -> Unpacked {
    let n_packets = packets.len();
    let n_bytes: usize = parts.iter().map(|part| part.bytes.len()).sum();
    let n_payload: usize = packets.iter().map(|packet| packet.len).sum();
    packets.retain(|packet| packet.len > 0);
    let mut unpacked = Unpacked {
        parts: Vec::new(),
        n_packets,
        n_empty: n_packets - packets.len(),
        n_repeated: 0,
        n_header_bytes: n_bytes - n_payload,
    };
    let mut streams: Vec<Stream> = Vec::new();
    let mut last_spoken = None;
    for (direction, packet) in in_order(packets) {
        if direction == streams.len() {
            streams.push(Stream {
                next: packet.seq,
                open: None,
            });
        }
        let (Some(stream), Some(part)) = (streams.get_mut(direction), parts.get(packet.idx)) else {
            continue;
        };
        let ahead = packet.seq.wrapping_sub(stream.next) as i32;
        let n_known = usize::try_from(ahead.min(0).unsigned_abs()).unwrap_or(0);
        if n_known >= packet.len {
            unpacked.n_repeated += 1;
            continue;
        }
        let has_turned = last_spoken.is_some_and(|last| last != direction);
        last_spoken = Some(direction);
        let open = stream.open.and_then(|idx| unpacked.parts.get(idx));
        if has_turned && open.is_some_and(|part| is_at_boundary(&part.bytes)) {
            stream.open = None;
        }
        let target = *stream.open.get_or_insert_with(|| {
            unpacked.parts.push(Part {
                label: Some(format!("{} to {}", packet.ends.0, packet.ends.1)),
                way: Some((packet.ends.0.into(), packet.ends.1.into())),
                ..Part::default()
            });
            unpacked.parts.len() - 1
        });
        if let Some(target) = unpacked.parts.get_mut(target) {
            let payload = packet.at + n_known..packet.at + packet.len;
            if ahead > 0 {
                let place = part.places.get(payload.start).copied();
                hole(target, ahead.unsigned_abs(), place);
            }
            append(target, part, payload);
            if packet.missing > 0 {
                hole(target, packet.missing, part.places.last().copied());
            }
        }
        let len = u32::try_from(packet.len).unwrap_or(u32::MAX);
        stream.next = packet.seq.wrapping_add(len).wrapping_add(packet.missing);
    }
    unpacked
}

/// The packets with the index of their direction, each direction in the order of its sequence
/// numbers; which direction speaks when stays as it is.
fn in_order(packets: Vec<Carried>) -> Vec<(usize, Carried)> {
    let mut directions: Vec<VecDeque<Carried>> = Vec::new();
    let mut turns = Vec::with_capacity(packets.len());
    for packet in packets {
        let same = |queue: &VecDeque<Carried>| {
            let first = queue.front();
            first.is_some_and(|first| first.ends == packet.ends)
        };
        let direction = directions.iter().position(same);
        turns.push(direction.unwrap_or(directions.len()));
        match direction.and_then(|direction| directions.get_mut(direction)) {
            Some(queue) => queue.push_back(packet),
            None => directions.push(VecDeque::from([packet])),
        }
    }
    for queue in &mut directions {
        let first = queue.front().map_or(0, |packet| packet.seq);
        let distance = |packet: &Carried| packet.seq.wrapping_sub(first) as i32;
        queue.make_contiguous().sort_by_key(distance);
    }
    let next = |direction: usize| {
        let packet = directions.get_mut(direction)?.pop_front()?;
        Some((direction, packet))
    };
    turns.into_iter().filter_map(next).collect()
}

fn append(target: &mut Part, part: &Part, range: Range<usize>) {
    let bytes = part.bytes.get(range.clone()).unwrap_or_default();
    target.bytes.extend_from_slice(bytes);
    let places = part.places.get(range).unwrap_or_default();
    target.places.extend_from_slice(places);
}

fn hole(target: &mut Part, len: u32, place: Option<hextext::Place>) {
    target.holes.push(Hole {
        at: target.bytes.len(),
        len: Some(u64::from(len)),
        place: place.unwrap_or_default(),
    });
}

/// Whether the bytes are whole messages by their sizes.
fn is_at_boundary(mut bytes: &[u8]) -> bool {
    while let Some((size, rest)) = bytes.split_first_chunk() {
        let size = usize::try_from(i32::from_be_bytes(*size)).ok();
        match size.and_then(|size| rest.get(size..)) {
            Some(rest) => bytes = rest,
            None => return false,
        }
    }
    bytes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An IPv4 packet with TCP payload, from port 1000 to 9092 or back.
    fn packet(is_back: bool, seq: u32, payload: &[u8]) -> Vec<u8> {
        let len = u16::try_from(40 + payload.len()).unwrap();
        let mut ip = vec![0x45, 0];
        ip.extend(len.to_be_bytes());
        ip.extend([0, 1, 0x40, 0, 64, 6, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
        let sum: u32 = ip
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| u32::from(u16::from_be_bytes(*pair)))
            .sum();
        let checksum = !u16::try_from((sum & 0xffff) + (sum >> 16)).unwrap();
        ip.splice(10..12, checksum.to_be_bytes());
        let ports: [u16; 2] = if is_back { [9092, 1000] } else { [1000, 9092] };
        ip.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        ip.extend(seq.to_be_bytes());
        ip.extend([0, 0, 0, 0, 0x50, 0x18, 2, 0, 0, 0, 0, 0]);
        ip.extend(payload);
        ip
    }

    fn part(label: &str, bytes: Vec<u8>) -> Part {
        let places = (1..).map(|column| hextext::Place { line: 1, column });
        Part {
            label: Some(label.to_owned()),
            places: places.take(bytes.len()).collect(),
            bytes,
            ..Part::default()
        }
    }

    fn parts(packets: &[Vec<u8>]) -> Vec<Part> {
        packets
            .iter()
            .map(|bytes| part("", bytes.clone()))
            .collect()
    }

    const REQUEST: &[u8] = b"\0\0\0\x04abcd";
    const RESPONSE: &[u8] = b"\0\0\0\x02xy";

    #[test]
    fn segments_are_put_in_order_without_their_headers() {
        let packets = [
            packet(false, 100, b""),
            packet(false, 104, b"abcd"),
            packet(false, 100, b"\0\0\0\x04"),
            packet(false, 100, b"\0\0\0\x04ab"),
            packet(true, 7, RESPONSE),
            packet(false, 108, REQUEST),
            packet(false, 108, REQUEST),
        ];
        let unpacked = unpack(&parts(&packets)).unwrap();
        let bytes: Vec<&[u8]> = unpacked.parts.iter().map(|part| &part.bytes[..]).collect();
        assert_eq!(bytes, [REQUEST, RESPONSE, REQUEST]);
        assert_eq!(
            (unpacked.n_packets, unpacked.n_empty, unpacked.n_repeated),
            (7, 1, 1)
        );
        assert_eq!(unpacked.n_header_bytes, 7 * 40);
        let first = &unpacked.parts[0];
        assert_eq!(
            first.label.as_deref(),
            Some("127.0.0.1:1000 to 127.0.0.1:9092")
        );
        // Behind 40 bytes of headers.
        assert_eq!(first.places[0].column, 41);
        assert_eq!(first.places.len(), first.bytes.len());
    }

    #[test]
    fn what_is_missing_is_a_hole() {
        let lost = [
            packet(false, 100, b"\0\0\0\x09abc"),
            packet(false, 110, b"xyz"),
        ];
        let unpacked = unpack(&parts(&lost)).unwrap();
        assert_eq!(unpacked.parts[0].bytes, b"\0\0\0\x09abcxyz");
        assert_eq!(
            (
                unpacked.parts[0].holes[0].at,
                unpacked.parts[0].holes[0].len
            ),
            (7, Some(3))
        );
        // A packet that the snap length cut, which its checksum vouches for.
        let mut cut = packet(false, 100, REQUEST);
        cut.truncate(45);
        let unpacked = unpack(&parts(&[cut.clone()])).unwrap();
        assert_eq!(
            (
                unpacked.parts[0].holes[0].at,
                unpacked.parts[0].holes[0].len
            ),
            (5, Some(3))
        );
        cut[10] ^= 1;
        assert!(unpack(&parts(&[cut.clone()])).is_none());
        // Where the paste breaks off nothing else has to vouch for it, and headers carry nothing.
        for (len, kept) in [(45, &REQUEST[..5]), (39, &[]), (10, &[])] {
            let mut packets = parts(&[packet(true, 7, RESPONSE), cut[..len].to_vec()]);
            assert!(unpack(&packets).is_none());
            packets[1].holes.push(Hole {
                at: len,
                len: None,
                place: hextext::Place::default(),
            });
            let unpacked = unpack(&packets).unwrap();
            let bytes: Vec<u8> = unpacked.parts[1..]
                .iter()
                .flat_map(|part| part.bytes.clone())
                .collect();
            assert_eq!(unpacked.parts[0].bytes, RESPONSE);
            assert_eq!(bytes, kept);
        }
    }

    #[test]
    fn link_layers_are_found_by_the_length_behind_them() {
        let ip = packet(false, 100, REQUEST);
        for header in [
            &b""[..],
            b"\x01\x02\x03\x04\x05\x06\x01\x02\x03\x04\x05\x06\x08\0",
            b"\0\0\0\x01\0\x06\x01\x02\x03\x04\x05\x06\0\0\x08\0",
            b"\x02\0\0\0",
        ] {
            let bytes = [header, &ip].concat();
            let unpacked = unpack(&parts(&[bytes])).unwrap();
            assert_eq!(unpacked.parts[0].bytes, REQUEST, "{header:02x?}");
        }
        assert!(unpack(&parts(&[REQUEST.to_vec()])).is_none());
        assert!(unpack(&parts(&[ip.clone(), REQUEST.to_vec()])).is_none());
        assert!(unpack(&[]).is_none());
        // One byte too many is something else.
        assert!(unpack(&parts(&[[ip.as_slice(), b"x"].concat()])).is_none());
    }

    #[test]
    fn what_tshark_put_together_stands_in_for_lost_packets() {
        let last = packet(false, 104, b"abcd");
        let whole = part("Reassembled TCP (8 bytes):", REQUEST.to_vec());
        let unpacked = unpack(&[part("Frame (44 bytes):", last.clone()), whole.clone()]).unwrap();
        assert_eq!(unpacked.parts.len(), 1);
        assert_eq!(unpacked.parts[0].bytes, REQUEST);
        let first = packet(false, 100, b"\0\0\0\x04");
        let unpacked = unpack(&[part("", first), part("", last), whole]).unwrap();
        assert_eq!(unpacked.parts.len(), 1);
        assert_eq!(
            unpacked.parts[0].label.as_deref(),
            Some("127.0.0.1:1000 to 127.0.0.1:9092")
        );
    }
}
