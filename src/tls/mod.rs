//! TLS records and a key log in, application data in clear out (TLS 1.2 and 1.3).
//!
//! What comes in are the bytes of both directions of a connection that began with a hello, in
//! causal order, with the lengths of what is missing ([`Tls::push`], [`Tls::lost`]), and the secrets
//! of a [`KeyLog`]. What goes out is an [`Output`]: what each record held and where in its stream
//! the record lay, what was lost, and alerts; and from the connection why it cannot be read
//! ([`Refusal`]), or how it was protected.
//!
//! Invariants: content comes out only if it was authenticated. Where bytes are missing, the next
//! record is taken for one when it is authentic under one of the next sequence numbers, so no
//! boundary is guessed. Work and memory are bounded (see `limits.rs`).
//!
//! Not here: where the bytes lie in a capture, what the content means, and early data (0-RTT),
//! which is left out as lost.

mod alert;
mod connection;
mod derive;
mod epoch;
mod half;
mod handshake;
mod keylog;
mod limits;
mod opening;
mod protect;
mod record;
mod refusal;
mod suite;

#[cfg(test)]
mod tests;

pub use alert::Alert;
pub use connection::Tls;
pub use keylog::{BadLine, Fault, KeyLog, Label};
pub use record::{LEAD, Start};
pub use refusal::Refusal;
pub use suite::{Suite, Version};

use std::ops::Range;

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    Client,
    Server,
}

impl Peer {
    /// The one at the other end.
    #[must_use]
    pub fn other(self) -> Peer {
        match self {
            Peer::Client => Peer::Server,
            Peer::Server => Peer::Client,
        }
    }
}

/// Something that was found in the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Application data.
    Data {
        from: Peer,
        /// The record, header included: offsets in the stream, from the first byte that was pushed.
        record: Range<u64>,
        /// Its content: a range of [`Output::plain`], never empty.
        plain: Range<usize>,
    },
    /// Application data between what came before and what comes next is missing.
    Lost {
        from: Peer,
        /// How many bytes, if every record that is missing held data without padding, and at most so
        /// many where records cannot be opened; `None` where the lengths of records do not tell.
        len: Option<u64>,
    },
    /// An alert other than the one that ends every connection.
    Alert { from: Peer, alert: Alert },
}

/// What bytes have led to.
#[derive(Debug, Default)]
pub struct Output {
    /// In order.
    pub events: Vec<Event>,
    /// The content that the events refer to.
    pub plain: Vec<u8>,
}

impl Output {
    /// Makes room for the next.
    pub fn clear(&mut self) {
        self.events.clear();
        self.plain.clear();
    }
}
