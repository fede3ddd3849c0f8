//! The order in which packets are looked at: that of the inputs, unless their times contradict it.

use crate::capture::{Capture, Packet, Place, Step, Walk};

/// Interfaces and queues bring packets late by milliseconds, which the flows put right. What is
/// later than this was written in another order than it happened.
const LATE: i64 = 1_000_000_000;

/// This many late packets are no accident.
const N_LATE: u32 = 8;

/// More packets than this are not sorted: the order itself would take too much memory.
const MAX_SORTED: usize = 1 << 24;

/// The packets of a capture in the order in which they are looked at.
#[derive(Debug)]
pub(super) struct Order {
    walk: Walk,
    latest: i64,
    n_late: u32,
    sorted: Option<Sorted>,
    n_read: u64,
}

#[derive(Debug)]
struct Sorted {
    packets: Vec<(i64, Place, u32)>,
    next: usize,
}

impl Order {
    pub(super) fn new() -> Order {
        Order {
            walk: Walk::new(),
            latest: i64::MIN,
            n_late: 0,
            sorted: None,
            n_read: 0,
        }
    }

    /// The next packet.
    pub(super) fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        if let Some(sorted) = &mut self.sorted {
            return sorted.next(capture);
        }
        let step = self.walk.next(capture);
        if let Step::Packet(packet) = &step {
            self.n_read = packet.number;
            if packet.time < self.latest.saturating_sub(LATE) {
                self.n_late += 1;
            }
            self.latest = self.latest.max(packet.time);
        }
        step
    }

    /// Whether the packets so far are in such disorder that it is better to begin again by time.
    pub(super) fn is_disordered(&self, capture: &Capture) -> bool {
        self.sorted.is_none() && self.n_late >= N_LATE && capture.size().1
    }

    /// Goes back to the start, by time from now on; `false` if the capture is too large for that.
    pub(super) fn sort(&mut self, capture: &Capture) -> bool {
        // Whatever comes of it, this is not asked again.
        self.n_late = 0;
        self.latest = i64::MIN;
        let mut walk = Walk::new();
        let mut packets = Vec::new();
        while let Step::Packet(packet) = walk.next(capture) {
            if packets.len() >= MAX_SORTED {
                self.latest = i64::MIN;
                self.n_late = 0;
                return false;
            }
            packets.push((packet.time, packet.record, packet.number as u32));
        }
        // Stable, so that packets of the same time stay in the order of the file.
        packets.sort_by_key(|&(time, ..)| time);
        self.n_read = packets.len() as u64;
        self.walk = walk;
        self.sorted = Some(Sorted { packets, next: 0 });
        true
    }

    /// Bytes of the inputs that were read.
    pub(super) fn done(&self, capture: &Capture) -> u64 {
        match &self.sorted {
            // In packets it is exact enough.
            Some(sorted) => {
                let total = capture.size().0;
                let n_packets = sorted.packets.len().max(1) as u128;
                (u128::from(total) * sorted.next as u128 / n_packets) as u64
            }
            None => self.walk.done(capture),
        }
    }

    /// Number of packets that were read.
    pub(super) fn n_read(&self) -> u64 {
        self.n_read
    }

    /// What was found wrong with the inputs since this was last asked.
    pub(super) fn take_notes(&mut self) -> Vec<crate::capture::Note> {
        self.walk.take_notes()
    }
}

impl Sorted {
    fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        let Some(&(time, record, number)) = self.packets.get(self.next) else {
            return Step::End;
        };
        self.next += 1;
        match Walk::at(capture, record, number.into(), time).next(capture) {
            Step::Packet(packet) => Step::Packet(Packet { time, ..packet }),
            other => other,
        }
    }
}
