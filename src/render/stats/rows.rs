//! Cells in columns: as wide as what is in them, and left out where nothing is.

use std::fmt::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::render::Palette;

/// The most that a column of texts is wide. A longer one, as a client id of hundreds of characters, moves
/// what stands behind it in its own row and in no other.
const WIDEST: usize = 60;

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table under construction.
#[derive(Debug)]
pub(super) struct Rows {
    head: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Rows {
    pub(super) fn new(head: Vec<(&'static str, Align)>) -> Rows {
        Rows {
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row; its cells are safe to show.
    pub(super) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the table, indented by two. A column without a text in any row is left out.
    pub(super) fn write(&self, out: &mut impl Write, palette: Palette) -> fmt::Result {
        let columns: Vec<(usize, usize)> = (0..self.head.len())
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
        let dim = palette.dim();
        let head: Vec<String> = self.head.iter().map(|(head, _)| (*head).into()).collect();
        writeln!(out, "  {dim}{}{dim:#}", self.line(&columns, &head))?;
        for row in &self.rows {
            writeln!(out, "  {}", self.line(&columns, row))?;
        }
        Ok(())
    }

    fn line(&self, columns: &[(usize, usize)], cells: &[String]) -> String {
        let mut line = String::new();
        for (idx, &(column, width)) in columns.iter().enumerate() {
            let text = cells.get(column).map_or("", String::as_str);
            let align = self
                .head
                .get(column)
                .map_or(Align::Left, |(_, align)| *align);
            let pad = width.saturating_sub(text.width());
            if idx > 0 {
                line.push_str("  ");
            }
            if align == Align::Right {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str(text);
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
