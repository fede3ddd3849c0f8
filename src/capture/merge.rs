//! The walk over several files, merged by time.
//!
//! Inputs are in the order of their first packets. One is opened when the walk has come to the time
//! of its first packet, or when nothing else is left, so files that follow each other are read one
//! after the other, and only those that overlap side by side, each as it was written; of packets of
//! the same time, that of the earlier input comes first. Packets are numbered as they are found:
//! like in the one file that merging would make.
//!
//! A file that is still being written is waited for where others have packets, but not for long:
//! then the walk goes on without it until it has grown, and what comes of it late is late.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use super::file_walk::FileWalk;
use super::note::Note;
use super::trail::{Head, Position, STEP};
use super::walk::Step;
use super::{Capture, Packet, Place};

/// How long the packets of other files wait for one that has not grown. Capture programs write
/// within a second of what they see, if there is enough of it.
const PATIENCE: Duration = Duration::from_secs(1);

/// A position in several files.
#[derive(Debug, Default)]
pub(super) struct Merge {
    /// The file that the last packet came from.
    current: Option<Strand>,
    /// The others that are open, that with the earliest packet on top.
    others: BinaryHeap<Reverse<Strand>>,
    /// Those that nobody waits for.
    held: Vec<Strand>,
    /// The file that is waited for, and since when.
    waiting: Option<(usize, Instant)>,
    /// The first file that was not opened yet.
    next_file: usize,
    /// Packets that were counted.
    number: u64,
    /// The packet before which the position is to be kept.
    next_position: u64,
    /// Bytes of files that have ended.
    done: u64,
}

/// A file in the middle of which the walk is.
#[derive(Debug)]
struct Strand {
    walk: FileWalk,
    /// When its next packet was captured, if that was looked at; else its last one.
    time: i64,
    /// Number in the file of the last packet that was counted.
    counted: u64,
}

impl Merge {
    /// Before packet `number`, which an earlier walk has passed.
    pub(super) fn at(capture: &Capture, number: u64) -> Merge {
        let mut merge = Merge::default();
        if let Some(position) = capture.trail().before(number) {
            merge.number = position.counted;
            merge.next_file = position.next_file;
            for head in &position.heads {
                if let Some(source) = capture.source(head.header.file()) {
                    // One that had nothing to give yet is still before its own head.
                    let walk = match head.header.offset() {
                        0 => FileWalk::new(head.header.file()),
                        _ => FileWalk::at(source, head.header, head.number_in_file, head.time),
                    };
                    merge.others.push(Reverse(Strand {
                        walk,
                        time: head.time,
                        counted: head.counted,
                    }));
                }
            }
        }
        // Positions are kept by walks from the start.
        merge.next_position = u64::MAX;
        let mut notes = Vec::new();
        while merge.number + 1 < number {
            let Step::Packet(packet) = merge.next(capture, &mut notes) else {
                break;
            };
            if packet.number >= number {
                // Packets that cannot be read were counted before it.
                merge.step_back(&packet);
                break;
            }
        }
        merge
    }

    /// The next packet, and the position moves behind it.
    pub(super) fn next<'a>(&mut self, capture: &'a Capture, notes: &mut Vec<Note>) -> Step<'a> {
        loop {
            self.wake(capture);
            let next = self
                .current
                .take()
                .or_else(|| Some(self.others.pop()?.0))
                .or_else(|| self.open(capture));
            let Some(mut strand) = next else {
                return match capture.is_following() {
                    true => Step::Pending,
                    false => Step::End,
                };
            };
            let file = strand.walk.file();
            let Some(source) = capture.source(file) else {
                continue;
            };
            if capture.trail().is_held(file, self.number) {
                self.held.push(strand);
                continue;
            }
            let step = strand.walk.next(source);
            notes.append(&mut strand.walk.take_notes());
            let packet = match step {
                Step::Packet(packet) => packet,
                Step::Pending if self.goes_on_without(capture, file) => {
                    capture.trail().hold(file, self.number);
                    self.held.push(strand);
                    continue;
                }
                Step::Pending => {
                    self.current = Some(strand);
                    return Step::Pending;
                }
                Step::End => {
                    self.number += strand.walk.number() - 1 - strand.counted;
                    self.done += strand.walk.done();
                    continue;
                }
            };
            strand.time = packet.time;
            let opens = self.next_file < capture.n_sources()
                && match capture.first_time(self.next_file) {
                    Some(first) => first <= packet.time,
                    // What it begins with is still to be seen.
                    None => capture.is_following() && self.is_first(),
                };
            let is_late = |Reverse(other): &Reverse<Strand>| *other < strand;
            if opens || self.others.peek().is_some_and(is_late) {
                strand.walk.step_back(&packet);
                self.others.push(Reverse(strand));
                self.current = match opens {
                    true => self.open(capture),
                    false => None,
                };
                continue;
            }
            return Step::Packet(self.take(capture, strand, packet));
        }
    }

    /// Gives the files that nobody waits for their turn again, once they have grown.
    fn wake(&mut self, capture: &Capture) {
        let trail = capture.trail();
        for mut strand in std::mem::take(&mut self.held) {
            let file = strand.walk.file();
            let Some(source) = capture.source(file) else {
                continue;
            };
            // Who walks where others have been before finds what they did.
            if trail.is_held(file, self.number) && self.is_first() {
                match strand.walk.next(source) {
                    Step::Pending => {}
                    Step::End => trail.release(file, self.number),
                    Step::Packet(packet) => {
                        strand.time = packet.time;
                        strand.walk.step_back(&packet);
                        trail.release(file, self.number);
                    }
                }
            }
            match trail.is_held(file, self.number) {
                true => self.held.push(strand),
                false => self.others.push(Reverse(strand)),
            }
        }
    }

    /// Whether others were kept waiting for `file` long enough.
    fn goes_on_without(&mut self, capture: &Capture, file: usize) -> bool {
        let has_others = !self.others.is_empty() || self.next_file < capture.n_sources();
        if !(capture.is_following() && self.is_first() && has_others) {
            return false;
        }
        let since = match self.waiting {
            Some((waiting, since)) if waiting == file => since,
            _ => Instant::now(),
        };
        let is_over = since.elapsed() >= PATIENCE;
        self.waiting = (!is_over).then_some((file, since));
        is_over
    }

    /// Whether nobody has been here before: it decides in which order packets come.
    fn is_first(&self) -> bool {
        self.next_position != u64::MAX
    }

    /// Opens the next file.
    fn open(&mut self, capture: &Capture) -> Option<Strand> {
        let file = self.next_file;
        (file < capture.n_sources()).then(|| {
            self.next_file += 1;
            Strand {
                walk: FileWalk::new(file),
                time: i64::MIN,
                counted: 0,
            }
        })
    }

    /// Numbers the packet, which comes before those of all others.
    fn take<'a>(
        &mut self,
        capture: &Capture,
        mut strand: Strand,
        packet: Packet<'a>,
    ) -> Packet<'a> {
        let number = self.number + packet.number_in_file - strand.counted;
        if number >= self.next_position {
            let others = self.others.iter().map(|Reverse(other)| other);
            let others = others.chain(&self.held).map(Strand::head);
            let first = Head {
                header: packet.header,
                number_in_file: packet.number_in_file,
                ..strand.head()
            };
            capture.trail().add(Position {
                number,
                counted: self.number,
                heads: std::iter::once(first).chain(others).collect(),
                next_file: self.next_file,
            });
            self.next_position = number + STEP;
        }
        self.number = number;
        self.waiting = None;
        strand.counted = packet.number_in_file;
        self.current = Some(strand);
        Packet {
            number,
            record: Place::numbered(number),
            ..packet
        }
    }

    /// Takes back the packet that was taken last.
    fn step_back(&mut self, packet: &Packet<'_>) {
        if let Some(strand) = &mut self.current {
            strand.walk.step_back(packet);
            strand.counted -= 1;
            self.number -= 1;
        }
    }

    /// The file that did not deliver.
    pub(super) fn pending(&self) -> usize {
        let strand = self.current.as_ref();
        strand.map_or(self.next_file, |strand| strand.walk.file())
    }

    /// Number of bytes that were walked over.
    pub(super) fn done(&self) -> u64 {
        let others = self.others.iter().map(|Reverse(other)| other);
        let open = self.current.iter().chain(others).chain(&self.held);
        self.done + open.map(|strand| strand.walk.done()).sum::<u64>()
    }
}

impl Strand {
    fn key(&self) -> (i64, usize) {
        (self.time, self.walk.file())
    }

    /// Where it is.
    fn head(&self) -> Head {
        Head {
            header: self.walk.place(),
            number_in_file: self.walk.number(),
            time: self.time,
            counted: self.counted,
        }
    }
}

impl PartialEq for Strand {
    fn eq(&self, other: &Strand) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Strand {}

impl PartialOrd for Strand {
    fn partial_cmp(&self, other: &Strand) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Strand {
    fn cmp(&self, other: &Strand) -> Ordering {
        self.key().cmp(&other.key())
    }
}
