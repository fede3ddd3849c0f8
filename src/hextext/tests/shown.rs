//! Bytes as terminals and addresses show them, and the escapes of rarer languages.

use super::*;

#[test]
fn carets_are_read() {
    is_metadata("cat -v", "^@^@^@^R^@^C^@^@^@^@^A,^@^Ddemo^@^@^@^@");
    is_metadata("cat -v", "key: ^@^@^@^R^@^C^@^@^@^@^A,^@^Ddemo^@^@^@^@");
    let candidate = best("^@^@^@M-^FM-aM-^?^?<fe>^@");
    assert_eq!(candidate.bytes(), b"\0\0\0\x86\xe1\xff\x7f\xfe\0");
    // What the characters say may be what they are.
    assert_eq!(candidate.remarks.len(), 1);
    // `cat -A` marks the byte that breaks a line, `cat -v` prints it.
    let framed = b"\0\0\0\x04\0\na\0";
    assert_eq!(parts("^@^@^@^D^@$\na^@"), [framed]);
    assert_eq!(parts("^@^@^@^D^@\na^@"), [framed]);
    assert_eq!(parts("^@^@^@^D^@\na^@^@^@").len(), 2);
}

#[test]
fn addresses_and_entities_are_read() {
    is_metadata(
        "percent-encoding",
        "/send?data=%00%00%00%12%00%03%00%00%00%00%01%2C%00%04demo%00%00%00%00&x=1",
    );
    is_metadata(
        "numeric entities",
        "&#0;&#0;&#0;&#18;&#0;&#3;&#0;&#0;&#0;&#0;&#1;,&#0;&#x4;demo&#0;&#0;&#0;&#0;",
    );
}

#[test]
fn haskell_ocaml_and_lua_are_read() {
    is_metadata(
        "Haskell string",
        r#""\NUL\NUL\NUL\DC2\NUL\ETX\NUL\NUL\NUL\NUL\SOH,\NUL\EOTdemo\NUL\NUL\NUL\NUL""#,
    );
    assert_eq!(
        parts(r#""\NUL\SO\&H\200\&1\255\DEL""#),
        [b"\0\x0eH\xc81\xff\x7f"]
    );
    is_metadata(
        "string with decimal escapes",
        r#""\000\000\000\018\000\003\000\000\000\000\001\044\000\004demo\000\000\000\000""#,
    );
    // Without an 8 or 9 it can be octal too.
    let Reading::Bytes(both) = read(br#""\000\000\000\012\000\003\000\001""#) else {
        panic!("refused");
    };
    assert_eq!(both[0].bytes(), [0, 0, 0, 0o12, 0, 3, 0, 1]);
    assert!(
        both[1..]
            .iter()
            .any(|other| other.bytes() == [0, 0, 0, 12, 0, 3, 0, 1])
    );
}

#[test]
fn text_of_latin1_is_shown_beside() {
    let Reading::Bytes(both) = read("'\\x00\\x01\u{ff}'".as_bytes()) else {
        panic!("refused");
    };
    assert_eq!(both[0].bytes(), [0, 1, 0xc3, 0xbf]);
    assert!(both[1..].iter().any(|other| other.bytes() == [0, 1, 0xff]));
}

#[test]
fn escapes_that_a_terminal_wrapped_are_whole() {
    let spelled = r"\x00\x00\x00\x12\x00\x03\x00\x00\x00\x00\x01,\x00\x04demo\x00\x00\x00\x00";
    for at in 1..spelled.len() {
        // Behind a backslash and `x`, the break is inside an escape.
        let paste = format!("b'{}\n{}'", &spelled[..at], &spelled[at..]);
        assert_eq!(best(&paste).bytes(), METADATA, "{paste}");
    }
}

#[test]
fn what_libraries_print_is_read() {
    is_metadata(
        "hex in quotes",
        "b'0000001200030000000001 2c000464656d6f00000000'"
            .replace(' ', "")
            .as_str(),
    );
    is_metadata(
        "hex in quotes",
        "binascii.unhexlify(b'00000012-00030000-0000012c-00046465-6d6f0000-0000')",
    );
    is_metadata(
        "hex in quotes",
        "['0x0', '0x0', '0x0', '0x12', '0x0', '0x3', '0x0', '0x0', '0x0', '0x0', '0x1', '0x2c', \
         '0x0', '0x4', '0x64', '0x65', '0x6d', '0x6f', '0x0', '0x0', '0x0', '0x0']",
    );
    let indexed: Vec<String> = METADATA
        .iter()
        .enumerate()
        .map(|(idx, byte)| format!("\"{idx}\":{byte}"))
        .collect();
    is_metadata(
        "JSON of a typed array",
        &format!("{{{}}}", indexed.join(",")),
    );
    is_metadata(
        "Kotlin byteArrayOf",
        "byteArrayOf(0, 0, 0, 0x12.toByte(), 0, 3, 0, 0, 0, 0, 1, 0x2c, 0, 4, 0x64, 0x65, 0x6d, 0x6f, 0, 0, 0, 0)",
    );
    is_metadata(
        "printf escapes",
        r"printf '%b' '\0000\0000\0000\0022\0000\0003\0000\0000\0000\0000\0001,\0000\0004demo\0000\0000\0000\0000'",
    );
    let bits: Vec<String> = METADATA.iter().map(|byte| format!("{byte:08b}")).collect();
    is_metadata("binary digits", &bits.concat());
    is_metadata(
        "hex bytes",
        "00.00.00.12.00.03.00.00.00.00.01.2c.00.04.64.65.6d.6f.00.00.00.00",
    );
}

#[test]
fn memory_dumps_of_debuggers_are_read() {
    let pairs: Vec<String> = METADATA.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(parts(&format!(" [1] {}", pairs.join(" "))), [METADATA]);
    let row = |at: usize| &METADATA[at..METADATA.len().min(at + 8)];
    let print = |sep: &str, prefix: &str, bytes: &[u8]| -> String {
        let cells = bytes.iter().map(|byte| format!("{sep}{prefix}{byte:02x}"));
        cells.collect()
    };
    let dump = |line: &dyn Fn(usize) -> String| -> String {
        [0, 8, 16].map(|at| line(at) + "\n").concat()
    };
    for paste in [
        dump(&|at| {
            format!(
                "0x{:x} <buf+{at}>:{}",
                0x5555_5555_8040_usize + at,
                print("\t", "0x", row(at))
            )
        }),
        dump(&|at| {
            format!(
                "00000208`{:08x} {}",
                0x1a2b_0000 + at,
                print(" ", "", row(at))
            )
        }),
        dump(&|at| {
            format!(
                "\u{2502}{at:08x}\u{2502}{} \u{2502}",
                print(" ", "", row(at))
            )
        }),
        dump(&|at| format!(" [{}]{}", at + 1, print(" ", "", row(at)))),
    ] {
        assert_eq!(parts(&paste), [METADATA], "{paste}");
    }
}
