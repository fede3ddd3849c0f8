//! Streams as Wireshark and tshark show them.

use ::base64::Engine as _;

use super::*;

/// A response of Metadata 0 without brokers and topics.
const ANSWER: &[u8] = b"\0\0\0\x0c\0\0\x01\x2c\0\0\0\0\0\0\0\0";

/// What was sent, by whom: the second request goes while the first answer is on its way, and messages
/// begin and end within packets.
fn packets() -> Vec<(usize, Vec<u8>)> {
    let requests = [METADATA, METADATA, &METADATA[..15]].concat();
    let answers = [ANSWER, ANSWER].concat();
    vec![
        (0, requests[..22].to_vec()),
        (1, answers[..7].to_vec()),
        (0, requests[22..40].to_vec()),
        (1, answers[7..21].to_vec()),
        (0, requests[40..].to_vec()),
        (1, answers[21..].to_vec()),
    ]
}

/// The messages in the order in which they end; the last is cut.
fn messages() -> [&'static [u8]; 5] {
    [METADATA, ANSWER, METADATA, ANSWER, &METADATA[..15]]
}

fn title(kind: &str) -> String {
    format!(
        "\n{}\nFollow: tcp,{kind}\nFilter: tcp.stream eq 2\nNode 0: 127.0.0.1:54648\n\
         Node 1: 127.0.0.1:19092\n",
        "=".repeat(67)
    )
}

/// The rows of a hex dump.
fn dump(indent: &str, packets: &[(usize, Vec<u8>)]) -> String {
    let mut paste = String::new();
    let mut sent = [0, 0];
    for (side, bytes) in packets {
        for row in bytes.chunks(16) {
            let indent = if *side == 1 { indent } else { "" };
            let pairs: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
            let (left, right) = pairs.split_at(pairs.len().min(8));
            let pairs = format!("{}  {}", left.join(" "), right.join(" "));
            let text: String = row.iter().map(|byte| shown(*byte)).collect();
            paste += &format!("{indent}{:08X}  {pairs:48}  {text}\n", sent[*side]);
            sent[*side] += row.len();
        }
    }
    paste
}

fn shown(byte: u8) -> char {
    match byte {
        b'!'..=b'~' => char::from(byte),
        _ => '.',
    }
}

fn raw(packets: &[(usize, Vec<u8>)]) -> String {
    let row = |(side, bytes): &(usize, Vec<u8>)| {
        let indent = if *side == 1 { "\t" } else { "" };
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{indent}{digits}\n")
    };
    packets.iter().map(row).collect()
}

fn block(bytes: &[u8]) -> String {
    let digits = ::base64::prelude::BASE64_STANDARD.encode(bytes);
    let rows = digits.as_bytes().chunks(20);
    rows.map(|row| format!("      {}\n", str::from_utf8(row).unwrap()))
        .collect()
}

fn yaml(packets: &[(usize, Vec<u8>)]) -> String {
    let mut paste = "peers:\n  - peer: 0\n    host: 127.0.0.1\n    port: 37460\n  - peer: 1\n    \
                     host: 127.0.0.1\n    port: 9092\npackets:\n"
        .to_owned();
    for (side, bytes) in packets {
        paste += &format!(
            "  - packet: 64\n    peer: {side}\n    timestamp: 1795975544.387186050\n    \
             data: !!binary |\n{}",
            block(bytes)
        );
    }
    paste
}

fn old_yaml(packets: &[(usize, Vec<u8>)]) -> String {
    let mut paste = String::new();
    for (idx, (side, bytes)) in packets.iter().enumerate() {
        paste += &format!(
            "# Packet {idx}\npeer{side}_{idx}: !!binary |\n{}",
            block(bytes)
        );
    }
    paste
}

#[test]
fn what_each_side_sent_is_put_together() {
    let sent = packets();
    for paste in [
        title("hex") + &dump("\t", &sent),
        title("raw") + &raw(&sent),
        yaml(&sent),
        title("yaml") + &yaml(&sent),
        old_yaml(&sent),
    ] {
        let best = best(&paste);
        assert_eq!(parts(&paste), messages(), "{paste}");
        assert_eq!(best.notation, "followed stream");
        assert!(
            best.parts.iter().all(|part| part.holes.is_empty()),
            "{paste}"
        );
        assert_eq!(best.remarks.len(), 1, "{paste}");
    }
}

#[test]
fn without_a_title_both_sides_must_be_whole() {
    let mut sent = packets();
    let cut = sent[4].1.len() - 15;
    sent[4].1.truncate(cut);
    for paste in [dump("    ", &sent), raw(&sent)] {
        assert_eq!(parts(&paste), messages()[..4], "{paste}");
    }
    // One way, it is any dump.
    let one: Vec<_> = sent.into_iter().filter(|(side, _)| *side == 0).collect();
    assert_ne!(best(&dump("", &one)).notation, "followed stream");
}

#[test]
fn streams_stay_apart_and_rows_that_are_not_there_are_a_hole() {
    let sent = packets();
    let paste = [title("hex"), dump("\t", &sent)].concat().repeat(2);
    assert_eq!(parts(&paste), [messages(), messages()].concat());
    let rows = dump("\t", &sent);
    let without: Vec<&str> = rows.lines().skip(1).collect();
    let paste = title("hex") + &without.join("\n");
    let best = best(&paste);
    let holes: Vec<_> = best.parts.iter().flat_map(|part| &part.holes).collect();
    assert_eq!((holes.len(), holes[0].at, holes[0].len), (1, 0, Some(16)));
}

#[test]
fn a_byte_of_yaml_has_the_place_of_its_digit() {
    let paste = yaml(&packets());
    let first = &best(&paste).parts[0];
    assert_eq!(first.places[0].to_string(), "13:7");
    // The 16th byte is in the second line of digits.
    assert_eq!(first.places[15].to_string(), "14:7");
}
