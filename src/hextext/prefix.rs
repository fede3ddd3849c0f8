//! What a log puts in front of each line of what it was given: blanked, so that a dump, a list or
//! rows of hex read as if no log had been between.
//!
//! In: cleaned text. Out: the same with the words blanked that neighbouring lines have in common in
//! front; offsets do not move. A prefix is a timestamp, or a word with a mark behind it (`broker-1 |`,
//! `[pid 42]`, `DEBUG kafka.conn -`). Lines each of which is a message by itself keep theirs: it parts
//! them.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::{byte, hex_value, line_end, slice};
use super::stamp;

/// Longest prefix; what is longer is no prefix of a log.
const LONGEST: usize = 160;

/// Bytes in a row of hex that another row continues.
const WIDEST_ROW: usize = 64;

/// Bytes in a full row of what prints dumps.
const DUMP_WIDTHS: [usize; 3] = [8, 16, 32];

/// Bytes of the shortest message: a correlation id and an error code.
const SHORTEST_MESSAGE: usize = 6;

/// Blanks the prefixes of lines that have one in common.
pub(super) fn blank(code: &[u8]) -> Cow<'_, [u8]> {
    let mut blanked = Cow::Borrowed(code);
    let mut group = Group::default();
    let mut at = 0;
    while at < code.len() {
        let line = at..line_end(code, at);
        at = line.end + 1;
        if slice(code, line.clone()).trim_ascii().is_empty() {
            continue;
        }
        if !group.takes(code, &line) {
            group.apply(&mut blanked);
            group = Group::default();
            group.takes(code, &line);
        }
    }
    group.apply(&mut blanked);
    blanked
}

/// Neighbouring lines that have a prefix in common.
#[derive(Default)]
struct Group {
    lines: Vec<Range<usize>>,
    /// Behind the timestamp of each line.
    stamps: Vec<usize>,
    /// What the first line has behind its timestamp, as far as all others have it too.
    common: Vec<Token>,
}

impl Group {
    /// Takes a line that has a prefix in common with those before; false if it has none.
    fn takes(&mut self, code: &[u8], line: &Range<usize>) -> bool {
        let stamp = stamp::skip(code, line.start, line.end);
        let is_stamped = stamp > line.start;
        if let (Some(first), Some(&other)) = (self.lines.first(), self.stamps.first()) {
            // Most lines differ from their first character on, and are not looked into.
            let is_alike = is_stamped || byte(code, stamp) == byte(code, other);
            if is_stamped != (other > first.start) || !is_alike {
                return false;
            }
            if self.lines.len() == 1 {
                self.common = tokens(code, other..first.end.min(other + LONGEST));
            }
            let tokens = tokens(code, stamp..line.end.min(stamp + LONGEST));
            let common = common(code, &self.common, &tokens);
            if !is_stamped && prefix(code, &common) == 0 {
                return false;
            }
            self.common = common;
        }
        self.lines.push(line.clone());
        self.stamps.push(stamp);
        true
    }

    fn apply(&self, blanked: &mut Cow<'_, [u8]>) {
        if self.lines.len() < 2 {
            return;
        }
        let n_tokens = prefix(blanked, &self.common);
        let rests: Vec<Range<usize>> = self
            .lines
            .iter()
            .zip(&self.stamps)
            .map(|(line, stamp)| {
                let tokens = tokens(blanked, *stamp..line.end.min(stamp + LONGEST));
                let last = n_tokens.checked_sub(1).and_then(|idx| tokens.get(idx));
                last.map_or(*stamp, |token| token.at.end)..line.end
            })
            .collect();
        if !go_on(blanked, &rests) {
            return;
        }
        for (line, rest) in self.lines.iter().zip(&rests) {
            if let Some(bytes) = blanked.to_mut().get_mut(line.start..rest.start) {
                bytes.fill(b' ');
            }
        }
    }
}

/// A word, a number, blanks, or one other character.
#[derive(Clone)]
struct Token {
    at: Range<usize>,
    /// Other lines have another number here.
    varies: bool,
}

fn tokens(code: &[u8], line: Range<usize>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = line.start;
    while at < line.end {
        let here = byte(code, at);
        let is_same = |other: u8| match here {
            b' ' | b'\t' => matches!(other, b' ' | b'\t'),
            _ => here.is_ascii_alphanumeric() && other.is_ascii_alphanumeric(),
        };
        let rest = slice(code, at + 1..line.end);
        let end = at + 1 + rest.iter().take_while(|other| is_same(**other)).count();
        tokens.push(Token {
            at: at..end,
            varies: false,
        });
        at = end;
    }
    tokens
}

/// The tokens of `ours` up to where `theirs` are others; numbers may differ.
fn common(code: &[u8], ours: &[Token], theirs: &[Token]) -> Vec<Token> {
    let is_number = |token: &Token| slice(code, token.at.clone()).iter().all(u8::is_ascii_digit);
    let is_blank = |token: &Token| matches!(byte(code, token.at.start), b' ' | b'\t');
    ours.iter()
        .zip(theirs)
        .map_while(|(our, their)| {
            let is_equal = slice(code, our.at.clone()) == slice(code, their.at.clone());
            let are_alike = is_number(our) && is_number(their);
            let are_blanks = is_blank(our) && is_blank(their);
            (is_equal || are_alike || are_blanks).then(|| Token {
                at: our.at.clone(),
                varies: our.varies || are_alike && !is_equal,
            })
        })
        .collect()
}

/// How many of the tokens that lines have in common are a prefix: up to the last mark behind a word.
fn prefix(code: &[u8], common: &[Token]) -> usize {
    let text = |idx: usize| common.get(idx).map(|token| slice(code, token.at.clone()));
    let is_blank = |idx: usize| text(idx).is_none_or(|text| matches!(text, [b' ' | b'\t', ..]));
    let mut end = 0;
    let mut has_word = false;
    let mut brackets = 0_usize;
    for (idx, token) in common.iter().enumerate() {
        let text = text(idx).unwrap_or_default();
        let before = idx.checked_sub(1);
        match text {
            // Strings and escapes are content.
            b"\"" | b"'" | b"\\" | b"`" | b"{" | b"<" | b"=" | b"," | b"+" | b"." if !has_word => {
                break;
            }
            b"\"" | b"'" | b"\\" | b"`" | b"{" | b"<" | b"=" | b"," => break,
            b"[" => brackets += 1,
            b"]" => {
                brackets = brackets.saturating_sub(1);
                if has_word && is_blank(idx + 1) {
                    end = idx + 1;
                }
            }
            b":" | b"|" | b">" if brackets == 0 && has_word && is_blank(idx + 1) => end = idx + 1,
            b"-" if brackets == 0
                && has_word
                && before.is_some_and(is_blank)
                && is_blank(idx + 1) =>
            {
                end = idx + 1;
            }
            [first, ..] if first.is_ascii_alphabetic() => {
                let is_name = text.len() >= 2 && text.iter().all(u8::is_ascii_alphabetic);
                has_word |= is_name && !text.iter().all(u8::is_ascii_hexdigit);
            }
            [first, ..] if first.is_ascii_digit() => {
                let is_alone = before.is_none_or(is_blank) && is_blank(idx + 1);
                let opens = before.and_then(|idx| common.get(idx));
                let opens = opens.is_some_and(|token| byte(code, token.at.start) == b'[');
                // `[42]` of a log, but not `buf[42]`, an element.
                let is_index = opens && !idx.checked_sub(2).is_none_or(is_blank);
                // Outside of brackets, a number between blanks may be the first of the bytes.
                if brackets == 0 && (is_alone || token.varies) || token.varies && is_index {
                    break;
                }
            }
            _ => {}
        }
    }
    end
}

/// Whether lines are pieces of one thing, and not a message each.
fn go_on(code: &[u8], rests: &[Range<usize>]) -> bool {
    let mut n_whole = 0;
    let mut rows = Vec::new();
    for rest in rests {
        let text = slice(code, rest.clone()).trim_ascii();
        if is_closed(text) {
            n_whole += 1;
        } else if let Some(row) = Row::of(text) {
            n_whole += usize::from(row.size.is_some_and(|size| size == row.n_bytes));
            if !text.ends_with(b",") {
                rows.push(row);
            }
        }
    }
    // A dump ends in the offset behind its last byte.
    if let [.., before, last] = rows.as_slice()
        && before.cells.len() >= 2
        && last.cells.len() == 1
        && last.n_digits >= 4
    {
        rows.pop();
    }
    let are_one = match rows.as_slice() {
        [] => true,
        // One line of hex, with others about it.
        [_] => n_whole == 0 && rests.len() > 2,
        [first, rest @ .., last] => are_alike(first, rest, last) && is_continued(&rows),
    };
    n_whole < 2 && are_one
}

/// Whether rows are as wide as the first, and the last no wider.
fn are_alike(first: &Row, rest: &[Row], last: &Row) -> bool {
    let width = first.cells.len();
    let is_row = first.n_digits <= 2 * WIDEST_ROW || width == 1;
    let is_last = match last.cells.len() {
        len if len == width => last.n_digits <= first.n_digits.max(3 * len),
        len => len < width,
    };
    is_row && is_last && rest.iter().all(|row| row.cells.len() == width)
}

/// Whether rows go on from each other: by their offsets, by the size that the first begins with,
/// because they are too short for messages, or the last alone does not fill the width of a dump. Messages of a log may be equally long.
fn is_continued(rows: &[Row]) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return false;
    };
    let offsets = rows.iter().map(Row::offset);
    let offsets: Option<Vec<&[u8]>> = offsets.collect();
    let n_bytes: usize = rows.iter().map(|row| row.n_bytes).sum();
    let is_full = DUMP_WIDTHS.contains(&first.n_bytes);
    offsets.is_some_and(|offsets| offsets.is_sorted_by(|one, next| one < next))
        || first.size == Some(n_bytes)
        || first.n_bytes < SHORTEST_MESSAGE
        || is_full && last.n_bytes < first.n_bytes
}

/// Whether a string or list opens and closes on its line.
fn is_closed(text: &[u8]) -> bool {
    let close = match text {
        [b'b', quote @ (b'"' | b'\''), ..] | [quote @ (b'"' | b'\''), ..] => *quote,
        [b'[', ..] => b']',
        [b'<', ..] => b'>',
        [b'{', ..] => b'}',
        _ => return false,
    };
    text.len() > 2 && text.ends_with(&[close])
}

/// A line of hex digits and separators, or of decimal numbers.
struct Row<'a> {
    /// Without `0x`.
    cells: Vec<&'a [u8]>,
    n_digits: usize,
    n_bytes: usize,
    /// As many bytes as there should be by the first four.
    size: Option<usize>,
}

impl<'a> Row<'a> {
    fn of(text: &'a [u8]) -> Option<Row<'a>> {
        let is_part = |here: &u8| here.is_ascii_hexdigit() || b" \t:,-|xX".contains(here);
        if text.is_empty() || !text.iter().all(is_part) {
            return None;
        }
        let cells = text.split(|here| b" \t:,-|".contains(here));
        let bare = |cell: &'a [u8]| match cell {
            [b'0', b'x' | b'X', digits @ ..] => digits,
            digits => digits,
        };
        let cells: Vec<&[u8]> = cells.map(bare).filter(|cell| !cell.is_empty()).collect();
        let digits: Vec<u8> = cells.concat();
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let is_hex = cells.iter().all(|cell| cell.len().is_multiple_of(2));
        let size: Option<usize> = match is_hex {
            true => digits.get(..8).map(|size| {
                let value = |all: usize, digit: &u8| all << 4 | usize::from(hex_value(*digit));
                size.iter().fold(0, value)
            }),
            false => cells.get(..4).and_then(|size| {
                let size: Option<Vec<u8>> = size.iter().map(|cell| decimal(cell)).collect();
                let value = |all: usize, byte: u8| all << 8 | usize::from(byte);
                size.map(|size| size.into_iter().fold(0, value))
            }),
        };
        Some(Row {
            n_digits: digits.len(),
            n_bytes: if is_hex {
                digits.len() / 2
            } else {
                cells.len()
            },
            size: size.map(|size| size + 4),
            cells,
        })
    }

    /// The offset in front of the bytes, which is longer than they are.
    fn offset(&self) -> Option<&'a [u8]> {
        match self.cells.as_slice() {
            [offset, first, ..] if offset.len() > first.len() && offset.len() >= 4 => Some(offset),
            _ => None,
        }
    }
}

fn decimal(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    fn blank(text: &str) -> String {
        String::from_utf8(super::blank(text.as_bytes()).into_owned()).unwrap()
    }

    /// The lines without the blanks around them.
    fn lines(text: &str) -> Vec<String> {
        blank(text)
            .lines()
            .map(|line| line.trim().to_owned())
            .collect()
    }

    #[test]
    fn what_a_log_puts_in_front_goes() {
        for front in [
            "broker-1  | ",
            "[pid 4242] ",
            "[kafka-producer-network-thread | producer-1] ",
            "2026-03-02T12:01:33.123Z [main] INFO  c.e.Conn : ",
            "03-02 12:01:33.123  4242  4260 D KafkaConn: ",
            "[DEBUG] [1772452893] ",
            "2026-03-02T12:01:33.1234567Z ",
        ] {
            let text = format!("{front}[\n{front}    0, 0, 0, 14,\n{front}    0, 18\n{front}]");
            assert_eq!(lines(&text), ["[", "0, 0, 0, 14,", "0, 18", "]"], "{front}");
            let text = format!("{front}00 00 00 0e\n{front}00 12");
            assert_eq!(lines(&text), ["00 00 00 0e", "00 12"], "{front}");
        }
        let counted = "[D] [17] conn: 00 00\n[D] [18] conn: 00 01";
        assert_eq!(lines(counted), ["00 00", "00 01"]);
    }

    #[test]
    fn what_are_messages_each_stays_apart() {
        for text in [
            "broker-1 | 00 00 00 01 aa\nbroker-1 | 00 00 00 02 bb cc",
            "conn: b'\\x00'\nconn: b'\\x01'",
            "conn: [0, 18]\nconn: [0, 19]",
            "sent: 00 12 00 03\nsent: 00 12 00 03 00 00",
        ] {
            assert_eq!(blank(text), text);
        }
    }

    #[test]
    fn messages_of_one_length_stay_apart() {
        for front in ["sent: ", "2026-03-02T12:01:33.123Z [main] DEBUG conn - "] {
            let pairs = |id| format!("{front}00 12 00 00 00 00 00 {id} 00 01 61");
            let word = |id| pairs(id).replace("00 12 00 00 00 00 00 ", "00120000000000");
            let word = |id| word(id).replace(" 00 01 61", "000161");
            for text in [
                format!("{}\n{}", pairs("01"), pairs("02")),
                format!("{}\n{}\n{}", pairs("01"), pairs("02"), pairs("03")),
                format!("{}\n{}", word("01"), word("02")),
                format!("{}\n{}\n{}", word("01"), word("02"), word("03")),
            ] {
                assert_eq!(blank(&text), text);
            }
        }
    }

    #[test]
    fn rows_that_go_on_are_one() {
        for rows in [
            // By its size, also where all rows are full.
            ["00 00 00 0c 00 12 00 00", "00 00 00 01 00 02 61 62"],
            ["0000000c00120000", "0000000100026162"],
            ["0 0 0 8 0 18 0 0", "0 0 0 1"],
            // By the width of a dump.
            ["00 12 00 00 00 00 00 01", "00 01 61"],
            // Because neither can be a message.
            ["00 12 00 00", "00 00 00 01"],
            // By the offsets.
            ["0000: 00 12 00 00 00", "0005: 00 00 01 ff ff"],
        ] {
            let text = format!("sent: {}\nsent: {}", rows[0], rows[1]);
            assert_eq!(lines(&text), rows);
        }
    }

    #[test]
    fn what_is_no_prefix_stays() {
        for text in [
            "buf[0] = 0\nbuf[1] = 18\nbuf[2] = 0",
            "\t.byte 0x00\n\t.byte 0x12",
            "(byte) 0x00,\n(byte) 0x12",
            "req+='\\x00'\nreq+='\\x12'",
            "00000000: 00 12\n00000010: 00 12",
            "size: 00 00 00 20\napi key: 00 12",
            "    [0] => 0\n    [1] => 18",
        ] {
            assert_eq!(blank(text), text);
        }
    }
}
