//! The ASCII column of a dump: whether text behind the cells is the same bytes, printed.
//!
//! In: bytes and the text behind them. Out: an [`Agreement`]. This is what tells `dead` the word
//! from `dead` the bytes, and which end words begin with. Blanks are not compared, since tools put
//! gaps into the column and people's editors cut them off its end.

/// How a row's bytes and the text behind them agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// Nothing stands behind the bytes.
    Blank,
    /// The text is the bytes.
    Equal,
    /// The text has the bytes' length, and most of it is the bytes.
    Differs,
    /// The text is something else.
    Other,
}

/// Compares bytes with the text behind them.
pub(super) fn compare(bytes: impl Iterator<Item = u8> + Clone, text: &[u8]) -> Agreement {
    let text = text.trim_ascii();
    // `|` before the column or an `$` of `cat -e` behind a row without one.
    let bare = text.strip_suffix(b"$").unwrap_or(text).trim_ascii();
    if bare.is_empty() || bare == b"|" || bare == b"||" {
        return Agreement::Blank;
    }
    let inner = match text {
        [b'|' | b'>' | b'*' | b'"' | b'[' | b'\'', inner @ ..] => Some(inner),
        _ => None,
    };
    let readings = [Some(text), inner].into_iter().flatten();
    readings
        .flat_map(|text| [(text, Blank::Gap), (text, Blank::Dot)])
        .map(|(text, blank)| walk(bytes.clone(), text, blank))
        .max_by_key(|agreement| rank(*agreement))
        .unwrap_or(Agreement::Other)
}

/// How a column shows a blank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blank {
    /// As it is, or not at all.
    Gap,
    /// As what cannot be printed, as tcpdump does.
    Dot,
}

fn rank(agreement: Agreement) -> u8 {
    match agreement {
        Agreement::Equal => 2,
        Agreement::Differs => 1,
        _ => 0,
    }
}

fn walk(bytes: impl Iterator<Item = u8>, text: &[u8], blank: Blank) -> Agreement {
    let text = String::from_utf8_lossy(text);
    let mut shown = text.chars().filter(|c| !c.is_whitespace()).peekable();
    let mut wrong = 0;
    let mut right = 0;
    for byte in bytes {
        if byte == b' ' && blank == Blank::Gap {
            continue;
        }
        let printable = (0x21..=0x7e).contains(&byte);
        match shown.peek() {
            Some(&c) if printable && c == char::from(byte) => right += 1,
            _ if printable => wrong += 1,
            // What cannot be printed is a dot, or what the tool's code page has for it, or blank.
            Some('.') => {}
            Some(c) if !c.is_ascii() || matches!(c, '?' | '_') => {}
            _ => continue,
        }
        shown.next();
    }
    let mut rest = shown.filter(|c| !matches!(c, '|' | '<' | '*' | '$' | '"' | ']' | '\''));
    if rest.next().is_some() {
        return Agreement::Other;
    }
    match (wrong, right) {
        (0, _) => Agreement::Equal,
        (wrong, right) if wrong <= right / 2 + 1 => Agreement::Differs,
        _ => Agreement::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_all_styles_agree() {
        let agree = |bytes: &[u8], text: &str| compare(bytes.iter().copied(), text.as_bytes());
        for text in ["  |..t|", " ..t", ">..t<", "| ..t", "..t$", ". .t", "|··t|"] {
            assert_eq!(agree(b"\0\x04t", text), Agreement::Equal, "{text}");
        }
        assert_eq!(agree(b"\0\x04", "  "), Agreement::Blank);
        assert_eq!(agree(b"a b", "a b"), Agreement::Equal);
        assert_eq!(agree(b"o\xea |", "o..|"), Agreement::Equal);
        assert_eq!(agree(b"abc", "abd"), Agreement::Differs);
        assert_eq!(agree(b"\xde\xad", "dead"), Agreement::Other);
    }
}
