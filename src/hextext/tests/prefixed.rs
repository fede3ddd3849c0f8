//! Dumps, rows of hex, lists and Base64 of which a log has put something in front of each line.

use super::*;

/// What logs put in front of a line, with numbers in it that are no bytes.
const PREFIXES: [&str; 14] = [
    "2026-03-02T12:01:33.123Z DEBUG 12345 --- [           main] o.a.k.c.NetworkClient  : ",
    "[2026-03-02 12:01:33,123] TRACE [Broker id=1] ",
    "<34>1 2026-03-02T12:01:33.003Z host1 kafkad 1234 ID47 - ",
    "time=2026-03-02T12:01:33Z level=debug conn=17 msg=",
    "2026-03-02 12:01:33 tid=0001 fd=17 ",
    "10.0.0.1:9092 > ",
    "2026-03-02 12:01:33.123456 10.0.0.1:50712->10.0.0.2:9092 ",
    "2026-03-02 12:01:33 3f2b8c1a-9d4e-4f6a-8b7c-0123456789ab conn: ",
    "DEBUG:kafka.conn:",
    "%7|1772452893.123|SEND|rdkafka#producer-1| [thrd:main]: localhost:9092/1: ",
    "2026/03/02 12:01:33 [debug] 31#31: *1 ",
    "2026-03-02T12:01:33.123456+00:00 [debug] <0.123.0> ",
    "#101 ",
    "worker-01 ",
];

/// A Metadata request for two topics.
fn request() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x3c\0\x03\0\0\0\0\x01\x2c\0\x0cbilling-0001\0\0\0\x02".to_vec();
    bytes.extend(b"\0\x08payments\0\x17orders-of-the-warehouse");
    bytes[3] = bytes.len() as u8 - 4;
    bytes
}

fn pairs(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.join(" ")
}

/// The lines behind each prefix are the bytes, also between other lines of the log.
#[track_caller]
fn are_read(bytes: &[u8], lines: &[String]) {
    for prefix in PREFIXES {
        let log: String = lines
            .iter()
            .map(|line| format!("{prefix}{line}\n"))
            .collect();
        assert_eq!(parts(&log), [bytes], "{log}");
        let log = format!("{prefix}sending a request\n{log}{prefix}waiting\n");
        assert_eq!(parts(&log), [bytes], "{log}");
    }
}

#[test]
fn a_dump_is_found_behind_any_prefix() {
    let bytes = request();
    let rows: Vec<&[u8]> = bytes.chunks(16).collect();
    let lines = |print: fn(usize, &[u8]) -> String| -> Vec<String> {
        let rows = rows.iter().enumerate();
        rows.map(|(idx, row)| print(idx * 16, row)).collect()
    };
    let text = |row: &[u8]| -> String {
        let shown = row.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        });
        shown.collect()
    };
    are_read(
        &bytes,
        &lines(|at, row| format!("{at:04x}: {}", pairs(row))),
    );
    let columns: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(idx, row)| format!("{:08x}  {:<48} |{}|", idx * 16, pairs(row), text(row)))
        .collect();
    are_read(&bytes, &columns);
}

#[test]
fn groups_of_digits_are_not_passed_over_for_an_offset() {
    let first = "0000002a 0014 0006 00000005 0001 61 00\n\
        02 07 6f7264657273 00000000000000000000000000000000 00 00007530 00\n";
    let second = "00000015 000c 0000 00000006 0001 62 0001 67 00000001 0001 6d\n";
    let all = parts(&format!("{first}\n{second}")).concat();
    assert_eq!(all.len(), 46 + 25);
    assert_eq!(all[..8], [0, 0, 0, 0x2a, 0, 0x14, 0, 6]);
}

#[test]
fn rows_without_offsets_are_found_behind_any_prefix() {
    let bytes = request();
    let rows: Vec<String> = bytes.chunks(16).map(pairs).collect();
    are_read(&bytes, &rows);
}

#[test]
fn wrapped_words_are_found_behind_any_prefix() {
    let bytes = request();
    let hex = pairs(&bytes).replace(' ', "");
    let base64 = ::base64::Engine::encode(&::base64::engine::general_purpose::STANDARD, &bytes);
    for word in [hex, base64] {
        let rows = word.as_bytes().chunks(60);
        let rows: Vec<String> = rows
            .map(|row| String::from_utf8_lossy(row).into())
            .collect();
        for prefix in PREFIXES.iter().filter(|prefix| prefix.ends_with(' ')) {
            let log: String = rows.iter().map(|row| format!("{prefix}{row}\n")).collect();
            assert_eq!(parts(&log), [bytes.as_slice()], "{log}");
        }
    }
}

#[test]
fn a_list_with_an_element_a_line_is_found_behind_a_prefix() {
    let bytes = request();
    let elements = bytes.iter().map(|byte| format!("    {byte},"));
    let lines: Vec<String> = ["[".to_owned()]
        .into_iter()
        .chain(elements)
        .chain(["]".to_owned()])
        .collect();
    for prefix in PREFIXES
        .iter()
        .filter(|prefix| prefix.starts_with(['2', '[']))
    {
        let log: String = lines
            .iter()
            .map(|line| format!("{prefix}{line}\n"))
            .collect();
        assert_eq!(parts(&log), [bytes.as_slice()], "{log}");
    }
}

#[test]
fn what_a_dissection_says_above_its_bytes_is_none() {
    let text = "Frame 7: 38 bytes on wire (304 bits)\n    \
        Arrival Time: Mar 2, 2026 12:01:33.943770000 UTC\n    \
        0100 .... = Version: 4\n    \
        ...0 0000 0000 0000 = Fragment Offset: 0\n        \
        .... .... ...0 = Fin: Not set\n\n\
        0000  00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65   ...........,..de\n\
        0010  6d 6f 00 00 00 00                                 mo....\n\n\
        Frame 8: 38 bytes on wire (304 bits)\n    \
        Arrival Time: Mar 2, 2026 12:01:34.943770000 UTC\n\n\
        0000  00 00 00 12 00 03 00 00 00 00 01 2d 00 04 64 65   ...........-..de\n\
        0010  6d 6f 00 00 00 00                                 mo....\n";
    let read = best(text);
    assert_eq!(read.notation, "Wireshark hex dump");
    let mut second = METADATA.to_vec();
    second[11] += 1;
    assert_eq!(parts(text), [METADATA, second.as_slice()]);
    assert!(read.parts.iter().all(|part| part.holes.is_empty()));
}
