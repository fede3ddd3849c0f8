//! Conversations without packets: streams in memory.

mod decoys;
mod evidence;
mod joined;
mod remains;
mod small;
mod swallowed;
mod turns;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use super::head::{Plausible, RequestHead};
use super::*;
use crate::schema::Catalogue;

/// A stream of bytes, some of them lost; segments start where they were pushed.
#[derive(Debug, Default)]
struct Stream {
    bytes: Vec<u8>,
    lost: Vec<Range<u64>>,
    segments: Vec<u64>,
    start: u64,
    /// How often bytes were looked at, and how many.
    n_looks: usize,
    n_seen: usize,
    /// How far this one and the other are known.
    known: Rc<Cell<u64>>,
    other: Rc<Cell<u64>>,
    /// Where what was pushed or lost starts, and how far the other was known then.
    met: Vec<(u64, u64)>,
}

impl Stream {
    fn push(&mut self, bytes: &[u8]) {
        self.segments.push(self.bytes.len() as u64);
        self.come(bytes);
    }
    fn lose(&mut self, len: usize) {
        let at = self.bytes.len() as u64;
        self.lost.push(at..at + len as u64);
        self.come(&vec![0; len]);
    }
    fn come(&mut self, bytes: &[u8]) {
        self.met.push((self.bytes.len() as u64, self.other.get()));
        self.bytes.extend_from_slice(bytes);
        self.known.set(self.bytes.len() as u64);
    }
}

impl Window for Stream {
    fn start(&self) -> u64 {
        self.start
    }
    fn end(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn bytes(&mut self, at: u64, len: usize) -> &[u8] {
        assert!(at >= self.start, "{at} was released");
        let rest = self.bytes.get(at as usize..).unwrap_or_default();
        let seen = &rest[..len.min(rest.len())];
        self.n_looks += 1;
        self.n_seen += seen.len();
        seen
    }
    fn segment(&self, at: u64) -> &[u8] {
        let holes = self.lost.iter().map(|hole| hole.start);
        let ends = holes
            .filter(|&end| end > at)
            .chain(self.next_segment(at + 1));
        let end = ends.min().unwrap_or(self.end());
        match self.lost(at..at + 1) {
            Some(_) => &[],
            None => self
                .bytes
                .get(at as usize..end as usize)
                .unwrap_or_default(),
        }
    }
    fn lost(&self, range: Range<u64>) -> Option<Range<u64>> {
        let overlaps = |hole: &&Range<u64>| hole.start < range.end && range.start < hole.end;
        self.lost.iter().find(overlaps).cloned()
    }
    fn starts_segment(&self, at: u64) -> bool {
        self.segments.binary_search(&at).is_ok() && at < self.end()
    }
    fn next_segment(&self, at: u64) -> Option<u64> {
        let idx = self.segments.partition_point(|&start| start < at);
        self.segments.get(idx).copied()
    }
    fn met(&self, at: u64) -> u64 {
        let idx = self.met.partition_point(|&(start, _)| start <= at);
        self.met[..idx].last().map_or(0, |&(_, met)| met)
    }
    fn release(&mut self, to: u64) {
        self.start = self.start.max(to);
    }
}

/// A client (A) and a broker (B).
#[derive(Debug)]
struct Talk {
    conversation: Conversation,
    a: Stream,
    b: Stream,
    hints: Hints,
    found: Vec<Found>,
    n_exchanges: u32,
}

impl Talk {
    fn new() -> Talk {
        let a = Stream::default();
        let b = Stream {
            known: a.other.clone(),
            other: a.known.clone(),
            ..Stream::default()
        };
        Talk {
            conversation: Conversation::new(Catalogue::current()),
            a,
            b,
            hints: Hints::default(),
            found: Vec::new(),
            n_exchanges: 0,
        }
    }

    fn whole() -> Talk {
        let mut talk = Talk::new();
        talk.conversation.start(Side::A, 0, true);
        talk.conversation.start(Side::B, 0, true);
        talk.hints.initiator = Some(Side::A);
        talk
    }

    fn joined() -> Talk {
        let mut talk = Talk::new();
        talk.conversation.start(Side::A, 0, false);
        talk.conversation.start(Side::B, 0, false);
        talk
    }

    fn ask(&mut self, bytes: &[u8]) {
        self.a.push(bytes);
        self.drive();
    }

    fn answer(&mut self, bytes: &[u8]) {
        self.b.push(bytes);
        self.drive();
    }

    fn drive(&mut self) {
        while let Some(found) = self.conversation.next(
            &mut self.a,
            &mut self.b,
            self.hints,
            Ticket(self.n_exchanges),
        ) {
            match found {
                Found::Request { .. }
                | Found::TokenFromClient { .. }
                | Found::Response { answers: None, .. }
                | Found::TokenFromServer { answers: None, .. } => self.n_exchanges += 1,
                _ => {}
            }
            self.found.push(found);
        }
    }

    fn end(mut self) -> Vec<String> {
        self.conversation.close(Side::A);
        self.conversation.close(Side::B);
        self.drive();
        while let Some(found) = self.conversation.finish() {
            self.found.push(found);
        }
        self.found.into_iter().map(name).collect()
    }
}

/// What was found in few words.
fn name(found: Found) -> String {
    match found {
        Found::Request {
            frame,
            head,
            answered,
        } => format!(
            "request {}:{} #{} {}/{}{}",
            head.api_key,
            head.version,
            head.correlation_id,
            frame.had,
            frame.len,
            if answered { "" } else { " unanswered" }
        ),
        Found::Response {
            frame,
            correlation_id,
            answers,
            standing,
        } => format!(
            "response #{correlation_id} {}/{}{}{}",
            frame.had,
            frame.len,
            answers.map_or(" orphan".into(), |answers| format!(
                " to {} as {}:{}",
                answers.ticket.0, answers.api_key, answers.version
            )),
            match standing {
                Standing::InTurn | Standing::Unknown => String::new(),
                standing => format!(" {standing:?}"),
            }
        ),
        Found::TokenFromClient { frame } => format!("token {}", frame.len),
        Found::TokenFromServer { frame, answers } => {
            format!(
                "token {} to {:?}",
                frame.len,
                answers.map(|ticket| ticket.0)
            )
        }
        Found::Client { side } => format!("client {side:?}"),
        Found::Other {
            protocol, first, ..
        } => format!("{protocol} {first:?}"),
        Found::GivenUp { side, len } => format!("gave up {len} of {side:?}"),
        Found::LostFraming { side, .. } => format!("lost {side:?}"),
    }
}

fn request(
    api_key: i16,
    version: i16,
    correlation_id: i32,
    client_id: &str,
    body: &[u8],
) -> Vec<u8> {
    let mut frame = Vec::new();
    frame.extend(api_key.to_be_bytes());
    frame.extend(version.to_be_bytes());
    frame.extend(correlation_id.to_be_bytes());
    frame.extend((client_id.len() as i16).to_be_bytes());
    frame.extend(client_id.as_bytes());
    frame.extend(body);
    sized(&frame)
}

fn response(correlation_id: i32, body: &[u8]) -> Vec<u8> {
    sized(&[&correlation_id.to_be_bytes(), body].concat())
}

fn sized(frame: &[u8]) -> Vec<u8> {
    [&(frame.len() as u32).to_be_bytes(), frame].concat()
}

/// Heartbeat version 0: group, generation, member.
fn heartbeat(correlation_id: i32) -> Vec<u8> {
    request(
        12,
        0,
        correlation_id,
        "app",
        b"\0\x05group\0\0\0\x07\0\x06member",
    )
}

#[test]
fn requests_and_responses_in_any_pieces() {
    let asked = [heartbeat(1), heartbeat(2)].concat();
    let answered = [response(1, &[0, 0]), response(2, &[0, 27])].concat();
    let mut expected = None;
    for pieces in [1, 2, 3, 7, 1000] {
        let mut talk = Talk::whole();
        for piece in asked.chunks(pieces) {
            talk.ask(piece);
        }
        for piece in answered.chunks(pieces) {
            talk.answer(piece);
        }
        let found = talk.end();
        assert_eq!(
            expected.get_or_insert_with(|| found.clone()),
            &found,
            "pieces of {pieces}"
        );
    }
    assert_eq!(
        expected.unwrap(),
        [
            "client A",
            "request 12:0 #1 36/36",
            "request 12:0 #2 36/36",
            "response #1 10/10 to 0 as 12:0",
            "response #2 10/10 to 1 as 12:0",
        ]
    );
}

#[test]
fn every_prefix_of_a_conversation_is_harmless() {
    let asked = [
        heartbeat(1),
        request(3, 1, 2, "app", &[0, 0, 0, 0]),
        heartbeat(3),
    ]
    .concat();
    for len in 0..asked.len() {
        for mut talk in [Talk::whole(), Talk::joined()] {
            talk.ask(&asked[..len]);
            let found = talk.end();
            let n_requests = found
                .iter()
                .filter(|name| name.starts_with("request"))
                .count();
            assert!(n_requests <= 3, "{found:?}");
        }
    }
}

#[test]
fn acks_of_zero_are_not_answered() {
    for (version, id) in [
        (0, &b""[..]),
        (3, b"\xff\xff"),
        (3, b"\0\x02tx"),
        (9, b"\0"),
        (9, b"\x03tx"),
    ] {
        for acks in [0i16, 1, -1] {
            let flexible = if version >= 9 { &b"\0"[..] } else { b"" };
            let body = [flexible, id, &acks.to_be_bytes(), &[0; 8]].concat();
            let frame = request(0, version, 1, "p", &body);
            let (head, plausible) =
                RequestHead::read(Catalogue::current(), &frame, frame.len() as u32).unwrap();
            assert_eq!(plausible, Plausible::Known);
            assert_eq!(
                judge::wants_no_answer(Catalogue::current(), &frame, head),
                acks == 0,
                "{version} {id:?} {acks}"
            );
        }
    }
}

#[test]
fn a_broker_that_does_not_know_the_version_falls_back() {
    let mut talk = Talk::whole();
    let body = b"\0\x04app\x041.0\0";
    talk.ask(&request(18, 4, 7, "app", body));
    // Error 35 and one range, as version 0 writes it.
    talk.answer(&response(7, b"\0\x23\0\0\0\x01\0\x12\0\0\0\x03"));
    assert_eq!(talk.end().last().unwrap(), "response #7 20/20 to 0 as 18:0");
}

#[test]
fn tokens_follow_an_old_handshake() {
    let mut talk = Talk::whole();
    talk.ask(&request(17, 0, 1, "app", b"\0\x05PLAIN"));
    talk.answer(&response(1, b"\0\0\0\0\0\x01\0\x05PLAIN"));
    talk.ask(&sized(b"\0user\0secret"));
    talk.answer(&sized(b""));
    talk.ask(&heartbeat(2));
    talk.answer(&response(2, &[0, 0]));
    assert_eq!(
        talk.end()[1..],
        [
            "request 17:0 #1 24/24",
            "response #1 21/21 to 0 as 17:0",
            "token 16",
            "token 4 to Some(1)",
            "request 12:0 #2 36/36",
            "response #2 10/10 to 2 as 12:0",
        ]
    );
}

#[test]
fn a_hole_inside_a_message_costs_only_its_bytes() {
    let mut talk = Talk::whole();
    talk.ask(&heartbeat(1));
    let second = heartbeat(2);
    talk.ask(&second[..20]);
    talk.a.lose(10);
    talk.ask(&second[30..]);
    talk.ask(&heartbeat(3));
    assert_eq!(
        talk.end()[1..],
        [
            "request 12:0 #1 36/36",
            "request 12:0 #2 36/36",
            "request 12:0 #3 36/36"
        ]
    );
}

#[test]
fn behind_a_hole_over_a_boundary_the_next_message_is_found() {
    let mut talk = Talk::whole();
    talk.ask(&heartbeat(1));
    talk.ask(&heartbeat(2)[..20]);
    talk.a.lose(36);
    talk.ask(&[&heartbeat(3)[20..], &heartbeat(4)[..]].concat());
    talk.answer(&response(1, &[0, 0]));
    talk.b.lose(20);
    talk.answer(&response(4, &[0, 0]));
    assert_eq!(
        talk.end()[1..],
        [
            "request 12:0 #1 36/36",
            "request 12:0 #2 20/36",
            "request 12:0 #4 36/36",
            "response #1 10/10 to 0 as 12:0",
            "lost B",
            "response #4 10/10 to 2 as 12:0",
        ]
    );
}

#[test]
fn a_stream_joined_in_the_middle_is_read_from_the_next_boundary() {
    for skip in 0..36 {
        let mut talk = Talk::joined();
        talk.answer(&response(0, &[0, 0])[4..]);
        talk.ask(&[&heartbeat(1)[skip..], &heartbeat(2)[..], &heartbeat(3)[..]].concat());
        talk.answer(&response(2, &[0, 0]));
        talk.answer(&response(3, &[0, 0]));
        let found = talk.end();
        let expected = [
            "client A",
            "request 12:0 #2 36/36",
            "request 12:0 #3 36/36",
            "response #2 10/10 to 0 as 12:0",
            "response #3 10/10 to 1 as 12:0",
        ];
        if skip > 0 {
            assert_eq!(found, expected, "without {skip} bytes");
        } else {
            assert_eq!(found[1], "request 12:0 #1 36/36");
        }
    }
}

#[test]
fn other_protocols_are_named_and_left_alone() {
    for (bytes, name) in [
        (
            &b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..],
            "HTTP Some(1195725856)",
        ),
        (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            "TLS Some(369295618)",
        ),
        (b"\x15\x03\x03\x00\x02\x02\x46", "TLS alert Some(352518912)"),
        (b"ruok", "ZooKeeper Some(1920298859)"),
        (b"*1\r\n$4\r\nPING\r\n", "Redis Some(707857674)"),
        (
            b"\x00\x00\x00\x10\x00\x00\x00\x15\x00\x00\x00\x00\x00\x00\x00\x01",
            "SMPP Some(16)",
        ),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "SSH Some(1397966893)"),
        (
            b"\xde\xad\xbe\xef and nothing that anybody knows of",
            "unknown Some(-559038737)",
        ),
    ] {
        let mut talk = Talk::whole();
        talk.ask(bytes);
        assert_eq!(talk.end(), [name]);
    }
}

#[test]
fn a_proxy_may_say_who_it_speaks_for() {
    let v2 = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x0a\0\0\x01\x0a\0\0\x02\x30\x39\x23\x84";
    for proxy in [&b"PROXY TCP4 10.0.0.1 10.0.0.2 12345 9092\r\n"[..], v2] {
        for len in 0..proxy.len() {
            let mut talk = Talk::whole();
            talk.ask(&proxy[..len]);
            talk.ask(&[&proxy[len..], &heartbeat(1)].concat());
            assert_eq!(talk.end(), ["client A", "request 12:0 #1 36/36"], "{len}");
        }
    }
}

#[test]
fn unknown_apis_are_believed_when_they_are_answered() {
    let mut talk = Talk::whole();
    talk.ask(&request(999, 3, 1, "app", b"whatever"));
    talk.answer(&response(1, b"something"));
    talk.ask(&request(999, 3, 2, "app", b"else"));
    assert_eq!(
        talk.end(),
        [
            "client A",
            "request 999:3 #1 25/25",
            "response #1 17/17 to 0 as 999:3",
            "request 999:3 #2 21/21",
        ]
    );
    let mut talk = Talk::whole();
    talk.ask(&request(999, 3, 1, "app", b"whatever"));
    assert_eq!(talk.end(), ["unknown Some(21)"]);
}

#[test]
fn requests_with_a_wrong_header_are_kept() {
    let mut control = heartbeat(2);
    control[15] = 0x07;
    let mut negative = heartbeat(2);
    negative[6] = 0xff;
    let mut compact = heartbeat(2);
    compact.remove(12);
    compact[3] -= 1;
    compact[12] = 4;
    for (wrong, version) in [(control, 0), (negative, -256), (compact, 0)] {
        let len = wrong.len();
        let expected = [
            "request 12:0 #1 36/36".to_owned(),
            format!("request 12:{version} #2 {len}/{len}"),
            "request 12:0 #3 36/36".to_owned(),
            "response #1 10/10 to 0 as 12:0".to_owned(),
            format!("response #2 10/10 to 1 as 12:{version}"),
            "response #3 10/10 to 2 as 12:0".to_owned(),
        ];
        // In segments of their own, and all in one, cut anywhere.
        for pieces in [0, 1, 7, 1000] {
            let mut talk = Talk::whole();
            let asked = [&heartbeat(1), &wrong, &heartbeat(3)];
            if pieces == 0 {
                asked.into_iter().for_each(|frame| talk.ask(frame));
            } else {
                let asked: Vec<u8> = asked.into_iter().flatten().copied().collect();
                asked.chunks(pieces).for_each(|piece| talk.ask(piece));
            }
            for id in 1..=3 {
                talk.answer(&response(id, &[0, 0]));
            }
            assert_eq!(talk.end()[1..], expected, "pieces of {pieces}");
        }
    }
}

#[test]
fn the_first_request_may_be_the_wrong_one() {
    let mut talk = Talk::whole();
    let mut wrong = heartbeat(1);
    wrong[15] = 0x07;
    talk.ask(&wrong);
    talk.answer(&response(1, &[0, 0]));
    assert_eq!(
        talk.end(),
        [
            "client A",
            "request 12:0 #1 36/36",
            "response #1 10/10 to 0 as 12:0"
        ]
    );
}

#[test]
fn a_wrong_size_makes_no_request_of_what_is_left_over() {
    let mut talk = Talk::whole();
    let mut short = heartbeat(2);
    short[3] -= 6;
    for frame in [&heartbeat(1), &short, &heartbeat(3), &heartbeat(4)] {
        talk.ask(frame);
    }
    assert_eq!(
        talk.end()[1..],
        [
            "request 12:0 #1 36/36",
            "request 12:0 #2 30/30",
            "lost A",
            "request 12:0 #3 36/36",
            "request 12:0 #4 36/36",
        ]
    );
}

#[test]
fn a_lost_response_does_not_shift_the_others() {
    // One question at a time, always with the same id.
    let mut talk = Talk::whole();
    for n in 0..6 {
        talk.ask(&heartbeat(7));
        if n == 2 {
            talk.b.lose(10);
            talk.drive();
        } else {
            talk.answer(&response(7, &[0, n]));
        }
    }
    let answered: Vec<String> = talk
        .end()
        .into_iter()
        .filter(|name| name.starts_with("response"))
        .collect();
    let to = |n| format!("response #7 10/10 to {n} as 12:0");
    assert_eq!(answered, [to(0), to(1), to(3), to(4), to(5)]);

    // Three at a time.
    let mut talk = Talk::whole();
    for round in 0..3 {
        for _ in 0..3 {
            talk.ask(&heartbeat(7));
        }
        for n in 0..3 {
            if (round, n) == (1, 0) {
                talk.b.lose(10);
                talk.drive();
            } else {
                talk.answer(&response(7, &[0, n]));
            }
        }
    }
    let answered: Vec<String> = talk
        .end()
        .into_iter()
        .filter(|name| name.starts_with("response"))
        .collect();
    assert_eq!(answered, [0, 1, 2, 4, 5, 6, 7, 8].map(to));

    // Ids in a circle, and a request that the broker never answers.
    let mut talk = Talk::whole();
    for id in [1, 2, 3, 1, 2, 3] {
        talk.ask(&heartbeat(id));
        if talk.n_exchanges != 2 {
            talk.answer(&response(id, &[0, 0]));
        }
    }
    let answered: Vec<String> = talk
        .end()
        .into_iter()
        .filter(|name| name.starts_with("response"))
        .map(|name| name[21..].to_owned())
        .collect();
    assert_eq!(
        answered,
        [
            "0 as 12:0",
            "2 as 12:0",
            "3 as 12:0",
            "4 as 12:0",
            "5 as 12:0"
        ]
    );
}
