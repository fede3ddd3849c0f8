//! Any bytes, printed in any notation, are read back, each at its place; any text is survived.

use proptest::prelude::*;

use super::*;

/// Prints bytes and remembers where each begins.
struct Page {
    text: String,
    at: Vec<usize>,
}

impl Page {
    fn print(
        before: &str,
        bytes: &[u8],
        after: &str,
        put: impl Fn(usize, u8, &mut String),
    ) -> Page {
        let mut page = Page {
            text: before.to_owned(),
            at: Vec::new(),
        };
        for (idx, &byte) in bytes.iter().enumerate() {
            let mut piece = String::new();
            put(idx, byte, &mut piece);
            // Separators and marks come before the byte's own first character.
            let skip = piece.rfind([' ', '\n', ',']).map_or(0, |at| at + 1);
            let skip = if piece.ends_with(' ') { 0 } else { skip };
            page.at.push(page.text.len() + skip);
            page.text.push_str(&piece);
        }
        page.text.push_str(after);
        page
    }

    fn place(&self, at: usize) -> Place {
        let before = &self.text[..at];
        let line = before.matches('\n').count() as u32 + 1;
        let column = (at - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
        Place { line, column }
    }
}

/// The notations in which a byte's place is where its print begins.
fn pages(bytes: &[u8]) -> Vec<(&'static str, Page)> {
    let gap = |idx: usize| match idx % 16 {
        0 if idx > 0 => "\n",
        _ => " ",
    };
    let list = |idx: usize| match idx {
        0 => "",
        idx if idx.is_multiple_of(12) => ",\n  ",
        _ => ", ",
    };
    let hex = |sep: fn(usize) -> &'static str| {
        move |idx: usize, byte: u8, to: &mut String| *to += &format!("{}{byte:02x}", sep(idx))
    };
    let escape = |byte: u8| match byte {
        b'a'..=b'z' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    vec![
        (
            "pairs",
            Page::print(
                "",
                bytes,
                "\n",
                hex(|idx| if idx > 0 && idx % 16 == 0 { "\n" } else { " " }),
            ),
        ),
        ("stream", Page::print("", bytes, "", hex(|_| ""))),
        (
            "wrapped",
            Page::print("", bytes, "\n", move |idx, byte, to| {
                *to += &format!(
                    "{}{byte:02x}",
                    if idx % 16 == 0 {
                        gap(idx).trim_matches(' ')
                    } else {
                        ""
                    }
                );
            }),
        ),
        ("quoted", Page::print("hex = \"", bytes, "\"", hex(|_| ""))),
        (
            "0x",
            Page::print("uint8_t x[] = { ", bytes, " };", move |idx, byte, to| {
                *to += &format!("{}0x{byte:02x}", list(idx));
            }),
        ),
        (
            "decimal",
            Page::print("[]byte{", bytes, "}", move |idx, byte, to| {
                *to += &format!("{}{byte}", list(idx));
            }),
        ),
        (
            "signed",
            Page::print("new byte[] {", bytes, "}", move |idx, byte, to| {
                *to += &format!("{}{}", list(idx), byte as i8);
            }),
        ),
        (
            "python",
            Page::print("b'", bytes, "'", move |_, byte, to| *to += &escape(byte)),
        ),
        (
            "unicode",
            Page::print("'", bytes, "'", |_, byte, to| {
                *to += &format!("\\u{byte:04x}")
            }),
        ),
        (
            "erlang",
            Page::print("<<", bytes, ">>", |idx, byte, to| {
                *to += &format!("{}{byte}", if idx > 0 { "," } else { "" });
            }),
        ),
    ]
}

/// Prints a dump the way a tool does: `offset`, cells, ASCII column between `edges`.
fn dump(
    bytes: &[u8],
    width: usize,
    offset: impl Fn(usize) -> String,
    group: usize,
    edges: Option<(&str, &str)>,
) -> Page {
    let mut page = Page {
        text: String::new(),
        at: Vec::new(),
    };
    for (row, chunk) in bytes.chunks(width).enumerate() {
        page.text += &offset(row * width);
        let start = page.text.len();
        for (idx, byte) in chunk.iter().enumerate() {
            if idx % group == 0 {
                page.text.push(' ');
            }
            page.at.push(page.text.len());
            page.text += &format!("{byte:02x}");
        }
        if let Some((open, close)) = edges {
            let full = width * 2 + width.div_ceil(group);
            while page.text.len() < start + full {
                page.text.push(' ');
            }
            let shown = chunk.iter().map(|b| {
                if (0x20..0x7f).contains(b) {
                    char::from(*b)
                } else {
                    '.'
                }
            });
            page.text += &format!("  {open}{}{close}", shown.collect::<String>());
        }
        page.text.push('\n');
    }
    page
}

fn dumps(bytes: &[u8]) -> Vec<(&'static str, Page)> {
    vec![
        (
            "xxd",
            dump(bytes, 16, |at| format!("{at:08x}:"), 2, Some(("", ""))),
        ),
        (
            "xxd -c 10 -g 1",
            dump(bytes, 10, |at| format!("{at:08x}:"), 1, Some(("", ""))),
        ),
        (
            "hexdump -C",
            dump(bytes, 16, |at| format!("{at:08x} "), 1, Some(("|", "|"))),
        ),
        (
            "od -t x1z",
            dump(bytes, 16, |at| format!("{at:07o}"), 1, Some((">", "<"))),
        ),
        (
            "tcpdump -X",
            dump(bytes, 16, |at| format!("\t0x{at:04x}: "), 2, Some(("", ""))),
        ),
        (
            "tcpdump -x",
            dump(bytes, 16, |at| format!("\t0x{at:04x}: "), 2, None),
        ),
        (
            "Wireshark",
            dump(bytes, 16, |at| format!("{at:04x}  "), 1, Some((" ", ""))),
        ),
        (
            "nc -x",
            dump(bytes, 16, |at| format!("[{at:04x}]  "), 1, Some((" ", "$"))),
        ),
        (
            "columns",
            dump(
                bytes,
                16,
                |at| format!("[io] {at:04x} |"),
                1,
                Some(("| ", "")),
            ),
        ),
    ]
}

/// Bytes that look like messages: zeros, letters that are hex digits, some of everything.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        Just(0u8),
        Just(0xff),
        b'a'..=b'f',
        b'0'..=b'9',
        Just(b' '),
        any::<u8>()
    ];
    prop::collection::vec(byte, 9..80).prop_map(|mut bytes| {
        // A size in front, as every message has; and it keeps `1234` from being a number.
        bytes.splice(0..0, [0, 0]);
        bytes
    })
}

#[track_caller]
fn reads_back(name: &str, page: &Page, bytes: &[u8]) {
    let candidate = best(&page.text);
    assert_eq!(
        candidate.bytes(),
        bytes,
        "{name} as {}:\n{}",
        candidate.notation,
        page.text
    );
    let places = candidate.parts.iter().flat_map(|part| &part.places);
    for (place, &at) in places.zip(&page.at) {
        assert_eq!(*place, page.place(at), "{name}:\n{}", page.text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_printed_is_read_back(bytes in message()) {
        for (name, page) in pages(&bytes) {
            reads_back(name, &page, &bytes);
        }
    }

    #[test]
    fn what_is_dumped_is_read_back(bytes in message()) {
        for (name, page) in dumps(&bytes) {
            reads_back(name, &page, &bytes);
        }
    }

    #[test]
    fn any_text_is_survived(text in "[ -~\n\t\u{fffd}é]{0,400}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(text.as_bytes());
        let _ = read(&bytes);
    }

    #[test]
    fn text_of_marks_is_survived(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "<<", ">>", "0x", "\\x", "\\u", "'", "\"", "b'", "00", " ", "\n", ",", "...", "//", "/*", "*/", "#",
            "0000", ":", "|", "*\n", "(byte)", "[", "]", "-1", "\u{1b}[0m", "::", "size(", "=", "AAAA", "\\", "f",
            "0000000", "00000010", "é", "\u{fffd}", "ffffffffffffffff", "9999999999999999999999",
        ]),
        0..60,
    )) {
        let text = pieces.concat();
        if let Reading::Bytes(candidates) = read(text.as_bytes()) {
            prop_assert!(!candidates.is_empty());
            for part in candidates.iter().flat_map(|candidate| &candidate.parts) {
                prop_assert_eq!(part.bytes.len(), part.places.len());
                prop_assert!(!part.bytes.is_empty());
                prop_assert!(part.holes.iter().all(|hole| hole.at <= part.bytes.len()));
                prop_assert!(part.notes.iter().all(|note| note.end <= part.bytes.len()));
            }
        }
    }
}

/// Twice the text may not take four times as long; the tests run on busy machines, so only the
/// order is checked.
#[test]
fn reading_takes_linear_time() {
    for piece in [
        "<<1,",
        "'\\x00\"`",
        "[",
        "/* // # \\x ",
        "byte(0x00",
        "0",
        "00 ",
        "\"00\" ",
        "'a",
        "=> ",
        "x = ",
        "- ",
        "00000000: 00\n",
        "0000 00 |\n",
        "AAAA",
        "b'\\x00'\n",
        "[1,2],",
        "# \\x00 \n",
        "*\n0000  00\n",
        "...",
        "00/**/",
        "'00' x ",
        "\"a\":8,",
        "^@\"",
        "^@ \n",
        "%00 ",
        "&#0;",
        "00.",
        "x.00.00z",
        "(12 more)",
        "[..",
        "-- snip",
        "> 00\n",
        "1 | 00\n",
        "\"\\n\"",
        "{\"\\\\n",
        "00 00 00 00  00",
        "size 1 ",
        "`00 12`\n",
        "len: 00\n",
        "\t00\n00\n",
        "!!binary |\nAAAA\n",
        "a: 00 12\n",
        "\u{201c}\\x00\u{2019}",
        "AAAAAAAA ",
        "AAAAAAAAAAAA x ",
        "<00>a",
        "<00>a\n",
        "=00a",
        "=00=\n",
        "&H00 ",
        "0h,",
        "'a' <repeats 9 times>, ",
        "0 <repeats 9 times>,",
        "0 => 0,",
        "0 => 0\n",
        "[1] 0 ",
        "\\\\x00",
        "\\000$\n",
        "\\000\\\n",
        "\"frame_raw\": \"layers\"",
        ".byte 0\n",
    ] {
        let time = |len: usize| {
            let text = piece.repeat(len / piece.len());
            let start = std::time::Instant::now();
            let _ = read(text.as_bytes());
            start.elapsed()
        };
        time(1000);
        let (short, long) = (time(50_000), time(800_000));
        assert!(
            long < short * 100 + std::time::Duration::from_millis(300),
            "{piece:?}: {short:?}, {long:?}"
        );
    }
}
