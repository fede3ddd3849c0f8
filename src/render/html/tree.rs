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
        columns::{Columns, columns, full_meaning},
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
        let row = Row {
            tree,
            id,
            depth: open.len().min(LEVELS),
            mark: marks.get(&id).copied(),
            columns,
        };
        row.start(out, ids)?;
        row.name(out)?;
        row.value(out)?;
        row.range(out, n_bytes, ids)?;
        // Lines of a page are broken where they end, so nothing has to be cut.
        let meaning = full_meaning(tree, id, wording).unwrap_or_default();
        writeln!(out, "<td class=\"about\">{}</td></tr>", Markup(&meaning))?;
        if row.is_compound() {
            open.push(row.end());
        }
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

/// A row of the table, with what all its cells need.
struct Row<'a> {
    tree: &'a Tree,
    id: NodeId,
    depth: usize,
    /// The worst problem there.
    mark: Option<Severity>,
    columns: Columns,
}

impl Row<'_> {
    fn is_compound(&self) -> bool {
        self.tree.value(self.id).is_none()
    }

    /// The number behind the last node below this one.
    fn end(&self) -> usize {
        let after = self.tree.after(self.id);
        after.map_or(self.tree.len(), NodeId::idx)
    }

    fn start(&self, out: &mut dyn fmt::Write, ids: &Ids<'_>) -> fmt::Result {
        let node = self.tree.node(self.id);
        let section = node.map(|node| node.section).unwrap_or_default();
        write!(
            out,
            "<tr id=\"{}\" class=\"d{} {}",
            ids.node(self.id),
            self.depth,
            section_class(section)
        )?;
        if let Some(severity) = self.mark {
            write!(out, " {}", severity_class(severity))?;
        }
        if self.is_compound() {
            write!(out, " c")?;
        }
        write!(out, "\"")?;
        let end = self.end();
        if end > self.id.idx() + 1 {
            write!(out, " data-end=\"{end}\"")?;
        }
        write!(out, ">")
    }

    fn name(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(
            out,
            "<th scope=\"row\"><span class=\"name\">{}</span>",
            Markup(&self.columns.name)
        )?;
        if let Some(severity) = self.mark {
            write!(out, " <em class=\"badge\">{}</em>", severity.name())?;
        }
        write!(out, "</th>")
    }

    fn value(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(
            out,
            "<td class=\"type\">{}</td><td class=\"value\">{}</td>",
            Markup(&self.columns.ty),
            Markup(self.columns.value.as_deref().unwrap_or_default()),
        )
    }

    /// The range, as a link to the first of the bytes where the grid has them.
    fn range(&self, out: &mut dyn fmt::Write, n_bytes: usize, ids: &Ids<'_>) -> fmt::Result {
        let is_in_grid = self.tree.span(self.id).at < n_bytes;
        let range = Markup(&self.columns.range);
        write!(out, "<td class=\"range\">")?;
        match first_run(self.tree, self.id).filter(|_| is_in_grid) {
            Some(run) => write!(out, "<a href=\"#{}\">{range}</a>", ids.bytes(run))?,
            None => write!(out, "{range}")?,
        }
        write!(out, "</td>")
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
