//! How often a pattern comes in the whole capture, counted while the screen goes on.
//!
//! What comes in are counts of exchanges one behind the other; what goes out is a sentence for the
//! status line and the places of the list to mark. More is asked for when more has been indexed.

use super::{
    App, Effect, Pattern, Side, Step, list::List, message::OpenMessage, search::COUNTED,
    worker::Work,
};
use crate::wire::Span;

/// Marks that a list gets at most; a scrollbar has no room for more.
const MARKS: usize = 4096;

/// What was found in exchanges that were looked at one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Places, at most as many of each message as are counted.
    pub n_places: usize,
    /// Whether a message has more than are counted.
    pub is_cut: bool,
    /// The exchanges that have one, from 0.
    pub exchanges: Vec<u32>,
    /// The exchange behind the last one that was looked at.
    pub examined: usize,
    /// Whether that is all there are.
    pub done: bool,
}

/// How far counting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Counting,
    Done,
    Stopped,
}

/// The count of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pattern: Pattern,
    n_places: usize,
    is_cut: bool,
    exchanges: Vec<u32>,
    examined: usize,
    state: State,
    /// Places of the list that have a hit, as close together as they can be told apart.
    marks: Vec<usize>,
}

impl Tally {
    fn new(pattern: Pattern) -> Tally {
        Tally {
            pattern,
            n_places: 0,
            is_cut: false,
            exchanges: Vec::new(),
            examined: 0,
            state: State::Counting,
            marks: Vec::new(),
        }
    }

    /// The places of the list to mark.
    pub(super) fn marks(&self) -> &[usize] {
        &self.marks
    }

    pub(super) fn is_counting(&self) -> bool {
        self.state == State::Counting
    }

    /// What is known, of `all` exchanges: `214 in the capture`.
    pub(super) fn sentence(&self, all: usize) -> String {
        let n = match self.is_cut {
            true => format!("at least {}", self.n_places),
            false => self.n_places.to_string(),
        };
        match self.state {
            State::Done => format!("{n} in the capture"),
            State::Counting => format!(
                "{n} in the first {} of {all} exchanges, counting; Esc stops",
                self.examined
            ),
            State::Stopped => format!("{n} in the first {} exchanges", self.examined),
        }
    }

    /// Finds the places of the list anew, of `len`.
    fn mark(&mut self, list: &List, len: usize) {
        let cell = |place: usize| place * MARKS / len.max(1);
        let has_hit = |idx: &u32| self.exchanges.binary_search(idx).is_ok();
        let mut marks: Vec<usize> = match list.members() {
            None => self.exchanges.iter().map(|&idx| idx as usize).collect(),
            Some(members) => {
                let places = members.iter().enumerate();
                let hit = places.filter(|(_, idx)| has_hit(idx));
                hit.map(|(place, _)| place).collect()
            }
        };
        marks.dedup_by_key(|place| cell(*place));
        self.marks = marks;
    }
}

impl App {
    /// Asks for what is to be counted: all that there is for another pattern, else what has come since.
    pub(super) fn count_on(&mut self) -> Effect {
        // The search itself comes first.
        let Some(pattern) = self.pattern.clone().filter(|_| self.searching.is_none()) else {
            return Effect::None;
        };
        let all = self.status.len;
        let from = match &mut self.tally {
            Some(tally) if tally.pattern == pattern => {
                if tally.state != State::Done || tally.examined >= all {
                    return Effect::None;
                }
                tally.state = State::Counting;
                tally.examined
            }
            other => {
                *other = Some(Tally::new(pattern.clone()));
                0
            }
        };
        Effect::Count { pattern, from }
    }

    /// Takes in that a search around all exchanges has found nothing.
    pub(super) fn count_nothing(&mut self) {
        let pattern = self
            .pattern
            .clone()
            .filter(|_| self.list.members().is_none());
        if let Some(pattern) = pattern {
            self.tally = Some(Tally {
                state: State::Done,
                examined: self.status.len,
                ..Tally::new(pattern)
            });
        }
    }

    /// Takes in what was counted.
    pub(super) fn take_counted(&mut self, pattern: &Pattern, counted: Counted) {
        let tally = self.tally.as_mut();
        let Some(tally) = tally.filter(|tally| tally.pattern == *pattern) else {
            return;
        };
        tally.n_places += counted.n_places;
        tally.is_cut |= counted.is_cut;
        tally.exchanges.extend(counted.exchanges);
        tally.examined = counted.examined;
        if counted.done && tally.state == State::Counting {
            tally.state = State::Done;
        }
        self.mark_list();
    }

    /// Marks hits where the list has them now.
    pub(super) fn mark_list(&mut self) {
        let len = self.len();
        if let Some(tally) = &mut self.tally {
            tally.mark(&self.list, len);
        }
    }

    /// Ends counting, if anything is counted.
    pub(super) fn stop_counting(&mut self) -> Option<Effect> {
        let tally = self.tally.as_mut().filter(|tally| tally.is_counting())?;
        tally.state = State::Stopped;
        Some(Effect::Stop(Work::Counting))
    }

    /// Asks for the places of the pattern in a message on the screen, if they are not known.
    pub(super) fn mark_message(&mut self) -> Effect {
        let Some(pattern) = self.pattern.clone().filter(|_| !self.pasted.is_shown()) else {
            return Effect::None;
        };
        let beside = self.beside.as_ref().filter(|_| self.is_paired());
        let beside = beside.and_then(|it| Some(((it.idx, it.side), it.message.as_ref()?)));
        let focused = self.shown.zip(self.message.as_ref());
        let mut open = focused.into_iter().chain(beside);
        // Of changed bytes the capture knows nothing.
        let unknown =
            open.find(|(_, message)| message.is_captured() && !message.has_marks(&pattern));
        let Some(((idx, side), _)) = unknown else {
            return Effect::None;
        };
        let asked = Some((idx, side, pattern.clone()));
        if self.asked_marks == asked {
            return Effect::None;
        }
        self.asked_marks = asked;
        Effect::Mark { idx, side, pattern }
    }

    pub(super) fn take_marks(&mut self, of: (usize, Side), pattern: Pattern, places: Vec<Span>) {
        self.asked_marks = None;
        let beside = self.beside.as_mut().filter(|it| (it.idx, it.side) == of);
        let message = match self.shown == Some(of) {
            true => self.message.as_mut(),
            false => beside.and_then(|it| it.message.as_mut()),
        };
        if let Some(message) = message {
            message.take_marks(pattern, places);
        }
    }

    /// Where the cursor is among the places of the pattern: `3 of 17 here, 214 in the capture`.
    pub(super) fn hit_sentence(&self) -> Option<String> {
        let hit = self.hit.as_ref()?;
        let is_there = |message: &&OpenMessage| {
            self.shown == Some((hit.idx, hit.side))
                && message.byte == hit.span.at
                && message.buffer() == hit.span.buffer
        };
        self.message.as_ref().filter(is_there)?;
        let (nth, all) = hit.nth;
        let here = match all {
            COUNTED.. => format!("{nth} of at least {all} here"),
            all => format!("{nth} of {all} here"),
        };
        Some(match &self.tally {
            Some(tally) => format!("{here}, {}", tally.sentence(self.status.len)),
            None => here,
        })
    }

    /// What is said of the way that led to a hit.
    pub(super) fn said_of_way(&self, place: usize) -> Option<&'static str> {
        match self.search_step {
            Step::Forward if place < self.selected => Some("around the end"),
            Step::Back if place > self.selected => Some("around the beginning"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tui::{Chosen, Query};

    #[test]
    fn marks_are_where_the_list_has_hits() {
        let mut tally = Tally::new(Pattern::Text("a".to_owned()));
        tally.exchanges = vec![2, 5, 9];
        tally.mark(&List::default(), 10);
        assert_eq!(tally.marks(), [2, 5, 9]);
        let mut list = List::default();
        list.ask(Query {
            filter: String::new(),
            sort: "-latency".to_owned(),
        });
        list.take(Chosen {
            members: Arc::new(vec![9, 1, 2]),
            examined: 10,
            done: true,
        });
        tally.mark(&list, 3);
        assert_eq!(tally.marks(), [0, 2]);
        // Of a million hits no more than can be told apart.
        tally.exchanges = (0..1_000_000).collect();
        tally.mark(&List::default(), 1_000_000);
        assert_eq!(tally.marks().len(), MARKS);
    }

    #[test]
    fn the_sentence_says_of_how_many() {
        let mut tally = Tally::new(Pattern::Text("a".to_owned()));
        (tally.n_places, tally.examined) = (17, 120);
        assert!(
            tally
                .sentence(500)
                .starts_with("17 in the first 120 of 500")
        );
        tally.state = State::Done;
        assert_eq!(tally.sentence(500), "17 in the capture");
        tally.is_cut = true;
        assert_eq!(tally.sentence(500), "at least 17 in the capture");
        tally.is_cut = false;
        tally.state = State::Stopped;
        assert_eq!(tally.sentence(500), "17 in the first 120 exchanges");
    }
}
