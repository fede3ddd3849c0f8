//! Connections of which little was captured, and what the other end's bytes say of it.

use super::*;

/// Metadata version 1: all topics.
pub(super) fn metadata(correlation_id: i32) -> Vec<u8> {
    request(3, 1, correlation_id, "app", &[0xff; 4])
}

/// Its answer: no broker, a controller, a topic that does not exist.
pub(super) fn no_topics(correlation_id: i32) -> Vec<u8> {
    let body = b"\0\0\0\0\0\0\0\x07\0\0\0\x01\0\x03\0\x06orders\0\0\0\0\0";
    response(correlation_id, body)
}

/// ApiVersions version 0: the versions of one API more than anybody takes for an accident.
fn api_versions(correlation_id: i32) -> Vec<u8> {
    let mut body = vec![0, 0, 0, 0, 0, 14];
    for api_key in 0..14 {
        body.extend([0, api_key, 0, 0, 0, 3]);
    }
    response(correlation_id, &body)
}

/// Whether anything of a connection was taken for Kafka.
fn is_kafka(found: &[String]) -> bool {
    found.iter().any(|name| name.starts_with("client"))
}

#[test]
fn what_follows_a_lost_beginning_is_found_though_nothing_more_comes() {
    // All of it is delivered when the capture ends.
    let mut talk = Talk::whole();
    talk.a.lose(67);
    talk.b.lose(287);
    talk.a.push(&metadata(2));
    talk.b.push(&no_topics(2));
    assert_eq!(
        talk.end(),
        [
            "client A",
            "request 3:1 #2 21/21",
            "lost B",
            "response #2 35/35 to 0 as 3:1"
        ]
    );
}

#[test]
fn the_answer_to_a_lost_question_is_found() {
    let mut talk = Talk::whole();
    talk.a.lose(25);
    talk.drive();
    talk.answer(&api_versions(0));
    assert_eq!(talk.end(), ["client A", "response #0 98/98 orphan"]);
}

#[test]
fn a_known_broker_is_believed_beside_a_client_of_whom_no_request_is_whole() {
    for server in [None, Some(Side::B)] {
        let mut talk = Talk::joined();
        talk.hints.server = server;
        // The middle of a long request.
        talk.ask(&[0x5a; 3000]);
        talk.answer(&no_topics(7));
        assert_eq!(is_kafka(&talk.end()), server.is_some());
    }
}

#[test]
fn what_a_client_has_said_is_remembered() {
    // Of another protocol are small frames with numbers, and its client has said so before any of
    // its bytes were let go.
    for body in [b"\0\0".as_slice(), b"\0\0\0\0\0\0", b"\0\0\0\0\0\0OK"] {
        let mut talk = Talk::whole();
        for id in 0..60 {
            talk.ask(&response(id, &[b"\0\0\0\x08", body].concat()));
            talk.answer(&response(id, body));
        }
        assert!(!is_kafka(&talk.end()), "{body:?}");
    }
}

#[test]
fn zeros_are_the_answer_to_no_request() {
    // As a request the first frame asks to produce nothing, and as a response nothing was produced.
    let mut talk = Talk::whole();
    for id in 0..40 {
        talk.ask(&response(id, &[0; 4]));
        talk.answer(&response(id, &[0; 4]));
    }
    assert!(!is_kafka(&talk.end()));
}

#[test]
fn zeros_alone_are_no_responses() {
    for len in [2, 4, 6, 8, 12] {
        let mut talk = Talk::joined();
        for id in 1..40 {
            talk.answer(&response(id, &vec![0; len]));
        }
        assert!(!is_kafka(&talk.end()), "{len} zeros");
    }
}

#[test]
fn an_answer_is_not_given_to_a_question_that_came_later() {
    // One id for all, as controllers have it, and the first question was not captured.
    let mut talk = Talk::joined();
    talk.answer(&no_topics(9));
    talk.ask(&heartbeat(9));
    talk.answer(&response(9, &[0, 0]));
    talk.ask(&heartbeat(9));
    talk.answer(&response(9, &[0, 0]));
    assert_eq!(
        talk.end(),
        [
            "client A",
            "request 12:0 #9 36/36",
            "response #9 35/35 orphan",
            "response #9 10/10 to 0 as 12:0",
            "request 12:0 #9 36/36",
            "response #9 10/10 to 2 as 12:0",
        ]
    );
}

#[test]
fn an_answer_in_the_middle_of_segments_is_found_in_front_of_a_hole() {
    let mut talk = Talk::whole();
    for id in 1..4 {
        talk.ask(&metadata(id));
    }
    talk.b.lose(35);
    // Its first byte ends a segment, and what follows it is lost.
    let second = no_topics(2);
    talk.answer(&[b"\xc5\xc5\xc5", &second[..1]].concat());
    talk.answer(&second[1..20]);
    talk.answer(&[&second[20..], b"\0\0"].concat());
    talk.b.lose(33);
    let found = talk.end();
    let is_answer = |name: &&String| name.starts_with("response #2") && name.contains(" to 1 ");
    assert_eq!(found.iter().filter(is_answer).count(), 1, "{found:?}");
}
