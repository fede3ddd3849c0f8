//! The object tree as JSON; docs/JSON.md is the contract.
//!
//! A tree has a node for every few bytes, and a `serde_json::Value` of one takes a hundred times
//! the memory of the node. So nodes are written as they are met.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json};

use super::{
    Cut, Wording, columns,
    json::{HIDDEN, leaf, push_hex},
};
use crate::{
    event::Value,
    tree::{NodeId, Tree},
};

/// The line of a message, with its tree when there is one.
pub struct JsonLine<'a> {
    pub fields: Map<String, Json>,
    pub tree: Option<&'a Tree>,
}

impl Serialize for JsonLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        for (name, value) in &self.fields {
            line.serialize_entry(name, value)?;
        }
        if let Some(tree) = self.tree {
            line.serialize_entry("tree", &Node(tree, NodeId::ROOT))?;
        }
        line.end()
    }
}

struct Node<'a>(&'a Tree, NodeId);

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
            Some(Value::Bytes(bytes, _)) => node.serialize_entry("value", &Hex(bytes))?,
            value => node.serialize_entry("value", &value.map_or(Json::Null, leaf))?,
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

/// Bytes as hex digits that are never all in memory.
struct Hex<'a>(&'a [u8]);

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for chunk in self.0.chunks(4096) {
            text.clear();
            push_hex(&mut text, chunk);
            f.write_str(&text)?;
        }
        Ok(())
    }
}
