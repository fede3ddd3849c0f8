//! The work of indexing, shared out among as many threads as there are processors.
//!
//! Packets are read, messages are found in them, and what was found is looked into. Finding is done
//! by one thread, which owns the index; reading and looking by whoever has nothing better to do: a
//! hand, or the finder itself where it would have to wait. So nobody waits while there is anything
//! to be done, and one processor is enough.
//!
//! Invariants: one thread at a time reads, and one looks, so that packets are read and messages
//! looked into in their order. Only so much is done ahead that what was brought into the
//! processor's cache is still there when it is needed.

use std::collections::VecDeque;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::capture::Capture;

use super::intake::{Haul, Intake, More};
use super::looking::{Answers, Batch, Looker};

/// Hauls that wait for the finder at most.
const HAULS: usize = 4;

/// How often somebody who waits looks for news before he sleeps: some 50 µs.
const LOOKS: usize = 2000;

/// Who reads packets, when nobody waits for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    Hands,
    /// Nobody: what is found depends on how far was read.
    Nobody,
}

/// The threads that index a capture, and what they hand to each other.
pub(super) struct Crew<'a> {
    capture: &'a Capture,
    board: Mutex<Board<'a>>,
    news: Condvar,
    /// Counts the news.
    n_news: AtomicUsize,
}

/// What is to be done, and what was done.
struct Board<'a> {
    /// `None` while somebody reads, and at the end.
    intake: Option<Box<Intake<'a>>>,
    ahead: Ahead,
    hauls: VecDeque<Haul>,
    used: Vec<Haul>,
    /// `None` while somebody looks.
    looker: Option<Box<Looker<'a>>>,
    batches: VecDeque<Batch<'a>>,
    looked: VecDeque<(Answers, Batch<'a>)>,
    /// All packets were read.
    is_read: bool,
    /// Threads that wait for news.
    n_waiting: usize,
    is_over: bool,
}

/// Something to be done, with what is needed for it.
enum Job<'a> {
    Read(Box<Intake<'a>>, Haul),
    Look(Box<Looker<'a>>, Batch<'a>),
}

/// Ends the work of all when the thread that holds it leaves, in whatever way.
pub(super) struct Until<'c, 'a>(&'c Crew<'a>);

impl Drop for Until<'_, '_> {
    fn drop(&mut self) {
        let mut board = self.0.board();
        board.is_over = true;
        self.0.tell(&board);
    }
}

impl<'a> Crew<'a> {
    pub(super) fn new(intake: Intake<'a>, ahead: Ahead, looker: Looker<'a>) -> Crew<'a> {
        Crew {
            capture: intake.capture(),
            board: Mutex::new(Board {
                intake: Some(Box::new(intake)),
                ahead,
                hauls: VecDeque::new(),
                used: Vec::new(),
                looker: Some(Box::new(looker)),
                batches: VecDeque::new(),
                looked: VecDeque::new(),
                is_read: false,
                n_waiting: 0,
                is_over: false,
            }),
            news: Condvar::new(),
            n_news: AtomicUsize::new(0),
        }
    }

    /// Threads that are of use beside the finder: one for each of the other two jobs.
    pub(super) fn n_hands() -> usize {
        let n_processors = thread::available_parallelism().map_or(1, usize::from);
        n_processors.saturating_sub(1).min(2)
    }

    /// Ends the work when what is returned is dropped.
    pub(super) fn until_dropped(&self) -> Until<'_, 'a> {
        Until(self)
    }

    /// Does what is to be done until the work is over: the life of a hand.
    pub(super) fn help(&self) {
        // Without this the finder would wait for what a hand that panics has taken.
        let until = self.until_dropped();
        let mut board = self.board();
        while !board.is_over {
            board = match board.job() {
                Some(job) => {
                    drop(board);
                    self.work(job)
                }
                None => self.wait(board),
            };
        }
        drop(board);
        drop(until);
    }

    /// The next haul; `None` at the end. Of a pipe that brings nothing it is empty, after a while.
    pub(super) fn next_haul(&self) -> Option<Haul> {
        let mut board = self.board();
        loop {
            if let Some(haul) = board.hauls.pop_front() {
                self.tell(&board);
                return Some(haul);
            }
            if board.is_read || board.is_over {
                return None;
            }
            let job = board.reading().or_else(|| board.looking());
            board = match job {
                Some(job) => {
                    drop(board);
                    self.work(job)
                }
                None => self.wait(board),
            };
        }
    }

    /// Takes a haul back that was looked at, to be used again.
    pub(super) fn recycle(&self, haul: Haul) {
        self.board().used.push(haul);
    }

    /// Has messages looked into.
    pub(super) fn look_into(&self, batch: Batch<'a>) {
        let mut board = self.board();
        board.batches.push_back(batch);
        self.tell(&board);
    }

    /// What was found in the next batch, if that is known.
    pub(super) fn looked(&self) -> Option<(Answers, Batch<'a>)> {
        self.board().looked.pop_front()
    }

    /// What was found in the next batch, once that is known; `None` if it never will be.
    pub(super) fn wait_looked(&self) -> Option<(Answers, Batch<'a>)> {
        let mut board = self.board();
        loop {
            if let Some(looked) = board.looked.pop_front() {
                return Some(looked);
            }
            if board.is_over {
                return None;
            }
            board = match board.looking() {
                Some(job) => {
                    drop(board);
                    self.work(job)
                }
                None => self.wait(board),
            };
        }
    }

    fn board(&self) -> MutexGuard<'_, Board<'a>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for news, at first awake: most are there sooner than a thread that sleeps is woken.
    fn wait<'c>(&'c self, board: MutexGuard<'c, Board<'a>>) -> MutexGuard<'c, Board<'a>> {
        let before = self.n_news.load(Ordering::Relaxed);
        drop(board);
        for _ in 0..LOOKS {
            if self.n_news.load(Ordering::Relaxed) != before {
                return self.board();
            }
            if !self.capture.bring_ahead() {
                hint::spin_loop();
            }
        }
        let mut board = self.board();
        if self.n_news.load(Ordering::Relaxed) != before {
            return board;
        }
        board.n_waiting += 1;
        let mut board = self
            .news
            .wait(board)
            .unwrap_or_else(PoisonError::into_inner);
        board.n_waiting -= 1;
        board
    }

    /// Wakes those who wait, if anybody does.
    fn tell(&self, board: &Board<'a>) {
        self.n_news.fetch_add(1, Ordering::Relaxed);
        if board.n_waiting > 0 {
            self.news.notify_all();
        }
    }

    /// Does a job; returns the board on which it is done.
    fn work(&self, job: Job<'a>) -> MutexGuard<'_, Board<'a>> {
        let board = match job {
            Job::Read(mut intake, mut haul) => {
                intake.fill(&mut haul);
                let mut board = self.board();
                board.is_read = haul.more == More::No;
                board.hauls.push_back(haul);
                board.intake = Some(intake).filter(|_| !board.is_read);
                board
            }
            Job::Look(mut looker, mut batch) => {
                let answers = looker.look(&mut batch);
                let mut board = self.board();
                board.looked.push_back((answers, batch));
                board.looker = Some(looker);
                board
            }
        };
        self.tell(&board);
        board
    }
}

impl<'a> Board<'a> {
    /// What a hand does next: what the finder needs first.
    fn job(&mut self) -> Option<Job<'a>> {
        let ahead = match self.ahead {
            Ahead::Hands => HAULS,
            Ahead::Nobody => 0,
        };
        if self.hauls.len() < ahead.min(1) {
            self.reading().or_else(|| self.looking())
        } else if self.hauls.len() < ahead {
            self.looking().or_else(|| self.reading())
        } else {
            self.looking()
        }
    }

    fn reading(&mut self) -> Option<Job<'a>> {
        let intake = self.intake.take()?;
        Some(Job::Read(intake, self.used.pop().unwrap_or_default()))
    }

    fn looking(&mut self) -> Option<Job<'a>> {
        if self.batches.is_empty() {
            return None;
        }
        let looker = self.looker.take()?;
        let batch = self.batches.pop_front()?;
        Some(Job::Look(looker, batch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::RequestHead;
    use crate::session::order::Order;
    use crate::session::{Facts, NoSummary, Options, Session, Summariser};
    use std::sync::{Arc, Mutex};

    fn capture() -> Capture {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
        Capture::from_bytes(vec![std::fs::read(path).unwrap()]).unwrap()
    }

    /// The packets of the sequence numbers that a crew with so many hands reads.
    fn read(n_hands: usize, ahead: Ahead) -> Vec<(u64, u32)> {
        let capture = capture();
        let cluster = Mutex::new(Arc::default());
        let mut summariser = NoSummary;
        let intake = Intake::new(&capture, &[], Order::as_written());
        let crew = Crew::new(intake, ahead, Looker::new(&mut summariser, &cluster));
        thread::scope(|scope| {
            let _until = crew.until_dropped();
            for _ in 0..n_hands {
                scope.spawn(|| crew.help());
            }
            let mut read = Vec::new();
            while let Some(haul) = crew.next_haul() {
                let segments = haul.segments.iter();
                read.extend(segments.map(|segment| (segment.payload.packet, segment.seq)));
                crew.recycle(haul);
            }
            read
        })
    }

    #[test]
    fn any_number_of_hands_reads_the_same() {
        let alone = read(0, Ahead::Hands);
        assert!(alone.is_sorted() && !alone.is_empty());
        for n_hands in [1, 2, 5] {
            assert_eq!(read(n_hands, Ahead::Hands), alone);
            assert_eq!(read(n_hands, Ahead::Nobody), alone);
        }
    }

    /// A summariser that cannot bear responses.
    struct Fragile;

    impl Summariser for Fragile {
        fn request(&mut self, _: &RequestHead, _: &[u8], _: &mut Facts) {}

        fn orphan(&mut self, _: &[u8], _: &mut Facts) {}

        fn response(&mut self, _: i16, _: i16, _: &[u8], _: &mut Facts) {
            panic!("a response");
        }
    }

    #[test]
    #[should_panic]
    fn nobody_waits_for_a_hand_that_panicked() {
        Session::new(capture(), Options::default()).run(&mut Fragile);
    }
}
