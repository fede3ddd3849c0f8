//! What is cut at the side of the screen is brought to it.

use crate::tui::{App, Pane, view};

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
        let Some(message) = &self.message else {
            return;
        };
        let most = view::tree_overflow(self, message, area);
        let shift = match by {
            ..0 => message.shift.min(most).saturating_sub(SHIFT),
            _ => (message.shift + SHIFT).min(most),
        };
        if let Some(message) = &mut self.message {
            message.shift = shift;
        }
        if most == 0 {
            self.say("no line is cut here");
        }
    }
}
