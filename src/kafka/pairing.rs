//! Which response belongs to which request.
//!
//! Brokers answer the requests of a connection in their order, so the oldest request with the
//! response's correlation id is the one; ids may repeat, and proxies may answer out of order.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::{Ticket, limits};

/// A request, or a SASL token, that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) ticket: Ticket,
    pub(super) correlation_id: i32,
    /// API key and version; `None` for a token.
    pub(super) asked: Option<(i16, i16)>,
    /// No answer is expected, and some brokers send one all the same.
    pub(super) unasked: bool,
}

/// What waits, oldest first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Pending>,
}

impl Queue {
    pub(super) fn push(&mut self, pending: Pending) {
        let most = match self.waiting.front() {
            Some(first) if first.unasked => limits::MAX_UNASKED,
            _ => limits::MAX_PENDING,
        };
        if self.waiting.len() >= most {
            self.waiting.pop_front();
        }
        self.waiting.push_back(pending);
    }

    /// The oldest request with this correlation id.
    pub(super) fn find(&self, correlation_id: i32) -> Option<Pending> {
        self.position(correlation_id)
            .and_then(|idx| self.waiting.get(idx))
            .copied()
    }

    /// Takes the oldest request with this correlation id out.
    pub(super) fn take(&mut self, correlation_id: i32) -> Option<Pending> {
        let idx = self.position(correlation_id)?;
        let taken = self.waiting.remove(idx);
        // The broker has passed those that it was not to answer.
        for before in (0..idx).rev() {
            if self
                .waiting
                .get(before)
                .is_some_and(|pending| pending.unasked)
            {
                self.waiting.remove(before);
            }
        }
        if self.waiting.is_empty() && self.waiting.capacity() > 64 {
            self.waiting = VecDeque::new();
        }
        taken
    }

    /// Takes out the token that waits in front of everything else.
    pub(super) fn take_token(&mut self) -> Option<Pending> {
        self.waiting.pop_front_if(|pending| pending.asked.is_none())
    }

    pub(super) fn first(&self) -> Option<Pending> {
        self.waiting.front().copied()
    }

    /// The range of the correlation ids that wait.
    pub(super) fn ids(&self) -> Option<RangeInclusive<i32>> {
        let ids = || self.waiting.iter().map(|pending| pending.correlation_id);
        Some(ids().min()?..=ids().max()?)
    }

    fn position(&self, correlation_id: i32) -> Option<usize> {
        self.waiting
            .iter()
            .position(|pending| pending.asked.is_some() && pending.correlation_id == correlation_id)
    }
}
