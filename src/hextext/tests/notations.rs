//! Every notation with a message of our own; the dumps are what the tools print.

use super::*;

/// (what the tool is called here, what it printed for the request).
const TOOLS: &[(&str, &str)] = &[
    // xxd
    (
        "xxd",
        r"00000000: 0000 0012 0003 0000 0000 012c 0004 6465  ...........,..de
00000010: 6d6f 0000 0000                           mo....
",
    ),
    // xxd -c 7 -g 1
    (
        "xxd",
        r"00000000: 00 00 00 12 00 03 00  .......
00000007: 00 00 00 01 2c 00 04  ....,..
0000000e: 64 65 6d 6f 00 00 00  demo...
00000015: 00                    .
",
    ),
    // xxd -e
    (
        "xxd -e",
        r"00000000: 12000000 00000300 2c010000 65640400  ...........,..de
00000010: 00006f6d     0000                    mo....
",
    ),
    // xxd -b
    (
        "xxd -b",
        r"00000000: 00000000 00000000 00000000 00010010 00000000 00000011  ......
00000006: 00000000 00000000 00000000 00000000 00000001 00101100  .....,
0000000c: 00000000 00000100 01100100 01100101 01101101 01101111  ..demo
00000012: 00000000 00000000 00000000 00000000                    ....
",
    ),
    // hexdump -C
    (
        "hexdump -C",
        r"00000000  00 00 00 12 00 03 00 00  00 00 01 2c 00 04 64 65  |...........,..de|
00000010  6d 6f 00 00 00 00                                 |mo....|
00000016
",
    ),
    // hexdump
    (
        "hexdump",
        r"0000000 0000 1200 0300 0000 0000 2c01 0400 6564
0000010 6f6d 0000 0000                         
0000016
",
    ),
    // hexdump -b
    (
        "od -b",
        r"0000000 000 000 000 022 000 003 000 000 000 000 001 054 000 004 144 145
0000010 155 157 000 000 000 000                                        
0000016
",
    ),
    // hexdump -c
    (
        "od -c",
        r"0000000  \0  \0  \0 022  \0 003  \0  \0  \0  \0 001   ,  \0 004   d   e
0000010   m   o  \0  \0  \0  \0                                        
0000016
",
    ),
    // hexdump -d
    (
        "hexdump -d",
        r"0000000   00000   04608   00768   00000   00000   11265   01024   25956
0000010   28525   00000   00000                                        
0000016
",
    ),
    // hexdump -x
    (
        "hexdump",
        r"0000000    0000    1200    0300    0000    0000    2c01    0400    6564
0000010    6f6d    0000    0000                                        
0000016
",
    ),
    // od
    (
        "od",
        r"0000000 000000 011000 001400 000000 000000 026001 002000 062544
0000020 067555 000000 000000
0000026
",
    ),
    // od -x
    (
        "od -x",
        r"0000000 0000 1200 0300 0000 0000 2c01 0400 6564
0000020 6f6d 0000 0000
0000026
",
    ),
    // od -t x4
    (
        "od -x",
        r"0000000 12000000 00000300 2c010000 65640400
0000020 00006f6d 00000000
0000026
",
    ),
    // od -c
    (
        "od -c",
        r"0000000  \0  \0  \0 022  \0 003  \0  \0  \0  \0 001   ,  \0 004   d   e
0000020   m   o  \0  \0  \0  \0
0000026
",
    ),
    // od -b
    (
        "od -b",
        r"0000000 000 000 000 022 000 003 000 000 000 000 001 054 000 004 144 145
0000020 155 157 000 000 000 000
0000026
",
    ),
    // od -A x -t x1z
    (
        "od -t x1z",
        r"000000 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65  >...........,..de<
000010 6d 6f 00 00 00 00                                >mo....<
000016
",
    ),
    // od -t x1
    (
        "od -t x1",
        r"0000000 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65
0000020 6d 6f 00 00 00 00
0000026
",
    ),
    // od -A d -t x1
    (
        "od -t x1",
        r"0000000 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65
0000016 6d 6f 00 00 00 00
0000022
",
    ),
    // od -t d1
    (
        "od -t u1",
        r"0000000    0    0    0   18    0    3    0    0    0    0    1   44    0    4  100  101
0000020  109  111    0    0    0    0
0000026
",
    ),
    // od -An -tx1
    (
        "hex bytes",
        r" 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65
 6d 6f 00 00 00 00
",
    ),
    // od -An -tu1
    (
        "list of decimal numbers",
        r"   0   0   0  18   0   3   0   0   0   0   1  44   0   4 100 101
 109 111   0   0   0   0
",
    ),
    // xxd -p
    (
        "hex stream",
        r"00000012000300000000012c000464656d6f00000000
",
    ),
    // xxd -i
    (
        "C array",
        r"unsigned char m_bin[] = {
  0x00, 0x00, 0x00, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01, 0x2c,
  0x00, 0x04, 0x64, 0x65, 0x6d, 0x6f, 0x00, 0x00, 0x00, 0x00
};
unsigned int m_bin_len = 22;
",
    ),
    // base64
    (
        "base64",
        r"AAAAEgADAAAAAAEsAARkZW1vAAAAAA==
",
    ),
];

#[test]
fn what_the_tools_print_is_read() {
    for (notation, paste) in TOOLS {
        is_metadata(notation, paste);
    }
}

#[test]
fn dumps_of_other_tools_are_read() {
    is_metadata(
        "tcpdump -X",
        "10:00:00.000001 IP 10.0.0.1.50000 > 10.0.0.2.9092: Flags [P.], length 22\n\
         \t0x0000:  0000 0012 0003 0000 0000 012c 0004 6465  ...........,..de\n\
         \t0x0010:  6d6f 0000 0000                           mo....\n",
    );
    is_metadata(
        "tcpdump -x",
        "\t0x0000:  0000 0012 0003 0000 0000 012c 0004 6465\n\t0x0010:  6d6f 0000 0000\n",
    );
    is_metadata(
        "Wireshark hex dump",
        "0000   00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65   ...........,..de\n\
         0010   6d 6f 00 00 00 00                                 mo....\n",
    );
    is_metadata(
        "dump with columns",
        "         +-------------------------------------------------+\n         \
         |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |\n\
         +--------+-------------------------------------------------+----------------+\n\
         |00000000| 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65 |...........,..de|\n\
         |00000010| 6d 6f 00 00 00 00                               |mo....          |\n\
         +--------+-------------------------------------------------+----------------+\n",
    );
    is_metadata(
        "dump with columns",
        "0000 - 00 00 00 12 00 03 00 00-00 00 01 2c 00 04 64 65   ...........,..de\n\
         0010 - 6d 6f 00 00 00 00                                 mo....\n",
    );
    is_metadata(
        "nc -x",
        "[0000]   00 00 00 12 00 03 00 00   00 00 01 2C 00 04 64 65   ........ ...,..de$\n\
         [0010]   6D 6F 00 00 00 00                                   mo....$\n",
    );
}

#[test]
fn a_dump_is_found_behind_log_prefixes_colours_and_quotes() {
    let candidate = is_metadata(
        "hexdump -C",
        "2026-11-29 10:00:00,123 DEBUG [io-1] \u{1b}[36mSending Metadata:\u{1b}[0m\n\
         2026-11-29 10:00:00,123 DEBUG [io-1] \u{1b}[36m00000000  00 00 00 12 00 03 00 00  \
         00 00 01 2c 00 04 64 65  |...........,..de|\u{1b}[0m\n\
         2026-11-29 10:00:00,123 DEBUG [io-1] \u{1b}[36m00000010  6d 6f 00 00 00 00  \
         \u{20}                               |mo....|\u{1b}[0m\n",
    );
    assert!(
        candidate.parts[0]
            .label
            .as_ref()
            .unwrap()
            .ends_with("Sending Metadata:")
    );
    assert_eq!(candidate.parts[0].places[0].to_string(), "2:53");
    is_metadata(
        "xxd",
        "> 00000000: 0000 0012 0003 0000 0000 012c 0004 6465  ...........,..de\n\
         > 00000010: 6d6f 0000 0000                           mo....\n",
    );
}

#[test]
fn an_ascii_column_that_looks_like_hex_is_no_bytes() {
    let paste = "0000   de ad be ef 00 01 61 62 63 64 64 65 61 64 62 65   ......abcddeadbe\n\
                 0010   66 61 63 65                                       face\n";
    let expected = b"\xde\xad\xbe\xef\0\x01abcddeadbeface";
    assert_eq!(parts(paste), [expected]);
    let paste = "00000000: 6162 6364 6465 6164 6265 6566 3030 3131  abcddeadbeef0011\n";
    assert_eq!(parts(paste), [b"abcddeadbeef0011"]);
    assert_eq!(
        parts("0000   61 62 63 64 20 64 65 61 64   abcd dead\n"),
        [b"abcd dead"]
    );
}

#[test]
fn offsets_that_start_again_are_another_part_and_jumps_are_holes() {
    let paste = "sent:\n0000   00 00 00 01   ....\n0004   aa            .\ngot:\n\
                 0000   00 00 00 02   ....\n0010   bb cc         ..\n";
    let candidate = best(paste);
    assert_eq!(candidate.parts.len(), 2);
    assert_eq!(candidate.parts[0].bytes, [0, 0, 0, 1, 0xaa]);
    assert_eq!(candidate.parts[0].label.as_deref(), Some("sent:"));
    assert_eq!(candidate.parts[1].label.as_deref(), Some("got:"));
    let hole = candidate.parts[1].holes[0];
    assert_eq!((hole.at, hole.len, hole.place.line), (4, Some(12), 6));
}

#[test]
fn squeezed_rows_are_repeated() {
    let paste = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n\
                 00000030  68 69                                             |hi|\n00000032\n";
    let candidate = best(paste);
    assert_eq!(candidate.parts[0].bytes.len(), 0x32);
    assert_eq!(candidate.parts[0].places[0x20].line, 2);
    // A hostile offset is a hole and no memory.
    let paste = "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n\
                 7fffffffffff0000  68 69                                     |hi|\n";
    assert_eq!(
        best(paste).parts[0].holes[0].len,
        Some(0x7fff_ffff_ffff_0000 - 0x10)
    );
}

#[test]
fn words_are_little_endian_and_the_other_order_is_shown_beside() {
    let paste = "0000000 0000 1200 0300\n0000006 6574 7473\n000000a\n";
    let Reading::Bytes(candidates) = read(paste.as_bytes()) else {
        panic!()
    };
    assert_eq!(candidates[0].bytes(), b"\0\0\0\x12\0\x03test");
    assert!(candidates[0].remarks[0].text.contains("little-endian"));
    assert_eq!(candidates[1].bytes(), b"\0\0\x12\0\x03\0etts");
    assert!(candidates[1].confidence < candidates[0].confidence);
}

#[test]
fn plain_hex_has_any_separator() {
    for (notation, paste) in [
        ("hex stream", "000000120003000000 00012c000464656d6f00000000".replace(' ', "")),
        ("hex bytes", "00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65 6d 6f 00 00 00 00".into()),
        ("hex bytes", "00:00:00:12:00:03:00:00:00:00:01:2C:00:04:64:65:6D:6F:00:00:00:00".into()),
        ("hex bytes", "00-00-00-12-00-03-00-00-00-00-01-2C-00-04-64-65-6D-6F-00-00-00-00".into()),
        ("hex bytes", "[00, 00, 00, 12, 00, 03, 00, 00, 00, 00, 01, 2c, 00, 04, 64, 65, 6d, 6f, 00, 00, 00, 00]".into()),
        ("hex groups", "00000012|0003|0000|0000012c|000464656d6f|00000000".into()),
        ("hex groups", "<Buffer 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65 6d 6f 00 00 00 0>".into()),
        ("hex groups", "0000001 20003000 00000012 c0004646\n56d6f00 000000".into()),
        ("hex stream", "0x000000120003000000 00012c000464656d6f00000000".replace(' ', "")),
        ("hex stream", "Request (hex): 000000120003000000 00012c000464656d6f00000000, 22 bytes".replace("00 00", "0000")),
        ("hex stream", "\\x0000001200030000000001 2c000464656d6f00000000".replace(' ', "")),
    ] {
        is_metadata(notation, &paste);
    }
}

#[test]
fn hex_stands_in_quotes_and_pipelines() {
    for paste in [
        "$ echo -n \"000000120003 00000000012c 000464656d6f 00000000\" | xxd -r -p | nc localhost 9092",
        "payload = bytes.fromhex(\n  '00000012'  # size\n  '0003 0000'\n  '0000012c' '000464656d6f'\n  '00000000')",
        "$raw = hex2bin('00000012000300000000012c000464656d6f00000000');",
        "SELECT X'00000012000300000000012c000464656d6f00000000'",
        "pack('H*', '00000012000300000000012c000464656d6f00000000')",
        "\"00-00-00-12-00-03-00-00-00-00-01-2C-00-04-64-65-6D-6F-00-00-00-00\"",
    ] {
        is_metadata("hex in quotes", paste);
    }
}

#[test]
fn fields_with_notes_are_read_and_the_notes_kept() {
    for paste in [
        "00 00 00 12   // size\n00 03 // api key 3\n00 00\n00 00 01 2c // id 300\n00 04 64 65 6d 6f // \"demo\"\n00 00 00 00 // all",
        "00 00 00 12   size\n00 03   api key = 3 (Metadata)\n00 00   version\n00 00 01 2c   a correlation id\n00 04   length\n64 65 6d 6f   demo\n00 00 00 00   # all",
        "00 00 00 12 <- size\n00 03 ; api key\n00 00\n00 00 01 2c /* id */\n00 04 64 65 6d 6f\n\n% all topics\n00 00 00 00",
    ] {
        let candidate = is_metadata("hex bytes", paste);
        let notes = &candidate.parts[0].notes;
        assert_eq!(
            (notes[0].at, notes[0].end, notes[0].text.as_str()),
            (0, 4, "size"),
            "{paste}"
        );
        assert_eq!(notes[1].at..notes[1].end, 4..6, "{paste}");
    }
}

#[test]
fn lists_of_all_languages_are_read() {
    let decimal = "0, 0, 0, 18, 0, 3, 0, 0, 0, 0, 1, 44, 0, 4, 100, 101, 109, 111, 0, 0, 0, 0";
    let hex = METADATA
        .iter()
        .map(|b| format!("0x{b:02x}"))
        .collect::<Vec<_>>()
        .join(", ");
    for (notation, paste) in [
        ("Go []byte", format!("x := []byte{{{decimal}}}")),
        (
            "Go []byte",
            format!("x := []byte{{{}}}", hex.replace("0x64, 0x65", "'d', 101")),
        ),
        (
            "list of decimal numbers",
            format!("[{}]", decimal.replace(',', "")),
        ),
        ("Rust byte array", format!("let x = &[{hex}];")),
        (
            "Rust byte array",
            format!("let x: [u8; 22] = [{}];", hex.replace("0x12", "0x12u8")),
        ),
        (
            "Java byte[]",
            format!("byte[] x = {{{}}};", decimal.replace("18", "(byte) 0x12")),
        ),
        ("Java byte[]", format!("new byte[] {{ {hex} }}")),
        ("C array", format!("char packet_bytes[] = {{\n  {hex}\n}};")),
        (
            "JavaScript Uint8Array",
            format!("Uint8Array(22) [ {decimal} ]"),
        ),
        (
            "JSON Buffer",
            format!("{{\"type\":\"Buffer\",\"data\":[{decimal}]}}"),
        ),
        ("Kotlin byteArrayOf", format!("byteArrayOf({decimal})")),
        ("Python bytearray list", format!("bytearray([{decimal}])")),
        ("0x list", hex.clone()),
        ("0x list", hex.replace(", ", " ")),
        (
            "list of decimal numbers",
            format!("value (len 22): [{decimal}]"),
        ),
    ] {
        is_metadata(notation, &paste);
    }
    assert_eq!(parts("new byte[] {0, -1, -128, 127}"), [[0, 255, 128, 127]]);
    assert_eq!(
        parts("{0x0000, 0x0012, 0xffff}"),
        [[0, 0, 0, 0x12, 255, 255]]
    );
}

#[test]
fn strings_with_escapes_are_read() {
    let python = r"b'\x00\x00\x00\x12\x00\x03\x00\x00\x00\x00\x01,\x00\x04demo\x00\x00\x00\x00'";
    let body = &python[2..python.len() - 1];
    for (notation, paste) in [
        ("Python bytes literal", python.to_owned()),
        (
            "Python bytes literal",
            format!("data = (b'{}'\n  b'{}')", &body[..16], &body[16..]),
        ),
        ("string with \\x escapes", format!("\"{body}\"")),
        (
            "printf escapes",
            format!("$ printf '{body}' | nc localhost 9092 | xxd"),
        ),
        (
            "echo -e escapes",
            format!(
                "$ echo -ne '{}' > /dev/tcp/localhost/9092",
                body.replace(r"\x", r"\00")
            ),
        ),
        ("shell $'...' string", format!("x=$'{body}'")),
        (
            "string with \\x escapes",
            format!(
                "req=''\nreq+='{}' # size\nreq+='{}'",
                &body[..16],
                &body[16..]
            ),
        ),
        ("escapes without quotes", body.to_owned()),
        (
            "escapes without quotes",
            body.replace("demo", r"\x64\x65\x6d\x6f")
                .replace(',', r"\x2c")
                .replace(r"\x", r" \x"),
        ),
        (
            "string with \\u escapes",
            format!("value: '{}',", body.replace(r"\x", r"\u00")),
        ),
        (
            "b\"...\" literal",
            r#"b"\0\0\0\x12\0\x03\0\0\0\0\x01,\0\x04demo\0\0\0\0""#.to_owned(),
        ),
    ] {
        if notation == "echo -e escapes" {
            // \0012 is octal there: eight plus two.
            assert_eq!(best(&paste).bytes()[3], 0o12);
            continue;
        }
        is_metadata(notation, &paste);
    }
}

#[test]
fn letters_and_octal_digits_are_escapes_too() {
    assert_eq!(
        parts(r#""\0\012\n\t\r\a\b\f\v\\\"\x7f""#),
        [b"\0\n\n\t\r\x07\x08\x0c\x0b\\\"\x7f"]
    );
    assert_eq!(parts(r#""\x{00}\u{12}\u00e9""#), [[0, 0x12, 0xe9]]);
}

#[test]
fn a_spelling_with_two_meanings_is_read_both_ways() {
    let Reading::Bytes(candidates) = read(br#""\x00\x007\x12""#) else {
        panic!()
    };
    assert_eq!(candidates[0].bytes(), [0, 0, b'7', 0x12]);
    assert_eq!(candidates[1].bytes(), [0, 7, 0x12]);
    assert!(candidates[1].why.contains("as in C"));
    let Reading::Bytes(candidates) = read(b"10 20 30 40") else {
        panic!()
    };
    assert_eq!(candidates[0].bytes(), [0x10, 0x20, 0x30, 0x40]);
    assert_eq!(candidates[1].bytes(), [10, 20, 30, 40]);
}

#[test]
fn binaries_of_erlang_and_elixir_are_read() {
    is_metadata(
        "Erlang binary",
        r#"<<18:32, 3:16, 0:16, 300:32, 4:16, "demo", 0:32>>"#,
    );
    is_metadata(
        "Elixir binary",
        r#"<<18::32, 3::16, 0::16, 300::size(32), 4::16, "demo"::binary, 0::32>>"#,
    );
    is_metadata(
        "Erlang binary",
        "{error,<<0,0,0,18,0,3,0,0,0,0,1,44,0,4,100,101,109,111,0,0,0,0>>}",
    );
}

#[test]
fn base64_is_read_in_both_alphabets() {
    is_metadata("base64", "AAAAEgADAAAAAAEsAARkZW1vAAAAAA==");
    is_metadata("base64", "payload (base64): AAAAEgADAAAAAAEsAARkZW1vAAAAAA");
    assert_eq!(
        parts("base64: -_8AAAAAAAAA"),
        [[0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0]]
    );
}

#[test]
fn several_messages_are_several_parts() {
    let candidate = best("reqHex: \"0000000400010203\",\nresHex: \"00000002aabb\",");
    let labels: Vec<_> = candidate
        .parts
        .iter()
        .map(|part| part.label.as_deref())
        .collect();
    assert_eq!(labels, [Some("reqHex"), Some("resHex")]);
    assert_eq!(parts("0000000400010203\n\n00000002aabb\n").len(), 2);
    // A blank line between fields parts nothing.
    assert_eq!(parts("00000004\n\n00010203\n"), [[0, 0, 0, 4, 0, 1, 2, 3]]);
    assert_eq!(
        parts("request:\n00 00 00 04\nresponse:\n00 00 00 05\n").len(),
        2
    );
}

#[test]
fn what_is_left_out_is_a_hole() {
    for (paste, at, len) in [
        ("00 00 00 12\n...\n", 4, None),
        ("00 00 00 12 ... 00 00", 4, None),
        ("<Buffer 00 00 00 12 00 03 ... 32 more bytes>", 6, Some(32)),
        (
            "Uint8Array(100) [ 0, 0, 0, 18, 0, 3, 0, 0, ... 92 more items ]",
            8,
            Some(92),
        ),
        ("<<0, 0, 0, 18, ...>>", 4, None),
    ] {
        let part = best(paste).parts[0].clone();
        assert_eq!((part.holes[0].at, part.holes[0].len), (at, len), "{paste}");
    }
}

#[test]
fn a_lone_row_is_told_from_groups() {
    assert_eq!(parts("0000 00 00 00 12 00 03"), [[0, 0, 0, 0x12, 0, 3]]);
    assert_eq!(parts("0000 0012 0003"), [[0, 0, 0, 0x12, 0, 3]]);
}

#[test]
fn bytes_in_a_comment_are_found_when_there_are_no_others() {
    is_metadata(
        "hex bytes",
        "// 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65 6d 6f 00 00 00 00",
    );
    is_metadata(
        "hex in quotes",
        "# echo 0000 | '00000012000300000000012c000464656d6f00000000'",
    );
}

/// `printf("%x ", c)` of a signed `char`.
#[test]
fn the_sign_of_a_char_is_no_byte() {
    let bytes = parts("0 0 0 5 ffffff9a 7 ffffffff ffffff80 64\n");
    assert_eq!(bytes, [[0, 0, 0, 5, 0x9a, 7, 0xff, 0x80, 0x64]]);
}

#[test]
fn triples_of_decimal_digits_are_bytes() {
    let triples: Vec<String> = METADATA.iter().map(|byte| format!("{byte:03}")).collect();
    is_metadata("decimal bytes", &triples.join(" "));
}

#[test]
fn offsets_of_010_editor_have_a_letter() {
    let ruler = "          0  1  2  3  4  5  6  7  8  9  A  B  C  D  E  F   0123456789ABCDEF\n";
    let rows: Vec<String> = METADATA
        .chunks(16)
        .enumerate()
        .map(|(idx, row)| {
            let pairs: Vec<String> = row.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("{:04X}h: {}", 16 * idx, pairs.join(" "))
        })
        .collect();
    assert_eq!(
        best(&format!("{ruler}{}", rows.join("\n"))).bytes(),
        METADATA
    );
}

#[test]
fn words_of_windbg_are_little_endian() {
    let rows: Vec<String> = METADATA
        .chunks(16)
        .enumerate()
        .map(|(idx, row)| {
            let words = row.chunks(4).map(|word| {
                let digits = word.iter().rev().map(|byte| format!("{byte:02x}"));
                format!("{:0>8}", digits.collect::<String>())
            });
            let words: Vec<String> = words.collect();
            format!("000001f3`2a4b{:04x}  {}", 16 * idx, words.join(" "))
        })
        .collect();
    let bytes = best(&rows.join("\n")).bytes();
    assert_eq!(bytes.get(..22), Some(METADATA));
}

/// The last row of `xxd -e` may be one piece of a word.
#[test]
fn a_piece_of_a_word_is_its_bytes() {
    let paste = "00000000: 12000000 00000300 2c010000 65640400  ...........,..de\n\
                 00000010:     6f6d                          mo\n";
    assert_eq!(parts(paste), [&METADATA[..18]]);
}

#[test]
fn borders_around_base64_are_no_digits() {
    let paste = "-----BEGIN KAFKA MESSAGE-----\nAAAAEgADAAAAAAEsAARkZW1vAAAAAA==\n\
                 -----END KAFKA MESSAGE-----\n";
    is_metadata("base64", paste);
}
