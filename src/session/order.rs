//! The order in which packets are looked at: that of the inputs, unless their times contradict it.
//!
//! Which of the two is decided from nothing but the inputs themselves, so that every command counts
//! alike: packets are read as they were written until too many in the front of the inputs turn out
//! to be late ([`Order::verdict`]). Who does not want to wait for that has their times gone through
//! alone, which takes a fraction of the time ([`foresee`]). Inputs that may still grow, and those
//! that are too large, are never sorted; disorder in them, and behind the front of others, is told
//! ([`Order::take_disorder`]).

use std::time::Duration;

use crate::capture::{Capture, Packet, Place, Step, Walk};

use super::note::Disorder;

/// Interfaces and queues bring packets late by milliseconds, which the flows put right. What is
/// later than this was written in another order than it happened.
const LATE: i64 = 1_000_000_000;

/// This many late packets are no accident.
const N_LATE: u32 = 8;

/// Larger inputs are not sorted: to read all times first would take as long as people wait.
const MAX_SORTED_BYTES: u64 = 1 << 30;

/// Disorder has to show in so many bytes at the front of the inputs: whoever asks for the first
/// exchange waits until they have been looked at, a twentieth of a second.
const FRONT: u64 = 128 << 20;

/// More packets than this are not sorted: the order itself would take too much memory.
const MAX_SORTED: usize = 1 << 24;

/// The packets of a capture in the order in which they are looked at.
#[derive(Debug)]
pub(super) struct Order {
    reading: Reading,
    lateness: Lateness,
    n_read: u64,
}

#[derive(Debug)]
enum Reading {
    AsWritten(Walk),
    ByTime(Sorted),
}

impl Order {
    /// As the packets were written.
    pub(super) fn as_written() -> Order {
        Order::new(Reading::AsWritten(Walk::new()))
    }

    /// By time, or as they were written if there are too many packets for that.
    pub(super) fn by_time(capture: &Capture) -> Order {
        Sorted::new(capture).map_or_else(Order::as_written, |sorted| {
            Order::new(Reading::ByTime(sorted))
        })
    }

    fn new(reading: Reading) -> Order {
        Order {
            n_read: 0,
            lateness: Lateness::default(),
            reading,
        }
    }

    /// Hands the next packets to `take` for as long as it wants more and nothing is unusual: the
    /// same that [`Order::next`] would find, see [`Walk::run`].
    #[inline]
    pub(super) fn run<'a>(
        &mut self,
        capture: &'a Capture,
        mut take: impl FnMut(&Packet<'a>) -> bool,
    ) {
        let Reading::AsWritten(walk) = &mut self.reading else {
            return;
        };
        walk.run(capture, |packet, done| {
            self.n_read = packet.number;
            self.lateness.see(packet, || done);
            take(packet)
        });
    }

    /// The next packet.
    pub(super) fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        match &mut self.reading {
            Reading::ByTime(sorted) => sorted.next(capture),
            Reading::AsWritten(walk) => {
                let step = walk.next(capture);
                if let Step::Packet(packet) = &step {
                    self.n_read = packet.number;
                    self.lateness.see(packet, || walk.done());
                }
                step
            }
        }
    }

    /// Bytes of the inputs that were read.
    pub(super) fn done(&self, capture: &Capture) -> u64 {
        match &self.reading {
            // In packets it is exact enough.
            Reading::ByTime(sorted) => {
                let total = capture.size().0;
                let n_packets = sorted.packets.len().max(1) as u128;
                (u128::from(total) * sorted.next as u128 / n_packets) as u64
            }
            Reading::AsWritten(walk) => walk.done(),
        }
    }

    /// Waits until there may be more packets, or the time is over.
    pub(super) fn wait(&self, capture: &Capture, longest: Duration) {
        if let Reading::AsWritten(walk) = &self.reading {
            walk.wait(capture, longest);
        }
    }

    /// Number of packets that were read.
    pub(super) fn n_read(&self) -> u64 {
        match &self.reading {
            Reading::ByTime(sorted) => sorted.packets.len() as u64,
            Reading::AsWritten(_) => self.n_read,
        }
    }

    /// What was found wrong with the inputs since this was last asked.
    pub(super) fn take_notes(&mut self) -> Vec<crate::capture::Note> {
        match &mut self.reading {
            Reading::ByTime(sorted) => sorted.walk.take_notes(),
            Reading::AsWritten(walk) => walk.take_notes(),
        }
    }

    /// The order in which the packets are to be read, once that is certain.
    pub(super) fn verdict(&self, capture: &Capture) -> Option<Verdict> {
        match self.lateness.is_early {
            true => Some(Verdict::ByTime),
            false => (self.done(capture) > FRONT).then_some(Verdict::AsWritten),
        }
    }

    /// Disorder in packets that are read as they were written, once.
    pub(super) fn take_disorder(&mut self) -> Option<Disorder> {
        self.lateness.take()
    }
}

/// Whether packets may be read by time: the inputs are complete and small enough. To be asked once
/// [`Capture::is_settled`] says so.
pub(super) fn may_be_sorted(capture: &Capture) -> bool {
    let size = capture.settled_size();
    size.is_some_and(|size| size <= MAX_SORTED_BYTES)
}

/// The verdict that reading the packets will come to; `None` once nobody wants to know.
pub(super) fn foresee(capture: &Capture, is_wanted: impl Fn() -> bool) -> Option<Verdict> {
    let mut walk = Walk::new();
    let mut lateness = Lateness::default();
    while let Step::Packet(packet) = walk.next(capture) {
        if !is_wanted() {
            return None;
        }
        lateness.see(&packet, || walk.done());
        if lateness.is_early {
            return Some(Verdict::ByTime);
        }
        // Of many files it is a sum, and no packet behind the front changes anything.
        if packet.number.is_multiple_of(1024) && walk.done() > FRONT {
            break;
        }
    }
    Some(Verdict::AsWritten)
}

/// The order in which packets are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    AsWritten,
    ByTime,
}

/// How many packets come behind later ones.
#[derive(Debug)]
struct Lateness {
    latest: i64,
    n_late: u32,
    first: u64,
    /// There are too many in the front of the inputs.
    is_early: bool,
    is_told: bool,
}

impl Default for Lateness {
    fn default() -> Self {
        Lateness {
            latest: i64::MIN,
            n_late: 0,
            first: 0,
            is_early: false,
            is_told: false,
        }
    }
}

impl Lateness {
    /// Looks at the next packet; `done` bytes of the inputs were read with it.
    #[inline]
    fn see(&mut self, packet: &Packet<'_>, done: impl Fn() -> u64) {
        if packet.time < self.latest.saturating_sub(LATE) {
            if self.n_late == 0 {
                self.first = packet.number;
            }
            self.n_late = self.n_late.saturating_add(1);
            self.is_early |= self.n_late == N_LATE && done() <= FRONT;
        }
        self.latest = self.latest.max(packet.time);
    }

    fn take(&mut self) -> Option<Disorder> {
        let is_news = self.n_late >= N_LATE && !self.is_told;
        self.is_told |= is_news;
        is_news.then_some(Disorder { packet: self.first })
    }
}

/// Packets by their times, each with its header and its number.
#[derive(Debug)]
struct Sorted {
    packets: Vec<(i64, Place, u32)>,
    next: usize,
    /// The walk that found them, with what it had to say.
    walk: Walk,
}

impl Sorted {
    /// `None` if there are too many packets.
    fn new(capture: &Capture) -> Option<Sorted> {
        let mut walk = Walk::new();
        let mut packets = Vec::new();
        while let Step::Packet(packet) = walk.next(capture) {
            if packets.len() >= MAX_SORTED {
                return None;
            }
            packets.push((packet.time, packet.header, packet.number as u32));
        }
        // Stable, so that packets of the same time stay in the order of the file.
        packets.sort_by_key(|&(time, ..)| time);
        Some(Sorted {
            packets,
            next: 0,
            walk,
        })
    }

    fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        let Some(&(time, header, number)) = self.packets.get(self.next) else {
            return Step::End;
        };
        self.next += 1;
        let number = u64::from(number);
        match Walk::at(capture, header, number, time).next(capture) {
            Step::Packet(packet) => Step::Packet(Packet {
                time,
                record: match capture.is_merged() {
                    true => Place::numbered(number),
                    false => header,
                },
                ..packet
            }),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::LinkType;

    /// Looks at as many packets as are no accident, each two seconds before the first; the last of
    /// them ends at byte `done`.
    fn late(done: u64) -> Lateness {
        let mut lateness = Lateness::default();
        for number in 1..=1 + u64::from(N_LATE) {
            let packet = Packet {
                number,
                number_in_file: number,
                time: if number == 1 { 2 * LATE } else { 0 },
                link: LinkType(1),
                bytes: &[],
                original_len: 0,
                record: Place::default(),
                header: Place::default(),
                place: Place::default(),
            };
            lateness.see(&packet, || done);
        }
        lateness
    }

    #[test]
    fn disorder_counts_in_the_front_and_is_told_wherever_it_is() {
        let mut early = late(FRONT);
        assert!(early.is_early);
        let mut later = late(FRONT + 1);
        assert!(!later.is_early);
        for lateness in [&mut early, &mut later] {
            assert_eq!(lateness.take(), Some(Disorder { packet: 2 }));
            assert_eq!(lateness.take(), None);
        }
    }
}
