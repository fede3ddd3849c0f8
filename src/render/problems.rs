//! Problems as text, a line each.

use std::fmt::{self, Write};

use super::{Palette, escape_str, range};
use crate::tree::Tree;

/// Writes what is wrong in `tree`; nothing when nothing is.
pub fn problems(out: &mut impl Write, tree: &Tree, palette: Palette) -> fmt::Result {
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
        if !path.is_empty() {
            write!(out, " {path}")?;
        }
        writeln!(out, ": {}", escape_str(&problem.message))?;
    }
    Ok(())
}
