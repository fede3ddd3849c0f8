//! The walk over all packets of a capture: those of one file as they were written, of several
//! files merged by time (`merge.rs`).

use std::time::Duration;

use super::file_walk::FileWalk;
use super::merge::Merge;
use super::note::Note;
use super::{Capture, Packet, Place};

/// A position between two packets. It borrows nothing, so it can be kept while a pipe grows.
#[derive(Debug, Default)]
pub struct Walk {
    route: Route,
    notes: Vec<Note>,
}

/// What a walk finds next.
#[derive(Debug)]
pub enum Step<'a> {
    /// A packet.
    Packet(Packet<'a>),
    /// Nothing yet: a pipe has not delivered more.
    Pending,
    /// Nothing more.
    End,
}

#[derive(Debug, Default)]
enum Route {
    /// Before the first packet.
    #[default]
    Start,
    One(Box<FileWalk>),
    Many(Box<Merge>),
}

impl Walk {
    /// Before the first packet.
    pub fn new() -> Walk {
        Walk::default()
    }

    /// Before a packet that an earlier walk has passed, by its `record`, number and time. By its
    /// `header` instead, the walk goes over no more than its file, and counts on from `number`.
    pub fn at(capture: &Capture, record: Place, number: u64, time: i64) -> Walk {
        let route = match (record.number(), capture.source(record.file())) {
            (Some(number), _) => Route::Many(Box::new(Merge::at(capture, number))),
            (None, Some(source)) => {
                Route::One(Box::new(FileWalk::at(source, record, number, time)))
            }
            (None, None) => Route::One(Box::new(FileWalk::new(record.file()))),
        };
        Walk {
            route,
            notes: Vec::new(),
        }
    }

    /// Hands the next packets to `take`, each with the number of bytes that were walked over with
    /// it, for as long as it wants more and nothing is unusual: the same that [`Walk::next`] would
    /// find, but no packet is moved, and what kind of file it is is not asked for each.
    #[inline]
    pub fn run<'a>(&mut self, capture: &'a Capture, take: impl FnMut(&Packet<'a>, u64) -> bool) {
        if let Route::One(walk) = &mut self.route
            && let Some(source) = capture.source(walk.file())
        {
            walk.run(source, take);
        }
    }

    /// The next packet, and the position moves behind it.
    pub fn next<'a>(&mut self, capture: &'a Capture) -> Step<'a> {
        match &mut self.route {
            Route::One(walk) => match capture.source(walk.file()) {
                Some(source) => walk.next(source),
                None => Step::End,
            },
            Route::Many(merge) => merge.next(capture, &mut self.notes),
            Route::Start => {
                self.route = match capture.is_merged() {
                    false => Route::One(Box::new(FileWalk::new(0))),
                    true => Route::Many(Box::default()),
                };
                self.next(capture)
            }
        }
    }

    /// Waits until there may be more after [`Step::Pending`], or the time is over.
    pub fn wait(&self, capture: &Capture, longest: Duration) {
        let file = match &self.route {
            Route::Start => 0,
            Route::One(walk) => walk.file(),
            Route::Many(merge) => merge.pending(),
        };
        capture.wait_for(file, longest);
    }

    /// Number of bytes that were walked over.
    pub fn done(&self) -> u64 {
        match &self.route {
            Route::Start => 0,
            Route::One(walk) => walk.done(),
            Route::Many(merge) => merge.done(),
        }
    }

    /// Takes out what was found wrong since this was last asked.
    pub fn take_notes(&mut self) -> Vec<Note> {
        if let Route::One(walk) = &mut self.route {
            self.notes.append(&mut walk.take_notes());
        }
        std::mem::take(&mut self.notes)
    }
}
