//! Record batches as JSON: an array of batches, each with its header fields and its records.
//!
//! A record has its offset in the partition and its time, not the distances that are stored. An
//! entry of a message set stands as a batch as well, and the messages in it as its records, so that
//! readers need not know in which format a record was written.

use serde_json::{Map, Value as Json};

use super::json::{hex, leaf};
use crate::{
    event::{Role, Shape},
    explain,
    tree::{NodeId, Tree},
};

/// The batches in a node of role [`Role::Records`].
pub(super) fn records(tree: &Tree, id: NodeId) -> Json {
    let mut batches = Vec::new();
    for child in tree.children(id) {
        match role(tree, child) {
            Role::Batch => batches.push(Json::Object(batch(tree, child))),
            Role::Message => batches.push(Json::Object(message(tree, child))),
            Role::Undecoded => {
                let mut rest = Map::new();
                rest.insert("_undecoded".into(), bytes(tree, child));
                batches.push(Json::Object(rest));
            }
            _ => {}
        }
    }
    Json::Array(batches)
}

fn batch(tree: &Tree, id: NodeId) -> Map<String, Json> {
    let mut object = Map::new();
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        let (name, value) = match (node.role, node.shape) {
            (Role::Undecoded, _) => ("_undecoded", bytes(tree, child)),
            (Role::Compressed, _) => {
                let array = tree
                    .children(child)
                    .find(|&child| role(tree, child) != Role::Encoding);
                // What could not be decompressed is told as it is.
                let value = array.map_or_else(
                    || hex(tree.content(child)),
                    |array| record_array(tree, array),
                );
                (node.name, value)
            }
            (_, Shape::Array { .. }) => (node.name, record_array(tree, child)),
            _ => (node.name, tree.value(child).map_or(Json::Null, leaf)),
        };
        object.insert(name.into(), value);
    }
    object
}

fn record_array(tree: &Tree, id: NodeId) -> Json {
    tree.children(id)
        .filter(|&child| role(tree, child) == Role::Record)
        .map(|child| Json::Object(record(tree, child)))
        .collect()
}

/// A record of a batch, or a message that is not compressed.
fn record(tree: &Tree, id: NodeId) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("offset".into(), Json::Null);
    object.insert("timestamp".into(), Json::Null);
    for name in ["key", "value"] {
        object.insert(name.into(), Json::Null);
    }
    object.insert("headers".into(), Json::Array(Vec::new()));
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        match (node.role, node.name) {
            (Role::Offset { absolute }, _) => {
                object.insert("offset".into(), absolute.into());
            }
            (Role::Timestamp { millis }, _) => {
                object.insert("timestamp".into(), millis.into());
            }
            (Role::Undecoded, _) => {
                object.insert("_undecoded".into(), bytes(tree, child));
            }
            (_, "headers") => {
                object.insert("headers".into(), headers(tree, child));
            }
            (_, "key" | "value") => {
                let value = match tree.value(child) {
                    Some(value) => leaf(value),
                    None => hex(tree.content(child)),
                };
                object.insert(node.name.into(), value);
                if let Some(marker) = marker(tree, child) {
                    object.insert("control".into(), marker.into());
                }
            }
            _ => {}
        }
    }
    object
}

/// What the key of a control record marks.
fn marker(tree: &Tree, key: NodeId) -> Option<String> {
    let ty = tree
        .children(key)
        .find(|&child| role(tree, child) == Role::ControlType)?;
    let meaning = explain::meaning(tree.node(ty)?, &tree.value(ty)?)?;
    Some(meaning.into_owned())
}

fn headers(tree: &Tree, id: NodeId) -> Json {
    tree.children(id)
        .filter(|&child| tree.node(child).is_some_and(|node| node.index.is_some()))
        .map(|header| {
            let fields = tree.children(header).filter_map(|child| {
                let name = tree.node(child)?.name;
                Some((name.to_owned(), leaf(tree.value(child)?)))
            });
            Json::Object(fields.collect())
        })
        .collect()
}

/// An entry of a message set as a batch: its fields, then the messages in it.
fn message(tree: &Tree, id: NodeId) -> Map<String, Json> {
    let mut object = Map::new();
    let mut records = Vec::new();
    let is_compressed = gather(tree, id, &mut records);
    let first = records.first().and_then(|record| record.get("offset"));
    object.insert("base_offset".into(), first.cloned().unwrap_or_default());
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        match (node.role, node.name) {
            (Role::Undecoded, _) => {
                object.insert("_undecoded".into(), bytes(tree, child));
            }
            (_, "key" | "value") => {}
            _ => {
                let value = tree.value(child).map_or(Json::Null, leaf);
                object.insert(node.name.into(), value);
            }
        }
    }
    let records = match is_compressed {
        Some(compressed) if records.is_empty() => hex(tree.content(compressed)),
        _ => Json::Array(records.into_iter().map(Json::Object).collect()),
    };
    object.insert("records".into(), records);
    object
}

/// Adds the messages of an entry: itself, or those in it. Returns its compressed value, if it has
/// one. The recursion is as deep as sets are decompressed within sets, which is bounded.
fn gather(tree: &Tree, id: NodeId, records: &mut Vec<Map<String, Json>>) -> Option<NodeId> {
    let compressed = tree
        .children(id)
        .find(|&child| role(tree, child) == Role::Compressed);
    let Some(compressed) = compressed else {
        // One that is cut before its value is no message yet.
        let is_value = |child| tree.node(child).is_some_and(|node| node.name == "value");
        if tree.children(id).any(is_value) {
            records.push(record(tree, id));
        }
        return None;
    };
    let inner = tree
        .children(compressed)
        .find(|&child| role(tree, child) == Role::Records);
    for entry in inner.iter().flat_map(|&inner| tree.children(inner)) {
        match role(tree, entry) {
            Role::Message => {
                gather(tree, entry, records);
            }
            Role::Batch => {
                let nested = batch(tree, entry).remove("records");
                if let Some(Json::Array(nested)) = nested {
                    records.extend(nested.into_iter().filter_map(|record| match record {
                        Json::Object(record) => Some(record),
                        _ => None,
                    }));
                }
            }
            _ => {}
        }
    }
    Some(compressed)
}

fn role(tree: &Tree, id: NodeId) -> Role {
    tree.node(id).map(|node| node.role).unwrap_or_default()
}

fn bytes(tree: &Tree, id: NodeId) -> Json {
    hex(tree.bytes(tree.span(id)))
}
