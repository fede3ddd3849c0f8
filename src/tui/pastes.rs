//! Messages that were pasted since the browser began, with what was changed in them.
//!
//! They lie over the exchanges while one of them is shown, and are kept when they are left.

use std::collections::HashMap;

use super::{App, Effect, Page, Pane, message::Edit};
use crate::session::Reading;

/// The messages, and which of them is shown or was last.
#[derive(Debug, Default)]
pub(super) struct Pastes {
    pages: Vec<Page>,
    nth: usize,
    is_shown: bool,
    /// What was changed in those that are not on the screen.
    changes: HashMap<usize, (Edit, Reading)>,
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

    /// Whether bytes of one that is not on the screen were changed.
    pub(super) fn has_changes(&self) -> bool {
        self.changes.values().any(|(edit, _)| edit.is_changed())
    }

    /// Remembers what was changed in the one on the screen.
    pub(super) fn keep(&mut self, changes: Option<(Edit, Reading)>) {
        if let Some(changes) = changes {
            self.changes.insert(self.nth, changes);
        }
    }
}

impl App {
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
                self.pasted.pages.extend(pages);
                self.seeks_problem = true;
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
        self.open_pasted()
    }

    /// The next pasted message, around the end.
    pub(super) fn next_pasted(&mut self) -> Effect {
        self.leave_message();
        self.pasted.nth = (self.pasted.nth + 1) % self.pasted.pages.len().max(1);
        self.open_pasted()
    }

    fn open_pasted(&mut self) -> Effect {
        let nth = self.pasted.nth;
        self.pagers.clear();
        self.pasted.is_shown = true;
        self.pane = Pane::Tree;
        if self.pasted.pages.len() > 1 {
            let len = self.pasted.pages.len();
            self.say(format!("message {} of {len}; r shows the next", nth + 1));
        }
        let page = self.pasted.pages.get(nth).cloned();
        let mut message = page.map(|page| self.opened(page));
        let changes = self.pasted.changes.remove(&nth);
        let is_changed = match (&mut message, changes) {
            (Some(message), Some(changes)) => message.restore_changes(changes),
            _ => false,
        };
        self.message = message;
        (self.shown, self.asked) = (None, None);
        self.arrive();
        match is_changed {
            true => self.decode_anew(),
            false => Effect::None,
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
