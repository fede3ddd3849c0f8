//! Which nodes of a tree are unfolded, and the rows that follow from it.
//!
//! A message may have a million nodes, and every key must be answered at once: folding or
//! unfolding one node changes only the run of rows below it.
//!
//! Invariant: `rows` are the nodes that are not inside a folded one, in reading order.

use std::collections::HashMap;

use crate::{
    event::Shape,
    tree::{NodeId, Tree},
};

/// Trees of at most this many nodes open whole; a screen or two can be read at a glance.
const UNFOLD_ALL: usize = 400;

/// Arrays with more elements than this start folded in larger trees.
const UNFOLD_ELEMENTS: u32 = 16;

/// Levels of larger trees that start unfolded.
const UNFOLD_LEVELS: usize = 4;

/// Nodes that stay unfolded when all are folded: the message and what lies directly in it.
const KEPT_LEVELS: usize = 2;

/// What holds for all nodes before any of them was folded or unfolded by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Start {
    /// By the size of the message.
    #[default]
    BySize,
    Unfolded,
    Folded,
}

/// The unfolded nodes of one tree.
#[derive(Clone, Debug)]
pub(super) struct Folding {
    /// A bit a node.
    unfolded: Vec<u64>,
    rows: Vec<NodeId>,
    start: Start,
    /// What was chosen for single nodes since.
    chosen: HashMap<NodeId, bool>,
}

impl Folding {
    pub(super) fn new(tree: &Tree, start: Start) -> Folding {
        let mut folding = Folding {
            unfolded: Vec::new(),
            rows: Vec::new(),
            start,
            chosen: HashMap::new(),
        };
        folding.restart(tree, start);
        folding
    }

    /// Folds or unfolds all nodes.
    pub(super) fn restart(&mut self, tree: &Tree, start: Start) {
        self.start = start;
        self.chosen.clear();
        self.unfolded.clear();
        self.unfolded.resize(tree.len().div_ceil(64), 0);
        if start == Start::Unfolded || (start == Start::BySize && tree.len() <= UNFOLD_ALL) {
            self.unfolded.fill(u64::MAX);
            self.rows = tree.nodes().collect();
            return;
        }
        // Only levels near the top can start unfolded, and what is folded is not looked into.
        let levels = match start {
            Start::Folded => KEPT_LEVELS,
            _ => UNFOLD_LEVELS,
        };
        let mut next = (!tree.is_empty()).then_some(NodeId::ROOT);
        while let Some(id) = next {
            let is_open = tree.depth(id) < levels && (start == Start::Folded || is_short(tree, id));
            self.mark(id, is_open);
            next = match is_open {
                true => tree.children(id).next().or_else(|| tree.after(id)),
                false => tree.after(id),
            };
        }
        self.rows = self.visible(tree, NodeId::ROOT);
        if !tree.is_empty() {
            self.rows.insert(0, NodeId::ROOT);
        }
    }

    /// The nodes that are not inside a folded one.
    pub(super) fn rows(&self) -> &[NodeId] {
        &self.rows
    }

    pub(super) fn start(&self) -> Start {
        self.start
    }

    /// What was chosen for single nodes.
    pub(super) fn chosen(&self) -> impl Iterator<Item = (NodeId, bool)> {
        self.chosen.iter().map(|(&id, &is_open)| (id, is_open))
    }

    pub(super) fn is_unfolded(&self, id: NodeId) -> bool {
        self.unfolded
            .get(id.idx() / 64)
            .is_some_and(|word| word >> (id.idx() % 64) & 1 == 1)
    }

    /// The row of a node, or of what it is folded away in.
    pub(super) fn row_of(&self, tree: &Tree, id: NodeId) -> usize {
        std::iter::successors(Some(id), |&id| tree.parent(id))
            .find_map(|id| self.rows.binary_search(&id).ok())
            .unwrap_or(0)
    }

    /// Unfolds a node; whether it was folded.
    pub(super) fn unfold(&mut self, tree: &Tree, id: NodeId) -> bool {
        if self.is_unfolded(id) {
            return false;
        }
        self.mark(id, true);
        self.chosen.insert(id, true);
        if let Ok(row) = self.rows.binary_search(&id) {
            let below = self.visible(tree, id);
            self.rows.splice(row + 1..row + 1, below);
        }
        true
    }

    /// Folds a node; whether it was unfolded.
    pub(super) fn fold(&mut self, tree: &Tree, id: NodeId) -> bool {
        if !self.is_unfolded(id) {
            return false;
        }
        self.mark(id, false);
        self.chosen.insert(id, false);
        if let Ok(row) = self.rows.binary_search(&id) {
            let end = match tree.after(id) {
                Some(after) => self.rows.partition_point(|&below| below < after),
                None => self.rows.len(),
            };
            self.rows.drain(row + 1..end);
        }
        true
    }

    /// Unfolds all that hides a node.
    pub(super) fn reveal(&mut self, tree: &Tree, id: NodeId) {
        let above = std::iter::successors(tree.parent(id), |&id| tree.parent(id));
        let folded: Vec<NodeId> = above.filter(|&id| !self.is_unfolded(id)).collect();
        // The outermost comes last: the others have no rows before it is unfolded.
        for id in folded {
            self.unfold(tree, id);
        }
    }

    fn mark(&mut self, id: NodeId, is_open: bool) {
        if let Some(word) = self.unfolded.get_mut(id.idx() / 64) {
            let bit = 1 << (id.idx() % 64);
            match is_open {
                true => *word |= bit,
                false => *word &= !bit,
            }
        }
    }

    /// The rows below an unfolded node.
    fn visible(&self, tree: &Tree, id: NodeId) -> Vec<NodeId> {
        let end = tree.after(id);
        let mut rows = Vec::new();
        let mut next = self
            .is_unfolded(id)
            .then(|| tree.children(id).next())
            .flatten();
        while let Some(id) = next.filter(|&id| end.is_none_or(|end| id < end)) {
            rows.push(id);
            next = match self.is_unfolded(id) {
                true => tree.children(id).next().or_else(|| tree.after(id)),
                false => tree.after(id),
            };
        }
        rows
    }
}

fn is_short(tree: &Tree, id: NodeId) -> bool {
    match tree.node(id).map(|node| node.shape) {
        Some(Shape::Array { len, .. }) => len.is_some_and(|len| len <= UNFOLD_ELEMENTS),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::message::tests::{metadata, slow_rows};

    /// Whatever was folded and unfolded, the rows are those that a walk over all nodes finds.
    #[test]
    fn rows_follow_what_is_folded() {
        let tree = metadata(40);
        assert!(tree.len() > UNFOLD_ALL);
        let mut folding = Folding::new(&tree, Start::BySize);
        let check = |folding: &Folding| {
            assert_eq!(
                folding.rows(),
                slow_rows(&tree, |id| folding.is_unfolded(id))
            );
        };
        check(&folding);
        let mut state = 7_usize;
        for step in 0..2_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let nth = (state >> 33) % tree.len();
            let id = tree.nodes().nth(nth).unwrap();
            match step % 3 {
                0 => drop(folding.unfold(&tree, id)),
                1 => drop(folding.fold(&tree, id)),
                _ => {
                    folding.reveal(&tree, id);
                    assert!(folding.rows().contains(&id));
                }
            }
            check(&folding);
        }
        for start in [Start::Unfolded, Start::Folded, Start::BySize] {
            folding.restart(&tree, start);
            check(&folding);
        }
    }
}
