//! Segments of a few bytes, as a sender of single bytes or a small window makes them: what is looked
//! at again has to be bounded by what has come.

use super::*;

/// Bytes that nothing can be read from.
fn noise(n: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..n).map(next).collect()
}

/// Produce version 3 with so many bytes that are no records.
fn produce(n: usize) -> Vec<u8> {
    let front = b"\xff\xff\0\x01\0\0\x75\x30\0\0\0\x01\0\x06orders\0\0\0\x01\0\0\0\0";
    let body = [front, &(n as u32).to_be_bytes()[..], &noise(n)].concat();
    request(0, 3, 5, "app", &body)
}

/// How often, and how many bytes, are looked at for each segment of `len` bytes.
fn looks(bytes: &[u8], len: usize, from_client: bool) -> (usize, usize) {
    let mut talk = Talk::joined();
    for segment in bytes.chunks(len) {
        match from_client {
            true => talk.ask(segment),
            false => talk.answer(segment),
        }
    }
    let n_segments = bytes.len().div_ceil(len);
    (
        (talk.a.n_looks + talk.b.n_looks) / n_segments,
        (talk.a.n_seen + talk.b.n_seen) / n_segments,
    )
}

#[test]
fn a_message_whose_beginning_is_missing_is_not_walked_anew_with_each_segment() {
    let tail = &produce(100_000)[1_000..];
    for len in [1, 7] {
        for from_client in [true, false] {
            let (n_looks, n_seen) = looks(tail, len, from_client);
            assert!(n_looks < 60, "{len}, {from_client}: {n_looks} looks");
            assert!(n_seen < 1_000, "{len}, {from_client}: {n_seen} bytes");
        }
    }
}

#[test]
fn a_whole_message_is_looked_at_a_few_times() {
    for len in [1, 7] {
        let mut talk = Talk::joined();
        let asked = produce(50_000);
        for segment in asked.chunks(len) {
            talk.ask(segment);
        }
        // What may answer it comes in pieces as well.
        for byte in response(5, &noise(2_000)) {
            talk.answer(&[byte]);
        }
        let n_segments = asked.len() / len + 2_000;
        let n_seen = (talk.a.n_seen + talk.b.n_seen) / n_segments;
        assert!(n_seen < 1_000, "{len}: {n_seen} bytes a segment");
    }
}

#[test]
fn small_segments_hide_nothing() {
    let version_0 = b"\0\0\0\x01\0\x06orders";
    for len in [1, 2, 3, 7, 50] {
        let mut talk = Talk::joined();
        for id in 0..40 {
            for segment in request(3, 0, id, "app", version_0).chunks(len) {
                talk.ask(segment);
            }
            let broker = b"\0\0\0\x01\0\0\0\x01\0\x07broker1\0\0\x23\x84\0\0\0\0";
            for segment in response(id, broker).chunks(len) {
                talk.answer(segment);
            }
        }
        let found = talk.end();
        let n = |start: &str| found.iter().filter(|name| name.starts_with(start)).count();
        assert_eq!((n("request"), n("response")), (40, 40), "{len}");
        assert!(!found.iter().any(|name| name.ends_with("orphan")), "{len}");
    }
}

#[test]
fn a_client_that_was_a_server_elsewhere_is_known_by_single_bytes() {
    let mut talk = Talk::joined();
    talk.hints.server = Some(Side::A);
    for byte in heartbeat(5) {
        talk.ask(&[byte]);
    }
    talk.answer(&response(5, &[0, 0]));
    let found = talk.end();
    assert_eq!(found[0], "client A", "{found:?}");
}
