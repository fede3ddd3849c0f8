//! Numbers and frames of other protocols that look like messages, and what is one behind them.

use super::remains::{metadata, no_topics};
use super::*;

/// Whether anything of a stream was taken for Kafka, however it is cut and whoever sent it.
fn is_taken(bytes: &[u8]) -> bool {
    [7, 100, 1448].into_iter().any(|len| {
        [true, false].into_iter().any(|from_client| {
            let mut talk = Talk::joined();
            for segment in bytes.chunks(len) {
                match from_client {
                    true => talk.ask(segment),
                    false => talk.answer(segment),
                }
            }
            talk.end().iter().any(|name| name.starts_with("client"))
        })
    })
}

#[test]
fn numbers_are_no_messages() {
    // Of eight bytes that count, some are requests to produce nothing.
    let counting: Vec<u8> = (0..2_000_u64).flat_map(u64::to_be_bytes).collect();
    assert!(!is_taken(&counting));
    assert!(!is_taken(&counting[4..]));
    // A request to produce nothing that fits, and one that says that there is much more.
    let nothing = request(0, 0, 20, "", &[0, 0, 0, 0, 0, 21, 0, 0, 0, 0]);
    let more = [
        &[0x1a, 0, 0, 0][..],
        &[0, 0, 0, 0, 0, 0, 0, 22, 0, 0, 0, 0, 0, 0, 0, 23],
    ]
    .concat();
    assert!(!is_taken(&[nothing.clone(), more].concat()));
    let mut whole = Talk::whole();
    whole.hints.initiator = None;
    whole.ask(&request(0, 0, 0, "", &[0, 0, 0, 0, 0, 9, 0, 0, 0, 0]));
    assert!(!whole.end().iter().any(|name| name.starts_with("client")));
}

/// DeleteTopics version 0 with a topic for each error.
fn deleted(correlation_id: i32, name: &str, errors: &[u16]) -> Vec<u8> {
    let mut body = (errors.len() as u32).to_be_bytes().to_vec();
    for error in errors {
        body.extend((name.len() as u16).to_be_bytes());
        body.extend(name.as_bytes());
        body.extend(error.to_be_bytes());
    }
    response(correlation_id, &body)
}

/// How many messages there are among answers alone.
fn n_answers(frames: impl Iterator<Item = Vec<u8>>) -> usize {
    let mut talk = Talk::joined();
    frames.for_each(|frame| talk.answer(&frame));
    let found = talk.end();
    let is_response = |name: &&String| name.starts_with("response");
    found.iter().filter(is_response).count()
}

#[test]
fn values_that_no_broker_sends_are_no_evidence() {
    let numbers = [183, 4711, 12, 999, 170, 3000, 36, 512];
    assert_eq!(n_answers((5..25).map(|id| deleted(id, "", &numbers))), 0);
    assert_eq!(n_answers((5..25).map(|id| deleted(id, "", &[3; 8]))), 0);
    assert_eq!(
        n_answers((5..25).map(|id| deleted(id, "o\x01", &[3; 8]))),
        0
    );
    assert_eq!(
        n_answers((5..25).map(|id| deleted(id, "orders", &[3; 8]))),
        20
    );
    // An error that brokers will have one day is no reason to doubt.
    assert_eq!(
        n_answers((5..25).map(|id| deleted(id, "orders", &[141; 8]))),
        20
    );
}

#[test]
fn a_negative_number_in_front_of_all_frames_is_no_id() {
    // Framed Thrift: a version with its highest bit set, the name of what was called, its number.
    let reply = |seq: i32| {
        let call = b"\0\0\0\x04ping";
        response(
            -0x7ffe_fffe,
            &[&call[..], &seq.to_be_bytes(), &[8, 0, 0, 0, 0, 0, 7, 0]].concat(),
        )
    };
    assert_eq!(n_answers((1..60).map(reply)), 0);
    assert_eq!(
        n_answers((1..60).map(|seq| deleted(-9 - seq % 2, "orders", &[3; 8]))),
        59
    );
}

#[test]
fn the_end_of_a_cut_response_begins_none() {
    // What a member is assigned, behind the end of a segment, with its length in front.
    for id in [196_608_u32, 0] {
        let mut talk = Talk::whole();
        talk.ask(&metadata(5));
        talk.answer(&no_topics(5));
        talk.ask(&request(14, 3, 6, "app", &[0xc5; 40]));
        talk.b.lose(9);
        let assigned = [
            &id.to_be_bytes()[..],
            b"\0\x02\0\x06orders\0\0\0\x01\0\0\0\x02",
        ]
        .concat();
        talk.answer(&sized(&assigned));
        talk.ask(&metadata(7));
        talk.answer(&no_topics(7));
        let found = talk.end();
        let responses = found.iter().filter(|name| name.starts_with("response"));
        assert_eq!(responses.count(), 2, "{found:?}");
    }
}

#[test]
fn answers_behind_a_token_are_found_without_the_client() {
    // SaslHandshake version 0, an empty token, and answers to Metadata.
    let mut talk = Talk::whole();
    talk.answer(&response(1, b"\0\0\0\0\0\x01\0\x05PLAIN"));
    talk.answer(&[0; 4]);
    for id in 2..6 {
        talk.answer(&deleted(id, "orders", &[0, 3, 0]));
    }
    let found = talk.end();
    let responses = found.iter().filter(|name| name.starts_with("response"));
    assert_eq!(responses.count(), 4, "{found:?}");
}

#[test]
fn an_answer_behind_tokens_is_none_though_its_question_is_lost() {
    let mut talk = Talk::whole();
    talk.ask(&request(17, 0, 1, "app", b"\0\x05PLAIN"));
    talk.answer(&response(1, b"\0\0\0\0\0\x01\0\x05PLAIN"));
    talk.ask(&sized(b"\0user\0secret"));
    talk.answer(&sized(b""));
    talk.a.lose(21);
    talk.answer(&no_topics(2));
    talk.ask(&metadata(3));
    talk.answer(&no_topics(3));
    let found = talk.end();
    let tokens = found.iter().filter(|name| name.starts_with("token"));
    assert_eq!(tokens.count(), 2, "{found:?}");
    let responses = found.iter().filter(|name| name.starts_with("response"));
    assert_eq!(responses.count(), 3, "{found:?}");
    // What goes on with tokens has no id that counts.
    let mut talk = Talk::whole();
    talk.ask(&request(17, 0, 1, "app", b"\0\x0dSCRAM-SHA-256"));
    talk.answer(&response(1, b"\0\0\0\0\0\x01\0\x0dSCRAM-SHA-256"));
    talk.a.lose(40);
    talk.answer(&sized(
        b"r=fyko+d2lbbFgONRv9qkxdawL,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    ));
    let found = talk.end();
    assert!(
        found.iter().any(|name| name.starts_with("token")),
        "{found:?}"
    );
}

#[test]
fn no_frame_is_walked_over_again_and_again() {
    let counting: Vec<u8> = (0..20_000_u32).flat_map(u32::to_be_bytes).collect();
    let beats: Vec<u8> = (1..6_000).flat_map(|id| response(id, &[0, 0])).collect();
    let rows: Vec<u8> = (0..3_000_u32)
        .flat_map(|n| {
            [
                b"\0\x03\0\0\0\x04",
                &(n % 60).to_be_bytes()[..],
                b"\0\0\0\x02ab",
            ]
            .concat()
        })
        .collect();
    for bytes in [counting, beats, rows] {
        for len in [7, 1448] {
            let mut talk = Talk::joined();
            bytes.chunks(len).for_each(|segment| talk.answer(segment));
            let n_seen = talk.b.n_seen / bytes.len();
            assert!(n_seen < 1_000, "{len}: each byte {n_seen} times");
        }
    }
}
