//! Dumps: rows with an offset in front, as xxd, hexdump, od, tcpdump, Wireshark and loggers print.
//!
//! In: cleaned text. Out: one sketch. The offsets prove the reading: each row's offset and number
//! of bytes give the next row's offset, which settles the base of the offsets, the kind of the
//! cells, and where cells end and an ASCII column that looks like hex begins. An offset that starts
//! again begins a new part, one that jumps leaves a hole, a `*` repeats the row before it.
//!
//! Text without two rows that follow each other is a dump only if its ASCII column says so, or its
//! marks do.

use std::ops::Range;

use super::cells::{self, Decoded, KINDS, Kind};
use super::column::{self, Agreement};
use super::draft::{Draft, Findings, Sketch};
use super::dumpname;
use super::ellipsis;
use super::reading::Family;
use super::row::{self, Row};
use super::scan::{line_end, slice};

/// How many rows are looked at to settle what the dump is.
const SAMPLE: usize = 64;
/// Most bytes that `*` lines may stand for: a row of zeros up to a hostile offset is a hole.
const MOST_REPEATED: u64 = 1 << 24;
/// Most rows that are remarked on one by one.
const MOST_REMARKS: usize = 5;

/// Looks for a dump.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let mut best: Option<(usize, Rows, Plan)> = None;
    for skip in 0..3 {
        let rows = Rows::of(code, skip);
        if !rows.any {
            break;
        }
        let plan = rows.plan(code);
        if best
            .as_ref()
            .is_none_or(|(_, _, known)| plan.score > known.score)
        {
            let proven = plan.links > 0 && plan.breaks == 0;
            best = Some((skip, rows, plan));
            if proven {
                break;
            }
        }
    }
    if let Some((_, rows, plan)) = best {
        build(code, &rows, &plan, found);
    }
}

enum Event {
    /// A row, or an offset alone.
    Row(Row),
    /// `*`: the row before is repeated.
    Repeat(usize),
    Elided(usize),
    Words(Range<usize>),
}

struct Rows {
    events: Vec<Event>,
    cells: Vec<Range<usize>>,
    any: bool,
}

/// What the rows are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) radix: u32,
    /// Rows that end where the next begins.
    pub(super) links: usize,
    /// Rows that do not.
    breaks: usize,
    /// Rows whose ASCII column agrees.
    pub(super) columns: usize,
    score: i64,
    /// Bytes of a full row.
    full: usize,
}

impl Rows {
    fn of(code: &[u8], skip: usize) -> Rows {
        let mut rows = Rows {
            events: Vec::new(),
            cells: Vec::new(),
            any: false,
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
        if text.is_empty() {
            return;
        }
        if text == b"*" {
            self.events.push(Event::Repeat(line.start));
        } else if ellipsis::at(text.trim_ascii_start(), 0).is_some() || text == b"[...]" {
            self.events.push(Event::Elided(line.start));
        } else if let Some(row) = row::read(code, line.clone(), skip, &mut self.cells) {
            let behind = row.text..row.line.end;
            let alone = slice(code, behind.clone()).trim_ascii();
            let alone = alone.is_empty() || alone == b"$";
            if alone || !row.cells.is_empty() || cells::characters(code, behind).is_some() {
                self.any |= !alone;
                self.events.push(Event::Row(row));
            } else {
                self.words(code, line);
            }
        } else {
            self.words(code, line);
        }
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
        let ruled = text.contains(&b'|');
        if !ruled && text.split(|b| !b.is_ascii_alphanumeric()).any(word) {
            self.events.push(Event::Words(line));
        }
    }

    fn cells(&self, row: &Row) -> &[Range<usize>] {
        self.cells.get(row.cells.clone()).unwrap_or_default()
    }

    fn decode(&self, code: &[u8], row: &Row, kind: Kind) -> Decoded {
        if kind == Kind::Characters {
            return cells::characters(code, row.text..row.line.end).unwrap_or_default();
        }
        cells::decode(kind, code, self.cells(row))
    }

    /// Settles what the rows are, by how many follow each other.
    fn plan(&self, code: &[u8]) -> Plan {
        let mut best: Option<Plan> = None;
        let characters = self.rows().take(SAMPLE).any(|row| {
            row.offset.len() == 7 && slice(code, row.text..row.line.end).contains(&b'\\')
        });
        let kinds = if characters {
            &[Kind::Characters][..]
        } else {
            &KINDS[..]
        };
        for &kind in kinds {
            for radix in [16, 8, 10] {
                let plan = self.weigh(code, kind, radix);
                if best.is_none_or(|best| plan.score > best.score) {
                    best = Some(plan);
                }
            }
        }
        best.unwrap_or(Plan {
            kind: Kind::Hex,
            radix: 16,
            links: 0,
            breaks: 0,
            columns: 0,
            score: 0,
            full: 0,
        })
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.events.iter().filter_map(|event| match event {
            Event::Row(row) => Some(row),
            _ => None,
        })
    }

    fn weigh(&self, code: &[u8], kind: Kind, radix: u32) -> Plan {
        let mut plan = Plan {
            kind,
            radix,
            links: 0,
            breaks: 0,
            columns: 0,
            score: 0,
            full: 0,
        };
        let mut style_score = 0;
        for (idx, event) in self.events.iter().enumerate().take(2 * SAMPLE) {
            let Event::Row(row) = event else { continue };
            if row.cells.is_empty() && kind != Kind::Characters {
                continue;
            }
            let decoded = self.decode(code, row, kind);
            if idx == 0 || style_score == 0 {
                style_score = style(row, kind, radix, &decoded);
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
                Some(need) if need > 0 => {
                    let cut = cut(&decoded, need, code, row);
                    match cut {
                        Some(_) => plan.links += 1,
                        None => plan.breaks += 1,
                    }
                    cut
                }
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

/// What the look of a row says for a kind, to decide between equals.
fn style(row: &Row, kind: Kind, radix: u32, decoded: &Decoded) -> i64 {
    let words = decoded.word == 2 && !row.style.marked();
    let order = match kind {
        // hexdump and od print words, lowest byte last; xxd and tcpdump mark their offsets.
        Kind::LittleHex if words && row.offset.len() >= 6 => 3,
        Kind::LittleHex => -3,
        Kind::Hex => 1,
        _ => 0,
    };
    order + i64::from(radix == 16)
}

fn offset(code: &[u8], row: &Row, radix: u32) -> Option<u64> {
    let digits = std::str::from_utf8(slice(code, row.offset.clone())).ok()?;
    u64::from_str_radix(digits, radix).ok()
}

fn agreement(decoded: &Decoded, cut: usize, code: &[u8], row: &Row) -> Agreement {
    let end = decoded
        .ends
        .iter()
        .find(|(bytes, _)| *bytes >= cut)
        .map_or(row.text, |(_, end)| *end);
    let bytes = decoded.bytes.iter().take(cut).map(|(byte, _)| *byte);
    column::compare(bytes, slice(code, end..row.line.end))
}

/// Cuts a row to the bytes that its neighbour's offset leaves it, if it can be cut there.
fn cut(decoded: &Decoded, need: u64, code: &[u8], row: &Row) -> Option<usize> {
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
fn last_cut(
    decoded: &Decoded,
    code: &[u8],
    row: &Row,
    full: usize,
    column: Option<usize>,
) -> Option<usize> {
    let most = if full > 0 { full } else { decoded.bytes.len() };
    let mut differs = None;
    for &(bytes, _) in decoded.ends.iter().rev() {
        if bytes > most {
            continue;
        }
        match agreement(decoded, bytes, code, row) {
            Agreement::Equal => return Some(bytes),
            Agreement::Blank => return Some(bytes),
            Agreement::Differs if differs.is_none() => differs = Some(bytes),
            _ => {}
        }
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
        .or(Some(decoded.bytes.len().min(most)))
}

/// Reads the rows by the plan.
fn build(code: &[u8], rows: &Rows, plan: &Plan, found: &mut Findings) {
    let mut builder = Builder {
        code,
        plan,
        parts: Vec::new(),
        expected: None,
        label: None,
        last: Vec::new(),
        repeat: None,
        elided: None,
        column: None,
        repeated: 0,
        remarks: Vec::new(),
        rows: 0,
    };
    for (idx, event) in rows.events.iter().enumerate() {
        match event {
            Event::Words(range) => builder.label = Some(range.clone()),
            Event::Repeat(at) => builder.repeat = Some(*at),
            Event::Elided(at) => builder.elide(*at),
            Event::Row(row) => {
                let next = rows.events.get(idx + 1);
                builder.row(row, rows.decode(code, row, plan.kind), next);
            }
        }
    }
    let first = rows
        .rows()
        .find(|row| !row.cells.is_empty() || plan.kind == Kind::Characters);
    let Some(first) = first else { return };
    let offset = offset(code, first, plan.radix);
    let confidence = match (plan.links, plan.breaks, plan.columns) {
        (links, breaks, _) if breaks > links => return,
        (2.., 0, _) | (1.., 0, 1..) => 98,
        (1.., 0, _) => 93,
        (1.., _, 1..) => 90,
        (1.., _, _) => 70,
        (_, _, 1..) => 95,
        _ if offset != Some(0) => return,
        _ if first.style.colon || first.style.bracket || first.style.zero_x => 88,
        _ if first.style.bar || first.style.gap >= 2 => 75,
        _ => 40,
    };
    let word = rows.decode(code, first, plan.kind).word;
    let notation = dumpname::name(plan, first, code, word);
    let little = matches!(
        plan.kind,
        Kind::LittleHex | Kind::OctalWords | Kind::DecimalWords
    );
    if little {
        let text = format!("{word}-byte words are taken as little-endian, the lower byte first");
        builder.remarks.insert(0, (first.offset.start, text));
    }
    let why = match (plan.links, plan.columns) {
        (0, 0) => "an offset in front of the row".to_owned(),
        (0, _) => "an offset in front and an ASCII column that agrees".to_owned(),
        (_, 0) => format!(
            "the offsets of {} rows follow from each other",
            builder.rows
        ),
        _ => format!(
            "the offsets of {} rows follow from each other, the ASCII column agrees",
            builder.rows
        ),
    };
    let sketch = Sketch {
        family: Family::Dump,
        notation,
        confidence,
        why,
        parts: builder.parts,
        remarks: builder.remarks,
        comments: Vec::new(),
    };
    found.add(sketch);
    // Without an ASCII column, nothing but the tool's habit tells the byte order.
    if plan.kind == Kind::LittleHex && plan.columns == 0 {
        let mut other = Findings::default();
        build(
            code,
            rows,
            &Plan {
                kind: Kind::Hex,
                ..*plan
            },
            &mut other,
        );
        for mut sketch in other.sketches {
            sketch.confidence = sketch.confidence.min(55);
            sketch
                .why
                .push_str(", if the words are in the order of the bytes");
            found.add(sketch);
        }
    }
}

struct Builder<'a> {
    code: &'a [u8],
    plan: &'a Plan,
    parts: Vec<Draft>,
    /// The offset behind the last byte of the part that is being built.
    expected: Option<u64>,
    label: Option<Range<usize>>,
    /// The bytes of the row before.
    last: Vec<u8>,
    repeat: Option<usize>,
    elided: Option<usize>,
    /// The column in which the text behind the cells began in the row before.
    column: Option<usize>,
    repeated: u64,
    remarks: Vec<(usize, String)>,
    rows: usize,
}

impl Builder<'_> {
    fn elide(&mut self, at: usize) {
        self.elided = Some(at);
        if let Some(part) = self.parts.last_mut() {
            part.hole(None, at);
        }
    }

    fn remark(&mut self, at: usize, text: String) {
        if self.remarks.len() < MOST_REMARKS {
            self.remarks.push((at, text));
        }
    }

    fn row(&mut self, row: &Row, decoded: Decoded, next: Option<&Event>) {
        let Some(at) = offset(self.code, row, self.plan.radix) else {
            return;
        };
        if decoded.bytes.is_empty() {
            if self
                .expected
                .is_some_and(|expected| at >= expected || at + 8 > expected)
            {
                self.end(at, row.line.start);
            }
            return;
        }
        self.rows += 1;
        self.place(at, row);
        let need = match next {
            Some(Event::Row(next)) => offset(self.code, next, self.plan.radix)
                .and_then(|next| next.checked_sub(at))
                .filter(|need| *need > 0),
            _ => None,
        };
        let exact = need.and_then(|need| cut(&decoded, need, self.code, row));
        let take = exact
            .or_else(|| last_cut(&decoded, self.code, row, self.plan.full, self.column))
            .unwrap_or(decoded.bytes.len());
        let agreement = agreement(&decoded, take, self.code, row);
        if agreement == Agreement::Differs {
            let text = "the ASCII column of this row disagrees with its bytes";
            self.remark(row.line.start, text.into());
        }
        if matches!(agreement, Agreement::Equal | Agreement::Differs) {
            let end = decoded
                .ends
                .iter()
                .find(|(bytes, _)| *bytes >= take)
                .map_or(row.text, |(_, end)| *end);
            let rest = slice(self.code, end..row.line.end);
            let blanks = rest
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\t'))
                .count();
            // A short row is filled up to the column, so its own is no measure.
            self.column = Some(self.column.unwrap_or(0).max(end + blanks - row.line.start));
        }
        let Some(part) = self.parts.last_mut() else {
            return;
        };
        self.last.clear();
        for &(byte, at) in decoded.bytes.iter().take(take) {
            part.push(byte, at);
            self.last.push(byte);
        }
        self.expected = Some(at.saturating_add(take as u64));
    }

    /// Prepares the part for a row at offset `at`: the same one, with a hole, or a new one.
    fn place(&mut self, at: u64, row: &Row) {
        let repeat = self.repeat.take();
        let elided = self.elided.take();
        match self.expected {
            Some(expected) if at == expected => return,
            Some(expected)
                if at > expected
                    && (repeat.is_some() || elided.is_some() || self.label.is_none()) =>
            {
                self.jump(at - expected, repeat, elided, row);
                return;
            }
            // A row that holds more bytes than its offset says goes on all the same.
            Some(expected) if at > 0 && at < expected && expected - at < self.last.len() as u64 => {
                self.remark(
                    row.offset.start,
                    format!("the offset says {at:#x}, but {expected:#x} bytes stand before it"),
                );
                return;
            }
            _ => {}
        }
        let label = self.label.take();
        self.parts.push(Draft {
            label,
            ..Draft::default()
        });
    }

    fn jump(&mut self, gap: u64, repeat: Option<usize>, elided: Option<usize>, row: &Row) {
        let Some(part) = self.parts.last_mut() else {
            return;
        };
        if let (Some(at), false) = (repeat, self.last.is_empty()) {
            if self.repeated + gap <= MOST_REPEATED {
                self.repeated += gap;
                for idx in 0..gap as usize {
                    part.push(
                        self.last.get(idx % self.last.len()).copied().unwrap_or(0),
                        at,
                    );
                }
                return;
            }
            part.hole(Some(gap), at);
            return self.remark(at, format!("{gap} repeated bytes are left out"));
        }
        if elided.is_some() {
            part.holes.pop();
        }
        part.hole(Some(gap), elided.unwrap_or(row.line.start));
        if elided.is_none() {
            self.remark(
                row.offset.start,
                format!("the offsets leave out {gap} bytes before this row"),
            );
        }
    }

    /// An offset alone: the end of the dump.
    fn end(&mut self, at: u64, line: usize) {
        let repeat = self.repeat.take();
        let elided = self.elided.take();
        let expected = self.expected.unwrap_or(at);
        let word = match self.plan.kind {
            Kind::LittleHex => 8,
            Kind::OctalWords | Kind::DecimalWords => 2,
            _ => 1,
        };
        if let Some(part) = self.parts.last_mut() {
            let over = expected.saturating_sub(at);
            if over > 0 && over < word {
                part.truncate(part.bytes.len().saturating_sub(over as usize));
            } else if at > expected {
                let gap = at - expected;
                if let (Some(at), true) = (
                    repeat,
                    self.repeated + gap <= MOST_REPEATED && !self.last.is_empty(),
                ) {
                    self.repeated += gap;
                    for idx in 0..gap as usize {
                        part.push(
                            self.last.get(idx % self.last.len()).copied().unwrap_or(0),
                            at,
                        );
                    }
                } else {
                    if elided.is_some() {
                        part.holes.pop();
                    }
                    part.hole(Some(gap), elided.or(repeat).unwrap_or(line));
                }
            }
        }
        // What follows a dump's end is another dump.
        self.expected = None;
    }
}
