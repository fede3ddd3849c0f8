//! All connections of a capture.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::connection::Connection;
use super::half::{self, Syn};
use super::key::{self, Key, Seed};
use super::{Both, Close, End, Endpoint, FlowId, Receiver, limits};
use crate::net::{Flags, Segment};

/// Puts the segments of all connections in order.
#[derive(Debug, Default)]
pub struct Flows {
    current: HashMap<Key, FlowId, Seed>,
    flows: Vec<Slot>,
    /// Connections of the last segments, each at the place that its ports lead to: most segments
    /// follow one of the same connection.
    recent: [Option<Recent>; RECENT],
    n_waiting: usize,
    /// Connections that were aborted, and when.
    resets: VecDeque<(i64, FlowId)>,
    /// Both directions of a connection were captured.
    is_two_way: bool,
    /// When the first connection was seen.
    began: Option<i64>,
}

/// A connection by its ends, in the order of its key.
#[derive(Clone, Copy, Debug)]
struct Recent {
    ends: Both<Endpoint>,
    id: FlowId,
}

/// Connections that are found without their key.
const RECENT: usize = 32;

impl Recent {
    /// Where the connection of a segment would be among the recent ones.
    fn idx(segment: &Segment) -> usize {
        usize::from(segment.source.port ^ segment.destination.port) % RECENT
    }

    /// The connection and the sender of a segment, if it is this one.
    fn of(&self, segment: &Segment) -> Option<(FlowId, End)> {
        let Both { a, b } = &self.ends;
        let (from, to) = (&segment.source, &segment.destination);
        if from == a && to == b {
            Some((self.id, End::A))
        } else if from == b && to == a {
            Some((self.id, End::B))
        } else {
            None
        }
    }
}

/// Whether a number lies far outside of what a direction had.
fn is_far(number: u32, range: Option<Range<u32>>) -> bool {
    // Without a byte of this direction nothing speaks against the connection that is known.
    let Some(range) = range else {
        return false;
    };
    let len = range.end.wrapping_sub(range.start);
    let margin = limits::NEAR;
    let ahead = number.wrapping_sub(range.start.wrapping_sub(margin));
    ahead > len.saturating_add(2 * margin)
}

/// A connection by its number.
#[derive(Debug)]
enum Slot {
    Live(Box<Connection>),
    Over(Box<Past>),
}

/// What is kept of a connection that is over. What comes of it now are echoes, and copies from
/// another interface: a SYN with the same sequence number, or bytes near those that it had.
#[derive(Debug)]
struct Past {
    syns: Both<Option<Syn>>,
    ranges: Both<Option<Range<u32>>>,
    /// Whose packets were captured; of the others there are only acknowledgments.
    seen: Both<bool>,
    /// Who said that nothing more comes.
    ended: Both<bool>,
    /// How far each end was acknowledged, as far as that is known.
    acked: Both<Option<u32>>,
    /// Like [`Connection::heard`].
    heard: u32,
}

impl Past {
    /// Whether the payload of a segment is of another connection: it follows or acknowledges what
    /// is far from all that was said in this one.
    fn is_foreign(&self, segment: &Segment, from: End) -> bool {
        let range = |end: End| self.ranges.of(end).clone();
        let peer = from.other();
        segment.payload.len > 0
            && (is_far(segment.seq, range(from))
                || segment.flags.has(Flags::ACK)
                    && *self.seen.of(peer)
                    && is_far(segment.ack, range(peer))
                || self.is_past_end(segment, from)
                || self.is_replayed(segment, from))
    }

    /// Like [`Connection::is_past_end`].
    fn is_past_end(&self, segment: &Segment, from: End) -> bool {
        let end = self.ranges.of(from).as_ref().map(|range| range.end);
        *self.ended.of(from)
            && !segment.flags.has(Flags::RST)
            && end.is_some_and(|end| half::is_behind(end, segment.seq) || end == segment.seq)
    }

    /// Like [`Connection::is_replayed`].
    fn is_replayed(&self, segment: &Segment, from: End) -> bool {
        let range = self.ranges.of(from).clone();
        let acked = *self.acked.of(from.other());
        half::is_replayed(segment, range, acked, self.heard)
    }
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
        let recent = self.recent.get(Recent::idx(segment));
        let known = recent.and_then(|recent| recent.as_ref()?.of(segment));
        let (id, from) = match known {
            Some((id, from)) => (Some(id), from),
            None => {
                let (key, from) = key::key(segment.source, segment.destination);
                let id = self.current.get(&key).copied();
                self.remember(id, segment, from);
                (id, from)
            }
        };
        match id {
            Some(id) if self.is_next(id, segment, from) => self.deliver(id, segment, from, to),
            _ => self.place(id, segment, from, to),
        }
    }

    /// Takes in a segment that does not bring just what its connection lacks.
    fn place(&mut self, id: Option<FlowId>, segment: &Segment, from: End, to: &mut impl Receiver) {
        let (key, _) = key::key(segment.source, segment.destination);
        let syn = segment.flags.has(Flags::SYN);
        let id = match id {
            Some(id) if self.is_another(id, segment, from) => {
                self.finish(id, to);
                // That may have opened one for a stranger, which is over as well.
                if let Some(&next) = self.current.get(&key) {
                    self.finish(next, to);
                }
                None
            }
            Some(id) if self.is_strange(id, segment, from) => {
                let Some(first) = self.meet_stranger(id, segment) else {
                    return;
                };
                self.finish(id, to);
                self.push(&first, to);
                self.current.get(&key).copied()
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
        self.remember(Some(id), segment, from);
        self.deliver(id, segment, from, to);
    }

    /// Takes in a segment of a connection.
    #[inline]
    fn deliver(&mut self, id: FlowId, segment: &Segment, from: End, to: &mut impl Receiver) {
        let Some(Slot::Live(flow)) = self.flows.get_mut(id.idx()) else {
            return;
        };
        let grown = flow.segment(id, segment, from, to);
        self.is_two_way = self.is_two_way || flow.is_two_way();
        self.n_waiting = self.n_waiting.saturating_add_signed(grown);
        if self.n_waiting > limits::WAITING_RUNS_IN_ALL {
            self.n_waiting = self.n_waiting.saturating_add_signed(flow.drain(id, to));
        }
        if flow.is_over() {
            self.finish(id, to);
        } else if flow.is_reset() && segment.flags.has(Flags::RST) {
            self.resets.push_back((segment.payload.time, id));
        }
        // What was sent before a reset may be captured behind it, but not for long.
        while let Some(&(time, id)) = self.resets.front()
            && segment.payload.time.saturating_sub(time) >= limits::LATE_TIME
        {
            self.resets.pop_front();
            self.finish(id, to);
        }
    }

    /// Delivers all that waits, as the capture has come to its end.
    pub fn finish_all(&mut self, to: &mut impl Receiver) {
        let mut idx = 0;
        // What was strange to one connection is one of its own.
        while idx < self.flows.len() {
            self.finish(FlowId(idx as u32), to);
            idx += 1;
        }
        self.current = HashMap::default();
        self.resets.clear();
        self.recent = Default::default();
    }

    /// Notes which connection segments between these ends are of.
    fn remember(&mut self, id: Option<FlowId>, segment: &Segment, from: End) {
        if let Some(recent) = self.recent.get_mut(Recent::idx(segment)) {
            *recent = id.map(|id| Recent {
                ends: key::ends(segment.source, segment.destination, from),
                id,
            });
        }
    }

    /// Whether a segment brings just what its connection lacks, as most do.
    fn is_next(&self, id: FlowId, segment: &Segment, from: End) -> bool {
        match self.flows.get(id.idx()) {
            Some(Slot::Live(flow)) => flow.is_next(segment, from),
            _ => false,
        }
    }

    /// Whether a segment is not of the connection that its ends are known to have: ports are
    /// reused.
    fn is_another(&self, id: FlowId, segment: &Segment, from: End) -> bool {
        let syn = segment.flags.has(Flags::SYN);
        let flow = match self.flows.get(id.idx()) {
            Some(Slot::Live(flow)) if syn => flow,
            Some(Slot::Live(flow)) => {
                let is_far = |flow: &Connection| {
                    segment.payload.len > 0 && is_far(segment.seq, flow.halves.of(from).range())
                };
                return flow.is_reset() && is_far(flow)
                    || flow.is_past_end(segment, from)
                    || flow.is_replayed(segment, from);
            }
            Some(Slot::Over(past)) if syn => {
                return past.syns.of(from).is_none_or(|syn| !syn.is_copied(segment));
            }
            Some(Slot::Over(past)) => return past.is_foreign(segment, from),
            None => return true,
        };
        let half = flow.halves.of(from);
        match half.syn {
            // As long as nothing has come the end that was not heard repeats it.
            Some(syn) => syn.seq != segment.seq || half.counts.bytes > 0 && !syn.is_copied(segment),
            None if !half.is_known() => half.close.is_some(),
            // Nothing was delivered yet, and what waits lies right behind it.
            None if half.precedes(segment.seq.wrapping_add(1)) => false,
            None => {
                // A SYN that was captured late comes right before the first byte.
                let first = half.seq(half.first());
                first != segment.seq.wrapping_add(1)
            }
        }
    }

    /// Whether the numbers of a segment cannot be of the connection that is open: another one has
    /// taken its ports, and how that began was not captured. Bytes that were lost make one number
    /// far. Behind a silence, one that a sender never comes to says enough: what has it would be
    /// nowhere in the stream.
    fn is_strange(&self, id: FlowId, segment: &Segment, from: End) -> bool {
        let Some(Slot::Live(flow)) = self.flows.get(id.idx()) else {
            return false;
        };
        if !segment.flags.has(Flags::ACK) || segment.flags.has(Flags::SYN) {
            return false;
        }
        let (half, peer) = (flow.halves.of(from), flow.halves.of(from.other()));
        half.is_far(segment.seq) && peer.is_far(segment.ack)
            || (half.is_beyond(segment.seq) || peer.is_beyond(segment.ack))
                && !segment.flags.has(Flags::RST)
                && half::is_long_ago(flow.heard, segment.payload.time)
    }

    /// Keeps a segment that is strange to its connection, since one alone may be damaged; gives
    /// the one that was kept before if both are of the same conversation.
    fn meet_stranger(&mut self, id: FlowId, segment: &Segment) -> Option<Segment> {
        if segment.payload.len == 0 && segment.missing == 0 {
            return None;
        }
        let Some(Slot::Live(flow)) = self.flows.get_mut(id.idx()) else {
            return None;
        };
        let before = flow.stranger.replace(Box::new(*segment))?;
        let (seq, ack) = match before.source == segment.source {
            true => (before.seq, before.ack),
            false => (before.ack, before.seq),
        };
        let near = |a: u32, b: u32| (a.wrapping_sub(b) as i32).unsigned_abs() <= limits::NEAR;
        let is_same = near(seq, segment.seq) && near(ack, segment.ack);
        if is_same {
            flow.stranger = None;
        }
        is_same.then_some(*before)
    }

    fn open(&mut self, key: Key, segment: &Segment, from: End, to: &mut impl Receiver) -> FlowId {
        let id = FlowId(self.flows.len() as u32);
        let mut flow = Box::<Connection>::default();
        let time = segment.payload.time;
        let began = *self.began.get_or_insert(time);
        let initiator = match (segment.flags.has(Flags::SYN), segment.flags.has(Flags::ACK)) {
            (true, false) => Some(from),
            (true, true) => Some(from.other()),
            (false, _) => None,
        };
        // Where clocks of two interfaces differ answers come first. Whether a capture has both
        // directions is not known at its beginning.
        let may_be_two_way = self.is_two_way || time.saturating_sub(began) < limits::LATE_TIME;
        if may_be_two_way && initiator != Some(from) {
            flow.wait_for(from.other(), time);
        }
        self.flows.push(Slot::Live(flow));
        self.current.insert(key, id);
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
        let stranger = flow.stranger.take();
        *slot = Slot::Over(Box::new(Past {
            syns: Both {
                a: flow.halves.a.syn,
                b: flow.halves.b.syn,
            },
            ranges: Both {
                a: flow.halves.a.range(),
                b: flow.halves.b.range(),
            },
            seen: Both {
                a: flow.halves.a.seen,
                b: flow.halves.b.seen,
            },
            ended: Both {
                a: flow.halves.a.close == Some(Close::Fin),
                b: flow.halves.b.close == Some(Close::Fin),
            },
            acked: Both {
                a: flow.halves.a.acked_seq(),
                b: flow.halves.b.acked_seq(),
            },
            heard: flow.heard,
        }));
        to.finished(id, counts);
        if let Some(segment) = stranger {
            self.push(&segment, to);
        }
    }
}
