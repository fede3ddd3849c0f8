//! Pastes that hold no bytes, or none that can be trusted.

use super::*;

#[track_caller]
fn refusal(paste: &str) -> Refusal {
    match read(paste.as_bytes()) {
        Reading::Refused(refusal) => refusal,
        other => panic!("{other:?} for {paste}"),
    }
}

#[test]
fn a_character_that_is_no_digit_is_named_with_its_place() {
    for (paste, place, found) in [
        ("00 00 00 12 00 0g 00 00 00 00 00 01", "1:17", "`g`"),
        (
            "00 00 00 12\n00 03 0O 00 00 00 00 01\n",
            "2:8",
            "the letter `O`",
        ),
        ("0000001200030000000000z10004", "1:23", "`z`"),
        ("00000012000300000000@00010004", "1:21", "`@`"),
        ("00 00 00 12 00 03 00 zz", "1:22", "`z`"),
        ("xx 00 00 12 00 03 00 00", "1:1", "`x`"),
        ("x = \"000000120003000000!0000100046465\"", "1:24", "`!`"),
    ] {
        let refusal = refusal(paste);
        assert_eq!(refusal.place.to_string(), place, "{paste}");
        assert_eq!(refusal.found, found, "{paste}");
        assert!(refusal.expected.contains("hex digit"), "{refusal}");
    }
}

#[test]
fn an_odd_number_of_digits_is_named_with_its_group() {
    let refusal = refusal("00000012 0003 000 00000001");
    assert_eq!(refusal.place.to_string(), "1:15");
    assert!(refusal.found.contains("`000` has 3"), "{refusal}");
    assert_eq!(
        refusal_text("00000012000300000"),
        "line 1, column 17: found an odd number of hex digits (17), expected two hex digits for each byte"
    );
}

fn refusal_text(paste: &str) -> String {
    refusal(paste).to_string()
}

#[test]
fn bytes_that_a_decoder_threw_away_are_refused() {
    let refusal = refusal("'\\u0000\\u0000\u{fffd}\\u0001'");
    assert_eq!(refusal.place.to_string(), "1:14");
    assert!(refusal.found.contains("U+FFFD"));
    let refusal = self::refusal("00 00 00 12 \u{fffd} 00 03");
    assert_eq!(refusal.place.to_string(), "1:13");
    // In an ASCII column it is only what stands for the byte.
    assert_eq!(parts("0000   00 ff 61   .\u{fffd}a\n"), [[0, 0xff, 0x61]]);
}

#[test]
fn names_of_characters_are_refused() {
    let paste = "0000000 nul nul nul   3 nul dc4 nul ack nul nul nul   )\n0000014\n";
    assert_eq!(refusal(paste).place.to_string(), "1:9");
}

#[test]
fn broken_escapes_and_numbers_are_refused() {
    assert_eq!(refusal(r"b'\x00\xg1'").place.to_string(), "1:7");
    assert_eq!(
        refusal("[0, 0, 0, 18, 0, 3, 0, 0, 300, 1, 0, 4]")
            .place
            .to_string(),
        "1:27"
    );
}

#[test]
fn text_without_bytes_is_refused() {
    for paste in [
        "",
        "  \n",
        "hello, world",
        "The broker added a bad face.",
        "127.0.0.1:9092",
        "10.0.0.1:9092,10.0.0.2:9092,10.0.0.3:9092",
        "0.8.2, 0.9.0, 0.10.0, 1.0.0, 2.0.0",
        "The broker closes the connection after 12 bytes.",
        "2026-11-30 10:22:31\n2026-11-30 10:22:32",
        // What Wireshark calls printable text has lost all other bytes.
        "...3.......)..kafscope-1...ordersoL+...NX....?@Qb...u0.",
    ] {
        assert!(
            matches!(read(paste.as_bytes()), Reading::Refused(_)),
            "{paste:?}: {:?}",
            read(paste.as_bytes())
        );
    }
}

#[test]
fn numbers_of_log_lines_are_found() {
    let Reading::Numbers(numbers) = read(
        b"InvalidReceiveException: Invalid receive (size = 352518912 larger than 104857600)\n",
    ) else {
        panic!()
    };
    assert_eq!(numbers[0].role, NumberRole::Size);
    assert_eq!(numbers[0].bytes, [0x15, 3, 3, 0]);
    assert_eq!(numbers[0].place.to_string(), "1:50");
    assert_eq!(numbers[1].role, NumberRole::Limit);
    for (line, role, bytes) in [
        (
            "Request of length 1195725856 is not valid",
            NumberRole::Size,
            &b"GET "[..],
        ),
        (
            "2026-01-01 00:00:00 Invalid client_id size -2",
            NumberRole::StringLength,
            &[0xff, 0xfe],
        ),
        ("Unknown api key 21536", NumberRole::ApiKey, b"T "),
        (
            "Invalid receive (size = -720899)",
            NumberRole::Size,
            &[0xff, 0xf4, 0xff, 0xfd],
        ),
        (
            "Error reading field 'topics': Error reading array of size 1752134, only 29 bytes \
             available",
            NumberRole::Count,
            &[0, 0x1a, 0xbc, 0x46],
        ),
        (
            "Tried to allocate a collection of size 1701080931, but there are only 25 bytes \
             remaining.",
            NumberRole::Count,
            b"edoc",
        ),
        (
            "Error reading byte array of 1234567 byte(s): only 5 byte(s) available",
            NumberRole::Size,
            &[0, 0x12, 0xd6, 0x87],
        ),
        (
            "%3|1623|FAIL|rdkafka#producer-1| Receive failed: Invalid response size 1213486160 \
             (0..100000000)",
            NumberRole::Size,
            b"HTTP",
        ),
        (
            "message of length 1,195,725,856 is too large",
            NumberRole::Size,
            b"GET ",
        ),
        (
            "Correlation id for response (1213486160) does not match request (0)",
            NumberRole::CorrelationId,
            b"HTTP",
        ),
    ] {
        let Reading::Numbers(numbers) = read(line.as_bytes()) else {
            panic!("{line}")
        };
        assert_eq!(
            (numbers[0].role, numbers[0].bytes.as_slice()),
            (role, bytes),
            "{line}"
        );
    }
    let both = "Request of length 369295616 is larger than the maximum size of 104857600 bytes.";
    let Reading::Numbers(numbers) = read(both.as_bytes()) else {
        panic!()
    };
    assert_eq!(numbers[1].role, NumberRole::Limit);
}

#[test]
fn raw_bytes_are_told_from_text() {
    assert!(matches!(read(METADATA), Reading::Binary(_)));
    assert!(matches!(read(&[0xa2, 0xd9, 0x9e]), Reading::Binary(_)));
    assert!(matches!(read(b"\x00"), Reading::Binary(_)));
}
