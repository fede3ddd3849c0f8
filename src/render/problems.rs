//! Problems as text, a line each.

use std::fmt::{self, Write};

use super::{Palette, escape_str, range};
use crate::tree::{Found, Tree};

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
    }
    Ok(())
}
