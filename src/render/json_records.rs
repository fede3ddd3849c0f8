//! Record batches as JSON: an array of batches, each with its header fields and its records.
//!
//! A record has its offset in the partition and its time, not the distances that are stored, unless
//! these say something else. An entry of a message set stands as a batch as well, and the messages in it as its records, so that
//! readers need not know in which format a record was written.

use serde_json::{Map, Value as Json};

use super::json::{hex, leaf};
use crate::{
    event::{Role, Shape, Value},
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
    let base_timestamp = tree
        .children(id)
        .find(|&child| {
            tree.node(child)
                .is_some_and(|node| node.name == "base_timestamp")
        })
        .and_then(|child| integer(tree, child));
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        let array = match (node.role, node.shape) {
            (Role::Undecoded, _) => {
                add_undecoded(tree, child, &mut object);
                continue;
            }
            (Role::Compressed, _) => tree
                .children(child)
                .find(|&child| role(tree, child) != Role::Encoding),
            (_, Shape::Array { .. }) => Some(child),
            _ => {
                field(tree, child, &mut object);
                continue;
            }
        };
        // What could not be decompressed is told as it is.
        let Some(array) = array else {
            object.insert(node.name.into(), hex(tree.content(child)));
            continue;
        };
        let mut records = Vec::new();
        for child in tree.children(array) {
            match role(tree, child) {
                Role::Record => records.push(Json::Object(record(tree, child, base_timestamp))),
                Role::Undecoded => add_undecoded(tree, child, &mut object),
                _ => {}
            }
        }
        object.insert(node.name.into(), records.into());
    }
    object
}

/// A field of a batch's or message's header; behind a wrong checksum the right one.
fn field(tree: &Tree, id: NodeId, object: &mut Map<String, Json>) {
    let Some(node) = tree.node(id) else {
        return;
    };
    let value = tree.value(id);
    object.insert(node.name.into(), value.map_or(Json::Null, leaf));
    if let (
        Role::Checksum {
            computed: Some(right),
        },
        Some(Value::Uint32(stored)),
    ) = (node.role, value)
        && right != stored
    {
        object.insert(format!("computed_{}", node.name), right.into());
    }
}

/// Adds bytes that no field claims to what there is of them.
fn add_undecoded(tree: &Tree, id: NodeId, object: &mut Map<String, Json>) {
    match (object.get_mut("_undecoded"), bytes(tree, id)) {
        (Some(Json::String(known)), Json::String(more)) => known.push_str(&more),
        (_, bytes) => {
            object.insert("_undecoded".into(), bytes);
        }
    }
}

fn integer(tree: &Tree, id: NodeId) -> Option<i64> {
    match tree.value(id)? {
        Value::Int64(value) | Value::Varlong(value) => Some(value),
        _ => None,
    }
}

/// A record of a batch with that base, or a message that is not compressed.
fn record(tree: &Tree, id: NodeId, base_timestamp: Option<i64>) -> Map<String, Json> {
    let is_record = role(tree, id) == Role::Record;
    // Nothing may be left over of one that ends before its last field, and still it is cut.
    let mut is_cut = true;
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
                let delta = integer(tree, child).filter(|_| is_record);
                // With log-append time, the producer's is stored and does not count.
                if let (Some(base), Some(delta)) = (base_timestamp, delta)
                    && base.wrapping_add(delta) != millis
                {
                    object.insert("timestamp_delta".into(), delta.into());
                }
            }
            (Role::Undecoded, _) => {
                object.insert("_undecoded".into(), bytes(tree, child));
            }
            // No bit of a record's attributes has a meaning.
            (_, "attributes") if is_record => {
                if let Some(Value::Int8(bits)) = tree.value(child)
                    && bits != 0
                {
                    object.insert("attributes".into(), bits.into());
                }
            }
            (_, "headers") => {
                let (headers, count) = headers(tree, child);
                if count != Some(headers.len() as i64) {
                    object.insert("headers_count".into(), count.into());
                }
                is_cut = headers.iter().any(|header| header.get("value").is_none());
                object.insert("headers".into(), headers.into());
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
    if is_record && is_cut && !object.contains_key("_undecoded") {
        object.insert("_undecoded".into(), hex(&[]));
    }
    object
}

/// What the key of a control record marks.
fn marker(tree: &Tree, key: NodeId) -> Option<String> {
    let ty = tree
        .children(key)
        .find(|&child| role(tree, child) == Role::ControlType)?;
    let meaning = explain::meaning(tree.node(ty)?, &tree.value(ty)?, tree.known())?;
    Some(meaning.into_owned())
}

/// The headers, and how many are claimed.
fn headers(tree: &Tree, id: NodeId) -> (Vec<Json>, Option<i64>) {
    let mut headers = Vec::new();
    let mut count = None;
    for child in tree.children(id) {
        if tree.node(child).is_some_and(|node| node.index.is_some()) {
            let fields = tree.children(child).filter_map(|child| {
                let name = tree.node(child)?.name;
                Some((name.to_owned(), leaf(tree.value(child)?)))
            });
            headers.push(Json::Object(fields.collect()));
        } else if let Some(Value::Varint(stored)) = tree.value(child) {
            count = Some(stored.into());
        }
    }
    (headers, count)
}

/// An entry of a message set as a batch: its fields, then the messages in it.
fn message(tree: &Tree, id: NodeId) -> Map<String, Json> {
    let mut object = Map::new();
    let mut records = Vec::new();
    let mut rest = Map::new();
    let is_compressed = gather(tree, id, &mut records, &mut rest);
    let first = records.first().and_then(|record| record.get("offset"));
    object.insert("base_offset".into(), first.cloned().unwrap_or_default());
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        match (node.role, node.name) {
            (Role::Undecoded, _) => add_undecoded(tree, child, &mut object),
            (_, "key" | "value") => {}
            _ => field(tree, child, &mut object),
        }
    }
    let records = match is_compressed {
        Some(compressed) if records.is_empty() => hex(tree.content(compressed)),
        _ => Json::Array(records.into_iter().map(Json::Object).collect()),
    };
    object.insert("records".into(), records);
    object.extend(rest);
    object
}

/// Adds the messages of an entry: itself, or those in it, and to `rest` the bytes between them that
/// are none. Returns its compressed value, if it has one. The recursion is as deep as sets are
/// decompressed within sets, which is bounded.
fn gather(
    tree: &Tree,
    id: NodeId,
    records: &mut Vec<Map<String, Json>>,
    rest: &mut Map<String, Json>,
) -> Option<NodeId> {
    let compressed = tree
        .children(id)
        .find(|&child| role(tree, child) == Role::Compressed);
    let Some(compressed) = compressed else {
        // One that is cut before its value is no message yet.
        let is_value = |child| tree.node(child).is_some_and(|node| node.name == "value");
        if tree.children(id).any(is_value) {
            records.push(record(tree, id, None));
        }
        return None;
    };
    let inner = tree
        .children(compressed)
        .find(|&child| role(tree, child) == Role::Records);
    for entry in inner.iter().flat_map(|&inner| tree.children(inner)) {
        match role(tree, entry) {
            Role::Message => {
                gather(tree, entry, records, rest);
            }
            Role::Undecoded => add_undecoded(tree, entry, rest),
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
