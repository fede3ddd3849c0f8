//! The order in which packets are looked at: that of the inputs, unless their times contradict it.
//!
//! Which of the two is decided before the first packet is looked at, so that an exchange never
//! changes its number, and from nothing but the inputs themselves, so that every command counts
//! alike. Inputs that may still grow, and those that are too large, are never sorted; disorder in
//! them is noticed on the way ([`Order::take_disorder`]).

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
    /// Decides, from the times of all packets where the inputs are complete and small enough. To
    /// be asked once [`Capture::is_settled`] says so.
    pub(super) fn decide(capture: &Capture) -> Order {
        let reading = match capture.settled_size() {
            Some(size) if size <= MAX_SCANNED && is_disordered(capture) => Sorted::new(capture),
            _ => None,
        };
        Order {
            n_read: 0,
            lateness: Lateness::default(),
            reading: reading.map_or_else(|| Reading::AsWritten(Walk::new()), Reading::ByTime),
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

    /// Disorder in packets that are read as they were written, once.
    pub(super) fn take_disorder(&mut self) -> Option<Disorder> {
        self.lateness.take()
    }
}

/// Whether so many packets were written late that it is better to read them by time.
fn is_disordered(capture: &Capture) -> bool {
    let mut walk = Walk::new();
    let mut lateness = Lateness::default();
    while let Step::Packet(packet) = walk.next(capture) {
        lateness.see(packet.number, packet.time);
        if lateness.n_late >= N_LATE {
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
