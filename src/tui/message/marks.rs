//! Where the problems of a message are, in rows of the tree and of the grid, for the scrollbars.

use super::OpenMessage;
use crate::{render::BYTES_PER_ROW, tree::Found};

/// Problems that are looked up for each drawing; a scrollbar has no room for more.
const MOST: usize = 1_000;

impl OpenMessage {
    /// The rows of the tree that show a problem, or hold it folded away.
    pub(in crate::tui) fn tree_marks(&self) -> Vec<usize> {
        self.marked(|message, found| {
            let span = found.problem.span;
            let inner = message.tips.at(&message.tree, span.buffer, span.at);
            let id = inner.unwrap_or(found.node);
            Some(message.folding.row_of(&message.tree, id))
        })
    }

    /// The rows of the grid with bytes that a problem is about.
    pub(in crate::tui) fn grid_marks(&self) -> Vec<usize> {
        let buffer = self.buffer();
        self.marked(|_, found| {
            let span = found.problem.span;
            (span.buffer == buffer).then_some(span.at / BYTES_PER_ROW)
        })
    }

    fn marked(&self, row: impl Fn(&OpenMessage, &Found) -> Option<usize>) -> Vec<usize> {
        let problems = self.tree.problems().iter().take(MOST);
        let mut rows: Vec<usize> = problems.filter_map(|found| row(self, found)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}
