//! Captures that are not whole: what can be recovered is, and nothing is invented. The traffic is
//! made here, so that every message's place in its stream is known.

use std::collections::{BTreeMap, BTreeSet};

use kafscope::session::{Capture, Direction, Exchange, NoSummary, Options, Session, Status};

const SYN: u8 = 2;
const FIN: u8 = 1;
const ACK: u8 = 16;

/// A message as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sent {
    direction: Direction,
    at: usize,
    len: usize,
    correlation_id: i32,
}

/// A packet of the one pair of ends that talks here.
#[derive(Clone, Debug)]
struct Packet {
    from_client: bool,
    flags: u8,
    seq: u32,
    ack: u32,
    /// Offset of the payload in its stream.
    at: usize,
    payload: Vec<u8>,
}

/// A connection that is written down as it talks.
#[derive(Clone, Debug)]
struct Talk {
    packets: Vec<Packet>,
    messages: Vec<Sent>,
    first: [u32; 2],
    sent: [usize; 2],
    client_id: Option<&'static str>,
}

impl Talk {
    fn new(client_id: Option<&'static str>, first: [u32; 2]) -> Talk {
        Talk {
            packets: Vec::new(),
            messages: Vec::new(),
            first,
            sent: [0, 0],
            client_id,
        }
    }

    fn opened(client_id: Option<&'static str>, first: [u32; 2]) -> Talk {
        let mut talk = Talk::new(client_id, first);
        talk.packet(true, SYN, &[]);
        talk.packet(false, SYN | ACK, &[]);
        talk
    }

    fn packet(&mut self, from_client: bool, flags: u8, payload: &[u8]) {
        let (own, other) = if from_client { (0, 1) } else { (1, 0) };
        let back = u32::from(flags & SYN > 0);
        let number = |side: usize| self.first[side].wrapping_add(self.sent[side] as u32);
        self.packets.push(Packet {
            from_client,
            flags,
            seq: number(own).wrapping_sub(back),
            ack: if flags & ACK > 0 { number(other) } else { 0 },
            at: self.sent[own],
            payload: payload.to_vec(),
        });
        self.sent[own] += payload.len();
    }

    /// Messages in one write, cut into segments of `mss`.
    fn write(&mut self, from_client: bool, frames: &[Vec<u8>], mss: usize) {
        let mut at = self.sent[usize::from(!from_client)];
        for frame in frames {
            let id = if from_client { 8 } else { 4 };
            self.messages.push(Sent {
                direction: if from_client {
                    Direction::Request
                } else {
                    Direction::Response
                },
                at,
                len: frame.len(),
                correlation_id: i32::from_be_bytes(frame[id..id + 4].try_into().unwrap()),
            });
            at += frame.len();
        }
        for segment in frames.concat().chunks(mss) {
            self.packet(from_client, ACK, segment);
        }
    }

    fn ask(&mut self, frames: &[Vec<u8>]) {
        self.write(true, frames, 1400);
    }

    fn answer(&mut self, frames: &[Vec<u8>]) {
        self.write(false, frames, 1400);
    }

    fn request(&self, api_key: i16, version: i16, correlation_id: i32, body: &[u8]) -> Vec<u8> {
        let id = match self.client_id {
            Some(id) => [&(id.len() as i16).to_be_bytes(), id.as_bytes()].concat(),
            None => vec![0xff, 0xff],
        };
        frame(&[
            &api_key.to_be_bytes(),
            &version.to_be_bytes(),
            &correlation_id.to_be_bytes(),
            &id,
            body,
        ])
    }

    /// Heartbeat 0.
    fn heartbeat(&self, correlation_id: i32) -> Vec<u8> {
        self.request(12, 0, correlation_id, b"\0\x05group\0\0\0\x03\0\x06member")
    }

    /// Metadata 0 for one topic.
    fn metadata(&self, correlation_id: i32) -> Vec<u8> {
        self.request(3, 0, correlation_id, b"\0\0\0\x01\0\x06orders")
    }

    /// Produce 3 without records.
    fn produce(&self, correlation_id: i32, acks: i16) -> Vec<u8> {
        let body = [
            b"\xff\xff",
            &acks.to_be_bytes()[..],
            b"\0\0\x75\x30\0\0\0\0",
        ];
        self.request(0, 3, correlation_id, &body.concat())
    }

    /// Fetch 0, and the answer with so many bytes that nobody can read.
    fn fetch(&self, correlation_id: i32) -> Vec<u8> {
        let body = b"\xff\xff\xff\xff\0\0\x01\0\0\0\0\x01\0\0\0\0";
        self.request(1, 0, correlation_id, body)
    }
}

fn frame(parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&(content.len() as u32).to_be_bytes()[..], &content].concat()
}

fn heartbeat(correlation_id: i32) -> Vec<u8> {
    frame(&[&correlation_id.to_be_bytes(), b"\0\0"])
}

fn metadata(correlation_id: i32) -> Vec<u8> {
    let broker = b"\0\0\0\x01\0\0\0\x01\0\x07broker1\0\0\x23\x84";
    let topic = b"\0\0\0\x01\0\0\0\x06orders\0\0\0\0";
    frame(&[&correlation_id.to_be_bytes(), broker, topic])
}

fn produce(correlation_id: i32) -> Vec<u8> {
    frame(&[&correlation_id.to_be_bytes(), b"\0\0\0\0\0\0\0\0"])
}

fn fetch(correlation_id: i32, n_bytes: usize) -> Vec<u8> {
    let noise: Vec<u8> = (0..n_bytes as u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80)
        .collect();
    frame(&[
        &correlation_id.to_be_bytes(),
        b"\0\0\0\x01\0\x06orders\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        &(n_bytes as u32).to_be_bytes(),
        &noise,
    ])
}

/// The packets as a capture, cut to `snap` bytes each.
fn capture<'a>(packets: impl IntoIterator<Item = &'a Packet>, snap: usize) -> Vec<u8> {
    let mut file = b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x65\0\0\0".to_vec();
    for (n, packet) in packets.into_iter().enumerate() {
        let (client, server) = ([10, 0, 0, 2], [10, 0, 0, 1]);
        let (source, destination, ports) = match packet.from_client {
            true => (client, server, [40_000_u16, 9092]),
            false => (server, client, [9092, 40_000]),
        };
        let len = 40 + packet.payload.len();
        let mut ip = vec![0x45, 0];
        ip.extend((len as u16).to_be_bytes());
        ip.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
        ip.extend(source);
        ip.extend(destination);
        ip.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        ip.extend(packet.seq.to_be_bytes());
        ip.extend(packet.ack.to_be_bytes());
        ip.extend([0x50, packet.flags, 0xff, 0xff, 0, 0, 0, 0]);
        ip.extend(&packet.payload);
        let kept = ip.len().min(snap);
        let (seconds, micros) = (1_700_000_000 + n as u32 / 1000, n as u32 % 1000 * 1000);
        for word in [seconds, micros, kept as u32, len as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&ip[..kept]);
    }
    file
}

fn session(file: Vec<u8>) -> Session {
    let session = Session::new(Capture::from_bytes(vec![file]).unwrap(), Options::default());
    session.run(&mut NoSummary);
    session
}

fn exchanges(file: Vec<u8>) -> Vec<Exchange> {
    session(file).index().exchanges().collect()
}

/// What was found of the messages that `talk` sent, when only `kept` was captured. Anything else
/// that was found is a failure, and so is a response given to another request.
fn found(talk: &Talk, kept: &[&Packet], snap: usize) -> BTreeSet<Sent> {
    let exchanges = exchanges(capture(kept.iter().copied(), snap));
    let mut found = BTreeSet::new();
    for exchange in &exchanges {
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = exchange.message(direction) else {
                continue;
            };
            let packet = kept[message.packet as usize - 1];
            let span = packet.at..packet.at + packet.payload.len();
            let sent = talk.messages.iter().find(|sent| {
                sent.direction == direction
                    && packet.from_client == (direction == Direction::Request)
                    && sent.correlation_id == exchange.correlation_id
                    && sent.len == message.size as usize
                    && sent.at < span.end
                    && sent.at + sent.len > span.start
            });
            let sent = sent.unwrap_or_else(|| panic!("invented: {exchange:?}"));
            assert!(found.insert(*sent), "twice: {exchange:?}");
        }
    }
    found
}

/// The messages of which all bytes are among `kept`.
fn whole(talk: &Talk, kept: &[&Packet]) -> BTreeSet<Sent> {
    let mut held: BTreeMap<bool, BTreeSet<usize>> = BTreeMap::new();
    for packet in kept {
        let bytes = packet.at..packet.at + packet.payload.len();
        held.entry(packet.from_client).or_default().extend(bytes);
    }
    let is_whole = |sent: &&Sent| {
        let bytes = held.get(&(sent.direction == Direction::Request));
        bytes.is_some_and(|bytes| (sent.at..sent.at + sent.len).all(|at| bytes.contains(&at)))
    };
    talk.messages.iter().filter(is_whole).copied().collect()
}

/// Requests in writes of up to five, some in one segment, answered in writes of up to three.
fn pipelined() -> Talk {
    let mut talk = Talk::opened(Some("a-client"), [u32::MAX - 300, 77]);
    let mut answers = Vec::new();
    for round in 0..6 {
        let mut asked = Vec::new();
        for n in 0..=round % 5 {
            let id = round * 10 + n;
            let (request, response) = match id % 3 {
                0 => (talk.heartbeat(id), heartbeat(id)),
                1 => (talk.metadata(id), metadata(id)),
                _ => (talk.fetch(id), fetch(id, 100 * (round as usize + 1))),
            };
            asked.push(request);
            answers.push(response);
        }
        talk.write(true, &asked, 90);
        let rest = answers.split_off(answers.len().min(3));
        talk.write(false, &answers, 120);
        answers = rest;
    }
    talk.write(false, &answers, 120);
    talk
}

#[test]
fn whatever_packet_is_lost_all_whole_messages_are_found() {
    let talk = pipelined();
    let all: Vec<&Packet> = talk.packets.iter().collect();
    assert_eq!(found(&talk, &all, 65535).len(), talk.messages.len());
    let (mut n_found, mut n_whole) = (0, 0);
    for lost in 0..all.len() {
        let mut kept = all.clone();
        kept.remove(lost);
        let found = found(&talk, &kept, 65535);
        let whole = whole(&talk, &kept);
        let missed: Vec<_> = whole.difference(&found).collect();
        assert_eq!(missed, [] as [&Sent; 0], "without packet {}", lost + 1);
        n_found += found.len();
        n_whole += whole.len();
    }
    // Those that lost their middle are found as well.
    assert!(n_found > n_whole);
}

#[test]
fn wherever_a_capture_starts_the_requests_are_found() {
    let talk = pipelined();
    for from in 0..talk.packets.len() - 8 {
        let kept: Vec<&Packet> = talk.packets[from..].iter().collect();
        let found = found(&talk, &kept, 65535);
        let missed = whole(&talk, &kept)
            .difference(&found)
            .filter(|sent| sent.direction == Direction::Request)
            .count();
        assert_eq!(missed, 0, "from packet {}", from + 1);
    }
}

#[test]
fn packets_cut_to_the_header_lead_from_one_segment_to_the_next() {
    // 14 bytes of payload: the size, API, version and correlation id of the first message.
    let talk = pipelined();
    let all: Vec<&Packet> = talk.packets.iter().collect();
    let found = found(&talk, &all, 54);
    let leads = |sent: &&Sent| {
        let starts = |packet: &Packet| {
            packet.from_client == (sent.direction == Direction::Request)
                && packet.at == sent.at
                && !packet.payload.is_empty()
        };
        talk.packets.iter().any(starts)
    };
    let n_requests = talk.messages.iter().filter(leads);
    let missed: Vec<_> = n_requests
        .filter(|sent| sent.direction == Direction::Request && !found.contains(sent))
        .collect();
    assert_eq!(missed, [] as [&Sent; 0]);
}

#[test]
fn a_connection_may_take_the_ports_of_another_one_without_a_word() {
    let mut first = Talk::new(Some("first"), [1000, 2000]);
    let mut second = Talk::new(Some("second"), [3_000_000_000, 1_500_000_000]);
    for id in 0..4 {
        for talk in [&mut first, &mut second] {
            let (asked, answered) = (talk.metadata(id), metadata(id));
            talk.ask(&[asked]);
            talk.answer(&[answered]);
        }
    }
    let session = session(capture(first.packets.iter().chain(&second.packets), 65535));
    let index = session.index();
    assert_eq!(index.connections().len(), 2);
    let answered: Vec<u32> = index
        .exchanges()
        .filter(|exchange| exchange.status == Status::Answered)
        .map(|exchange| exchange.connection)
        .collect();
    assert_eq!(answered, [1, 1, 1, 1, 2, 2, 2, 2]);
    // One packet with other numbers is somebody's mistake, and ends nothing.
    let mut stray = second.packets[0].clone();
    stray.payload.truncate(20);
    let mut packets: Vec<&Packet> = first.packets.iter().collect();
    packets.insert(3, &stray);
    let exchanges = exchanges(capture(packets, 65535));
    assert_eq!(exchanges.len(), 4);
    assert!(exchanges.iter().all(|it| it.connection == 1));
}

#[test]
fn a_client_without_a_name_is_known_by_the_answers() {
    for ids in [[7, 7, 7], [-5, 1_234_567_890, 3]] {
        let mut talk = Talk::new(None, [1, 1]);
        for id in ids {
            let (asked, answered) = (talk.metadata(id), metadata(id));
            talk.ask(&[asked]);
            talk.answer(&[answered]);
        }
        let all: Vec<&Packet> = talk.packets.iter().collect();
        assert_eq!(found(&talk, &all, 65535).len(), 6, "{ids:?}");
    }
}

#[test]
fn equal_correlation_ids_are_told_apart_or_left_alone() {
    let mut talk = Talk::opened(Some("one-id"), [1, 1]);
    // A produce without acks between them waits for nothing.
    let asked = [talk.produce(0, 0), talk.heartbeat(0), talk.metadata(0)];
    talk.ask(&asked);
    let asked = [talk.metadata(0), talk.metadata(0), talk.metadata(0)];
    talk.ask(&asked);
    let asked = talk.heartbeat(0);
    talk.ask(&[asked]);
    let answers = [heartbeat(0), metadata(0)];
    talk.answer(&answers);
    for answer in [metadata(0), metadata(0), metadata(0), heartbeat(0)] {
        talk.answer(&[answer]);
    }
    let statuses = |packets: Vec<&Packet>| -> Vec<Status> {
        let exchanges = exchanges(capture(packets, 65535));
        exchanges.iter().map(|exchange| exchange.status).collect()
    };
    let all: Vec<&Packet> = talk.packets.iter().collect();
    let (free, answered) = (Status::NoResponseExpected, Status::Answered);
    let mut expected = [vec![free], vec![answered; 6]].concat();
    assert_eq!(statuses(all.clone()), expected);
    // Without the answer to the first of three requests, the next may be to either of the others,
    // and the one behind it only to the last.
    let mut thinned = all.clone();
    thinned.remove(all.len() - 4);
    expected[3..5].fill(Status::ResponseNotCaptured);
    expected.push(Status::RequestNotCaptured);
    assert_eq!(statuses(thinned), expected);
}

#[test]
fn every_exchange_has_the_status_that_the_capture_shows() {
    let mut talk = Talk::opened(Some("a-client"), [1, 1]);
    let asked: Vec<Vec<u8>> = (0..6).map(|id| talk.metadata(id)).collect();
    talk.ask(&asked);
    talk.answer(&[metadata(0)]);
    // The third before the second, the first once more, one that nobody asked for.
    talk.answer(&[metadata(2), metadata(1)]);
    talk.answer(&[metadata(0)]);
    talk.answer(&[metadata(40)]);
    talk.answer(&[metadata(3)]);
    let asked = [talk.produce(6, 0), talk.produce(7, 0), talk.metadata(8)];
    talk.ask(&asked);
    talk.answer(&[produce(7), metadata(8)]);
    talk.packet(false, FIN | ACK, &[]);
    let of = |packets: &[&Packet]| -> BTreeMap<(i32, bool), &str> {
        let exchanges = exchanges(capture(packets.iter().copied(), 65535));
        let named = exchanges.iter().map(|exchange| {
            let key = (exchange.correlation_id, exchange.request.is_some());
            (key, exchange.status.name())
        });
        named.collect()
    };
    let all: Vec<&Packet> = talk.packets.iter().collect();
    let expected = [
        ((0, false), "duplicate"),
        ((0, true), "answered"),
        ((1, true), "late"),
        ((2, true), "answered"),
        ((3, true), "answered"),
        ((4, true), "unanswered"),
        ((5, true), "unanswered"),
        ((6, true), "no-response-expected"),
        ((7, true), "unexpected"),
        ((8, true), "answered"),
        ((40, false), "unexpected"),
    ];
    assert_eq!(of(&all), BTreeMap::from(expected));
    // One side alone says nothing about the other.
    let asking: Vec<&Packet> = all.iter().copied().filter(|it| it.from_client).collect();
    let statuses = of(&asking);
    assert_eq!(statuses[&(4, true)], "response-not-captured");
    assert_eq!(statuses[&(6, true)], "no-response-expected");
    let answering: Vec<&Packet> = all.iter().copied().filter(|it| !it.from_client).collect();
    assert!(
        of(&answering)
            .values()
            .all(|&it| it == "request-not-captured")
    );
}

#[test]
fn a_hole_in_a_large_message_or_over_a_size_ends_at_the_next_message() {
    let mut talk = Talk::opened(Some("a-client"), [1, 1]);
    for id in 0..6 {
        let asked = talk.fetch(id);
        talk.ask(&[asked]);
        let n_bytes = if id == 2 { 3 << 20 } else { 3000 };
        talk.answer(&[fetch(id, n_bytes)]);
    }
    // Ten segments out of the middle of the large one; the first of the one behind it, with its
    // size; and a request.
    let large = talk
        .messages
        .iter()
        .find(|sent| sent.len > 1 << 20)
        .unwrap();
    let middle = large.at + 1_000_000;
    let (end, asked) = (large.at + large.len, talk.messages[8].at);
    let kept: Vec<&Packet> = talk
        .packets
        .iter()
        .filter(|packet| match packet.from_client {
            true => packet.at != asked || packet.payload.is_empty(),
            false => !(middle..middle + 14_000).contains(&packet.at) && packet.at != end,
        })
        .collect();
    let found = found(&talk, &kept, 65535);
    let lost: Vec<(Direction, i32)> = talk
        .messages
        .iter()
        .filter(|sent| !found.contains(sent))
        .map(|sent| (sent.direction, sent.correlation_id))
        .collect();
    assert_eq!(lost, [(Direction::Response, 3), (Direction::Request, 4)]);
}

/// A conversation of ZooKeeper: frames with sizes, ids that count and come back.
fn zookeeper() -> Talk {
    let mut talk = Talk::opened(None, [1, 1]);
    let packet = |talk: &mut Talk, from_client: bool, parts: &[&[u8]]| {
        talk.packet(from_client, ACK, &frame(parts));
    };
    let connect = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x75, 0x30];
    packet(
        &mut talk,
        true,
        &[
            &connect[..12],
            &connect[12..],
            &[0; 8],
            &[0, 0, 0, 16],
            &[0; 17],
        ],
    );
    packet(
        &mut talk,
        false,
        &[
            &[0; 4],
            &[0, 0, 0x75, 0x30],
            &[1; 8],
            &[0, 0, 0, 16],
            &[3; 17],
        ],
    );
    for xid in 1_i32..40 {
        let op = [3_i32, 4, 8][xid as usize % 3].to_be_bytes();
        let path = &b"\0\0\0\x0f/brokers/topics\0"[..];
        packet(&mut talk, true, &[&xid.to_be_bytes(), &op, path]);
        let head = [&xid.to_be_bytes()[..], &[0, 0, 0, 1, 0, 0, 0, 9], &[0; 4]].concat();
        packet(
            &mut talk,
            false,
            &[&head, &[0; 68][..(xid as usize % 3) * 34]],
        );
    }
    talk
}

#[test]
fn other_protocols_with_sizes_and_ids_are_not_taken_for_kafka() {
    let talk = zookeeper();
    for from in 0..talk.packets.len() - 1 {
        for side in [None, Some(true), Some(false)] {
            for snap in [65535, 54, 60] {
                let kept = talk.packets[from..]
                    .iter()
                    .filter(|packet| side.is_none_or(|side| packet.from_client == side));
                let exchanges = exchanges(capture(kept, snap));
                assert_eq!(exchanges, [], "from {from}, side {side:?}, snap {snap}");
            }
        }
    }
    let session = session(capture(&talk.packets, 65535));
    assert!(session.absence().contains("ZooKeeper"));
}
