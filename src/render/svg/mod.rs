//! One picture: titles, legend, grid and tree of messages as lines of monospaced text.
//!
//! What comes in are [`Sheet`]s and texts; what goes out, all at once when the picture is closed,
//! is an SVG with its own background, in light or dark as the viewer likes, and no wider than a
//! readme. It is text throughout, so it can be selected and searched. Values are cut and meanings
//! left out where they would make it wider.

mod lines;
mod style;
mod tree;

use std::fmt::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{Cut, Fact, Sheet, cut_to_width, quote::Markup, wrap::wrap};
use style::STYLE;

/// Width of a character and height of a line in pixels, for a font of 13 pixels. Fonts differ by a
/// few hundredths.
const ADVANCE: f64 = 7.85;
const LEADING: usize = 19;

/// Room around the text.
const MARGIN: usize = 18;

/// Characters of a line that is wrapped.
const WIDE: usize = 112;

/// Columns of a cell of the list of exchanges; longer ones are cut.
const CELL: usize = 32;

/// Rows of a message that are not asked for; nobody scrolls through a longer picture.
const ROWS: usize = 400;

/// Text of one class.
struct Piece {
    class: &'static str,
    text: String,
}

impl Piece {
    fn new(class: &'static str, text: impl Into<String>) -> Piece {
        Piece {
            class,
            text: text.into(),
        }
    }
}

/// A picture in the making.
#[derive(Default)]
pub struct Picture {
    title: String,
    lines: Vec<Vec<Piece>>,
}

impl Picture {
    /// Gives it a name, which is its first heading as well.
    pub fn title(&mut self, title: &str, facts: &[Fact]) {
        self.title = title.to_owned();
        self.heading(title, facts);
    }

    /// Adds a heading with the facts below it.
    pub fn heading(&mut self, title: &str, facts: &[Fact]) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        self.wrapped("title", title);
        let facts: Vec<String> = facts
            .iter()
            .map(|fact| format!("{} {}", fact.name.to_lowercase(), fact.value))
            .collect();
        if !facts.is_empty() {
            self.wrapped("soft", &facts.join(", "));
        }
    }

    /// Adds a table of exchanges, its columns as wide as their cells.
    pub fn exchange_list(&mut self, heads: &[String], rows: &mut dyn Iterator<Item = Vec<String>>) {
        let cut = |cells: Vec<String>| -> Vec<String> {
            cells.iter().map(|cell| cut_to_width(cell, CELL)).collect()
        };
        let rows: Vec<Vec<String>> = rows.map(cut).collect();
        let widths: Vec<usize> = heads
            .iter()
            .enumerate()
            .map(|(idx, head)| {
                let cells = rows.iter().filter_map(|row| row.get(idx));
                cells
                    .map(|cell| cell.width())
                    .max()
                    .unwrap_or(0)
                    .max(head.width())
            })
            .collect();
        self.lines.push(Vec::new());
        let all = [("soft", heads)].into_iter();
        for (class, cells) in all.chain(rows.iter().map(|row| ("ink", row.as_slice()))) {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(&widths) {
                line.push_str(cell);
                line.push_str(&" ".repeat(width + 2 - cell.width().min(*width)));
            }
            self.lines.push(vec![Piece::new(class, line.trim_end())]);
        }
    }

    /// Adds a sentence.
    pub fn remark(&mut self, sentence: &str) {
        self.lines.push(Vec::new());
        self.wrapped("soft", sentence);
    }

    /// Adds a message.
    pub fn sheet(&mut self, sheet: &Sheet<'_>) {
        if !(sheet.title.is_empty() && sheet.facts.is_empty()) {
            self.heading(&sheet.title, &sheet.facts);
        }
        let most = match sheet.cut {
            Cut::Short | Cut::Fit(_) => ROWS,
            Cut::Wide => usize::MAX,
        };
        lines::problems(self, sheet);
        lines::grids(self, sheet.tree, most);
        tree::tree(self, sheet, most);
    }

    /// Writes the picture.
    pub fn close(self, out: &mut dyn Write) -> fmt::Result {
        let columns = self.lines.iter().map(|line| width(line)).max().unwrap_or(0);
        // Whole pixels, and never less than a narrow dump.
        let wide = (columns.max(60) as f64 * ADVANCE).ceil() as usize + 2 * MARGIN;
        let high = self.lines.len() * LEADING + 2 * MARGIN;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-labelledby=\"title\">\n\
             <title id=\"title\">{}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
            Markup(&self.title),
            wide - 1,
            high - 1
        )?;
        for (idx, line) in self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            let y = MARGIN + idx * LEADING + 14;
            write!(
                out,
                "<text x=\"{MARGIN}\" y=\"{y}\" xml:space=\"preserve\">"
            )?;
            for piece in line.iter().filter(|piece| !piece.text.is_empty()) {
                write!(
                    out,
                    "<tspan class=\"{}\">{}</tspan>",
                    piece.class,
                    Markup(&piece.text)
                )?;
            }
            writeln!(out, "</text>")?;
        }
        writeln!(out, "</svg>")
    }

    /// Adds text in lines; a word that is longer than a line is broken as well.
    fn wrapped(&mut self, class: &'static str, text: &str) {
        for line in wrap(text, WIDE) {
            let chars: Vec<char> = line.chars().collect();
            for part in chars.chunks(WIDE) {
                let text: String = part.iter().collect();
                self.lines.push(vec![Piece { class, text }]);
            }
        }
    }
}

fn width(line: &[Piece]) -> usize {
    line.iter().map(|piece| piece.text.width()).sum()
}
