//! What is wrong with a message, and what its errors mean, each with a link to its node.

use std::fmt;

use super::{Ids, severity_class, tree::node_of};
use crate::{
    event::Severity,
    render::{ErrorNote, Sheet, error_notes, quote::Markup, range},
    tree::NodeId,
};

/// Problems of a page that are listed; nobody reads more, and JSON has all of them.
const PROBLEMS: usize = 1_000;

/// Writes the list; nothing when there is nothing to say. `n_rows` nodes have a row to link to.
pub(super) fn problems(
    out: &mut dyn fmt::Write,
    sheet: &Sheet<'_>,
    n_rows: usize,
    ids: &Ids<'_>,
) -> fmt::Result {
    let tree = sheet.tree;
    let notes = error_notes(tree);
    if tree.problems().is_empty() && notes.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ul class=\"problems\">")?;
    for found in tree.problems().iter().take(PROBLEMS) {
        let problem = &found.problem;
        item(out, problem.severity, problem.code.name())?;
        place(out, node_of(tree, found), &range(problem.span), n_rows, ids)?;
        let path = tree.problem_path(found);
        if !path.is_empty() {
            write!(out, "<code>{}</code> ", Markup(path))?;
        }
        write!(out, "{}", Markup(&problem.message))?;
        if let Some(source) = sheet.source(found) {
            write!(out, " <span class=\"source\">({})</span>", Markup(source))?;
        }
        writeln!(out, "</li>")?;
    }
    let more = tree.problems().len().saturating_sub(PROBLEMS);
    if more > 0 {
        writeln!(out, "<li class=\"has-note\">{more} more problems</li>")?;
    }
    for ErrorNote { code, node, count } in notes {
        item(out, Severity::Note, &format!("error {}", code.0))?;
        place(out, node, &range(tree.span(node)), n_rows, ids)?;
        write!(out, "<code>{}</code> ", Markup(tree.path(node)))?;
        if count > 1 {
            write!(out, "and {} more ", count - 1)?;
        }
        let retriable = match code.is_retriable() {
            Some(true) => "retriable",
            _ => "not retriable",
        };
        writeln!(
            out,
            "<strong>{}</strong> ({retriable}). {} {}</li>",
            Markup(code.to_string()),
            Markup(code.meaning().unwrap_or_default()),
            Markup(code.advice().unwrap_or_default())
        )?;
    }
    writeln!(out, "</ul>")
}

fn item(out: &mut dyn fmt::Write, severity: Severity, what: &str) -> fmt::Result {
    write!(
        out,
        "<li class=\"{}\"><strong class=\"severity\">{}</strong> <span class=\"code\">{}</span> ",
        severity_class(severity),
        severity.name(),
        Markup(what)
    )
}

fn place(
    out: &mut dyn fmt::Write,
    node: NodeId,
    range: &str,
    n_rows: usize,
    ids: &Ids<'_>,
) -> fmt::Result {
    match node.idx() < n_rows {
        true => write!(
            out,
            "<a class=\"range\" href=\"#{}\">{}</a> ",
            ids.node(node),
            Markup(range)
        ),
        false => write!(out, "<span class=\"range\">{}</span> ", Markup(range)),
    }
}
