//! Whole frames in lines of a log.

use super::*;

/// A heartbeat request, version 0, with its size.
const FRAME: &str = "00000015000c0000000000070001630001670000000500016d";

#[test]
fn numbers_of_a_log_line_are_no_part_of_a_whole_frame_in_it() {
    for before in [
        "conn=17 ",
        "[17] ",
        "#17 ",
        "17: ",
        "n=5: ",
        "[001] ",
        "port 9092: ",
        "10.0.0.12:9092 -> 10.0.0.7:51234 ",
        "time=2026-11-29T18:11:02Z level=debug conn=17 bytes=28 raw=",
        "<134>1 2026-11-29T18:11:02.001Z host kafka 1234 - - ",
    ] {
        let expected = [bytes_of(FRAME), bytes_of(FRAME)];
        let once = format!("{before}{FRAME}");
        assert_eq!(parts(&once), expected[..1], "{before}");
        let twice = format!("{before}{FRAME}\nretry 2 of 5\n{before}{FRAME}\n");
        assert_eq!(parts(&twice), expected, "{before}");
    }
}

#[test]
fn pairs_of_a_log_line_that_are_a_whole_frame_are_a_message() {
    let pairs: Vec<&str> = (0..FRAME.len() / 2)
        .map(|idx| &FRAME[2 * idx..2 * idx + 2])
        .collect();
    let frame = pairs.join(" ");
    for before in [
        "fd=17 ",
        "worker-01 ",
        "kafka 3.7.0 against 4.1.1: ",
        "10.0.0.1:9092 > ",
        "2026/03/02 12:01:33 [debug] 31#31: *1 ",
        "leader epoch 0x00000001\n",
        "connecting to 10.0.0.1:9092\nwrote: ",
    ] {
        assert_eq!(
            parts(&format!("{before}{frame}")),
            [bytes_of(FRAME)],
            "{before}"
        );
    }
    // A byte of the frame is missing, and one is too much.
    for torn in [
        format!("fd=17 {}", pairs[1..].join(" ")),
        format!("fd=17 {frame} 00"),
    ] {
        assert_ne!(parts(&torn), [bytes_of(FRAME)], "{torn}");
    }
}

#[test]
fn several_frames_of_a_line_are_read() {
    let both = format!("port 9092: {FRAME}{FRAME}");
    assert_eq!(parts(&both), [bytes_of(&format!("{FRAME}{FRAME}"))]);
    let apart = format!("n=5 sent={FRAME} got={FRAME} in 12ms");
    assert_eq!(parts(&apart), [bytes_of(FRAME), bytes_of(FRAME)]);
}

#[test]
fn bytes_are_those_that_the_line_counts() {
    let body = &FRAME[8..];
    for line in [
        "Received 21 bytes from 127.0.0.1:9092: BODY",
        "ts=2026-03-02T12:01:33.000Z conn=17 bytes=21 hex=BODY took=12ms",
        "conn 12: read 21B BODY",
    ] {
        assert_eq!(
            parts(&line.replace("BODY", body)),
            [bytes_of(body)],
            "{line}"
        );
    }
}

#[test]
fn where_other_bytes_stand_beside_it_a_frame_is_not_all() {
    let mixed = format!("first {FRAME}\nthen 00 12 00 03 00 00 00 01 00 01 61\n");
    assert_ne!(parts(&mixed), [bytes_of(FRAME)]);
    let behind = format!("{FRAME}\n\n00000000\n");
    assert_eq!(parts(&behind).len(), 2);
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    let pair = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(pair).collect()
}
