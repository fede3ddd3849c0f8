//! All rows of a text, and what they prove about each other.
//!
//! In: cleaned text. Out: its rows in order with what stands between them, and the [`Plan`] by which
//! most of them follow from each other: the kind of their cells and the base of their offsets.

use std::ops::Range;

use super::cells::{self, Decoded, KINDS, Kind};
use super::column::{self, Agreement};
use super::ellipsis;
use super::legend::{is_legend, is_ruler};
use super::row::{self, Row};
use super::scan::{byte, line_end, slice};

/// How many rows are looked at to settle what the dump is.
const SAMPLE: usize = 64;

/// A line of the text, as far as a dump is concerned.
pub(super) enum Event {
    /// A row, or an offset alone.
    Row(Row),
    /// `*`: the row before is repeated.
    Repeat(usize),
    Elided(usize),
    Words(Range<usize>),
}

/// The rows of a text.
pub(super) struct Rows {
    pub(super) events: Vec<Event>,
    cells: Vec<Range<usize>>,
    /// Whether there is a row with cells.
    pub(super) any: bool,
    /// Whether a number of any line could be an offset.
    pub(super) is_tried: bool,
}

/// What the rows are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) radix: u32,
    /// Rows that end where the next begins.
    pub(super) links: usize,
    /// Rows that do not.
    pub(super) breaks: usize,
    /// Rows of a debugger behind which the next one begins further on.
    pub(super) jumps: usize,
    /// Rows whose ASCII column agrees.
    pub(super) columns: usize,
    pub(super) score: i64,
    /// Bytes of a full row.
    pub(super) full: usize,
}

impl Plan {
    /// A plan for which nothing speaks yet.
    fn of(kind: Kind, radix: u32) -> Plan {
        Plan {
            kind,
            radix,
            links: 0,
            breaks: 0,
            jumps: 0,
            columns: 0,
            score: 0,
            full: 0,
        }
    }
}

impl Rows {
    pub(super) fn of(code: &[u8], skip: usize) -> Rows {
        let mut rows = Rows {
            events: Vec::new(),
            cells: Vec::new(),
            any: false,
            is_tried: false,
        };
        let mut at = 0;
        while at < code.len() {
            let end = line_end(code, at);
            rows.line(code, at..end, skip);
            at = end + 1;
        }
        rows
    }

    fn line(&mut self, code: &[u8], line: Range<usize>, skip: usize) {
        let text = slice(code, line.clone());
        let text = text.strip_suffix(b"$").unwrap_or(text).trim_ascii();
        if text.is_empty() || is_legend(text) || is_ruler(text) {
            return;
        }
        if is_bit_field(text) {
            self.words(code, line);
        } else if text == b"*" {
            self.events.push(Event::Repeat(line.start));
        } else if text.starts_with(b"...") || ellipsis::line(text).is_some() {
            self.events.push(Event::Elided(line.start));
        } else if let Some(row) = row::read(code, line.clone(), skip, &mut self.cells) {
            self.is_tried = true;
            let behind = row.text..row.line.end;
            let alone = slice(code, behind.clone()).trim_ascii();
            let alone = alone.is_empty() || alone == b"$";
            if alone || !row.cells.is_empty() || cells::characters(code, behind).is_some() {
                self.any |= !alone;
                self.events.push(Event::Row(row));
            } else {
                self.words(code, line);
            }
        } else if text.ends_with(b" *") && self.follows_prefixed(code) {
            // A mail program or a log has something in front of it, as of the row before.
            self.events.push(Event::Repeat(line.start));
        } else {
            self.words(code, line);
        }
    }

    /// Makes words of rows that do not follow from others and have words in front of their offset,
    /// where those that do have none: `Arrival Time: Nov 29, 2026 17:52` of tshark.
    pub(super) fn drop_strangers(&mut self, code: &[u8]) {
        let links: Vec<(usize, usize)> = (1..self.events.len())
            .filter(|&next| self.is_linked(code, next - 1, next))
            .map(|next| (next - 1, next))
            .collect();
        let is_bare = |event: Option<&Event>| match event {
            Some(Event::Row(row)) => is_first(code, row),
            _ => false,
        };
        if links.len() < 2 || !links.iter().all(|&(row, _)| is_bare(self.events.get(row))) {
            return;
        }
        for event in &mut self.events {
            if let Event::Row(row) = event
                && !is_first(code, row)
            {
                *event = Event::Words(row.line.clone());
            }
        }
    }

    /// Whether a row of hex ends where the next begins.
    fn is_linked(&self, code: &[u8], row: usize, next: usize) -> bool {
        let (Some(Event::Row(row)), Some(Event::Row(next))) =
            (self.events.get(row), self.events.get(next))
        else {
            return false;
        };
        let at = offset(code, row, 16);
        let need = offset(code, next, 16).zip(at);
        let need = need.and_then(|(next, at)| next.checked_sub(at));
        let need = need.filter(|need| *need > 0 && !row.cells.is_empty());
        need.is_some_and(|need| cut(&self.decode(code, row, Kind::Hex), need, code, row).is_some())
    }

    /// Whether the line before is a row with something in front of its offset.
    fn follows_prefixed(&self, code: &[u8]) -> bool {
        let Some(Event::Row(row)) = self.events.last() else {
            return false;
        };
        let before = slice(code, row.line.start..row.offset.start);
        !before.trim_ascii().is_empty()
    }

    /// Keeps a line of words, unless it only rules the table.
    fn words(&mut self, code: &[u8], line: Range<usize>) {
        let text = slice(code, line.clone());
        let word = |word: &[u8]| {
            word.len() >= 3
                && word
                    .iter()
                    .any(|b| b"ghijklmnopqrstuvwxyz".contains(&b.to_ascii_lowercase()))
        };
        let ruled = text.contains(&b'|') || memchr::memmem::find(text, b"-----").is_some();
        if !ruled && text.split(|b| !b.is_ascii_alphanumeric()).any(word) {
            self.events.push(Event::Words(line));
        }
    }

    pub(super) fn cells(&self, row: &Row) -> &[Range<usize>] {
        self.cells.get(row.cells.clone()).unwrap_or_default()
    }

    pub(super) fn decode(&self, code: &[u8], row: &Row, kind: Kind) -> Decoded {
        if kind == Kind::Characters {
            return cells::characters(code, row.text..row.line.end).unwrap_or_default();
        }
        cells::decode(kind, code, self.cells(row))
    }

    /// Settles what the rows are, by how many follow each other.
    pub(super) fn plan(&self, code: &[u8]) -> Plan {
        let mut best: Option<Plan> = None;
        let characters = self.rows().take(SAMPLE).any(|row| {
            row.offset.len() == 7 && slice(code, row.text..row.line.end).contains(&b'\\')
        });
        let characters = characters.then_some(Kind::Characters);
        for kind in KINDS.into_iter().chain(characters) {
            for radix in [16, 8, 10] {
                let plan = self.weigh(code, kind, radix);
                if best.is_none_or(|best| plan.score > best.score) {
                    best = Some(plan);
                }
            }
        }
        best.unwrap_or(Plan::of(Kind::Hex, 16))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.events.iter().filter_map(|event| match event {
            Event::Row(row) => Some(row),
            _ => None,
        })
    }

    fn weigh(&self, code: &[u8], kind: Kind, radix: u32) -> Plan {
        let mut plan = Plan::of(kind, radix);
        let mut style_score = 0;
        for (idx, event) in self.events.iter().enumerate().take(2 * SAMPLE) {
            let Event::Row(row) = event else { continue };
            if slice(code, row.text..row.line.end).trim_ascii().is_empty()
                || (row.cells.is_empty() && kind != Kind::Characters)
            {
                continue;
            }
            let decoded = self.decode(code, row, kind);
            if idx == 0 || style_score == 0 {
                let first = self.cells(row).first();
                let before = first.map_or(0, |cell| cell.start.saturating_sub(1));
                let is_debugger = row.style.zero_x && byte(code, before) == b'x';
                style_score = style(row, kind, radix, &decoded, is_debugger);
            }
            if decoded.bytes.is_empty() {
                plan.breaks += 1;
                continue;
            }
            let need = offset(code, row, radix).and_then(|at| match self.events.get(idx + 1) {
                Some(Event::Row(next)) => offset(code, next, radix)?.checked_sub(at),
                _ => None,
            });
            let cut = match need {
                Some(need) if need > 0 => match cut(&decoded, need, code, row) {
                    Some(cut) => {
                        plan.links += 1;
                        Some(cut)
                    }
                    None if is_short(&decoded, need, code, row) => {
                        plan.jumps += 1;
                        Some(decoded.bytes.len())
                    }
                    None => {
                        plan.breaks += 1;
                        None
                    }
                },
                _ => last_cut(&decoded, code, row, 0, None),
            };
            if let Some(cut) = cut {
                plan.full = plan.full.max(cut);
                plan.columns +=
                    usize::from(agreement(&decoded, cut, code, row) == Agreement::Equal);
            }
        }
        plan.score =
            8 * plan.links as i64 - 6 * plan.breaks as i64 + 4 * plan.columns as i64 + style_score;
        plan
    }
}

/// Whether nothing but marks stands in front of a row's offset.
fn is_first(code: &[u8], row: &Row) -> bool {
    let before = slice(code, row.line.start..row.offset.start);
    let before = before.strip_suffix(b"0x").unwrap_or(before);
    !before.iter().any(u8::is_ascii_alphanumeric)
}

/// Whether something other than digits and what parts them stands in front of a row's offset.
pub(super) fn is_behind_words(code: &[u8], row: &Row) -> bool {
    let before = slice(code, row.line.start..row.offset.start);
    let is_of_digits = |b: &u8| b.is_ascii_hexdigit() || b" \t:,-|xX".contains(b);
    !before.iter().all(is_of_digits)
}

/// Whether a line shows the bits of a field, as Wireshark has them: `.... 0101 = Header Length: 20`.
fn is_bit_field(text: &[u8]) -> bool {
    let len = text.iter().take_while(|b| b"01. ".contains(b)).count();
    text.get(..len).is_some_and(|bits| bits.contains(&b'.'))
        && text.get(len) == Some(&b'=')
        && text.get(len + 1) == Some(&b' ')
}

/// Whether a row of memory is nothing but its cells, and the next one begins behind them.
fn is_short(decoded: &Decoded, need: u64, code: &[u8], row: &Row) -> bool {
    let end = decoded.ends.last().map_or(row.text, |(_, end)| *end);
    row.is_of_memory()
        && need > decoded.bytes.len() as u64
        && slice(code, end..row.line.end).trim_ascii().is_empty()
}

/// What the look of a row says for a kind, to decide between equals.
fn style(row: &Row, kind: Kind, radix: u32, decoded: &Decoded, is_debugger: bool) -> i64 {
    let words = matches!(decoded.word, 2 | 4 | 8) && !row.style.marked();
    let is_word = matches!(decoded.word, 2 | 4 | 8);
    let order = match kind {
        // gdb prints words as the machine reads them, which is hardly ever a big-endian one.
        Kind::LittleHex if is_debugger && is_word => 3,
        // hexdump and od print words, lowest byte last; xxd and tcpdump mark their offsets.
        Kind::LittleHex if words && matches!(row.offset.len(), 6 | 7) => 3,
        // WinDbg's `dd`, with an address of two halves.
        Kind::LittleHex if is_word && row.style.halves => 3,
        // One ASCII column that agrees says more than the looks.
        Kind::LittleHex => -1,
        Kind::Hex => 1,
        _ => 0,
    };
    order + i64::from(radix == 16)
}

pub(super) fn offset(code: &[u8], row: &Row, radix: u32) -> Option<u64> {
    let digits = std::str::from_utf8(slice(code, row.offset.clone())).ok()?;
    u64::from_str_radix(digits, radix).ok()
}

pub(super) fn agreement(decoded: &Decoded, cut: usize, code: &[u8], row: &Row) -> Agreement {
    let end = decoded
        .ends
        .iter()
        .find(|(bytes, _)| *bytes >= cut)
        .map_or(row.text, |(_, end)| *end);
    let text = slice(code, end..row.line.end);
    // One blank parts cells, never the column from them.
    if let [b' ', behind, ..] = text
        && !b" \t|>*\"[".contains(behind)
    {
        return Agreement::Other;
    }
    let bytes = decoded.bytes.iter().take(cut).map(|(byte, _)| *byte);
    column::compare(bytes, text)
}

/// Cuts a row to the bytes that its neighbour's offset leaves it, if it can be cut there.
pub(super) fn cut(decoded: &Decoded, need: u64, code: &[u8], row: &Row) -> Option<usize> {
    let need = usize::try_from(need).ok()?;
    let all = decoded.bytes.len();
    // The last word of a dump may be filled up with a zero.
    if need == all || (need < all && all - need < decoded.word.min(8) && all - decoded.word < need)
    {
        return Some(need);
    }
    let on_cell = decoded.ends.iter().any(|(bytes, _)| *bytes == need);
    let fits = on_cell
        && matches!(
            agreement(decoded, need, code, row),
            Agreement::Equal | Agreement::Differs
        );
    fits.then_some(need)
}

/// Cuts a row that nothing follows: where the text behind it is its ASCII column, else where the
/// column of the rows before it begins.
pub(super) fn last_cut(
    decoded: &Decoded,
    code: &[u8],
    row: &Row,
    full: usize,
    column: Option<usize>,
) -> Option<usize> {
    let most = if full > 0 { full } else { decoded.bytes.len() };
    let mut differs = None;
    let mut blank = None;
    for &(bytes, _) in decoded.ends.iter().rev() {
        if bytes > most {
            continue;
        }
        match agreement(decoded, bytes, code, row) {
            Agreement::Equal => return Some(bytes),
            Agreement::Blank => blank = Some(bytes),
            Agreement::Differs if differs.is_none() => differs = Some(bytes),
            _ => {}
        }
    }
    if column.is_none() && blank.is_some() {
        return blank;
    }
    let before_column = column.and_then(|column| {
        let ends = decoded.ends.iter().rev();
        let end = ends
            .copied()
            .find(|(bytes, end)| *bytes <= most && end - row.line.start <= column);
        end.map(|(bytes, _)| bytes)
    });
    differs
        .or(before_column)
        .or(blank)
        .or(Some(decoded.bytes.len().min(most)))
}
