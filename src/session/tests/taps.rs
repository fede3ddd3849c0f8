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

#[test]
fn of_one_end_alone_what_can_be_read_is_and_the_rest_is_said() {
    for version in ["12", "13"] {
        let (pcap, keylog) = capture_and_keys(version);
        let (head, _) = packets(&pcap);
        let whole = decrypted(vec![pcap.clone()], &keylog);
        let [client, server] = taps(&pcap, server_port(&whole));
        let session = decrypted(vec![file(&head, &server)], &keylog);
        let index = session.index();
        assert!(index.len() > 100, "{version}");
        for exchange in index.exchanges() {
            assert_eq!(exchange.status, Status::RequestNotCaptured, "{exchange:?}");
        }
        let session = decrypted(vec![file(&head, &client)], &keylog);
        let index = session.index();
        for exchange in index.exchanges() {
            assert!(exchange.response.is_none() && exchange.status != Status::Unanswered);
        }
        let refusals = index.connections().iter().filter_map(|it| it.tls?.refusal);
        let refusals: BTreeSet<String> = refusals.map(|it| it.to_string()).collect();
        match version {
            "12" => assert!(index.is_empty() && refusals.len() == 1, "{refusals:?}"),
            _ => assert!(index.len() > 100 && refusals.is_empty(), "{refusals:?}"),
        }
    }
}

/// Whatever comes behind it on the connection, or nothing.
#[test]
fn a_response_whose_request_was_lost_is_not_unexpected() {
    for version in ["12", "13"] {
        let (pcap, keylog) = capture_and_keys(version);
        let (head, all) = packets(&pcap);
        let whole = decrypted(vec![pcap.clone()], &keylog);
        let server = server_port(&whole).to_be_bytes();
        let (mut n_lost, mut n_orphans) = (0, 0);
        for lost in 0..all.len() {
            // Bytes of the client; a header of TCP has 20 to 60 bytes.
            let packet = &all[lost];
            let is_data = packet[52..54] == server && packet.len() > 130;
            if !is_data {
                continue;
            }
            let rest = all.iter().enumerate().filter(|&(idx, _)| idx != lost);
            let rest = file(&head, rest.map(|(_, packet)| packet));
            let session = decrypted(vec![rest], &keylog);
            // What asks for no answer and has one is another matter.
            let is_unasked = |it: Exchange| it.status == Status::Unexpected && it.request.is_none();
            let unasked = session.index().exchanges().any(is_unasked);
            assert!(!unasked, "{version} {lost}");
            n_lost += 1;
            n_orphans += statuses(&session, Status::RequestNotCaptured);
        }
        assert!(n_orphans * 2 > n_lost, "{n_orphans} of {n_lost}");
    }
}
