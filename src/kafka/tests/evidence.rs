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
    // Numbers and zeros have nothing to say, however many there are.
    let mut beats: Vec<_> = (3..30).map(|id| response(id, &[0, 0])).collect();
    assert_eq!(n_responses(&served(&beats)), 0);
    beats.insert(0, coordinator(2));
    assert_eq!(n_responses(&served(&beats)), 28);
}

#[test]
fn bytes_that_somebody_counted_are_no_responses() {
    // As answers to SaslAuthenticate version 0 and to SyncGroup version 0 they fit.
    for front in [b"\0\0\0\0\0\0\0 ".as_slice(), b"\0\0\0\0\0 "] {
        let body = [front, &[b'x'; 32]].concat();
        let frames: Vec<_> = (10..40).map(|id| response(id, &body)).collect();
        assert_eq!(n_responses(&served(&frames)), 0, "{front:?}");
    }
}

#[test]
fn one_response_is_enough_if_it_has_much_to_say_and_is_all() {
    // Metadata version 0: a broker, and a topic of one partition.
    let mut body = b"\0\0\0\x01\0\0\0\x07\0\x15broker-7.example.com.\0\0\x23\x84".to_vec();
    body.extend(b"\0\0\0\x01\0\0\0\x06orders\0\0\0\x01\0\0\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\0");
    assert_eq!(n_responses(&served(&[response(4711, &body)])), 1);
    assert_eq!(n_responses(&served(&[coordinator(4711)])), 0);
    // A refusal that lists versions of ApiVersions itself.
    let refusal = response(1, b"\0\x23\0\0\0\x01\0\x12\0\0\0\x02");
    assert_eq!(n_responses(&served(&[refusal])), 1);
}

#[test]
fn a_list_of_apis_is_known_without_its_end() {
    let mut body = vec![0, 0, 0, 0, 0, 40];
    for api_key in 0..40 {
        body.extend([0, api_key, 0, 0, 0, 3]);
    }
    let list = response(1, &body);
    for (seen, n_found) in [(50, 2), (20, 0)] {
        let mut talk = Talk::joined();
        talk.b.push(&list[..seen]);
        talk.b.lose(list.len() - seen);
        talk.drive();
        talk.answer(&response(2, &[0, 0]));
        assert_eq!(n_responses(&talk.end()), n_found, "{seen} bytes");
    }
}

#[test]
fn zeros_are_no_list_of_apis_where_a_stream_begins() {
    for len in 0..60 {
        let mut talk = Talk::whole();
        talk.answer(&response(1, &vec![0; len]));
        talk.answer(&response(2, &[0; 3]));
        assert_eq!(n_responses(&talk.end()), 0, "{len} zeros");
    }
}

#[test]
fn a_server_of_others_may_be_a_client() {
    let mut talk = Talk::joined();
    talk.hints.server = Some(Side::A);
    talk.ask(&heartbeat(5));
    talk.answer(&response(5, &[0, 0]));
    assert_eq!(
        talk.end(),
        [
            "client A",
            "request 12:0 #5 36/36",
            "response #5 10/10 to 0 as 12:0"
        ]
    );
}

#[test]
fn an_answer_whose_id_is_zero_is_no_request_to_produce_nothing() {
    // OffsetCommit version 0 for one partition; as a request, its topic is the name of a client.
    let committed = response(0, b"\0\0\0\x01\0\x06orders\0\0\0\x01\0\0\0\0\0\0");
    let mut talk = Talk::joined();
    for _ in 0..4 {
        talk.answer(&committed);
    }
    assert!(talk.end().iter().all(|name| !name.starts_with("request")));
}

#[test]
fn responses_alone_are_found_behind_a_hole_in_the_first() {
    let mut talk = Talk::whole();
    talk.answer(&coordinator(0)[..20]);
    talk.b.lose(coordinator(0).len() - 20);
    for id in 1..5 {
        talk.answer(&coordinator(id));
    }
    // The size of the first leads to the second.
    assert_eq!(n_responses(&talk.end()), 5);
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

/// A response that only says whether something worked: throttle time, error code.
fn outcome(id: i32, error: u8) -> Vec<u8> {
    response(id, &[0, 0, 0, 0, 0, error])
}

#[test]
fn many_outcomes_that_count_up_are_responses() {
    let beats = |n| (3..3 + n).map(|id| outcome(id, 0)).collect::<Vec<_>>();
    assert_eq!(n_responses(&served(&beats(100))), 0);
    assert_eq!(n_responses(&served(&beats(200))), 200);
    // A rebalance now and then; those of flexible versions are longer, and need it.
    let flexible = |id: i32, error| response(id, &[0, 0, 0, 0, 0, 0, error, 0]);
    let frames: Vec<_> = (0..200).map(|id| flexible(id, 0)).collect();
    assert_eq!(n_responses(&served(&frames)), 0);
    let error = |id: i32| if id % 50 == 49 { 27 } else { 0 };
    let frames: Vec<_> = (0..200).map(|id| flexible(id, error(id))).collect();
    assert_eq!(n_responses(&served(&frames)), 200);
    // One that has something to say is worth many.
    let mut frames = beats(20);
    frames.push(coordinator(23));
    assert_eq!(n_responses(&served(&frames)), 21);
    // Those in front of a hole are found as well.
    let mut talk = Talk::joined();
    for id in 0..10 {
        talk.answer(&outcome(id, 0));
    }
    talk.b.lose(28);
    for id in 12..60 {
        talk.answer(&outcome(id, if id == 40 { 27 } else { 0 }));
    }
    assert_eq!(n_responses(&talk.end()), 58);
}

#[test]
fn numbered_frames_of_other_protocols_are_no_responses() {
    let n = 300;
    let all = |body: &dyn Fn(i32) -> Vec<u8>| -> Vec<Vec<u8>> {
        (0..n).map(|id| response(id, &body(id))).collect()
    };
    let of_type = |kind: i32| all(&move |id| [kind.to_be_bytes(), id.to_be_bytes()].concat());
    let decoys = [
        // Empty, a count, a time, a code of another table, a status in two bytes, text.
        ("empty", all(&|_| Vec::new())),
        ("status", all(&|_| vec![0, 0])),
        ("zeros", all(&|_| vec![0; 8])),
        (
            "count",
            all(&|id| [&[0; 4], &id.to_be_bytes()[..]].concat()),
        ),
        (
            "short count",
            all(&|id| [&[0; 4], &id.to_be_bytes()[2..]].concat()),
        ),
        (
            "time",
            all(&|id| (1_700_000_000_000 + i64::from(id)).to_be_bytes().to_vec()),
        ),
        ("code", all(&|id| vec![0, 0, 0, 0, 0, (id % 7) as u8])),
        (
            "codes",
            all(&|id| vec![0, 0, 0, 0, 0, if id % 2 == 0 { 0 } else { 27 }]),
        ),
        (
            "rare codes",
            all(&|id| vec![0, 0, 0, 0, 0, if id % 60 == 9 { 5 } else { 0 }]),
        ),
        ("text", all(&|id| format!("tick {id}").into_bytes())),
        ("types", of_type(1)),
        (
            "pings",
            (0..n).map(|_| response(7, &[0, 0, 0, 0, 0, 0])).collect(),
        ),
        ("back", (0..n).rev().map(|id| outcome(id, 0)).collect()),
        ("leaps", (0..n).map(|id| outcome(id * 100, 0)).collect()),
    ];
    for (name, frames) in decoys {
        assert_eq!(n_responses(&served(&frames)), 0, "{name}");
    }
    // Where the other end speaks as well, and no Kafka, outcomes say nothing.
    let mut talk = Talk::joined();
    for id in 0..n {
        talk.ask(&response(id, &[9, 9, 9, 9, 9]));
        talk.answer(&outcome(id, 0));
    }
    assert_eq!(n_responses(&talk.end()), 0);
}

#[test]
fn what_leads_to_the_first_certain_message_is_a_message() {
    // Requests without a client id say little, until they follow one another.
    let nameless = |id: i32| request(10, 0, id, "", b"\0\x05group");
    let mut talk = Talk::joined();
    talk.ask(&nameless(0));
    talk.ask(&nameless(0));
    talk.ask(&nameless(0));
    talk.ask(&request(10, 0, 1, "client", b"\0\x05group"));
    let found = talk.end();
    let is_request = |name: &&String| name.starts_with("request");
    assert_eq!(found.iter().filter(is_request).count(), 4, "{found:?}");
    // A response that no definition consumes, right in front of one that is sure.
    let mut frames = vec![response(4, &[0xc5; 9])];
    frames.extend((5..9).map(coordinator));
    assert_eq!(n_responses(&served(&frames)), 5);
}

#[test]
fn what_is_none_does_not_hide_the_messages_behind_it() {
    // Sizes lead over all of them to lost bytes; the id of one does not count up.
    for (bad, n_found) in [(900, 7), (2, 8)] {
        let mut talk = Talk::joined();
        for id in [bad, 3, 4, 5] {
            talk.answer(&response(id, &[0, 0]));
        }
        talk.b.lose(28);
        for id in 8..12 {
            talk.answer(&coordinator(id));
        }
        assert_eq!(n_responses(&talk.end()), n_found, "{bad}");
    }
    // Many that are none lead to the same messages, which start no segment; another one that leads
    // to them does.
    let mut talk = Talk::joined();
    for n_between in (0..8u32).rev() {
        let size = 8 + 12 * n_between + 10;
        let front = [size.to_be_bytes(), 900u32.to_be_bytes(), [0x11; 4]];
        talk.answer(&front.concat());
    }
    let messages: Vec<_> = (2..6).flat_map(|id| response(id, &[0, 0])).collect();
    talk.answer(&messages);
    talk.b.lose(28);
    for id in 8..12 {
        talk.answer(&coordinator(id));
    }
    assert_eq!(n_responses(&talk.end()), 8);
}

#[test]
fn a_message_that_holds_outcomes_is_found_once_it_has_ended() {
    // Metadata version 0: a broker, whose host begins a segment of its own.
    let outcomes: Vec<u8> = (5..25).flat_map(|id| outcome(id, 0)).collect();
    let mut body = b"\0\0\0\x01\0\0\0\x07".to_vec();
    body.extend((outcomes.len() as u16).to_be_bytes());
    let head = body.len() + 8;
    body.extend(&outcomes);
    body.extend(b"\0\0\x23\x84\0\0\0\x01\0\0\0\x15orders-of-the-region-\0\0\0\0");
    let frame = response(1, &body);
    let (front, back) = frame.split_at(head);
    let (middle, back) = back.split_at(outcomes.len());
    let found = served(&[
        front.to_vec(),
        middle.to_vec(),
        back.to_vec(),
        coordinator(2),
    ]);
    assert_eq!(n_responses(&found), 2, "{found:?}");
}

#[test]
fn a_longer_outcome_in_front_is_not_forgotten() {
    // Zeros alone are believed only where all are short.
    for (len, n_found) in [(6, 150), (8, 0)] {
        let mut frames = vec![response(0, &vec![0; len])];
        frames.extend((1..150).map(|id| outcome(id, 0)));
        assert_eq!(n_responses(&served(&frames)), n_found, "{len}");
    }
}
