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

/// A connection on ports that were used before, of which no beginning was captured.
fn anew(talk: &mut Talk, start: Both<u32>) {
    for n in 0..3u32 {
        let (asked, answered) = (start.a.wrapping_add(n * 3), start.b.wrapping_add(n * 6));
        talk.send(End::A, asked, Some(answered), Flags::PSH, b"ASK");
        talk.send(
            End::B,
            answered,
            Some(asked.wrapping_add(3)),
            Flags::PSH,
            b"ANSWER",
        );
    }
}

#[test]
fn one_number_that_no_sender_comes_to_tells_a_new_connection_after_a_silence() {
    let near = ISN.wrapping_add(5_000_000);
    let behind = ISN.wrapping_sub(1 << 29);
    let beyond = ISN.wrapping_add(3 << 29);
    for (a, b) in [
        (near, behind),
        (behind, near),
        (near, beyond),
        (beyond, near),
    ] {
        for at in [0, 20 << 20] {
            // The stream may have come a long way before.
            let mut talk = Talk::new();
            exchanges(&mut talk);
            let start = Both {
                a: a.wrapping_add(at),
                b,
            };
            talk.packet += 60_000;
            anew(&mut talk, start);
            let log = talk.end();
            assert_eq!(log.flows.len(), 2, "{a:#x} {b:#x}");
            assert_eq!(text(&log.flows[0].a), "askaskask");
            assert_eq!(text(&log.flows[1].a), "ASKASKASK");
            assert_eq!(text(&log.flows[1].b), "ANSWERANSWERANSWER");
        }
    }
}

#[test]
fn what_was_lost_in_a_silence_is_of_the_same_connection() {
    // Much was said by one end, and nothing of it captured.
    let far = ISN.wrapping_add(1 + 18 + (900 << 20));
    let mut talk = Talk::new();
    exchanges(&mut talk);
    talk.packet += 60_000;
    anew(
        &mut talk,
        Both {
            a: ISN.wrapping_add(1 + 9),
            b: far,
        },
    );
    let log = talk.end();
    assert_eq!(log.flows.len(), 1);
    assert_eq!(text(&log.flows[0].a), "askaskaskASKASKASK");
    // A single damaged packet after a silence is nothing.
    let mut talk = Talk::new();
    exchanges(&mut talk);
    talk.packet += 60_000;
    talk.send(
        End::B,
        ISN.wrapping_sub(1 << 29),
        Some(ISN.wrapping_add(10)),
        Flags::PSH,
        b"damaged",
    );
    talk.data(End::B, 18, Some(9), b"more");
    talk.data(End::A, 9, Some(22), b"more");
    assert_eq!(text(&talk.end().flows[0].b), "answeransweranswermore");
}
