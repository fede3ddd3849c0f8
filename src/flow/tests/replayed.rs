//! Connections that are played again, and others that take their ports.

use super::*;

/// A question and its answer, three times, and then nothing more for as long as it takes.
fn exchanges(talk: &mut Talk) {
    for n in 0..3 {
        talk.data(End::A, n * 3, Some(n * 6), b"ask");
        talk.data(End::B, n * 6, Some(n * 3 + 3), b"answer");
        talk.data(End::A, n * 3 + 3, Some(n * 6 + 6), b"");
    }
}

#[test]
fn a_connection_that_is_played_again_is_another() {
    for is_closed in [false, true] {
        let mut talk = Talk::new();
        for round in 0..2 {
            exchanges(&mut talk);
            if is_closed {
                let at = |n: u32| ISN.wrapping_add(1 + n);
                talk.send(End::A, at(9), Some(at(18)), Flags::FIN, b"");
                talk.send(End::B, at(18), Some(at(10)), Flags::FIN, b"");
                talk.data(End::A, 10, Some(19), b"");
            }
            // Half an hour.
            talk.packet += 1_800_000;
            if round == 1 {
                // What is repeated late by who knows all that was said is no other.
                talk.data(End::A, 6, Some(18 + u32::from(is_closed)), b"ask");
            }
        }
        let log = talk.end();
        assert_eq!(log.flows.len(), 2, "closed: {is_closed}");
        for flow in &log.flows {
            assert_eq!(text(&flow.a), "askaskask");
            assert_eq!(text(&flow.b), "answeransweranswer");
        }
    }
}

#[test]
fn what_is_repeated_soon_or_knows_all_is_of_the_same_connection() {
    let mut talk = Talk::new();
    exchanges(&mut talk);
    // Copies from another interface.
    exchanges(&mut talk);
    // The sender repeats its last words, for want of an acknowledgment.
    talk.packet += 10_000;
    talk.data(End::B, 12, Some(9), b"answer");
    talk.data(End::A, 9, Some(18), b"more");
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(text(&log.flows[0].a), "askaskaskmore");
}

#[test]
fn bytes_behind_the_last_ones_are_of_another_connection() {
    // Nothing of the other end is in the capture; a new connection starts a little further on, or
    // with the very next number.
    for start in [9 + 65_538, 9 + 1] {
        let mut talk = Talk::new();
        exchanges(&mut talk);
        let at = |n: u32| ISN.wrapping_add(1 + n);
        talk.send(End::A, at(9), Some(at(18)), Flags::FIN, b"");
        talk.data(End::A, start, Some(70_000), b"another");
        let log = talk.end();
        assert_eq!(log.flows.len(), 2, "{start}");
        assert_eq!(text(&log.flows[0].a), "askaskask");
        assert_eq!(text(&log.flows[1].a), "another");
    }
}

#[test]
fn what_is_played_again_behind_the_last_word_of_one_end_is_whole() {
    let mut talk = Talk::new();
    for _ in 0..2 {
        exchanges(&mut talk);
        let at = |n: u32| ISN.wrapping_add(1 + n);
        talk.send(End::A, at(9), Some(at(18)), Flags::FIN, b"");
        // Half an hour.
        talk.packet += 1_800_000;
    }
    let log = talk.end();
    assert_eq!(log.flows.len(), 2);
    assert_eq!(text(&log.flows[1].a), "askaskask");
}

#[test]
fn only_what_is_known_is_played_again_behind_the_end() {
    // A connection that is over: aborted, and no late copy came of it.
    let over = |talk: &mut Talk| {
        exchanges(talk);
        talk.send(End::A, ISN.wrapping_add(10), None, Flags::RST, b"");
        talk.packet += 10_000;
        talk.data(End::A, 9, Some(18), b"");
        assert_eq!(talk.log.counts.len(), 1);
        talk.packet += 10_000;
    };
    for (at, bytes, n_flows) in [
        (6, b"ask".as_slice(), 2),
        (6, b"ask more", 1),
        (u32::MAX - 5, b"asked ask", 1),
    ] {
        let mut talk = Talk::new();
        over(&mut talk);
        let seq = ISN.wrapping_add(1).wrapping_add(at);
        let ack = Some(ISN.wrapping_add(7));
        talk.send(End::A, seq, ack, Flags::PSH, bytes);
        assert_eq!(talk.end().flows.len(), n_flows, "{at}");
    }
    // What the other end has said was never acknowledged.
    let mut talk = Talk::new();
    for n in 0..3 {
        talk.data(End::B, n * 6, Some(9), b"answer");
    }
    talk.send(End::A, ISN.wrapping_add(1), None, Flags::PSH, b"askaskask");
    talk.send(End::A, ISN.wrapping_add(10), None, Flags::RST, b"");
    talk.packet += 10_000;
    talk.data(End::A, 9, None, b"");
    assert_eq!(talk.log.counts.len(), 1);
    talk.packet += 10_000;
    let ack = Some(ISN.wrapping_sub(20));
    talk.send(End::A, ISN.wrapping_add(1), ack, Flags::PSH, b"ask");
    assert_eq!(talk.end().flows.len(), 1);
}
