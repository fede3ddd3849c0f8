//! Which node holds a byte, found fast: the nodes without parts, in the order of their bytes.
//!
//! They tile their buffer, so a byte's node is found by halving, and the colours of the rows on
//! the screen need no more than the nodes on them. A message of a hundred megabytes costs no byte
//! for each of its own.

use crate::{
    event::Section,
    tree::{NodeId, Tree},
    wire::BufferId,
};

/// The nodes without parts of each buffer.
#[derive(Clone, Debug)]
pub(super) struct Tips {
    buffers: Vec<Tiled>,
}

#[derive(Clone, Debug, Default)]
struct Tiled {
    tips: Vec<NodeId>,
    /// Bit by bit, the sections that occur.
    sections: u8,
}

impl Tips {
    pub(super) fn new(tree: &Tree) -> Tips {
        let mut buffers = vec![Tiled::default(); tree.buffers().len()];
        for id in tree.nodes() {
            let span = tree.span(id);
            if span.len == 0 || tree.children(id).next().is_some() {
                continue;
            }
            let section = tree.node(id).map(|node| node.section).unwrap_or_default();
            if let Some(tiled) = buffers.get_mut(usize::from(span.buffer.0)) {
                tiled.tips.push(id);
                tiled.sections |= 1 << section as u8;
            }
        }
        Tips { buffers }
    }

    /// The innermost node that holds byte `at` of `buffer`.
    pub(super) fn at(&self, tree: &Tree, buffer: BufferId, at: usize) -> Option<NodeId> {
        let tip = self.from(tree, buffer, at).next();
        tip.filter(|&id| tree.span(id).contains(buffer, at))
            // What tiles by the decoder's word is looked up the slow way where it does not.
            .or_else(|| tree.at(buffer, at))
    }

    /// The sections of `len` bytes from `at`.
    pub(super) fn sections(
        &self,
        tree: &Tree,
        buffer: BufferId,
        at: usize,
        len: usize,
    ) -> Vec<Section> {
        let mut sections = vec![Section::default(); len];
        for id in self.from(tree, buffer, at) {
            let span = tree.span(id);
            let Some(first) = span.at.checked_sub(at).or(Some(0)).filter(|&at| at < len) else {
                break;
            };
            let end = span.end().saturating_sub(at).min(len);
            if let (Some(node), Some(run)) = (tree.node(id), sections.get_mut(first..end)) {
                run.fill(node.section);
            }
        }
        sections
    }

    /// Whether a section occurs in a buffer.
    pub(super) fn has(&self, buffer: BufferId, section: Section) -> bool {
        let tiled = self.buffers.get(usize::from(buffer.0));
        tiled.is_some_and(|tiled| tiled.sections >> section as u8 & 1 == 1)
    }

    /// The nodes from the one that holds byte `at`.
    fn from(
        &self,
        tree: &Tree,
        buffer: BufferId,
        at: usize,
    ) -> impl Iterator<Item = NodeId> + use<'_> {
        let tips = self
            .buffers
            .get(usize::from(buffer.0))
            .map(|tiled| tiled.tips.as_slice())
            .unwrap_or_default();
        let first = tips.partition_point(|&id| tree.span(id).end() <= at);
        tips.iter().skip(first).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{render, tui::message::tests::metadata};

    #[test]
    fn nodes_and_sections_are_those_of_the_tree() {
        let tree = metadata(5);
        let tips = Tips::new(&tree);
        let sections = render::sections(&tree, BufferId::FRAME);
        for at in 0..sections.len() {
            assert_eq!(
                tips.at(&tree, BufferId::FRAME, at),
                tree.at(BufferId::FRAME, at)
            );
            let len = (sections.len() - at).min(16);
            assert_eq!(
                tips.sections(&tree, BufferId::FRAME, at, len),
                sections[at..at + len]
            );
        }
        assert!(tips.has(BufferId::FRAME, Section::Response));
        assert!(!tips.has(BufferId::FRAME, Section::Record));
        assert!(!tips.has(BufferId(1), Section::Response));
    }
}
