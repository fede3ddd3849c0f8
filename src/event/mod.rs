//! The vocabulary between decoders and outputs.
//!
//! A decoder pushes a flat, well-nested stream of events into a [`Sink`]: a compound is entered
//! and left, a leaf is a value with its span, and what is wrong is a [`Problem`]. The object tree,
//! the digest behind lists and the judges of how bytes are framed are sinks. Nothing here knows
//! Kafka messages or builds anything.

mod context;
mod meaning;
mod node;
mod problem;
mod value;
mod walker;

pub use context::{Assignor, Context, GroupType, Topic};
pub use meaning::{Attributes, Meaning, Names};
pub use node::{Node, Role, Section, Shape};
pub use problem::{Code, Place, Problem, Severity};
pub use value::{Prefix, Value};
pub use walker::{Stop, Walker, bytes_are, n_are, n_bytes};

use std::sync::Arc;

use uuid::Uuid;

use crate::wire::{BufferId, Span};

/// What a sink wants of a compound that was just entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descend {
    /// Its events.
    Into,
    /// Nothing up to the matching `leave`. Problems inside are still reported, save for those in
    /// records, which are not looked into.
    Skip,
}

/// Receives a decode as a flat, well-nested stream of events. Spans lie inside their parent's,
/// unless the parent is the [`Role::Compressed`] content that their buffer came out of.
pub trait Sink {
    /// A compound starts at `at`; the answer says whether its content is wanted.
    fn enter(&mut self, node: &Node, buffer: BufferId, at: usize) -> Descend;
    /// A leaf was read.
    fn value(&mut self, node: &Node, value: Value<'_>, span: Span);
    /// The innermost open compound ends before `at`, in the buffer that it started in.
    fn leave(&mut self, at: usize);
    /// Something was wrong in the innermost open compound; decoding goes on as far as it can.
    fn problem(&mut self, problem: Problem);
    /// A new buffer came into being by decompressing the value at `source`. Buffers are numbered
    /// from 1 in the order in which they come; the compound that starts in it follows, and lies
    /// in one that starts in the buffer of `source`. The sink shares the bytes if it needs them.
    fn buffer(&mut self, buffer: BufferId, source: Span, bytes: &Arc<Vec<u8>>) {
        let _ = (buffer, source, bytes);
    }
    /// Whether it matters what is inside bytes fields. A sink that says no gets them as values, and
    /// nobody looks into them.
    fn wants_content(&self) -> bool {
        true
    }
    /// The name of a topic that this message gives by id, where the sink knows it from elsewhere:
    /// what records hold depends on it.
    fn topic_name(&self, id: Uuid) -> Option<&str> {
        let _ = id;
        None
    }
}
