//! The pipeline: segment → stream → message → row.

use crate::capture::Capture;
use crate::flow::Flows;

use super::Options;
use super::decrypted::Decrypted;
use super::index::Index;
use super::intake::{Haul, More};
use super::looking::Desk;
use super::note::{Note, Subject};
use super::talk::{Talks, Writer};

/// Indexes a capture.
pub(super) struct Indexer<'a> {
    capture: &'a Capture,
    flows: Flows,
    talks: Talks<'a>,
    /// Packets that were read.
    n_read: u64,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(
        capture: &'a Capture,
        options: &'a Options,
        decrypted: &'a Decrypted,
        desk: Desk<'a>,
    ) -> Indexer<'a> {
        Indexer {
            capture,
            flows: Flows::new(),
            talks: Talks::new(capture, options, decrypted, desk),
            n_read: 0,
        }
    }

    /// Indexes the segments of some packets.
    pub(super) fn take(&mut self, haul: &mut Haul, index: &mut Index) {
        // Before all that it brings about, of which little may be told.
        if let Some(disorder) = haul.disorder.take() {
            index.note(|| Note {
                connection: None,
                subject: Subject::Disorder(disorder),
            });
        }
        for segment in &haul.segments {
            let mut writer = Writer::new(&mut self.talks, index);
            self.flows.push(segment, &mut writer);
        }
        for note in haul.notes.drain(..) {
            let input = self.capture.name(note.place).to_owned();
            index.note(|| Note {
                connection: None,
                subject: Subject::Capture { input, note },
            });
        }
        for unread in haul.unread.drain(..) {
            index.note(|| Note {
                connection: None,
                subject: Subject::Unread(unread),
            });
        }
        match haul.more {
            // Who looks at the index meanwhile sees rows without what is in them; but not for long,
            // and not where nothing more comes for now.
            More::Yes => self.talks.desk.collect(|answers| index.apply(answers)),
            More::Later | More::No => self.talks.desk.wait(|answers| index.apply(answers)),
        }
        self.n_read = haul.n_read;
        index.touch(self.n_read);
    }

    /// Takes what is left as the end of the capture.
    pub(super) fn finish(&mut self, index: &mut Index) {
        let mut writer = Writer::new(&mut self.talks, index);
        self.flows.finish_all(&mut writer);
        writer.tell_keys();
        self.talks.desk.wait(|answers| index.apply(answers));
        index.touch(self.n_read);
    }

    /// Takes what is left as of no interest.
    pub(super) fn leave(&mut self, index: &mut Index) {
        self.talks.desk.wait(|answers| index.apply(answers));
        index.touch(self.n_read);
    }
}
