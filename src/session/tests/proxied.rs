//! TLS behind the header that a proxy puts in front of it.

use super::encrypted::{capture_and_keys, decrypted, said};
use super::*;

/// Where things are in a packet of the samples: a record of 16 bytes, Ethernet, IPv4 without
/// options, TCP.
const IP: usize = 16 + 14;
const TCP: usize = IP + 20;

fn word(packet: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(packet[at..at + 4].try_into().unwrap())
}

fn add(packet: &mut [u8], at: usize, len: usize) {
    let sum = word(packet, at).wrapping_add(len as u32);
    packet[at..at + 4].copy_from_slice(&sum.to_be_bytes());
}

/// The same conversations, in each of which the client first sends `header`, in pieces of `step`.
fn proxied(pcap: &[u8], header: &[u8], step: usize) -> Vec<u8> {
    let (head, old) = packets(pcap);
    let mut new = Vec::new();
    let mut clients = std::collections::HashSet::new();
    for mut packet in old {
        let port = |at| u16::from_be_bytes([packet[at], packet[at + 1]]);
        let ports = (port(TCP), port(TCP + 2));
        let data = TCP + usize::from(packet[TCP + 12] >> 4) * 4;
        if packet[TCP + 13] & 0x12 == 2 {
            clients.insert(ports.0);
            new.push(packet);
            continue;
        }
        if clients.contains(&ports.1) {
            let is_greeting = packet[TCP + 13] & 2 > 0;
            add(
                &mut packet,
                TCP + 8,
                if is_greeting { 0 } else { header.len() },
            );
        } else {
            let is_first = packet.len() > data && clients.remove(&ports.0);
            for (nth, piece) in header.chunks(step).enumerate().filter(|_| is_first) {
                let mut front = packet[..data].to_vec();
                front.extend(piece);
                add(&mut front, TCP + 4, nth * step);
                let len = (front.len() - 16) as u32;
                front[8..12].copy_from_slice(&len.to_le_bytes());
                front[12..16].copy_from_slice(&len.to_le_bytes());
                front[IP + 2..IP + 4].copy_from_slice(&((len - 14) as u16).to_be_bytes());
                new.push(front);
            }
            if is_first {
                clients.insert(ports.0);
            }
            let is_behind = packet.len() > data || word(&packet, TCP + 4) > 0;
            add(
                &mut packet,
                TCP + 4,
                if is_behind { header.len() } else { 0 },
            );
        }
        new.push(packet);
    }
    file(&head, new)
}

#[test]
fn the_header_of_a_proxy_is_no_part_of_tls() {
    let v1 = b"PROXY TCP4 10.0.0.7 10.0.0.8 50000 9093\r\n".to_vec();
    let v2 = [
        &b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c"[..],
        &[10, 0, 0, 7, 10, 0, 0, 8, 0xc3, 0x50, 0x23, 0x85],
    ]
    .concat();
    for version in ["12", "13"] {
        let (pcap, keylog) = capture_and_keys(version);
        let expected = said(&decrypted(vec![pcap.clone()], &keylog));
        assert!(!expected.is_empty());
        for (header, step) in [(&v1, 1000), (&v2, 1000), (&v1, 7), (&v2, 13)] {
            let pcap = proxied(&pcap, header, step);
            let session = decrypted(vec![pcap], &keylog);
            assert!(said(&session) == expected, "{version} {step}");
            let index = session.index();
            for (connection, n) in index.connections().iter().zip(1..) {
                let client = index.proxied_client(n).map(|client| client.to_string());
                let is_told = client.as_deref() == Some("10.0.0.7:50000");
                assert!(is_told || connection.n_exchanges == 0, "{n}: {client:?}");
            }
        }
    }
}
