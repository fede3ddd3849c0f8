//! All connections of a capture.

use std::collections::HashMap;

use super::half::Half;
use super::key::{self, Key, Seed};
use super::waiting::Waiting;
use super::{Both, Close, Counts, End, FlowId, Lost, Piece, Place, Receiver, Run, limits};
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
    Live(Box<Flow>),
    /// What comes of it now are echoes, and copies from another interface; a SYN with the same
    /// sequence number is one of them.
    Over {
        syns: Both<Option<u32>>,
    },
}

/// One connection that segments may still come of.
#[derive(Debug, Default)]
struct Flow {
    halves: Both<Half>,
    n_packets: u32,
    /// Packets and time when it was first seen that bytes are missing.
    stalled: Option<(u32, i64)>,
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

impl Flow {
    fn counts(&self) -> Both<Counts> {
        Both {
            a: self.halves.a.counts,
            b: self.halves.b.counts,
        }
    }

    /// Whether both ends have said that nothing more comes, and all they sent was delivered.
    fn is_over(&self) -> bool {
        let over = |half: &Half| half.close == Some(Close::Fin);
        over(&self.halves.a) && over(&self.halves.b)
    }

    /// Takes a segment in; returns by how many runs more are waiting.
    fn segment(
        &mut self,
        id: FlowId,
        segment: &Segment,
        from: End,
        to: &mut impl Receiver,
    ) -> isize {
        self.n_packets = self.n_packets.wrapping_add(1);
        let mut seq = segment.seq;
        let ack = segment.flags.has(Flags::ACK).then_some(segment.ack);
        if let Some(ack) = ack {
            self.halves.of_mut(from.other()).acknowledge(ack);
        }
        let before = self.n_waiting();
        let ready = self.halves.of(from.other()).has_passed(ack);
        let half = self.halves.of_mut(from);
        half.seen = true;
        if segment.flags.has(Flags::SYN) {
            half.syn = Some(seq);
            seq = seq.wrapping_add(1);
        }
        half.know(seq);
        if segment.flags.has(Flags::RST) {
            // Whatever a reset carries is a text for people (RFC 9293 section 3.5.3).
            if half.close.is_none() {
                half.close = Some(Close::Reset);
                to.closed(id, from, Close::Reset);
            }
            return 0;
        }
        let len = segment.payload.len.saturating_add(segment.missing);
        let at = half.offset(seq);
        if segment.flags.has(Flags::FIN) {
            half.fin = Some(at + u64::from(len));
        }
        let in_order = at == half.next && half.waiting.len() == 0;
        if in_order && ready && self.stalled.is_none() {
            if segment.payload.len > 0 {
                half.data(id, from, segment.payload, to);
            }
            if segment.missing > 0 {
                half.gap(id, from, segment.missing.into(), Lost::SnapLength, to);
            }
            half.end(id, from, to);
            if self.halves.of(from.other()).has_acked_hole() {
                self.pump(id, segment.payload.time, to);
            }
            return 0;
        }
        if len > 0 {
            half.wait(id, from, at, segment, ack, to);
        }
        self.pump(id, segment.payload.time, to);
        self.n_waiting() as isize - before as isize
    }

    fn n_waiting(&self) -> usize {
        self.halves.a.waiting.len() + self.halves.b.waiting.len()
    }

    /// Delivers what can be delivered, and gives up holes that have waited long enough.
    fn pump(&mut self, id: FlowId, time: i64, to: &mut impl Receiver) {
        loop {
            let mut moved = false;
            for end in [End::A, End::B] {
                moved |= self.deliver(id, end, to);
            }
            if moved {
                self.stalled = None;
                continue;
            }
            if !self.is_stalled() {
                self.stalled = None;
                return;
            }
            let (packets, since) = *self.stalled.get_or_insert((self.n_packets, time));
            let late = self.n_packets.wrapping_sub(packets) >= limits::LATE_PACKETS
                && time.saturating_sub(since) >= limits::LATE_TIME;
            let full = [End::A, End::B].into_iter().any(|end| {
                let waiting = &self.halves.of(end).waiting;
                waiting.len() > limits::WAITING_RUNS || waiting.bytes() > limits::WAITING_BYTES
            });
            let acked = [End::A, End::B]
                .into_iter()
                .any(|end| self.halves.of(end).has_acked_hole());
            let long_acked =
                acked && self.n_packets.wrapping_sub(packets) >= limits::WAITING_RUNS as u32;
            if !(full || long_acked || late && acked) || !self.give_up(id, to) {
                return;
            }
            self.stalled = None;
        }
    }

    fn is_stalled(&self) -> bool {
        self.n_waiting() > 0 || self.halves.a.has_acked_hole() || self.halves.b.has_acked_hole()
    }

    /// Delivers everything; returns by how many runs fewer wait (as a negative number).
    fn drain(&mut self, id: FlowId, to: &mut impl Receiver) -> isize {
        let before = self.n_waiting();
        loop {
            let moved = self.deliver(id, End::A, to) | self.deliver(id, End::B, to);
            if !moved && !self.give_up(id, to) {
                break;
            }
        }
        self.stalled = None;
        self.n_waiting() as isize - before as isize
    }

    /// Delivers runs of one direction up to its next hole, or up to one that answers bytes of the
    /// other direction which have not been delivered.
    fn deliver(&mut self, id: FlowId, from: End, to: &mut impl Receiver) -> bool {
        let mut moved = false;
        loop {
            let peer = self.halves.of(from.other());
            let half = self.halves.of(from);
            let Some(run) = half.waiting.first().filter(|run| run.at <= half.next) else {
                break;
            };
            if !peer.has_passed(run.ack) {
                break;
            }
            let half = self.halves.of_mut(from);
            half.waiting.pop();
            moved = true;
            let Some(run) = run.part(half.next, run.end()) else {
                continue;
            };
            match run.piece {
                Some(piece) => half.data(id, from, piece, to),
                None => half.gap(id, from, run.len.into(), Lost::SnapLength, to),
            }
        }
        self.halves.of_mut(from).end(id, from, to) || moved
    }

    /// Turns the hole that keeps the most from being delivered into a gap.
    fn give_up(&mut self, id: FlowId, to: &mut impl Receiver) -> bool {
        // A hole whose bytes were acknowledged is a fact; one that was not may still be filled.
        let hole = |end: End| {
            let half = self.halves.of(end);
            half.behind_hole()
                .map(|until| (!half.has_acked_hole(), until - half.next, end, until))
        };
        let holes = [hole(End::A), hole(End::B)];
        if let Some((_, _, end, until)) = holes
            .into_iter()
            .flatten()
            .min_by_key(|&(open, len, ..)| (open, len))
        {
            let half = self.halves.of_mut(end);
            let len = until - half.next;
            half.gap(id, end, len, Lost::Segment, to);
            return true;
        }
        // No hole, and still something waits: for acknowledged bytes that never existed.
        for end in [End::A, End::B] {
            let half = self.halves.of_mut(end);
            if let Some(run) = half.waiting.pop() {
                half.release(run, id, end, to);
                return true;
            }
        }
        false
    }
}

impl Half {
    fn data(&mut self, id: FlowId, from: End, piece: Piece, to: &mut impl Receiver) {
        if !self.started {
            self.started = true;
            to.started(id, from, self.starts_whole());
        }
        let run = Run {
            piece,
            seq: self.seq(self.next),
        };
        self.remember(self.next, piece);
        self.next += u64::from(piece.len);
        self.counts.bytes += u64::from(piece.len);
        to.data(id, from, run);
    }

    fn gap(&mut self, id: FlowId, from: End, len: u64, lost: Lost, to: &mut impl Receiver) {
        // A FIN that was not captured takes a number but no byte.
        if !self.started {
            self.started = true;
            to.started(id, from, self.starts_whole());
        }
        self.next += len;
        self.counts.lost += len;
        self.counts.gaps += 1;
        to.gap(id, from, len, lost);
    }

    fn starts_whole(&self) -> bool {
        self.syn
            .is_some_and(|syn| self.seq(self.next) == syn.wrapping_add(1))
    }

    /// Passes the FIN if it is next.
    fn end(&mut self, id: FlowId, from: End, to: &mut impl Receiver) -> bool {
        if self.fin != Some(self.next) || self.close.is_some() {
            return false;
        }
        self.close = Some(Close::Fin);
        self.next += 1;
        to.closed(id, from, Close::Fin);
        true
    }

    fn release(&mut self, run: Waiting, id: FlowId, from: End, to: &mut impl Receiver) {
        let Some(run) = run.part(self.next, run.end()) else {
            return;
        };
        match run.piece {
            Some(piece) => self.data(id, from, piece, to),
            None => self.gap(id, from, run.len.into(), Lost::SnapLength, to),
        }
    }

    /// Puts the payload of a segment among what waits, as far as it is new.
    fn wait(
        &mut self,
        id: FlowId,
        from: End,
        at: u64,
        segment: &Segment,
        ack: Option<u32>,
        to: &mut impl Receiver,
    ) {
        let payload = segment.payload;
        let end = at + u64::from(payload.len);
        if at > self.next + limits::WINDOW {
            return;
        }
        if at < self.next {
            if !self.started
                && self.syn.is_none()
                && self.waiting.first().is_none_or(|run| at < run.at)
            {
                // The stream began before what was first seen of it.
                self.next = at;
            } else {
                self.repeat(id, from, at, payload, to);
            }
        }
        let mut conflict = false;
        let new = |at, len, piece| Waiting {
            at,
            len,
            piece,
            ack,
        };
        let data = new(at, payload.len, Some(payload)).part(self.next, u64::MAX);
        if let Some(run) = data {
            let grown = self.waiting.insert(run, |old, new| {
                if let (Some(old), Some(new)) = (old.piece, new.piece) {
                    conflict |= differ(old.place, new.place, old.len, to);
                }
            });
            self.counts.retransmits += u32::from(grown == 0);
        }
        if let Some(run) = new(end, segment.missing, None).part(self.next, u64::MAX) {
            self.waiting.insert(run, |_, _| {});
        }
        if conflict {
            self.counts.conflicts += 1;
            to.conflict(id, from, payload);
        }
    }

    /// Looks at bytes that were delivered before.
    fn repeat(&mut self, id: FlowId, from: End, at: u64, payload: Piece, to: &mut impl Receiver) {
        // A keep-alive probe repeats the last byte, with any value (RFC 9293 section 3.8.4).
        if payload.len <= 1 && at + 1 == self.next {
            return;
        }
        if at + u64::from(payload.len) <= self.next {
            self.counts.retransmits += 1;
        }
        let conflict = self
            .repeated(at, payload)
            .any(|(old, new, len)| differ(old, new, len, to));
        if conflict {
            self.counts.conflicts += 1;
            to.conflict(id, from, payload);
        }
    }
}

fn differ(old: Place, new: Place, len: u32, to: &impl Receiver) -> bool {
    old != new && to.bytes(old, len) != to.bytes(new, len)
}
