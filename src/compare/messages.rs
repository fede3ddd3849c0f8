//! Two messages field by field: what is in one of them, what has another value.
//!
//! Fields belong together by name, elements of lists by what they are about: the topic, partition,
//! group or node that they name, else by their position. What only says how others are encoded, sizes
//! and counts, is not compared: it follows from the rest.

use super::align::{Side, align};
use crate::{
    event::{Node, Role, Shape, Value},
    tree::{NodeId, Tree},
};

/// A field that is not the same in both messages: a value, or a compound that one of them has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    pub from: Option<NodeId>,
    pub to: Option<NodeId>,
}

/// What differs, in reading order.
pub fn differences(from: &Tree, to: &Tree) -> Vec<Difference> {
    let mut pair = Pair {
        from,
        to,
        list: Vec::new(),
    };
    if !from.is_empty() && !to.is_empty() {
        pair.compounds(NodeId::ROOT, NodeId::ROOT);
    }
    pair.list
}

struct Pair<'a> {
    from: &'a Tree,
    to: &'a Tree,
    list: Vec<Difference>,
}

/// A node of one of the trees.
#[derive(Clone, Copy)]
enum At {
    From(NodeId),
    To(NodeId),
}

/// What tells a node among its siblings.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Field(&'static str),
    /// An element, by what it is about.
    About(Vec<u8>),
    Position(u32),
}

impl Pair<'_> {
    /// The parts of two compounds that belong together.
    fn compounds(&mut self, from: NodeId, to: NodeId) {
        let first: Vec<At> = self.from.children(from).map(At::From).collect();
        let second: Vec<At> = self.to.children(to).map(At::To).collect();
        let by_key = |at| match at {
            At::From(id) => key(self.from, id),
            At::To(id) => key(self.to, id),
        };
        let mut sides = align(&first, &second, by_key);
        // Elements of which none is about the same thing are the same ones, renamed.
        let have_common = sides.iter().any(|side| match side {
            Side::Both(At::From(id), _) => has_index(self.from, *id),
            _ => false,
        });
        if first.len() == second.len() && !have_common {
            sides = align(&first, &second, |at| match at {
                At::From(id) => position(self.from, id),
                At::To(id) => position(self.to, id),
            });
        }
        for side in sides {
            match side {
                Side::First(At::From(id)) if is_told(self.from, id) => self.list.push(Difference {
                    from: Some(id),
                    to: None,
                }),
                Side::Second(At::To(id)) if is_told(self.to, id) => self.list.push(Difference {
                    from: None,
                    to: Some(id),
                }),
                Side::Both(At::From(from), At::To(to)) => self.nodes(from, to),
                _ => {}
            }
        }
    }

    fn nodes(&mut self, from: NodeId, to: NodeId) {
        let differ = match (self.from.value(from), self.to.value(to)) {
            (Some(was), Some(is)) => {
                !are_equal(was, is) && is_told(self.to, to)
                    || is_wrong_checksum(self.from, from) != is_wrong_checksum(self.to, to)
            }
            (None, None) => {
                self.compounds(from, to);
                // A null one and an empty one have the same parts: none.
                let shapes = (self.from.node(from), self.to.node(to));
                let nulls = (shapes.0.map(is_null), shapes.1.map(is_null));
                nulls.0 != nulls.1
            }
            // A value in one message, parts in the other.
            _ => true,
        };
        if differ {
            self.list.push(Difference {
                from: Some(from),
                to: Some(to),
            });
        }
    }
}

/// Whether a node is a checksum that does not fit its bytes.
fn is_wrong_checksum(tree: &Tree, id: NodeId) -> bool {
    match (tree.node(id).map(|node| node.role), tree.value(id)) {
        (
            Some(Role::Checksum {
                computed: Some(computed),
            }),
            Some(Value::Uint32(stored)),
        ) => stored != computed,
        _ => false,
    }
}

fn is_null(node: &Node) -> bool {
    matches!(
        node.shape,
        Shape::Array { len: None, .. } | Shape::Struct { present: false, .. }
    )
}

/// Whether a node says something of its own.
fn is_told(tree: &Tree, id: NodeId) -> bool {
    let role = tree.node(id).map_or(Role::Plain, |node| node.role);
    !matches!(
        role,
        Role::FrameSize
            | Role::Length { .. }
            | Role::TaggedCount
            | Role::Encoding
            | Role::Size { .. }
            | Role::Compressed
    )
}

/// Texts and bytes are the same whatever their lengths are written in.
fn are_equal(was: Value<'_>, is: Value<'_>) -> bool {
    match (was, is) {
        (Value::String(was, _), Value::String(is, _))
        | (Value::Bytes(was, _), Value::Bytes(is, _)) => was == is,
        (Value::Null(_), Value::Null(_)) => true,
        _ => match (integer(was), integer(is)) {
            (Some(was), Some(is)) => was == is,
            _ => was == is,
        },
    }
}

/// The number that an integer of any width is.
fn integer(value: Value<'_>) -> Option<i64> {
    Some(match value {
        Value::Int8(number) => number.into(),
        Value::Int16(number) => number.into(),
        Value::Int32(number) | Value::Varint(number) => number.into(),
        Value::Int64(number) | Value::Varlong(number) => number,
        Value::Uint16(number) => number.into(),
        Value::Uint32(number) | Value::Uvarint(number) => number.into(),
        _ => return None,
    })
}

fn has_index(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).is_some_and(|node| node.index.is_some())
}

/// The name of a field, the position of an element.
fn position(tree: &Tree, id: NodeId) -> Key {
    match tree.node(id).map(|node| (node.index, node.name)) {
        Some((Some(index), _)) => Key::Position(index),
        Some((None, name)) => Key::Field(name),
        None => Key::Position(0),
    }
}

/// The name of a field, what an element is about.
fn key(tree: &Tree, id: NodeId) -> Key {
    if !has_index(tree, id) {
        return position(tree, id);
    }
    if tree.value(id).is_some() {
        return Key::About(content(tree, id));
    }
    let mut about = Vec::new();
    for child in tree.children(id) {
        let role = tree.node(child).map_or(Role::Plain, |node| node.role);
        let tells = matches!(
            role,
            Role::TopicName
                | Role::TopicId
                | Role::Partition
                | Role::GroupId
                | Role::TransactionalId
                | Role::BrokerId
                | Role::ApiKey
        );
        if tells && tree.value(child).is_some() {
            about.extend(content(tree, child));
            break;
        }
    }
    match about.is_empty() {
        true => position(tree, id),
        false => Key::About(about),
    }
}

/// What a value is, in bytes that do not hang on how its length is written.
fn content(tree: &Tree, id: NodeId) -> Vec<u8> {
    match tree.value(id) {
        Some(Value::String(text, _)) => text.to_vec(),
        Some(Value::Bytes(bytes, _)) => bytes.to_vec(),
        _ => tree.bytes(tree.span(id)).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{Meaning, Section, Sink},
        tree::Builder,
        wire::{BufferId, Span},
    };

    fn node(name: &'static str, index: Option<u32>, shape: Shape, role: Role) -> Node {
        Node {
            name,
            index,
            shape,
            role,
            meaning: Meaning::Plain,
            section: Section::Request,
            about: "",
        }
    }

    /// A list of partitions, each with a number and a value, in two bytes.
    fn partitions(list: &[(i8, i8)]) -> Tree {
        let bytes = list.iter().flat_map(|&(n, v)| [n as u8, v as u8]).collect();
        let (tree, ()) = Builder::build(bytes, |_, sink| {
            let len = list.len() as u32;
            let array = Shape::Array {
                of: "Partition",
                len: Some(len),
            };
            let leaf = Shape::Leaf { ty: "int8" };
            let frame = BufferId::FRAME;
            let message = node("Message", None, Shape::Body { version: 0 }, Role::Plain);
            sink.enter(&message, frame, 0);
            sink.enter(&node("Partitions", None, array, Role::Plain), frame, 0);
            for (idx, &(n, v)) in list.iter().enumerate() {
                let at = idx * 2;
                let shape = Shape::Struct {
                    ty: "Partition",
                    present: true,
                };
                sink.enter(
                    &node("Partition", Some(idx as u32), shape, Role::Plain),
                    frame,
                    at,
                );
                let number = node("Index", None, leaf, Role::Partition);
                sink.value(&number, Value::Int8(n), Span::new(frame, at, at + 1));
                let value = node("Value", None, leaf, Role::Plain);
                sink.value(&value, Value::Int8(v), Span::new(frame, at + 1, at + 2));
                sink.leave(at + 2);
            }
            sink.leave(list.len() * 2);
            sink.leave(list.len() * 2);
        });
        tree
    }

    fn told(from: &[(i8, i8)], to: &[(i8, i8)]) -> Vec<(Option<String>, Option<String>)> {
        let (from, to) = (partitions(from), partitions(to));
        differences(&from, &to)
            .into_iter()
            .map(|difference| {
                let path = |tree: &Tree, id: Option<NodeId>| id.map(|id| tree.path(id));
                (path(&from, difference.from), path(&to, difference.to))
            })
            .collect()
    }

    #[test]
    fn elements_belong_together_by_what_they_are_about() {
        assert_eq!(told(&[(0, 5), (1, 6)], &[(1, 6), (0, 5)]), []);
        let path = |text: &str| Some(text.to_owned());
        assert_eq!(
            told(&[(0, 5), (1, 6), (2, 7)], &[(1, 9), (0, 5)]),
            [
                (path("Partitions[1].Value"), path("Partitions[0].Value")),
                (path("Partitions[2]"), None),
            ]
        );
    }

    #[test]
    fn a_renamed_element_is_the_same_one() {
        let path = |text: &str| Some(text.to_owned());
        assert_eq!(
            told(&[(0, 5)], &[(3, 5)]),
            [(path("Partitions[0].Index"), path("Partitions[0].Index"))]
        );
    }
}
