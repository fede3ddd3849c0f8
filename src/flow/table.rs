//! All connections of a capture.

use std::collections::HashMap;

use super::connection::Connection;
use super::key::{self, Key, Seed};
use super::{Both, End, FlowId, Receiver, limits};
use crate::net::{Flags, Segment};

/// Puts the segments of all connections in order.
#[derive(Debug, Default)]
pub struct Flows {
    current: HashMap<Key, FlowId, Seed>,
    flows: Vec<Slot>,
    /// The connection of the last segment: most segments follow one of the same connection.
    last: Option<(Key, FlowId)>,
    n_waiting: usize,
}

/// A connection by its number.
#[derive(Debug)]
enum Slot {
    Live(Box<Connection>),
    /// What comes of it now are echoes, and copies from another interface; a SYN with the same
    /// sequence number is one of them.
    Over {
        syns: Both<Option<u32>>,
    },
}

impl Flows {
    /// Nothing seen yet.
    pub fn new() -> Flows {
        Flows::default()
    }

    /// Number of runs that wait in all connections.
    pub fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// Takes a segment in.
    pub fn push(&mut self, segment: &Segment, to: &mut impl Receiver) {
        let (key, from) = key::key(segment.source, segment.destination);
        let id = match self.last {
            Some((last, id)) if last == key => Some(id),
            _ => self.current.get(&key).copied(),
        };
        let syn = segment.flags.has(Flags::SYN);
        let id = match id {
            Some(id) if syn && self.is_another(id, segment, from) => {
                self.finish(id, to);
                None
            }
            Some(id) => Some(id),
            None => None,
        };
        let id = match id {
            Some(id) => id,
            // Only the first word of a connection or payload makes one known: what else comes are
            // echoes of one that is over.
            None if syn || segment.payload.len > 0 || segment.missing > 0 => {
                self.open(key, segment, from, to)
            }
            None => return,
        };
        self.last = Some((key, id));
        let Some(Slot::Live(flow)) = self.flows.get_mut(id.idx()) else {
            return;
        };
        let grown = flow.segment(id, segment, from, to);
        self.n_waiting = self.n_waiting.saturating_add_signed(grown);
        if self.n_waiting > limits::WAITING_RUNS_IN_ALL {
            self.n_waiting = self.n_waiting.saturating_add_signed(flow.drain(id, to));
        }
        if flow.is_over() {
            self.finish(id, to);
        }
    }

    /// Delivers all that waits, as the capture has come to its end.
    pub fn finish_all(&mut self, to: &mut impl Receiver) {
        for idx in 0..self.flows.len() {
            self.finish(FlowId(idx as u32), to);
        }
        self.current = HashMap::default();
        self.last = None;
    }

    /// Whether a SYN is not of the connection that its ends are known to have: ports are reused.
    fn is_another(&self, id: FlowId, segment: &Segment, from: End) -> bool {
        let flow = match self.flows.get(id.idx()) {
            Some(Slot::Live(flow)) => flow,
            Some(Slot::Over { syns }) => return *syns.of(from) != Some(segment.seq),
            None => return true,
        };
        let half = flow.halves.of(from);
        match half.syn {
            Some(syn) => syn != segment.seq,
            None if !half.is_known() => half.close.is_some(),
            None => {
                // A SYN that was captured late comes right before the first byte.
                let first = half.seq(half.next - half.counts.bytes - half.counts.lost);
                first != segment.seq.wrapping_add(1)
            }
        }
    }

    fn open(&mut self, key: Key, segment: &Segment, from: End, to: &mut impl Receiver) -> FlowId {
        let id = FlowId(self.flows.len() as u32);
        self.flows.push(Slot::Live(Box::default()));
        self.current.insert(key, id);
        let initiator = segment.flags.has(Flags::SYN).then(|| {
            if segment.flags.has(Flags::ACK) {
                from.other()
            } else {
                from
            }
        });
        let ends = key::ends(segment.source, segment.destination, from);
        to.opened(id, ends, initiator);
        id
    }

    fn finish(&mut self, id: FlowId, to: &mut impl Receiver) {
        let Some(slot) = self.flows.get_mut(id.idx()) else {
            return;
        };
        let Slot::Live(flow) = slot else {
            return;
        };
        self.n_waiting = self.n_waiting.saturating_add_signed(flow.drain(id, to));
        let counts = flow.counts();
        *slot = Slot::Over {
            syns: Both {
                a: flow.halves.a.syn,
                b: flow.halves.b.syn,
            },
        };
        to.finished(id, counts);
    }
}
