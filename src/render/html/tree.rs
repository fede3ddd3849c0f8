//! The object tree of a page: a table with a row a node, indented by depth.
//!
//! A table reads, copies and prints without any script; a script collapses rows by `data-end`, the
//! number behind the last node below a compound.

use std::{collections::HashMap, fmt};

use super::{Ids, grid::first_run, section_class, severity_class};
use crate::{
    event::{Place, Severity},
    render::{
        Cut, Wording,
        columns::{columns, full_meaning},
        quote::Markup,
    },
    tree::{Found, NodeId, Tree},
};

/// Rows of a page that are not asked for: browsers lay out no more in a moment.
const ROWS: usize = 10_000;

/// Levels that rows are indented by; what lies deeper is shown as deep as this.
const LEVELS: usize = 24;

/// The number of nodes that have a row.
pub(super) fn n_rows(tree: &Tree, cut: Cut) -> usize {
    match cut {
        Cut::Short | Cut::Fit(_) => tree.len().min(ROWS),
        Cut::Wide => tree.len(),
    }
}

/// Writes the rows. `n_bytes` of each buffer are in a grid to link to.
pub(super) fn tree(
    out: &mut dyn fmt::Write,
    tree: &Tree,
    wording: Wording,
    cut: Cut,
    n_bytes: usize,
    ids: &Ids<'_>,
) -> fmt::Result {
    if tree.is_empty() {
        return Ok(());
    }
    let marks = marks(tree);
    writeln!(
        out,
        "<table class=\"tree\"><thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Type</th>\
         <th scope=\"col\">Value</th><th scope=\"col\">Bytes</th><th scope=\"col\">Meaning</th>\
         </tr></thead><tbody>"
    )?;
    let shown = n_rows(tree, cut);
    let mut open: Vec<usize> = Vec::new();
    for id in tree.nodes().take(shown) {
        let Some(columns) = columns(tree, id, wording, cut) else {
            continue;
        };
        while open.last().is_some_and(|&end| end <= id.idx()) {
            open.pop();
        }
        let depth = open.len().min(LEVELS);
        let end = tree.after(id).map_or(tree.len(), NodeId::idx);
        let section = tree.node(id).map(|node| node.section).unwrap_or_default();
        write!(
            out,
            "<tr id=\"{}\" class=\"d{depth} {}",
            ids.node(id),
            section_class(section)
        )?;
        let mark = marks.get(&id).copied();
        if let Some(severity) = mark {
            write!(out, " {}", severity_class(severity))?;
        }
        if tree.value(id).is_none() {
            write!(out, " c")?;
            open.push(end);
        }
        write!(out, "\"")?;
        if end > id.idx() + 1 {
            write!(out, " data-end=\"{end}\"")?;
        }
        write!(
            out,
            "><th scope=\"row\"><span class=\"name\">{}</span>",
            Markup(&columns.name)
        )?;
        if let Some(severity) = mark {
            write!(out, " <em class=\"badge\">{}</em>", severity.name())?;
        }
        write!(
            out,
            "</th><td class=\"type\">{}</td><td class=\"value\">{}</td><td class=\"range\">",
            Markup(&columns.ty),
            Markup(columns.value.as_deref().unwrap_or_default()),
        )?;
        match first_run(tree, id).filter(|_| tree.span(id).at < n_bytes) {
            Some(run) => write!(
                out,
                "<a href=\"#{}\">{}</a>",
                ids.bytes(run),
                Markup(&columns.range)
            )?,
            None => write!(out, "{}", Markup(&columns.range))?,
        }
        // Lines of a page are broken where they end, so nothing has to be cut.
        let meaning = full_meaning(tree, id, wording).unwrap_or_default();
        writeln!(
            out,
            "</td><td class=\"about\">{}</td></tr>",
            Markup(&meaning)
        )?;
    }
    writeln!(out, "</tbody></table>")?;
    match tree.len() - shown {
        0 => Ok(()),
        more => writeln!(
            out,
            "<p class=\"more\">{more} more nodes are left out; <code>--wide</code> writes all of \
             them.</p>"
        ),
    }
}

/// The nodes that problems are about, each with the worst of them.
fn marks(tree: &Tree) -> HashMap<NodeId, Severity> {
    let mut marks: HashMap<NodeId, Severity> = HashMap::new();
    for found in tree.problems() {
        let worst = marks
            .entry(node_of(tree, found))
            .or_insert(found.problem.severity);
        *worst = found.problem.severity.max(*worst);
    }
    marks
}

/// The node that a problem is about: the field or element that it names, where there is one.
pub(super) fn node_of(tree: &Tree, found: &Found) -> NodeId {
    let is_it = |&child: &NodeId| {
        let node = tree.node(child);
        node.is_some_and(|node| match found.problem.place {
            Place::Here => false,
            Place::Field(name) => node.index.is_none() && node.name == name,
            Place::Element(index) => node.index == Some(index),
        })
    };
    match found.problem.place {
        Place::Here => found.node,
        _ => tree.children(found.node).find(is_it).unwrap_or(found.node),
    }
}
