//! The pipeline: packet → segment → stream → message → row.

use std::time::Duration;

use crate::capture::{Capture, Step};
use crate::flow::Flows;
use crate::net::{Reader, Segment};

use super::Options;
use super::decrypted::Decrypted;
use super::index::Index;
use super::looking::Desk;
use super::note::{Note, Subject};
use super::order::Order;
use super::talk::{Talks, Writer};

/// Indexes a capture.
pub(super) struct Indexer<'a> {
    capture: &'a Capture,
    ports: &'a [u16],
    order: Order,
    reader: Reader,
    flows: Flows,
    talks: Talks<'a>,
}

/// Whether there is more to index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    Yes,
    /// A pipe has not delivered more yet.
    Later,
    No,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(
        capture: &'a Capture,
        options: &'a Options,
        decrypted: &'a Decrypted,
        order: Order,
        desk: Desk<'a>,
    ) -> Indexer<'a> {
        Indexer {
            capture,
            ports: &options.ports,
            order,
            reader: Reader::new(),
            flows: Flows::new(),
            talks: Talks::new(capture, options, decrypted, desk),
        }
    }

    /// Indexes up to `n` packets.
    pub(super) fn batch(&mut self, index: &mut Index, n: usize) -> More {
        let mut more = More::Yes;
        for _ in 0..n {
            match self.order.next(self.capture) {
                Step::Packet(packet) => {
                    if let Some(segment) = self.reader.read(&packet) {
                        self.segment(&segment, index);
                        while let Some(segment) = self.reader.released() {
                            self.segment(&segment, index);
                        }
                    }
                }
                Step::Pending => {
                    more = More::Later;
                    break;
                }
                Step::End => {
                    more = More::No;
                    break;
                }
            }
        }
        for note in self.order.take_notes() {
            let input = self.capture.name(note.place).to_owned();
            index.note(|| Note {
                connection: None,
                subject: Subject::Capture { input, note },
            });
        }
        if let Some(disorder) = self.order.take_disorder() {
            index.note(|| Note {
                connection: None,
                subject: Subject::Disorder(disorder),
            });
        }
        match more {
            // Who looks at the index meanwhile sees rows without what is in them; but not for long,
            // and not where nothing more comes for now.
            More::Yes => self.talks.desk.collect(|answers| index.apply(answers)),
            More::Later | More::No => self.talks.desk.wait(|answers| index.apply(answers)),
        }
        index.touch(self.order.n_read());
        more
    }

    fn segment(&mut self, segment: &Segment, index: &mut Index) {
        let ports = [segment.source.port, segment.destination.port];
        if !self.ports.is_empty() && !ports.iter().any(|port| self.ports.contains(port)) {
            return;
        }
        let mut writer = Writer::new(&mut self.talks, index);
        self.flows.push(segment, &mut writer);
    }

    /// Takes what is left as the end of the capture.
    pub(super) fn finish(&mut self, index: &mut Index) {
        let mut writer = Writer::new(&mut self.talks, index);
        self.flows.finish_all(&mut writer);
        writer.tell_keys();
        self.talks.desk.wait(|answers| index.apply(answers));
        index.touch(self.order.n_read());
    }

    /// Takes what is left as of no interest.
    pub(super) fn leave(&mut self, index: &mut Index) {
        self.talks.desk.wait(|answers| index.apply(answers));
        index.touch(self.order.n_read());
    }

    /// Waits until there may be more to index, or the time is over.
    pub(super) fn wait(&self, longest: Duration) {
        self.order.wait(self.capture, longest);
    }

    /// Whether the packets so far were written in another order than that of their times.
    pub(super) fn is_disordered(&self) -> bool {
        self.order.is_disordered()
    }

    /// Bytes of the inputs that were read.
    pub(super) fn done(&self) -> u64 {
        self.order.done(self.capture)
    }
}
