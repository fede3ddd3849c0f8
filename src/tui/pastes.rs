//! Messages that were pasted since the browser began, with what was changed in them.
//!
//! They lie over the exchanges while one of them is shown, and are kept when they are left.

use std::{collections::HashMap, sync::Arc};

use super::{
    App, Effect, Page, Pane, Step,
    message::{Edit, OpenMessage},
    pasted_search::Searched,
};
use crate::{
    decode::Decoded,
    event::Severity,
    session::Reading,
    tree::{Found, Tree},
};

/// The messages, and which of them is shown or was last.
#[derive(Debug, Default)]
pub(super) struct Pastes {
    pages: Vec<Arc<Page>>,
    nth: usize,
    is_shown: bool,
    /// The first of them in the list on the screen.
    pub(super) scroll: usize,
    /// The file that the first messages are from, and how many are.
    file: Option<(String, usize)>,
    /// What was changed in those that are not on the screen.
    changes: HashMap<usize, Changed>,
}

/// What was changed in a message, and what that made of it.
#[derive(Debug)]
struct Changed {
    edit: Edit,
    reading: Reading,
    problem: Option<String>,
    now: Now,
}

/// What is known of the bytes as they are now.
#[derive(Debug)]
enum Now {
    Decoded(Arc<Tree>, Option<Decoded>),
    /// The message was left before they were decoded; what they are to be read as.
    Unread(Reading),
}

impl Pastes {
    /// The number of the message on the screen, from 1, and how many there are; `None` while
    /// exchanges are shown.
    pub(super) fn shown(&self) -> Option<(usize, usize)> {
        self.is_shown.then_some((self.nth + 1, self.pages.len()))
    }

    pub(super) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// The messages in their order, for a list of them; empty while exchanges are shown.
    pub(super) fn listed(&self) -> &[Arc<Page>] {
        match self.is_shown {
            true => &self.pages,
            false => &[],
        }
    }

    /// Whether there are any, on the screen or not.
    pub(super) fn are_kept(&self) -> bool {
        !self.pages.is_empty()
    }

    /// The place in the list of the message on the screen.
    pub(super) fn selected(&self) -> usize {
        self.nth
    }

    /// What is open, and which part of it: `dump.txt`, `: message 1 of 2`, or `pasted`, ` message 3 of 3`,
    /// where messages of a file are among the three.
    pub(super) fn heading(&self) -> Option<(&str, String)> {
        let (nth, all) = self.shown()?;
        Some(match &self.file {
            Some((file, of_file)) if nth <= *of_file => {
                (file.as_str(), format!(": message {nth} of {of_file}"))
            }
            _ => ("pasted", format!(" message {nth} of {all}")),
        })
    }

    /// The nearest other message in which something is wrong, or an answer says so.
    fn wrong(&self, step: Step) -> Option<usize> {
        let is_wrong = |&at: &usize| match self.changes.get(&at) {
            Some(changed) => changed.problem.is_some(),
            None => self
                .pages
                .get(at)
                .is_some_and(|page| worst(&page.tree).is_some()),
        };
        match step {
            Step::Forward => (self.nth + 1..self.pages.len()).find(is_wrong),
            Step::Back => (0..self.nth).rev().find(is_wrong),
        }
    }

    /// Whether bytes of one that is not on the screen were changed.
    pub(super) fn has_changes(&self) -> bool {
        self.changes.values().any(|it| it.edit.is_changed())
    }

    /// Of the one at a place of the list, while it is not on the screen: whether its bytes were changed,
    /// and what is worst in it.
    pub(super) fn state(&self, nth: usize) -> (bool, Option<String>) {
        match (self.changes.get(&nth), self.pages.get(nth)) {
            (Some(it), _) => (it.edit.is_changed(), it.problem.clone()),
            (None, Some(page)) => (false, problem(&page.tree)),
            (None, None) => (false, None),
        }
    }

    /// Remembers what was changed in the one on the screen.
    pub(super) fn keep(&mut self, mut message: OpenMessage) {
        let (problem, now) = match message.is_decoded() {
            true => {
                let now = Now::Decoded(Arc::clone(&message.tree), message.decoded.clone());
                (problem(&message.tree), now)
            }
            false => (None, Now::Unread(message.reading_anew(true))),
        };
        if let Some((edit, reading)) = message.take_changes() {
            let changed = Changed {
                edit,
                reading,
                problem,
                now,
            };
            self.changes.insert(self.nth, changed);
        }
    }

    /// The messages as they are now, for a search; `shown` is the one on the screen.
    pub(super) fn searched(&self, shown: &OpenMessage) -> Vec<Searched> {
        let pages = self.pages.iter().enumerate();
        pages
            .map(|(nth, page)| match self.changes.get(&nth) {
                _ if nth == self.nth && shown.is_decoded() => {
                    Searched::Tree(Arc::clone(&shown.tree))
                }
                _ if nth == self.nth => {
                    let bytes = Arc::new(shown.frame().to_vec());
                    Searched::Changed(bytes, shown.reading_anew(true))
                }
                None => Searched::Page(Arc::clone(page)),
                Some(changed) => match &changed.now {
                    Now::Decoded(tree, _) => Searched::Tree(Arc::clone(tree)),
                    Now::Unread(reading) => {
                        let bytes = Arc::new(changed.edit.bytes().to_vec());
                        Searched::Changed(bytes, reading.clone())
                    }
                },
            })
            .collect()
    }
}

/// The worst of what is wrong with a message, if anything is.
fn worst(tree: &Tree) -> Option<&Found> {
    let problems = tree.problems().iter();
    let problems = problems.filter(|found| found.problem.severity > Severity::Note);
    // Of those that are equally bad the first counts.
    problems.rev().max_by_key(|found| found.problem.severity)
}

/// What that is.
pub(super) fn problem(tree: &Tree) -> Option<String> {
    worst(tree).map(|found| found.problem.message.clone())
}

impl App {
    /// Says of the messages that it begins with which file they are from.
    pub fn name_file(&mut self, file: String, n_messages: usize) {
        self.pasted.file = Some((file, n_messages));
    }

    /// Whether there is no capture: no exchanges, and no reason why there are none.
    pub(super) fn is_bare(&self) -> bool {
        let status = &self.status;
        status.len == 0
            && status.absence.is_none()
            && status.failure.is_none()
            && !self.is_indexing()
    }

    /// Takes in pasted text that was decoded, or why it was not.
    pub(super) fn take_pasted(&mut self, result: Result<Vec<Page>, String>) -> Effect {
        match result {
            Err(why) => {
                self.say(why);
                Effect::None
            }
            Ok(pages) => {
                self.leave_message();
                self.pasted.nth = self.pasted.pages.len();
                self.pasted.pages.extend(pages.into_iter().map(Arc::new));
                self.seeks_problem = true;
                self.pane = Pane::Tree;
                self.open_pasted()
            }
        }
    }

    /// Goes back to what was pasted.
    pub(super) fn return_to_pasted(&mut self) -> Effect {
        if self.pasted.pages.is_empty() {
            self.say("nothing was pasted; what is pasted into the terminal opens as a message");
            return Effect::None;
        }
        if self.pasted.is_shown {
            return self.next_pasted();
        }
        self.leave_message();
        self.pane = Pane::Tree;
        self.open_pasted()
    }

    /// The next pasted message, around the end.
    pub(super) fn next_pasted(&mut self) -> Effect {
        self.leave_message();
        self.pasted.nth = (self.pasted.nth + 1) % self.pasted.pages.len().max(1);
        self.open_pasted()
    }

    /// Another message, by so many places of the list.
    pub(super) fn step_pasted(&mut self, by: isize) -> Effect {
        self.select_pasted(self.pasted.nth.saturating_add_signed(by))
    }

    /// The message at a place of the list, or the last one.
    pub(super) fn select_pasted(&mut self, nth: usize) -> Effect {
        let nth = nth.min(self.pasted.pages.len().saturating_sub(1));
        if nth == self.pasted.nth {
            return Effect::None;
        }
        self.leave_message();
        self.pasted.nth = nth;
        self.open_pasted()
    }

    /// The next message with a problem, at that problem.
    pub(super) fn seek_wrong_pasted(&mut self, step: Step) -> Effect {
        match self.pasted.wrong(step) {
            Some(nth) => {
                self.seeks_problem = true;
                self.select_pasted(nth)
            }
            None => {
                self.say("no further message with a problem");
                Effect::None
            }
        }
    }

    fn open_pasted(&mut self) -> Effect {
        let nth = self.pasted.nth;
        self.pagers.clear();
        self.pasted.is_shown = true;
        let page = self.pasted.pages.get(nth);
        let mut message = page.map(|page| self.opened(Page::clone(page)));
        let changes = self.pasted.changes.remove(&nth);
        let mut is_unread = false;
        if let (Some(message), Some(it)) = (&mut message, changes)
            && message.restore_changes((it.edit, it.reading))
        {
            match it.now {
                Now::Decoded(tree, decoded) => message.show_anew(tree, decoded, self.secrecy),
                Now::Unread(_) => is_unread = true,
            }
        }
        self.message = message;
        (self.shown, self.asked) = (None, None);
        self.arrive();
        match is_unread {
            true => self.decode_anew(),
            false => Effect::None,
        }
    }

    /// One step out: to the exchanges, or to the list of messages where nothing is behind them.
    pub(super) fn back_from_pasted(&mut self) {
        if !self.is_bare() {
            self.close_pasted();
        } else if self.pane == Pane::Exchanges {
            self.say("there is no capture behind these messages; q quits");
        }
    }

    /// Back to the exchanges.
    pub(super) fn close_pasted(&mut self) {
        if self.pasted.is_shown {
            self.leave_message();
            self.pasted.is_shown = false;
            (self.shown, self.asked) = (None, None);
        }
    }
}
