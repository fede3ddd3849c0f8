//! Request and response side by side: which message stands beside the one that has the focus.
//!
//! The two trees are equals; `App::message` is the one that the grid and the keys belong to, and
//! changing sides swaps them.

use super::{App, Effect, Page, Pane, Side, message::OpenMessage};

/// From this width on, two trees have room beside each other.
pub(super) const WIDE: u16 = 160;

/// The message beside the one with the focus.
#[derive(Debug)]
pub(super) struct Beside {
    pub idx: usize,
    pub side: Side,
    /// `None` when the capture has none.
    pub message: Option<OpenMessage>,
}

impl App {
    /// Whether both sides are on the screen.
    pub(super) fn is_paired(&self) -> bool {
        self.paired && self.size.0 >= WIDE && !self.zoomed && !self.pasted.is_shown()
    }

    pub(super) fn toggle_pair(&mut self) {
        self.paired = !self.paired;
        if self.paired && self.size.0 < WIDE {
            self.say(format!("both sides are shown from {WIDE} columns on"));
        }
    }

    /// The side that is still to be opened for the pair.
    fn missing_side(&self) -> Option<(usize, Side)> {
        let (idx, side) = self.shown.filter(|_| self.is_paired())?;
        let wanted = (idx, side.other());
        let has = self.beside.as_ref().map(|beside| (beside.idx, beside.side));
        (has != Some(wanted) && self.asked_beside != Some(wanted)).then_some(wanted)
    }

    /// Asks for the side that is still to be opened.
    pub(super) fn open_other_side(&mut self) -> Effect {
        let Some((idx, side)) = self.missing_side() else {
            return Effect::None;
        };
        self.asked_beside = Some((idx, side));
        Effect::Open { idx, side }
    }

    /// Takes a message that was opened for the place beside; whether it was.
    pub(super) fn open_beside(&mut self, idx: usize, side: Side, page: &mut Option<Page>) -> bool {
        let wanted = self.shown.map(|(idx, side)| (idx, side.other()));
        if !self.is_paired() || wanted != Some((idx, side)) {
            return false;
        }
        self.asked_beside = None;
        if let Some(Beside {
            idx,
            side,
            message: Some(message),
        }) = self.beside.take()
        {
            let before = (idx, side);
            self.keep(before, message);
        }
        let message = page.take().map(|page| self.opened(page));
        self.beside = Some(Beside { idx, side, message });
        true
    }

    /// Gives the keys to the other side.
    pub(super) fn change_sides(&mut self) {
        self.side = self.wanted_side().other();
        let Some(wanted) = self.exchange().map(|idx| (idx, self.side)) else {
            return;
        };
        if !self.is_paired() {
            return;
        }
        if let Some(beside) = self
            .beside
            .as_mut()
            .filter(|beside| (beside.idx, beside.side) == wanted)
        {
            std::mem::swap(&mut self.message, &mut beside.message);
            beside.side = beside.side.other();
            (self.shown, self.asked) = (Some(wanted), Some(wanted));
            self.last_shown = self.shown;
        }
    }

    /// Moves the selection of the tree without the focus.
    pub(super) fn scroll_beside(&mut self, rows: isize) {
        let beside = self.beside.as_mut();
        if let Some(message) = beside.and_then(|beside| beside.message.as_mut()) {
            message.select_row(message.cursor.saturating_add_signed(rows));
        }
    }

    /// Exchanges, request, response, bytes, and round again.
    pub(super) fn next_pane(&mut self) {
        match (self.pane, self.is_paired(), self.shown_side()) {
            (Pane::Exchanges, true, Side::Response) => {
                self.change_sides();
                self.pane = Pane::Tree;
            }
            (Pane::Exchanges, _, _) => self.pane = Pane::Tree,
            (Pane::Tree, true, Side::Request) => self.change_sides(),
            (Pane::Tree, _, _) => self.pane = Pane::Grid,
            (Pane::Grid, _, _) => self.pane = Pane::Exchanges,
        }
    }

    /// The same the other way round.
    pub(super) fn previous_pane(&mut self) {
        match (self.pane, self.is_paired(), self.shown_side()) {
            (Pane::Exchanges, _, _) => self.pane = Pane::Grid,
            (Pane::Grid, true, Side::Request) => {
                self.change_sides();
                self.pane = Pane::Tree;
            }
            (Pane::Grid, _, _) => self.pane = Pane::Tree,
            (Pane::Tree, true, Side::Response) => self.change_sides(),
            (Pane::Tree, _, _) => self.pane = Pane::Exchanges,
        }
    }
}
