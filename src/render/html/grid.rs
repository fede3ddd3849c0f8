//! The hex grid of a page: preformatted rows in which every run of bytes is a link to its node.
//!
//! Reads and copies like a dump without any script. A script finds the node of a run in `data-n`;
//! the first run of a node has the identifier that rows of the tree link to.

use std::{collections::HashSet, fmt};

use super::{Ids, section_class, severity_class};
use crate::{
    render::{
        BYTES_PER_ROW, label_width,
        quote::Markup,
        runs::{Row, Run, legend_of, rows},
    },
    tree::{NodeId, Tree},
    wire::BufferId,
};

/// Writes the first `most` bytes of a buffer. `n_rows` nodes have a row in the tree to link to.
pub(super) fn grid(
    out: &mut dyn fmt::Write,
    tree: &Tree,
    buffer: BufferId,
    most: usize,
    n_rows: usize,
    ids: &Ids<'_>,
) -> fmt::Result {
    let len = tree
        .buffers()
        .get(usize::from(buffer.0))
        .map_or(0, |b| b.bytes.len());
    let width = label_width(len);
    legend(out, tree, buffer)?;
    write!(
        out,
        "<pre class=\"grid\" tabindex=\"0\" role=\"region\" aria-label=\"Bytes\">"
    )?;
    write!(out, "<span class=\"ruler\">{:width$} ", "")?;
    for column in 0..BYTES_PER_ROW {
        write!(out, " {column:2X}")?;
    }
    writeln!(out, "</span>")?;
    let mut seen = HashSet::new();
    for row in rows(tree, buffer, most) {
        match row {
            Row::Lost { at, len } => writeln!(
                out,
                "<span class=\"at\">{at:0width$x}</span>  <span class=\"lost\">{len} bytes were \
                 not captured</span>"
            )?,
            Row::Bytes { at, runs } => {
                write!(out, "<span class=\"at\">{at:0width$x}</span> ")?;
                for run in &runs {
                    let is_first = seen.insert(run.node);
                    write!(out, " ")?;
                    hex(out, run, is_first, n_rows, ids)?;
                }
                let n_bytes: usize = runs.iter().map(|run| run.len).sum();
                write!(
                    out,
                    "{:1$}  ",
                    "",
                    3 * BYTES_PER_ROW.saturating_sub(n_bytes)
                )?;
                for run in &runs {
                    write!(
                        out,
                        "<span class=\"t {}\" data-n=\"{}\">{}</span>",
                        section_class(run.section),
                        run.node.idx(),
                        Markup(&run.text)
                    )?;
                }
                writeln!(out)?;
            }
        }
    }
    writeln!(out, "</pre>")
}

fn hex(
    out: &mut dyn fmt::Write,
    run: &Run,
    is_first: bool,
    n_rows: usize,
    ids: &Ids<'_>,
) -> fmt::Result {
    let n = run.node.idx();
    let has_row = n < n_rows;
    let tag = if has_row { "a" } else { "span" };
    write!(out, "<{tag} class=\"b {}", section_class(run.section))?;
    if let Some(severity) = run.problem {
        write!(out, " {}", severity_class(severity))?;
    }
    write!(out, "\" data-n=\"{n}\"")?;
    if is_first {
        write!(out, " id=\"{}\"", ids.bytes(run.node))?;
    }
    if has_row {
        // Hundreds of stops would keep the keyboard from everything behind the grid.
        write!(out, " href=\"#{}\" tabindex=\"-1\"", ids.node(run.node))?;
    }
    write!(out, ">{}</{tag}>", run.hex)
}

/// Names the colours that the bytes have.
fn legend(out: &mut dyn fmt::Write, tree: &Tree, buffer: BufferId) -> fmt::Result {
    write!(out, "<ul class=\"legend\">")?;
    for section in legend_of(tree, buffer) {
        write!(
            out,
            "<li class=\"{}\">{}</li>",
            section_class(section),
            section.name()
        )?;
    }
    writeln!(out, "</ul>")
}

/// The node whose run is the first of a node's bytes; `None` for one without bytes.
pub(super) fn first_run(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let span = tree.span(id);
    if span.len == 0 {
        return None;
    }
    let mut at = id;
    // Down to the leaf: definitions nest a few levels deep.
    loop {
        let inner = tree
            .children(at)
            .find(|&child| tree.span(child).contains(span.buffer, span.at));
        match inner {
            Some(child) => at = child,
            None => return Some(at),
        }
    }
}
