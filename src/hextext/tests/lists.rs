//! Lists whose elements have something in front of them or behind them.

use super::*;

/// The request with each byte printed by `print`, which gets its place too.
fn list(sep: &str, print: impl Fn(usize, u8) -> String) -> String {
    let bytes = METADATA.iter().enumerate();
    let elements: Vec<String> = bytes.map(|(at, byte)| print(at, *byte)).collect();
    elements.join(sep)
}

#[test]
fn the_index_of_an_element_is_no_byte() {
    for paste in [
        list("\n", |at, byte| format!("  [{at}] = 0x{byte:02x}")),
        list("\n", |at, byte| format!("  [{at}] = '\\x{byte:02x}'")),
        list("\n", |at, byte| format!("    [{}] => {byte}", at + 1)),
        list("\n", |at, byte| format!("{at} = {byte}")),
        list(",\n", |at, byte| format!("  {at} => {byte}")),
        list(", ", |at, byte| format!("{at} => {byte}")),
        list(", ", |at, byte| format!("{at}: {byte}")),
        list(";\n", |at, byte| format!("buf[{at}] = 0x{byte:02X}")),
        list("\n", |at, byte| format!("  [{at}]=>\n  int({byte})")),
        list(", ", |at, byte| format!("[0x{at:x}] = 0x{byte:x}")),
    ] {
        is_metadata("list with indexes", &paste);
    }
    // Indexes that do not count on are something else.
    assert_eq!(parts("0003 => 3\n0004 => 4\n0012 => 18")[0].len(), 6);
    assert_eq!(
        parts("1: 0, 0, 0, 18, 0, 3, 0, 1, 7"),
        [[0, 0, 0, 18, 0, 3, 0, 1, 7]]
    );
}

/// Octave and Matlab say which columns of a wide row they print.
#[test]
fn headings_of_columns_are_no_bytes() {
    let columns = |range: std::ops::Range<usize>| -> String {
        METADATA[range]
            .iter()
            .map(|byte| format!("{byte:>6}"))
            .collect()
    };
    let (first, second, last) = (columns(0..13), columns(13..20), columns(20..22));
    is_metadata(
        "list of decimal numbers",
        &format!(
            "x =\n\n Columns 1 through 13:\n\n{first}\n\n Columns 14 through 20:\n\n{second}\n\n \
             Columns 21 and 22:\n\n{last}\n\n"
        ),
    );
    let (rest, one) = (columns(13..21), columns(21..22));
    is_metadata(
        "list of decimal numbers",
        &format!(
            "x =\n\n  Columns 1 through 13\n\n{first}\n\n  Columns 14 through 21\n\n{rest}\n\n  \
             Column 22\n\n{one}\n\n"
        ),
    );
}

#[test]
fn the_index_of_a_row_is_no_byte() {
    let rows = METADATA.chunks(8).enumerate().map(|(row, bytes)| {
        let cells: String = bytes.iter().map(|byte| format!("{byte:>4}")).collect();
        format!("{:>4}{cells}\n", format!("[{}]", row * 8 + 1))
    });
    let rows = rows.collect::<String>();
    assert_eq!(parts(&rows), [METADATA]);
    let first = rows.lines().next().unwrap();
    assert_eq!(parts(first), [&METADATA[..8]]);
}

#[test]
fn prefixes_and_suffixes_of_many_languages_are_read() {
    for (notation, paste) in [
        (
            "0x list",
            format!("{{{}}}", list(", ", |_, b| format!("&H{b:02X}"))),
        ),
        ("0x list", list(", ", |_, b| format!("${b:02X}"))),
        (
            "0x list",
            format!("#({})", list(" ", |_, b| format!("#x{b:02X}"))),
        ),
        (
            "0x list",
            format!("({})", list(", ", |_, b| format!("16#{b:02X}#"))),
        ),
        ("0x list", list(" ", |_, b| format!("16r{b:02X}"))),
        (
            "0x list",
            format!("{{{}}}", list(", ", |_, b| format!("8'h{b:02x}"))),
        ),
        ("0x list", list(", ", |_, b| format!("{b:02X}h"))),
        ("0x list", list(" ", |_, b| format!("{b:02x}h"))),
        ("0x list", list(",", |_, b| format!("{b:03X}h"))),
        (
            "list with casts",
            format!(
                "@[{}]",
                list(", ", |at, b| match at {
                    0 => format!("{b}'u8"),
                    _ => b.to_string(),
                })
            ),
        ),
        (
            "list with casts",
            format!("[|{}|]", list("; ", |_, b| format!("{b}uy"))),
        ),
        (
            "list with casts",
            format!("[|{}|]", list("; ", |_, b| format!("0x{b:02x}uy"))),
        ),
        (
            "Rust byte array",
            format!(
                "vec![{}]",
                list(", ", |at, b| match at {
                    0 => format!("{b}u8"),
                    _ => b.to_string(),
                })
            ),
        ),
        (
            "Kotlin byteArrayOf",
            format!("ubyteArrayOf({})", list(", ", |_, b| format!("{b}u"))),
        ),
        (
            "list with casts",
            format!("[{}]", list(", ", |_, b| format!("{b} as u8"))),
        ),
        (
            "list with casts",
            format!(
                "std::array{{{}}}",
                list(", ", |_, b| { format!("std::byte{{0x{b:02x}}}") })
            ),
        ),
        (
            "list with casts",
            format!(
                "{{{}}}",
                list(", ", |_, b| { format!("static_cast<char>(0x{b:02x})") })
            ),
        ),
    ] {
        is_metadata(notation, &paste);
    }
}

#[test]
fn keys_of_node_are_no_bytes() {
    let keys = list(",\n", |at, byte| format!("  '{at}': {byte}"));
    is_metadata("JSON of a typed array", &format!("{{\n{keys}\n}}"));
    let rows = list("\n", |at, byte| {
        format!("\u{2502} {at:<3} \u{2502} {byte:<3} \u{2502}")
    });
    assert_eq!(parts(&rows), [METADATA], "{rows}");
}

#[test]
fn sums_of_characters_are_read() {
    is_metadata(
        "list with casts",
        &list(" + ", |_, byte| format!("chr({byte})")),
    );
    is_metadata(
        "list with casts",
        &list(" & ", |_, byte| format!("Chr({byte})")),
    );
}

/// A list of characters is one message, whether or not any of them is a letter.
#[test]
fn lists_of_characters_are_read() {
    let hex = |open: &'static str, close: &'static str| {
        move |_: usize, byte: u8| format!("{open}{byte:02x}{close}")
    };
    for paste in [
        list(", ", hex("'\\x", "'")),
        format!("[{}]", list(", ", hex("b'\\x", "'"))),
        format!("{{{}}}", list(",\n", hex("'\\u{", "}'"))),
        format!("[{}]", list(", ", hex("\"\\u00", "\""))),
        // As Rust shows a list of `char`.
        list(", ", |_, byte| format!("{:?}", char::from(byte))),
    ] {
        assert_eq!(parts(&paste), [METADATA], "{paste}");
    }
}

#[test]
fn a_zero_without_prefix_is_a_zero() {
    // As C prints it with `%#04x`.
    let zeros = list(" ", |_, byte| match byte {
        0 => "0000".to_owned(),
        _ => format!("0x{byte:02x}"),
    });
    assert_eq!(parts(&zeros), [METADATA]);
    // What stands in front of a list is still none of it.
    assert_eq!(parts("./dump 3 4 0x00 0x00 0x00 0x12"), [[0, 0, 0, 0x12]]);
}

#[test]
fn vectors_of_lisp_are_no_comments() {
    for open in ["#(", "#vu8("] {
        let paste = format!("\n{open}{})", list(" ", |_, byte| byte.to_string()));
        assert_eq!(parts(&paste.replacen(" 1 ", "\n  1 ", 1)), [METADATA]);
    }
    let paste = format!("#({})", list(" ", |_, byte| format!("#x{byte:X}")));
    assert_eq!(parts(&paste.replacen(" #x1 ", "\n  #x1 ", 1)), [METADATA]);
}

#[test]
fn hours_are_no_bytes() {
    let said = read(b"kept for 24h, 48h, 72h, 96h; Invalid receive (size = 1195725856)");
    assert!(matches!(said, Reading::Numbers(_)), "{said:?}");
}

#[test]
fn years_are_no_bytes() {
    let said = read(b"kept 10y, 5y, 7y, 2y, 1y, 3y, 4y, 6y; Invalid receive (size = 1195725856)");
    assert!(matches!(said, Reading::Numbers(_)), "{said:?}");
    let pair = "[10y, 5y] 00 00 00 12 00 03 00 00 00 00 01 2c";
    assert_eq!(parts(pair), [&METADATA[..12]]);
    // F#'s signed bytes: all of a list.
    let signed = list("; ", |_, byte| format!("{}y", byte as i8));
    is_metadata("list with casts", &format!("[|{signed}|]"));
    let hex = list("; ", |_, byte| format!("0x{byte:02x}y"));
    is_metadata("list with casts", &format!("[|{hex}|]"));
}

#[test]
fn lines_of_an_assembler_are_one_list() {
    for word in ["\t.byte ", "\tdb ", "DB ", "buf: .byte "] {
        let rows = METADATA.chunks(8).map(|row| {
            let cells: Vec<String> = row.iter().map(|byte| format!("0x{byte:02x}")).collect();
            format!("{word}{}\n", cells.join(","))
        });
        is_metadata("0x list", &rows.collect::<String>());
    }
}

#[test]
fn elements_that_a_debugger_repeats_are_all_there() {
    let hex = "{0x0 <repeats 3 times>, 0x12, 0x0, 0x3, 0x0 <repeats 4 times>, 0x1, 0x2c, 0x0, \
               0x4, 0x64, 0x65, 0x6d, 0x6f, 0x0 <repeats 4 times>}";
    is_metadata("0x list", hex);
    let pairs = "{0 '\\000' <repeats 3 times>, 18 '\\022', 0 '\\000', 3 '\\003', \
                 0 '\\000' <repeats 4 times>, 1 '\\001', 44 ',', 0 '\\000', 4 '\\004', 100 'd', \
                 101 'e', 109 'm', 111 'o', 0 '\\000' <repeats 4 times>}";
    assert_eq!(parts(pairs), [METADATA]);
    // More than is kept is a hole.
    let part = best("{0x0, 0x1, 0x2, 0x3 <repeats 99999999 times>, 0x4}").parts[0].clone();
    assert_eq!(part.bytes, [0, 1, 2, 3, 4]);
    assert_eq!(part.holes[0].len, Some(99_999_998));
}

#[test]
fn what_a_list_leaves_out_is_a_hole() {
    let part = best("result = {byte[23]@2131} [0, 0, 0, 19, 0, 10, 0, 4, 0, 0, +13 more]").parts[0]
        .clone();
    assert_eq!(part.bytes, [0, 0, 0, 19, 0, 10, 0, 4, 0, 0]);
    assert_eq!((part.holes[0].at, part.holes[0].len), (10, Some(13)));
}

#[test]
fn what_only_looks_like_a_listing_is_read_as_what_it_is() {
    // A command that goes on in the next line.
    let octal: String = METADATA.iter().map(|b| format!("\\{b:03o}")).collect();
    let candidate = best(&format!("printf '{octal}' \\\n  | nc localhost 9092"));
    assert_eq!(candidate.bytes(), METADATA);
    // Rows of numbers in columns of four.
    let rows = METADATA.chunks(8).map(|row| {
        let cells: String = row.iter().map(|byte| format!("{byte:>4}")).collect();
        format!("[{}]\n", cells.trim_start())
    });
    let array: String = rows.collect();
    assert_eq!(parts(&array).concat(), METADATA);
    assert_eq!(
        parts("array([\n   0   0   0   8\n 255 255 255 255   0   0   0   0 ])").concat(),
        [0, 0, 0, 8, 255, 255, 255, 255, 0, 0, 0, 0]
    );
}

#[test]
fn words_and_numbers_around_a_list_are_no_part_of_it() {
    let prefixed = list(" ", |_, byte| format!("0x{byte:02x}"));
    for text in [
        format!("partition 0 {prefixed}"),
        format!("{prefixed} each"),
    ] {
        assert_eq!(best(&text).bytes(), METADATA, "{text}");
    }
}
