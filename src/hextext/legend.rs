//! The lines around a grid that name places of its bytes and hold none: the legend below it, and the
//! ruler above it.
//!
//! In: a line. Out: whether it is nothing but names with ranges of offsets behind them, as in
//! `frame 0000-0003  rpc header 0004-0017`, or counts columns.
//!
//! Invariant: the ranges behind one name ascend, which an offset with cells behind it hardly does.

/// Fewest digits of an offset in it.
const FEWEST_DIGITS: usize = 4;

/// Whether a line is a legend.
pub(super) fn is_legend(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    let mut is_named = false;
    let mut has_stretch = false;
    // Where the ranges behind the name may go on; `None` behind the name itself.
    let mut next = None;
    let mut ends_in_range = false;
    for word in line.split_ascii_whitespace() {
        ends_in_range = match range(word) {
            Some((from, to)) if is_named && from <= to && next.is_none_or(|next| from >= next) => {
                has_stretch |= from < to;
                next = to.checked_add(1);
                true
            }
            None if is_name(word) => {
                is_named = true;
                next = None;
                false
            }
            _ => return false,
        };
    }
    has_stretch && ends_in_range
}

/// Fewest columns that a ruler counts.
const FEWEST_COLUMNS: usize = 8;

/// What Emacs counts the columns of pairs with, behind the digits of the offset.
const HEXL: &[u8] = b"87654321  0011 2233 4455 6677 8899 aabb ccdd eeff";

/// Whether a line counts the columns of a grid: `00 01 02 03 04 05 06 07`, with what stands above
/// an ASCII column behind it.
pub(super) fn is_ruler(line: &[u8]) -> bool {
    if line.starts_with(HEXL) {
        return true;
    }
    let words = line.split(|byte| !byte.is_ascii_alphanumeric());
    let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
    let column = |word: &&[u8]| {
        let text = std::str::from_utf8(word)
            .ok()
            .filter(|text| text.len() <= 2)?;
        usize::from_str_radix(text, 16).ok()
    };
    let counted = words.iter().enumerate();
    let n_columns = counted
        .take_while(|(idx, word)| column(word) == Some(*idx))
        .count();
    let rest = words.get(n_columns..).unwrap_or_default();
    let heads_text = |word: &[u8]| {
        word.eq_ignore_ascii_case(b"0123456789abcdef") || word.eq_ignore_ascii_case(b"ascii")
    };
    n_columns >= FEWEST_COLUMNS
        && n_columns.is_power_of_two()
        && rest.iter().all(|word| heads_text(word))
}

fn is_name(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
}

/// `0018`, or `0000-0003`.
fn range(word: &str) -> Option<(u64, u64)> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    Some((offset(from)?, offset(to)?))
}

fn offset(digits: &str) -> Option<u64> {
    let is_offset = digits.len() >= FEWEST_DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_offset.then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_ascending_ranges_are_a_legend() {
        for line in [
            "frame 0000-0003  rpc header 0004-0017  request body 0019-0030 0032-0035",
            "frame 0000-0003  request body 0004-0030  tagged_fields 0018 0031 0036",
            "RecordBatch 0000-003c  Record 003d-004d",
        ] {
            assert!(is_legend(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "frame",
            "0000-0003",
            "0000  00 00 00 33 00 14",
            "frame 0000-0003 00 00",
            "kafka 0000-000f 0001 0203 0405",
            "kafka 0010 0001 0203 0405",
            "orders 0018",
            "2026-11-29 read 0000-0003",
        ] {
            assert!(!is_legend(line.as_bytes()), "{line}");
        }
    }
}
