//! Marks for bytes that are left out.

use super::*;

const MARKS: [(&str, Option<u64>); 18] = [
    ("...", None),
    ("\u{2026}", None),
    ("[...]", None),
    ("[snip]", None),
    ("<snip>", None),
    ("(truncated)", None),
    ("...[truncated]...", None),
    ("<64 bytes omitted>", Some(64)),
    ("(12 more)", Some(12)),
    ("... 20 more bytes ...", Some(20)),
    ("... (94 bytes)", None),
    ("... +12 more", Some(12)),
    ("..", None),
    (". . .", None),
    ("-- snip --", None),
    ("--- 8< ---", None),
    ("\u{2702}", None),
    ("<...>", None),
];

/// Asserts that a paste is eight bytes, with a hole before `at`.
#[track_caller]
fn has_hole(paste: &str, at: usize, len: Option<u64>) {
    let candidate = best(paste);
    assert_eq!(candidate.parts.len(), 1, "{paste}");
    let part = &candidate.parts[0];
    assert_eq!(part.bytes, [0, 0, 0, 0x70, 0, 3, 0, 1], "{paste}");
    let holes: Vec<_> = part.holes.iter().map(|hole| (hole.at, hole.len)).collect();
    assert_eq!(holes, [(at, len)], "{paste}");
}

#[test]
fn hex_has_holes() {
    for (mark, len) in MARKS {
        has_hole(&format!("00 00 00 70 00 03 00 01 {mark}"), 8, len);
        has_hole(&format!("00 00 00 70 {mark} 00 03 00 01"), 4, len);
        has_hole(&format!("00 00 00 70\n{mark}\n00 03 00 01"), 4, len);
    }
    has_hole("00 00 00 70\n*\n00 03 00 01", 4, None);
    has_hole("00 00 00 70\nand so on\n00 03 00 01", 4, None);
}

#[test]
fn lists_have_holes() {
    for (mark, len) in MARKS {
        has_hole(&format!("[0, 0, 0, 112, 0, 3, 0, 1, {mark}]"), 8, len);
        has_hole(&format!("[0, 0, 0, 112, {mark}, 0, 3, 0, 1]"), 4, len);
    }
}

#[test]
fn strings_end_in_holes() {
    for (mark, len) in MARKS {
        // These are text to a string.
        if matches!(mark, ".." | ". . .") {
            continue;
        }
        let string = r"\x00\x00\x00\x70\x00\x03\x00\x01";
        has_hole(&format!("b'{string}{mark}'"), 8, len);
    }
    // strace marks what it cuts behind the quote.
    has_hole(r#"write(5, "\0\0\0\160\0\3\0\1"..., 26) = 26"#, 8, None);
    // Dots that make the message as long as it says are its text.
    assert_eq!(
        parts(r"b'\x00\x00\x00\x05ab...'"),
        [b"\0\0\0\x05ab...".to_vec()]
    );
    let Reading::Bytes(both) = read(br"b'\x00\x00\x00\x50ab...'") else {
        panic!("refused");
    };
    assert_eq!(both[0].bytes(), b"\0\0\0\x50ab");
    assert_eq!(both[1].bytes(), b"\0\0\0\x50ab...");
}

#[test]
fn dumps_have_holes() {
    for mark in [
        "...",
        "[snip]",
        "<32 bytes omitted>",
        "-- 8< --",
        "and so on",
    ] {
        let paste = format!(
            "00000000: 0000 0012 0003 0001 0000 0000 0000 0000\n{mark}\n\
             00000030: 0000 0000 0000 0000 0000 0000 0000 0000\n"
        );
        let part = best(&paste).parts[0].clone();
        assert_eq!(part.bytes.len(), 32, "{paste}");
        assert_eq!(
            (part.holes[0].at, part.holes[0].len),
            (16, Some(32)),
            "{paste}"
        );
    }
    // A dump with something in front of its rows repeats all the same.
    let paste = "> 00000000: 0000 0012 0003 0001 0000 0000 0000 0000\n> *\n\
                 > 00000030: 0000 0000 0000 0000 0000 0000 0000 0000\n";
    assert_eq!(best(paste).bytes().len(), 64);
}
