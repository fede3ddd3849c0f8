//! A table of the chosen columns, as wide as a terminal has room for.
//!
//! Columns are as wide as what was measured. Where all of them do not fit, the widest texts are cut,
//! and a cut text ends in `…`; without a terminal nothing is cut.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::{
    cells::ColumnCells,
    column::{Column, dated_columns},
};
use crate::{
    render::cut_to_width,
    session::{Exchange, Index, Session},
};

/// Rows that decide how wide the columns are; a later one that is wider pushes its line apart, or
/// is cut.
const MEASURED: usize = 4_000;

/// The same where rows have to be decoded for it.
const MEASURED_DECODED: usize = 200;

/// The most that a column is wide where nothing is cut: a longer text moves what stands behind it in its
/// own row and in no other.
const WIDEST: usize = 60;

/// No text column is made narrower than that: less says nothing.
const NARROWEST: usize = 6;

/// A text column that is narrower than that says little.
const LEGIBLE: usize = 12;

/// The usual columns that are left out where there is no room for all, the first of them first: what
/// else is in the row tells most of it, or `show` does.
const SPARED: &[&str] = &[
    "client",
    "server",
    "connection",
    "bytes",
    "client_id",
    "date",
    "time",
];

/// What stands between columns; where there is little room, half of it.
const GAP: &str = "  ";
const NARROW_GAP: &str = " ";

/// A table of exchanges.
#[derive(Clone, Debug)]
pub struct ColumnTable {
    cells: ColumnCells,
    /// Whether somebody said which columns there are to be.
    is_chosen: bool,
    /// The names of the usual ones for which there was no room.
    left_out: Vec<String>,
    widths: Vec<usize>,
    /// Cells of a line of the terminal.
    room: Option<usize>,
    gap: &'static str,
}

impl ColumnTable {
    /// A table of `columns`, or of the usual ones, that is no wider than `room`.
    pub fn new(columns: Option<Vec<Column>>, room: Option<usize>) -> ColumnTable {
        let is_chosen = columns.is_some();
        let cells = ColumnCells::new(columns);
        ColumnTable {
            is_chosen,
            left_out: Vec::new(),
            widths: cells.heads().iter().map(|head| head.width()).collect(),
            cells,
            room,
            gap: GAP,
        }
    }

    /// A table of the usual columns with the day in front of the time.
    pub fn dated(room: Option<usize>) -> ColumnTable {
        ColumnTable {
            is_chosen: false,
            ..ColumnTable::new(Some(dated_columns()), room)
        }
    }

    /// The names of columns that are not shown for want of room, in the order of the table.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Whether the rows show their days.
    pub fn shows_days(&self) -> bool {
        let mut columns = self.cells.columns.iter();
        columns.any(|column| column.member == "date")
    }

    /// Makes room for the exchanges of these numbers.
    pub fn measure(&mut self, session: &Session, index: &Index, numbers: &[usize]) {
        let most = match self.cells.columns.iter().any(Column::is_decoded) {
            true => MEASURED_DECODED,
            false => MEASURED,
        };
        let widest = self.room.map_or(WIDEST, |_| usize::MAX);
        for &n in numbers.iter().step_by(numbers.len() / most + 1) {
            let Some(exchange) = index.exchange(n) else {
                continue;
            };
            let cells = self.cells.cells(session, index, &exchange);
            for (width, cell) in self.widths.iter_mut().zip(&cells) {
                *width = cell.width().min(widest).max(*width);
            }
        }
        if let Some(room) = self.room {
            self.spare(room);
            self.gap = fit(&mut self.widths, &self.cells.columns, room);
        }
    }

    /// Leaves columns out that nobody asked for, as long as others would be cut beyond use.
    fn spare(&mut self, room: usize) {
        if self.is_chosen {
            return;
        }
        let heads = self.cells.heads();
        let is_rigid = |column: &Column| column.is_number() || column.is_time();
        for member in SPARED {
            let columns = self.cells.columns.iter().zip(&self.widths);
            let least = |(column, width): (&Column, &usize)| match is_rigid(column) {
                true => *width,
                false => (*width).min(LEGIBLE),
            };
            let gaps = self.widths.len().saturating_sub(1) * GAP.len();
            if columns.map(least).sum::<usize>() + gaps <= room {
                break;
            }
            if let Some(idx) = self.cells.columns.iter().position(|c| c.member == *member) {
                self.cells.columns.remove(idx);
                self.widths.remove(idx);
            }
        }
        let shown = self.cells.heads();
        self.left_out = heads
            .into_iter()
            .filter(|head| !shown.contains(head))
            .collect();
    }

    /// Writes the names of the columns.
    pub fn head(&mut self, out: &mut impl io::Write) -> io::Result<()> {
        self.write(out, &self.cells.heads())
    }

    /// Appends the row of `exchange`.
    pub fn row(
        &mut self,
        out: &mut Vec<u8>,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        let cells = self.cells.cells(session, index, exchange);
        // Writing into memory cannot fail.
        let _ = self.write(out, &cells);
    }

    fn write(&self, out: &mut impl io::Write, cells: &[String]) -> io::Result<()> {
        let mut line = String::new();
        for ((column, &width), cell) in self.cells.columns.iter().zip(&self.widths).zip(cells) {
            let cell = match self.room {
                Some(_) if !column.is_number => cut_to_width(cell, width),
                _ => cell.clone(),
            };
            let pad = " ".repeat(width.saturating_sub(cell.width()));
            match column.is_number {
                true => line.extend([&*pad, &cell, self.gap]),
                false => line.extend([&*cell, &pad, self.gap]),
            }
        }
        let line = line.trim_end();
        match self.room {
            // Numbers are not cut, so that a line of many may still be too long.
            Some(room) => writeln!(out, "{}", cut_to_width(line, room)),
            None => writeln!(out, "{line}"),
        }
    }
}

/// Makes columns narrower until all of them fit, and says what is to stand between them. Texts give
/// way before times, and what is between columns before these.
fn fit(widths: &mut [usize], columns: &[Column], room: usize) -> &'static str {
    if shrink(widths, columns, room, GAP, |column| !column.is_time()) {
        return GAP;
    }
    let fits = shrink(widths, columns, room, NARROW_GAP, |column| {
        !column.is_time()
    });
    if !fits {
        shrink(widths, columns, room, NARROW_GAP, |_| true);
    }
    NARROW_GAP
}

/// Takes cells from the widest of the texts that may be cut, one by one, until all columns fit;
/// `false` if they do not.
fn shrink(
    widths: &mut [usize],
    columns: &[Column],
    room: usize,
    gap: &str,
    may_be_cut: impl Fn(&Column) -> bool,
) -> bool {
    let gaps = widths.len().saturating_sub(1) * gap.len();
    while widths.iter().sum::<usize>() + gaps > room {
        let texts = widths
            .iter_mut()
            .zip(columns)
            .filter(|(_, column)| !column.is_number && may_be_cut(column))
            .map(|(width, _)| width);
        match texts.max_by_key(|width| **width) {
            Some(width) if *width > NARROWEST => *width -= 1,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::column::default_columns;
    use super::*;

    #[test]
    fn columns_nobody_asked_for_give_way_to_what_can_be_read() {
        let members = |chosen: Option<&str>, room| {
            let columns = chosen.map(|list| crate::query::columns(list).unwrap());
            let mut table = ColumnTable::new(columns, Some(room));
            table.widths.iter_mut().for_each(|width| *width = 20);
            table.spare(room);
            assert_eq!(table.widths.len(), table.cells.columns.len());
            let columns = table.cells.columns.iter();
            columns
                .map(|column| column.member.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(members(None, 500).len(), default_columns().len());
        let narrow = members(None, 80);
        assert!(!narrow.iter().any(|member| member == "client"));
        for member in ["n", "api", "topics", "errors"] {
            assert!(narrow.iter().any(|other| other == member), "{narrow:?}");
        }
        assert_eq!(members(Some("n,client,server,topics"), 10).len(), 4);
        let mut table = ColumnTable::dated(Some(80));
        assert!(table.shows_days() && table.left_out().is_empty());
        table.widths.iter_mut().for_each(|width| *width = 20);
        table.spare(80);
        assert!(!table.shows_days());
        let expected = [
            "date",
            "time",
            "conn",
            "client",
            "server",
            "client id",
            "bytes",
        ];
        assert_eq!(table.left_out(), expected);
    }

    #[test]
    fn the_widest_texts_are_cut_first() {
        let columns = crate::query::columns("n,client,topics").unwrap();
        let mut widths = vec![5, 15, 40];
        assert_eq!(fit(&mut widths, &columns, 40), GAP);
        assert_eq!(widths, [5, 15, 16]);
        assert_eq!(fit(&mut widths, &columns, 20), NARROW_GAP);
        assert_eq!(widths, [5, NARROWEST, NARROWEST]);
        let columns = crate::query::columns("n,time,topics").unwrap();
        let mut widths = vec![2, 15, 30];
        assert_eq!(fit(&mut widths, &columns, 40), GAP);
        assert_eq!(widths, [2, 15, 19]);
        assert_eq!(fit(&mut widths, &columns, 20), NARROW_GAP);
        assert_eq!(widths, [2, 10, NARROWEST]);
    }
}
