//! What stands around bytes: line numbers, quoting, log prefixes, names of fields, strings of JSON.

use super::*;

const HEX: &str = "00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65 6d 6f 00 00 00 00";

/// The request in rows of `width` bytes.
fn rows(width: usize) -> Vec<String> {
    let pairs: Vec<&str> = HEX.split(' ').collect();
    pairs.chunks(width).map(|row| row.join(" ")).collect()
}

/// The rows, each with what `print` puts around it.
fn lines(width: usize, print: impl Fn(usize, &str) -> String) -> String {
    let rows = rows(width);
    let lines = rows.iter().enumerate();
    lines.map(|(idx, row)| print(idx, row) + "\n").collect()
}

#[test]
fn line_numbers_are_no_bytes() {
    is_metadata(
        "hex bytes",
        &lines(8, |idx, row| format!("{} | {row}", idx + 9)),
    );
    is_metadata(
        "hex bytes",
        &lines(8, |idx, row| format!("{}\t{row}", idx + 1)),
    );
    is_metadata(
        "hex bytes",
        &lines(8, |idx, row| format!("{} {row}", idx + 1)),
    );
    is_metadata(
        "Python bytes literal",
        &[
            r"7 b'\x00\x00\x00\x12\x00\x03'",
            r"8 b'\x00\x00\x00\x00\x01,'",
            r"9 b'\x00\x04demo\x00\x00\x00\x00'",
        ]
        .map(|line| line.replacen(' ', "  ", 1))
        .join("\n"),
    );
    let list = lines(8, |idx, row| {
        format!("{} |   0x{},", idx + 12, row.replace(' ', ", 0x"))
    });
    is_metadata("0x list", &list);
    // Bytes that count are bytes.
    assert_eq!(
        parts("01 00\n02 00\n03 00\n04 00"),
        [[1, 0, 2, 0, 3, 0, 4, 0]]
    );
}

#[test]
fn quoting_and_a_diff_are_no_bytes() {
    is_metadata("hex bytes", &lines(8, |_, row| format!("> {row}")));
    is_metadata("hex bytes", &lines(8, |_, row| format!("+{row}")));
    let list = |mark: &str| lines(8, |_, row| format!("{mark}0x{},", row.replace(' ', ", 0x")));
    is_metadata("0x list", &list("> "));
    is_metadata("0x list", &list("+  "));
    is_metadata(
        "Python bytes literal",
        "> b'\\x00\\x00\\x00\\x12\\x00\\x03\\x00\\x00'\n> b'\\x00\\x00\\x01,\\x00\\x04demo'\n> b'\\0\\0\\0\\0'",
    );
    is_metadata("base64", "> AAAAEgADAAAAAAEsAARkZW1vAAAAAA==\n> ");
}

#[test]
fn stamps_of_logs_are_no_bytes() {
    for prefix in [
        "Nov 29 19:51:01 host-1 kafka[1234]: ",
        "Nov  9 19:51:01 host-1 kafka: ",
        "I1129 19:51:01.123456  4242 conn.go:88] -> ",
        "2026-11-29T19:51:01.000Z stdout F ",
        "19:51:01.123 [main] DEBUG o.a.k.Foo - bytes: ",
    ] {
        is_metadata("hex bytes", &format!("{prefix}{HEX}"));
    }
    is_metadata(
        "hex stream",
        &format!("WRITE: 22B {}", HEX.replace(' ', "")),
    );
    // The number is no size of what follows.
    assert_eq!(
        parts("6b 00 12 00 03 00 00\n00 00 00 00 00 00 00 00")[0][0],
        0x6b
    );
}

#[test]
fn what_is_said_about_a_message_is_none_of_it() {
    is_metadata("hex bytes", &format!("$ ./dump 3 4\n{HEX}\n$ echo $?\n0\n"));
    is_metadata(
        "hex bytes",
        &format!("trace 4bf92f3577b34da6a3ce929d0e0e4736\n{HEX}\ncommit deadbeef"),
    );
    is_metadata("hex bytes", &format!("crc=0x1c2d3e4f: {HEX}"));
    let list = format!("0x{}", HEX.replace(' ', ", 0x"));
    is_metadata("0x list", &format!("$ ./dump 3 4\n{list}\n"));
    is_metadata("0x list", &format!("crc=0x1c2d3e4f: {list}"));
}

#[test]
fn short_offsets_are_proven_by_the_next() {
    for width in [8, 10, 20] {
        let paste = lines(width, |idx, row| format!("{:5}  {row}", idx * width));
        assert_eq!(parts(&paste), [METADATA], "{paste}");
    }
}

#[test]
fn an_ascii_column_without_offsets_is_no_bytes() {
    let row = |row: &str| -> String {
        let bytes = row
            .split(' ')
            .map(|byte| u8::from_str_radix(byte, 16).unwrap());
        bytes
            .map(|byte| {
                if byte.is_ascii_graphic() {
                    byte as char
                } else {
                    '.'
                }
            })
            .collect()
    };
    for edge in ["", "|"] {
        let paste = lines(8, |_, hex| format!("{hex:23}   {edge}{}{edge}", row(hex)));
        let found = is_metadata("hex bytes", &paste);
        assert!(found.parts[0].holes.is_empty(), "{paste}");
    }
    // ngrep has a gap in the middle as well.
    let paste = lines(16, |_, hex| {
        let (left, right) = hex.split_at(hex.len().min(23));
        format!("  {left:23}    {:23}    {}", right.trim(), row(hex))
    });
    assert!(is_metadata("hex bytes", &paste).parts[0].holes.is_empty());
}

#[test]
fn fields_behind_their_names_are_one_message() {
    for (name, hex, end) in [
        ("", " ", ""),
        ("| ", " | ", " |"),
        ("- ", ": `", "`"),
        ("* ", " = 0x", ""),
    ] {
        let field = |key: &str, bytes: &str| {
            let bytes = if hex.ends_with('x') {
                bytes.replace(' ', "")
            } else {
                bytes.to_owned()
            };
            let mark = if hex == " " { ": " } else { hex };
            format!("{name}{key}{mark}{bytes}{end}\n")
        };
        let paste = [
            field("size", &HEX[..11]),
            field("api key", &HEX[12..17]),
            field("version", &HEX[18..23]),
            field("the others", &HEX[24..]),
        ]
        .concat();
        let candidate = best(&paste);
        assert_eq!(candidate.bytes(), METADATA, "{paste}");
        assert_eq!(candidate.parts.len(), 1, "{paste}");
    }
    let paste = format!(
        "size: {}\nkey: {}\nrest: {}",
        &HEX[..11],
        &HEX[12..17],
        &HEX[18..]
    );
    let notes = &best(&paste).parts[0].notes;
    let notes: Vec<_> = notes
        .iter()
        .map(|note| (note.at, note.text.as_str()))
        .collect();
    assert_eq!(notes, [(0, "size"), (4, "key"), (6, "rest")]);
    // Numbers about a message are none of its bytes.
    is_metadata("hex bytes", &format!("size: 22\nkey: 3\nbody: {HEX}"));
}

/// A paste with one of these fields a line, as `line` writes it of the field's index, its first byte
/// and its name.
fn fields(line: impl Fn(usize, usize, &str, &[u8]) -> String) -> String {
    let names = [
        "size",
        "api key",
        "version",
        "id",
        "client_id len",
        "client_id",
        "topics",
    ];
    let mut at = 0;
    let mut paste = String::new();
    for (idx, (name, len)) in names.into_iter().zip([4, 2, 2, 4, 2, 4, 4]).enumerate() {
        paste += &line(idx, at, name, &METADATA[at..at + len]);
        paste.push('\n');
        at += len;
    }
    paste
}

fn digits(bytes: &[u8], between: &str) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.join(between)
}

#[test]
fn names_of_fields_may_have_anything_in_them() {
    let spaced = |bytes: &[u8]| digits(bytes, " ");
    let long = |bytes: &[u8]| format!("0x{}", digits(bytes, ""));
    for paste in [
        fields(|_, _, name, bytes| format!("{name}: {}", spaced(bytes))),
        fields(|_, _, name, bytes| format!("{name}: {}", long(bytes))),
        fields(|_, _, name, bytes| format!("{name} (int{}): {}", 8 * bytes.len(), long(bytes))),
        fields(|_, _, name, bytes| format!("\"{name}\": {},", long(bytes))),
        fields(|_, _, name, bytes| format!("[{name}] = {}", long(bytes))),
        fields(|_, at, name, bytes| {
            format!("{at}-{} {name}: {}", at + bytes.len() - 1, spaced(bytes))
        }),
        fields(|_, _, name, bytes| format!("[{name}] {}", long(bytes))),
        fields(|_, _, name, bytes| format!("{name} {}", long(bytes))),
        fields(|_, at, name, bytes| format!("| {at:02}- | {name} | {} |", spaced(bytes))),
        fields(|_, at, name, bytes| format!("| {at:02}- | {} | {name} |", spaced(bytes))),
        fields(|idx, _, name, bytes| format!("{}) {name}: {}", idx + 1, spaced(bytes))),
        fields(|idx, _, name, bytes| format!("{} : {}) {name}", spaced(bytes), idx + 1)),
        fields(|idx, _, name, bytes| format!("{}  {:02} {name}", spaced(bytes), idx + 1)),
    ] {
        for text in ["", "What my client sends:\n\n"] {
            let paste = format!("{text}{paste}");
            assert_eq!(parts(&paste), [METADATA], "{paste}");
        }
    }
}

#[test]
fn fields_behind_a_size_that_is_wrong_are_one_message() {
    let mut bytes = METADATA.to_vec();
    bytes[3] += 3;
    let [size, header, id, rest] =
        [0..4, 4..8, 8..12, 12..22].map(|field| digits(&bytes[field], " "));
    let paste = format!("size: {size}\napi: {header}\ncorr: {id}\nrest: {rest}");
    assert_eq!(parts(&paste), [bytes], "{paste}");
    // Whole frames are not fields of one.
    let frame = digits(METADATA, " ");
    let paste = format!("first: {frame}\nsecond: {frame}\nthird: {frame}");
    assert_eq!(parts(&paste), [METADATA; 3], "{paste}");
    let paste = format!("seen: 00 00 00 12\nsecond: {frame}\nthird: {frame}");
    assert_eq!(parts(&paste)[1..], [METADATA; 2], "{paste}");
}

#[test]
fn digits_that_are_left_out_are_told() {
    let candidate = best(&format!("flags were 12 34 there\nand then it sent {HEX}"));
    assert_eq!(candidate.bytes(), METADATA);
    assert_eq!(candidate.remarks[0].place.to_string(), "1:12");
}

#[test]
fn what_goes_the_other_way_is_another_message() {
    for (there, back) in [
        ("> ", "< "),
        (">>> ", "<<< "),
        ("-> ", "<- "),
        ("C: ", "S: "),
        ("\u{2192} ", "\u{2190} "),
    ] {
        let paste = format!("{there}{HEX}\n{back}00 00 00 04 00 00 01 2c");
        assert_eq!(
            parts(&paste),
            [METADATA.to_vec(), vec![0, 0, 0, 4, 0, 0, 1, 0x2c]],
            "{paste}"
        );
        let paste = format!(
            "{}\n{HEX}\n{}\n00 00 00 04\n00 00 01 2c",
            there.trim(),
            back.trim()
        );
        assert_eq!(parts(&paste).len(), 2, "{paste}");
    }
}

#[test]
fn strings_of_json_are_opened() {
    let dump = lines(16, |idx, row| format!("{:08x}  {row}", idx * 16));
    let xxd = dump.replace("  ", ": ");
    for (notation, text) in [
        ("od -t x1", format!("read\n{dump}end")),
        ("xxd", xxd),
        ("hex bytes", lines(8, |_, row| row.to_owned())),
        (
            "Python bytes literal",
            r"bad frame b'\x00\x00\x00\x12\x00\x03\0\0\0\0\x01,\0\x04demo\0\0\0\0'".to_owned(),
        ),
    ] {
        let escaped = text
            .replace('\\', "\\\\")
            .replace('\n', "\\n")
            .replace('\t', "\\t");
        let paste = format!("{{\"level\":\"info\",\"msg\":\"{escaped}\",\"n\":1}}");
        let candidate = is_metadata(notation, &paste);
        // The place is one of the paste, not of what was opened.
        assert_eq!(candidate.parts[0].places[0].line, 1, "{paste}");
        let again = paste.replace('\\', "\\\\").replace('"', "\\\"");
        is_metadata(notation, &format!("{{\"log\":\"{again}\"}}"));
    }
    let paste = "{\"a\":\"00 00 00 12 00 03 00 00\\n00 00 01 2c 00 04 64 65\\n6d 6f 00 00 00 00\"}";
    let places = best(paste).parts[0].places.clone();
    assert_eq!(places[0].column, 7);
    assert_eq!(places[8].column, 32);
}

#[test]
fn decoration_is_undone_but_not_in_strings() {
    let wide: String = HEX
        .chars()
        .map(|c| match c {
            ' ' => '\u{3000}',
            c => char::from_u32(c as u32 + 0xfee0).unwrap(),
        })
        .collect();
    is_metadata("hex bytes", &wide);
    is_metadata(
        "hex stream",
        &HEX.replace(' ', "\u{ad}")
            .replace('\u{ad}', "")
            .replacen("0012", "00\u{ad}12", 1),
    );
    is_metadata(
        "Python bytes literal",
        r"b&#39;\x00\x00\x00\x12\x00\x03\0\0\0\0\x01,\0\x04demo\0\0\0\0&#39;",
    );
    // A payload keeps its curly quote, unless the quotes around it are curly too.
    let kept = best("\"\\x00\\x05it\u{2019}s\"");
    assert_eq!(kept.bytes(), "\0\x05it\u{2019}s".as_bytes());
    assert_eq!(
        best("\u{201c}\\x00\\x05it\u{2019}s\u{201d}").bytes(),
        b"\0\x05it's"
    );
}

#[test]
fn utf16_without_a_mark_is_text() {
    let units = HEX.encode_utf16();
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let Reading::Bytes(found) = read(&bytes) else {
        panic!("no text");
    };
    assert_eq!(found[0].bytes(), METADATA);
}

/// What loggers, containers and debuggers put in front of each line of what they print.
#[test]
fn a_prefix_of_each_line_is_no_part_of_it() {
    let dump = "00000000: 0000 0012 0003 0000 0000 012c 0004 6465  ...........,..de\n\
                00000010: 6d6f 0000 0000                           mo....";
    let decimal: Vec<String> = METADATA.iter().map(u8::to_string).collect();
    let list = format!(
        "[\n  {},\n  {},\n]",
        decimal[..12].join(", "),
        decimal[12..].join(", ")
    );
    for front in [
        "broker-1  | ",
        "[pid 4242] ",
        "[kafka-producer-network-thread | producer-1] ",
        "2026-03-02T12:01:33.123456Z [main] INFO  c.e.Conn : ",
        "03-02 12:01:33.123  4242  4260 D KafkaConn: ",
        "[DEBUG] [1772452893] ",
        "I0302 12:01:33.123456  4242 conn.cc:88] ",
        "// ",
        "# ",
        "#\t",
        " * ",
        "- ",
    ] {
        let print = |text: &str| -> String {
            text.lines()
                .map(|line| format!("{front}{line}\n"))
                .collect()
        };
        is_metadata("xxd", &print(dump));
        is_metadata("list of decimal numbers", &print(&list));
        is_metadata("hex bytes", &print(&rows(8).join("\n")));
        is_metadata("hex bytes", &print(HEX));
    }
}

#[test]
fn two_messages_of_a_log_stay_two() {
    let hex: String = HEX.split(' ').collect();
    for log in ["send: ", "2026-03-02T12:01:33.123Z DEBUG kafka.conn - "] {
        let paste = format!("{log}b'\\x00\\x01ab'\n{log}b'\\x00\\x01cd'\n");
        assert_eq!(parts(&paste).len(), 2, "{paste}");
        let paste = format!("{log}{hex}\n{log}{hex}\n");
        assert_eq!(parts(&paste), [METADATA, METADATA], "{paste}");
    }
}

#[test]
fn messages_of_one_length_stay_as_many() {
    let pairs = "00 12 00 00 00 00 00 01 00 01 61";
    for front in ["sent: ", "2026-03-02T12:01:33.123Z DEBUG conn - "] {
        for message in [pairs.to_owned(), pairs.replace(' ', "")] {
            for n_lines in [2, 3] {
                let paste = format!("{front}{message}\n").repeat(n_lines);
                assert_eq!(parts(&paste).len(), n_lines, "{paste}");
            }
        }
    }
}

#[test]
fn empty_lines_are_quoted_as_others() {
    let rows = rows(8);
    for mark in ["#", " *", "//", ">", "-"] {
        let mut paste = format!("{mark} the request\n{mark}\n");
        for row in &rows {
            paste += &format!("{mark} {row}\n");
        }
        is_metadata("hex bytes", &format!("{paste}{mark}\n"));
    }
}

#[test]
fn bytes_behind_a_word_are_no_number_of_it() {
    let pairs: Vec<&str> = HEX.split(' ').collect();
    let groups: Vec<String> = pairs.chunks(2).map(<[&str]>::concat).collect();
    let grouped = groups.join(" ");
    for paste in [
        format!("data/{HEX}"),
        format!("MSG-{}", HEX.replace(' ', "-")),
        format!("req_{}", HEX.replace(' ', "_")),
        format!("sent: [{}]", HEX.replace(' ', "] [")),
        format!("sent: [{}]", HEX.replace(' ', "][")),
    ] {
        is_metadata("hex bytes", &paste);
    }
    for front in ["payload#", "hex-"] {
        is_metadata("hex groups", &format!("{front}{grouped}"));
    }
    for front in ["conn#12 ", "producer-1 ", "[producer-12] ", "worker/4242: "] {
        is_metadata("hex bytes", &format!("{front}{HEX}"));
    }
}

/// Numbers that a log has beside bytes.
#[test]
fn numbers_of_words_are_no_bytes() {
    for front in [
        "broker-1  | 2026/03/02 12:01:33 sending: ",
        "[kafka-producer-network-thread | producer-1] ",
        "[pid 4242] ",
        "[DEBUG] [1772452893] ",
        "HeapByteBuffer[pos=0 lim=22 cap=22] ",
        "bob  12:01 PM\n",
        "> 2026/03/02 12:01:33.000123456  length=22 from=0 to=21\n ",
    ] {
        is_metadata("hex bytes", &format!("{front}{HEX}\n"));
    }
}

#[test]
fn numbers_with_a_dash_in_front_are_a_list() {
    let listed: String = METADATA
        .iter()
        .map(|byte| format!("    - {byte}\n"))
        .collect();
    let swift = format!("▿ 22 bytes\n  - count : 22\n  ▿ bytes : 22 elements\n{listed}");
    is_metadata("list of decimal numbers", &swift);
    is_metadata("list of decimal numbers", &format!("payload:\n{listed}"));
}

#[test]
fn the_string_in_code_of_markdown_is_the_string() {
    let escaped: String = METADATA
        .iter()
        .map(|byte| format!("\\x{byte:02x}"))
        .collect();
    is_metadata(
        "string with \\x escapes",
        &format!("I send `write(5, \"{escaped}\", 22)` and nothing comes back"),
    );
}
