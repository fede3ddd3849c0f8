//! Problems as text, a line each.

use std::fmt::{self, Write};

use super::{Palette, escape_str, grid::LOST, range};
use crate::{
    event::Code,
    tree::{Found, Tree},
    wire::Span,
};

/// Writes what is wrong in `tree`; nothing when nothing is. `source` says where a problem's first
/// byte came from, if that is known.
pub fn problems(
    out: &mut impl Write,
    tree: &Tree,
    palette: Palette,
    source: impl Fn(&Found) -> Option<String>,
) -> fmt::Result {
    for found in tree.problems() {
        let problem = &found.problem;
        let style = palette.severity(problem.severity);
        let path = tree.problem_path(found);
        write!(
            out,
            "{style}{}{style:#} [{}] {}",
            problem.severity.name(),
            problem.code,
            range(problem.span),
        )?;
        if let Some(source) = source(found) {
            write!(out, " ({source})")?;
        }
        if !path.is_empty() {
            write!(out, " {path}")?;
        }
        writeln!(out, ": {}", escape_str(&problem.message))?;
        if problem.code == Code::Diagnosis {
            caret(out, tree, problem.span)?;
        }
    }
    Ok(())
}

/// Bytes that are shown before and behind the place of a diagnosis.
const AROUND: usize = 8;
/// Bytes of the place itself that are shown.
const MARKED: usize = 16;

/// The bytes around a place as the grid has them, with carets under those that are meant; between
/// two bytes where some are missing.
fn caret(out: &mut impl Write, tree: &Tree, span: Span) -> fmt::Result {
    let Some(buffer) = tree.buffers().get(usize::from(span.buffer.0)) else {
        return Ok(());
    };
    let from = span.at.saturating_sub(AROUND);
    let marked = span.len.min(MARKED);
    let end = (span.at + marked + AROUND).min(buffer.bytes.len());
    let bytes = buffer.bytes.get(from..end).unwrap_or_default();
    let hex: Vec<String> = (from..)
        .zip(bytes)
        .map(|(at, byte)| match tree.hole_at(span.buffer, at) {
            Some(_) => LOST.to_owned(),
            None if tree.hides(span.buffer, at) => "**".to_owned(),
            None => format!("{byte:02x}"),
        })
        .collect();
    writeln!(out, "  {from:04x}  {}", hex.join(" "))?;
    let start = 3 * (span.at - from);
    let marks = match marked {
        // One column to the left of the byte that follows.
        0 => format!("{}^", " ".repeat(start.saturating_sub(1))),
        n => format!("{}{}", " ".repeat(start), "^".repeat(3 * n - 1)),
    };
    writeln!(out, "        {marks}")
}
