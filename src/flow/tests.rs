//! Streams cut up, shuffled, repeated and thinned, against the bytes that were sent.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use super::*;
use crate::net::{Flags, Segment};

mod replayed;

/// What came out of one direction: the stream as delivered, `None` for a lost byte.
#[derive(Debug, Default)]
struct Out {
    whole: bool,
    bytes: Vec<Option<u8>>,
    close: Option<Close>,
}

/// A receiver whose capture is one buffer.
#[derive(Debug, Default)]
struct Log {
    capture: Vec<u8>,
    flows: Vec<Both<Out>>,
    initiators: Vec<Option<End>>,
    order: Vec<(End, u8)>,
    conflicts: usize,
    counts: Vec<Both<Counts>>,
}

impl Receiver for Log {
    fn opened(&mut self, flow: FlowId, _: Both<Endpoint>, initiator: Option<End>) {
        assert_eq!(flow.idx(), self.flows.len());
        self.flows.push(Both::default());
        self.initiators.push(initiator);
    }
    fn started(&mut self, flow: FlowId, from: End, whole: bool) {
        self.flows[flow.idx()].of_mut(from).whole = whole;
    }
    fn data(&mut self, flow: FlowId, from: End, run: Run) {
        assert!(run.piece.len > 0);
        let bytes = self.bytes(run.piece.place, run.piece.len).to_vec();
        self.order.extend(bytes.iter().map(|&byte| (from, byte)));
        self.flows[flow.idx()]
            .of_mut(from)
            .bytes
            .extend(bytes.into_iter().map(Some));
    }
    fn gap(&mut self, flow: FlowId, from: End, len: u64, _: Lost) {
        assert!(len > 0);
        let out = self.flows[flow.idx()].of_mut(from);
        // Nonsense makes gaps of gigabytes.
        out.bytes
            .resize(out.bytes.len() + len.min(1000) as usize, None);
    }
    fn conflict(&mut self, _: FlowId, _: End, _: Piece) {
        self.conflicts += 1;
    }
    fn closed(&mut self, flow: FlowId, from: End, close: Close) {
        let before = self.flows[flow.idx()].of_mut(from).close.replace(close);
        assert_eq!(before, None);
    }
    fn finished(&mut self, flow: FlowId, counts: Both<Counts>) {
        assert_eq!(flow.idx(), self.counts.len().max(flow.idx()));
        self.counts.push(counts);
    }
    fn bytes(&self, place: Place, len: u32) -> &[u8] {
        let at = place.offset() as usize;
        &self.capture[at..at + len as usize]
    }
}

/// Both ends of one connection, talking.
struct Talk {
    flows: Flows,
    log: Log,
    packet: u64,
}

const ISN: u32 = u32::MAX - 10;

impl Talk {
    fn new() -> Talk {
        Talk {
            flows: Flows::new(),
            log: Log::default(),
            packet: 0,
        }
    }

    fn send(&mut self, from: End, seq: u32, ack: Option<u32>, flags: Flags, payload: &[u8]) {
        self.send_cut(from, seq, ack, flags, payload, 0);
    }

    fn send_cut(
        &mut self,
        from: End,
        seq: u32,
        ack: Option<u32>,
        flags: Flags,
        payload: &[u8],
        missing: u32,
    ) {
        let end = |idx| Endpoint {
            addr: IpAddr::V4(Ipv4Addr::new(10, 0, 0, idx)),
            port: 9000,
        };
        let (source, destination) = match from {
            End::A => (end(1), end(2)),
            End::B => (end(2), end(1)),
        };
        self.packet += 1;
        let place = Place::new(0, self.log.capture.len() as u64);
        self.log.capture.extend_from_slice(payload);
        let segment = Segment {
            source,
            destination,
            seq,
            ack: ack.unwrap_or_default(),
            flags: ack.map_or(flags, |_| flags.with(Flags::ACK)),
            payload: Piece {
                place,
                record: place,
                len: payload.len() as u32,
                packet: self.packet,
                time: self.packet as i64 * 1_000_000,
            },
            missing,
        };
        self.flows.push(&segment, &mut self.log);
    }

    fn data(&mut self, from: End, at: u32, ack: Option<u32>, payload: &[u8]) {
        let ack = ack.map(|ack| ISN.wrapping_add(1 + ack));
        self.send(from, ISN.wrapping_add(1 + at), ack, Flags::PSH, payload);
    }

    fn handshake(&mut self) {
        self.send(End::A, ISN, None, Flags::SYN, b"");
        self.send(End::B, ISN, Some(ISN.wrapping_add(1)), Flags::SYN, b"");
        self.data(End::A, 0, Some(0), b"");
    }

    fn end(mut self) -> Log {
        self.flows.finish_all(&mut self.log);
        self.log
    }
}

fn text(out: &Out) -> String {
    let byte = |byte: &Option<u8>| byte.map_or('-', char::from);
    out.bytes.iter().map(byte).collect()
}

#[test]
fn a_plain_conversation() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"ask");
    talk.data(End::B, 0, Some(3), b"answer");
    talk.data(End::A, 3, Some(6), b"");
    talk.send(
        End::A,
        ISN.wrapping_add(4),
        Some(ISN.wrapping_add(7)),
        Flags::FIN,
        b"",
    );
    talk.send(
        End::B,
        ISN.wrapping_add(7),
        Some(ISN.wrapping_add(5)),
        Flags::FIN,
        b"",
    );
    // Echoes of a connection that is over.
    talk.data(End::A, 0, Some(0), b"ask");
    talk.data(End::A, 4, Some(7), b"");
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(log.initiators, [Some(End::A)]);
    let flow = &log.flows[0];
    assert_eq!(
        (text(&flow.a), text(&flow.b)),
        ("ask".into(), "answer".into())
    );
    assert!(flow.a.whole && flow.b.whole);
    assert_eq!(
        (flow.a.close, flow.b.close),
        (Some(Close::Fin), Some(Close::Fin))
    );
    assert_eq!(log.counts.len(), 1);
}

#[test]
fn the_first_copy_wins_and_a_different_one_is_counted() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, None, b"abcdef");
    talk.data(End::A, 0, None, b"abcdef");
    talk.data(End::A, 3, None, b"XYZg");
    talk.data(End::A, 9, None, b"jkl");
    talk.data(End::A, 8, None, b"iJKLm");
    talk.data(End::A, 7, None, b"h");
    let log = talk.end();
    assert_eq!(text(&log.flows[0].a), "abcdefghijklm");
    assert_eq!(log.conflicts, 2);
    assert_eq!(log.counts[0].a.retransmits, 1);
}

#[test]
fn keep_alive_probes_are_nothing() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"abc");
    talk.data(End::B, 0, Some(3), b"");
    talk.data(End::A, 2, Some(0), b"\0");
    talk.data(End::A, 2, Some(0), b"");
    talk.data(End::A, 3, Some(0), b"def");
    let log = talk.end();
    assert_eq!(text(&log.flows[0].a), "abcdef");
    assert_eq!((log.conflicts, log.counts[0].a.retransmits), (0, 0));
}

#[test]
fn an_answer_waits_for_its_question() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::B, 0, Some(3), b"answer");
    talk.data(End::A, 0, Some(0), b"ask");
    let log = talk.end();
    let order: String = log
        .order
        .iter()
        .map(|&(_, byte)| char::from(byte))
        .collect();
    assert_eq!(order, "askanswer");
}

#[test]
fn a_lost_segment_is_a_gap_once_it_was_acknowledged_and_is_late() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"one");
    talk.data(End::A, 6, Some(0), b"three");
    talk.data(End::B, 0, Some(11), b"");
    assert_eq!(text(&talk.log.flows[0].a), "one");
    talk.packet += 10_000;
    for _ in 0..limits::LATE_PACKETS {
        talk.data(End::B, 0, Some(11), b"");
    }
    assert_eq!(text(&talk.log.flows[0].a), "one---three");
    // It is too late now: the stream does not go back.
    talk.data(End::A, 3, Some(0), b"two");
    assert_eq!(text(&talk.end().flows[0].a), "one---three");
}

#[test]
fn a_hole_that_nobody_acknowledged_waits_to_the_end() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 3, Some(0), b"later");
    talk.packet += 10_000;
    for _ in 0..100 {
        talk.data(End::B, 0, Some(0), b"");
    }
    assert_eq!(text(&talk.log.flows[0].a), "");
    talk.data(End::A, 0, Some(0), b"now");
    assert_eq!(text(&talk.end().flows[0].a), "nowlater");
}

#[test]
fn cuts_by_the_snap_length_are_gaps_at_once() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.send_cut(End::A, ISN.wrapping_add(1), None, Flags::PSH, b"head", 6);
    talk.data(End::A, 10, None, b"next");
    assert_eq!(text(&talk.log.flows[0].a), "head------next");
}

#[test]
fn one_side_alone_is_delivered_without_waiting_long_for_the_other() {
    let mut talk = Talk::new();
    for idx in 0..99 {
        talk.data(End::B, idx * 4, Some(idx * 7), b"data");
    }
    // The other one may be late where a capture begins.
    assert!(talk.log.flows[0].b.bytes.is_empty());
    talk.packet += 3000;
    talk.data(End::B, 99 * 4, Some(99 * 7), b"data");
    assert_eq!(talk.log.flows[0].b.bytes.len(), 400);
    let log = talk.end();
    assert!(!log.flows[0].b.whole);
    assert_eq!(text(&log.flows[0].a), "");
}

#[test]
fn a_stream_joined_in_the_middle_may_turn_out_to_have_begun_earlier() {
    let mut talk = Talk::new();
    // The answer comes first, and says where the question ended.
    talk.data(End::B, 0, Some(3), b"answer");
    talk.data(End::A, 0, Some(0), b"ask");
    talk.data(End::A, 3, Some(6), b"more");
    let log = talk.end();
    assert_eq!(text(&log.flows[0].a), "askmore");
    assert_eq!(log.counts[0].a.lost, 0);
}

#[test]
fn reused_ports_are_another_connection() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"old");
    talk.send(End::A, ISN, None, Flags::SYN, b"");
    assert_eq!(talk.log.flows.len(), 1);
    talk.send(End::A, 77, None, Flags::SYN, b"");
    talk.send(End::A, 78, None, Flags::PSH, b"new");
    let log = talk.end();
    assert_eq!(log.flows.len(), 2);
    assert_eq!(text(&log.flows[0].a), "old");
    assert_eq!(text(&log.flows[1].a), "new");
}

#[test]
fn a_second_copy_of_a_whole_connection_is_nothing_new() {
    let mut talk = Talk::new();
    for _ in 0..2 {
        talk.handshake();
        talk.data(End::A, 0, Some(0), b"ask");
        talk.data(End::B, 0, Some(3), b"answer");
        talk.send(
            End::A,
            ISN.wrapping_add(4),
            Some(ISN.wrapping_add(7)),
            Flags::FIN,
            b"",
        );
        talk.send(
            End::B,
            ISN.wrapping_add(7),
            Some(ISN.wrapping_add(5)),
            Flags::FIN,
            b"",
        );
    }
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(text(&log.flows[0].b), "answer");
}

#[test]
fn a_syn_that_was_captured_late_opens_no_other_connection() {
    let mut talk = Talk::new();
    talk.send(End::B, 500, Some(ISN.wrapping_add(1)), Flags::SYN, b"");
    talk.send(End::A, ISN, None, Flags::SYN, b"");
    talk.send(End::A, ISN.wrapping_add(1), Some(501), Flags::PSH, b"ask");
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(log.initiators, [Some(End::A)]);
    assert!(log.flows[0].a.whole);
}

#[test]
fn a_syn_behind_the_first_bytes_and_their_acknowledgment_is_theirs() {
    let mut talk = Talk::new();
    // What the client said is known by its acknowledgment alone when its SYN comes.
    talk.send(End::B, 500, Some(ISN + 5), Flags::PSH, b"answer");
    talk.send(End::A, ISN, None, Flags::SYN, b"");
    talk.send(End::A, ISN + 1, Some(500), Flags::PSH, b"asks");
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(text(&log.flows[0].a), "asks");
    assert_eq!(text(&log.flows[0].b), "answer");
    assert!(log.flows[0].a.whole);
}

#[test]
fn a_reset_ends_its_direction() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"ask");
    talk.send(
        End::B,
        ISN.wrapping_add(1),
        Some(ISN.wrapping_add(4)),
        Flags::RST,
        b"go away",
    );
    let log = talk.end();
    assert_eq!(log.flows[0].b.close, Some(Close::Reset));
    assert_eq!(text(&log.flows[0].b), "");
}

#[test]
fn what_waits_is_bounded() {
    let mut talk = Talk::new();
    talk.handshake();
    for idx in 0..limits::WAITING_RUNS as u32 + 10 {
        talk.data(End::A, 10 + idx, Some(0), b"x");
    }
    assert!(talk.log.flows[0].a.bytes.len() > limits::WAITING_RUNS);
    assert_eq!(talk.flows.n_waiting(), 0);
}

/// A segment of the property tests: where it starts, how long it is, whether it is captured.
fn segments(len: usize) -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..len, 1..len / 2), 0..40)
}

proptest! {
    /// Whatever arrives in whatever order: all bytes that were captured come out at their places,
    /// the others as gaps, against a bitmap.
    #[test]
    fn any_order_gives_the_stream(
        cuts in segments(200),
        tail in 0usize..3,
        wrap in prop::bool::ANY,
    ) {
        let sent: Vec<u8> = (0..200u8).collect();
        let isn = if wrap { u32::MAX - 50 } else { 1000 };
        let mut talk = Talk::new();
        talk.send(End::A, isn, None, Flags::SYN, b"");
        let mut captured = [false; 200];
        for (at, len) in cuts {
            let end = (at + len).min(200);
            captured[at..end].fill(true);
            let seq = isn.wrapping_add(1 + at as u32);
            talk.send(End::A, seq, None, Flags::PSH, &sent[at..end]);
        }
        // What the other end has acknowledged changes nothing in the bytes.
        for _ in 0..tail {
            talk.send(End::B, 5, Some(isn.wrapping_add(1)), Flags::ACK, b"");
        }
        let log = talk.end();
        prop_assert_eq!(log.conflicts, 0);
        let last = captured.iter().rposition(|&is| is).map_or(0, |at| at + 1);
        let expected: Vec<Option<u8>> = (0..last)
            .map(|at| captured[at].then_some(sent[at]))
            .collect();
        prop_assert_eq!(&log.flows[0].a.bytes, &expected);
    }

    /// A conversation in which each side answers the other comes out in its order however its
    /// packets were shuffled, if none is missing.
    #[test]
    fn any_order_gives_the_conversation(order in Just((0usize..40).collect::<Vec<_>>()).prop_shuffle()) {
        let mut talk = Talk::new();
        talk.handshake();
        for idx in order {
            let turn = (idx / 2) as u32;
            let byte = [idx as u8];
            if idx % 2 == 0 {
                talk.data(End::A, turn, Some(turn), &byte);
            } else {
                talk.data(End::B, turn, Some(turn + 1), &byte);
            }
        }
        let log = talk.end();
        let heard: Vec<u8> = log.order.iter().map(|&(_, byte)| byte).collect();
        prop_assert_eq!(heard, (0..40).collect::<Vec<u8>>());
    }

    /// Segments that make no sense at all.
    #[test]
    fn nothing_panics(packets in prop::collection::vec(
        (prop::bool::ANY, any::<u32>(), any::<Option<u32>>(), any::<u8>(), 0usize..20, 0u32..5), 0..60,
    )) {
        let mut talk = Talk::new();
        for (from, seq, ack, flags, len, missing) in packets {
            let from = if from { End::A } else { End::B };
            // Some of the numbers close together, the others anywhere.
            let seq = if seq % 3 == 0 { seq % 64 } else { seq };
            talk.send_cut(from, seq, ack.map(|ack| if ack % 3 == 0 { ack % 64 } else { ack }), Flags(flags), &vec![7; len], missing);
        }
        talk.end();
    }
}

#[test]
fn ports_are_used_again_without_a_word() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"old");
    talk.send(End::A, ISN.wrapping_add(4), None, Flags::FIN, b"");
    talk.send(End::B, ISN.wrapping_add(1), None, Flags::FIN, b"");
    // A late copy, then a connection whose beginning was not captured.
    talk.data(End::A, 0, Some(0), b"old");
    talk.data(End::A, 1 << 30, None, b"new");
    talk.data(End::A, (1 << 30) + 3, None, b"er");
    talk.flows.finish_all(&mut talk.log);
    let bytes = |flow: usize| -> Vec<u8> {
        let out = &talk.log.flows[flow].a;
        out.bytes.iter().flatten().copied().collect()
    };
    assert_eq!(talk.log.flows.len(), 2);
    assert_eq!((bytes(0), bytes(1)), (b"old".to_vec(), b"newer".to_vec()));
}

#[test]
fn an_aborted_connection_is_over_soon() {
    let mut talk = Talk::new();
    talk.handshake();
    talk.data(End::A, 0, Some(0), b"ask");
    talk.send(End::A, ISN.wrapping_add(4), None, Flags::RST, b"");
    // What the other end had sent by then.
    talk.data(End::B, 0, Some(3), b"answer");
    assert_eq!(talk.log.counts.len(), 0);
    // Packets are a millisecond apart; any of them shows that time has passed.
    talk.packet += 3000;
    talk.data(End::B, 0, Some(3), b"answer");
    assert_eq!(talk.log.counts.len(), 1);
    assert_eq!(talk.log.counts[0].b.bytes, 6);
    talk.data(End::B, 1 << 30, None, b"again");
    assert_eq!(talk.log.flows.len(), 2);
}

/// A connection that says little and ends, whose sequence numbers start at `isns`.
fn short(talk: &mut Talk, isns: Both<u32>) {
    let (a, b) = (isns.a.wrapping_add(1), isns.b.wrapping_add(1));
    talk.send(End::A, a, Some(b), Flags::PSH, b"ask");
    talk.send(End::B, b, Some(a + 3), Flags::PSH, b"tell");
    talk.send(End::A, a + 3, Some(b + 4), Flags::FIN, b"");
    talk.send(End::B, b + 4, Some(a + 4), Flags::FIN, b"");
}

#[test]
fn one_number_that_is_far_tells_a_new_connection_on_old_ports() {
    let far = 1 << 30;
    for (a, b, n_flows) in [(0, 0, 1), (5000, far, 2), (far, 5000, 2)] {
        let mut talk = Talk::new();
        short(&mut talk, Both { a: 900, b: 1700 });
        let isns = Both {
            a: 900 + a,
            b: 1700 + b,
        };
        short(&mut talk, isns);
        let log = talk.end();
        assert_eq!(log.flows.len(), n_flows, "{a} {b}");
        for flow in &log.flows {
            assert_eq!(text(&flow.a), "ask");
            assert_eq!(text(&flow.b), "tell");
        }
    }
}

#[test]
fn an_answer_that_was_captured_before_the_first_word_waits_for_it() {
    let answer_first = |talk: &mut Talk| {
        talk.send(End::B, 70, Some(31), Flags::SYN, b"");
        talk.send(End::B, 71, Some(34), Flags::PSH, b"tell");
        talk.send(End::A, 30, None, Flags::SYN, b"");
        talk.send(End::A, 31, Some(71), Flags::PSH, b"ask");
    };
    let order = |log: &Log| -> String { log.order.iter().map(|&(_, b)| char::from(b)).collect() };
    // A capture may begin so.
    let mut talk = Talk::new();
    answer_first(&mut talk);
    assert_eq!(order(&talk.log), "asktell");
    // Where nothing shows that both directions are captured nothing is waited for later.
    let mut talk = Talk::new();
    talk.send(End::B, 1 << 30, Some(900), Flags::PSH, b"first");
    talk.packet += 3000;
    answer_first(&mut talk);
    assert_eq!(order(&talk.end()), "firsttellask");
    let mut talk = Talk::new();
    short(&mut talk, Both { a: 900, b: 1 << 30 });
    answer_first(&mut talk);
    assert_eq!(order(&talk.log), "asktellasktell");
}

#[test]
fn an_answer_that_was_captured_first_waits_in_a_connection_joined_in_the_middle() {
    // The clock of the interface that saw the answers is behind: even a bare acknowledgment of
    // the client comes late.
    let mut talk = Talk::new();
    talk.data(End::B, 0, Some(3), b"tell");
    talk.data(End::B, 4, Some(7), b"more");
    talk.data(End::A, 0, Some(0), b"");
    talk.data(End::A, 0, Some(0), b"ask");
    talk.data(End::A, 3, Some(4), b"what");
    let order: String = talk.log.order.iter().map(|&(_, b)| char::from(b)).collect();
    assert_eq!(order, "asktellwhatmore");
}

#[test]
fn what_begins_again_much_later_is_another_connection() {
    for (pause, n_flows) in [(0, 1), (10_000, 2)] {
        let mut talk = Talk::new();
        for _ in 0..2 {
            talk.handshake();
            talk.data(End::A, 0, Some(0), b"ask");
            talk.data(End::B, 0, Some(3), b"tell");
            talk.packet += pause;
        }
        let log = talk.end();
        assert_eq!(log.flows.len(), n_flows);
        for flow in &log.flows {
            assert_eq!(text(&flow.a), "ask");
            assert_eq!(text(&flow.b), "tell");
        }
    }
    // An end that was not heard repeats its first word for a minute.
    let mut talk = Talk::new();
    talk.send(End::A, ISN, None, Flags::SYN, b"");
    talk.packet += 60_000;
    talk.handshake();
    assert_eq!(talk.end().flows.len(), 1);
}

#[test]
fn what_never_comes_is_not_waited_for_long() {
    let mut talk = Talk::new();
    short(&mut talk, Both { a: 900, b: 1 << 30 });
    talk.send(End::B, 70, Some(31), Flags::SYN, b"");
    talk.send(End::B, 71, Some(34), Flags::PSH, b"tell");
    assert!(talk.log.flows[1].b.bytes.is_empty());
    talk.packet += 3000;
    for n in 0..20 {
        talk.send(End::B, 75 + n, Some(34), Flags::PSH, b"!");
    }
    assert_eq!(talk.log.flows[1].b.bytes.len(), 24);
}
