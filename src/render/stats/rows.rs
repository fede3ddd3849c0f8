//! Cells in columns: as wide as what is in them, and left out where nothing is.

use std::{
    borrow::Cow,
    fmt::{self, Write},
};

use unicode_width::UnicodeWidthStr;

use crate::render::{Palette, cut_to_width};

/// The most that a column of texts is wide. A longer one, as a client id of hundreds of characters, moves
/// what stands behind it in its own row and in no other.
const WIDEST: usize = 60;

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// How wide lines may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// As wide as they need; a chart, which needs nothing, takes so many columns.
    Free(usize),
    /// What has no room on a screen of so many columns would be broken over several lines.
    Bound(usize),
}

impl Room {
    /// Columns for what fills the line.
    pub(super) fn columns(self) -> usize {
        match self {
            Room::Free(columns) | Room::Bound(columns) => columns,
        }
    }
}

/// A column of texts that is narrower than that says little.
const NARROWEST: usize = 12;

/// What stands in front of a table and between its columns.
const INDENT: usize = 2;
const GAP: &str = "  ";

/// A table under construction.
#[derive(Debug)]
pub(super) struct Rows {
    head: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
    room: Room,
    /// The columns that are left out where there is no room for all, the first of them first.
    spared: &'static [&'static str],
}

/// A column that is shown: its place in the head, and its width.
type Shown = (usize, usize);

impl Rows {
    pub(super) fn new(head: Vec<(&'static str, Align)>) -> Rows {
        Rows {
            head,
            rows: Vec::new(),
            room: Room::Free(0),
            spared: &[],
        }
    }

    /// Has the table fit into `room`, if need be without the columns of these names.
    pub(super) fn within(self, room: Room, spared: &'static [&'static str]) -> Rows {
        Rows {
            room,
            spared,
            ..self
        }
    }

    /// Adds a row; its cells are safe to show.
    pub(super) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the table, indented by two. A column without a text in any row is left out.
    pub(super) fn write(&self, out: &mut impl Write, palette: Palette) -> fmt::Result {
        let mut columns: Vec<Shown> = (0..self.head.len())
            .filter_map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let widest = cells.map(|cell| cell.width()).max().unwrap_or(0);
                let (head, align) = self.head.get(column)?;
                let width = match align {
                    Align::Left => widest.min(WIDEST),
                    Align::Right => widest,
                };
                (widest > 0).then_some((column, width.max(head.len())))
            })
            .collect();
        if let Room::Bound(room) = self.room {
            self.fit(&mut columns, room);
        }
        let dim = palette.dim();
        let head: Vec<String> = self.head.iter().map(|(head, _)| (*head).into()).collect();
        writeln!(out, "  {dim}{}{dim:#}", self.line(&columns, &head))?;
        for row in &self.rows {
            writeln!(out, "  {}", self.line(&columns, row))?;
        }
        Ok(())
    }

    /// Leaves out what can be spared, then makes texts narrower, the widest first.
    fn fit(&self, columns: &mut Vec<Shown>, room: usize) {
        let taken = |columns: &[Shown]| {
            let widths: usize = columns.iter().map(|(_, width)| width).sum();
            INDENT + widths + columns.len().saturating_sub(1) * GAP.len()
        };
        let head = |column: usize| self.head.get(column).copied();
        for spared in self.spared {
            if taken(columns) <= room {
                return;
            }
            columns.retain(|&(column, _)| head(column).is_none_or(|(name, _)| name != *spared));
        }
        while taken(columns) > room {
            let texts = columns
                .iter_mut()
                .filter(|(column, _)| head(*column).is_some_and(|(_, align)| align == Align::Left));
            match texts.max_by_key(|(_, width)| *width) {
                Some((_, width)) if *width > NARROWEST => *width -= 1,
                _ => return,
            }
        }
    }

    fn line(&self, columns: &[Shown], cells: &[String]) -> String {
        let mut line = String::new();
        for (idx, &(column, width)) in columns.iter().enumerate() {
            let text = cells.get(column).map_or("", String::as_str);
            let text = match self.room {
                Room::Free(_) => Cow::Borrowed(text),
                Room::Bound(_) => Cow::Owned(cut_to_width(text, width)),
            };
            let align = self
                .head
                .get(column)
                .map_or(Align::Left, |(_, align)| *align);
            let pad = width.saturating_sub(text.width());
            if idx > 0 {
                line.push_str(GAP);
            }
            if align == Align::Right {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str(&text);
            if align == Align::Left {
                line.extend(std::iter::repeat_n(' ', pad));
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_screen_shows_less_and_breaks_nothing() {
        let head = [
            ("client id", Align::Left),
            ("sent", Align::Right),
            ("errors", Align::Right),
        ];
        let mut rows = Rows::new(head.into());
        rows.push(vec![
            "a client with a long name".to_owned(),
            "12345".to_owned(),
            "3".to_owned(),
        ]);
        let mut lines = |room| {
            rows.room = room;
            rows.spared = &["sent"];
            let mut text = String::new();
            rows.write(&mut text, Palette::Plain).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            lines(Room::Free(0))[1],
            "  a client with a long name  12345       3"
        );
        assert_eq!(
            lines(Room::Bound(42))[1],
            "  a client with a long name  12345       3"
        );
        assert_eq!(
            lines(Room::Bound(40))[1],
            "  a client with a long name       3"
        );
        assert_eq!(lines(Room::Bound(30))[1], "  a client with a lon…       3");
        assert_eq!(lines(Room::Bound(10))[0], "  client id     errors");
    }

    #[test]
    fn a_very_long_name_moves_its_own_row_alone() {
        let mut rows = Rows::new(vec![("client id", Align::Left), ("errors", Align::Right)]);
        rows.push(vec!["short".to_owned(), "3".to_owned()]);
        rows.push(vec!["x".repeat(300), "4".to_owned()]);
        let mut text = String::new();
        rows.write(&mut text, Palette::Plain).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].len(), 2 + WIDEST + 2 + 6);
        assert_eq!(lines[1].len(), lines[0].len());
        assert!(lines[2].ends_with("x       4"), "{text}");
    }
}
