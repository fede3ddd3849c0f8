//! What a log puts in front of rows that have no offsets: pairs of hex digits, wrapped Base64 or hex,
//! and lists with an element a line. Blanked, so that they read as if no log had been between.
//!
//! In: cleaned text. Out: the same with that blanked; offsets do not move. What is in front may hold
//! any numbers, unlike what `prefix` looks for, as the rows themselves say where they begin: they are
//! equally wide up to the last, and frames to the last byte or as wide as dumps are. Rows whose
//! offsets follow from each other are dumps, and stay as they are.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::framed::MOST_ASIDE;
use super::framed::starts;
use super::gutter;
use super::scan::{byte, hex_pair, line_end, slice};
use super::stamp;

/// A longer line is no row of anything.
const LONGEST_LINE: usize = 1024;

/// Bytes in a full row of what prints dumps.
const WIDTHS: [usize; 5] = [8, 16, 24, 32, 64];

/// Characters in a full row of what wraps hex or Base64.
const WRAPPED: [usize; 5] = [32, 60, 64, 76, 128];

/// Fewest characters of a word that is a row.
const SHORTEST_WORD: usize = 32;

/// Things in front of rows that are looked for in front of other lines.
const MOST_HEADS: usize = 4;

/// Rows of a width that is usual; of two it takes more to be one thing.
const FEWEST_ROWS: usize = 3;

/// Fewest elements of a list.
const FEWEST_ELEMENTS: usize = 4;

/// Blanks what stands in front of rows.
pub(super) fn blank(code: &mut Cow<'_, [u8]>) {
    let mut block: Vec<Row> = Vec::new();
    let mut found = Found::default();
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let row = Row::of(code, at..end);
        let goes_on = match (&row, block.last()) {
            (Some(row), Some(last)) => row.kind == last.kind && is_alike(code, last, row),
            _ => false,
        };
        if !goes_on {
            found.take(code, &block);
            block.clear();
        }
        block.extend(row);
        at = end + 1;
    }
    found.take(code, &block);
    found.apply(code);
}

/// What is to be blanked.
#[derive(Default)]
struct Found {
    /// In front of rows.
    fronts: Vec<Range<usize>>,
    /// What the first row of a block has in front, which other lines of the log have as well.
    heads: Vec<Range<usize>>,
}

impl Found {
    /// Takes what stands in front of rows, if they are one thing.
    fn take(&mut self, code: &[u8], block: &[Row]) {
        let [first, _, ..] = block else { return };
        let n_aside = match first.kind {
            Kind::Pairs => pairs(code, block),
            Kind::Word => is_wrapped(code, block).then_some(0),
            Kind::Element => is_list(code, block).then_some(0),
        };
        let Some(n_aside) = n_aside else { return };
        let fronts = block.iter().map(|row| {
            let mut from = row.tail;
            for _ in 0..n_aside {
                let rest = slice(code, from + 2..row.end);
                from = row.end - rest.trim_ascii_start().len();
            }
            row.start..from
        });
        let known = self.fronts.len();
        self.fronts.extend(fronts);
        if self.heads.len() < MOST_HEADS {
            self.heads.extend(self.fronts.get(known).cloned());
        }
    }

    fn apply(mut self, code: &mut Cow<'_, [u8]>) {
        if self.heads.is_empty() {
            return;
        }
        let heads = self.heads.iter().map(|head| slice(code, head.clone()));
        let heads: Vec<&[u8]> = heads.map(<[u8]>::trim_ascii_end).collect();
        let mut others = Vec::new();
        let mut fronts = self.fronts.iter().peekable();
        let mut at = 0;
        while at < code.len() {
            let end = line_end(code, at);
            if fronts.next_if(|front| front.start == at).is_none() {
                let line = slice(code, at..end);
                let len = heads.iter().find_map(|head| matched(head, line));
                others.extend(len.map(|len| at..at + len));
            }
            at = end + 1;
        }
        self.fronts.append(&mut others);
        for front in self.fronts {
            if let Some(bytes) = code.to_mut().get_mut(front) {
                bytes.fill(b' ');
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pairs,
    Word,
    /// Of a list; also its brackets.
    Element,
}

/// A line that ends in what may be a row.
struct Row {
    kind: Kind,
    start: usize,
    /// Where the row may begin.
    tail: usize,
    end: usize,
}

impl Row {
    fn of(code: &[u8], line: Range<usize>) -> Option<Row> {
        if line.len() > LONGEST_LINE {
            return None;
        }
        let end = line.start + slice(code, line.clone()).trim_ascii_end().len();
        let last = word_before(code, line.start, end)?;
        let text = slice(code, last.clone());
        let (kind, tail) = if let Some(pair) = pair(code, &last) {
            (Kind::Pairs, first_pair(code, line.start, last.start, pair))
        } else if is_element(text) {
            (Kind::Element, last.start)
        } else if is_word(text) {
            (Kind::Word, last.start)
        } else {
            return None;
        };
        let head = slice(code, line.start..tail);
        let is_log = match kind {
            // An offset alone is no prefix.
            Kind::Pairs => head
                .iter()
                .any(|b| !b.is_ascii_hexdigit() && !b" \t:-|".contains(b)),
            Kind::Word => head.contains(&b' ') || head.contains(&b'\t'),
            Kind::Element => is_marked(code, line.start, tail),
        };
        let row = Row {
            kind,
            start: line.start,
            tail,
            end,
        };
        is_log.then_some(row)
    }

    fn text<'c>(&self, code: &'c [u8]) -> &'c [u8] {
        slice(code, self.tail..self.end)
    }
}

/// The last word in front of `end`, with a blank before it.
fn word_before(code: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    let text = slice(code, start..end);
    let len = text
        .iter()
        .rev()
        .take_while(|byte| !matches!(byte, b' ' | b'\t'))
        .count();
    (len > 0 && len < text.len()).then(|| end - len..end)
}

/// Where the pairs begin that the one at `pair`, of the word at `at`, ends.
fn first_pair(code: &[u8], start: usize, mut at: usize, mut pair_at: usize) -> usize {
    while pair_at == at {
        let before = slice(code, start..at).trim_ascii_end();
        // Two blanks part the halves of a row.
        let gap = at - start - before.len();
        let word = word_before(code, start, start + before.len()).filter(|_| gap <= 2);
        match word.and_then(|word| Some((word.start, pair(code, &word)?))) {
            Some(found) => (at, pair_at) = found,
            None => break,
        }
    }
    pair_at
}

/// Where a pair of hex digits begins that a word is, or ends in: `msg=00`, `conn:00`.
fn pair(code: &[u8], word: &Range<usize>) -> Option<usize> {
    let text = slice(code, word.clone());
    let (before, digits) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let is_behind = match before {
        [] => true,
        [.., name, b'='] => name.is_ascii_alphanumeric(),
        [.., name, b':'] => !name.is_ascii_hexdigit() && name.is_ascii_alphabetic(),
        _ => false,
    };
    let is_pair = digits.iter().all(u8::is_ascii_hexdigit) && is_behind;
    is_pair.then_some(word.end - 2)
}

fn is_word(text: &[u8]) -> bool {
    let bare = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"="));
    let is_digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    !text.is_empty() && bare.unwrap_or(text).iter().all(is_digit)
}

/// An element of a list of bytes with the comma behind it, or a bracket of the list.
fn is_element(text: &[u8]) -> bool {
    let is_bracket = matches!(text, b"[" | b"{" | b"]" | b"}" | b"]," | b"},");
    is_bracket || text.strip_suffix(b",").is_some_and(gutter::is_element)
}

/// Whether a log's mark stands in front of `tail`, or its timestamp or numbers among words, and no
/// code. Without a mark, an element is indented, as a number that a log says of something is not.
fn is_marked(code: &[u8], start: usize, tail: usize) -> bool {
    let all = slice(code, start..tail);
    let head = all.trim_ascii_end();
    let has_word = head
        .windows(2)
        .any(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    if has_word && matches!(head, [.., b']' | b':' | b'>' | b'|' | b'-']) {
        return true;
    }
    let is_stamped = stamp::skip(code, start, tail) > start;
    let is_code = head.last().is_some_and(|last| b"=,({)\"'".contains(last));
    let has_number = head.iter().any(u8::is_ascii_digit);
    let is_indented = all.len() > head.len() + 1
        || all.ends_with(b"\t")
        || !byte(code, tail).is_ascii_digit() && byte(code, tail) != b'-';
    is_indented && (is_stamped || has_word && has_number && !is_code)
}

/// Whether two lines have the same in front of their rows, but for numbers and the width of blanks.
fn is_alike(code: &[u8], one: &Row, other: &Row) -> bool {
    let head = |row: &Row| slice(code, row.start..row.tail).trim_ascii_end();
    let (one, other) = (head(one), head(other));
    matched(one, other) == Some(other.len())
}

/// How much of a text is the same as `head`, but for numbers and the width of blanks, if it begins so.
fn matched(head: &[u8], text: &[u8]) -> Option<usize> {
    let run =
        |text: &[u8], is_part: fn(&u8) -> bool| text.iter().take_while(|b| is_part(b)).count();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let (mut ours, mut theirs) = (head, text);
    while let Some(our) = ours.first() {
        let is_part: fn(&u8) -> bool = match (our, theirs.first()?) {
            (b'0'..=b'9', b'0'..=b'9') => u8::is_ascii_digit,
            (b' ' | b'\t', b' ' | b'\t') => is_blank,
            (our, their) if our == their => |_| false,
            _ => return None,
        };
        ours = ours.get(run(ours, is_part).max(1)..).unwrap_or_default();
        theirs = theirs
            .get(run(theirs, is_part).max(1)..)
            .unwrap_or_default();
    }
    Some(text.len() - theirs.len())
}

/// How many of the first pairs of each row are no part of it, if rows of pairs are one thing.
fn pairs(code: &[u8], block: &[Row]) -> Option<usize> {
    let rows: Vec<Vec<u8>> = block.iter().map(|row| bytes(row.text(code))).collect();
    let (first, before) = (rows.first()?.len(), rows.get(..rows.len() - 1)?);
    let is_even = before.iter().all(|row| row.len() == first)
        && rows.last().is_some_and(|last| last.len() <= first);
    if !is_even || is_dump(code, block, first) {
        return None;
    }
    let is_one = |n_aside: &usize| {
        let rests = rows.iter().filter_map(|row| row.get(*n_aside..));
        let rests: Vec<&[u8]> = rests.filter(|rest| !rest.is_empty()).collect();
        let (Some(first), Some(last)) = (rests.first(), rests.last()) else {
            return false;
        };
        // A message by itself on each line.
        if rests.len() < rows.len() || starts(first).first() == Some(&true) {
            return false;
        }
        let is_usual = WIDTHS.contains(&first.len()) && last.len() < first.len();
        starts(&rests.concat()).first() == Some(&true)
            || is_usual && *n_aside == 0 && is_close(code, block)
    };
    (0..=MOST_ASIDE).find(is_one)
}

/// Whether so many rows were written at once, or as many as can be no messages by chance.
fn is_close(code: &[u8], block: &[Row]) -> bool {
    let head = |row: &Row| slice(code, row.start..row.tail);
    match block {
        [one, other] => head(one) == head(other),
        rows => rows.len() >= FEWEST_ROWS,
    }
}

/// Whether the numbers in front of rows of `width` bytes are their offsets.
fn is_dump(code: &[u8], block: &[Row], width: usize) -> bool {
    let digits = |row: &Row| {
        let head = slice(code, row.start..row.tail);
        let end = head.iter().rposition(u8::is_ascii_hexdigit)? + 1;
        let head = head.get(..end)?;
        let len = head.iter().rev().take_while(|b| b.is_ascii_hexdigit());
        std::str::from_utf8(head.get(end - len.count()..)?).ok()
    };
    let is_next = |pair: &[Row]| {
        let [one, next] = pair else { return false };
        let (Some(one), Some(next)) = (digits(one), digits(next)) else {
            return false;
        };
        [16, 10, 8].iter().any(|&radix| {
            let value = |digits| u64::from_str_radix(digits, radix).ok();
            let at = value(one).and_then(|at| at.checked_add(width as u64));
            at.is_some() && at == value(next)
        })
    };
    block.windows(2).any(is_next)
}

/// Whether words are a wrapped one.
fn is_wrapped(code: &[u8], block: &[Row]) -> bool {
    let words: Vec<&[u8]> = block.iter().map(|row| row.text(code)).collect();
    let [first, rest @ ..] = words.as_slice() else {
        return false;
    };
    let [middle @ .., last] = rest else {
        return false;
    };
    let is_even = first.len() >= SHORTEST_WORD
        && last.len() <= first.len()
        && !first.ends_with(b"=")
        && middle.iter().all(|word| word.len() == first.len());
    let is_frame = |bytes: Vec<u8>| starts(&bytes).first() == Some(&true);
    if !is_even || decoded(first).is_some_and(is_frame) {
        return false;
    }
    let is_usual = WRAPPED.contains(&first.len()) && last.len() < first.len();
    let all = decoded(&words.concat());
    all.is_some_and(|bytes| is_frame(bytes) || is_usual && is_close(code, block))
}

/// What a word of hex or Base64 says.
fn decoded(word: &[u8]) -> Option<Vec<u8>> {
    match word.iter().all(u8::is_ascii_hexdigit) {
        true => word.len().is_multiple_of(2).then(|| bytes(word)),
        false => STANDARD.decode(word).ok(),
    }
}

/// The bytes of digits, two each, between blanks.
fn bytes(text: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    let digits: Vec<u8> = text.iter().filter(is_digit).copied().collect();
    digits.as_chunks().0.iter().map(hex_pair).collect()
}

/// Whether elements are a list, with its brackets around them or not.
fn is_list(code: &[u8], block: &[Row]) -> bool {
    let is_bracket =
        |row: &&Row| !byte(code, row.tail).is_ascii_digit() && byte(code, row.tail) != b'-';
    let n_brackets = block.iter().filter(is_bracket).count();
    block.len() >= n_brackets + FEWEST_ELEMENTS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines without the blanks around them.
    fn lines(text: &str) -> Vec<String> {
        let mut code = Cow::Borrowed(text.as_bytes());
        blank(&mut code);
        assert_eq!(code.len(), text.len());
        let text = String::from_utf8(code.into_owned()).unwrap();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn numbers_in_front_of_rows_go() {
        for front in [
            "[12:34] ",
            "tid 17 fd=4 ",
            "#N ",
            "10.0.0.1:9092 > ",
            "x <0.1.0> ",
        ] {
            let row = |n: &str, row: &str| format!("{}{row}\n", front.replace('N', n));
            let text = row("1", "00 00 00 08 00 12 00 00") + &row("2", "00 00 00 01");
            assert_eq!(
                lines(&text),
                ["00 00 00 08 00 12 00 00", "00 00 00 01"],
                "{front}"
            );
        }
        let aside = "got 17 00 00 00 08 00 12 00 00\ngot 17 00 00 00 01";
        assert_eq!(lines(aside), ["00 00 00 08 00 12 00 00", "00 00 00 01"]);
        let list = "conn 1: [\nconn 2:   0,\nconn 3:   -1,\nconn 4:   7,\nconn 5:   8,\nconn 6: ]";
        assert_eq!(lines(list), ["[", "0,", "-1,", "7,", "8,", "]"]);
    }

    #[test]
    fn what_is_no_row_behind_a_prefix_stays() {
        for text in [
            // A message each, and rows that nothing says to be one.
            "#1 00 00 00 06 00 00 00 01 00 00\n#2 00 00 00 06 00 00 00 02 00 00",
            "fd=1 00 12 00 00\nfd=2 00 12 00 00",
            // Other words in front.
            "sent 17 00 00 00 08 00 12 00 00\ngot 17 00 00 00 01",
            // Offsets.
            "<1> 0000: 00 00 00 08 00 12 00 00\n<1> 0008: 00 00 00 01",
            "0x0000: 00 00 00 08 00 12 00 00\n0x0008: 00 00 00 01",
            "(byte) 0,\n(byte) 1,\n(byte) 2,\n(byte) 3,",
            "- 0,\n- 1,\n- 2,\n- 3,",
            // What a log says of something.
            "[2026-03-02 12:01:33,123] value 0,\n[2026-03-02 12:01:33,123] value 1,\n\
             [2026-03-02 12:01:33,123] value 2,\n[2026-03-02 12:01:33,123] value 3,",
            "commit 0123456789abcdef0123456789abcdef01234567\ncommit 1123456789abcdef0123456789abcdef01234567",
        ] {
            assert_eq!(lines(text), text.lines().collect::<Vec<_>>());
        }
    }
}
