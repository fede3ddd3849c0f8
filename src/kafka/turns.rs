//! Whose turn it is where correlation ids do not tell, and bytes are lost.
//!
//! A client may use one correlation id for all its requests, and send several before the first is
//! answered. The order of answers tells then, until responses are lost: the next one may answer
//! several of those that wait. Requests that are lost have their answers too. So there are several
//! possibilities; what comes in are responses, which prove those wrong that have them answer what
//! their bytes do not fit. What goes out is the request that a response answers in every
//! possibility that is left. How many messages can be lost is known from the bytes that are.
//!
//! Invariant: nothing is guessed. Where all requests are alike, as those of a consumer that only
//! fetches, the answers stay without them.

use std::collections::VecDeque;

use super::Ticket;
use super::limits::{LEAST_REQUEST, LEAST_RESPONSE, MAX_DOUBTED, MAX_IN_FLIGHT, MAX_POSSIBLE};
use super::pairing::Pending;

/// One possibility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    /// The first request from this ticket on that waits is next.
    from: u32,
    /// So many answers to requests that were lost in front of it have come.
    n_strange: u32,
}

/// Where requests are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Before the capture began.
    Start,
    /// From this offset on.
    From(u64),
}

/// Which requests can be answered next.
#[derive(Debug)]
pub(super) struct Turns {
    /// `None`: any.
    possible: Option<Vec<Turn>>,
    /// What was asked before this ticket is done with.
    floor: u32,
    /// Offset from which on responses are lost.
    lost_from: Option<u64>,
    /// Requests were lost since the last one.
    lost: Option<Lost>,
    /// What was asked by those that were answered last.
    recent: [Asked; N_RECENT],
}

/// API and version of a request.
type Asked = Option<(i16, i16)>;

/// Answered requests that are remembered: behind an answer that was taken for one to the next
/// request, those that follow are answers to these.
const N_RECENT: usize = 4;

impl Default for Turns {
    fn default() -> Turns {
        Turns {
            possible: Some(vec![Turn::default()]),
            floor: 0,
            lost_from: None,
            lost: None,
            recent: [None; N_RECENT],
        }
    }
}

/// How many requests may have been in so many lost bytes.
fn most_requests(n_bytes: u64) -> u32 {
    u32::try_from(n_bytes / LEAST_REQUEST).map_or(u32::MAX, |most| most.max(1))
}

impl Turns {
    /// Responses are lost from this offset on.
    pub(super) fn skip(&mut self, at: u64) {
        self.lost_from.get_or_insert(at);
    }

    /// Requests are lost.
    pub(super) fn lose(&mut self, lost: Lost) {
        self.lost.get_or_insert(lost);
    }

    /// How many requests at most were lost in front of the one at `at`, which comes next.
    pub(super) fn take_lost(&mut self, at: u64) -> u32 {
        match self.lost.take() {
            Some(Lost::From(from)) => most_requests(at.saturating_sub(from)),
            Some(Lost::Start) => MAX_IN_FLIGHT,
            None => 0,
        }
    }

    /// This was answered.
    pub(super) fn remember(&mut self, asked: Asked) {
        self.recent.rotate_right(1);
        if let Some(last) = self.recent.first_mut() {
            *last = asked;
        }
    }

    /// API and version of those that were answered last.
    pub(super) fn recent(&self) -> impl Iterator<Item = (i16, i16)> + '_ {
        self.recent.iter().flatten().copied()
    }

    /// Nothing that was believed of the order can be right: there are requests that nobody knows.
    pub(super) fn doubt(&mut self, waiting: &mut VecDeque<Pending>) {
        self.possible = None;
        if let Some(first) = waiting.iter_mut().find(|pending| self.waits(pending)) {
            first.n_lost = first.n_lost.max(MAX_IN_FLIGHT);
        }
    }

    /// The request that a response at `at` answers. `fits` tells whether it can be the answer to
    /// one.
    pub(super) fn take(
        &mut self,
        waiting: &mut VecDeque<Pending>,
        at: u64,
        mut fits: impl FnMut(&Pending) -> bool,
    ) -> Option<Ticket> {
        let (least, most) = match self.lost_from.take() {
            Some(from) if from < at => {
                let most = usize::try_from((at - from) / LEAST_RESPONSE);
                (
                    1,
                    most.map_or(MAX_POSSIBLE, |most| most.clamp(1, MAX_POSSIBLE)),
                )
            }
            _ => (0, 0),
        };
        let possible = self.possible.take().unwrap_or_else(|| {
            let all = waiting.iter().filter(|pending| self.waits(pending));
            let asked = all.filter(|pending| pending.since <= at);
            let turns = asked.map(|pending| Turn::at(pending.ticket.0));
            turns.take(MAX_DOUBTED + 1).collect()
        });
        if possible.len() > MAX_DOUBTED {
            return None;
        }
        let mut next: Vec<Turn> = Vec::new();
        let mut answered: Vec<Ticket> = Vec::new();
        let mut is_strange = false;
        for turn in possible {
            let first = waiting.partition_point(|pending| pending.ticket.0 < turn.from);
            let mut later = waiting.range(first..).filter(|pending| self.waits(pending));
            // Those whose answers were lost; an answer to what was lost may have been one.
            let n_lost = later.clone().next().map_or(0, |first| first.n_lost);
            let least = if n_lost > turn.n_strange { 0 } else { least };
            let mut turn = turn;
            for n_skipped in 0..=most {
                let pending = later.next();
                if n_skipped >= least {
                    let n_lost = match pending {
                        Some(pending) => pending.n_lost,
                        None if self.lost.is_some() => u32::MAX,
                        None => 0,
                    };
                    if turn.n_strange < n_lost {
                        is_strange = true;
                        next.push(Turn {
                            n_strange: turn.n_strange + 1,
                            ..turn
                        });
                    }
                    if let Some(pending) = pending
                        && pending.since <= at
                        && fits(pending)
                    {
                        answered.push(pending.ticket);
                        next.push(Turn::at(pending.ticket.0 + 1));
                    }
                }
                let Some(pending) = pending else {
                    break;
                };
                turn = Turn::at(pending.ticket.0 + 1);
            }
        }
        next.sort_unstable();
        next.dedup_by_key(|turn| turn.from);
        answered.sort_unstable_by_key(|ticket| ticket.0);
        answered.dedup();
        if next.is_empty() {
            self.doubt(waiting);
            return None;
        }
        if next.len() <= MAX_POSSIBLE {
            self.possible = Some(next);
        }
        let &[only] = answered.as_slice() else {
            return None;
        };
        if is_strange {
            return None;
        }
        self.floor = only.0 + 1;
        Some(only)
    }

    fn waits(&self, pending: &Pending) -> bool {
        pending.asked.is_some() && !pending.unasked && pending.ticket.0 >= self.floor
    }
}

impl Turn {
    fn at(from: u32) -> Turn {
        Turn { from, n_strange: 0 }
    }
}
