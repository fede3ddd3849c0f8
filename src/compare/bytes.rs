//! Where the fields of two versions lie: the leaves of two messages beside each other.

use super::align::{Side, align};
use crate::{
    event::{Node, Section},
    tree::{NodeId, Tree},
    wire::{BufferId, Span},
};

/// A leaf of one of two messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub id: NodeId,
    /// Its path, with the header's name in front of a field of it.
    pub path: String,
    pub span: Span,
    pub section: Section,
}

/// A leaf in both messages, or in one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedPair {
    pub from: Option<Placed>,
    pub to: Option<Placed>,
}

impl PlacedPair {
    /// Whether it lies elsewhere.
    pub fn is_moved(&self) -> bool {
        matches!((&self.from, &self.to), (Some(from), Some(to)) if from.span.at != to.span.at)
    }

    /// Whether it takes more bytes or fewer.
    pub fn is_resized(&self) -> bool {
        matches!((&self.from, &self.to), (Some(from), Some(to)) if from.span.len != to.span.len)
    }
}

/// The leaves of two messages, in reading order; what has the same path belongs together.
pub fn placed_pairs(from: &Tree, to: &Tree) -> Vec<PlacedPair> {
    let (from, to) = (leaves(from), leaves(to));
    let first: Vec<&Placed> = from.iter().collect();
    let second: Vec<&Placed> = to.iter().collect();
    align(&first, &second, |placed| placed.path.as_str())
        .into_iter()
        .map(|side| match side {
            Side::First(from) => (Some(from), None),
            Side::Second(to) => (None, Some(to)),
            Side::Both(from, to) => (Some(from), Some(to)),
        })
        .map(|(from, to)| PlacedPair {
            from: from.cloned(),
            to: to.cloned(),
        })
        .collect()
}

/// The leaves in the message's own bytes.
fn leaves(tree: &Tree) -> Vec<Placed> {
    tree.nodes_in(BufferId::FRAME)
        .filter(|&id| tree.value(id).is_some())
        .filter_map(|id| {
            let node: &Node = tree.node(id)?;
            Some(Placed {
                id,
                path: path(tree, id),
                span: tree.span(id),
                section: node.section,
            })
        })
        .collect()
}

/// The path of a leaf, in which headers of any version and requests and responses have one name.
fn path(tree: &Tree, id: NodeId) -> String {
    let path = tree.path(id);
    match path.split_once('.') {
        Some(("RequestHeader" | "ResponseHeader", rest)) => format!("header.{rest}"),
        Some(("Frame", rest)) => rest.to_owned(),
        _ => path,
    }
}
