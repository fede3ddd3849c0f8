//! The sink that grows a [`Tree`].

use std::sync::Arc;

use uuid::Uuid;

use super::{Buffer, Entry, Found, NodeId, Secrecy, Stored, Tree};
use crate::{
    event::{Code, Descend, Node, Place, Problem, Role, Severity, Shape, Sink, Value},
    explain::{Cluster, ErrorCode, Listener, version_note},
    wire::{BufferId, Span},
};

/// Collects events; [`Builder::finish`] gives the tree.
#[derive(Debug)]
pub struct Builder {
    tree: Tree,
    /// Compounds that are entered and not left.
    /// Each with the body that was current before it.
    open: Vec<(NodeId, Body)>,
    /// The innermost body that is open.
    body: Body,
    listener: Listener,
}

/// Name and version.
type Body = (&'static str, i16);

impl Builder {
    /// A builder for a decode of `bytes`.
    pub fn new(bytes: Vec<u8>) -> Builder {
        Builder {
            tree: Tree {
                entries: Vec::new(),
                buffers: vec![Buffer::new(Arc::new(bytes), None)],
                problems: Vec::new(),
                secrets: Vec::new(),
                holes: Vec::new(),
                secrecy: Secrecy::default(),
                here: Cluster::default(),
                elsewhere: None,
            },
            open: Vec::new(),
            body: ("", 0),
            listener: Listener::default(),
        }
    }

    /// Decodes `bytes` by `decode` and returns the tree with what `decode` returned.
    pub fn build<T>(bytes: Vec<u8>, decode: impl FnOnce(&[u8], &mut Builder) -> T) -> (Tree, T) {
        Builder::new(Vec::new()).decode(bytes, decode)
    }

    /// A builder for a message of a capture that says this of its cluster.
    pub fn knowing(cluster: Arc<Cluster>) -> Builder {
        let mut builder = Builder::new(Vec::new());
        builder.tree.elsewhere = Some(cluster);
        builder
    }

    /// Decodes `bytes` by `decode` and returns the tree with what `decode` returned.
    pub fn decode<T>(
        self,
        bytes: Vec<u8>,
        decode: impl FnOnce(&[u8], &mut Builder) -> T,
    ) -> (Tree, T) {
        let mut builder = self;
        let result = decode(&bytes, &mut builder);
        if let Some(frame) = builder.tree.buffers.first_mut() {
            frame.bytes = Arc::new(bytes);
        }
        (builder.finish(), result)
    }

    /// The tree of all events so far.
    pub fn finish(mut self) -> Tree {
        let secrets = &mut self.tree.secrets;
        secrets.sort_unstable_by_key(|span| (span.buffer.0, span.at));
        self.tree
    }

    /// Adds what an error means in this version in particular.
    fn note_version(&mut self, node: &Node, code: i16, span: Span) {
        let (name, version) = self.body;
        if let Some(message) = version_note(name, version, ErrorCode(code)) {
            self.problem(Problem {
                severity: Severity::Note,
                code: Code::ErrorVersion,
                span,
                place: Place::from(node),
                message,
            });
        }
    }

    fn push(&mut self, node: Node, stored: Stored, span: Span) -> NodeId {
        let id = NodeId(self.tree.entries.len() as u32);
        self.tree.entries.push(Entry {
            node,
            stored,
            span,
            parent: self.open.last().map_or(NodeId::ROOT, |&(id, _)| id),
            end: id.0 + 1,
        });
        let buffer = self.tree.buffers.get_mut(usize::from(span.buffer.0));
        if let Some(nodes) = buffer.map(|buffer| &mut buffer.nodes) {
            if nodes.end == 0 {
                nodes.start = id.0;
            }
            nodes.end = id.0 + 1;
        }
        id
    }
}

impl Sink for Builder {
    fn enter(&mut self, node: &Node, buffer: BufferId, at: usize) -> Descend {
        let id = self.push(*node, Stored::Compound, Span::new(buffer, at, at));
        self.open.push((id, self.body));
        self.listener.boundary();
        if let Shape::Body { version } = node.shape {
            self.body = (node.name, version);
        }
        Descend::Into
    }

    fn value(&mut self, node: &Node, value: Value<'_>, span: Span) {
        let stored = match value {
            Value::String(text, prefix) => Stored::String(prefix, text.len() as u32),
            Value::Bytes(bytes, prefix) => Stored::Bytes(prefix, bytes.len() as u32),
            Value::Null(prefix) => Stored::Inline(Value::Null(prefix)),
            Value::Bool(value) => Stored::Inline(Value::Bool(value)),
            Value::Int8(value) => Stored::Inline(Value::Int8(value)),
            Value::Int16(value) => Stored::Inline(Value::Int16(value)),
            Value::Int32(value) => Stored::Inline(Value::Int32(value)),
            Value::Int64(value) => Stored::Inline(Value::Int64(value)),
            Value::Uint16(value) => Stored::Inline(Value::Uint16(value)),
            Value::Uint32(value) => Stored::Inline(Value::Uint32(value)),
            Value::Uvarint(value) => Stored::Inline(Value::Uvarint(value)),
            Value::Varint(value) => Stored::Inline(Value::Varint(value)),
            Value::Varlong(value) => Stored::Inline(Value::Varlong(value)),
            Value::Float64(value) => Stored::Inline(Value::Float64(value)),
            Value::Uuid(value) => Stored::Inline(Value::Uuid(value)),
        };
        self.push(*node, stored, span);
        match node.role {
            Role::Secret if span.len > 0 => self.tree.secrets.push(span),
            Role::NotCaptured => self.tree.holes.push(span),
            role => {
                if let Some(fact) = self.listener.value(role, value) {
                    self.tree.here.learn(fact);
                }
            }
        }
        if let (Role::ErrorCode, Value::Int16(code)) = (node.role, value)
            && code != 0
        {
            self.note_version(node, code, span);
        }
    }

    fn leave(&mut self, at: usize) {
        let end = self.tree.entries.len() as u32;
        self.listener.boundary();
        let Some((id, body)) = self.open.pop() else {
            return;
        };
        self.body = body;
        if let Some(entry) = self.tree.entries.get_mut(id.idx()) {
            entry.end = end;
            entry.span = Span::new(entry.span.buffer, entry.span.at, at);
        }
    }

    fn problem(&mut self, problem: Problem) {
        let node = self.open.last().map_or(NodeId::ROOT, |&(id, _)| id);
        self.tree.problems.push(Found { problem, node });
    }

    fn topic_name(&self, id: Uuid) -> Option<&str> {
        self.tree.known().topic(id)
    }

    fn buffer(&mut self, buffer: BufferId, source: Span, bytes: &Arc<Vec<u8>>) {
        // Buffers are numbered in the order in which they come.
        debug_assert_eq!(usize::from(buffer.0), self.tree.buffers.len());
        self.tree
            .buffers
            .push(Buffer::new(Arc::clone(bytes), Some(source)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Meaning, Section};

    #[test]
    fn nodes_are_found_by_their_buffer() {
        let node = Node {
            name: "",
            index: None,
            shape: Shape::Leaf { ty: "int8" },
            role: Role::Plain,
            meaning: Meaning::Plain,
            section: Section::Request,
            about: "",
        };
        let mut builder = Builder::new(vec![0; 4]);
        let (frame, inner) = (BufferId::FRAME, BufferId(1));
        builder.enter(&node, frame, 0);
        builder.buffer(inner, Span::new(frame, 0, 1), &Arc::new(vec![0; 2]));
        builder.enter(&node, inner, 0);
        builder.value(&node, Value::Int8(0), Span::new(inner, 0, 1));
        builder.value(&node, Value::Int8(0), Span::new(inner, 1, 2));
        builder.leave(2);
        builder.value(&node, Value::Int8(0), Span::new(frame, 1, 2));
        builder.leave(4);
        let tree = builder.finish();
        let idxs = |buffer| tree.nodes_in(buffer).map(NodeId::idx).collect::<Vec<_>>();
        assert_eq!(idxs(frame), [0, 4]);
        assert_eq!(idxs(inner), [1, 2, 3]);
        assert!(idxs(BufferId(2)).is_empty());
    }
}
