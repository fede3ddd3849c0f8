//! Packets of every link type, built by etherparse.

use etherparse::{PacketBuilder, PacketBuilderStep, TcpHeader};

use super::*;
use crate::capture::LinkType;

mod fragments;
mod links;

use fragments::fragments;

type Tcp = PacketBuilderStep<TcpHeader>;

fn packet(link: u16, bytes: &[u8]) -> Packet<'_> {
    Packet {
        number: 7,
        number_in_file: 7,
        time: 1,
        link: LinkType(link),
        bytes,
        original_len: bytes.len() as u32,
        record: Place::new(0, 1000),
        header: Place::new(0, 1000),
        place: Place::new(0, 1016),
    }
}

fn build(step: Tcp, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    step.write(&mut bytes, payload).unwrap();
    bytes
}

fn tcp_v4() -> Tcp {
    PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .tcp(50000, 9092, 0x0102_0304, 512)
        .ack(99)
}

fn ethernet(ether_type: &[u8], inner: &[u8]) -> Vec<u8> {
    [&[0x02; 12][..], ether_type, inner].concat()
}

fn read(link: u16, bytes: &[u8]) -> Option<Segment> {
    Reader::new().read(&packet(link, bytes))
}

/// The payload must lie where it lies and nothing else may be taken for it.
fn assert_payload(link: u16, bytes: &[u8], payload: &[u8]) {
    let segment = read(link, bytes).unwrap_or_else(|| panic!("link type {link}: no segment"));
    let at = (segment.payload.place.offset() - 1016) as usize;
    let len = segment.payload.len as usize;
    assert_eq!(&bytes[at..at + len], payload, "link type {link}");
    assert_eq!(segment.seq, 0x0102_0304);
    assert_eq!(segment.ack, 99);
    assert_eq!(segment.missing, 0);
    assert_eq!(segment.destination.port, 9092);
}

#[test]
fn every_link_type_leads_to_the_payload() {
    let ip = build(tcp_v4(), b"kafka");
    for raw in [12, 14, 101, 228] {
        assert_payload(raw, &ip, b"kafka");
    }
    assert_payload(1, &ethernet(&[0x08, 0x00], &ip), b"kafka");
    let vlan = [&[0x00, 0x05, 0x08, 0x00][..], &ip].concat();
    assert_payload(1, &ethernet(&[0x81, 0x00], &vlan), b"kafka");
    let qinq = [&[0x00, 0x06, 0x81, 0x00][..], &vlan].concat();
    assert_payload(1, &ethernet(&[0x88, 0xa8], &qinq), b"kafka");
    let mpls = [&[0, 1, 0, 64, 0, 2, 1, 64][..], &ip].concat();
    assert_payload(1, &ethernet(&[0x88, 0x47], &mpls), b"kafka");
    let pppoe = [&[0x11, 0, 0, 1, 0, 50, 0x00, 0x21][..], &ip].concat();
    assert_payload(1, &ethernet(&[0x88, 0x64], &pppoe), b"kafka");
    assert_payload(113, &[&[0; 14][..], &[0x08, 0x00], &ip].concat(), b"kafka");
    assert_payload(276, &[&[0x08, 0x00][..], &[0; 18], &ip].concat(), b"kafka");
    for family in [[2, 0, 0, 0], [0, 0, 0, 2]] {
        assert_payload(0, &[&family[..], &ip].concat(), b"kafka");
        assert_payload(108, &[&family[..], &ip].concat(), b"kafka");
    }
    assert_payload(9, &[&[0xff, 0x03, 0x00, 0x21][..], &ip].concat(), b"kafka");
}

#[test]
fn a_link_type_that_is_not_known_is_told_once() {
    let mut reader = Reader::new();
    for link in [147, 1, 147, 105, 105] {
        assert_eq!(reader.read(&packet(link, &[0; 60])), None);
    }
    let told: Vec<u16> = reader
        .take_unread()
        .iter()
        .map(|unread| unread.link.0)
        .collect();
    assert_eq!(told, [147, 105]);
    assert!(reader.take_unread().is_empty());
}

#[test]
fn tunnels_are_looked_through() {
    let ip = build(tcp_v4(), b"kafka");
    let outer = || PacketBuilder::ipv4([1, 1, 1, 1], [2, 2, 2, 2], 64);
    let mut gre = Vec::new();
    outer()
        .write(
            &mut gre,
            etherparse::ip_number::GRE,
            &[&[0x20, 0, 0x08, 0, 0, 0, 0, 1][..], &ip].concat(),
        )
        .unwrap();
    assert_payload(101, &gre, b"kafka");
    let mut ipip = Vec::new();
    outer()
        .write(&mut ipip, etherparse::ip_number::IPV4, &ip)
        .unwrap();
    assert_payload(101, &ipip, b"kafka");
    let frame = ethernet(&[0x08, 0x00], &ip);
    let mut vxlan = Vec::new();
    outer()
        .udp(5555, 4789)
        .write(
            &mut vxlan,
            &[&[0x08, 0, 0, 0, 0, 0, 7, 0][..], &frame].concat(),
        )
        .unwrap();
    assert_payload(101, &vxlan, b"kafka");
    let mut geneve = Vec::new();
    outer()
        .udp(5555, 6081)
        .write(
            &mut geneve,
            &[&[0x01, 0, 0x65, 0x58, 0, 0, 7, 0, 1, 2, 3, 4][..], &frame].concat(),
        )
        .unwrap();
    assert_payload(101, &geneve, b"kafka");
}

fn tcp_v6() -> Tcp {
    PacketBuilder::ipv6([1; 16], [2; 16], 64)
        .tcp(50000, 9092, 0x0102_0304, 512)
        .ack(99)
}

/// An IPv6 packet with these headers between IPv6 and TCP, each with its number.
fn extended(plain: &[u8], headers: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = plain.to_vec();
    let mut next = 6;
    for (number, header) in headers.iter().rev() {
        bytes.splice(40..40, header.iter().copied());
        bytes[40] = next;
        bytes[5] += header.len() as u8;
        next = *number;
    }
    bytes[6] = next;
    bytes
}

#[test]
fn ipv6_with_extension_headers() {
    let plain = build(tcp_v6(), b"kafka");
    assert_payload(229, &plain, b"kafka");
    let short = vec![0, 0, 1, 4, 0, 0, 0, 0];
    let long = [&[0, 2][..], &[0xee; 22]].concat();
    // Hop by hop, routing, destination, mobility, host identity, Shim6, and two for experiments.
    for number in [0, 43, 60, 135, 139, 140, 253, 254] {
        for header in [&short, &long] {
            let bytes = extended(&plain, &[(number, header.clone())]);
            assert_payload(229, &bytes, b"kafka");
            assert_eq!(read(229, &bytes[..46]), None);
            let several = [
                (0, short.clone()),
                (if number == 0 { 60 } else { number }, long.clone()),
                (140, header.clone()),
            ];
            assert_payload(229, &extended(&plain, &several), b"kafka");
        }
    }
    // An authentication header counts other words; a fragment that is all of the packet.
    let authenticated = (51, [&[0, 4][..], &[0; 22]].concat());
    let atomic = (44, vec![0, 0, 0, 0, 0, 0, 0, 9]);
    for headers in [
        vec![authenticated.clone()],
        vec![atomic.clone(), (135, short.clone())],
        vec![(139, long.clone()), atomic, authenticated],
    ] {
        assert_payload(229, &extended(&plain, &headers), b"kafka");
    }
    // One that is longer than the packet, and one behind which there is no TCP.
    assert_eq!(
        read(
            229,
            &extended(&plain, &[(135, vec![0, 40, 0, 0, 0, 0, 0, 0])])
        ),
        None
    );
    let mut alone = extended(&plain, &[(135, short)]);
    alone[40] = 59;
    assert_eq!(read(229, &alone), None);
}

#[test]
fn padding_is_no_payload_and_a_cut_is_counted() {
    let ip = build(tcp_v4(), b"kafka");
    let mut padded = ethernet(&[0x08, 0x00], &ip);
    padded.resize(100, 0);
    assert_payload(1, &padded, b"kafka");
    let whole = ethernet(&[0x08, 0x00], &ip);
    let cut = packet(1, &whole[..whole.len() - 3]);
    let segment = Reader::new()
        .read(&Packet {
            original_len: whole.len() as u32,
            ..cut
        })
        .unwrap();
    assert_eq!((segment.payload.len, segment.missing), (2, 3));
}

#[test]
fn a_length_of_zero_means_the_rest_of_the_frame() {
    let mut ip = build(tcp_v4(), b"kafka");
    ip[2..4].fill(0);
    let bytes = ethernet(&[0x08, 0x00], &ip);
    assert_payload(1, &bytes, b"kafka");
    let segment = Reader::new()
        .read(&Packet {
            original_len: bytes.len() as u32 + 1000,
            ..packet(1, &bytes)
        })
        .unwrap();
    assert_eq!((segment.payload.len, segment.missing), (5, 1000));
}

#[test]
fn every_prefix_and_every_flipped_byte_is_harmless() {
    let ip = build(tcp_v4(), b"kafka");
    let samples = [
        (
            1,
            ethernet(&[0x81, 0x00], &[&[0, 5, 0x08, 0][..], &ip].concat()),
        ),
        (113, [&[0; 14][..], &[0x08, 0x00], &ip].concat()),
        (101, fragments()[1].clone()),
        (101, ip),
    ];
    for (link, bytes) in samples {
        for len in 0..bytes.len() {
            read(link, &bytes[..len]);
        }
        for at in 0..bytes.len() {
            for value in [0x00, 0xff, 0x45, 0x60] {
                let mut changed = bytes.clone();
                changed[at] = value;
                if let Some(segment) = read(link, &changed) {
                    let end =
                        segment.payload.place.offset() - 1016 + u64::from(segment.payload.len);
                    assert!(end <= changed.len() as u64);
                }
            }
        }
    }
}

#[test]
fn the_short_way_finds_what_the_long_one_does() {
    let ports = |step: PacketBuilderStep<etherparse::IpHeaders>| step.tcp(50000, 9092, 1, 512);
    let v4 = || ports(PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64));
    let v6 = || ports(PacketBuilder::ipv6([1; 16], [2; 16], 64));
    let options = [0x01; 8];
    let mut packets = vec![build(v4(), b"kafka"), build(v6(), b"kafka")];
    for step in [v4(), v6()] {
        packets.push(build(step.options_raw(&options).unwrap(), b"kafka"));
    }
    let (mut n_short, mut n_all) = (0, 0);
    let mut compare = |bytes: &[u8], original_len: usize| {
        let packet = Packet {
            original_len: original_len as u32,
            ..packet(101, bytes)
        };
        let frame = Frame {
            packet: &packet,
            at: 0,
            tunnels: 0,
        };
        let short = usual::read(frame);
        n_all += 1;
        if short.is_some() {
            n_short += 1;
            assert_eq!(
                short,
                ip::read_any(&mut Reader::new(), frame),
                "{bytes:02x?}"
            );
        }
    };
    for packet in packets {
        let padded = [&packet[..], &[0; 6]].concat();
        for (bytes, at) in [&packet, &padded]
            .map(|b| (0..b.len()).map(move |at| (b, at)))
            .into_iter()
            .flatten()
        {
            compare(&bytes[..at], bytes.len());
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                compare(&bytes, bytes.len());
            }
        }
    }
    assert!(
        n_short * 2 > n_all && n_short < n_all,
        "{n_short} of {n_all}"
    );
}

#[test]
fn a_usual_segment_is_found_behind_each_link_layer_that_is_usual() {
    let v4 = build(tcp_v4(), b"kafka");
    let v6 = PacketBuilder::ipv6([1; 16], [2; 16], 64).tcp(50000, 9092, 1, 512);
    let v6 = build(v6, b"kafka");
    for (ip, ether_type) in [(v4, [0x08, 0x00]), (v6, [0x86, 0xdd])] {
        let sll = [&[0; 14][..], &ether_type, &ip].concat();
        let sll2 = [&ether_type[..], &[0; 18], &ip].concat();
        for (link, bytes) in [(1, ethernet(&ether_type, &ip)), (113, sll), (276, sll2)] {
            let segment = usual_segment(&packet(link, &bytes));
            assert!(segment.is_some(), "link type {link}");
            assert_eq!(segment, read(link, &bytes), "link type {link}");
            assert_eq!(usual_segment(&packet(link, &bytes[..12])), None);
        }
        let tagged = ethernet(&[0x81, 0x00, 0x00, 0x07], &[&ether_type[..], &ip].concat());
        assert_eq!(usual_segment(&packet(1, &tagged)), None);
        assert_eq!(usual_segment(&packet(101, &ip)), None);
    }
}
