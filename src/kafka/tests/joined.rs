//! Connections that were joined in the middle of messages, and what was lost of them.

use crc_fast::{CrcAlgorithm, checksum};

use super::*;

/// Metadata version 1: all topics.
fn metadata(correlation_id: i32) -> Vec<u8> {
    request(3, 1, correlation_id, "app", &[0xff; 4])
}

/// Its answer: a controller, and so many topics that do not exist.
fn topics(correlation_id: i32, n_topics: u8) -> Vec<u8> {
    let mut body = vec![0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, n_topics];
    for _ in 0..n_topics {
        body.extend(b"\0\x03\0\x06orders\0\0\0\0\0");
    }
    response(correlation_id, &body)
}

fn count(found: &[String], word: &str) -> usize {
    found.iter().filter(|name| name.contains(word)).count()
}

#[test]
fn nothing_is_answered_before_it_was_asked() {
    let mut talk = Talk::joined();
    // One id for all: the first question was not captured.
    talk.answer(&topics(0, 1));
    for _ in 0..3 {
        talk.ask(&metadata(0));
        talk.answer(&topics(0, 1));
    }
    let found = talk.end();
    let responses: Vec<_> = found.iter().filter(|name| name.contains("resp")).collect();
    assert_eq!(responses[0], "response #0 35/35 orphan");
    assert_eq!(count(&found, " to "), 3, "{found:?}");
}

#[test]
fn the_rest_of_a_response_is_not_the_answer_to_a_later_question() {
    let mut talk = Talk::joined();
    // What would be a size leads far behind all that was captured, the id is one that is used next.
    talk.answer(b"\0\x04\0\x0e\0\0\0\x04\0\0\x01\0\0\0\0\0\x1a\0\0\0\x04");
    talk.a.push(&metadata(3));
    talk.ask(&metadata(4));
    talk.answer(&topics(3, 1));
    talk.answer(&topics(4, 1));
    let found = talk.end();
    assert_eq!(count(&found, " to "), 2, "{found:?}");
    assert_eq!(count(&found, "35/35"), 2, "{found:?}");
}

#[test]
fn who_is_read_late_was_not_asked_late() {
    let mut talk = Talk::joined();
    // Without a name the second request is needed to tell that the first is one, and it comes
    // behind the answer.
    let beat = request(12, 0, 9, "", b"\0\x05group\0\0\0\x07\0\x06member");
    for _ in 0..4 {
        talk.ask(&beat);
        talk.answer(&response(9, &[0, 0]));
    }
    let found = talk.end();
    assert_eq!(count(&found, " to "), 4, "{found:?}");
}

#[test]
fn an_answer_in_several_segments_is_found_behind_a_lost_one() {
    for lost in [true, false] {
        let mut talk = Talk::whole();
        for id in 1..5 {
            talk.a.push(&metadata(id));
        }
        talk.drive();
        if lost {
            // What comes behind it is not the answer to the request that has waited longest.
            talk.b.lose(topics(1, 1).len());
        } else {
            talk.answer(&topics(1, 1));
        }
        for piece in topics(2, 40).chunks(100) {
            talk.answer(piece);
        }
        talk.answer(&topics(3, 1));
        talk.answer(&topics(4, 1));
        let found = talk.end();
        assert_eq!(count(&found, " to "), 3 + usize::from(!lost), "{found:?}");
    }
}

#[test]
fn answers_of_which_none_starts_a_segment_are_found() {
    let frame = |id| topics(id, 1 + id as u8 % 3);
    let stream: Vec<u8> = (1..60).flat_map(frame).collect();
    for asks in [false, true] {
        for (skipped, n_bytes) in [(20, 333), (20, 7), (40, 61), (110, 1)] {
            let mut talk = Talk::joined();
            if asks {
                for id in 20..60 {
                    talk.a.push(&metadata(id));
                }
                talk.drive();
            }
            for piece in stream[skipped..].chunks(n_bytes) {
                talk.answer(piece);
            }
            let found = talk.end();
            let n_cut = [frame(1).len(), frame(1).len() + frame(2).len()]
                .iter()
                .position(|&end| skipped < end)
                .unwrap()
                + 1;
            let whole = 59 - n_cut;
            let name = format!("{asks} {skipped} {n_bytes}: {found:?}");
            assert_eq!(count(&found, "response #"), whole, "{name}");
        }
    }
}

#[test]
fn what_the_rest_of_a_response_seems_to_begin_hides_nothing() {
    let mut talk = Talk::joined();
    // A size that is waited for, and none of what it would lead to ever comes.
    talk.answer(b"\0\x03\0\0\0\0\0\x01\0\x08orders-7\0\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0");
    for id in 27..46 {
        match id % 3 {
            // The answer to a member that is assigned nothing is nothing but zeros.
            0 => talk.answer(&response(id, &[0; 10])),
            1 => talk.answer(&response(id, &[0, 0, 0, 0, 0, 22])),
            _ => talk.answer(&topics(id, 2)),
        }
    }
    assert_eq!(count(&talk.end(), "response #"), 19);
}

#[test]
fn five_bytes_in_a_segment_are_no_response() {
    let mut talk = Talk::joined();
    talk.answer(&[0, 0, 0, 5, 0, 0, 0, 0, 0]);
    talk.answer(&[0, 11, 0, 0, 46, 0, 0, 0, 0, 0, 0, 26]);
    talk.ask(&metadata(2));
    talk.answer(&topics(2, 1));
    let found = talk.end();
    assert_eq!(count(&found, "response #"), 1, "{found:?}");
}

/// Produce version 10 of one batch with one record, which is also a response to
/// DescribeClientQuotas; `crc` is the checksum of the batch.
fn produce(correlation_id: i32, crc: u32) -> Vec<u8> {
    let mut batch = vec![0; 8];
    batch.extend(56u32.to_be_bytes());
    batch.extend([0, 0, 0, 0, 2]);
    batch.extend(crc.to_be_bytes());
    batch.extend([0; 22]);
    batch.extend([0xff; 14]);
    batch.extend([0, 0, 0, 1]);
    batch.extend([12, 0, 0, 0, 1, 0, 0]);
    let mut body = vec![0, 0, 0xff, 0xff, 0, 0, 0x75, 0x30, 2, 7];
    body.extend(b"orders\x02\0\0\0\0");
    body.push(batch.len() as u8 + 1);
    body.extend(batch);
    body.extend([0, 0, 0]);
    request(0, 10, correlation_id, "oa-prod", &body)
}

/// That of the batch above.
fn crc_of_produce() -> u32 {
    let frame = produce(0, 0);
    let at = frame.len() - 3 - 47;
    checksum(CrcAlgorithm::Crc32Iscsi, &frame[at..frame.len() - 3]) as u32
}

#[test]
fn requests_that_may_be_responses_are_no_responses() {
    let crc = crc_of_produce();
    let catalogue = Catalogue::current();
    assert!(judge::any_response_fits(catalogue, &produce(4, crc)));
    for n_requests in 1..4 {
        let mut talk = Talk::joined();
        for id in 0..n_requests {
            talk.ask(&produce(4 + id, crc));
        }
        let found = talk.end();
        assert_eq!(found[0], "client A", "{n_requests}");
        assert_eq!(count(&found, "request 0:10"), n_requests as usize);
    }
    // Without a right checksum one alone may be anything.
    let mut talk = Talk::joined();
    talk.ask(&produce(4, !crc));
    assert_eq!(count(&talk.end(), "#"), 0);
}

#[test]
fn names_of_clients_need_be_no_text() {
    let mut talk = Talk::joined();
    for id in 7..10 {
        let mut asked = request(3, 1, id, "a?p", &[0xff; 4]);
        asked[15] = 0xff;
        talk.ask(&asked);
        talk.answer(&topics(id, 2));
    }
    let found = talk.end();
    assert_eq!(count(&found, " to "), 3, "{found:?}");
}
