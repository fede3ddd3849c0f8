//! Packets in, segments out, on a thread of its own beside the one that makes exchanges of them.
//!
//! What comes in is the order in which packets are read; what goes out are [`Haul`]s: the segments
//! of some packets with what was found wrong on the way. They are references into the capture, and
//! a few hauls at most are under way, so that the pages of the capture that were brought in are
//! still there when what is in them is looked at.
//!
//! Not here: which segments belong together.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use crate::capture::{Capture, Note, Step};
use crate::net::{Reader, Segment};

use super::note::Disorder;
use super::order::{Order, Verdict};

/// The segments of some packets.
#[derive(Debug, Default)]
pub(super) struct Haul {
    pub(super) segments: Vec<Segment>,
    /// What was found wrong with the inputs.
    pub(super) notes: Vec<Note>,
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

/// Packets of a haul: so many are worth waking the other thread, and let others look at the index
/// every millisecond or two.
const PACKETS: usize = 2048;

/// Bytes of the packets of a haul, from which on no more are added.
const BYTES: usize = 256 << 10;

/// Hauls that wait for the other thread at most, beside the one that it works on.
const WAITING: usize = 2;

/// How often a pipe that brings nothing is asked whether anybody still wants more.
const PATIENCE: Duration = Duration::from_millis(100);

/// Reads packets.
pub(super) struct Intake<'a> {
    capture: &'a Capture,
    /// Ports of which one has to be an end's; empty for all.
    ports: &'a [u16],
    order: Order,
    reader: Reader,
}

/// Where hauls come from.
pub(super) enum Supply<'a> {
    /// They are made when they are asked for.
    Here(Box<Intake<'a>>, Haul),
    There {
        hauls: Receiver<Haul>,
        /// Hauls to be used again.
        spare: Sender<Haul>,
    },
}

/// The other end of a supply.
pub(super) struct Demand<'a> {
    intake: Intake<'a>,
    hauls: SyncSender<Haul>,
    spare: Receiver<Haul>,
}

impl<'a> Intake<'a> {
    /// Reads the packets of `capture` in this order.
    pub(super) fn new(capture: &'a Capture, ports: &'a [u16], order: Order) -> Intake<'a> {
        Intake {
            capture,
            ports,
            order,
            reader: Reader::new(),
        }
    }

    /// A supply of what is read when it is asked for.
    pub(super) fn here(self) -> Supply<'a> {
        Supply::Here(Box::new(self), Haul::default())
    }

    /// A supply of what another thread reads, which has to run its end.
    pub(super) fn there(self) -> (Supply<'a>, Demand<'a>) {
        let (sender, hauls) = sync_channel(WAITING);
        let (spare, used) = channel();
        let demand = Demand {
            intake: self,
            hauls: sender,
            spare: used,
        };
        (Supply::There { hauls, spare }, demand)
    }

    fn fill(&mut self, haul: &mut Haul) {
        haul.segments.clear();
        haul.more = More::Yes;
        let mut n_bytes = 0;
        for _ in 0..PACKETS {
            if n_bytes >= BYTES {
                break;
            }
            match self.order.next(self.capture) {
                Step::Packet(packet) => {
                    n_bytes += packet.bytes.len();
                    if let Some(segment) = self.reader.read(&packet) {
                        self.add(segment, haul);
                        while let Some(segment) = self.reader.released() {
                            self.add(segment, haul);
                        }
                    }
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
        haul.notes = self.order.take_notes();
        haul.disorder = self.order.take_disorder();
        haul.verdict = self.order.verdict(self.capture);
        haul.n_read = self.order.n_read();
        haul.done = self.order.done(self.capture);
    }

    fn add(&self, segment: Segment, haul: &mut Haul) {
        let ports = [segment.source.port, segment.destination.port];
        if self.ports.is_empty() || ports.iter().any(|port| self.ports.contains(port)) {
            haul.segments.push(segment);
        }
    }

    fn wait(&self) {
        self.order.wait(self.capture, PATIENCE);
    }
}

impl Demand<'_> {
    /// Reads until there is no more, or nobody wants more.
    pub(super) fn run(mut self) {
        loop {
            let mut haul = self.spare.try_recv().unwrap_or_default();
            self.intake.fill(&mut haul);
            let more = haul.more;
            if self.hauls.send(haul).is_err() || more == More::No {
                return;
            }
            if more == More::Later {
                self.intake.wait();
            }
        }
    }
}

impl Supply<'_> {
    /// The next haul; `None` where there is none. It waits a while for a pipe.
    pub(super) fn next(&mut self) -> Option<Haul> {
        match self {
            Supply::Here(intake, haul) => {
                if haul.more == More::Later {
                    intake.wait();
                }
                intake.fill(haul);
                Some(std::mem::take(haul))
            }
            // Without a sender all was read.
            Supply::There { hauls, .. } => hauls.recv().ok(),
        }
    }

    /// Takes a haul back that was looked at.
    pub(super) fn recycle(&mut self, used: Haul) {
        match self {
            Supply::Here(_, haul) => *haul = used,
            // Once all was read nobody needs it.
            Supply::There { spare, .. } => drop(spare.send(used)),
        }
    }
}
