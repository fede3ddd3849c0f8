//! Exchanges of a capture as the lines of a table.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::{
    backward::{self, Backward, push_spaces},
    exchange_cells::{
        Clock, ends, latency_of_cell, push_api, push_cell, push_client_id, push_endpoint,
        push_error, push_topics, sizes_cell, version_cell,
    },
    exchange_field::USUAL_COLUMNS,
    kept::Kept,
};
use crate::session::{Exchange, Index, Side};

/// Rows that decide how wide the columns are; a later one that is wider pushes its line apart.
const MEASURED: usize = 4_000;

/// The most that a column is wide: a longer text, as a client id of hundreds of characters, moves what
/// stands behind it in its own row and in no other.
const WIDEST: usize = 60;

/// Cells between two columns.
const GAP: usize = 2;

/// A table of exchanges, in columns as wide as what was measured.
#[derive(Clone, Debug)]
pub struct ExchangeTable {
    widths: [usize; USUAL_COLUMNS.len()],
    clock: Clock,
    /// Both ends of connections, by their numbers.
    ends: Kept,
    client_ids: Kept,
    topics: Kept,
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
            widths: USUAL_COLUMNS.map(|field| field.head().len()),
            clock: Clock::default(),
            ends: Kept::default(),
            client_ids: Kept::default(),
            topics: Kept::default(),
        }
    }

    /// Makes room for the exchanges that there are.
    pub fn measure(&mut self, index: &Index) {
        self.measure_these(index, index.len(), |idx| index.exchange(idx + 1));
    }

    /// Makes room for some of them: `len`, of which `nth` knows each.
    pub fn measure_these(
        &mut self,
        index: &Index,
        len: usize,
        nth: impl Fn(usize) -> Option<Exchange>,
    ) {
        let mut cell = Vec::new();
        for exchange in (0..len).step_by(len / MEASURED + 1).filter_map(nth) {
            for (width, field) in self.widths.iter_mut().zip(USUAL_COLUMNS) {
                cell.clear();
                push_cell(&mut cell, field, index, &exchange);
                *width = width_of(&cell).min(WIDEST).max(*width);
            }
        }
        // What is kept is as wide as columns were.
        *self = ExchangeTable {
            widths: self.widths,
            ..ExchangeTable::new()
        };
    }

    /// Writes the names of the columns.
    pub fn head(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut line = Vec::new();
        for (&width, field) in self.widths.iter().zip(USUAL_COLUMNS) {
            let head = field.head().as_bytes();
            match field.is_number() {
                false => push_left(&mut line, width, |line| line.extend_from_slice(head)),
                true => push_right(&mut line, width, |cell| cell.text(head)),
            }
        }
        end_line(&mut line, 0);
        out.write_all(&line)
    }

    /// Appends the row of `exchange`.
    pub fn row(&mut self, out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
        let [n, time, connection, client, server, api, ..] = self.widths;
        let [.., version, client_id, topics, bytes, latency, _] = self.widths;
        let start = out.len();
        push_right(out, n, |cell| cell.number(exchange.n.into()));
        push_ascii(out, time, |out| self.clock.push(out, exchange.time()));
        push_right(out, connection, |cell| {
            cell.number(exchange.connection.into())
        });
        let number = 2 * exchange.connection as usize + usize::from(is_turned(index, exchange));
        self.ends.push(out, number, |out| {
            let ends = ends(index, exchange);
            push_left(out, client, |out| push_endpoint(out, ends.0));
            push_left(out, server, |out| push_endpoint(out, ends.1));
        });
        push_ascii(out, api, |out| push_api(out, exchange));
        push_right(out, version, |cell| version_cell(cell, exchange));
        let number = exchange.client_id.map_or(0, |id| id.idx() + 1);
        self.client_ids.push(out, number, |out| {
            push_left(out, client_id, |out| push_client_id(out, index, exchange));
        });
        // Whether there are more is not a matter of the topics alone.
        let number = match exchange.topics_cut {
            true => usize::MAX,
            false => exchange.topics.idx(),
        };
        self.topics.push(out, number, |out| {
            push_left(out, topics, |out| push_topics(out, index, exchange));
        });
        push_right(out, bytes, |cell| sizes_cell(cell, exchange));
        push_right(out, latency, |cell| latency_of_cell(cell, exchange));
        push_error(out, index, exchange);
        end_line(out, start);
    }
}

/// Whether the ends of the connection are not in the order of its sides.
fn is_turned(index: &Index, exchange: &Exchange) -> bool {
    let connection = index.connection(exchange.connection);
    connection.is_some_and(|ends| ends.client_side() == Side::B)
}

/// Appends a cell that stands to the left in its column, with the gap behind it.
fn push_left(out: &mut Vec<u8>, width: usize, write: impl FnOnce(&mut Vec<u8>)) {
    let from = out.len();
    write(out);
    let used = width_of(out.get(from..).unwrap_or_default());
    push_spaces(out, width.saturating_sub(used) + GAP);
}

/// Appends one whose bytes are its cells, which need not be looked at.
fn push_ascii(out: &mut Vec<u8>, width: usize, write: impl FnOnce(&mut Vec<u8>)) {
    let from = out.len();
    write(out);
    push_spaces(out, width.saturating_sub(out.len() - from) + GAP);
}

/// Appends one that stands to the right.
fn push_right(out: &mut Vec<u8>, width: usize, write: impl Fn(&mut Backward<'_>)) {
    backward::push(out, width, write);
    push_spaces(out, GAP);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schema::Catalogue,
        session::{Digest, Input, Options, Session},
    };

    /// The row of an exchange, cell by cell.
    fn plain(table: &ExchangeTable, index: &Index, exchange: &Exchange) -> String {
        let mut row = String::new();
        for (width, field) in table.widths.into_iter().zip(USUAL_COLUMNS) {
            let mut cell = Vec::new();
            push_cell(&mut cell, field, index, exchange);
            let cell = String::from_utf8(cell).unwrap();
            row += &match field.is_number() {
                false => format!("{cell:<width$}  "),
                true => format!("{cell:>width$}  "),
            };
        }
        row.trim_end_matches(' ').to_owned() + "\n"
    }

    #[test]
    fn a_row_is_its_cells_however_often_they_were_written_before() {
        for sample in ["topics.pcap", "malformed.pcap", "workload.pcap.zst"] {
            let file = format!("{}/samples/{sample}", env!("CARGO_MANIFEST_DIR"));
            let session = Session::open(&[Input::named(file)], Options::default()).unwrap();
            session.run(&mut Digest::new(Catalogue::current()));
            let index = session.index();
            let narrow = ExchangeTable::new();
            let mut wide = ExchangeTable::new();
            wide.measure(&index);
            for mut table in [narrow, wide] {
                for exchange in index.exchanges() {
                    let mut row = Vec::new();
                    table.row(&mut row, &index, &exchange);
                    let row = String::from_utf8(row).unwrap();
                    assert_eq!(row, plain(&table, &index, &exchange));
                }
            }
        }
    }
}
