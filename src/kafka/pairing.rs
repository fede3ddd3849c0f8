//! Which response belongs to which request.
//!
//! Brokers answer the requests of a connection in their order, so the oldest request with the
//! response's correlation id is the one. Ids may repeat, and then a response that the capture lost
//! must not leave its request to the next response of the same id: requests that the broker has
//! passed come last. It has passed those in front of one that it has answered, the oldest one when
//! a response was lost, and where responses are being searched for, whatever a client that always
//! waits for one answer has asked before its next question. Proxies may answer out of order, so
//! what was passed can still be answered.
//!
//! Not here: what only the content of responses can tell (see `turns.rs`, `answering.rs`).

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::turns::{Lost, Turns};
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
    /// How far the other stream was known when this was asked; its answer lies behind.
    pub(super) since: u64,
    /// The broker has gone on to later ones.
    pub(super) passed: bool,
    /// A later request was answered before.
    pub(super) overtaken: bool,
    /// So many requests may be missing right in front of it.
    pub(super) n_lost: u32,
}

impl Pending {
    /// A token of SASL.
    pub(super) fn token(ticket: Ticket) -> Pending {
        Pending {
            ticket,
            correlation_id: 0,
            asked: None,
            unasked: false,
            since: 0,
            passed: false,
            overtaken: false,
            n_lost: 0,
        }
    }

    fn is_awaited(&self) -> bool {
        self.asked.is_some() && !self.unasked && !self.passed
    }
}

/// What waits, oldest first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Pending>,
    /// The client has asked again before it was answered.
    pipelines: bool,
    /// It has asked twice in a row by the same correlation id.
    repeats: bool,
    /// The correlation id of the last request.
    last_id: Option<i32>,
    /// Requests were lost before the first one.
    is_joined: bool,
    /// Where ids repeat and bytes are lost, who may be answered next; few connections need it.
    turns: Option<Box<Turns>>,
}

impl Queue {
    /// Adds what was asked last, at `at` of its stream; `in_step` unless responses are being
    /// searched for.
    pub(super) fn push(&mut self, mut pending: Pending, at: u64, in_step: bool) {
        let last_id = self.last_id;
        if pending.asked.is_some() {
            self.last_id = Some(pending.correlation_id);
            self.repeats |= self.last_id == last_id;
        }
        let turns = self.turns.as_deref_mut();
        pending.n_lost = turns.map_or(0, |turns| turns.take_lost(at));
        self.is_joined |= pending.n_lost > 0 && last_id.is_none();
        if self.waiting.back().is_some_and(Pending::is_awaited) {
            if in_step {
                if self.is_joined && !self.pipelines {
                    // It may have done so before the capture began, and be answered late.
                    let turns = self.turns.get_or_insert_default();
                    turns.doubt(&mut self.waiting);
                }
                self.pipelines = true;
            } else if !self.pipelines {
                let awaited = self.waiting.iter_mut().rev();
                awaited
                    .take_while(|pending| pending.is_awaited())
                    .for_each(|pending| pending.passed = true);
            }
        }
        let most = match self.waiting.front() {
            Some(first) if first.unasked => limits::MAX_UNASKED,
            _ => limits::MAX_PENDING,
        };
        if self.waiting.len() >= most {
            self.waiting.pop_front();
        }
        if self.waiting.capacity() == 0 {
            // Most clients never have a second one.
            self.waiting.reserve_exact(1);
        }
        self.waiting.push_back(pending);
    }

    /// The request that a response with this correlation id at `at` of its stream answers.
    pub(super) fn find(&self, correlation_id: i32, at: u64) -> Option<Pending> {
        self.position(correlation_id, at)
            .and_then(|idx| self.waiting.get(idx))
            .copied()
    }

    /// Whether anything waits for a response with this correlation id.
    pub(super) fn has(&self, correlation_id: i32) -> bool {
        self.position(correlation_id, u64::MAX).is_some()
    }

    /// Whether the client may ask again before it was answered.
    pub(super) fn pipelines(&self) -> bool {
        self.pipelines
    }

    /// Whether the client uses one correlation id for several requests.
    pub(super) fn repeats(&self) -> bool {
        self.repeats
    }

    /// Number of those that wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// What waits, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pending> {
        self.waiting.iter()
    }

    /// Requests are lost.
    pub(super) fn lose_requests(&mut self, lost: Lost) {
        self.turns.get_or_insert_default().lose(lost);
    }

    /// Responses are lost from the offset `at` on.
    pub(super) fn lose_responses(&mut self, at: u64) {
        self.turns.get_or_insert_default().skip(at);
    }

    /// The order in which requests were answered so far was not theirs.
    pub(super) fn doubt_order(&mut self) {
        self.pipelines = true;
        let turns = self.turns.get_or_insert_default();
        turns.doubt(&mut self.waiting);
    }

    /// Takes out the request whose turn it is by the order and the content of responses, for one
    /// at `at`.
    pub(super) fn take_turn(
        &mut self,
        at: u64,
        fits: impl FnMut(&Pending) -> bool,
    ) -> Option<Pending> {
        let turns = self.turns.get_or_insert_default();
        let ticket = turns.take(&mut self.waiting, at, fits)?;
        self.take_ticket(ticket)
    }

    /// API and version of those that were answered last.
    pub(super) fn recent(&self) -> impl Iterator<Item = (i16, i16)> + '_ {
        let turns = self.turns.iter();
        turns.flat_map(|turns| turns.recent())
    }

    /// Everything that a response with this correlation id at `at` may answer.
    pub(super) fn candidates(
        &self,
        correlation_id: i32,
        at: u64,
    ) -> impl DoubleEndedIterator<Item = &Pending> {
        self.waiting.iter().filter(move |pending| {
            pending.asked.is_some()
                && pending.correlation_id == correlation_id
                && pending.since <= at
                && !pending.unasked
        })
    }

    /// Takes out the request that a response with this correlation id at `at` answers.
    pub(super) fn take(&mut self, correlation_id: i32, at: u64) -> Option<Pending> {
        let idx = self.position(correlation_id, at)?;
        self.take_at(idx)
    }

    /// Takes out the request of that name.
    pub(super) fn take_ticket(&mut self, ticket: Ticket) -> Option<Pending> {
        let is_it = |pending: &Pending| pending.ticket == ticket;
        let idx = self.waiting.iter().position(is_it)?;
        let taken = self.take_at(idx)?;
        self.turns.get_or_insert_default().remember(taken.asked);
        Some(taken)
    }

    fn take_at(&mut self, idx: usize) -> Option<Pending> {
        let taken = self.waiting.remove(idx);
        // The broker has passed those before, for good if it was not to answer them.
        for before in (0..idx).rev() {
            match self.waiting.get_mut(before) {
                Some(pending) if pending.unasked => drop(self.waiting.remove(before)),
                Some(pending) if pending.overtaken => break,
                Some(pending) => {
                    pending.passed = pending.asked.is_some();
                    pending.overtaken = pending.passed;
                }
                None => {}
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

    /// A response was lost: that of the oldest request which was not passed yet.
    pub(super) fn pass_first(&mut self) {
        if let Some(first) = self.waiting.iter_mut().find(|pending| pending.is_awaited()) {
            first.passed = true;
        }
    }

    /// The oldest that was not passed, or the oldest of all.
    pub(super) fn first(&self) -> Option<Pending> {
        let awaited = self.waiting.iter().find(|pending| !pending.passed);
        awaited.or(self.waiting.front()).copied()
    }

    /// The range of the correlation ids that wait.
    pub(super) fn ids(&self) -> Option<RangeInclusive<i32>> {
        let ids = || self.waiting.iter().map(|pending| pending.correlation_id);
        Some(ids().min()?..=ids().max()?)
    }

    fn position(&self, correlation_id: i32, at: u64) -> Option<usize> {
        let (mut passed, mut unasked) = (None, None);
        for (idx, pending) in self.waiting.iter().enumerate() {
            let is_it = pending.asked.is_some() && pending.correlation_id == correlation_id;
            if !is_it || pending.since > at {
                continue;
            }
            if pending.unasked {
                // Whoever wants an answer goes first.
                unasked.get_or_insert(idx);
            } else if !pending.passed {
                return Some(idx);
            } else if !self.pipelines || passed.is_none() {
                passed = Some(idx);
            }
        }
        passed.or(unasked)
    }
}
