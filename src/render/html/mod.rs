//! Pages: one self-contained HTML file that reads and prints without a script.
//!
//! What comes in are [`Sheet`](super::Sheet)s and texts; what goes out is valid HTML5 with its own style and
//! script inside, and a policy that lets nothing else run or load. Between [`page::open`] and
//! [`page::close`] the pieces ([`message`], [`exchange_list`], [`facts`]) can be put in any order.
//! Pages of a reference have another shape between [`page::head`] and [`page::foot`].
//!
//! Invariant: every text passes [`Markup`](super::Markup); identifiers and classes are made of what the
//! program knows and of numbers alone.

mod code;
mod exchanges;
mod facts;
mod grid;
mod message;
pub mod page;
mod problems;
mod reference;
mod script;
mod style;
mod tree;
mod wire;

pub use code::code;
pub use exchanges::{exchange_list, exchange_open};
pub use facts::{facts, remark};
pub use message::message;
pub use wire::wire;

use std::fmt;

use crate::{
    event::{Section, Severity},
    tree::NodeId,
};

/// The identifiers of a message's parts. Messages of one page have different prefixes.
struct Ids<'a> {
    prefix: &'a str,
}

/// An identifier that has not been written yet.
struct Id<'a> {
    prefix: &'a str,
    kind: char,
    n: usize,
}

impl Ids<'_> {
    /// Of the row of a node in the tree.
    fn node(&self, id: NodeId) -> Id<'_> {
        self.id('n', id.idx())
    }

    /// Of the first run of a node's bytes in the grid.
    fn bytes(&self, id: NodeId) -> Id<'_> {
        self.id('b', id.idx())
    }

    fn id(&self, kind: char, n: usize) -> Id<'_> {
        Id {
            prefix: self.prefix,
            kind,
            n,
        }
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix {
            "" => write!(f, "{}{}", self.kind, self.n),
            prefix => write!(f, "{prefix}-{}{}", self.kind, self.n),
        }
    }
}

/// The identifier of a node's row, in a message of that anchor.
pub fn node_anchor(anchor: &str, id: NodeId) -> String {
    Ids { prefix: anchor }.node(id).to_string()
}

/// The class that colours a section.
pub fn section_class(section: Section) -> &'static str {
    match section {
        Section::Frame => "frame",
        Section::Header => "header",
        Section::Request => "request",
        Section::Response => "response",
        Section::RecordBatch => "batch",
        Section::Record => "record",
        Section::TaggedFields => "tags",
    }
}

/// The class that marks what a problem is about.
fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "has-note",
        Severity::Warning => "has-warning",
        Severity::Error => "has-error",
    }
}
