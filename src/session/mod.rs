//! Inputs in, exchanges out: the pipeline from packets to requests with their responses.
//!
//! What comes in are capture files or pipes; what goes out is an [`Index`] of [`Exchange`]s, each
//! request with its response, in the order in which the requests were completed (a response without
//! one counts as its own), and the [`Connection`]s that they belong to. Indexing runs on any thread while others look at the index; a pipe is
//! indexed as it comes.
//!
//! Invariant: the index holds no payload. A message is a reference of a few dozen bytes into the
//! capture; its bytes are put together again when somebody asks for them, by the same rules, with
//! the packet that each of them came in. What the messages say beyond their headers is up to the
//! [`Summariser`], which sees each of them once.

mod absence;
mod awaited;
mod backlog;
mod cover;
mod crew;
mod decoded;
mod decrypted;
mod digest;
mod excerpt;
mod exchange;
mod extent;
mod fit;
mod gather;
mod in_packet;
mod index;
mod indexer;
mod intake;
mod keyring;
mod looking;
mod names;
mod note;
mod opened;
mod opening;
mod order;
mod packed;
mod packets;
mod paste;
mod reread;
mod rows;
mod segment;
mod sought;
mod summary;
mod table;
mod talk;
mod throttle;

#[cfg(test)]
mod tests;

pub use cover::TlsFacts;
pub use digest::Digest;
pub use excerpt::{CarriedSecrets, Excerpt};
pub use exchange::{Connection, Ended, Exchange, First, Kind, Message, Status};
pub use fit::{Fit, fit, is_log, is_request, is_token, message_problem, tree_problem};
pub use gather::{Gathered, Origin};
pub use index::Index;
pub use keyring::{KeyLogError, KeyLogFile};
pub use names::{ListId, NameId};
pub use note::{Disorder, Note, Subject};
pub use opened::Opened;
pub use packets::{Unpacked, unpack};
pub use paste::{capture_in, owed, pieces, prepare, split};
pub use reread::{Reading, Reread, reread};
pub use segment::{Batch, Ending, Segment};
pub use summary::{Facts, NoSummary, Summariser};

pub use crate::capture::{BOOKMARKS, Capture, Error, Finder, Found, Input, Plain, Trouble};
pub use crate::flow::{Counts, Endpoint, Lost};
pub use crate::kafka::{Protocol, RequestHead, Side};
pub use crate::schema::Direction;
pub use crate::tls::{Alert, Refusal, Suite, Version};

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::Duration;

use crate::explain::Cluster;
use crate::schema::Catalogue;
use crew::{Ahead, Crew};
use decrypted::Decrypted;
use indexer::Indexer;
use intake::{Intake, More};
use looking::{Desk, Looker};
use order::{Order, Verdict};

/// What of a capture is looked at.
#[derive(Clone, Debug)]
pub struct Options {
    /// Ports of servers; empty for all.
    pub ports: Vec<u16>,
    /// The definitions by which messages are recognised.
    pub catalogue: &'static Catalogue,
    /// The secrets of TLS connections, beside those that the inputs carry.
    pub keylog: Option<KeyLogFile>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ports: Vec::new(),
            catalogue: Catalogue::current(),
            keylog: None,
        }
    }
}

/// How far indexing has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the inputs that were read.
    pub done: u64,
    /// Bytes of the inputs; of a pipe, those that have come so far.
    pub total: u64,
    /// Nothing more will change.
    pub finished: bool,
}

/// An opened capture and what is known of it.
#[derive(Debug)]
pub struct Session {
    capture: Capture,
    options: Options,
    index: RwLock<Index>,
    decrypted: Decrypted,
    /// Its own lock, which nobody holds for long: messages are opened by holders of the index.
    cluster: Mutex<Arc<Cluster>>,
    /// Readers that want the index; the indexing thread lets them go first.
    n_wanting: AtomicUsize,
    done: AtomicU64,
    finished: AtomicBool,
    stopped: AtomicBool,
    left: AtomicBool,
    /// Set once it is found out.
    verdict: OnceLock<Verdict>,
    settled: AtomicBool,
}

/// How often a pipe that brings nothing is asked whether indexing is to stop.
const PATIENCE: Duration = Duration::from_millis(100);

impl Session {
    /// Opens the inputs; nothing is indexed yet.
    ///
    /// # Errors
    /// An input that cannot be read or is no capture.
    pub fn open(inputs: &[Input], options: Options) -> Result<Session, Error> {
        Ok(Session::new(Capture::open(inputs)?, options))
    }

    /// A session over a capture that was opened before.
    pub fn new(capture: Capture, options: Options) -> Session {
        Session {
            capture,
            options,
            index: RwLock::default(),
            decrypted: Decrypted::default(),
            cluster: Mutex::default(),
            n_wanting: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            left: AtomicBool::new(false),
            verdict: OnceLock::new(),
            settled: AtomicBool::new(false),
        }
    }

    /// Indexes the whole capture, to the end of a pipe. To be called once; from a thread of its
    /// own to look at the index meanwhile.
    pub fn run(&self, summariser: &mut dyn Summariser) {
        while !self.capture.is_settled() && !self.stopped.load(Ordering::Relaxed) {
            self.capture.settle(PATIENCE);
        }
        if !order::may_be_sorted(&self.capture) {
            self.decide(Verdict::AsWritten);
        }
        if self.run_in(Order::as_written(), summariser) == Verdict::ByTime {
            let order = Order::by_time(&self.capture);
            self.write().clear();
            self.settled.store(true, Ordering::Release);
            self.run_in(order, summariser);
        }
        self.finished.store(true, Ordering::Release);
    }

    /// Finds out before indexing does whether numbers are certain, which takes a fraction of the
    /// time: for those who do not want to wait for its end. To be called once the capture is
    /// settled, from a thread of its own beside [`Session::run`].
    pub fn foresee(&self) {
        if order::may_be_sorted(&self.capture) {
            let is_wanted =
                || self.verdict.get().is_none() && !self.stopped.load(Ordering::Relaxed);
            if let Some(verdict) = order::foresee(&self.capture, is_wanted) {
                self.decide(verdict);
            }
        }
    }

    fn decide(&self, verdict: Verdict) {
        let is_first = self.verdict.set(verdict).is_ok();
        if is_first && verdict == Verdict::AsWritten {
            self.settled.store(true, Ordering::Release);
        }
    }

    /// Indexes in this order; returns the one in which it has to be done.
    fn run_in(&self, order: Order, summariser: &mut dyn Summariser) -> Verdict {
        let intake = Intake::new(&self.capture, &self.options.ports, order);
        let ahead = match keyring::waits_for_secrets(&self.capture) {
            // Which of them a connection finds must not depend on how far ahead is read.
            true => Ahead::Nobody,
            false => Ahead::Hands,
        };
        let crew = Arc::new(Crew::new(
            intake,
            ahead,
            Looker::new(summariser, &self.cluster),
        ));
        thread::scope(|scope| {
            let _until = crew.until_dropped();
            for _ in 0..Crew::n_hands() {
                scope.spawn(|| crew.help());
            }
            let desk = Desk::new(Arc::clone(&crew));
            let indexer = Indexer::new(&self.capture, &self.options, &self.decrypted, desk);
            self.index_all(indexer, &crew)
        })
    }

    fn index_all(&self, mut indexer: Indexer<'_>, crew: &Crew<'_>) -> Verdict {
        while let Some(mut haul) = crew.next_haul() {
            let mut index = self.write();
            indexer.take(&mut haul, &mut index);
            drop(index);
            self.done.store(haul.done, Ordering::Relaxed);
            if !self.is_settled() {
                if let Some(verdict) = haul.verdict {
                    self.decide(verdict);
                }
                if self.verdict.get() == Some(&Verdict::ByTime) {
                    return Verdict::ByTime;
                }
            }
            if haul.more == More::No || self.stopped.load(Ordering::Relaxed) {
                break;
            }
            crew.recycle(haul);
            // A lock is not fair: without this the next batch would win against those who wait.
            while self.n_wanting.load(Ordering::Acquire) > 0 {
                thread::yield_now();
            }
        }
        self.decide(Verdict::AsWritten);
        match self.left.load(Ordering::Relaxed) {
            false => indexer.finish(&mut self.write()),
            true => indexer.leave(&mut self.write()),
        }
        Verdict::AsWritten
    }

    /// Whether the numbers of exchanges are certain. Until then packets may turn out to have been
    /// written in another order than that of their times, and be counted again.
    pub fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    /// Makes [`Session::run`] return before the end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Makes [`Session::run`] return, when nobody wants to know the rest: what was read is not
    /// taken for the end of the capture.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// How far indexing has come.
    pub fn progress(&self) -> Progress {
        let finished = self.finished.load(Ordering::Acquire);
        Progress {
            done: self.done.load(Ordering::Relaxed),
            total: self.capture.size().0,
            finished,
        }
    }

    /// The index as it is now. Indexing waits until the guard is dropped.
    pub fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.n_wanting.fetch_add(1, Ordering::AcqRel);
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        self.n_wanting.fetch_sub(1, Ordering::AcqRel);
        index
    }

    /// What the messages so far say of the cluster, whatever connection they were on.
    pub fn cluster(&self) -> Arc<Cluster> {
        let cluster = self.cluster.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&cluster)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a message, its size prefix included, and where each of them comes from.
    pub fn bytes(&self, message: &Message) -> Gathered {
        self.capture.check_lengths();
        gather::gather(&self.capture, &self.decrypted, message)
    }

    /// The inputs.
    pub fn capture(&self) -> &Capture {
        &self.capture
    }
}
