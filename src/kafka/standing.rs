//! How a response stands to the requests that are known.
//!
//! Invariant: what the capture does not show is not held against anybody. Only where every byte of
//! the client's stream led to a message is a response nobody asked for; only where no byte of the
//! broker's stream is lost behind a request has nobody answered it.

use super::Ticket;
use super::conversation::{Conversation, Mode};
use super::pairing::Pending;

/// How a response stands to the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It answers its request in its turn.
    InTurn,
    /// It comes behind the answer to a later request, which a broker never does: the order of
    /// answers is that of the requests.
    Late,
    /// A request with its correlation id was answered shortly before.
    Duplicate,
    /// Nobody asked: no request has its correlation id, or the one that has wants no answer.
    Unexpected,
    /// Its request was not captured, or which of several it answers cannot be told.
    Unknown,
}

/// Correlation ids that were answered last, and so many of them.
const N_RECENT: usize = 8;

/// The correlation ids that were answered last.
#[derive(Debug, Default)]
pub(super) struct Answered {
    ids: [i32; N_RECENT],
    n_ids: u32,
}

impl Answered {
    /// Notes an answer.
    pub(super) fn push(&mut self, correlation_id: i32) {
        if let Some(slot) = self.ids.get_mut(self.n_ids as usize % N_RECENT) {
            *slot = correlation_id;
        }
        // Where the count ends the next slot is the first one again, and all are full.
        self.n_ids = self.n_ids.checked_add(1).unwrap_or(N_RECENT as u32);
    }

    /// Whether the last two answers had the same correlation id.
    pub(super) fn repeats(&self) -> bool {
        let id = |back: u32| {
            let idx = self.n_ids.checked_sub(back)? as usize % N_RECENT;
            self.ids.get(idx)
        };
        id(1).is_some() && id(1) == id(2)
    }

    fn has(&self, correlation_id: i32) -> bool {
        let mut ids = self.ids.iter().take(self.n_ids as usize);
        ids.any(|&id| id == correlation_id)
    }
}

/// The standing of a response to `pending`.
pub(super) fn of_answer(pending: &Pending) -> Standing {
    match pending {
        pending if pending.unasked => Standing::Unexpected,
        pending if pending.overtaken => Standing::Late,
        _ => Standing::InTurn,
    }
}

/// The standing of a response that answers no request.
pub(super) fn of_bare(conversation: &Conversation, correlation_id: i32) -> Standing {
    let Some(client) = conversation.client else {
        return Standing::Unknown;
    };
    let requests = conversation.stream(client);
    let in_step = matches!(requests.mode, Mode::Framing | Mode::Ignored);
    if in_step && conversation.answered.has(correlation_id) && !conversation.pending.repeats() {
        Standing::Duplicate
    } else if requests.is_known() && !conversation.pending.repeats() {
        Standing::Unexpected
    } else {
        Standing::Unknown
    }
}

impl Conversation {
    /// The requests that wait for an answer which may have been among the bytes that were lost.
    pub fn unheard(&self) -> impl Iterator<Item = Ticket> {
        let server = self.client.map(|client| self.stream(client.other()));
        let lost_to = match server {
            Some(server) if server.at.is_some() && !server.untold => server.lost_to,
            _ => u64::MAX,
        };
        let waiting = self.pending.iter();
        waiting
            .filter(move |pending| !pending.unasked && pending.since < lost_to)
            .map(|pending| pending.ticket)
    }
}
