//! One direction of a connection: which of its bytes have been delivered and what is known of the
//! rest.

use std::ops::Range;

use super::limits::{LATE_TIME, NEAR, WINDOW};
use super::waiting::Queue;
use super::{Close, Piece, Place};
use crate::net::{Flags, Segment};

/// What happened to a direction, for those who want to know how good a capture is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets that were captured, with payload or without.
    pub packets: u64,
    /// Bytes that were delivered.
    pub bytes: u64,
    /// Bytes that the capture does not hold.
    pub lost: u64,
    /// Runs of lost bytes.
    pub gaps: u32,
    /// Segments that brought nothing new.
    pub retransmits: u32,
    /// Those of them that brought other bytes than the first copy.
    pub conflicts: u32,
    /// How its sender ended it; `None` too for a reset that bytes are missing before.
    pub close: Option<Close>,
}

/// Stream offsets start here, so that a stream that was joined in the middle can turn out to have
/// begun earlier.
const ORIGIN: u64 = 1 << 33;

/// Runs that were delivered last, kept to be compared with retransmissions.
const N_RECENT: usize = 3;

/// A run as it was delivered, in the least space that finds its bytes again.
#[derive(Clone, Copy, Debug, Default)]
struct Delivered {
    place: Place,
    /// The low half of the offset of its first byte.
    at: u32,
    len: u32,
}

/// The first word of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Syn {
    pub(super) seq: u32,
    /// When it was captured first, see [`millis`].
    pub(super) millis: u32,
}

impl Syn {
    /// One that was captured first at `time`.
    pub(super) fn new(seq: u32, time: i64) -> Syn {
        Syn {
            seq,
            millis: millis(time),
        }
    }

    /// Whether a segment is another copy of it, once what follows it has come. What repeats it
    /// much later is a connection that somebody plays again.
    pub(super) fn is_copied(self, segment: &Segment) -> bool {
        self.seq == segment.seq && !is_long_ago(self.millis, segment.payload.time)
    }
}

/// A time in milliseconds; they begin anew every seven weeks.
pub(super) fn millis(nanoseconds: i64) -> u32 {
    (nanoseconds / 1_000_000) as u32
}

/// An hour: clocks of other interfaces are behind by less. One that is ahead cannot be told from time
/// that has passed, so [`LATE_TIME`] is the bound for those.
const CLOCKS: u32 = 3_600_000;

/// Whether what was to follow then does not come late any more. Where `now` lies before it, it is the
/// time of a clock that is behind.
pub(super) fn is_long_ago(then: u32, now: i64) -> bool {
    let later = millis(now).wrapping_sub(then);
    (millis(LATE_TIME)..u32::MAX - CLOCKS).contains(&later)
}

/// Whether the number `a` comes before `b`.
pub(super) fn is_behind(a: u32, b: u32) -> bool {
    (b.wrapping_sub(a) as i32) > 0
}

/// Whether a segment is played again long after a direction was `heard` last: it brings only what
/// lies in the `range` of that direction, and knows less of the other end than `acked`.
pub(super) fn is_replayed(
    segment: &Segment,
    range: Option<Range<u32>>,
    acked: Option<u32>,
    heard: u32,
) -> bool {
    let (Some(range), Some(acked)) = (range, acked) else {
        return false;
    };
    let from_start = |number: u32| u64::from(number.wrapping_sub(range.start));
    let len = u64::from(segment.payload.len);
    segment.payload.len > 0
        && segment.flags.has(Flags::ACK)
        && !segment.flags.has_any(Flags::SYN.with(Flags::RST))
        && from_start(segment.seq) + len <= from_start(range.end)
        && is_behind(segment.ack, acked)
        && is_long_ago(heard, segment.payload.time)
}

#[derive(Debug)]
pub(super) struct Half {
    /// A packet of this direction was captured.
    pub(super) seen: bool,
    /// It will be captured, though nothing of it was seen yet.
    pub(super) awaited: bool,
    pub(super) syn: Option<Syn>,
    /// Sequence number that offset [`ORIGIN`] has; `None` before anything is known.
    origin: Option<u32>,
    /// Offset of the next byte to deliver.
    pub(super) next: u64,
    /// Something was delivered, so `next` can only grow.
    pub(super) started: bool,
    /// Offset up to which the other end has acknowledged.
    pub(super) acked: u64,
    /// Sequence number of the FIN.
    pub(super) fin: Option<u32>,
    pub(super) close: Option<Close>,
    pub(super) waiting: Queue,
    recent: [Delivered; N_RECENT],
    pub(super) counts: Counts,
}

impl Default for Half {
    fn default() -> Self {
        Half {
            seen: false,
            awaited: false,
            syn: None,
            origin: None,
            next: ORIGIN,
            started: false,
            acked: 0,
            fin: None,
            close: None,
            waiting: Queue::default(),
            recent: Default::default(),
            counts: Counts::default(),
        }
    }
}

impl Half {
    /// Whether anything is known of its sequence numbers.
    pub(super) fn is_known(&self) -> bool {
        self.origin.is_some()
    }

    /// The stream is first heard of with the byte of sequence number `seq`.
    pub(super) fn know(&mut self, seq: u32) {
        if self.origin.is_none() {
            self.origin = Some(seq);
        }
    }

    /// Whether nothing was delivered, and the byte with the number `seq` lies before what is known.
    pub(super) fn precedes(&self, seq: u32) -> bool {
        let offset = self.offset(seq);
        !self.started && offset <= self.next && self.next - offset <= u64::from(NEAR)
    }

    /// The first that is captured of a direction that was waited for has the number `seq`; what
    /// the other end had acknowledged before comes late.
    pub(super) fn arrive(&mut self, seq: u32) {
        if self.awaited && !self.seen && self.is_known() && self.precedes(seq) {
            self.next = self.offset(seq);
        }
    }

    /// The first byte ever is that with the number `seq`.
    pub(super) fn begin(&mut self, seq: u32) {
        if self.is_known() && self.precedes(seq) {
            self.next = self.offset(seq);
        }
    }

    /// Offset of the first byte that was delivered or lost.
    pub(super) fn first(&self) -> u64 {
        // A FIN takes a number.
        let fin = u64::from(self.close == Some(Close::Fin));
        self.next - self.counts.bytes - self.counts.lost - fin
    }

    /// Sequence numbers of what was delivered, losses and the FIN included; `None` before anything
    /// is known. Of a stream of 2 GiB and more it is the last part.
    pub(super) fn range(&self) -> Option<Range<u32>> {
        let len = (self.next - self.first()).min(u64::from(u32::MAX >> 1));
        self.origin?;
        let end = self.seq(self.next);
        Some(end.wrapping_sub(len as u32)..end)
    }

    /// Sequence number of the byte at `offset`.
    pub(super) fn seq(&self, offset: u64) -> u32 {
        self.origin
            .unwrap_or_default()
            .wrapping_add(offset.wrapping_sub(ORIGIN) as u32)
    }

    /// Offset of the byte with the sequence number `seq` that is nearest to the next one.
    pub(super) fn offset(&self, seq: u32) -> u64 {
        let ahead = seq.wrapping_sub(self.seq(self.next)) as i32;
        self.next.wrapping_add_signed(ahead.into())
    }

    /// Whether the number `seq` is far outside of what was sent, acknowledged or waits; `false`
    /// while nothing is known.
    pub(super) fn is_far(&self, seq: u32) -> bool {
        let offset = self.offset(seq);
        let low = self.first();
        let high = self.next.max(self.acked).max(self.waiting.end());
        let margin = u64::from(NEAR);
        self.is_known() && (offset + margin < low || offset > high + margin)
    }

    /// Whether the number `seq` is that of no byte which its sender may still send, or which would be
    /// taken for one: so far back that nothing is repeated, or further ahead than is believed.
    pub(super) fn is_beyond(&self, seq: u32) -> bool {
        let offset = self.offset(seq);
        let low = self.first().max(self.next.saturating_sub(WINDOW));
        let high = self.next.max(self.acked).max(self.waiting.end());
        self.is_known() && (offset + u64::from(NEAR) < low || offset > high + WINDOW)
    }

    /// The other end has acknowledged everything before `seq`.
    pub(super) fn acknowledge(&mut self, seq: u32) {
        if !self.is_known() {
            self.know(seq);
        }
        let offset = self.offset(seq);
        if offset > self.acked && offset < self.next + WINDOW {
            self.acked = offset;
        }
    }

    /// Sequence number up to which the other end has acknowledged, if it has.
    pub(super) fn acked_seq(&self) -> Option<u32> {
        (self.acked > 0).then(|| self.seq(self.acked))
    }

    /// Whether all was delivered that the other end had acknowledged when it said `ack`. Of a
    /// direction that the capture does not have nothing is waited for.
    pub(super) fn has_passed(&self, ack: Option<u32>) -> bool {
        ack.is_none_or(|ack| match (self.seen, self.awaited) {
            (true, _) => self.offset(ack) <= self.next,
            (false, is_awaited) => !is_awaited,
        })
    }

    /// Whether the other end has acknowledged bytes that were not delivered.
    pub(super) fn has_acked_hole(&self) -> bool {
        self.seen && self.acked > self.next
    }

    /// Offset at which something is delivered if the hole at `next` is given up.
    pub(super) fn behind_hole(&self) -> Option<u64> {
        let waiting = self.waiting.first().map(|run| run.at);
        let acked = self.has_acked_hole().then_some(self.acked);
        match (waiting, acked) {
            (Some(waiting), Some(acked)) => Some(waiting.min(acked)),
            (waiting, acked) => waiting.or(acked),
        }
        .filter(|&offset| offset > self.next)
    }

    /// Notes what was delivered.
    pub(super) fn remember(&mut self, at: u64, piece: Piece) {
        self.recent.rotate_right(1);
        if let Some(first) = self.recent.first_mut() {
            *first = Delivered {
                place: piece.place,
                at: at as u32,
                len: piece.len,
            };
        }
    }

    /// Bytes that `piece`, which starts at `at`, has in common with what was delivered, as far as
    /// that is remembered: where they were first, where they are now, how many.
    pub(super) fn repeated(
        &self,
        at: u64,
        piece: Piece,
    ) -> impl Iterator<Item = (Place, Place, u32)> + '_ {
        self.recent.iter().filter_map(move |old| {
            // What lies 4 GiB back is not repeated.
            let old_at = self.next - u64::from((self.next as u32).wrapping_sub(old.at));
            let from = at.max(old_at);
            let to = (at + u64::from(piece.len)).min(old_at + u64::from(old.len));
            let len = u32::try_from(to.checked_sub(from)?).ok()?;
            let (then, now) = (old.place.plus(from - old_at), piece.place.plus(from - at));
            (len > 0).then_some((then, now, len))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_long_ago_however_long_but_for_other_clocks() {
        let day = 86_400_000_000_000;
        let then = 20_000 * day;
        for (later, is_long) in [
            (0, false),
            (LATE_TIME - 1_000_000, false),
            (LATE_TIME, true),
            (30 * day, true),
            (49 * day, true),
            (-1_000_000_000, false),
        ] {
            assert_eq!(is_long_ago(millis(then), then + later), is_long, "{later}");
        }
    }
}
