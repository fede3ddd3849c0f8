//! Record batches as JSON: an array of batches, each with its header fields and its records.
//!
//! A record has its offset in the partition and its time, not the distances that are stored, unless
//! these say something else. An entry of a message set stands as a batch as well, and the messages
//! in it as its records, so that readers need not know in which format a record was written.

use serde::ser::{Serialize, Serializer};
use serde_json::Value as Json;

use super::json_value::{Member, Members, UNDECODED};
use crate::{
    event::{Role, Shape, Value},
    explain,
    tree::{NodeId, Tree},
};

/// The batches in a node of role [`Role::Records`].
pub(super) struct Batches<'a>(pub(super) &'a Tree, pub(super) NodeId);

impl Serialize for Batches<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Batches(tree, id) = self;
        serializer.collect_seq(
            tree.children(id)
                .filter_map(|child| match role(tree, child) {
                    Role::Batch => Some(batch(tree, child)),
                    Role::Message => Some(message(tree, child)),
                    Role::Undecoded => {
                        let mut rest = Members::new(tree);
                        rest.undecoded(child);
                        Some(rest)
                    }
                    _ => None,
                }),
        )
    }
}

fn batch(tree: &Tree, id: NodeId) -> Members<'_> {
    let mut members = Members::new(tree);
    let base_timestamp = base_timestamp(tree, id);
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        let array = match (node.role, node.shape) {
            (Role::Undecoded, _) => {
                members.undecoded(child);
                continue;
            }
            (Role::Compressed, _) => content(tree, child),
            (_, Shape::Array { .. }) => Some(child),
            _ => {
                field(tree, child, &mut members);
                continue;
            }
        };
        // What could not be decompressed is told as it is.
        let Some(array) = array else {
            members.set(node.name, Member::Content(child));
            continue;
        };
        let mut records = Vec::new();
        for child in tree.children(array) {
            match role(tree, child) {
                Role::Record => records.push(Record {
                    id: child,
                    base_timestamp,
                }),
                Role::Undecoded => members.undecoded(child),
                _ => {}
            }
        }
        members.set(node.name, Member::Records(records));
    }
    members
}

fn base_timestamp(tree: &Tree, batch: NodeId) -> Option<i64> {
    let is_base = |&child: &NodeId| {
        tree.node(child)
            .is_some_and(|node| node.name == "base_timestamp")
    };
    integer(tree, tree.children(batch).find(is_base)?)
}

/// What came out of a compressed node.
fn content(tree: &Tree, compressed: NodeId) -> Option<NodeId> {
    tree.children(compressed)
        .find(|&child| role(tree, child) != Role::Encoding)
}

/// A field of a batch's or message's header; behind a wrong checksum the right one.
fn field(tree: &Tree, id: NodeId, members: &mut Members<'_>) {
    let Some(node) = tree.node(id) else {
        return;
    };
    let value = tree.value(id);
    members.set(
        node.name,
        match value {
            Some(_) => Member::Node(id),
            None => Member::Json(Json::Null),
        },
    );
    if let (
        Role::Checksum {
            computed: Some(right),
        },
        Some(Value::Uint32(stored)),
    ) = (node.role, value)
        && right != stored
    {
        members.set(
            format!("computed_{}", node.name),
            Member::Json(right.into()),
        );
    }
}

fn integer(tree: &Tree, id: NodeId) -> Option<i64> {
    match tree.value(id)? {
        Value::Int64(value) | Value::Varlong(value) => Some(value),
        _ => None,
    }
}

/// A record, or a message that is not compressed.
pub(super) struct Record {
    id: NodeId,
    /// That of its batch.
    base_timestamp: Option<i64>,
}

impl Record {
    pub(super) fn members<'t>(&self, tree: &'t Tree) -> Members<'t> {
        let is_record = role(tree, self.id) == Role::Record;
        // Nothing may be left over of one that ends before its last field, and still it is cut.
        let mut is_cut = true;
        let mut members = Members::new(tree);
        for name in ["offset", "timestamp", "key", "value"] {
            members.set(name, Member::Json(Json::Null));
        }
        members.set("headers", Member::Headers(Vec::new()));
        for child in tree.children(self.id) {
            let Some(node) = tree.node(child) else {
                continue;
            };
            match (node.role, node.name) {
                (Role::Offset { absolute }, _) => {
                    members.set("offset", Member::Json(absolute.into()));
                }
                (Role::Timestamp { millis }, _) => {
                    members.set("timestamp", Member::Json(millis.into()));
                    let delta = integer(tree, child).filter(|_| is_record);
                    // With log-append time, the producer's is stored and does not count.
                    if let (Some(base), Some(delta)) = (self.base_timestamp, delta)
                        && base.wrapping_add(delta) != millis
                    {
                        members.set("timestamp_delta", Member::Json(delta.into()));
                    }
                }
                (Role::Undecoded, _) => members.set(UNDECODED, Member::Bytes(vec![child])),
                // No bit of a record's attributes has a meaning.
                (_, "attributes") if is_record => {
                    if let Some(Value::Int8(bits)) = tree.value(child)
                        && bits != 0
                    {
                        members.set("attributes", Member::Json(bits.into()));
                    }
                }
                (_, "headers") => {
                    let headers = Headers::of(tree, child);
                    if headers.claimed != Some(headers.ids.len() as i64) {
                        members.set("headers_count", Member::Json(headers.claimed.into()));
                    }
                    is_cut = headers.is_cut;
                    members.set("headers", Member::Headers(headers.ids));
                }
                (_, "key" | "value") => {
                    let value = match tree.value(child) {
                        Some(_) => Member::Node(child),
                        None => Member::Content(child),
                    };
                    members.set(node.name, value);
                    if let Some(marker) = marker(tree, child) {
                        members.set("control", Member::Json(marker.into()));
                    }
                }
                _ => {}
            }
        }
        if is_record && is_cut && members.get(UNDECODED).is_none() {
            members.set(UNDECODED, Member::Bytes(Vec::new()));
        }
        members
    }

    fn offset(&self, tree: &Tree) -> Option<i64> {
        tree.children(self.id)
            .find_map(|child| match role(tree, child) {
                Role::Offset { absolute } => Some(absolute),
                _ => None,
            })
    }
}

/// What the key of a control record marks.
fn marker(tree: &Tree, key: NodeId) -> Option<String> {
    let ty = tree
        .children(key)
        .find(|&child| role(tree, child) == Role::ControlType)?;
    let meaning = explain::meaning(tree.node(ty)?, &tree.value(ty)?, tree.known())?;
    Some(meaning.into_owned())
}

/// The headers of a record.
struct Headers {
    ids: Vec<NodeId>,
    /// How many there are said to be.
    claimed: Option<i64>,
    /// Whether one ends before its value.
    is_cut: bool,
}

impl Headers {
    fn of(tree: &Tree, id: NodeId) -> Headers {
        let mut headers = Headers {
            ids: Vec::new(),
            claimed: None,
            is_cut: false,
        };
        for child in tree.children(id) {
            if tree.node(child).is_some_and(|node| node.index.is_some()) {
                let is_value = |&part: &NodeId| {
                    tree.value(part).is_some()
                        && tree.node(part).is_some_and(|node| node.name == "value")
                };
                headers.is_cut |= !tree.children(child).any(|part| is_value(&part));
                headers.ids.push(child);
            } else if let Some(Value::Varint(stored)) = tree.value(child) {
                headers.claimed = Some(stored.into());
            }
        }
        headers
    }
}

/// Writes headers, each by the names of its fields.
pub(super) fn headers<S: Serializer>(
    tree: &Tree,
    ids: &[NodeId],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ids.iter().map(|&id| {
        let mut members = Members::new(tree);
        for child in tree.children(id) {
            if let (Some(node), Some(_)) = (tree.node(child), tree.value(child)) {
                members.set(node.name, Member::Node(child));
            }
        }
        members
    }))
}

/// An entry of a message set as a batch: its fields, then the messages in it.
fn message(tree: &Tree, id: NodeId) -> Members<'_> {
    let mut members = Members::new(tree);
    let mut gathered = Gathered::default();
    let compressed = gathered.add(tree, id);
    let records = gathered.records;
    let first = records.first().and_then(|record| record.offset(tree));
    members.set("base_offset", Member::Json(first.into()));
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        match (node.role, node.name) {
            (Role::Undecoded, _) => members.undecoded(child),
            (_, "key" | "value") => {}
            _ => field(tree, child, &mut members),
        }
    }
    // One that ends between two fields before its value leaves nothing over, and still it is cut.
    let is_cut = compressed.is_none() && records.is_empty();
    members.set(
        "records",
        match compressed {
            Some(compressed) if records.is_empty() => Member::Content(compressed),
            _ => Member::Records(records),
        },
    );
    if !gathered.rest.is_empty() {
        members.set(UNDECODED, Member::Bytes(gathered.rest));
    } else if is_cut && members.get(UNDECODED).is_none() {
        members.set(UNDECODED, Member::Bytes(Vec::new()));
    }
    members
}

/// The messages of an entry, and the bytes between them that are none.
#[derive(Default)]
struct Gathered {
    records: Vec<Record>,
    rest: Vec<NodeId>,
}

impl Gathered {
    /// Adds an entry: itself, or those in it. Returns its compressed value, if it has one. The
    /// recursion is as deep as sets are decompressed within sets, which is bounded.
    fn add(&mut self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let compressed = tree
            .children(id)
            .find(|&child| role(tree, child) == Role::Compressed);
        let Some(compressed) = compressed else {
            // One that is cut before its value is no message yet.
            let is_value = |child| tree.node(child).is_some_and(|node| node.name == "value");
            if tree.children(id).any(is_value) {
                self.records.push(Record {
                    id,
                    base_timestamp: None,
                });
            }
            return None;
        };
        let inner = tree
            .children(compressed)
            .find(|&child| role(tree, child) == Role::Records);
        for entry in inner.iter().flat_map(|&inner| tree.children(inner)) {
            match role(tree, entry) {
                Role::Message => {
                    self.add(tree, entry);
                }
                Role::Undecoded => self.rest.push(entry),
                Role::Batch => {
                    if let Some(Member::Records(records)) = batch(tree, entry).take("records") {
                        self.records.extend(records);
                    }
                }
                _ => {}
            }
        }
        Some(compressed)
    }
}

fn role(tree: &Tree, id: NodeId) -> Role {
    tree.node(id).map(|node| node.role).unwrap_or_default()
}
