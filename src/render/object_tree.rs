//! The object tree as text: name, type, value, range and meaning in columns that fit the tree.

use std::{fmt, iter};

use unicode_width::UnicodeWidthStr;

use super::{Columns, Cut, Palette, Wording, columns};
use crate::tree::{NodeId, Tree};

struct Row {
    /// The lines that show what a node hangs on.
    branch: String,
    columns: Columns,
    id: NodeId,
}

/// Rows of a tree that are not asked for. Records make a million nodes of a megabyte, and nobody
/// reads that far; but each row costs its text before the first is written.
const ROWS: usize = 50_000;

/// Writes the tree, a line a node; with [`Cut::Short`] no more than anyone reads.
pub fn object_tree(
    out: &mut impl fmt::Write,
    tree: &Tree,
    wording: Wording,
    cut: Cut,
    palette: Palette,
) -> fmt::Result {
    let mut rows = Vec::new();
    if !tree.is_empty() {
        collect(tree, NodeId::ROOT, "", None, &mut rows, wording, cut);
    }
    let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
    let name = widest(&|row| row.branch.width() + row.columns.name.width());
    let ty = widest(&|row| row.columns.ty.width());
    let value = widest(&|row| value_text(row).width());
    let range = widest(&|row| row.columns.range.len());
    for row in &rows {
        let mut line = Line::new(out);
        let section = tree.node(row.id).map(|node| node.section);
        let style = section.map_or_else(anstyle::Style::new, |section| palette.section(section));
        let dim = palette.dim();
        line.text(&row.branch, row.branch.width(), dim)?;
        line.text(&row.columns.name, name - row.branch.width(), style)?;
        line.pad(2);
        line.text(&row.columns.ty, ty, anstyle::Style::new())?;
        line.pad(2);
        if value > 0 {
            line.text(&value_text(row), value, anstyle::Style::new())?;
            line.pad(2);
        }
        line.text(&row.columns.range, range, dim)?;
        line.pad(2);
        line.text(&row.columns.meaning, 0, dim)?;
        out.write_char('\n')?;
    }
    match tree.len().saturating_sub(rows.len()) {
        0 => Ok(()),
        more => writeln!(out, "... {more} more nodes; --wide prints them"),
    }
}

/// Depth-first rows. The recursion is as deep as the definitions nest, not as the bytes say.
fn collect(
    tree: &Tree,
    id: NodeId,
    trunk: &str,
    last: Option<bool>,
    rows: &mut Vec<Row>,
    wording: Wording,
    cut: Cut,
) {
    if rows.len() == ROWS && cut == Cut::Short {
        return;
    }
    let Some(columns) = columns(tree, id, wording, cut) else {
        return;
    };
    rows.push(Row {
        branch: last.map_or(String::new(), |_| format!("{trunk}+-- ")),
        columns,
        id,
    });
    let trunk = match last {
        None => String::new(),
        Some(true) => format!("{trunk}    "),
        Some(false) => format!("{trunk}|   "),
    };
    let mut children = tree.children(id).peekable();
    while let Some(child) = children.next() {
        let last = children.peek().is_none();
        collect(tree, child, &trunk, Some(last), rows, wording, cut);
    }
}

fn value_text(row: &Row) -> String {
    match &row.columns.value {
        Some(value) => format!("= {value}"),
        None => String::new(),
    }
}

/// A line that ends with its last character: padding is written only before further text.
struct Line<'o, W> {
    out: &'o mut W,
    owed: usize,
}

impl<'o, W: fmt::Write> Line<'o, W> {
    fn new(out: &'o mut W) -> Self {
        Line { out, owed: 0 }
    }

    fn pad(&mut self, columns: usize) {
        self.owed += columns;
    }

    fn text(&mut self, text: &str, width: usize, style: anstyle::Style) -> fmt::Result {
        if !text.is_empty() {
            self.out
                .write_str(&iter::repeat_n(' ', self.owed).collect::<String>())?;
            write!(self.out, "{style}{text}{style:#}")?;
            self.owed = 0;
        }
        self.pad(width.saturating_sub(text.width()));
        Ok(())
    }
}
