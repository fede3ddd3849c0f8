//! Kafka in TLS as two taps see it: by clocks that differ, one end alone, with packets of one end lost.

use super::encrypted::{capture_and_keys, decrypted, said};
use super::*;

/// The captures of a tap at each end, the client's first: in Ethernet and IPv4, by the port of the server.
fn taps(pcap: &[u8], server: u16) -> [Vec<Vec<u8>>; 2] {
    let (_, packets) = packets(pcap);
    let is_from = |packet: &Vec<u8>| packet[50..52] == server.to_be_bytes();
    let (from_server, from_client) = packets.into_iter().partition(is_from);
    [from_client, from_server]
}

fn server_port(session: &Session) -> u16 {
    let index = session.index();
    let connection = index.connections().first().copied().unwrap();
    connection.server.port
}

/// The packets with their clock put on by so many microseconds.
fn put_on(packets: &[Vec<u8>], micros: i64) -> Vec<Vec<u8>> {
    let word = |packet: &[u8], at: usize| {
        i64::from(u32::from_le_bytes(packet[at..at + 4].try_into().unwrap()))
    };
    let put_on = |packet: &Vec<u8>| {
        let time = word(packet, 0) * 1_000_000 + word(packet, 4) + micros;
        let mut packet = packet.clone();
        packet[..4].copy_from_slice(&((time / 1_000_000) as u32).to_le_bytes());
        packet[4..8].copy_from_slice(&((time % 1_000_000) as u32).to_le_bytes());
        packet
    };
    packets.iter().map(put_on).collect()
}

fn statuses(session: &Session, status: Status) -> usize {
    let index = session.index();
    let exchanges = index.exchanges();
    exchanges.filter(|it| it.status == status).count()
}

#[test]
fn a_clock_that_is_late_costs_no_message() {
    for version in ["12", "13"] {
        let (pcap, keylog) = capture_and_keys(version);
        let (head, _) = packets(&pcap);
        let whole = decrypted(vec![pcap.clone()], &keylog);
        let [client, server] = taps(&pcap, server_port(&whole));
        for micros in [5_000, 50_000] {
            let server = file(&head, put_on(&server, micros));
            let session = decrypted(vec![file(&head, &client), server], &keylog);
            assert!(said(&session) == said(&whole), "{version} {micros}");
            for status in Status::ALL {
                let (n, expected) = (statuses(&session, status), statuses(&whole, status));
                assert_eq!(n, expected, "{version} {micros} {status:?}");
            }
            let refused = |note: &Note| matches!(note.subject, Subject::NotDecrypted { .. });
            assert!(!session.index().notes().iter().any(refused), "{version}");
        }
    }
}
