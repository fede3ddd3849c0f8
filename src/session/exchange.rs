//! Exchanges and connections as the layers above see them.

use crate::capture::Place;
use crate::flow::{Both, Close, Counts, Endpoint};
use crate::kafka::{Protocol, Side};
use crate::schema::Direction;

use super::cover::TlsFacts;
use super::extent::Extent;
use super::names::{ListId, NameId};

/// What an exchange is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A Kafka request and its response.
    Api,
    /// A raw SASL token and the one that answers it, as they follow SaslHandshake version 0.
    SaslToken,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Api, Kind::SaslToken];

    /// The name in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Api => "api",
            Kind::SaslToken => "sasl-token",
        }
    }
}

/// A request with its response; either may be missing, not both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Counts from 1.
    pub n: u32,
    /// The connection; counts from 1.
    pub connection: u32,
    pub kind: Kind,
    /// API key and version of the request; `None` for tokens, and where no request was captured.
    pub api: Option<(i16, i16)>,
    /// Version of the response's body, where a broker fell back to another than was asked for.
    pub response_version: Option<i16>,
    pub correlation_id: i32,
    /// The client id; `None` if it is null or unknown.
    pub client_id: Option<NameId>,
    pub request: Option<Message>,
    pub response: Option<Message>,
    /// Whether the request asks for an answer; a produce request without acks does not.
    pub answered: bool,
    /// Whether what is in its messages is known: topics, errors, records, problems.
    pub is_looked_into: bool,
    /// What became of it, as far as the capture has been read.
    pub status: Status,
    /// Topics of the request and the response.
    pub topics: ListId,
    /// Whether there are more topics than are kept.
    pub topics_cut: bool,
    /// Error codes of the response.
    pub errors: ListId,
    /// Records in the request and the response.
    pub records: u32,
    /// Things that are wrong with the two messages.
    pub problems: u32,
}

/// What became of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The request was answered in its turn.
    Answered,
    /// The request asks for no answer, and got none.
    NoResponseExpected,
    /// No answer came before the connection or the capture ended.
    Unanswered,
    /// No answer is in the capture, which lost bytes in which it may have been.
    ResponseNotCaptured,
    /// The answer came behind that to a later request, which brokers never do.
    Late,
    /// A second response with the correlation id of a request that was answered before.
    Duplicate,
    /// A response that nobody asked for.
    Unexpected,
    /// A response whose request is not in the capture, or cannot be told from others.
    RequestNotCaptured,
}

impl Status {
    pub const ALL: [Status; 8] = [
        Status::Answered,
        Status::NoResponseExpected,
        Status::Unanswered,
        Status::ResponseNotCaptured,
        Status::Late,
        Status::Duplicate,
        Status::Unexpected,
        Status::RequestNotCaptured,
    ];

    /// The name of the status in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Answered => "answered",
            Status::NoResponseExpected => "no-response-expected",
            Status::Unanswered => "unanswered",
            Status::ResponseNotCaptured => "response-not-captured",
            Status::Late => "late",
            Status::Duplicate => "duplicate",
            Status::Unexpected => "unexpected",
            Status::RequestNotCaptured => "request-not-captured",
        }
    }
}

impl Exchange {
    /// The message of one direction.
    pub fn message(&self, direction: Direction) -> Option<&Message> {
        match direction {
            Direction::Request => self.request.as_ref(),
            Direction::Response => self.response.as_ref(),
        }
    }

    /// Whether nothing more is to be expected: it has its response, or asks for none, and what is in
    /// its messages is known.
    pub fn is_complete(&self) -> bool {
        self.is_looked_into && (self.response.is_some() || !self.answered)
    }

    /// Nanoseconds from the last byte of the request to the first of the response.
    pub fn latency(&self) -> Option<i64> {
        Some(self.response?.time - self.request?.last_time)
    }

    /// Nanoseconds from the last byte of the request to the last of the response.
    pub fn latency_to_last(&self) -> Option<i64> {
        Some(self.response?.last_time - self.request?.last_time)
    }

    /// The time of its first byte, nanoseconds since 1970-01-01 UTC.
    pub fn time(&self) -> i64 {
        let message = self.request.or(self.response);
        message.map_or(0, |message| message.time)
    }
}

/// A request, a response or a token: where it lies and when it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it, and who got it.
    pub source: Endpoint,
    pub destination: Endpoint,
    /// When its first byte was captured, nanoseconds since 1970-01-01 UTC.
    pub time: i64,
    /// When its last byte was captured.
    pub last_time: i64,
    /// The packet with its first byte; counts from 1.
    pub packet: u64,
    /// Its length, with the size prefix.
    pub size: u32,
    /// How many of its bytes the capture holds.
    pub captured: u32,
    /// Where the others were never sent, or not taken: what ended the connection.
    pub ended: Option<Ended>,
    pub(super) place: Place,
    pub(super) last: Place,
    pub(super) seq: u32,
}

impl Message {
    /// The message of `extent`, which the client or the server of a connection sent.
    #[inline]
    pub(super) fn new(
        extent: Extent,
        connection: &Connection,
        direction: Direction,
    ) -> Option<Message> {
        let (source, destination) = match direction {
            Direction::Request => (connection.client, connection.server),
            Direction::Response => (connection.server, connection.client),
        };
        extent.is_some().then(|| Message {
            source,
            destination,
            ended: match extent.captured < extent.size {
                true => connection.ended(direction),
                false => None,
            },
            time: extent.time,
            last_time: extent.last_time,
            packet: extent.packet.into(),
            size: extent.size,
            captured: extent.captured,
            place: extent.place,
            last: extent.last,
            seq: extent.seq,
        })
    }

    /// Whether all of it is in one packet, so that `place` is that of its first byte.
    pub(super) fn is_in_one_packet(&self) -> bool {
        self.place.number().is_none() && (self.last.number().is_some() || self.last < self.place)
    }

    /// Whether the capture holds all of it.
    pub fn is_whole(&self) -> bool {
        self.captured == self.size
    }
}

/// What ended a connection inside a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its sender closed the connection.
    Closed,
    /// Its sender aborted the connection.
    Aborted,
    /// Who was to get it aborted the connection.
    Refused,
}

/// What was heard first on a connection that is not Kafka.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// The size that a broker takes four bytes for.
    pub size: i32,
    /// Whether it is the client who said it.
    pub is_clients: bool,
}

impl First {
    /// Who said it, on this connection.
    pub fn sender(self, connection: &Connection) -> Endpoint {
        match self.is_clients {
            true => connection.client,
            false => connection.server,
        }
    }
}

/// A TCP connection, Kafka or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The end that asks; while nobody knows, the one that connected or was heard first.
    pub client: Endpoint,
    pub server: Endpoint,
    /// How sure it is that this is Kafka, in percent; 0 if it is not, or not yet.
    pub confidence: u8,
    /// What it is instead; `None` for Kafka, and while it is undecided.
    pub protocol: Option<Protocol>,
    /// The first four bytes of a connection that is not Kafka.
    pub first: Option<First>,
    /// What is known of the TLS around it; `None` for one in clear, or whose beginning was not
    /// captured.
    pub tls: Option<TlsFacts>,
    /// Whether its beginning was captured.
    pub from_start: bool,
    /// Number of its exchanges.
    pub n_exchanges: u32,
    /// Bytes, losses and retransmissions of what the client sent (`a`) and the server (`b`).
    pub counts: Both<Counts>,
    pub(super) client_side: Side,
    /// The end that was the first to close it.
    pub(super) closed_by: Option<Side>,
}

impl Connection {
    /// What ended a direction of which no byte is missing. Nothing is known of what TLS hides.
    fn ended(&self, direction: Direction) -> Option<Ended> {
        let Both { a, b } = &self.counts;
        let (sender, receiver) = match direction {
            Direction::Request => (a, b),
            Direction::Response => (b, a),
        };
        if sender.lost > 0 || self.tls.is_some() {
            return None;
        }
        match (sender.close, receiver.close) {
            (Some(Close::Fin), _) => Some(Ended::Closed),
            (_, Some(Close::Reset)) => Some(Ended::Refused),
            (Some(Close::Reset), _) => Some(Ended::Aborted),
            (None, _) => None,
        }
    }

    /// Whether the server was the first to close it.
    pub fn is_closed_by_server(&self) -> bool {
        self.closed_by == Some(self.client_side.other())
    }

    /// Whether the client was the first to close it.
    pub fn is_closed_by_client(&self) -> bool {
        self.closed_by == Some(self.client_side)
    }

    /// Which of the two ends, in the order of their addresses, the client is held to be.
    pub fn client_side(&self) -> Side {
        self.client_side
    }
}
