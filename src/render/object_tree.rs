//! The object tree as text: name, type, value, range and meaning in columns that fit the tree.

use std::{fmt, iter};

use unicode_width::UnicodeWidthStr;

use super::{Columns, Cut, Palette, Wording, columns, columns::fit};
use crate::tree::{NodeId, Tree};

struct Row {
    /// The lines that show what a node hangs on.
    branch: String,
    columns: Columns,
    id: NodeId,
}

/// Rows of a tree that are not asked for. Records make a million nodes of a megabyte, and nobody
/// reads that far; but each row costs its text before the first is written. When they are asked
/// for, the columns are as wide as these need.
const ROWS: usize = 50_000;

/// Columns of a value that others are aligned with. With [`Cut::Wide`] one value may be megabytes
/// long, and every row would be padded to it.
const ALIGNED: usize = 160;

/// Writes the tree, a line a node; unless it is [`Cut::Wide`] no more than anyone reads.
pub fn object_tree(
    out: &mut impl fmt::Write,
    tree: &Tree,
    wording: Wording,
    cut: Cut,
    palette: Palette,
) -> fmt::Result {
    if tree.is_empty() {
        return Ok(());
    }
    let mut rows = Rows {
        tree,
        wording,
        cut,
        palette,
        out,
        waiting: Vec::new(),
        widths: None,
    };
    rows.visit(NodeId::ROOT, "", None)?;
    let shown = rows.waiting.len();
    match rows.widths {
        Some(_) => Ok(()),
        None => rows.measure_and_write(),
    }?;
    match tree.len().saturating_sub(shown) {
        more if more > 0 && cut != Cut::Wide => {
            writeln!(out, "... {more} more nodes; --wide prints them")
        }
        _ => Ok(()),
    }
}

/// Blanks between columns.
const GAP: usize = 2;

/// Rows on their way out. The first wait until the widths of the columns are known, those behind
/// them are written as they come.
struct Rows<'t, 'o, W> {
    tree: &'t Tree,
    wording: Wording,
    cut: Cut,
    palette: Palette,
    out: &'o mut W,
    waiting: Vec<Row>,
    widths: Option<Widths>,
}

/// Widths of the columns.
#[derive(Clone, Copy)]
struct Widths {
    name: usize,
    ty: usize,
    value: usize,
    range: usize,
}

impl Widths {
    /// Columns in front of the meaning.
    fn before_meaning(self) -> usize {
        let value = match self.value {
            0 => 0,
            value => value + GAP,
        };
        self.name + GAP + self.ty + GAP + value + self.range + GAP
    }
}

impl<W: fmt::Write> Rows<'_, '_, W> {
    /// Depth-first rows. The recursion is as deep as the definitions nest, not as the bytes say.
    fn visit(&mut self, id: NodeId, trunk: &str, last: Option<bool>) -> fmt::Result {
        if self.waiting.len() == ROWS {
            match self.cut {
                Cut::Short | Cut::Fit(_) => return Ok(()),
                Cut::Wide => self.measure_and_write()?,
            }
        }
        let Some(columns) = columns(self.tree, id, self.wording, self.cut) else {
            return Ok(());
        };
        let row = Row {
            branch: last.map_or(String::new(), |_| format!("{trunk}+-- ")),
            columns,
            id,
        };
        match self.widths {
            Some(widths) => self.write(&row, widths)?,
            None => self.waiting.push(row),
        }
        let trunk = match last {
            None => String::new(),
            Some(true) => format!("{trunk}    "),
            Some(false) => format!("{trunk}|   "),
        };
        let tree = self.tree;
        let mut children = tree.children(id).peekable();
        while let Some(child) = children.next() {
            let last = children.peek().is_none();
            self.visit(child, &trunk, Some(last))?;
        }
        Ok(())
    }

    fn measure_and_write(&mut self) -> fmt::Result {
        let rows = std::mem::take(&mut self.waiting);
        let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
        let widths = Widths {
            name: widest(&|row| row.branch.width() + row.columns.name.width()),
            ty: widest(&|row| row.columns.ty.width()),
            value: widest(&|row| value_text(row).width().min(ALIGNED)),
            range: widest(&|row| row.columns.range.len()),
        };
        self.widths = Some(widths);
        rows.iter().try_for_each(|row| self.write(row, widths))
    }

    fn write(&mut self, row: &Row, widths: Widths) -> fmt::Result {
        let mut line = Line::new(&mut *self.out);
        let section = self.tree.node(row.id).map(|node| node.section);
        let style =
            section.map_or_else(anstyle::Style::new, |section| self.palette.section(section));
        let dim = self.palette.dim();
        let branch = row.branch.width();
        line.text(&row.branch, branch, dim)?;
        line.text(&row.columns.name, widths.name.saturating_sub(branch), style)?;
        line.pad(GAP);
        line.text(&row.columns.ty, widths.ty, anstyle::Style::new())?;
        line.pad(GAP);
        if widths.value > 0 {
            line.text(&value_text(row), widths.value, anstyle::Style::new())?;
            line.pad(GAP);
        }
        line.text(&row.columns.range, widths.range, dim)?;
        line.pad(GAP);
        let room = match self.cut {
            Cut::Fit(columns) => columns.saturating_sub(widths.before_meaning()),
            Cut::Short | Cut::Wide => 0,
        };
        line.text(&fit(&row.columns.meaning, self.cut, room), 0, dim)?;
        self.out.write_char('\n')
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{Meaning, Node, Prefix, Role, Section, Shape, Sink, Value},
        tree::Builder,
        wire::{BufferId, Span},
    };

    #[test]
    fn meanings_take_the_room_that_lines_have() {
        let about = "a word of three ".repeat(20);
        let about: &'static str = about.trim_end().to_owned().leak();
        let (tree, ()) = Builder::build(vec![1], |_, sink| {
            sink.enter(&node("all"), BufferId::FRAME, 0);
            let span = Span::new(BufferId::FRAME, 0, 1);
            let node = Node {
                about,
                ..node("one")
            };
            sink.value(&node, Value::Int8(1), span);
            sink.leave(1);
        });
        let line = |cut| {
            let mut text = String::new();
            object_tree(&mut text, &tree, Wording::Counted, cut, Palette::Plain).unwrap();
            text.lines().last().unwrap().to_owned()
        };
        let (short, wide) = (line(Cut::Short), line(Cut::Wide));
        let start = wide.len() - about.len();
        assert_eq!(short.len(), start + 78);
        for columns in [0, 80, start + 78] {
            assert_eq!(line(Cut::Fit(columns)), short);
        }
        for columns in [start + 79, 150, start + 160] {
            let fit = line(Cut::Fit(columns));
            assert_eq!(fit.len(), columns);
            assert!(fit.ends_with("..."), "{fit}");
        }
        assert_eq!(line(Cut::Fit(1000)).len(), start + 160);
    }

    fn node(name: &'static str) -> Node {
        Node {
            name,
            index: None,
            shape: Shape::Leaf { ty: "bytes" },
            role: Role::Plain,
            meaning: Meaning::Plain,
            section: Section::Request,
            about: "",
        }
    }

    #[test]
    fn rows_are_not_padded_to_a_huge_value() {
        let n_rows = ROWS + 1000;
        let (tree, ()) = Builder::build(vec![0; 10_000], |bytes, sink| {
            sink.enter(&node("all"), BufferId::FRAME, 0);
            let span = Span::new(BufferId::FRAME, 0, bytes.len());
            sink.value(&node("big"), Value::Bytes(bytes, Prefix::None), span);
            let span = Span::new(BufferId::FRAME, bytes.len(), bytes.len());
            for _ in 2..n_rows {
                sink.value(&node("small"), Value::Int8(1), span);
            }
            sink.leave(bytes.len());
        });
        let text = |cut| {
            let mut text = String::new();
            object_tree(&mut text, &tree, Wording::Counted, cut, Palette::Plain).unwrap();
            text
        };
        let wide = text(Cut::Wide);
        assert_eq!(wide.lines().count(), n_rows);
        assert!(wide.len() < 20_100 + n_rows * 300, "{}", wide.len());
        let short = text(Cut::Short);
        assert_eq!(short.lines().count(), ROWS + 1);
        assert!(short.ends_with("\n... 1000 more nodes; --wide prints them\n"));
    }
}
