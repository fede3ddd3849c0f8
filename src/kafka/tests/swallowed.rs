//! Responses whose sizes are damaged, and what is behind them.

use super::*;

/// FindCoordinator version 0, and the answer.
fn coordinator(id: i32) -> [Vec<u8>; 2] {
    let broker = b"\0\0\0\0\0\x01\0\x08broker-1\0\0\x23\x84";
    [request(10, 0, id, "app", b"\0\x01g"), response(id, broker)]
}

fn beat(id: i32) -> [Vec<u8>; 2] {
    [heartbeat(id), response(id, &[0, 0])]
}

/// The responses that are found where the first of these has another size, all of the answers in
/// segments of so many bytes.
fn answers(exchanges: &[[Vec<u8>; 2]], size: u32, len: usize) -> Vec<String> {
    let mut talk = Talk::whole();
    for [asked, _] in exchanges {
        talk.ask(asked);
    }
    let mut bytes: Vec<u8> = exchanges
        .iter()
        .flat_map(|[_, answer]| answer.clone())
        .collect();
    bytes[..4].copy_from_slice(&size.to_be_bytes());
    for segment in bytes.chunks(len) {
        talk.answer(segment);
    }
    let found = talk.end();
    let responses = found
        .into_iter()
        .filter(|name| name.starts_with("response"));
    responses.collect()
}

#[test]
fn a_damaged_size_swallows_no_sound_response() {
    let exchanges = [coordinator(1), beat(2), coordinator(3), beat(4)];
    let first = exchanges[0][1].len() as u32 - 4;
    // Over all of the next one, a part of it, into the one after, and further than anything.
    for more in [10, 3, 15, 43, 46, 5_000, 0x0100_0000] {
        for len in [1, 7, 28, 10_000] {
            let expected = [
                "response #1 28/28 to 0 as 10:0",
                "response #2 10/10 to 1 as 12:0",
                "response #3 28/28 to 2 as 10:0",
                "response #4 10/10 to 3 as 12:0",
            ];
            assert_eq!(
                answers(&exchanges, first + more, len),
                expected,
                "{more} more, {len} bytes a segment"
            );
        }
    }
}

#[test]
fn a_malformed_response_keeps_what_its_size_says() {
    let mut exchanges = [beat(1), beat(2)];
    exchanges[0][1] = response(1, b"what a broker says by mistake, and nothing else");
    let size = exchanges[0][1].len() as u32 - 4;
    for len in [7, 10_000] {
        let found = answers(&exchanges, size, len);
        let expected = [
            format!("response #1 {0}/{0} to 0 as 12:0", size + 4),
            "response #2 10/10 to 1 as 12:0".to_owned(),
        ];
        assert_eq!(found, expected);
    }
}
