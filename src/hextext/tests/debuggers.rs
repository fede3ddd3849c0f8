//! What debuggers, packet tools and editors print beside plain dumps.

use super::*;

/// The request, filled up to whole words.
fn words(len: usize, print: impl Fn(&[u8]) -> String) -> String {
    let mut bytes = METADATA.to_vec();
    bytes.resize(24, 0);
    let rows = bytes.chunks(8).enumerate().map(|(row, bytes)| {
        let cells: String = bytes
            .chunks(len)
            .map(|word| format!("\t{}", print(word)))
            .collect();
        format!("0x7fffffffe2{:02x}:{cells}\n", row * 8)
    });
    rows.collect()
}

#[test]
fn words_of_a_debugger_are_those_of_the_machine() {
    for len in [2, 4, 8] {
        let little = words(len, |word| {
            let digits: String = word
                .iter()
                .rev()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            format!("0x{digits}")
        });
        let Reading::Bytes(both) = read(little.as_bytes()) else {
            panic!("refused");
        };
        assert_eq!(both[0].bytes()[..22], *METADATA, "{little}");
        assert!(both[0].remarks[0].text.contains("little-endian"));
        assert_ne!(both[1].bytes()[..22], *METADATA);
    }
    let bytes = words(1, |byte| format!("0x{:02x}", byte[0]));
    assert_eq!(best(&bytes).bytes()[..22], *METADATA);
}

#[test]
fn bytes_of_a_debugger_in_any_format_are_read() {
    let octal = words(1, |byte| match byte[0] {
        0 => "0".to_owned(),
        byte => format!("0{byte:o}"),
    });
    assert_eq!(best(&octal).bytes()[..22], *METADATA, "{octal}");
    let characters = words(1, |byte| format!("{} '\\{:03o}'", byte[0], byte[0]));
    let labelled = characters.replace(":\t", " <buf+8>:\t");
    for paste in [characters, labelled] {
        assert_eq!(best(&paste).bytes()[..22], *METADATA, "{paste}");
    }
}

/// Rows of `x/8cb` and `x/8xb` are as long as they are, wherever the next one is.
#[test]
fn addresses_that_jump_leave_a_hole() {
    let row = |at: usize, print: &dyn Fn(u8) -> String| {
        let bytes = &METADATA[at..METADATA.len().min(at + 8)];
        let cells: String = bytes.iter().map(|&byte| print(byte)).collect();
        format!("0x5555555580{:02x} <buf+{at}>:{cells}\n", 0x20 + at)
    };
    let formats: [&dyn Fn(u8) -> String; 3] = [
        &|byte| format!("\t{} '\\{byte:03o}'", byte as i8),
        &|byte| format!("\t0x{byte:02x}"),
        &|byte| format!("\t{byte}"),
    ];
    for print in formats {
        let whole = [row(0, print), row(8, print), row(16, print)];
        assert_eq!(best(&whole.concat()).bytes(), METADATA);
        let jumps = [row(0, print), row(16, print)].concat();
        let candidate = best(&jumps);
        let [part] = &candidate.parts[..] else {
            panic!("{candidate:?}");
        };
        assert_eq!(part.bytes, [&METADATA[..8], &METADATA[16..]].concat());
        let [hole] = part.holes[..] else {
            panic!("{candidate:?}");
        };
        assert_eq!((hole.at, hole.len, hole.place.line), (8, Some(8), 2));
        let said = candidate.remarks.iter().any(|remark| {
            remark.place.line == 2 && remark.text.contains("leave out 8 bytes before this row")
        });
        assert!(said, "{candidate:?}");
    }
    // What was typed in front of a row is none of it, and parts it from the row before.
    let rows = [row(0, formats[0]), row(8, formats[0])];
    let typed = format!("(gdb) x/8cb buf\n{}(gdb) x/8cb buf+8\n{}", rows[0], rows[1]);
    assert_eq!(parts(&typed), [&METADATA[..8], &METADATA[8..16]]);
    // As in other dumps: what starts again is another part, and a row that begins in the one before it
    // goes on.
    let characters = formats[0];
    let again = [row(0, characters), row(8, characters), row(0, characters)].concat();
    assert_eq!(parts(&again), [&METADATA[..16], &METADATA[..8]]);
    let within = [row(0, characters), row(8, characters).replace("028", "024")].concat();
    let candidate = best(&within);
    assert_eq!(candidate.bytes(), METADATA[..16]);
    assert!(
        candidate.remarks[0]
            .text
            .starts_with("the address says 0x555555558024")
    );
}

#[test]
fn octal_bytes_without_offsets_are_read() {
    let octal: Vec<String> = METADATA.iter().map(|byte| format!("{byte:03o}")).collect();
    is_metadata("octal bytes", &octal.join(" "));
    is_metadata(
        "od -c",
        "  \\0  \\0  \\0 022  \\0 003  \\0  \\0  \\0  \\0 001   ,  \\0 004   d   e\n   \
         m   o  \\0  \\0  \\0  \\0\n",
    );
}

#[test]
fn the_ruler_of_a_grid_is_no_row() {
    let row = |at: usize| -> String {
        let bytes = &METADATA[at..METADATA.len().min(at + 16)];
        bytes.iter().map(|byte| format!("{byte:02x} ")).collect()
    };
    let paste = format!(
        "     |00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f|0123456789abcdef|\n\
         0x000|{}|...........,..de|\n0x010|{} |mo....|\n",
        row(0).trim_end(),
        row(16)
    );
    assert_eq!(parts(&paste), [METADATA]);
    let pairs = |at: usize| -> String {
        let bytes = METADATA[at..METADATA.len().min(at + 16)].chunks(2);
        let pair = |pair: &[u8]| format!("{:04x} ", u16::from_be_bytes([pair[0], pair[1]]));
        bytes.map(pair).collect()
    };
    let paste = format!(
        "87654321  0011 2233 4455 6677 8899 aabb ccdd eeff  0123456789abcdef\n\
         00000000: {} ...........,..de\n00000010: {:40} mo....\n",
        pairs(0),
        pairs(16)
    );
    assert_eq!(parts(&paste), [METADATA]);
}

#[test]
fn groups_behind_a_prefixed_one_are_of_its_number() {
    let candidate = best("{length = 32, bytes = 0x0000001c 000c0003 00000007 ... 0300036d }");
    assert_eq!(candidate.parts.len(), 1);
    assert_eq!(candidate.bytes().len(), 16);
    assert_eq!(candidate.parts[0].holes[0].at, 12);
}

#[test]
fn packets_of_tshark_are_read() {
    let colons: Vec<String> = METADATA.iter().map(|byte| format!("{byte:02x}")).collect();
    let (plain, colons) = (colons.concat(), colons.join(":"));
    for paste in [
        format!(
            "[{{\"_source\": {{\"layers\": {{\"tcp\": {{\"tcp.seq_raw\": \"1217049178\",\n\
             \"tcp.payload\": \"{colons}\"}}, \"kafka\": {{\"kafka.len\": \"18\"}}}}}}}}]"
        ),
        format!(
            "[{{\"_source\": {{\"layers\": {{\"frame_raw\": [\n \"{plain}\",\n 0,\n 22],\n\
             \"tcp.payload_raw\": [\"0000\", 0, 2], \"eth.dst_raw\": [\"020000000001\", 0]}}}}}}]"
        ),
        format!(
            "{{\"timestamp\":\"1790000000049\",\"layers\":{{\"tcp\":{{\"tcp_tcp_seq_raw\":\"12\",\
             \"tcp_tcp_payload\":\"{colons}\"}}}}}}"
        ),
        format!(
            "<pdml version=\"0\"><packet><field name=\"ip.flags\" value=\"2\"/>\n\
             <field name=\"tcp.payload\" show=\"{colons}\" value=\"{plain}\"/></packet></pdml>"
        ),
        format!("<field name=\"tcp.payload\" size=\"22\" show=\"{colons}\" value=\"{plain}\"/>"),
    ] {
        let candidate = is_metadata("tshark packets", &paste);
        // What is left out is said.
        assert_eq!(candidate.remarks.len(), 1);
    }
}

/// Whoever copies from a terminal cuts the last packet, or a pager cuts a long line.
#[test]
fn a_packet_of_tshark_that_is_cut_is_kept_up_to_there() {
    let colons: Vec<String> = METADATA.iter().map(|byte| format!("{byte:02x}")).collect();
    let (plain, colons) = (colons.concat(), colons.join(":"));
    let json = "{\"_source\": {\"layers\": {\n\"tcp.payload\": \"";
    let pdml = "<pdml><field name=\"tcp.payload\" ";
    for (paste, kept, place) in [
        (format!("{json}{}", &colons[..61]), 20, (2, 77)),
        (format!("{json}{}", &colons[..59]), 20, (2, 76)),
        (format!("{json}{}...\"}}", &colons[..59]), 20, (2, 76)),
        (format!("{pdml}value=\"{}", &plain[..21]), 10, (1, 60)),
        (format!("{pdml}show=\"{}", &colons[..8]), 3, (1, 47)),
    ] {
        let candidate = best(&paste);
        assert_eq!(candidate.bytes(), METADATA[..kept], "{paste}");
        let [_, remark] = &candidate.remarks[..] else {
            panic!("{candidate:?}");
        };
        let said = format!("the field of this packet is cut off behind {kept} bytes");
        assert_eq!(remark.text, said);
        assert_eq!((remark.place.line, remark.place.column), place, "{paste}");
        let holes = &candidate.parts[0].holes;
        assert_eq!((holes.len(), holes[0].at, holes[0].len), (1, kept, None));
    }
    // Of the second packet not even a byte is there.
    let paste = format!("{json}{colons}\",\n\"tcp.payload\": \"0");
    let candidate = is_metadata("tshark packets", &paste);
    let cut = "the field of this packet is cut off in front of its first byte";
    assert_eq!(candidate.remarks[1].text, cut);
    // Attributes of long packets are longer than a page.
    let long = "00".repeat(3000);
    let paste = format!("{pdml}show=\"{long}\" value=\"{long}\"/></pdml>");
    assert_eq!(best(&paste).bytes().len(), 3000);
}

#[test]
fn base64_in_groups_is_read() {
    is_metadata("base64", "AAAAEgADAA AAAAEsAARk ZW1vAAAAAA==");
    is_metadata("base64", "AAAAEgADAAAAAAEs\nAARkZW1vAAAAAA==\n");
    // Words behind it are none of its groups.
    is_metadata("base64", "AAAAEgADAAAAAAEsAARkZW1vAAAAAA== is what it sent");
}

/// `od -An -t d2`, `-t u2`, `-t d4`, `-t u4` and `-t d8`.
#[test]
fn words_of_od_need_no_offsets() {
    let print = |size: usize, width: usize, signed: bool| {
        let mut bytes = METADATA.to_vec();
        bytes.resize(bytes.len().next_multiple_of(size), 0);
        let words = bytes.chunks(size).enumerate().map(|(nth, word)| {
            let value = word
                .iter()
                .rev()
                .fold(0_i128, |sum, &b| sum << 8 | i128::from(b));
            let is_negative = signed && value >> (8 * size - 1) > 0;
            let value = value - i128::from(is_negative) * (1 << (8 * size));
            let ends = (nth + 1) % (16 / size) == 0 || (nth + 1) * size >= METADATA.len();
            format!("{value:>width$}{}", if ends { "\n" } else { "" })
        });
        words.collect::<String>()
    };
    let columns = [(2, 7), (2, 6), (4, 12), (4, 11), (8, 21)];
    for (size, width) in columns {
        let paste = print(size, width, width != 6 && width != 11);
        is_metadata("od words", &paste);
        // Blanks are soon lost, and the size in front is there all the same.
        let words: Vec<&str> = paste.split_whitespace().collect();
        is_metadata("od words", &words.join(" "));
    }
    // Which order it is, the bytes say.
    let big: Vec<String> = METADATA
        .chunks(2)
        .map(|word| format!("{:>7}", i16::from_be_bytes([word[0], word[1]])))
        .collect();
    let Reading::Bytes(both) = read(big.concat().as_bytes()) else {
        panic!("refused");
    };
    assert!(both.iter().any(|candidate| candidate.bytes() == METADATA));
    // Numbers of a table are no words.
    for table in [
        "1000 2000 3000\n4000 5000 6000",
        "9092 9093 9094",
        "300 -5 7",
    ] {
        let read = read(table.as_bytes());
        let best = read.best().map(|best| best.notation);
        assert_ne!(best, Some("od words"), "{table}");
    }
}

/// As `gcc -S` writes an array.
#[test]
fn data_for_an_assembler_is_read() {
    let array = "\t.globl\tbuf\n\t.data\n\t.align 16\n\t.type\tbuf, @object\n\t.size\tbuf, 22\n";
    let buf = "buf:\n\t.string\t\"\"\n\t.string\t\"\"\n\t.string\t\"\"\n\t.string\t\"\\022\"\n\
               \t.string\t\"\\003\"\n\t.zero\t3\n\t.string\t\"\\001,\"\n\t.ascii\t\"\\004d\", \"em\"\n\
               \t.byte\t111\n\t.value\t0\n\t.byte 0, 0x0\n";
    let candidate = is_metadata("assembler data", &format!("{array}{buf}"));
    assert_eq!(candidate.parts[0].label.as_deref(), Some("buf"));
    is_metadata("assembler data", buf.strip_prefix("buf:\n").unwrap());
    let long = "w:\n\t.long\t301989888\n\t.long\t768\n\t.long\t738263040\n\t.quad\t122514140561408\n\
                \t.value\t0\n";
    let words = best(long);
    assert_eq!(words.bytes()[..12], METADATA[..12]);
    assert!(words.remarks[0].text.contains("little-endian"));
    // Another label is another part; texts beside the data are left out, and addresses end it.
    let both = format!(
        "{array}{buf}\t.globl few\nfew:\n\t.string \"\"\n\t.ascii \"\\022\\003\"\n\
         .LC0:\n\t.string \"a %d\\n\"\ns:\n\t.quad\t.LC0\n"
    );
    assert_eq!(parts(&both), [METADATA, &[0, 0x12, 3]]);
    // A string goes on behind an escaped quote, and a hundred zeros are a hundred.
    let text = best("\t.string\t\"\\001\\\"\\\\\\377\"\n\t.zero\t100\n").bytes();
    assert_eq!(text[..5], [1, b'"', b'\\', 0xff, 0]);
    assert_eq!(text.len(), 105);
}

/// What `console.log` prints of a `DataView` and of an `ArrayBuffer`.
#[test]
fn a_view_of_node_is_what_it_has_of_its_buffer() {
    let hex: Vec<String> = METADATA.iter().map(|byte| format!("{byte:02x}")).collect();
    let print = |from: usize, len: usize, bytes: &str| {
        format!(
            "DataView {{\n  byteLength: {len},\n  byteOffset: {from},\n  buffer: ArrayBuffer {{\n    \
             [Uint8Contents]: <{bytes}>,\n    byteLength: 30\n  }}\n}}\n"
        )
    };
    let hex = hex.join(" ");
    is_metadata("Node ArrayBuffer", &print(0, 22, &hex));
    let candidate = is_metadata(
        "Node ArrayBuffer",
        &print(3, 22, &format!("09 09 09 {hex} 00")),
    );
    assert!(candidate.remarks[0].text.contains("22 of the 26 bytes"));
    is_metadata(
        "Node ArrayBuffer",
        &format!("{{ [Uint8Contents]: <{hex}>, byteLength: 22 }}"),
    );
    // What Node leaves out of a long buffer, as far as the view has it.
    for (from, len, missing) in [
        (3, 20, None),
        (3, 22, None),
        (3, 30, Some(8)),
        (3, 99, Some(77)),
    ] {
        let paste = print(from, len, &format!("09 09 09 {hex} ... 100 more bytes"));
        let part = best(&paste).parts[0].clone();
        assert_eq!(part.bytes, METADATA[..len.min(22)]);
        let holes: Vec<_> = part.holes.iter().map(|hole| hole.len).collect();
        assert_eq!(
            holes,
            missing.map(Some).into_iter().collect::<Vec<_>>(),
            "{paste}"
        );
    }
}
