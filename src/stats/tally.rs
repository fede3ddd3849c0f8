//! What is counted of a set of exchanges.

use super::Latencies;
use crate::{
    schema::ApiKey,
    session::{Exchange, Index},
};

/// Sums over the exchanges of a row.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub exchanges: u64,
    /// Bytes of whole messages with their size prefixes, whether or not the capture holds all of
    /// them.
    pub request_bytes: u64,
    pub response_bytes: u64,
    /// Records in produce requests.
    pub produced: u64,
    /// Records in all other messages, which are fetched ones.
    pub fetched: u64,
    /// Requests that ask for an answer and have none in the capture.
    pub unanswered: u64,
    /// Exchanges whose response holds an error code.
    pub errors: u64,
    /// Exchanges with a message that is not what the protocol says.
    pub malformed: u64,
    /// Numbers of the first and the last of the exchanges.
    pub first: u32,
    pub last: u32,
    /// Of the exchanges whose request and response were captured.
    pub latency: Latencies,
}

/// Records of an exchange that belong to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    pub(super) produced: u64,
    pub(super) fetched: u64,
}

impl Records {
    /// All records of an exchange.
    pub(super) fn of(exchange: &Exchange) -> Records {
        Records::counted(exchange, exchange.records.into())
    }

    /// So many records of an exchange.
    pub(super) fn counted(exchange: &Exchange, n: u64) -> Records {
        match exchange.api {
            Some((key, _)) if ApiKey(key) == ApiKey::PRODUCE => Records {
                produced: n,
                fetched: 0,
            },
            _ => Records {
                produced: 0,
                fetched: n,
            },
        }
    }
}

impl Tally {
    /// Adds an exchange with all of its records.
    pub(super) fn add(&mut self, index: &Index, exchange: &Exchange) {
        self.add_part(exchange, Records::of(exchange), has_error(index, exchange));
    }

    /// Adds an exchange of which only some records, and maybe none of the errors, belong here.
    pub(super) fn add_part(&mut self, exchange: &Exchange, records: Records, has_error: bool) {
        if self.exchanges == 0 {
            self.first = exchange.n;
        }
        self.last = exchange.n;
        self.exchanges += 1;
        self.request_bytes += exchange.request.map_or(0, |message| message.size.into());
        self.response_bytes += exchange.response.map_or(0, |message| message.size.into());
        self.produced += records.produced;
        self.fetched += records.fetched;
        self.unanswered += u64::from(is_unanswered(exchange));
        self.errors += u64::from(has_error);
        self.malformed += u64::from(exchange.problems > 0);
        if let Some(nanos) = exchange.latency() {
            self.latency.add(nanos);
        }
    }

    /// Bytes of requests and responses.
    pub fn bytes(&self) -> u64 {
        self.request_bytes + self.response_bytes
    }
}

/// Whether the request asks for an answer that the capture does not hold.
pub fn is_unanswered(exchange: &Exchange) -> bool {
    exchange.request.is_some() && exchange.response.is_none() && exchange.answered
}

/// Whether the response holds an error code.
pub(super) fn has_error(index: &Index, exchange: &Exchange) -> bool {
    !index.errors(exchange).is_empty()
}
