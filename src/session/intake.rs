//! Packets in, segments out.
//!
//! What comes in is the order in which packets are read; what goes out are [`Haul`]s: the segments
//! of some packets with what was found wrong on the way. They are references into the capture.
//!
//! Not here: which segments belong together.

use std::time::Duration;

use crate::capture::{Capture, Note, Packet, Step};
use crate::net::{Reader, Segment, Unread, usual_segment};

use super::note::Disorder;
use super::order::{Order, Verdict};

/// The segments of some packets.
#[derive(Debug, Default)]
pub(super) struct Haul {
    pub(super) segments: Vec<Segment>,
    /// What was found wrong with the inputs.
    pub(super) notes: Vec<Note>,
    /// Packets that nobody can read.
    pub(super) unread: Vec<Unread>,
    /// Disorder that has to be told.
    pub(super) disorder: Option<Disorder>,
    /// The order in which packets are to be read, once that is certain.
    pub(super) verdict: Option<Verdict>,
    /// Packets and bytes of the inputs that were read so far.
    pub(super) n_read: u64,
    pub(super) done: u64,
    pub(super) more: More,
}

/// Whether there are more packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum More {
    #[default]
    Yes,
    /// A pipe has not delivered more yet.
    Later,
    No,
}

/// Packets of a haul: so many are worth handing on, and let others look at the index
/// every millisecond or two.
const PACKETS: usize = 2048;

/// Bytes of the packets of a haul, from which on no more are added.
const BYTES: usize = 256 << 10;

/// How often a pipe that brings nothing is asked whether anybody still wants more.
const PATIENCE: Duration = Duration::from_millis(100);

/// Reads packets.
pub(super) struct Intake<'a> {
    capture: &'a Capture,
    /// Ports of which one has to be an end's; empty for all.
    ports: &'a [u16],
    order: Order,
    reader: Reader,
    /// Whether there were more when packets were last read.
    more: More,
}

impl<'a> Intake<'a> {
    /// Reads the packets of `capture` in this order.
    pub(super) fn new(capture: &'a Capture, ports: &'a [u16], order: Order) -> Intake<'a> {
        Intake {
            capture,
            ports,
            order,
            reader: Reader::new(),
            more: More::Yes,
        }
    }

    pub(super) fn capture(&self) -> &'a Capture {
        self.capture
    }

    /// Reads some packets; waits a while for a pipe that had no more.
    pub(super) fn fill(&mut self, haul: &mut Haul) {
        haul.segments.clear();
        if self.more == More::Later {
            self.order.wait(self.capture, PATIENCE);
        }
        haul.more = More::Yes;
        let (mut n_packets, mut n_bytes) = (0, 0);
        let (capture, ports, reader) = (self.capture, self.ports, &mut self.reader);
        while n_packets < PACKETS && n_bytes < BYTES {
            self.order.run(capture, |packet| {
                n_packets += 1;
                n_bytes += packet.bytes.len();
                match usual_segment(packet) {
                    Some(segment) => haul.add(segment, ports),
                    None => haul.read(packet, reader, ports),
                }
                n_packets < PACKETS && n_bytes < BYTES
            });
            if n_packets >= PACKETS || n_bytes >= BYTES {
                break;
            }
            match self.order.next(capture) {
                Step::Packet(packet) => {
                    n_packets += 1;
                    n_bytes += packet.bytes.len();
                    haul.read(&packet, reader, ports);
                }
                Step::Pending => {
                    haul.more = More::Later;
                    break;
                }
                Step::End => {
                    haul.more = More::No;
                    break;
                }
            }
        }
        self.more = haul.more;
        haul.notes = self.order.take_notes();
        haul.unread = self.reader.take_unread();
        haul.disorder = self.order.take_disorder();
        haul.verdict = self.order.verdict(self.capture);
        haul.n_read = self.order.n_read();
        haul.done = self.order.done(self.capture);
    }
}

impl Haul {
    /// Adds what a packet brings, however unusual.
    fn read(&mut self, packet: &Packet<'_>, reader: &mut Reader, ports: &[u16]) {
        if let Some(segment) = reader.read(packet) {
            self.add(segment, ports);
            while let Some(segment) = reader.released() {
                self.add(segment, ports);
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, segment: Segment, ports: &[u16]) {
        let of_ends = [segment.source.port, segment.destination.port];
        if ports.is_empty() || of_ends.iter().any(|port| ports.contains(port)) {
            self.segments.push(segment);
        }
    }
}
