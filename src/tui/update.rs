//! What each message does to the state.

use ratatui::{
    crossterm::event::{KeyEventKind, MouseButton, MouseEvent, MouseEventKind},
    layout::{Position, Rect},
};

use super::{
    App, Effect, Msg, Pane, Row, Step, app::Overlay, keys::Action, message::OpenMessage, view,
};
use crate::render::BYTES_PER_ROW;

/// Rows that a turn of the wheel moves.
const WHEEL: isize = 3;

impl App {
    /// Takes in what happened.
    pub fn update(&mut self, msg: Msg) -> Effect {
        let effect = match msg {
            Msg::Key(event) if event.kind == KeyEventKind::Release => Effect::None,
            Msg::Key(event) => {
                self.hint = None;
                self.key(event)
            }
            Msg::Mouse(event) => self.mouse(event),
            Msg::Resize(width, height) => {
                self.size = (width, height);
                Effect::None
            }
            Msg::Status(status) => {
                self.selected = self.selected.min(status.len.saturating_sub(1));
                self.status = status;
                Effect::None
            }
            Msg::Opened { idx, side, page } => self.open(idx, side, page.map(|page| *page)),
            Msg::Reread {
                idx,
                side,
                bytes,
                page,
            } => {
                self.reread(idx, side, &bytes, page.map(|page| *page));
                Effect::None
            }
            Msg::Saved { name, result } => {
                self.saved(name, result);
                Effect::None
            }
            Msg::Rows { first, rows } => {
                self.take_rows(first, rows);
                Effect::None
            }
            Msg::Trouble(found) => {
                match found {
                    Some((idx, side)) => (self.selected, self.side) = (idx, side),
                    None => self.say("no further exchange has an error or problem"),
                }
                Effect::None
            }
            Msg::Notes(notes) => {
                self.overlay = Some(Overlay::Notes(notes));
                self.overlay_scroll = 0;
                Effect::None
            }
        };
        self.scroll_to_selection();
        let wanted = (self.selected, self.wanted_side());
        if effect == Effect::None && self.status.len > 0 && self.shown != Some(wanted) {
            return Effect::Open {
                idx: wanted.0,
                side: wanted.1,
            };
        }
        if effect == Effect::None
            && let Some((idx, side)) = self.missing_side()
        {
            return Effect::Open { idx, side };
        }
        effect
    }

    fn take_rows(&mut self, first: usize, rows: Vec<Row>) {
        self.rows = (first, rows);
        self.widths = view::column_widths(&self.widths, &self.rows.1);
        let Some((idx, _)) = self.shown else {
            return;
        };
        let now = self.row(idx).cloned();
        match (&self.shown_row, now) {
            // A response may have come, or the exchange may have got another number.
            (Some(then), Some(now)) if *then != now => self.shown = None,
            (None, Some(now)) => self.shown_row = Some(now),
            _ => {}
        }
    }

    pub(super) fn act(&mut self, action: Action) -> Effect {
        if self.overlay.is_some() {
            self.act_in_overlay(action);
            return Effect::None;
        }
        match action {
            Action::Quit => return Effect::Quit,
            Action::Notes => return Effect::Notes,
            Action::Help => {
                self.overlay = Some(Overlay::Help);
                self.overlay_scroll = 0;
            }
            Action::NextPane => self.next_pane(),
            Action::PreviousPane => self.previous_pane(),
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::OtherSide => self.change_sides(),
            Action::Open => self.pane = Pane::Tree,
            Action::Back => self.back(),
            Action::NextExchange => self.select(1),
            Action::PreviousExchange => self.select(-1),
            Action::Meanings => self.meanings = !self.meanings,
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-self.page()),
            Action::PageDown => self.step(self.page()),
            Action::Top => self.step(isize::MIN / 2),
            Action::Bottom => self.step(isize::MAX / 2),
            Action::NextProblem => return self.seek(Step::Forward),
            Action::PreviousProblem => return self.seek(Step::Back),
            action => return self.act_on_view(action),
        }
        Effect::None
    }

    /// Goes to the next problem: among the exchanges from their list, else in the message.
    fn seek(&mut self, step: Step) -> Effect {
        if self.pane == Pane::Exchanges {
            return Effect::Seek {
                idx: self.selected,
                step,
            };
        }
        let found = match &mut self.message {
            Some(message) => message.select_problem(step),
            None => false,
        };
        if !found {
            self.say("this message has no problem");
        }
        Effect::None
    }

    fn act_in_overlay(&mut self, action: Action) {
        match action {
            Action::Quit | Action::Help | Action::Notes | Action::Back => self.overlay = None,
            Action::Up => self.overlay_scroll = self.overlay_scroll.saturating_sub(1),
            Action::Down => self.overlay_scroll += 1,
            Action::PageUp => self.overlay_scroll = self.overlay_scroll.saturating_sub(10),
            Action::PageDown => self.overlay_scroll += 10,
            Action::Top => self.overlay_scroll = 0,
            _ => {}
        }
        self.overlay_scroll = self.overlay_scroll.min(view::overlay_end(self));
    }

    pub(super) fn act_on_message(&mut self, action: Action) {
        let in_tree = self.pane == Pane::Tree;
        let Some(message) = &mut self.message else {
            return;
        };
        match action {
            Action::Left if in_tree => message.fold(),
            Action::Right if in_tree => message.unfold(),
            Action::Left => message.select_byte(message.byte.saturating_sub(1)),
            Action::Right => message.select_byte(message.byte + 1),
            Action::Toggle => message.toggle(),
            Action::ToggleAll => message.toggle_all(),
            Action::NextBuffer | Action::PreviousBuffer | Action::ThroughCodec => {
                self.change_buffer(action);
            }
            _ => {}
        }
    }

    /// One step out: of the zoom, of the grid, of the message.
    fn back(&mut self) {
        if self.zoomed {
            self.zoomed = false;
        } else {
            self.pane = match self.pane {
                Pane::Grid => Pane::Tree,
                _ => Pane::Exchanges,
            };
        }
    }

    /// Moves the selection of the focused pane by rows.
    fn step(&mut self, rows: isize) {
        self.step_in(self.pane, rows);
    }

    fn step_in(&mut self, pane: Pane, rows: isize) {
        match (pane, &mut self.message) {
            (Pane::Exchanges, _) => self.select(rows),
            (Pane::Tree, Some(message)) => {
                message.select_row(message.cursor.saturating_add_signed(rows));
            }
            (Pane::Grid, Some(message)) => {
                let bytes = rows.saturating_mul(BYTES_PER_ROW as isize);
                message.select_byte(message.byte.saturating_add_signed(bytes));
            }
            _ => {}
        }
    }

    fn select(&mut self, by: isize) {
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.status.len.saturating_sub(1));
    }

    /// The rows of the focused pane.
    fn page(&self) -> isize {
        let layout = view::layout(self);
        let height = match self.pane {
            Pane::Exchanges => layout.exchanges.height,
            Pane::Tree => layout.tree.height,
            Pane::Grid => layout.grid.height,
        };
        // Title and header rows do not scroll; one row stays in sight as a hold for the eye.
        (isize::try_from(height).unwrap_or(0) - 3).max(1)
    }

    fn mouse(&mut self, event: MouseEvent) -> Effect {
        if self.overlay.is_some() {
            if matches!(event.kind, MouseEventKind::Down(_)) {
                self.overlay = None;
            }
            return Effect::None;
        }
        let at = Position::new(event.column, event.row);
        match (event.kind, self.dragging) {
            (MouseEventKind::Down(MouseButton::Left), _) => self.dragging = self.border_at(at),
            (MouseEventKind::Drag(MouseButton::Left), Some(border)) => {
                self.drag(border, at);
                return Effect::None;
            }
            (MouseEventKind::Up(_), _) => self.dragging = None,
            _ => {}
        }
        let layout = view::layout(self);
        if layout.other.contains(at) && matches!(event.kind, MouseEventKind::Down(_)) {
            // The tree under the mouse is then the one with the focus.
            self.change_sides();
        }
        let layout = view::layout(self);
        let Some((pane, area)) = [
            (Pane::Exchanges, layout.exchanges),
            (Pane::Tree, layout.tree),
            (Pane::Grid, layout.grid),
        ]
        .into_iter()
        .find(|(_, area)| area.contains(at)) else {
            return Effect::None;
        };
        match event.kind {
            MouseEventKind::ScrollUp => self.step_in(pane, -WHEEL),
            MouseEventKind::ScrollDown => self.step_in(pane, WHEEL),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pane = pane;
                let double = self.last_click == Some((event.column, event.row));
                self.last_click = (!double).then_some((event.column, event.row));
                self.click(pane, area, at, double);
            }
            MouseEventKind::Drag(MouseButton::Left) if pane == Pane::Grid => {
                self.click(pane, area, at, false);
            }
            _ => {}
        }
        Effect::None
    }

    /// A click at `at` in a pane that takes `area`.
    fn click(&mut self, pane: Pane, area: Rect, at: Position, double: bool) {
        let row = usize::from(at.y - area.y);
        match (pane, &mut self.message) {
            (Pane::Exchanges, _) => {
                let Some(row) = row.checked_sub(view::EXCHANGES_HEAD) else {
                    return;
                };
                self.selected = (self.scroll + row).min(self.status.len.saturating_sub(1));
                if double {
                    self.pane = Pane::Tree;
                }
            }
            (Pane::Tree, Some(message)) => {
                let Some(row) = row.checked_sub(view::TREE_HEAD) else {
                    return;
                };
                let row = message.scroll + row;
                if row < message.rows().len() {
                    message.select_row(row);
                    if double {
                        message.toggle();
                    }
                }
            }
            (Pane::Grid, Some(message)) => {
                if let Some(byte) = view::byte_at(message, area, at) {
                    message.select_byte(byte);
                }
            }
            _ => {}
        }
    }

    /// Keeps what is selected on the screen.
    fn scroll_to_selection(&mut self) {
        let layout = view::layout(self);
        let height = usize::from(layout.exchanges.height).saturating_sub(view::EXCHANGES_HEAD);
        self.scroll = scrolled(self.scroll, self.selected, height, self.status.len);
        if let Some(message) = &mut self.message {
            let height = usize::from(layout.tree.height).saturating_sub(view::TREE_HEAD);
            message.scroll_tree(height);
            let height = usize::from(layout.grid.height).saturating_sub(view::GRID_HEAD);
            let row = message.byte / BYTES_PER_ROW;
            let rows = message.bytes().len().div_ceil(BYTES_PER_ROW);
            message.grid_scroll = scrolled(message.grid_scroll, row, height, rows);
        }
        let beside = self
            .beside
            .as_mut()
            .and_then(|beside| beside.message.as_mut());
        if let Some(message) = beside {
            let height = usize::from(layout.other.height).saturating_sub(view::TREE_HEAD);
            message.scroll_tree(height);
        }
    }
}

impl OpenMessage {
    /// Keeps the selected row among the `height` rows on the screen.
    fn scroll_tree(&mut self, height: usize) {
        self.scroll = scrolled(self.scroll, self.cursor, height, self.rows().len());
    }
}

/// The first of `len` rows to show so that `row` is among the `height` shown and no room is left
/// empty that could show more.
fn scrolled(first: usize, row: usize, height: usize, len: usize) -> usize {
    let first = first.min(len.saturating_sub(height));
    if row < first {
        row
    } else {
        first.max((row + 1).saturating_sub(height.max(1)))
    }
}
