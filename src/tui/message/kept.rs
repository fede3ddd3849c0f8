//! What is kept of a message for the next one of its kind: what was unfolded, and where one was.
//!
//! Nodes of another tree go by their names and indexes, so that `Topics[1].Partitions` stays
//! unfolded from one Metadata response to the next, whatever version it is of.

use super::{
    OpenMessage,
    folding::{Folding, Start},
};
use crate::{
    event::Shape,
    tree::{NodeId, Tree},
};

/// Choices that are kept. Each is looked for in the next message, through its arrays.
const CHOICES: usize = 500;

/// Names and indexes from below the root to a node.
type Path = Vec<(&'static str, Option<u32>)>;

/// How the messages of a kind were looked at.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Kept {
    start: Start,
    choices: Vec<(Path, bool)>,
    selected: Path,
    /// Bytes from the start of the selected node to the cursor.
    inside: usize,
    /// Rows between the top of the screen and the selected one.
    below_top: usize,
    /// Columns that were scrolled out to the left.
    shift: usize,
}

impl OpenMessage {
    /// What messages must share for their nodes to be compared: the name of the body.
    pub(in crate::tui) fn kind(&self) -> &'static str {
        let is_body = |id: &NodeId| {
            let node = self.tree.node(*id);
            node.is_some_and(|node| matches!(node.shape, Shape::Body { .. }))
        };
        let body = self.tree.children(NodeId::ROOT).find(is_body);
        let named = self.tree.node(body.unwrap_or(NodeId::ROOT));
        named.map_or("", |node| node.name)
    }

    /// What the next message of the kind takes over.
    pub(in crate::tui) fn keep(&self) -> Kept {
        let mut choices: Vec<(NodeId, bool)> = self.folding.chosen().collect();
        choices.sort_unstable();
        choices.truncate(CHOICES);
        Kept {
            start: self.folding.start(),
            choices: choices
                .into_iter()
                .map(|(id, is_open)| (path(&self.tree, id), is_open))
                .collect(),
            selected: path(&self.tree, self.selected()),
            inside: self.byte.saturating_sub(self.span().at),
            below_top: self.cursor.saturating_sub(self.scroll),
            shift: self.shift,
        }
    }

    /// Takes over what was kept, as far as this message has it.
    pub(in crate::tui) fn take_over(&mut self, kept: &Kept) {
        self.folding = Folding::new(&self.tree, kept.start);
        for (path, is_open) in &kept.choices {
            match find(&self.tree, path) {
                (id, true) if *is_open => drop(self.folding.unfold(&self.tree, id)),
                (id, true) => drop(self.folding.fold(&self.tree, id)),
                _ => {}
            }
        }
        let (id, is_whole) = find(&self.tree, &kept.selected);
        self.select(id);
        if is_whole && kept.inside < self.span().len {
            self.byte += kept.inside;
        }
        self.scroll = self.cursor.saturating_sub(kept.below_top);
        self.shift = kept.shift;
    }
}

fn path(tree: &Tree, id: NodeId) -> Path {
    let mut path: Path = std::iter::successors(Some(id), |&id| tree.parent(id))
        .take_while(|&id| id != NodeId::ROOT)
        .filter_map(|id| tree.node(id))
        .map(|node| (node.name, node.index))
        .collect();
    path.reverse();
    path
}

/// The node at a path, or the last one on the way to it; whether it is all of the way.
fn find(tree: &Tree, path: &Path) -> (NodeId, bool) {
    let mut at = NodeId::ROOT;
    for step in path {
        let next = tree.children(at).find(|&id| {
            tree.node(id)
                .is_some_and(|node| (node.name, node.index) == *step)
        });
        match next {
            Some(id) => at = id,
            None => return (at, false),
        }
    }
    (at, true)
}
