//! The marks with which people and tools leave bytes out: `...`, `[...]`, `... 82 more items`.

use super::scan::{byte, slice};

/// If an ellipsis stands at `at`: the offset behind it, and how many elements it says are missing.
///
/// Two dots are none (a range); four and more are.
pub(super) fn at(code: &[u8], at: usize) -> Option<(usize, Option<u64>)> {
    let dots = code.get(at..)?.iter().take_while(|&&b| b == b'.').count();
    if dots < 3 {
        return None;
    }
    let end = at + dots;
    Some(match count(code, end) {
        Some((end, len)) => (end, Some(len)),
        None => (end, None),
    })
}

/// Reads ` 82 more items`, ` (1024 bytes omitted)`, ` +12 more`.
fn count(code: &[u8], from: usize) -> Option<(usize, u64)> {
    let mut at = from;
    while matches!(byte(code, at), b' ' | b'(' | b'+' | b'<' | b'[') {
        at += 1;
    }
    let text = slice(code, at..code.len().min(at + 40));
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let len = std::str::from_utf8(text.get(..digits)?)
        .ok()?
        .parse()
        .ok()?;
    let words = text.get(digits..)?;
    let known: [&[u8]; 9] = [
        b" more bytes",
        b" more items",
        b" more byte",
        b" more item",
        b" more elements",
        b" more",
        b" bytes omitted",
        b" bytes skipped",
        b" bytes elided",
    ];
    let word = known.iter().find(|word| words.starts_with(word))?;
    Some((at + digits + word.len(), len))
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_read() {
        let read = |text: &str| super::at(text.as_bytes(), 0);
        assert_eq!(read("... 82 more items ]"), Some((17, Some(82))));
        assert_eq!(read("...>>"), Some((3, None)));
        assert_eq!(read("... 00 12"), Some((3, None)));
        assert_eq!(read(".."), None);
    }
}
