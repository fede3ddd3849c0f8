//! Strings whose escapes belong to one language or tool.

use super::*;

/// The request with a newline, a backslash, a sign and many letters in it.
fn long() -> Vec<u8> {
    let mut bytes = b"\0\0\0\0\0\x03\0\0\0\0\x01\x2c\0\x04\\\n$o\0\0\0\x01\0\x50".to_vec();
    bytes.extend([b'a'; 80]);
    bytes.extend(b" #\"quoted\" // it's\x1b[0m\n\0");
    let size = bytes.len() - 4;
    bytes[3] = u8::try_from(size).unwrap();
    bytes
}

/// What `sed -n l` prints: lines of 69 characters, cut with a backslash.
fn sed(bytes: &[u8]) -> String {
    let mut lines = vec![String::new()];
    for &byte in bytes {
        let piece = match byte {
            b'\n' => {
                lines.last_mut().unwrap().push_str("$\n");
                lines.push(String::new());
                continue;
            }
            b'\\' => "\\\\".to_owned(),
            0x20..=0x7e => char::from(byte).to_string(),
            _ => format!("\\{byte:03o}"),
        };
        if lines.last().unwrap().len() + piece.len() > 69 {
            lines.last_mut().unwrap().push_str("\\\n");
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push_str(&piece);
    }
    lines.concat() + "$\n"
}

#[test]
fn what_sed_lists_is_read() {
    is_metadata("sed -n l", &sed(METADATA));
    let candidate = best(&sed(&long()));
    assert_eq!(candidate.notation, "sed -n l");
    assert_eq!(candidate.bytes(), long());
    // A break at the end is a byte where the message would lack it.
    assert_eq!(
        parts("\\000\\000\\000\\002\\001$"),
        [b"\0\0\0\x02\x01\n".to_vec()]
    );
}

#[test]
fn lines_of_shown_bytes_are_data_with_all_that_is_in_them() {
    let shown = |style: &dyn Fn(u8) -> String| -> String {
        long().iter().map(|byte| style(*byte)).collect()
    };
    let caret = |byte: u8| match byte {
        0x20..=0x7e => char::from(byte).to_string(),
        _ => format!("^{}", char::from(byte ^ 0x40)),
    };
    let cat = |byte: u8| match byte {
        b'\n' => "\n".to_owned(),
        _ => caret(byte),
    };
    let cat_all = |byte: u8| match byte {
        b'\n' => "$\n".to_owned(),
        _ => caret(byte),
    };
    let mail = |byte: u8| match byte {
        b'\n' => "\n".to_owned(),
        0x20..=0x3c | 0x3e..=0x7e => char::from(byte).to_string(),
        _ => format!("={byte:02X}"),
    };
    let styles: [&dyn Fn(u8) -> String; 3] = [&cat, &cat_all, &mail];
    for style in styles {
        let paste = shown(style);
        assert_eq!(best(&paste).bytes(), long(), "{paste}");
    }
}

#[test]
fn short_decimal_escapes_are_read() {
    is_metadata(
        "string with decimal escapes",
        r#""\0\0\0\18\0\3\0\0\0\0\1,\0\4demo\0\0\0\0""#,
    );
    // As C and strace write it, and as Lua, if no digit tells.
    let Reading::Bytes(both) = read(br#""\0\0\0\22\0\3\0\1""#) else {
        panic!("refused");
    };
    assert_eq!(both[0].bytes(), [0, 0, 0, 0o22, 0, 3, 0, 1]);
    assert_eq!(both[0].notation, "string with octal escapes");
    let lua = [0, 0, 0, 22, 0, 3, 0, 1];
    assert!(both[1..].iter().any(|other| other.bytes() == lua));
    // Rust's NUL, and a digit.
    assert_eq!(parts(r#"b"\0\x01\09""#), [[0, 1, 0, b'9']]);
}

#[test]
fn what_a_debugger_repeats_in_strings_is_there() {
    assert_eq!(
        parts(
            r#"$1 = "\000\000\000\022\000\003", '\000' <repeats 4 times>, "\001,\000\004demo", '\000' <repeats 4 times>"#
        ),
        [METADATA]
    );
    assert_eq!(
        parts(r#"$1 = '\000' <repeats 3 times>, "\004", 'a' <repeats 4 times>"#),
        [b"\0\0\0\x04aaaa"]
    );
    // Two strings without such a mark are two.
    assert_eq!(parts(r#"["\000\001\002\003", "\000\001"]"#).len(), 2);
    let part = best(r#"$1 = "\000\000", '\000' <repeats 14 times>..."#).parts[0].clone();
    assert_eq!((part.bytes.len(), part.holes[0].at), (16, 16));
}

#[test]
fn doubled_backslashes_are_one() {
    let doubled = |print: &dyn Fn(u8) -> String| -> String {
        METADATA.iter().map(|byte| print(*byte)).collect()
    };
    let print = |byte: u8| match byte {
        b'a'..=b'z' => char::from(byte).to_string(),
        _ => format!("\\\\{byte:03o}"),
    };
    assert_eq!(parts(&format!("E'{}'", doubled(&print))), [METADATA]);
    let print = |byte: u8| format!("\\\\x{byte:02x}");
    assert_eq!(parts(&doubled(&print)), [METADATA]);
    // PostgreSQL's own hex has one escape, and is none.
    let hex: String = METADATA.iter().map(|byte| format!("{byte:02x}")).collect();
    is_metadata("hex stream", &format!("1\t\\\\x{hex}"));
}

#[test]
fn mail_is_read() {
    is_metadata(
        "quoted-printable",
        "=00=00=00=12=00=03=00=00=00=00=01,=00=\n=04demo=00=00=00=00=\n",
    );
    is_metadata(
        "quoted-printable",
        "=00=00=00=12=00=03=00=00=00=00=01,=00=\r\n=04demo=00=00=00=00=\r\n",
    );
    assert_eq!(
        parts("=00=00=00=06=00\t=3D\nb=01"),
        [b"\0\0\0\x06\0\t=\nb\x01".to_vec()]
    );
}

#[test]
fn pairs_in_angle_brackets_are_bytes_among_letters() {
    let print = |byte: u8| match byte {
        b'a'..=b'z' => char::from(byte).to_string(),
        _ => format!("<{byte:02X}>"),
    };
    let paste: String = METADATA.iter().map(|byte| print(*byte)).collect();
    is_metadata("hex in angle brackets", &paste);
    // Carets are control characters if the message has its length only then.
    assert_eq!(
        parts("<00><00><00>^D<00>a^Lb"),
        [b"\0\0\0\x04\0a\x0cb".to_vec()]
    );
    assert_eq!(
        parts("<00><00><00><04><00>a^L"),
        [b"\0\0\0\x04\0a^L".to_vec()]
    );
    // Nothing but pairs is hex.
    is_metadata(
        "hex bytes",
        &METADATA
            .iter()
            .map(|b| format!("<{b:02x}> "))
            .collect::<String>(),
    );
}

/// What a variable holds is not in the paste, and its name is none of the bytes.
#[test]
fn a_variable_in_a_string_is_a_hole() {
    for (paste, bytes, at) in [
        (r#"printf "$header\x00\x12ab""#, &b"\0\x12ab"[..], 0),
        (r#"echo -ne "\x00\x01${len}\x00\x12""#, b"\0\x01\0\x12", 2),
        (r#"req="\x00\x01$(size 3)\x00\x12""#, b"\0\x01\0\x12", 2),
        (
            r#"my $req = "\x00$header\x00\x12\x03";"#,
            b"\0\0\x12\x03",
            1,
        ),
        (r#"$req .= "\x00$h{len}\x00\x12\x03";"#, b"\0\0\x12\x03", 1),
        (
            r#"fwrite($sock, "\x00$a[0]\x00\x12\x03");"#,
            b"\0\0\x12\x03",
            1,
        ),
        (r"send(`\x00\x12${header}\x00\x03`)", b"\0\x12\0\x03", 2),
    ] {
        let candidate = best(paste);
        assert_eq!(candidate.bytes(), bytes, "{paste}");
        let [hole] = candidate.parts[0].holes[..] else {
            panic!("{candidate:?}");
        };
        assert_eq!((hole.at, hole.len), (at, None), "{paste}");
        let sign = paste.rfind('$').unwrap();
        let sign = paste.rfind("$h{").map_or(sign, |at| at);
        assert_eq!(hole.place.column as usize, sign + 1, "{paste}");
        let said = "is a variable, and its bytes are not here";
        assert!(candidate.remarks[0].text.ends_with(said), "{candidate:?}");
    }
    // Behind the last of them nothing is missing.
    let candidate = best(r#"printf "\x00\x12$header""#);
    assert_eq!(candidate.parts[0].holes[0].at, 2);
}

#[test]
fn a_sign_that_is_no_variable_is_a_byte() {
    for paste in [
        r#"printf '\x00$header\x00'"#,
        r#"printf "\x00\$header\x00""#,
        r#"b"\x00$header\x00""#,
    ] {
        let candidate = best(paste);
        assert_eq!(candidate.bytes(), b"\0$header\0", "{paste}");
        assert_eq!(candidate.remarks, [], "{paste}");
    }
    // Where no language is known, that is said.
    let candidate = best(r#"send("\x00$header\x00")"#);
    assert_eq!(candidate.bytes(), b"\0$header\0");
    assert!(
        candidate.remarks[0]
            .text
            .starts_with("`$header` is read as letters")
    );
    // What is appended to is what stood before.
    assert_eq!(parts(r#"req="$req\x00\x12""#), [b"\0\x12"]);
    let other = best(r#"req="$eq\x00\x12""#);
    assert_eq!(
        (other.bytes(), other.parts[0].holes.len()),
        (vec![0, 0x12], 1)
    );
}
