//! The lines of a message in a picture: problems, and grids with their legends.

use super::{Picture, Piece};
use crate::{
    event::Severity,
    render::{
        BYTES_PER_ROW, ErrorNote, Sheet, error_notes, escape_str,
        html::section_class,
        label_width, range,
        runs::{Row, Run, legend_of, rows},
    },
    tree::Tree,
    wire::BufferId,
};

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
                escape_str(&problem.message)
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
