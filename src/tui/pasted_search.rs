//! A search through pasted messages as they are now, also where somebody changed them.
//!
//! What comes in are the messages, a pattern and where the cursor is; what goes out is the next place.
//! A worker looks, so that keys go on.

use std::sync::Arc;

use super::{App, Effect, Exchanges, Page, Pane, Pattern, Side, Step};
use crate::{session::Reading, tree::Tree, wire::Span};

/// A message that is looked through.
#[derive(Clone, Debug)]
pub(super) enum Searched {
    /// As it was pasted.
    Page(Arc<Page>),
    /// As it was decoded since.
    Tree(Arc<Tree>),
    /// Bytes that are to be decoded first.
    Changed(Arc<Vec<u8>>, Reading),
}

/// What is looked for, and in what.
#[derive(Clone, Debug)]
pub struct PastedSearch {
    pattern: Pattern,
    step: Step,
    messages: Vec<Searched>,
    /// The message on the screen; buffer and byte of its cursor.
    from: (usize, (u16, usize)),
}

/// Where a pattern was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedHit {
    pattern: Pattern,
    /// The message, and the place among those in it.
    nth: usize,
    at: usize,
    places: Vec<Span>,
}

impl PartialEq for PastedSearch {
    /// The messages are those of one paste: only how they were changed could tell them apart.
    fn eq(&self, other: &PastedSearch) -> bool {
        self.pattern == other.pattern
            && self.step == other.step
            && self.from == other.from
            && self.messages.len() == other.messages.len()
    }
}

impl PastedSearch {
    /// The next place, around the end; `looked` is told how many messages were looked at.
    pub(super) fn run(
        &self,
        exchanges: &dyn Exchanges,
        stop: &dyn Fn() -> bool,
        looked: &mut dyn FnMut(usize),
    ) -> Option<PastedHit> {
        let (start, cursor) = self.from;
        let place = |span: &Span| (span.buffer.0, span.at);
        let edge = |places: &[Span]| match self.step {
            Step::Forward => (!places.is_empty()).then_some(0),
            Step::Back => places.len().checked_sub(1),
        };
        let hit = |nth, at, places| PastedHit {
            pattern: self.pattern.clone(),
            nth,
            at,
            places,
        };
        let here = self.places(exchanges, start);
        let further = match self.step {
            Step::Forward => here.iter().position(|span| place(span) > cursor),
            Step::Back => here.iter().rposition(|span| place(span) < cursor),
        };
        if let Some(at) = further {
            return Some(hit(start, at, here));
        }
        let n_messages = self.messages.len();
        for distance in 1..n_messages {
            if stop() {
                return None;
            }
            let nth = match self.step {
                Step::Forward => start + distance,
                Step::Back => start + n_messages - distance,
            } % n_messages;
            let places = self.places(exchanges, nth);
            if let Some(at) = edge(&places) {
                return Some(hit(nth, at, places));
            }
            looked(distance + 1);
        }
        edge(&here).map(|at| hit(start, at, here))
    }

    fn places(&self, exchanges: &dyn Exchanges, nth: usize) -> Vec<Span> {
        match self.messages.get(nth) {
            None => Vec::new(),
            Some(Searched::Page(page)) => self.pattern.places(&page.tree),
            Some(Searched::Tree(tree)) => self.pattern.places(tree),
            Some(Searched::Changed(bytes, reading)) => {
                let page = exchanges.reread(None, Side::Request, bytes, reading);
                page.map_or_else(Vec::new, |page| self.pattern.places(&page.tree))
            }
        }
    }
}

impl App {
    /// Looks for the next place of a pattern in the pasted messages.
    pub(super) fn search_pasted(&mut self, pattern: Pattern, step: Step) -> Effect {
        let Some(message) = &self.message else {
            return Effect::None;
        };
        self.searching = Some(0);
        Effect::SearchPasted(PastedSearch {
            pattern,
            step,
            messages: self.pasted.searched(message),
            from: (self.pasted.selected(), (message.buffer().0, message.byte)),
        })
    }

    /// Goes to where a pattern was found in what was pasted.
    pub(super) fn take_pasted_hit(&mut self, hit: Option<PastedHit>) -> Effect {
        self.searching = None;
        if !self.pasted.is_shown() {
            return Effect::None;
        }
        let Some(hit) = hit else {
            self.say("not found in what was pasted");
            return Effect::None;
        };
        self.destination = hit.places.get(hit.at).copied();
        let effect = self.select_pasted(hit.nth);
        self.arrive();
        if self.pane == Pane::Exchanges {
            self.pane = Pane::Tree;
        }
        let (at, len) = (hit.at + 1, hit.places.len());
        self.hint = Some(match self.pasted.shown() {
            Some((nth, all)) if all > 1 => format!("{at} of {len} in message {nth}"),
            _ => format!("{at} of {len} here"),
        });
        if let Some(message) = &mut self.message {
            // Bytes may have changed while they were looked through.
            let places = hit.pattern.places(&message.tree);
            message.take_marks(hit.pattern, places);
        }
        effect
    }
}
