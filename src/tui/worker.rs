//! Work beside the screen: messages are decoded and exchanges looked for while keys go on.
//!
//! What comes in are effects, what goes out are messages for the state. There is a lane for each kind of
//! work, so that none waits for another. In a lane the newest effect counts: it ends the one at work,
//! and those between are never begun.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, Scope},
    time::{Duration, Instant},
};

use super::{
    Chosen, Counted, Effect, Exchanges, Msg, Pattern, Query, Saving, Side, View, folder::names_in,
    search::COUNTED,
};

/// Work that is done beside the screen, each kind in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Opens messages.
    Opening,
    /// Reads changed bytes.
    Changing,
    /// Looks through the capture.
    Looking,
    /// Gathers what completion offers.
    Gathering,
    /// Names what is in a folder.
    Listing,
    /// Makes texts of rows on the screen.
    Filling,
    /// Finds the places of a pattern in a message.
    Marking,
    /// Counts a pattern in the capture.
    Counting,
    /// Writes files.
    Saving,
}

impl Work {
    /// All kinds.
    pub(super) const ALL: [Work; 9] = [
        Work::Opening,
        Work::Changing,
        Work::Looking,
        Work::Gathering,
        Work::Listing,
        Work::Filling,
        Work::Marking,
        Work::Counting,
        Work::Saving,
    ];
}

/// How long is counted before it is said how much that was.
const PAUSE: Duration = Duration::from_millis(100);

/// How long to wait between two looks at what is still at work.
const NAP: Duration = Duration::from_millis(2);

/// How long texts are made before the first of them are shown.
const BIT: Duration = Duration::from_millis(20);

/// The lane that an effect belongs to.
fn lane_of(effect: &Effect) -> Work {
    match effect {
        Effect::Open { .. } | Effect::Decode(_) => Work::Opening,
        Effect::Reread { .. } => Work::Changing,
        Effect::Gather => Work::Gathering,
        Effect::List(_) => Work::Listing,
        Effect::Fill { .. } => Work::Filling,
        Effect::Mark { .. } => Work::Marking,
        Effect::Count { .. } => Work::Counting,
        Effect::Save(_) => Work::Saving,
        _ => Work::Looking,
    }
}

/// The lanes and what comes out of them.
pub(super) struct Worker {
    lanes: Vec<(Work, Lane)>,
    answers: Receiver<Msg>,
    /// Effects that have not been answered to their end.
    n_open: Arc<AtomicU64>,
}

struct Lane {
    asks: Sender<(u64, Effect)>,
    newest: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the lanes; they end when the worker is dropped.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        exchanges: &'scope dyn Exchanges,
    ) -> Worker {
        let (send, answers) = mpsc::channel();
        let n_open = Arc::new(AtomicU64::new(0));
        let lane = || Lane::start(scope, exchanges, send.clone(), Arc::clone(&n_open));
        Worker {
            lanes: Work::ALL.map(|work| (work, lane())).into(),
            answers,
            n_open: Arc::clone(&n_open),
        }
    }

    /// Has an effect done.
    pub(super) fn ask(&self, effect: Effect) {
        if let Some(lane) = self.lane(lane_of(&effect)) {
            self.n_open.fetch_add(1, Ordering::SeqCst);
            lane.ask(effect);
        }
    }

    /// Ends what is at work in a lane.
    pub(super) fn stop(&self, work: Work) {
        if let Some(lane) = self.lane(work) {
            lane.stop();
        }
    }

    fn lane(&self, work: Work) -> Option<&Lane> {
        let mut lanes = self.lanes.iter();
        lanes.find(|(of, _)| *of == work).map(|(_, lane)| lane)
    }

    /// What has been found since.
    pub(super) fn answers(&self) -> impl Iterator<Item = Msg> + '_ {
        self.answers.try_iter()
    }

    /// Ends what is at work in all lanes; whether nothing is any more within a time.
    pub(super) fn rests_within(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        self.lanes.iter().for_each(|(_, lane)| lane.stop());
        while self.is_busy() {
            if Instant::now() > end {
                return false;
            }
            thread::sleep(NAP);
        }
        true
    }

    /// Whether answers are to come.
    pub(super) fn is_busy(&self) -> bool {
        self.n_open.load(Ordering::SeqCst) > 0
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // What is at work ends at the next look at its number.
        for (_, lane) in &self.lanes {
            lane.newest.store(u64::MAX, Ordering::SeqCst);
        }
    }
}

impl Lane {
    fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        exchanges: &'scope dyn Exchanges,
        answers: Sender<Msg>,
        n_open: Arc<AtomicU64>,
    ) -> Lane {
        let (asks, received) = mpsc::channel::<(u64, Effect)>();
        let newest = Arc::new(AtomicU64::new(0));
        let current = Arc::clone(&newest);
        scope.spawn(move || {
            for (number, effect) in received {
                let is_stale = || current.load(Ordering::SeqCst) != number;
                if !is_stale() {
                    // The screen may be gone already; then nobody is left to tell.
                    let mut tell = |msg| drop(answers.send(msg));
                    let work = AssertUnwindSafe(|| {
                        perform(exchanges, effect, &is_stale, &mut tell);
                    });
                    if panic::catch_unwind(work).is_err() {
                        tell(Msg::Failed);
                    }
                }
                n_open.fetch_sub(1, Ordering::SeqCst);
            }
        });
        Lane { asks, newest }
    }

    /// Ends what is at work.
    fn stop(&self) {
        self.newest.fetch_add(1, Ordering::SeqCst);
    }

    fn ask(&self, effect: Effect) {
        let number = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        // The lane ends with the worker, and never before.
        drop(self.asks.send((number, effect)));
    }
}

/// Does what an effect asks for and tells what came of it, bit by bit where that takes long, until
/// `stop` says that nobody wants to know any more.
pub fn perform(
    exchanges: &dyn Exchanges,
    effect: Effect,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Msg),
) {
    let job = Job {
        exchanges,
        stop,
        tell,
    };
    job.perform(effect);
}

/// Work on one effect.
struct Job<'a> {
    exchanges: &'a dyn Exchanges,
    stop: &'a dyn Fn() -> bool,
    tell: &'a mut dyn FnMut(Msg),
}

impl Job<'_> {
    fn perform(self, effect: Effect) {
        let exchanges = self.exchanges;
        match effect {
            // These are for whoever has the terminal, or the files.
            Effect::None
            | Effect::Quit
            | Effect::Keep
            | Effect::Stop(_)
            | Effect::Copy(_)
            | Effect::Suspend => {}
            Effect::Save(saving) => self.save(saving),
            Effect::Mark { idx, side, pattern } => {
                let places = exchanges.places(idx, side, &pattern);
                self.tell_if_wanted(Msg::Marked {
                    idx,
                    side,
                    pattern,
                    places,
                });
            }
            Effect::Count { pattern, from } => self.count(&pattern, from),
            Effect::Reread {
                idx,
                side,
                bytes,
                reading,
            } => {
                let page = exchanges.reread(idx, side, &bytes, &reading).map(Box::new);
                (self.tell)(Msg::Reread {
                    idx,
                    side,
                    bytes,
                    page,
                });
            }
            Effect::Open { idx, side } => {
                let page = exchanges.message(idx, side).map(Box::new);
                (self.tell)(Msg::Opened { idx, side, page });
            }
            Effect::Decode(text) => (self.tell)(Msg::Pasted(exchanges.pasted(&text))),
            Effect::Seek { from, target, step } => {
                let found = exchanges.seek(&from, target, step, self.stop);
                let found = found.ok_or_else(|| exchanges.absence(target, self.stop));
                self.tell_if_wanted(Msg::Sought(target, found));
            }
            Effect::Search {
                from,
                pattern,
                step,
            } => {
                let mut looked = |n| (self.tell)(Msg::Searching(n));
                let found = exchanges.search(&from, &pattern, step, self.stop, &mut looked);
                self.tell_if_wanted(Msg::Searched(found));
            }
            Effect::SearchPasted(search) => {
                let mut looked = |n| (self.tell)(Msg::Searching(n));
                let found = search.run(exchanges, self.stop, &mut looked);
                self.tell_if_wanted(Msg::SearchedPasted(found));
            }
            Effect::Choose { query, so_far } => self.choose(&query, so_far),
            Effect::Gather => {
                if let Some(occurring) = exchanges.occurring(self.stop) {
                    (self.tell)(Msg::Occurring(occurring));
                }
            }
            Effect::List(folder) => {
                let names = names_in(&folder, self.stop);
                self.tell_if_wanted(Msg::Listed(folder, names));
            }
            Effect::Fill {
                names,
                exchanges: wanted,
            } => self.fill(&names, &wanted),
            Effect::Show {
                view,
                members,
                width,
            } => self.show(&view, members.as_deref(), width),
        }
    }

    /// Tells what was found, unless the looking was stopped: then it is not all.
    fn tell_if_wanted(self, msg: Msg) {
        if !(self.stop)() {
            (self.tell)(msg);
        }
    }

    fn save(self, saving: Saving) {
        let mut written = |n_bytes| (self.tell)(Msg::Saving(n_bytes));
        let result = saving.write(self.stop, &mut written);
        (self.tell)(Msg::Saved {
            name: saving.name,
            result,
        });
    }

    /// Applies a filter and an order, and tells of what they take as it is found.
    fn choose(self, query: &Query, so_far: Chosen) {
        let mut found = |chosen| {
            (self.tell)(Msg::Chosen {
                query: query.clone(),
                chosen,
            });
        };
        let chosen = self.exchanges.choose(query, so_far, self.stop, &mut found);
        if let Err(mistake) = chosen {
            (self.tell)(Msg::Mistaken(mistake));
        }
    }

    /// Makes the texts of columns, and tells of the first of them soon.
    fn fill(self, names: &[String], wanted: &[usize]) {
        let mut cells = Vec::new();
        let mut told = Instant::now();
        let mut tell = |cells| {
            let names = names.to_vec();
            (self.tell)(Msg::Filled { names, cells });
        };
        let mut filled = |idx, texts| {
            cells.push((idx, texts));
            if told.elapsed() > BIT {
                tell(std::mem::take(&mut cells));
                told = Instant::now();
            }
        };
        self.exchanges.cells(names, wanted, self.stop, &mut filled);
        tell(cells);
    }

    /// Makes the text of a view, and tells how far it is.
    fn show(self, view: &View, members: Option<&Vec<u32>>, width: usize) {
        let mut told = Instant::now();
        let mut looked = |n| {
            if told.elapsed() > PAUSE {
                (self.tell)(Msg::Showing(view.clone(), n));
                told = Instant::now();
            }
        };
        let text = self
            .exchanges
            .view(view, members, width, self.stop, &mut looked);
        self.tell_if_wanted(Msg::Shown(view.clone(), text));
    }

    /// Counts a pattern in the exchanges from one on.
    fn count(self, pattern: &Pattern, from: usize) {
        let len = self.exchanges.status().len;
        let mut counted = Counted::default();
        let mut told = Instant::now();
        for idx in from..len {
            if (self.stop)() {
                return;
            }
            let sides = [Side::Request, Side::Response];
            let places = sides.map(|side| self.exchanges.places(idx, side, pattern).len());
            let n_places: usize = places.iter().sum();
            counted.n_places += n_places;
            counted.is_cut |= places.contains(&COUNTED);
            if n_places > 0 {
                counted.exchanges.extend(u32::try_from(idx));
            }
            if told.elapsed() > PAUSE {
                counted.examined = idx + 1;
                let counted = std::mem::take(&mut counted);
                (self.tell)(Msg::Counted(pattern.clone(), counted));
                told = Instant::now();
            }
        }
        counted.examined = len.max(from);
        counted.done = true;
        (self.tell)(Msg::Counted(pattern.clone(), counted));
    }
}
