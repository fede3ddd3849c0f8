//! The two byte streams of a connection in, Kafka messages out.
//!
//! What comes in are the bytes of both directions as far as they were captured, behind a
//! [`Window`] each; what goes out, one at a time from [`Conversation::next`], is what was
//! [`Found`]: requests, responses with the request that they answer, raw SASL tokens, or the name
//! of the other protocol that this is. Which end is the client is found from the content, on any
//! port. Where bytes are missing, framing is taken up again at the next message whose boundary is
//! certain: by its size if the hole lies inside a message, else by a search that the message
//! definitions judge.
//!
//! Invariant: no message is invented. A run of bytes is called a message because the sizes before
//! it led there, or because a definition consumes it exactly and more speaks for it (see `judge.rs`, `candidate.rs`).
//!
//! Not here: what a message says beyond its header, and where its bytes lie in a file.

mod alone;
mod answering;
mod candidate;
mod chain;
mod conversation;
mod earlier;
mod framing;
mod fresh;
mod head;
mod judge;
mod limits;
mod orphan;
mod pairing;
mod prelude;
mod protocol;
mod quiet;
mod search;
mod standing;
mod suspect;
mod swallowed;
mod turns;
mod window;

#[cfg(test)]
mod tests;

pub use conversation::{Conversation, Hints};
pub use head::RequestHead;
pub use prelude::Prelude;
pub use protocol::Protocol;
pub use standing::Standing;
pub use window::Window;

/// One of the two ends of a connection, as the sender of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    A,
    B,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// A whole frame in a stream: a size prefix and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Who sent it.
    pub side: Side,
    /// Offset of the size prefix in the stream.
    pub at: u64,
    /// Number of bytes that it claims, with the prefix.
    pub len: u32,
    /// Number of bytes that the stream has of it; less than `len` where the stream ends inside.
    /// Holes inside it count as had.
    pub had: u32,
}

impl Frame {
    /// Offset behind the frame.
    pub fn end(self) -> u64 {
        self.at + u64::from(self.len)
    }
}

/// What the exchange of a request was called when it was found, handed back with its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u32);

/// Something that was found in a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A request.
    Request {
        frame: Frame,
        head: RequestHead,
        /// Whether an answer is to be expected; produce requests without acks get none.
        answered: bool,
    },
    /// A response.
    Response {
        frame: Frame,
        correlation_id: i32,
        /// The request that it answers; `None` if that was not captured.
        answers: Option<Answers>,
        standing: Standing,
    },
    /// A token of SASL as it was before Kafka framed it in requests, from the client.
    TokenFromClient { frame: Frame },
    /// A token from the broker, and the one that it answers.
    TokenFromServer {
        frame: Frame,
        answers: Option<Ticket>,
    },
    /// This is Kafka, and this end is the client.
    Client { side: Side },
    /// This is not Kafka. `first` are the first four bytes, which a broker would take for a size.
    Other {
        side: Side,
        protocol: Protocol,
        first: Option<i32>,
    },
    /// The first bytes that the capture has of this end were let go before it could be told
    /// whether they are messages: so many of them.
    GivenUp { side: Side, len: u64 },
    /// The boundary of messages was lost at this offset, and the next one is searched for.
    LostFraming { side: Side, at: u64 },
}

/// The request that a response answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    pub ticket: Ticket,
    pub api_key: i16,
    /// The version that was asked for.
    pub request_version: i16,
    /// The version of the response's body, which is lower where a broker fell back (KIP-511).
    pub version: i16,
}
