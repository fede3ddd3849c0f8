//! Clicks, drags and the wheel.

use ratatui::{
    crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind},
    layout::{Position, Rect},
};

use crate::tui::{App, Effect, Pane, app::Overlay, splits::Border, view};

/// Rows that a turn of the wheel moves.
pub(super) const WHEEL: isize = 3;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Effect {
        if self.overlay.is_some() {
            return self.mouse_in_overlay(event);
        }
        if !self.pagers.is_empty() {
            return self.mouse_in_pager(event);
        }
        let at = Position::new(event.column, event.row);
        match (event.kind, self.dragging) {
            (MouseEventKind::Down(MouseButton::Left), _) => self.dragging = self.border_at(at),
            (MouseEventKind::Drag(MouseButton::Left), Some(border)) => {
                self.drag(border, at);
                return Effect::None;
            }
            (MouseEventKind::Up(_), Some(border)) => {
                self.dragging = None;
                if matches!(border, Border::Column(_)) {
                    self.keep_widths();
                }
            }
            _ => {}
        }
        if view::layout(self).other.contains(at) && matches!(event.kind, MouseEventKind::Down(_)) {
            // The tree under the mouse is then the one with the focus.
            self.change_sides();
        }
        let layout = view::layout(self);
        if layout.other.contains(at) {
            self.mouse_beside(event);
            return Effect::None;
        }
        let panes = [
            (Pane::Exchanges, layout.exchanges),
            (Pane::Tree, layout.tree),
            (Pane::Grid, layout.grid),
        ];
        match panes.into_iter().find(|(_, area)| area.contains(at)) {
            Some((pane, area)) => self.mouse_in_pane(event, pane, area),
            None => Effect::None,
        }
    }

    /// A click takes the row of an overlay that offers something, else closes the overlay.
    fn mouse_in_overlay(&mut self, event: MouseEvent) -> Effect {
        if !matches!(event.kind, MouseEventKind::Down(_)) {
            return Effect::None;
        }
        let at = Position::new(event.column, event.row);
        match (&self.overlay, view::overlay_line_at(self, at)) {
            (Some(Overlay::Copy(_)), Some(row)) => self.copy_row(row),
            _ => {
                self.overlay = None;
                Effect::None
            }
        }
    }

    /// Over the tree without the focus, which only scrolls.
    fn mouse_beside(&mut self, event: MouseEvent) {
        if let Some(by) = sideways(&event) {
            return self.shift_beside(by);
        }
        self.scroll_beside(match event.kind {
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::ScrollDown => WHEEL,
            _ => 0,
        });
    }

    /// Over a pane that takes `area`.
    fn mouse_in_pane(&mut self, event: MouseEvent, pane: Pane, area: Rect) -> Effect {
        if let Some(by) = sideways(&event) {
            self.scroll_sideways(pane, by);
            return Effect::None;
        }
        let at = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => return self.step_in(pane, -WHEEL),
            MouseEventKind::ScrollDown => return self.step_in(pane, WHEEL),
            MouseEventKind::Down(MouseButton::Left) => {
                self.pane = pane;
                let double = self.last_click == Some((event.column, event.row));
                self.last_click = (!double).then_some((event.column, event.row));
                if pane == Pane::Exchanges && self.pasted.is_shown() {
                    return self.click_pasted(usize::from(at.y - area.y), double);
                }
                if pane == Pane::Exchanges && at.y == area.y + 1 {
                    return self.click_head(area, at, double);
                }
                self.click(pane, area, at, double);
            }
            MouseEventKind::Drag(MouseButton::Left) if pane == Pane::Grid => {
                self.click(pane, area, at, false);
            }
            _ => {}
        }
        Effect::None
    }

    /// A click on the head of the list: on a title orders, twice on a boundary fits the column.
    fn click_head(&mut self, area: Rect, at: Position, double: bool) -> Effect {
        if let Some(Border::Column(idx)) = self.dragging {
            self.columns.cursor = idx;
            if double {
                self.fit_column(idx);
            }
            return Effect::None;
        }
        let placing = view::placing(self, area);
        let Some(idx) = placing
            .at(usize::from(at.x - area.x))
            .map(|placed| placed.idx)
        else {
            return Effect::None;
        };
        self.columns.cursor = idx;
        let name = self
            .columns
            .all()
            .get(idx)
            .map(|column| column.name.clone());
        name.map_or(Effect::None, |name| self.order_by(&name))
    }

    /// A click on a row of the list of pasted messages, title and head being the first two.
    fn click_pasted(&mut self, row: usize, double: bool) -> Effect {
        let Some(row) = row.checked_sub(view::EXCHANGES_HEAD) else {
            return Effect::None;
        };
        if double {
            self.pane = Pane::Tree;
        }
        self.select_pasted(self.pasted.scroll + row)
    }

    /// A click at `at` in a pane that takes `area`.
    fn click(&mut self, pane: Pane, area: Rect, at: Position, double: bool) {
        let row = usize::from(at.y - area.y);
        match (pane, &mut self.message) {
            (Pane::Exchanges, _) => {
                let Some(row) = row.checked_sub(view::EXCHANGES_HEAD) else {
                    return;
                };
                self.selected = (self.scroll + row).min(self.len().saturating_sub(1));
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
}

/// The way that a wheel turns to the side, by itself or with shift.
fn sideways(event: &MouseEvent) -> Option<isize> {
    let with_shift = event.modifiers.contains(KeyModifiers::SHIFT);
    match event.kind {
        MouseEventKind::ScrollLeft => Some(-1),
        MouseEventKind::ScrollRight => Some(1),
        MouseEventKind::ScrollUp if with_shift => Some(-1),
        MouseEventKind::ScrollDown if with_shift => Some(1),
        _ => None,
    }
}
