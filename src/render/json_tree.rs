//! The object tree as JSON; docs/JSON.md is the contract.
//!
//! A tree has a node for every few bytes, and a `serde_json::Value` of one takes a hundred times
//! the memory of the node. So nodes are written as they are met.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{
    Cut, Wording, columns,
    json_value::{HIDDEN, Leaf},
};
use crate::tree::{NodeId, Tree};

/// A node with those below it.
pub(super) struct Node<'a>(pub(super) &'a Tree, pub(super) NodeId);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Node(tree, id) = self;
        let Some(columns) = columns(tree, id, Wording::Counted, Cut::Wide) else {
            return serializer.serialize_unit();
        };
        let span = tree.span(id);
        let mut node = serializer.serialize_map(None)?;
        node.serialize_entry("name", &columns.name)?;
        node.serialize_entry("type", &columns.ty)?;
        match tree.value(id) {
            _ if tree.is_hidden(id) => node.serialize_entry("value", HIDDEN)?,
            value => node.serialize_entry("value", &value.map(Leaf))?,
        }
        node.serialize_entry("text", &columns.value)?;
        node.serialize_entry("offset", &span.at)?;
        node.serialize_entry("size", &span.len)?;
        node.serialize_entry("buffer", &span.buffer.0)?;
        node.serialize_entry("about", &columns.meaning)?;
        node.serialize_entry("children", &Children(tree, id))?;
        node.end()
    }
}

struct Children<'a>(&'a Tree, NodeId);

impl Serialize for Children<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Children(tree, id) = self;
        serializer.collect_seq(tree.children(id).map(|child| Node(tree, child)))
    }
}
