//! Problems as text, a line each.

use std::fmt::{self, Write};

use super::{Palette, escape_str};
use crate::tree::Tree;

/// Writes what is wrong in `tree`; nothing when nothing is.
pub fn problems(out: &mut impl Write, tree: &Tree, palette: Palette) -> fmt::Result {
    for found in tree.problems() {
        let problem = &found.problem;
        let style = palette.severity(problem.severity);
        let path = tree.problem_path(found);
        write!(
            out,
            "{style}{}{style:#} [{}] [0x{:04x}, {}B]",
            problem.severity.name(),
            problem.code,
            problem.span.at,
            problem.span.len,
        )?;
        if !path.is_empty() {
            write!(out, " {path}")?;
        }
        writeln!(out, ": {}", escape_str(&problem.message))?;
    }
    Ok(())
}
