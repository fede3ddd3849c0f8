//! IP fragments, however small.

use std::ops::Range;

use super::*;

pub(super) fn fragments() -> [Vec<u8>; 3] {
    let whole = build(tcp_v4(), &(0..40).collect::<Vec<u8>>());
    let (header, payload) = whole.split_at(20);
    let part = |range: Range<usize>, more: bool| {
        let mut bytes = [header, &payload[range.clone()]].concat();
        let len = bytes.len() as u16;
        bytes[2..4].copy_from_slice(&len.to_be_bytes());
        let flags = (range.start as u16 / 8) | (u16::from(more) << 13);
        bytes[6..8].copy_from_slice(&flags.to_be_bytes());
        bytes
    };
    [part(0..24, true), part(24..48, true), part(48..60, false)]
}

#[test]
fn fragments_take_their_places_in_any_order() {
    let parts = fragments();
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
        let mut reader = Reader::new();
        let mut runs = Vec::new();
        for idx in order {
            runs.extend(reader.read(&packet(101, &parts[idx])));
            while let Some(segment) = reader.released() {
                runs.push(segment);
            }
        }
        runs.sort_by_key(|segment| segment.seq);
        let found: Vec<(u32, u32)> = runs
            .iter()
            .map(|segment| (segment.seq - 0x0102_0304, segment.payload.len))
            .collect();
        assert_eq!(found, [(0, 4), (4, 24), (28, 12)], "{order:?}");
    }
}

/// The packet in fragments that end at these offsets of its payload.
fn v4(whole: &[u8], ends: &[usize]) -> Vec<Vec<u8>> {
    let (header, payload) = whole.split_at(20);
    ranges(ends, payload.len())
        .map(|range| {
            let mut bytes = [header, &payload[range.clone()]].concat();
            let len = bytes.len() as u16;
            bytes[2..4].copy_from_slice(&len.to_be_bytes());
            let more = u16::from(range.end < payload.len()) << 13;
            let flags = (range.start as u16 / 8) | more;
            bytes[6..8].copy_from_slice(&flags.to_be_bytes());
            bytes
        })
        .collect()
}

/// The same for IPv6, where the first of them has `next` as its number.
fn v6(whole: &[u8], next: u8, ends: &[usize]) -> Vec<Vec<u8>> {
    let (header, payload) = whole.split_at(40);
    ranges(ends, payload.len())
        .map(|range| {
            let more = u16::from(range.end < payload.len());
            let offset = (range.start as u16 | more).to_be_bytes();
            let fragment = [next, 0, offset[0], offset[1], 0, 0, 0, 7];
            let mut bytes = [header, &fragment, &payload[range]].concat();
            let len = (bytes.len() - 40) as u16;
            bytes[4..6].copy_from_slice(&len.to_be_bytes());
            bytes[6] = 44;
            bytes
        })
        .collect()
}

fn ranges(ends: &[usize], len: usize) -> impl Iterator<Item = Range<usize>> {
    let ends: Vec<usize> = ends.iter().copied().chain([len]).collect();
    let starts = [0].into_iter().chain(ends.clone());
    starts.zip(ends).map(|(start, end)| start..end)
}

/// What comes of packets that follow each other, by its place in the stream.
fn segments(link: u16, packets: &[&[u8]]) -> Vec<(Segment, Vec<u8>)> {
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for (idx, bytes) in packets.iter().enumerate() {
        let packet = Packet {
            number: idx as u64,
            record: Place::new(0, 1000 * idx as u64),
            place: Place::new(0, 1000 * idx as u64 + 16),
            ..packet(link, bytes)
        };
        found.extend(reader.read(&packet));
        while let Some(segment) = reader.released() {
            found.push(segment);
        }
    }
    found.sort_by_key(|segment| segment.seq);
    let payload = |segment: &Segment| {
        let bytes = packets[segment.payload.packet as usize];
        let at = (segment.payload.place.offset() % 1000 - 16) as usize;
        bytes[at..at + segment.payload.len as usize].to_vec()
    };
    let payloads: Vec<_> = found.iter().map(payload).collect();
    found.into_iter().zip(payloads).collect()
}

/// All orders of so many things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    match n {
        0 => vec![Vec::new()],
        _ => orders(n - 1)
            .into_iter()
            .flat_map(|order| {
                (0..n).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, n - 1);
                    order
                })
            })
            .collect(),
    }
}

/// The fragments give the payload in whatever order they come, as one segment that opens and one that
/// closes.
fn assert_whole(link: u16, parts: &[Vec<u8>], payload: &[u8]) {
    for order in orders(parts.len()) {
        let packets: Vec<&[u8]> = order.iter().map(|&idx| &parts[idx][..]).collect();
        let found = segments(link, &packets);
        let mut next = 0x0102_0304;
        let mut bytes = Vec::<u8>::new();
        for (segment, payload) in &found {
            assert_eq!((segment.seq, segment.ack), (next, 99), "{order:?}");
            assert_eq!(segment.source.port, 50000);
            assert_eq!(segment.destination.port, 9092);
            assert_eq!(segment.missing, 0);
            next += segment.payload.len;
            bytes.extend(payload);
            let fin = found.last().unwrap().0.seq == segment.seq && next != 0x0102_0304;
            assert_eq!(segment.flags.has(Flags::FIN), fin, "{order:?}");
            // A walk from there meets all that hold a part of the header.
            let first = order.iter().position(|&idx| idx == 0).unwrap() as u64;
            assert!(segment.payload.record <= Place::new(0, 1000 * first));
        }
        assert_eq!(bytes, payload, "{order:?}");
    }
}

#[test]
fn first_pieces_may_be_shorter_than_the_tcp_header() {
    let payload: Vec<u8> = (0..60).collect();
    let options = [1; 12];
    let cuts: [&[usize]; 8] = [
        &[8],
        &[16],
        &[24],
        &[32],
        &[8, 16, 24],
        &[16, 24],
        &[8, 24, 48],
        &[8, 16, 40],
    ];
    for ends in cuts {
        for options in [&options[..0], &options[..]] {
            let whole = build(tcp_v4().fin().options_raw(options).unwrap(), &payload);
            assert_whole(101, &v4(&whole, ends), &payload);
            let whole = build(tcp_v6().fin().options_raw(options).unwrap(), &payload);
            assert_whole(229, &v6(&whole, 6, ends), &payload);
            // Destination options in front of TCP are cut up with it.
            let whole = extended(&whole, &[(60, vec![0, 0, 1, 4, 0, 0, 0, 0])]);
            assert_whole(229, &v6(&whole, 60, ends), &payload);
        }
    }
}

#[test]
fn fragments_behind_a_mobility_header_are_put_together() {
    let payload: Vec<u8> = (0..60).collect();
    let whole = build(tcp_v6().fin(), &payload);
    let mobility = (135, vec![0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let parts: Vec<Vec<u8>> = v6(&whole, 6, &[8, 40])
        .iter()
        .map(|part| {
            let mut part = extended(part, std::slice::from_ref(&mobility));
            part[40] = 44;
            part
        })
        .collect();
    assert_whole(229, &parts, &payload);
}

#[test]
fn fragments_of_another_packet_with_the_number_are_not_mixed_in() {
    let payload: Vec<u8> = (0..60).collect();
    let one = v4(&build(tcp_v4(), &payload), &[16, 40]);
    let later = PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .tcp(50000, 9092, 0x0102_0304 + 60, 512)
        .ack(99);
    let two = v4(&build(later, &payload), &[16, 40]);
    let all: Vec<&[u8]> = one.iter().chain(&two).map(|part| &part[..]).collect();
    let found = segments(101, &all);
    let bytes: Vec<u8> = found.into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert_eq!(bytes, [&payload[..], &payload].concat());
    // Copies from another interface bring the same.
    let twice: Vec<&[u8]> = one.iter().flat_map(|part| [&part[..], part]).collect();
    let found = segments(101, &twice);
    assert!(found.iter().all(|(segment, bytes)| {
        let at = (segment.seq - 0x0102_0304) as usize;
        payload[at..at + bytes.len()] == *bytes
    }));
    assert_eq!(found.iter().map(|(_, bytes)| bytes.len()).max(), Some(40));
}

#[test]
fn what_the_snap_length_cut_off_small_fragments_is_counted() {
    let payload: Vec<u8> = (0..60).collect();
    let parts = v4(&build(tcp_v4(), &payload), &[16]);
    let mut reader = Reader::new();
    assert_eq!(reader.read(&packet(101, &parts[0])), None);
    let cut = Packet {
        original_len: parts[1].len() as u32,
        ..packet(101, &parts[1][..34])
    };
    let first = reader.read(&cut).unwrap();
    assert_eq!((first.payload.len, first.missing), (0, 0));
    let rest = reader.released().unwrap();
    assert_eq!(
        (rest.seq, rest.payload.len, rest.missing),
        (0x0102_0304, 10, 50)
    );
    assert_eq!(reader.released(), None);
}

#[test]
fn thousands_of_small_fragments_are_harmless() {
    let whole = build(tcp_v4(), &[7; 1000]);
    let ends: Vec<usize> = (1..127).map(|n| n * 8).collect();
    let parts = v4(&whole, &ends);
    let backwards: Vec<&[u8]> = parts.iter().rev().map(|part| &part[..]).collect();
    let bytes: usize = segments(101, &backwards).iter().map(|it| it.1.len()).sum();
    assert_eq!(bytes, 1000);
    let mut reader = Reader::new();
    for _ in 0..20 {
        for part in &parts[1..] {
            assert_eq!(reader.read(&packet(101, part)), None);
        }
    }
}
