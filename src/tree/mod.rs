//! A decode kept as an arena: which node holds a byte, which bytes make a node, what its path is.
//!
//! [`Builder`] is the sink; [`Tree`] is what it leaves. Nodes lie in the order in which they were
//! read, so a parent comes before its children and a subtree is a run of nodes. The tree owns the
//! bytes it speaks of and borrows nothing.

mod builder;
mod path;

pub use builder::Builder;

use std::{ops::Range, sync::Arc};

use crate::{
    event::{Code, Node, Prefix, Problem, Role, Severity, Shape, Value},
    explain::{Cluster, Known},
    wire::{BufferId, Span},
};

/// Names a node of one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node that all others lie in.
    pub const ROOT: NodeId = NodeId(0);

    /// Position in reading order.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// Bytes that spans point into.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub bytes: Arc<Vec<u8>>,
    /// The value that was decompressed to give it; `None` for the message itself.
    pub source: Option<Span>,
    /// Where the nodes in it lie: from the first to behind the last.
    nodes: Range<u32>,
}

impl Buffer {
    fn new(bytes: Arc<Vec<u8>>, source: Option<Span>) -> Buffer {
        Buffer {
            bytes,
            source,
            nodes: 0..0,
        }
    }
}

/// A problem and where in the tree it belongs.
#[derive(Clone, Debug)]
pub struct Found {
    pub problem: Problem,
    /// The innermost compound that was open.
    pub node: NodeId,
}

/// A decoded message or structure.
#[derive(Clone, Debug)]
pub struct Tree {
    entries: Vec<Entry>,
    buffers: Vec<Buffer>,
    problems: Vec<Found>,
    /// Values of the role of a secret, by buffer and offset.
    secrets: Vec<Span>,
    /// Bytes that the capture does not hold, in order.
    holes: Vec<Span>,
    secrecy: Secrecy,
    /// What the message says of the cluster.
    here: Cluster,
    /// What the capture around it does.
    elsewhere: Option<Arc<Cluster>>,
}

/// Whether outputs show passwords and what stands for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Secrecy {
    #[default]
    Hide,
    Show,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    stored: Stored,
    span: Span,
    parent: NodeId,
    /// Index behind the last node of the subtree.
    end: u32,
}

/// A value without what can be found again in the buffer.
#[derive(Clone, Copy, Debug)]
enum Stored {
    Compound,
    /// Anything that borrows nothing.
    Inline(Value<'static>),
    /// The last `len` bytes of the span are text.
    String(Prefix, u32),
    /// The last `len` bytes of the span are the content.
    Bytes(Prefix, u32),
}

impl Tree {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was decoded at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All nodes in reading order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.entries.len() as u32).map(NodeId)
    }

    /// The nodes of one buffer in reading order. Messages may have thousands of buffers, so this
    /// looks at no more than the run of nodes that holds them.
    pub fn nodes_in(&self, buffer: BufferId) -> impl Iterator<Item = NodeId> + '_ {
        self.buffers
            .get(usize::from(buffer.0))
            .map(|buffer| buffer.nodes.clone())
            .unwrap_or_default()
            .map(NodeId)
            .filter(move |&id| self.span(id).buffer == buffer)
    }

    /// The description of a node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.entry(id).map(|entry| &entry.node)
    }

    /// The bytes of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.entry(id).map(|entry| entry.span).unwrap_or_default()
    }

    /// The value of a leaf; `None` for a compound.
    pub fn value(&self, id: NodeId) -> Option<Value<'_>> {
        let entry = self.entry(id)?;
        let content = |len: u32| {
            let bytes = self.bytes(entry.span);
            bytes
                .len()
                .checked_sub(len as usize)
                .map_or(bytes, |at| bytes.get(at..).unwrap_or_default())
        };
        match entry.stored {
            Stored::Compound => None,
            Stored::Inline(value) => Some(value),
            Stored::String(prefix, len) => Some(Value::String(content(len), prefix)),
            Stored::Bytes(prefix, len) => Some(Value::Bytes(content(len), prefix)),
        }
    }

    /// The compound that a node lies in; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| self.entry(id).map(|entry| entry.parent))?
    }

    /// The nodes directly below a node.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.subtree_end(id);
        let first = NodeId(id.0 + 1);
        std::iter::successors((first.0 < end).then_some(first), move |&child| {
            let next = self.subtree_end(child);
            (next < end).then_some(NodeId(next))
        })
    }

    /// The node that follows the subtree of `id` in reading order.
    pub fn after(&self, id: NodeId) -> Option<NodeId> {
        let end = self.subtree_end(id);
        ((end as usize) < self.entries.len()).then_some(NodeId(end))
    }

    /// Number of compounds around a node.
    pub fn depth(&self, id: NodeId) -> usize {
        std::iter::successors(self.parent(id), |&id| self.parent(id)).count()
    }

    /// The innermost node that holds byte `at` of `buffer`.
    pub fn at(&self, buffer: BufferId, at: usize) -> Option<NodeId> {
        let root = self
            .entries
            .iter()
            .position(|entry| entry.span.contains(buffer, at))?;
        let mut id = NodeId(root as u32);
        loop {
            let inner = self
                .children(id)
                .find(|&child| self.span(child).contains(buffer, at));
            match inner {
                Some(child) => id = child,
                None => return Some(id),
            }
        }
    }

    /// The buffers, the message's own first.
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// The bytes that a span names; empty when it reaches out of its buffer.
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.buffers
            .get(usize::from(span.buffer.0))
            .and_then(|buffer| buffer.bytes.get(span.at..span.end()))
            .unwrap_or_default()
    }

    /// The bytes that a [`Shape::Content`] node holds behind its length; empty for other nodes.
    pub fn content(&self, id: NodeId) -> &[u8] {
        let Some(Shape::Content { len, .. }) = self.node(id).map(|node| node.shape) else {
            return &[];
        };
        let bytes = self.bytes(self.span(id));
        let from = bytes.len().saturating_sub(len);
        bytes.get(from..).unwrap_or_default()
    }

    /// Says whether secrets are shown; they are not, before anything is said.
    pub fn set_secrecy(&mut self, secrecy: Secrecy) {
        self.secrecy = secrecy;
    }

    /// The bytes that outputs must not show.
    pub fn hidden(&self) -> &[Span] {
        match self.secrecy {
            Secrecy::Hide => &self.secrets,
            Secrecy::Show => &[],
        }
    }

    /// Whether byte `at` of `buffer` is one of them.
    pub fn hides(&self, buffer: BufferId, at: usize) -> bool {
        // Values do not overlap, and each byte of a grid asks.
        let hidden = self.hidden();
        let idx = hidden.partition_point(|span| (span.buffer.0, span.end()) <= (buffer.0, at));
        hidden
            .get(idx)
            .is_some_and(|span| span.contains(buffer, at))
    }

    /// Whether a node is a value that outputs must not show.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        self.secrecy == Secrecy::Hide && self.node(id).is_some_and(|node| node.role == Role::Secret)
    }

    /// The run of bytes around byte `at` that the capture does not hold; `None` if it holds it.
    pub fn hole_at(&self, buffer: BufferId, at: usize) -> Option<Span> {
        // Holes are in the message's own buffer, and come in order.
        let idx = self.holes.partition_point(|hole| hole.end() <= at);
        let hole = self.holes.get(idx).copied();
        hole.filter(|hole| hole.contains(buffer, at))
    }

    /// Whether the capture lacks bytes of the message.
    pub fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    /// Names and addresses of the cluster that the message is from.
    pub fn known(&self) -> Known<'_> {
        Known {
            here: Some(&self.here),
            elsewhere: self.elsewhere.as_deref(),
        }
    }

    /// What is wrong, in reading order.
    pub fn problems(&self) -> &[Found] {
        &self.problems
    }

    /// Whether the message itself is against the protocol. What is wrong in records is not
    /// counted: a bad checksum does not make the message around it another one.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|found| {
            found.problem.severity == Severity::Error && !self.is_in_records(found.node)
        })
    }

    /// Whether anything in the message is other than it should be, in records and in other bytes
    /// fields too.
    pub fn is_doubtful(&self) -> bool {
        self.problems.iter().any(|found| {
            found.problem.severity == Severity::Error || found.problem.code == Code::Embedded
        })
    }

    fn is_in_records(&self, id: NodeId) -> bool {
        std::iter::successors(Some(id), |&id| self.parent(id))
            .any(|id| self.node(id).is_some_and(|node| node.role == Role::Records))
    }

    /// Adds a finding about the message as a whole.
    pub fn add_problem(&mut self, problem: Problem) {
        self.problems.push(Found {
            problem,
            node: NodeId::ROOT,
        });
    }

    fn entry(&self, id: NodeId) -> Option<&Entry> {
        self.entries.get(id.idx())
    }

    fn subtree_end(&self, id: NodeId) -> u32 {
        self.entry(id).map_or(id.0 + 1, |entry| entry.end)
    }
}
