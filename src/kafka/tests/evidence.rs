//! What is enough to call bytes messages, and what is not.

use super::*;

/// A stream of a broker of which the client's side is not in the capture.
fn served(frames: &[Vec<u8>]) -> Vec<String> {
    let mut talk = Talk::joined();
    for frame in frames {
        talk.answer(frame);
    }
    talk.end()
}

fn n_responses(found: &[String]) -> usize {
    let is_response = |name: &&String| name.starts_with("response");
    found.iter().filter(is_response).count()
}

/// FindCoordinator version 0: error, node, host, port.
fn coordinator(correlation_id: i32) -> Vec<u8> {
    let body = b"\0\0\0\0\0\x01\0\x10broker-1.example\0\0\x23\x84";
    response(correlation_id, body)
}

#[test]
fn numbered_frames_of_which_some_fit_are_another_protocol() {
    let frame = |id: i32| match id % 3 {
        // As a heartbeat it fits, and as the answer to one again.
        0 => response(id, &[0, 0]),
        1 => response(id, &[0; 26]),
        _ => response(id, &[0xc5; 31]),
    };
    for first in 0..3 {
        let frames: Vec<_> = (first..first + 60).map(frame).collect();
        assert_eq!(n_responses(&served(&frames)), 0, "from {first}");
    }
    // Those that fit are many in a row, and begin behind one that does not.
    let mut frames = vec![frame(2), frame(5)];
    frames.extend((6..40).map(|id| response(id, &[0, 0])));
    assert_eq!(n_responses(&served(&frames)), 0);
}

#[test]
fn responses_alone_are_found_if_they_have_something_to_say() {
    let frames: Vec<_> = (10..14).map(coordinator).collect();
    assert_eq!(n_responses(&served(&frames)), 4);
    // Ids at random say nothing; then the content has to.
    let frames = [981, 20_555, 7, 1_000_077].map(coordinator);
    assert_eq!(n_responses(&served(&frames)), 4);
    let beats: Vec<_> = (3..30).map(|id| response(id, &[0, 0])).collect();
    assert_eq!(n_responses(&served(&beats)), 27);
    assert_eq!(n_responses(&served(&beats[..8])), 0);
}

#[test]
fn responses_alone_are_found_behind_a_hole_in_the_first() {
    let mut talk = Talk::whole();
    talk.answer(&coordinator(0)[..20]);
    talk.b.lose(coordinator(0).len() - 20);
    for id in 1..5 {
        talk.answer(&coordinator(id));
    }
    assert_eq!(n_responses(&talk.end()), 4);
}

#[test]
fn responses_are_found_where_only_scraps_of_requests_are_left() {
    let mut talk = Talk::joined();
    for id in 1..9 {
        let asked = heartbeat(id);
        talk.ask(&asked[..5]);
        talk.a.lose(asked.len() - 9);
        talk.ask(&asked[asked.len() - 4..]);
        talk.answer(&coordinator(id));
    }
    assert_eq!(n_responses(&talk.end()), 8);
}

#[test]
fn responses_with_one_id_are_found_again_behind_a_hole() {
    let mut talk = Talk::joined();
    for n in 0..12 {
        match n {
            5 => {
                talk.b.lose(coordinator(7).len() + 9);
                talk.answer(&coordinator(7)[9..]);
            }
            _ => talk.answer(&coordinator(7)),
        }
    }
    assert_eq!(n_responses(&talk.end()), 11);
}

#[test]
fn zeros_are_no_request_and_an_empty_list_no_list() {
    let mut talk = Talk::whole();
    talk.ask(&sized(&[0; 20]));
    talk.ask(&sized(&[0, 0, 0, 1, 9, 9]));
    assert_eq!(talk.end(), ["unknown Some(20)"]);

    let mut talk = Talk::whole();
    talk.answer(&response(0, &[0; 6]));
    talk.answer(&response(1, &[0x33; 40]));
    assert_eq!(n_responses(&talk.end()), 0);
}

#[test]
fn cut_fetch_responses_are_no_produce_requests() {
    // Fetch 0: one topic, whose count and name look like a correlation id and a client id.
    let cut = |talk: &mut Talk, id: i32| {
        let body = [b"\0\0\0\x01\0\x06orders\0\0\0\x01", &[7; 400][..]].concat();
        let frame = response(id, &body);
        talk.answer(&frame[..100]);
        talk.b.lose(frame.len() - 100);
        talk.drive();
    };
    let mut talk = Talk::joined();
    for id in 1..6 {
        cut(&mut talk, id);
    }
    assert_eq!(
        talk.end()
            .iter()
            .filter(|name| name.starts_with("request"))
            .count(),
        0
    );

    // Produce requests that are cut as well count their ids elsewhere.
    let mut talk = Talk::joined();
    for id in 1..6 {
        let frame = request(0, 2, id, "app", &[&b"\0\x01"[..], &[7; 400][..]].concat());
        talk.ask(&frame[..100]);
        talk.a.lose(frame.len() - 100);
        talk.drive();
    }
    let found = talk.end();
    let n_requests = found
        .iter()
        .filter(|name| name.starts_with("request"))
        .count();
    assert_eq!(n_requests, 5, "{found:?}");
}

#[test]
fn one_id_for_all_is_paired_by_who_waits() {
    // The answer to the second question is lost, then the third question: its answer is to none.
    let mut talk = Talk::whole();
    let list = request(16, 0, 7, "app", b"");
    talk.ask(&heartbeat(7));
    talk.answer(&response(7, &[0, 0]));
    talk.ask(&list);
    talk.b.lose(20);
    talk.drive();
    talk.a.lose(heartbeat(7).len());
    talk.answer(&response(7, &[0, 0]));
    talk.ask(&heartbeat(7));
    talk.answer(&response(7, &[0, 27]));
    let responses: Vec<_> = talk
        .end()
        .into_iter()
        .filter(|name| name.starts_with("response"))
        .collect();
    assert_eq!(
        responses,
        [
            "response #7 10/10 to 0 as 12:0",
            "response #7 10/10 orphan",
            "response #7 10/10 to 3 as 12:0",
        ]
    );
}

#[test]
fn what_is_let_go_undecided_is_said() {
    let mut talk = Talk::joined();
    let mut state = 1u32;
    for _ in 0..5 * 1024 {
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(1024)
        .collect();
        talk.ask(&noise);
    }
    let found = talk.end();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], format!("gave up {} of A", 1 << 20));
    assert!(found[1].starts_with("unknown"));
}

#[test]
fn a_long_request_to_a_broker_is_waited_for_from_the_middle_of_a_stream_on() {
    let topics: u32 = 90_000;
    let mut body = topics.to_be_bytes().to_vec();
    for topic in 0..topics {
        let name = format!("a-topic-with-a-name-of-fifty-characters-{topic:010}");
        body.extend((name.len() as u16).to_be_bytes());
        body.extend(name.as_bytes());
    }
    let frame = request(3, 1, 7, "admin", &body);
    assert!(frame.len() as u64 > limits::MAX_UNDECIDED);
    let found = |server| {
        let mut talk = Talk::joined();
        talk.hints.server = server;
        for segment in frame.chunks(1 << 16) {
            talk.ask(segment);
        }
        talk.end()
    };
    let len = frame.len();
    let whole = format!("request 3:1 #7 {len}/{len}");
    assert_eq!(found(Some(Side::B)), ["client A".to_owned(), whole]);
    assert!(found(None).iter().all(|name| !name.starts_with("request")));
}
