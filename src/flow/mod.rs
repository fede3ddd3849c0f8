//! TCP segments in, the bytes of each direction in order out.
//!
//! What comes in are segments as they were captured: retransmitted, overlapping, out of order,
//! with holes. What goes out, to a [`Receiver`], are connections and for each of their two
//! directions runs of payload ([`Piece`]s, references into the capture) and gaps.
//!
//! Invariants: each byte of a stream is delivered at most once, and the first copy that was
//! captured wins; a delivered direction never goes back. The two directions are delivered in
//! causal order: bytes come after those of the other direction that their sender had
//! acknowledged, so that an answer never comes before its question, however the capture was
//! shuffled. What waits is a reference, its amount is bounded (see `limits.rs`).
//!
//! Not here: the bytes themselves, which are only looked at to compare a retransmission with what
//! it repeats.

mod connection;
mod half;
mod key;
mod limits;
mod table;
mod waiting;

#[cfg(test)]
mod tests;

pub use crate::net::{Endpoint, Piece, Place};
pub use half::Counts;
pub use table::Flows;

/// A connection; they are numbered from 0 in the order in which they were first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId(pub u32);

impl FlowId {
    /// The number as an index.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// One of the two ends of a connection. Which is the client, nobody knows here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    A,
    B,
}

impl End {
    /// The one at the other end.
    #[must_use]
    pub fn other(self) -> End {
        match self {
            End::A => End::B,
            End::B => End::A,
        }
    }
}

/// Something for each of the two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Both<T> {
    pub a: T,
    pub b: T,
}

impl<T> Both<T> {
    /// What belongs to an end.
    pub fn of(&self, end: End) -> &T {
        match end {
            End::A => &self.a,
            End::B => &self.b,
        }
    }

    /// What belongs to an end, to be changed.
    pub fn of_mut(&mut self, end: End) -> &mut T {
        match end {
            End::A => &mut self.a,
            End::B => &mut self.b,
        }
    }
}

/// How a direction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// Its sender said that nothing more comes.
    Fin,
    /// Its sender aborted the connection.
    Reset,
}

/// Why bytes are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The capture does not hold the segment.
    Segment,
    /// The capture holds the segment's head only.
    SnapLength,
}

/// A run of bytes of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where they are.
    pub piece: Piece,
    /// Sequence number of the first.
    pub seq: u32,
}

/// Takes what [`Flows`] delivers.
pub trait Receiver {
    /// A connection was seen for the first time; `initiator` asked for it, if that was captured.
    fn opened(&mut self, flow: FlowId, ends: Both<Endpoint>, initiator: Option<End>);
    /// The first bytes of a direction follow; `whole` if they are the first that were ever sent.
    fn started(&mut self, flow: FlowId, from: End, whole: bool);
    /// The next bytes that `from` sent; never empty.
    fn data(&mut self, flow: FlowId, from: End, run: Run);
    /// The next `len` bytes that `from` sent are not in the capture.
    fn gap(&mut self, flow: FlowId, from: End, len: u64, lost: Lost);
    /// A retransmission brought other bytes than the first copy, which stays.
    fn conflict(&mut self, flow: FlowId, from: End, piece: Piece);
    /// `from` sends nothing more.
    fn closed(&mut self, flow: FlowId, from: End, close: Close);
    /// Nothing more comes of the connection.
    fn finished(&mut self, flow: FlowId, counts: Both<Counts>);
    /// Bytes of the capture.
    fn bytes(&self, place: Place, len: u32) -> &[u8];
}
