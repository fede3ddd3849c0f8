//! Whole captures, as they are and damaged in every way that captures are.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::capture::Place;

mod encrypted;
mod in_packet;
mod merged;
mod ports;
mod proxied;
mod taps;
mod wrapped;

fn sample(name: &str) -> Vec<u8> {
    let path = format!(
        "{}/tests/data/captures/{name}.zst",
        env!("CARGO_MANIFEST_DIR")
    );
    zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap()
}

fn index(inputs: Vec<Vec<u8>>) -> Session {
    let session = Session::new(Capture::from_bytes(inputs).unwrap(), Options::default());
    session.run(&mut NoSummary);
    session
}

/// A message by what cannot be confused: port of the client, direction, correlation id, size.
type Key = (u16, Direction, i32, u32);

/// What a session found: each message with its bytes, and how often.
#[derive(Debug, Default)]
struct Heard {
    messages: BTreeMap<Key, Vec<Gathered>>,
    orphans: usize,
    exchanges: usize,
}

fn heard(session: &Session) -> Heard {
    let index = session.index();
    let times = || index.exchanges().map(|exchange| exchange.time());
    assert_eq!(index.times(), times().min().zip(times().max()));
    let mut heard = Heard::default();
    for exchange in index.exchanges() {
        heard.exchanges += 1;
        heard.orphans += usize::from(exchange.request.is_none());
        let connection = index.connection(exchange.connection).unwrap();
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = exchange.message(direction) else {
                continue;
            };
            let gathered = session.bytes(message);
            let missing: usize = gathered.missing.iter().map(|range| range.len()).sum();
            assert_eq!(message.size as usize, gathered.bytes.len(), "{exchange:?}");
            assert_eq!(
                missing,
                (message.size - message.captured) as usize,
                "{exchange:?}"
            );
            for origin in &gathered.origins {
                let place = Place::new(origin.file, origin.offset);
                let bytes = session.capture().bytes(place, origin.range.len());
                assert_eq!(bytes, &gathered.bytes[origin.range.clone()]);
            }
            assert_eq!(gathered.origins[0].packet, message.packet);
            let key = (
                connection.client.port,
                direction,
                exchange.correlation_id,
                message.size,
            );
            heard.messages.entry(key).or_default().push(gathered);
        }
    }
    heard
}

/// The records of a little-endian pcap file, headers included, behind the file header.
fn packets(file: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let (head, mut rest) = file.split_at(24);
    let mut packets = Vec::new();
    while rest.len() >= 16 {
        let len = 16 + u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        let (packet, behind) = rest.split_at(len);
        packets.push(packet.to_vec());
        rest = behind;
    }
    (head.to_vec(), packets)
}

fn file(head: &[u8], packets: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    packets.into_iter().fold(head.to_vec(), |mut file, packet| {
        file.extend_from_slice(packet.as_ref());
        file
    })
}

/// Numbers below a bound, the same for the same seed (xorshift).
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    }
}

/// Nothing was found that was not said, and no bytes differ from those that were.
fn assert_nothing_invented(heard: &Heard, said: &Heard) {
    for (key, copies) in &heard.messages {
        let original = said
            .messages
            .get(key)
            .unwrap_or_else(|| panic!("invented {key:?}"));
        assert!(
            copies.len() <= original.len(),
            "{key:?} more often than it was said"
        );
        for copy in copies {
            let same = original.iter().any(|original| {
                let mut masked = original.bytes.clone();
                for missing in &copy.missing {
                    masked[missing.clone()].fill(0);
                }
                masked == copy.bytes
            });
            assert!(same, "{key:?} has other bytes");
        }
    }
}

/// What share of the messages was found whole, of those whose packets are all among `kept`.
fn recall(heard: &Heard, said: &Heard, kept: &BTreeSet<u64>) -> (usize, usize) {
    let mut n_there = 0;
    let mut n_found = 0;
    for (key, originals) in &said.messages {
        let there = originals
            .iter()
            .filter(|original| {
                original
                    .origins
                    .iter()
                    .all(|origin| kept.contains(&origin.packet))
            })
            .count();
        let found = heard.messages.get(key).map_or(0, |copies| {
            copies.iter().filter(|copy| copy.missing.is_empty()).count()
        });
        n_there += there;
        n_found += found.min(there);
    }
    (n_found, n_there)
}

#[test]
fn a_clean_capture_is_found_to_the_last_message() {
    let session = index(vec![sample("full_same_as_snaplen.pcap")]);
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (132, 0));
    let index = session.index();
    assert_eq!(index.notes(), []);
    for exchange in index.exchanges() {
        assert!(exchange.latency().unwrap() >= 0, "{exchange:?}");
        let connection = index.connection(exchange.connection).unwrap();
        assert_eq!(
            (connection.server.port, connection.confidence),
            (19092, 100)
        );
        let client_id = exchange.client_id.map(|id| index.name(id).to_owned());
        assert!(client_id.is_none_or(|id| id.is_ascii()));
    }
}

#[test]
fn what_two_interfaces_saw_was_said_once() {
    let heard = heard(&index(vec![sample("pcapng_two_ifaces.pcapng")]));
    assert_eq!((heard.exchanges, heard.orphans), (132, 0));
}

#[test]
fn a_capture_in_random_order_is_read_by_time() {
    let heard = heard(&index(vec![sample("mangled_tansu_shuffled_times.pcap")]));
    assert_eq!((heard.exchanges, heard.orphans), (222, 0));
}

#[test]
fn whether_packets_are_sorted_depends_on_sizes_alone() {
    let shuffled = sample("mangled_tansu_shuffled_times.pcap");
    let is_told = |session: &Session| {
        let index = session.index();
        let mut subjects = index.notes().iter().map(|note| &note.subject);
        subjects.any(|subject| matches!(subject, Subject::Disorder(_)))
    };
    let small = index(vec![zstd::encode_all(&shuffled[..], 1).unwrap()]);
    assert!(!is_told(&small));
    let heard_small = heard(&small);
    assert_eq!((heard_small.exchanges, heard_small.orphans), (222, 0));
    // The same behind what no one waits for.
    let mut large = shuffled;
    let mut record = large[24..40].to_vec();
    record[8..12].copy_from_slice(&(14u32 << 20).to_le_bytes());
    record.resize(16 + (14 << 20), 0);
    for _ in 0..5 {
        large.extend_from_slice(&record);
    }
    let compressed = index(vec![zstd::encode_all(&large[..], 1).unwrap()]);
    assert!(is_told(&compressed));
    let plain = index(vec![large]);
    assert!(!is_told(&plain));
    assert_eq!(heard(&plain).exchanges, 222);
}

#[test]
fn packets_cut_by_the_snap_length_lose_bytes_and_no_messages() {
    let session = index(vec![sample("snaplen200_tansu.pcap")]);
    let cut = heard(&session);
    assert_eq!((cut.exchanges, cut.orphans), (132, 0));
    let whole = cut
        .messages
        .values()
        .flatten()
        .filter(|copy| copy.missing.is_empty());
    assert!(whole.count() > 100);
}

#[test]
fn a_capture_that_starts_in_the_middle() {
    let session = index(vec![sample("midstream_tansu.pcap")]);
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (128, 1));
    let index = session.index();
    let orphan = index
        .exchanges()
        .find(|exchange| exchange.request.is_none())
        .unwrap();
    assert_eq!((orphan.api, orphan.correlation_id), (None, 8));
    assert_eq!(orphan.response.unwrap().size, 719);
}

#[test]
fn old_brokers_end_connections_in_the_middle_of_responses() {
    let session = index(vec![sample("kafka0822_cluster.pcap")]);
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (280, 0));
    let cut: Vec<u32> = session
        .index()
        .exchanges()
        .filter_map(|exchange| exchange.response)
        .filter(|response| !response.is_whole())
        .map(|response| response.captured)
        .collect();
    assert_eq!(cut, [12; 4]);
    let unanswered = session
        .index()
        .exchanges()
        .filter(|exchange| !exchange.answered)
        .count();
    assert_eq!(unanswered, 22);
}

#[test]
fn what_is_not_kafka_is_named() {
    let session = index(vec![sample("rst_abort_tansu.pcap")]);
    let index = session.index();
    let named: Vec<(Protocol, i32)> = index
        .connections()
        .iter()
        .filter_map(|connection| Some((connection.protocol?, connection.first?.size)))
        .collect();
    assert_eq!(
        named,
        [
            (Protocol::Unknown, 0x7993_6700),
            (Protocol::Http, 1_195_725_856),
            (Protocol::Tls, 0x1603_0100),
            (Protocol::Unknown, -5),
            (Protocol::Unknown, i32::MAX),
        ]
    );
    let apis: Vec<(i16, i16)> = index
        .exchanges()
        .filter_map(|exchange| exchange.api)
        .collect();
    assert!(apis.contains(&(999, 0)) && apis.contains(&(3, 99)));
    assert_eq!(index.len(), 16);
    let last = index
        .exchanges()
        .find(|exchange| exchange.api == Some((3, 1)))
        .unwrap();
    let request = last.request.unwrap();
    assert_eq!((request.size, request.captured), (104, 17));
}

#[test]
fn only_the_ports_that_were_asked_for() {
    let capture = Capture::from_bytes(vec![sample("kafka0822_cluster.pcap")]).unwrap();
    let session = Session::new(
        capture,
        Options {
            ports: vec![19591],
            ..Options::default()
        },
    );
    session.run(&mut NoSummary);
    let index = session.index();
    assert!(!index.is_empty() && index.len() < 280);
    assert!(
        index
            .connections()
            .iter()
            .all(|connection| connection.server.port == 19591)
    );
}

#[test]
fn duplicates_and_reordering_change_nothing() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let said = heard(&index(vec![file(&head, &packets)]));
    for seed in 0..6 {
        let mut random = random(seed);
        let mut mangled = Vec::new();
        for packet in &packets {
            mangled.push(packet.clone());
            if random(10) == 0 {
                mangled.push(packet.clone());
            }
        }
        let reach = 1 << seed;
        for idx in 0..mangled.len() {
            let other = (idx + random(reach + 1)).min(mangled.len() - 1);
            mangled.swap(idx, other);
        }
        let heard = heard(&index(vec![file(&head, &mangled)]));
        assert_nothing_invented(&heard, &said);
        assert_eq!((heard.exchanges, heard.orphans), (132, 0), "reach {reach}");
    }
}

#[test]
fn lost_packets_take_only_their_own_messages() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let said = heard(&index(vec![file(&head, &packets)]));
    let (mut n_found, mut n_there) = (0, 0);
    for seed in 0..40 {
        let mut random = random(seed);
        let one_in = [50, 20, 10, 5][seed as usize % 4];
        let mut kept = BTreeSet::new();
        let mut thinned = Vec::new();
        for (idx, packet) in packets.iter().enumerate() {
            if random(one_in) != 0 {
                kept.insert(idx as u64 + 1);
                thinned.push(packet);
            }
        }
        let heard = heard(&index(vec![file(&head, thinned)]));
        assert_nothing_invented(&heard, &said);
        let (found, there) = recall(&heard, &said, &kept);
        n_found += found;
        n_there += there;
    }
    assert!(n_found * 1000 >= n_there * 990, "{n_found} of {n_there}");
}

#[test]
fn any_packet_may_be_the_first_or_the_last() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let said = heard(&index(vec![file(&head, &packets)]));
    let (mut n_found, mut n_there) = (0, 0);
    for cut in (0..packets.len()).step_by(7) {
        for kept in [0..cut, cut..packets.len()] {
            let heard = heard(&index(vec![file(&head, &packets[kept.clone()])]));
            assert_nothing_invented(&heard, &said);
            let kept = kept.map(|idx| idx as u64 + 1).collect();
            let (found, there) = recall(&heard, &said, &kept);
            n_found += found;
            n_there += there;
        }
    }
    assert!(n_found * 1000 >= n_there * 990, "{n_found} of {n_there}");
}

#[test]
fn one_direction_is_enough() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let said = heard(&index(vec![file(&head, &packets)]));
    for server_port in [19092u16.to_be_bytes()] {
        for at in [34, 36] {
            let side = packets
                .iter()
                .filter(|packet| packet[16 + at..][..2] == server_port);
            let heard = heard(&index(vec![file(&head, side)]));
            assert_nothing_invented(&heard, &said);
            assert_eq!(heard.exchanges, 132);
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_there() {
    let whole = sample("rst_abort_tansu.pcap");
    let said = heard(&index(vec![whole.clone()]));
    let mut before = 0;
    for len in (24..whole.len()).step_by(13) {
        let heard = heard(&index(vec![whole[..len].to_vec()]));
        for key in heard.messages.keys() {
            assert!(said.messages.contains_key(key), "invented {key:?}");
        }
        assert!(heard.exchanges >= before.min(1));
        before = heard.exchanges;
    }
}

#[test]
fn damaged_bytes_do_no_harm() {
    let whole = sample("rst_abort_tansu.pcap");
    for seed in 0..60 {
        let mut random = random(seed);
        let mut damaged = whole.clone();
        for _ in 0..1 + random(200) {
            let at = 24 + random(damaged.len() - 24);
            damaged[at] = random(256) as u8;
        }
        let session = index(vec![damaged]);
        let index = session.index();
        for exchange in index.exchanges() {
            for message in [exchange.request, exchange.response].into_iter().flatten() {
                session.bytes(&message);
            }
        }
    }
}

#[test]
fn others_look_at_the_index_while_it_grows() {
    let session = Session::new(
        Capture::from_bytes(vec![sample("midstream_tansu.pcap")]).unwrap(),
        Options::default(),
    );
    thread::scope(|scope| {
        scope.spawn(|| session.run(&mut NoSummary));
        while !session.progress().finished {
            let index = session.index();
            let last = index.exchange(index.len());
            assert_eq!(last.is_none(), index.is_empty());
        }
    });
    let progress = session.progress();
    assert_eq!(progress.done, progress.total);
    assert_eq!(session.index().len(), 128);
}
