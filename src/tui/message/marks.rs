//! What the scrollbars mark of a message, in rows of the tree and of the grid: problems, and places of
//! what is searched for.

use super::OpenMessage;
use crate::{
    tree::{Found, NodeId},
    tui::Pattern,
    wire::Span,
};

/// Places that are looked up for each drawing; a scrollbar has no room for more.
const MOST: usize = 1_000;

/// Where a pattern is in the message; `None` while nobody has looked for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Hits(Option<(Pattern, Vec<Span>)>);

impl OpenMessage {
    /// Whether the places of a pattern are known.
    pub(in crate::tui) fn has_marks(&self, pattern: &Pattern) -> bool {
        let Hits(hits) = &self.hits;
        hits.as_ref().is_some_and(|(known, _)| known == pattern)
    }

    pub(in crate::tui) fn take_marks(&mut self, pattern: Pattern, places: Vec<Span>) {
        self.hits = Hits(Some((pattern, places)));
    }

    /// Other bytes have other places.
    pub(super) fn forget_marks(&mut self) {
        self.hits = Hits::default();
    }

    /// The rows of the tree that show a problem, or hold it folded away.
    pub(in crate::tui) fn tree_problems(&self) -> Vec<usize> {
        let problems = self.tree.problems().iter().take(MOST);
        in_order(problems.map(|found: &Found| self.row_at(found.problem.span, found.node)))
    }

    /// The same of places of what is searched for.
    pub(in crate::tui) fn tree_hits(&self) -> Vec<usize> {
        in_order(
            self.some_hits()
                .map(|&span| self.row_at(span, NodeId::ROOT)),
        )
    }

    /// The rows of a grid of so many bytes a row with some that a problem is about.
    pub(in crate::tui) fn grid_problems(&self, per_row: usize) -> Vec<usize> {
        let problems = self.tree.problems().iter().take(MOST);
        self.grid_rows(per_row, problems.map(|found| found.problem.span))
    }

    /// The same of places of what is searched for.
    pub(in crate::tui) fn grid_hits(&self, per_row: usize) -> Vec<usize> {
        self.grid_rows(per_row, self.some_hits().copied())
    }

    /// Hits from all over the message.
    fn some_hits(&self) -> impl Iterator<Item = &Span> {
        let Hits(hits) = &self.hits;
        let places = hits.as_ref().map_or(&[][..], |(_, places)| places);
        places.iter().step_by(places.len() / MOST + 1)
    }

    fn row_at(&self, span: Span, otherwise: NodeId) -> usize {
        let inner = self.tips.at(&self.tree, span.buffer, span.at);
        self.folding.row_of(&self.tree, inner.unwrap_or(otherwise))
    }

    fn grid_rows(&self, per_row: usize, spans: impl Iterator<Item = Span>) -> Vec<usize> {
        let buffer = self.buffer();
        let here = spans.filter(|span| span.buffer == buffer);
        in_order(here.map(|span| span.at / per_row.max(1)))
    }
}

fn in_order(rows: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut rows: Vec<usize> = rows.collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
