//! How the screen is shared out: what the user chose instead of what follows from its size.

use ratatui::layout::{Position, Rect};

use super::{App, Pane, Side, view};

/// Rows and columns that a key moves a border by.
const STEP: i32 = 2;

/// Sizes that were chosen; those that do not fit the screen are cut to it when it is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Splits {
    /// Rows of the list of exchanges.
    pub exchanges: Option<u16>,
    /// Rows of the grid, where it is below the tree.
    pub grid_rows: Option<u16>,
    /// Columns of the grid, where it is beside the tree.
    pub grid_columns: Option<u16>,
    /// Columns of the request, where the response is beside it.
    pub request_columns: Option<u16>,
}

/// What can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// Between the exchanges and the message.
    Exchanges,
    /// Above the grid.
    GridTop,
    /// Left of the grid.
    GridLeft,
    /// Between request and response.
    Pair,
    /// Behind a column of the list, by its place.
    Column(usize),
}

impl App {
    /// Makes the focused pane taller, or lower.
    pub(super) fn grow(&mut self, direction: i32) {
        let areas = view::layout(self);
        let is_below = !areas.grid.is_empty() && areas.grid.y > areas.tree.y;
        let (border, by) = match self.pane {
            Pane::Exchanges => (Border::Exchanges, direction),
            Pane::Tree if is_below => (Border::GridTop, direction),
            Pane::Grid if is_below => (Border::GridTop, -direction),
            _ => (Border::Exchanges, -direction),
        };
        self.move_border(border, by * STEP);
    }

    /// Moves the border between what stands side by side.
    pub(super) fn shift(&mut self, direction: i32) {
        let areas = view::layout(self);
        let border = if !areas.other.is_empty() {
            Border::Pair
        } else if areas.grid.x > areas.tree.x {
            Border::GridLeft
        } else {
            self.say("nothing is side by side here");
            return;
        };
        self.move_border(border, direction * STEP);
    }

    /// The border that is grabbed at a place of the screen.
    pub(super) fn border_at(&self, at: Position) -> Option<Border> {
        let areas = view::layout(self);
        let on_title = |area: Rect| !area.is_empty() && at.y == area.y && area.contains(at);
        let on_left = |area: Rect| {
            area.x > 0 && at.x + 1 == area.x && (area.y..area.bottom()).contains(&at.y)
        };
        let (_, right) = areas.pair(self.shown_side());
        let list = areas.exchanges;
        if list.contains(at) && at.y == list.y + 1 && !self.pasted.is_shown() {
            let placing = view::placing(self, list);
            let column = placing.boundary_at(usize::from(at.x - list.x));
            return column.map(|placed| Border::Column(placed.idx));
        }
        if !areas.other.is_empty() && on_left(right) {
            Some(Border::Pair)
        } else if !areas.grid.is_empty() && on_left(areas.grid) {
            Some(Border::GridLeft)
        } else if areas.grid.y > areas.tree.y && on_title(areas.grid) {
            Some(Border::GridTop)
        } else if !areas.exchanges.is_empty()
            && [areas.tree, areas.other, areas.grid]
                .into_iter()
                .any(on_title)
        {
            Some(Border::Exchanges)
        } else {
            None
        }
    }

    /// Moves a border to where the mouse is.
    pub(super) fn drag(&mut self, border: Border, at: Position) {
        let areas = view::layout(self);
        let (left, right) = areas.pair(self.shown_side());
        if let Border::Column(idx) = border {
            self.drag_column(idx, areas.exchanges, at);
            return;
        }
        let by = match border {
            Border::Column(_) => 0,
            Border::Exchanges => i32::from(at.y) - i32::from(areas.exchanges.bottom()),
            Border::GridTop => i32::from(at.y) - i32::from(areas.grid.y),
            Border::GridLeft => i32::from(at.x) + 1 - i32::from(areas.grid.x),
            Border::Pair if left.is_empty() || right.is_empty() => 0,
            Border::Pair => i32::from(at.x) + 1 - i32::from(right.x),
        };
        self.move_border(border, by);
    }

    /// Moves a border down or to the right.
    fn move_border(&mut self, border: Border, by: i32) {
        let areas = view::layout(self);
        let moved = |size: u16, by: i32| {
            let size = i32::from(size).saturating_add(by).max(0);
            Some(u16::try_from(size).unwrap_or(u16::MAX))
        };
        match border {
            // These have widths of their own.
            Border::Column(_) => {}
            Border::Exchanges => self.splits.exchanges = moved(areas.exchanges.height, by),
            Border::GridTop => self.splits.grid_rows = moved(areas.grid.height, -by),
            Border::GridLeft => self.splits.grid_columns = moved(areas.grid.width, -by),
            Border::Pair => {
                let (left, _) = areas.pair(self.shown_side());
                self.splits.request_columns = moved(left.width, by);
            }
        }
    }

    /// The side that has the focus.
    pub(super) fn shown_side(&self) -> Side {
        self.shown.map_or(self.side, |(_, side)| side)
    }
}
