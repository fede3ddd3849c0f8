//! Values of a tree as JSON, written as they are met.
//!
//! A `serde_json::Value` takes a hundred times the memory of the two bytes that the smallest values
//! come in, so none is made of more than a few members at a time.

use std::{borrow::Cow, collections::HashMap, fmt};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

use super::json_records::{Batches, Record, headers};
use crate::{
    event::{Role, Shape, Value},
    tree::{NodeId, Tree},
    wire::Span,
};

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "***";

/// The name of bytes that no field claims.
pub(super) const UNDECODED: &str = "_undecoded";

/// The members of an object in their order; each is written only when its turn comes.
pub(super) struct Members<'t> {
    tree: &'t Tree,
    list: Vec<(Cow<'static, str>, Member)>,
}

/// What a member holds.
pub(super) enum Member {
    /// Something small.
    Json(Json),
    /// The value of a node.
    Node(NodeId),
    /// Elements that no array holds together, as protobuf has them.
    List(Vec<NodeId>),
    /// The bytes of nodes, one behind the other.
    Bytes(Vec<NodeId>),
    /// What a node of content holds behind its length.
    Content(NodeId),
    /// Unknown tagged fields.
    Tags(Tags),
    Records(Vec<Record>),
    /// Headers of a record.
    Headers(Vec<NodeId>),
}

/// Tags with what they hold. Where one comes twice, the last counts, in the place of the first.
#[derive(Default)]
pub(super) struct Tags {
    list: Vec<(u32, NodeId)>,
    idxs: HashMap<u32, usize>,
}

impl<'t> Members<'t> {
    pub(super) fn new(tree: &'t Tree) -> Members<'t> {
        Members {
            tree,
            list: Vec::new(),
        }
    }

    /// The fields of a structure by their names.
    pub(super) fn of(tree: &'t Tree, id: NodeId) -> Members<'t> {
        let mut members = Members::new(tree);
        for child in tree.children(id) {
            let Some(node) = tree.node(child) else {
                continue;
            };
            match (node.role, node.shape) {
                (Role::Encoding | Role::Size { .. } | Role::TaggedCount, _) => {}
                (Role::NotCaptured, _) => {}
                (Role::Undecoded, _) => members.undecoded(child),
                (_, Shape::TaggedFields { .. }) => members.tagged(child),
                _ if node.index.is_some() => match members.get(node.name) {
                    Some(Member::List(list)) => list.push(child),
                    Some(_) => {}
                    None => members.set(node.name, Member::List(vec![child])),
                },
                _ => members.set(node.name, Member::Node(child)),
            }
        }
        members
    }

    /// The member of that name. Structures have few; what bytes can make more of is a list in one.
    pub(super) fn get(&mut self, name: &str) -> Option<&mut Member> {
        let mut list = self.list.iter_mut();
        list.find(|(known, _)| known == name)
            .map(|(_, member)| member)
    }

    /// Takes a member out.
    pub(super) fn take(mut self, name: &str) -> Option<Member> {
        let idx = self.list.iter().position(|(known, _)| known == name)?;
        Some(self.list.swap_remove(idx).1)
    }

    /// Adds a member, or replaces the one of that name.
    pub(super) fn set(&mut self, name: impl Into<Cow<'static, str>>, member: Member) {
        let name = name.into();
        match self.get(&name) {
            Some(known) => *known = member,
            None => self.list.push((name, member)),
        }
    }

    /// Adds bytes that no field claims to what there is of them.
    pub(super) fn undecoded(&mut self, id: NodeId) {
        match self.get(UNDECODED) {
            Some(Member::Bytes(known)) => known.push(id),
            _ => self.set(UNDECODED, Member::Bytes(vec![id])),
        }
    }

    fn tagged(&mut self, id: NodeId) {
        let tree = self.tree;
        for field in tree.children(id) {
            let Some(Shape::TaggedField { tag, known }) = tree.node(field).map(|node| node.shape)
            else {
                continue;
            };
            let role = |child: NodeId| tree.node(child).map(|node| node.role);
            let mut content = tree
                .children(field)
                .filter(|&child| role(child) != Some(Role::Encoding));
            let Some(first) = content.next() else {
                continue;
            };
            if known && role(first) != Some(Role::Undecoded) {
                let name = tree.node(first).map_or("", |node| node.name);
                self.set(name, Member::Node(first));
                content.for_each(|rest| self.undecoded(rest));
                continue;
            }
            if self.get("_unknown").is_none() {
                self.set("_unknown", Member::Tags(Tags::default()));
            }
            if let Some(Member::Tags(tags)) = self.get("_unknown") {
                tags.set(tag, first);
            }
        }
    }
}

impl Tags {
    fn set(&mut self, tag: u32, id: NodeId) {
        let idx = *self.idxs.entry(tag).or_insert(self.list.len());
        match self.list.get_mut(idx) {
            Some((_, known)) => *known = id,
            None => self.list.push((tag, id)),
        }
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, member) in &self.list {
            object.serialize_entry(name, &Written(self.tree, member))?;
        }
        object.end()
    }
}

struct Written<'a>(&'a Tree, &'a Member);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Written(tree, member) = self;
        match member {
            Member::Json(json) => json.serialize(serializer),
            Member::Node(id) => Any(tree, *id).serialize(serializer),
            Member::List(ids) => serializer.collect_seq(ids.iter().map(|&id| Any(tree, id))),
            Member::Bytes(ids) => {
                let bytes = |&id: &NodeId| tree.bytes(tree.span(id));
                serializer.collect_str(&Hex(|| ids.iter().map(bytes)))
            }
            Member::Content(id) => serializer.collect_str(&hex(tree.content(*id))),
            Member::Tags(tags) => serializer.collect_map(
                tags.list
                    .iter()
                    .map(|&(tag, id)| (tag.to_string(), Raw(tree.bytes(tree.span(id))))),
            ),
            Member::Records(records) => {
                serializer.collect_seq(records.iter().map(|record| record.members(tree)))
            }
            Member::Headers(ids) => headers(tree, ids, serializer),
        }
    }
}

/// The value of a node.
pub(super) struct Any<'a>(pub(super) &'a Tree, pub(super) NodeId);

impl Serialize for Any<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Any(tree, id) = self;
        if tree.is_hidden(id) {
            return serializer.serialize_str(HIDDEN);
        }
        if let Some(value) = tree.value(id) {
            return Leaf(value).serialize(serializer);
        }
        let Some(node) = tree.node(id) else {
            return serializer.serialize_unit();
        };
        if node.role == Role::Records {
            return Batches(tree, id).serialize(serializer);
        }
        match node.shape {
            Shape::Array { len: None, .. } | Shape::Struct { present: false, .. } => {
                serializer.serialize_unit()
            }
            // What is inside stands elsewhere; the value of the field is its bytes.
            Shape::Content { .. } => content(tree, id, serializer),
            Shape::Array { .. } => serializer.collect_seq(
                tree.children(id)
                    .filter(|&child| tree.node(child).is_some_and(|node| node.index.is_some()))
                    .map(|child| Any(tree, child)),
            ),
            _ => Members::of(tree, id).serialize(serializer),
        }
    }
}

/// The content of a node in hex, with stars for bytes that are hidden.
fn content<S: Serializer>(tree: &Tree, id: NodeId, serializer: S) -> Result<S::Ok, S::Error> {
    let (bytes, span) = (tree.content(id), tree.span(id));
    let covers = |hidden: &&Span| span.covers(**hidden);
    if !tree.hidden().iter().any(|hidden| covers(&hidden)) {
        return serializer.collect_str(&hex(bytes));
    }
    let from = span.end() - bytes.len();
    let mut shown = bytes.to_vec();
    for hidden in tree.hidden().iter().filter(covers) {
        let (start, end) = (hidden.at.saturating_sub(from), hidden.end() - from);
        if let Some(secret) = shown.get_mut(start..end) {
            secret.fill(b'*');
        }
    }
    serializer.collect_str(&hex(&shown))
}

/// A single value.
pub(super) struct Leaf<'a>(pub(super) Value<'a>);

impl Serialize for Leaf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(value),
            Value::Int8(value) => serializer.serialize_i8(value),
            Value::Int16(value) => serializer.serialize_i16(value),
            Value::Int32(value) | Value::Varint(value) => serializer.serialize_i32(value),
            Value::Int64(value) | Value::Varlong(value) => serializer.serialize_i64(value),
            Value::Uint16(value) => serializer.serialize_u16(value),
            Value::Uint32(value) | Value::Uvarint(value) => serializer.serialize_u32(value),
            Value::Float64(value) if value.is_finite() => serializer.serialize_f64(value),
            // JSON has no word for infinities and NaN.
            Value::Float64(value) => serializer.collect_str(&value),
            Value::Uuid(value) => serializer.collect_str(&value),
            Value::String(text, _) => serializer.serialize_str(&String::from_utf8_lossy(text)),
            Value::Bytes(bytes, _) => serializer.collect_str(&hex(bytes)),
            Value::Null(_) => serializer.serialize_unit(),
        }
    }
}

/// Bytes in hex.
struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&hex(self.0))
    }
}

/// Bytes as hex digits.
pub fn hex(bytes: &[u8]) -> impl fmt::Display {
    Hex(move || std::iter::once(bytes))
}

/// Runs of bytes as hex digits that are never all in memory.
struct Hex<F>(F);

impl<'a, F: Fn() -> I, I: Iterator<Item = &'a [u8]>> fmt::Display for Hex<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for chunk in self.0().flat_map(|bytes| bytes.chunks(4096)) {
            text.clear();
            push_hex(&mut text, chunk);
            f.write_str(&text)?;
        }
        Ok(())
    }
}

/// Appends the digits of `bytes`; many times faster than formatting each.
pub(super) fn push_hex(text: &mut String, bytes: &[u8]) {
    let digit = |nibble: u8| match nibble {
        ..10 => char::from(b'0' + nibble),
        _ => char::from(b'a' - 10 + nibble),
    };
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 0xf));
    }
}
