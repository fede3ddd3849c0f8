//! The lines of a message in a picture: problems, grids with their legends, the tree.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Picture, Piece};
use crate::{
    event::{Section, Severity},
    render::{
        BYTES_PER_ROW, ErrorNote, Sheet, columns, error_notes, label_width, range,
        runs::{Row, Run, legend_of, rows},
    },
    tree::{NodeId, Tree},
    wire::BufferId,
};

/// Characters of a name with its branches, of a type and of a value; longer ones are cut.
const NAME: usize = 44;
const TYPE: usize = 24;
const VALUE: usize = 44;

/// Problems and error codes that are named.
const PROBLEMS: usize = 12;

/// Buffers whose bytes are shown.
const BUFFERS: usize = 8;

/// Adds what is wrong, and what the error codes are called.
pub(super) fn problems(picture: &mut Picture, sheet: &Sheet<'_>) {
    let tree = sheet.tree;
    for found in tree.problems().iter().take(PROBLEMS) {
        let problem = &found.problem;
        let path = tree.problem_path(found);
        picture.wrapped(
            problem.severity.name(),
            &format!(
                "{} [{}] {} {path}: {}",
                problem.severity.name(),
                problem.code,
                range(problem.span),
                super::super::escape_str(&problem.message)
            ),
        );
    }
    let more = tree.problems().len().saturating_sub(PROBLEMS);
    if more > 0 {
        picture.wrapped("soft", &format!("{more} more problems"));
    }
    for ErrorNote { code, node, .. } in error_notes(tree).into_iter().take(PROBLEMS) {
        let path = tree.path(node);
        let meaning = code.meaning().unwrap_or_default();
        picture.wrapped(
            Severity::Note.name(),
            &format!("error {} {path}: {code}. {meaning}", code.0),
        );
    }
}

/// Adds the bytes of all buffers, at most so many rows in all.
pub(super) fn grids(picture: &mut Picture, tree: &Tree, most: usize) {
    let mut left = most;
    for (number, buffer) in (0..).zip(tree.buffers()) {
        let id = BufferId(number);
        picture.lines.push(Vec::new());
        if usize::from(number) >= BUFFERS && most != usize::MAX {
            let more = tree.buffers().len() - BUFFERS;
            picture.wrapped("soft", &format!("{more} more buffers"));
            break;
        }
        if let Some(source) = buffer.source {
            let (len, source) = (buffer.bytes.len(), range(source));
            picture.wrapped(
                "soft",
                &format!("buffer {number}: {len} bytes, decompressed from {source}"),
            );
        }
        legend(picture, tree, id);
        let width = label_width(buffer.bytes.len());
        let ruler: String = (0..BYTES_PER_ROW)
            .map(|column| format!("  {column:X}"))
            .collect();
        let ruler = format!("{:width$} {ruler}", "");
        picture.lines.push(vec![Piece::new("soft", ruler)]);
        let shown = rows(tree, id, left.saturating_mul(BYTES_PER_ROW));
        left = left.saturating_sub(shown.len());
        for row in &shown {
            picture.lines.push(grid_row(row, width));
        }
        let n_shown: usize = shown.iter().map(row_len).sum();
        let more = buffer.bytes.len().saturating_sub(n_shown);
        if more > 0 {
            picture.wrapped("soft", &format!("{more} more bytes"));
        }
    }
}

fn row_len(row: &Row) -> usize {
    match row {
        Row::Bytes { runs, .. } => runs.iter().map(|run| run.len).sum(),
        Row::Lost { len, .. } => *len,
    }
}

fn grid_row(row: &Row, width: usize) -> Vec<Piece> {
    match row {
        Row::Lost { at, len } => {
            let text = format!("{at:0width$x}  {len} bytes were not captured");
            vec![Piece::new("soft", text)]
        }
        Row::Bytes { at, runs } => {
            let mut line = vec![Piece::new("soft", format!("{at:0width$x} "))];
            for run in runs {
                line.push(Piece::new("soft", " "));
                line.push(Piece::new(run_class(run), run.hex.as_str()));
            }
            let gap = 3 * BYTES_PER_ROW.saturating_sub(row_len(row)) + 2;
            line.push(Piece::new("soft", " ".repeat(gap)));
            line.extend(
                runs.iter()
                    .map(|run| Piece::new(run_class(run), run.text.as_str())),
            );
            line
        }
    }
}

fn run_class(run: &Run) -> &'static str {
    match run.problem {
        Some(Severity::Warning | Severity::Error) => "wrong",
        _ => section_class(run.section),
    }
}

fn legend(picture: &mut Picture, tree: &Tree, buffer: BufferId) {
    let mut line = Vec::new();
    for section in legend_of(tree, buffer) {
        let gap = if line.is_empty() { "" } else { "  " };
        let text = format!("{gap}■ {}", section.name());
        line.push(Piece::new(section_class(section), text));
    }
    picture.lines.push(line);
}

/// Adds the tree, at most so many rows.
pub(super) fn tree(picture: &mut Picture, sheet: &Sheet<'_>, most: usize) {
    let tree = sheet.tree;
    picture.lines.push(Vec::new());
    let mut cells = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for id in tree.nodes().take(most) {
        let Some(columns) = columns(tree, id, sheet.wording, super::Cut::Short) else {
            continue;
        };
        while open.last().is_some_and(|&end| end <= id.idx()) {
            open.pop();
        }
        let end = tree.after(id).map_or(tree.len(), NodeId::idx);
        // A trunk goes on where a level has more nodes behind this one.
        let mut branch: String = open
            .iter()
            .skip(1)
            .zip(&open)
            .map(|(inner, outer)| if inner < outer { "│  " } else { "   " })
            .collect();
        if let Some(&outer) = open.last() {
            branch.push_str(if end < outer { "├─ " } else { "└─ " });
        }
        if end > id.idx() + 1 {
            open.push(end);
        }
        let section = tree.node(id).map(|node| node.section).unwrap_or_default();
        let room = NAME.saturating_sub(branch.width());
        let name = cut(&columns.name, room);
        let value = columns
            .value
            .map_or(String::new(), |value| format!("= {value}"));
        cells.push((
            section,
            branch,
            name,
            cut(&columns.ty, TYPE),
            cut(&value, VALUE),
            columns.range,
        ));
    }
    let widest = |of: &dyn Fn(&(Section, String, String, String, String, String)) -> usize| {
        cells.iter().map(of).max().unwrap_or(0)
    };
    let name_width = widest(&|row| row.1.width() + row.2.width());
    let type_width = widest(&|row| row.3.width());
    let value_width = widest(&|row| row.4.width());
    for (section, branch, name, ty, value, range) in cells {
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()) + 2);
        let name_pad = " ".repeat(name_width.saturating_sub(branch.width() + name.width()) + 2);
        picture.lines.push(vec![
            Piece::new("soft", branch),
            Piece::new(section_class(section), name),
            Piece::new("soft", format!("{name_pad}{ty}{}", pad(&ty, type_width))),
            Piece::new("ink", format!("{value}{}", pad(&value, value_width))),
            Piece::new("soft", range),
        ]);
    }
    let more = tree.len().saturating_sub(most);
    if more > 0 {
        picture.wrapped("soft", &format!("{more} more nodes"));
    }
}

/// At most `width` columns of a text; what is cut ends in `…`.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = width.saturating_sub(1);
    for c in text.chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else {
            break;
        };
        left = rest;
        short.push(c);
    }
    short.push('…');
    short
}

fn section_class(section: Section) -> &'static str {
    crate::render::html::section_class(section)
}
