//! The order in which packets are looked at: that of the inputs, unless their times contradict it.
//!
//! Which of the two is decided from nothing but the inputs themselves, so that every command counts
//! alike: packets are read as they were written until too many turn out to be late
//! ([`Order::is_disordered`]). Who wants to know before all are read has their times gone through
//! alone, which takes a fraction of the time ([`is_disordered`]). Inputs that may still grow, and
//! those that are too large, are never sorted; disorder in them is told
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
const MAX_SCANNED: u64 = 1 << 30;

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

    /// The next packet.
    pub(super) fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        match &mut self.reading {
            Reading::ByTime(sorted) => sorted.next(capture),
            Reading::AsWritten(walk) => {
                let step = walk.next(capture);
                if let Step::Packet(packet) = &step {
                    self.n_read = packet.number;
                    self.lateness.see(packet.number, packet.time);
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

    /// Whether so many packets were written late that it is better to read them by time.
    pub(super) fn is_disordered(&self) -> bool {
        self.lateness.is_disorder()
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
    size.is_some_and(|size| size <= MAX_SCANNED)
}

/// Whether reading all packets would find disorder; nothing is found out once nobody wants to know.
pub(super) fn is_disordered(capture: &Capture, is_wanted: impl Fn() -> bool) -> bool {
    let mut walk = Walk::new();
    let mut lateness = Lateness::default();
    while let Step::Packet(packet) = walk.next(capture) {
        if !is_wanted() {
            return false;
        }
        lateness.see(packet.number, packet.time);
        if lateness.is_disorder() {
            return true;
        }
    }
    false
}

/// How many packets come behind later ones.
#[derive(Debug)]
struct Lateness {
    latest: i64,
    n_late: u32,
    first: u64,
    is_told: bool,
}

impl Default for Lateness {
    fn default() -> Self {
        Lateness {
            latest: i64::MIN,
            n_late: 0,
            first: 0,
            is_told: false,
        }
    }
}

impl Lateness {
    fn see(&mut self, number: u64, time: i64) {
        if time < self.latest.saturating_sub(LATE) {
            if self.n_late == 0 {
                self.first = number;
            }
            self.n_late = self.n_late.saturating_add(1);
        }
        self.latest = self.latest.max(time);
    }

    fn is_disorder(&self) -> bool {
        self.n_late >= N_LATE
    }

    fn take(&mut self) -> Option<Disorder> {
        let is_news = self.is_disorder() && !self.is_told;
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
