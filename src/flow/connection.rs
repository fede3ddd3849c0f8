//! One connection: segments of both directions in, runs and gaps in causal order out.

use super::half::{self, Half, Syn, millis};
use super::waiting::Waiting;
use super::{Both, Close, Counts, End, FlowId, Lost, Piece, Place, Receiver, Run, limits};
use crate::net::{Flags, Segment};

/// One connection that segments may still come of.
#[derive(Debug, Default)]
pub(super) struct Connection {
    pub(super) halves: Both<Half>,
    n_packets: u32,
    /// Set apart, as few of thousands of connections lack anything.
    stalled: Option<Box<Stalled>>,
    /// Since when an end is waited for of which nothing was captured yet, if one is; see
    /// [`millis`].
    waits_since: u32,
    /// When the last segment came that did not lie wholly in front of what was delivered; see
    /// [`millis`].
    pub(super) heard: u32,
    /// The last segment whose numbers cannot be of this connection.
    pub(super) stranger: Option<Box<Segment>>,
}

/// When it was first seen that bytes are missing.
#[derive(Clone, Copy, Debug)]
struct Stalled {
    n_packets: u32,
    since: i64,
}

impl Connection {
    pub(super) fn counts(&self) -> Both<Counts> {
        Both {
            a: self.halves.a.counts,
            b: self.halves.b.counts,
        }
    }

    /// Whether both ends have said that nothing more comes, and all they sent was delivered.
    pub(super) fn is_over(&self) -> bool {
        let over = |half: &Half| half.close == Some(Close::Fin);
        over(&self.halves.a) && over(&self.halves.b)
    }

    /// Whether one end has aborted it.
    pub(super) fn is_reset(&self) -> bool {
        let reset = |half: &Half| half.close == Some(Close::Reset);
        reset(&self.halves.a) || reset(&self.halves.b)
    }

    /// Whether a segment brings bytes behind the last ones that its sender had to say: another
    /// connection has taken the ports, and how it began was not captured.
    pub(super) fn is_past_end(&self, segment: &Segment, from: End) -> bool {
        let half = self.halves.of(from);
        half.close == Some(Close::Fin)
            && segment.payload.len > 0
            && !segment.flags.has_any(Flags::SYN.with(Flags::RST))
            && half.offset(segment.seq) >= half.next
    }

    /// Whether a segment is of the same connection played again: it comes late, brings what is
    /// known, and knows less of the other end than its sender did. What a sender repeats says how
    /// much it has got by now.
    pub(super) fn is_replayed(&self, segment: &Segment, from: End) -> bool {
        let range = self.halves.of(from).range();
        let acked = self.halves.of(from.other()).acked_seq();
        half::is_replayed(segment, range, acked, self.heard)
    }

    /// Whether a segment neither opens nor ends anything and starts with the next byte of a
    /// direction: it is of this connection beyond doubt.
    pub(super) fn is_next(&self, segment: &Segment, from: End) -> bool {
        let half = self.halves.of(from);
        !segment.flags.has_any(Flags::SYN.with(Flags::RST))
            && !self.is_reset()
            && half.is_known()
            && half.seq(half.next) == segment.seq
            && (half.close.is_none() || segment.payload.len == 0)
    }

    /// Whether both directions were captured.
    pub(super) fn is_two_way(&self) -> bool {
        self.halves.a.seen && self.halves.b.seen
    }

    /// Nothing that answers `end` is delivered before it, for as long as anything may come late.
    pub(super) fn wait_for(&mut self, end: End, time: i64) {
        self.halves.of_mut(end).awaited = true;
        self.waits_since = millis(time);
    }

    fn waits(&self) -> bool {
        self.halves.a.awaited || self.halves.b.awaited
    }

    fn stop_waiting(&mut self) {
        self.halves.a.awaited = false;
        self.halves.b.awaited = false;
    }

    /// Takes a segment in; returns by how many runs more are waiting.
    pub(super) fn segment(
        &mut self,
        id: FlowId,
        segment: &Segment,
        from: End,
        to: &mut impl Receiver,
    ) -> isize {
        self.n_packets = self.n_packets.wrapping_add(1);
        if self.waits() && half::is_long_ago(self.waits_since, segment.payload.time) {
            self.stop_waiting();
        }
        let mut seq = segment.seq;
        let ack = segment.flags.has(Flags::ACK).then_some(segment.ack);
        if let Some(ack) = ack {
            self.halves.of_mut(from.other()).acknowledge(ack);
        }
        let before = self.n_waiting();
        let ready = self.halves.of(from.other()).has_passed(ack);
        let half = self.halves.of_mut(from);
        if !segment.flags.has(Flags::SYN) {
            half.arrive(seq);
        }
        half.seen = true;
        half.counts.packets += 1;
        if segment.flags.has(Flags::SYN) {
            half.syn = match half.syn {
                Some(syn) => Some(Syn { seq, ..syn }),
                None => Some(Syn::new(seq, segment.payload.time)),
            };
            seq = seq.wrapping_add(1);
            half.begin(seq);
        }
        half.know(seq);
        let len = segment.payload.len.saturating_add(segment.missing);
        if half.offset(seq) + u64::from(len) >= half.next {
            self.heard = millis(segment.payload.time);
        }
        if segment.flags.has(Flags::RST) {
            // Whatever a reset carries is a text for people (RFC 9293 section 3.5.3).
            if half.offset(seq) <= half.next {
                half.counts.close = Some(Close::Reset);
            }
            if half.close.is_none() {
                half.close = Some(Close::Reset);
                to.closed(id, from, Close::Reset);
            }
            return 0;
        }
        let at = half.offset(seq);
        if segment.flags.has(Flags::FIN) {
            half.fin = Some(half.seq(at + u64::from(len)));
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

    /// Whether what was missed then will not come any more.
    fn is_late(&self, stalled: Stalled, now: i64) -> bool {
        self.n_packets.wrapping_sub(stalled.n_packets) >= limits::LATE_PACKETS
            && now.saturating_sub(stalled.since) >= limits::LATE_TIME
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
            let n_packets = self.n_packets;
            let stalled = **self.stalled.get_or_insert_with(|| {
                Box::new(Stalled {
                    n_packets,
                    since: time,
                })
            });
            let late = self.is_late(stalled, time);
            let full = [End::A, End::B].into_iter().any(|end| {
                let waiting = &self.halves.of(end).waiting;
                waiting.len() > limits::WAITING_RUNS || waiting.bytes() > limits::WAITING_BYTES
            });
            let acked = [End::A, End::B]
                .into_iter()
                .any(|end| self.halves.of(end).has_acked_hole());
            let long_acked =
                acked && n_packets.wrapping_sub(stalled.n_packets) >= limits::WAITING_RUNS as u32;
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
    pub(super) fn drain(&mut self, id: FlowId, to: &mut impl Receiver) -> isize {
        let before = self.n_waiting();
        self.stop_waiting();
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
            .is_some_and(|syn| self.seq(self.next) == syn.seq.wrapping_add(1))
    }

    /// Passes the FIN if it is next.
    fn end(&mut self, id: FlowId, from: End, to: &mut impl Receiver) -> bool {
        if self.close.is_some() || self.fin != Some(self.seq(self.next)) {
            return false;
        }
        self.close = Some(Close::Fin);
        self.counts.close = Some(Close::Fin);
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
