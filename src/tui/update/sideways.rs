//! What is cut at the side of the screen is brought to it.

use ratatui::layout::Rect;

use crate::tui::{App, Pane, message::OpenMessage, view};

/// Columns that a key moves a tree by.
const SHIFT: usize = 8;

impl App {
    /// Moves what a pane shows to the left or to the right.
    pub(super) fn scroll_sideways(&mut self, pane: Pane, by: isize) {
        match pane {
            Pane::Exchanges => self.move_column_cursor(by),
            Pane::Tree => self.shift_tree(by),
            Pane::Grid => {}
        }
    }

    fn shift_tree(&mut self, by: isize) {
        let area = view::layout(self).tree;
        let message = self.message.as_ref();
        let Some((shift, most)) = message.map(|message| self.shifted(message, area, by)) else {
            return;
        };
        if let Some(message) = &mut self.message {
            message.shift = shift;
        }
        if most == 0 {
            self.say("no line is cut here");
        }
    }

    /// The same of the tree without the focus.
    pub(super) fn shift_beside(&mut self, by: isize) {
        let area = view::layout(self).other;
        let beside = self.beside.as_ref();
        let message = beside.and_then(|beside| beside.message.as_ref());
        let shifted = message.map(|message| self.shifted(message, area, by));
        let beside = self.beside.as_mut();
        if let Some(message) = beside.and_then(|beside| beside.message.as_mut())
            && let Some((shift, _)) = shifted
        {
            message.shift = shift;
        }
    }

    /// Where a tree is scrolled to by a step, and the most that it can be.
    fn shifted(&self, message: &OpenMessage, area: Rect, by: isize) -> (usize, usize) {
        let most = view::tree_overflow(self, message, area);
        let shift = match by {
            ..0 => message.shift.min(most).saturating_sub(SHIFT),
            _ => (message.shift + SHIFT).min(most),
        };
        (shift, most)
    }
}
