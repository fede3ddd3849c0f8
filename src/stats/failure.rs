//! Error codes on a timeline: the same one in a row is one event that counts.

use crate::session::Exchange;

/// An error code that answers to an API have, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    pub api: i16,
    pub code: i16,
    pub count: u64,
    /// Number of the last exchange with it, and the time of its answer.
    pub last: u32,
    pub last_time: i64,
}

impl Failure {
    /// The first with this code; `None` for what has no answer or whose API is not known.
    pub(super) fn of(exchange: &Exchange, code: i16) -> Option<Failure> {
        Some(Failure {
            api: exchange.api?.0,
            code,
            count: 1,
            last: exchange.n,
            last_time: exchange.response?.time,
        })
    }

    /// Counts one more, if it is the same; returns whether it is.
    pub(super) fn again(&mut self, next: &Failure) -> bool {
        let is_same = (self.api, self.code) == (next.api, next.code);
        if is_same {
            *self = Failure {
                count: self.count + next.count,
                ..*next
            };
        }
        is_same
    }
}
