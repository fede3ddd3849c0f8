//! Exchanges of a capture as the lines of a table.

use std::io;
use std::ops::{Range, RangeInclusive};

use unicode_width::UnicodeWidthStr;

use super::exchange_cells::{
    push_api, push_client_id, push_endpoint, push_error, push_latency_of, push_number, push_sizes,
    push_time_of_day, push_topics, push_version,
};
use crate::session::{Exchange, Index, Side};

/// Rows that decide how wide the columns are; a later one that is wider pushes its line apart.
const MEASURED: usize = 4_000;

/// Names of the columns, and which of them stand to the right as numbers do.
const COLUMNS: [(&str, Align); 12] = [
    ("n", Align::Right),
    ("time", Align::Left),
    ("conn", Align::Right),
    ("client", Align::Left),
    ("server", Align::Left),
    ("API", Align::Left),
    ("v", Align::Right),
    ("client id", Align::Left),
    ("topics", Align::Left),
    ("bytes", Align::Right),
    ("latency", Align::Right),
    ("error", Align::Left),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// Cells between two columns.
const GAP: usize = 2;

/// The columns that a connection has the same in all of its rows, with what stands behind them.
const ENDS: RangeInclusive<usize> = CLIENT..=SERVER;
const CLIENT: usize = 3;
const SERVER: usize = 4;

/// Connections whose ends are kept as text; those of further ones are written anew.
const MAX_KEPT: usize = 1 << 16;

/// A table of exchanges, in columns as wide as what was measured.
#[derive(Clone, Debug)]
pub struct ExchangeTable {
    widths: [usize; 12],
    cell: Vec<u8>,
    ends: Ends,
}

/// The ends of connections as they were written, which rows have again and again.
#[derive(Clone, Debug, Default)]
struct Ends {
    /// By connection: which end is the client, and where the text is.
    kept: Vec<Option<(Side, Range<usize>)>>,
    texts: Vec<u8>,
}

impl Default for ExchangeTable {
    fn default() -> Self {
        ExchangeTable::new()
    }
}

impl ExchangeTable {
    /// A table as wide as its head.
    pub fn new() -> ExchangeTable {
        ExchangeTable {
            widths: COLUMNS.map(|(name, _)| name.len()),
            cell: Vec::new(),
            ends: Ends::default(),
        }
    }

    /// Makes room for the exchanges that there are.
    pub fn measure(&mut self, index: &Index) {
        self.measure_these(index, index.len(), index.exchanges());
    }

    /// Makes room for some of them; there are `len`.
    pub fn measure_these(
        &mut self,
        index: &Index,
        len: usize,
        exchanges: impl Iterator<Item = Exchange>,
    ) {
        self.ends = Ends::default();
        for exchange in exchanges.step_by(len / MEASURED + 1) {
            for (idx, width) in self.widths.iter_mut().enumerate() {
                self.cell.clear();
                push_cell(&mut self.cell, idx, index, &exchange);
                *width = width_of(&self.cell).max(*width);
            }
        }
    }

    /// Writes the names of the columns.
    pub fn head(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut line = Vec::new();
        for (&width, (name, align)) in self.widths.iter().zip(COLUMNS) {
            push_aligned(&mut line, name.as_bytes(), width, align);
        }
        end_line(&mut line, 0);
        out.write_all(&line)
    }

    /// Appends the row of `exchange`.
    pub fn row(&mut self, out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
        let start = out.len();
        for (idx, (&width, (_, align))) in self.widths.iter().zip(COLUMNS).enumerate() {
            if ENDS.contains(&idx) {
                if idx == CLIENT {
                    self.ends.push(out, &self.widths, index, exchange);
                }
                continue;
            }
            match align {
                Align::Right => {
                    self.cell.clear();
                    push_cell(&mut self.cell, idx, index, exchange);
                    push_aligned(out, &self.cell, width, align);
                }
                Align::Left => {
                    let from = out.len();
                    push_cell(out, idx, index, exchange);
                    let used = width_of(out.get(from..).unwrap_or_default());
                    push_spaces(out, width.saturating_sub(used) + GAP);
                }
            }
        }
        end_line(out, start);
    }
}

impl Ends {
    /// Appends both ends of the connection, as they were written before if they were.
    fn push(
        &mut self,
        out: &mut Vec<u8>,
        widths: &[usize; 12],
        index: &Index,
        exchange: &Exchange,
    ) {
        let connection = index.connection(exchange.connection);
        let client = connection.map(|connection| connection.client_side());
        let slot = exchange.connection as usize;
        if let Some(Some((side, range))) = self.kept.get(slot)
            && Some(*side) == client
            && let Some(text) = self.texts.get(range.clone())
        {
            out.extend_from_slice(text);
            return;
        }
        let start = out.len();
        for idx in ENDS {
            let from = out.len();
            push_cell(out, idx, index, exchange);
            let width = widths.get(idx).copied().unwrap_or(0);
            push_spaces(out, width.saturating_sub(out.len() - from) + GAP);
        }
        if let (Some(client), true) = (client, slot < MAX_KEPT) {
            if self.kept.len() <= slot {
                self.kept.resize(slot + 1, None);
            }
            let from = self.texts.len();
            self.texts
                .extend_from_slice(out.get(start..).unwrap_or_default());
            if let Some(slot) = self.kept.get_mut(slot) {
                *slot = Some((client, from..self.texts.len()));
            }
        }
    }
}

/// Appends the cell of a column.
fn push_cell(out: &mut Vec<u8>, idx: usize, index: &Index, exchange: &Exchange) {
    let ends = || index.connection(exchange.connection);
    match idx {
        0 => push_number(out, exchange.n.into()),
        1 => push_time_of_day(out, exchange.time()),
        2 => push_number(out, exchange.connection.into()),
        CLIENT => push_endpoint(
            out,
            ends().map_or_else(Default::default, |ends| ends.client),
        ),
        SERVER => push_endpoint(
            out,
            ends().map_or_else(Default::default, |ends| ends.server),
        ),
        5 => push_api(out, exchange),
        6 => push_version(out, exchange),
        7 => push_client_id(out, index, exchange),
        8 => push_topics(out, index, exchange),
        9 => push_sizes(out, exchange),
        10 => push_latency_of(out, exchange),
        _ => push_error(out, index, exchange),
    }
}

fn push_aligned(out: &mut Vec<u8>, cell: &[u8], width: usize, align: Align) {
    let pad = width.saturating_sub(width_of(cell));
    if align == Align::Right {
        push_spaces(out, pad);
    }
    out.extend_from_slice(cell);
    push_spaces(
        out,
        match align {
            Align::Left => pad + GAP,
            Align::Right => GAP,
        },
    );
}

fn push_spaces(out: &mut Vec<u8>, n: usize) {
    out.resize(out.len() + n, b' ');
}

/// Ends the line that began at `start`.
fn end_line(out: &mut Vec<u8>, start: usize) {
    let line = out.get(start..).unwrap_or_default();
    let end = line.iter().rposition(|&byte| byte != b' ');
    out.truncate(start + end.map_or(0, |last| last + 1));
    out.push(b'\n');
}

/// Cells of a terminal that UTF-8 takes.
fn width_of(text: &[u8]) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => std::str::from_utf8(text).map_or(text.len(), UnicodeWidthStr::width),
    }
}
