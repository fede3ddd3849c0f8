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

use super::cells::{Decoded, Kind};
use super::column::Agreement;
use super::draft::{Draft, Findings, Sketch};
use super::dumpname;
use super::reading::Family;
use super::row::Row;
use super::rows::{Event, Plan, Rows, agreement, cut, is_behind_words, last_cut, offset};
use super::scan::slice;

/// Most bytes that `*` lines may stand for: a row of zeros up to a hostile offset is a hole.
const MOST_REPEATED: u64 = 1 << 24;
/// Numbers of a log in front of an offset that are passed over.
const MOST_SKIPPED: usize = 8;
/// So many of them if nothing proves the rows behind them.
const MOST_DOUBTED: usize = 3;
/// Most rows that are remarked on one by one.
const MOST_REMARKS: usize = 5;

/// Looks for a dump.
pub(super) fn find(code: &[u8], found: &mut Findings) {
    let mut best: Option<(Rows, Plan)> = None;
    for skip in 0..MOST_SKIPPED {
        let mut rows = Rows::of(code, skip);
        if !rows.any {
            match rows.is_tried {
                true => continue,
                false => break,
            }
        }
        rows.drop_strangers(code);
        let plan = rows.plan(code);
        let proven = plan.links > 0 && plan.breaks == 0;
        let is_better = |(_, known): &(Rows, Plan)| plan.score > known.score;
        // So many groups of digits in front are no log's, but bytes.
        let is_log = || rows.rows().all(|row| is_behind_words(code, row));
        if (skip < MOST_DOUBTED || proven && is_log()) && best.as_ref().is_none_or(is_better) {
            best = Some((rows, plan));
            if proven {
                break;
            }
        }
    }
    if let Some((rows, plan)) = best {
        build(code, &rows, &plan, found);
    }
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
    let Some(confidence) = confidence(code, rows, plan, first) else {
        return;
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
    found.add(Sketch {
        family: Family::Dump,
        notation,
        confidence,
        why: why(plan, builder.rows),
        parts: builder.parts,
        remarks: builder.remarks,
        comments: Vec::new(),
    });
    // Without an ASCII column, nothing but the tool's habit tells the byte order.
    if plan.kind == Kind::LittleHex && plan.columns == 0 {
        build_as_it_stands(code, rows, plan, found);
    }
}

/// Adds the reading in which little-endian words are bytes as they stand.
fn build_as_it_stands(code: &[u8], rows: &Rows, plan: &Plan, found: &mut Findings) {
    let plan = Plan {
        kind: Kind::Hex,
        ..*plan
    };
    let mut other = Findings::default();
    build(code, rows, &plan, &mut other);
    for mut sketch in other.sketches {
        sketch.confidence = sketch.confidence.min(55);
        sketch
            .why
            .push_str(", if the words are in the order of the bytes");
        found.add(sketch);
    }
}

/// How sure it is that rows with these offsets are a dump; `None` if they are none.
fn confidence(code: &[u8], rows: &Rows, plan: &Plan, first: &Row) -> Option<u8> {
    let style = first.style;
    Some(match (plan.links, plan.breaks, plan.columns) {
        (links, breaks, _) if breaks > links => return None,
        (2.., 0, _) | (1.., 0, 1..) => 98,
        (1.., 0, _) => 93,
        (1.., _, 1..) => 90,
        (1.., _, _) => 70,
        (_, _, 1..) => 95,
        _ if plan.jumps > 0 => 93,
        _ if offset(code, first, plan.radix) != Some(0) => return None,
        _ if style.colon || style.bracket => 92,
        _ if style.zero_x => 88,
        _ if style.bar || style.gap >= 2 => 75,
        // `0000 00 00 00 12`: one group of four before pairs only.
        _ if rows.cells(first).len() >= 4 && pairs(rows.cells(first)) => 91,
        _ => 40,
    })
}

/// What speaks for the dump, of which `n_rows` were read.
fn why(plan: &Plan, n_rows: usize) -> String {
    match (plan.links, plan.columns) {
        (0, 0) => "an offset in front of the row".to_owned(),
        (0, _) => "an offset in front and an ASCII column that agrees".to_owned(),
        (_, 0) => format!("the offsets of {n_rows} rows follow from each other"),
        _ => {
            format!("the offsets of {n_rows} rows follow from each other, the ASCII column agrees")
        }
    }
}

fn pairs(cells: &[Range<usize>]) -> bool {
    cells.iter().all(|cell| cell.len() == 2)
}

/// Fills `gap` bytes with those of the row before, as the `*` at `at` says.
fn repeat_row(part: &mut Draft, last: &[u8], gap: u64, at: usize) {
    for &byte in last.iter().cycle().take(gap as usize) {
        part.push(byte, at);
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
                return repeat_row(part, &self.last, gap, at);
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
                    repeat_row(part, &self.last, gap, at);
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
