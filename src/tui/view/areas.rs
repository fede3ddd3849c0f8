//! Where everything is on a screen of any size.

use ratatui::layout::{Constraint, Layout, Rect};

use super::{EXCHANGES_HEAD, GRID_HEAD, TREE_HEAD, grid, inspector};
use crate::tui::{App, Pane, Side};

/// From this width on, tree and grid stand side by side.
const SIDE_BY_SIDE: u16 = 132;

/// Where everything is; a pane that is not on the screen is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tui) struct Areas {
    pub exchanges: Rect,
    pub tree: Rect,
    /// The tree of the other side, where both are shown.
    pub other: Rect,
    pub grid: Rect,
    pub inspector: Rect,
    pub status: Rect,
    pub hints: Rect,
}

impl Areas {
    /// The trees from left to right, when `side` is the one with the focus.
    pub(in crate::tui) fn pair(&self, side: Side) -> (Rect, Rect) {
        match side {
            Side::Request => (self.tree, self.other),
            Side::Response => (self.other, self.tree),
        }
    }
}

/// From this width on, two trees have room beside the grid.
const ALL_BESIDE: u16 = 240;

/// Rows of what a pane shows that it keeps, whatever is chosen; where not all panes have so many, those
/// are shown that have.
const LEAST_ROWS: u16 = 3;

/// The same with what stands above them.
const LEAST_LIST: u16 = EXCHANGES_HEAD as u16 + LEAST_ROWS;
const LEAST_TREE: u16 = TREE_HEAD as u16 + LEAST_ROWS;
const LEAST_GRID: u16 = GRID_HEAD as u16 + LEAST_ROWS;

/// The same on a small screen, as far as there are so many.
const SMALL_LIST: u16 = 10;

/// Rows that tree and grid keep, one above the other, before a list gets more than a third.
const STACKED_ROWS: u16 = 40;

/// Rows that the tree keeps where the grid is taller for the inspector.
const INSPECTED_TREE: u16 = 6;

/// From this width on, what is selected can be told from what the inspector leaves of a pane.
const BESIDE_INSPECTOR: u16 = inspector::WIDTH + 20;

/// Columns that a pane keeps, whatever is chosen.
const LEAST_COLUMNS: u16 = 30;

/// Divides the screen.
pub(in crate::tui) fn layout(app: &App) -> Areas {
    let area = app.area();
    // A screen this small holds one pane and nothing else.
    let tiny = area.height < 12 || area.width < 40;
    let bars = if area.height < 6 { 0 } else { 1 };
    // A problem or the advice on an error takes two lines; a small screen has one to spare.
    let status = if area.height < 20 { bars } else { 2 };
    let [main, status, hints] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(status),
        Constraint::Length(bars),
    ])
    .areas(area);
    let mut areas = Areas {
        status,
        hints,
        ..Areas::default()
    };
    if app.zoomed || tiny {
        match app.pane {
            Pane::Exchanges => areas.exchanges = main,
            Pane::Tree => areas.tree = main,
            Pane::Grid => areas.grid = main,
        }
        inspect(app, &mut areas, main);
        return areas;
    }
    let least = least_of_message(app, main.width);
    let has_all = main.height >= LEAST_LIST + least;
    // The tree is beside whatever has the keys: it says what the exchange and what the byte is.
    let (has_list, has_grid) = match app.pane {
        _ if has_all => (true, true),
        Pane::Exchanges => (true, false),
        Pane::Tree | Pane::Grid => (false, true),
    };
    let rows = match (has_list, has_grid) {
        (false, _) => 0,
        (_, true) => exchanges_rows(app, main, least),
        (_, false) => exchanges_rows(app, main, LEAST_TREE),
    };
    let [exchanges, message] =
        Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(main);
    areas.exchanges = exchanges;
    let trees = match has_grid {
        true => divide_message(app, message, &mut areas),
        false => message,
    };
    divide_trees(app, trees, &mut areas);
    inspect(app, &mut areas, main);
    areas
}

/// Whether tree and grid stand side by side in so many columns, or both trees and the grid.
fn is_beside(app: &App, width: u16) -> bool {
    match app.is_paired() {
        true => width >= ALL_BESIDE,
        false => width >= SIDE_BY_SIDE,
    }
}

/// Rows that tree and grid keep.
fn least_of_message(app: &App, width: u16) -> u16 {
    match is_beside(app, width) {
        true => LEAST_TREE.max(LEAST_GRID),
        false => LEAST_TREE + LEAST_GRID,
    }
}

/// Rows of the list, of all the rows in `main`, of which the message keeps `kept`.
fn exchanges_rows(app: &App, main: Rect, kept: u16) -> u16 {
    // No taller than what there is to list, so that a short list leaves its room to the message.
    let len = match app.pasted.shown() {
        Some((_, n_messages)) => n_messages,
        None => app.len(),
    };
    let needed = match len {
        // A sentence says why.
        0 => LEAST_LIST,
        len => u16::try_from(len + EXCHANGES_HEAD).unwrap_or(u16::MAX),
    };
    let rows = match app.splits.exchanges {
        Some(rows) => rows.max(LEAST_LIST),
        None => list_rows(main).min(needed),
    };
    rows.min(main.height.saturating_sub(kept))
}

/// Divides the room of a message between its grid and its tree, or both trees, whose room it returns.
fn divide_message(app: &App, message: Rect, areas: &mut Areas) -> Rect {
    let (trees, grid) = if is_beside(app, message.width) {
        let columns = app
            .splits
            .grid_columns
            .unwrap_or_else(|| needed_by_grid(app));
        let most = message.width.saturating_sub(LEAST_COLUMNS);
        let columns = between(LEAST_COLUMNS, columns, most);
        let [trees, grid] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(columns)])
            .spacing(1)
            .areas(message);
        (trees, grid)
    } else {
        let mut usual = grid_rows(message.height);
        // Beside the grid the inspector is as tall as that.
        if app.inspects && has_room_beside(app, message) {
            let most = message.height.saturating_sub(INSPECTED_TREE);
            usual = usual.max(inspector::HEIGHT.min(most));
        }
        let rows = app.splits.grid_rows.unwrap_or(usual);
        let rows = between(LEAST_GRID, rows, message.height.saturating_sub(LEAST_TREE));
        let [trees, grid] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(message);
        (trees, grid)
    };
    areas.grid = grid;
    trees
}

/// Divides the room of the trees, where both are shown; else the one has it all.
fn divide_trees(app: &App, trees: Rect, areas: &mut Areas) {
    areas.tree = trees;
    if !app.is_paired() {
        return;
    }
    let half = trees.width.saturating_sub(1) / 2;
    let columns = app.splits.request_columns.unwrap_or(half);
    let most = trees.width.saturating_sub(LEAST_COLUMNS);
    let [left, right] = Layout::horizontal([
        Constraint::Length(between(LEAST_COLUMNS, columns, most)),
        Constraint::Fill(1),
    ])
    .spacing(1)
    .areas(trees);
    (areas.tree, areas.other) = match app.shown_side() {
        Side::Request => (left, right),
        Side::Response => (right, left),
    };
}

/// Columns in which the grid of the open message has room.
fn needed_by_grid(app: &App) -> u16 {
    app.message
        .as_ref()
        .map_or(grid::WIDTH, |message| grid::width(message.bytes().len()))
}

/// Rows that a list has at most in the room of all panes: a third, but on a small screen nearly half, since
/// its title and its head take two of them, and on a large one as well, where tree and grid have enough
/// left. It follows from the size of the screen alone, so nothing moves from message to message.
fn list_rows(main: Rect) -> u16 {
    let height = main.height;
    let on_small = (height * 3 / 7).min(SMALL_LIST);
    let least = (height * 3 / 10).clamp(LEAST_LIST, 18).max(on_small);
    let kept = match main.width >= SIDE_BY_SIDE {
        true => 0,
        false => STACKED_ROWS,
    };
    let on_large = (height * 9 / 20).min(height.saturating_sub(kept));
    least.max(on_large)
}

/// Rows of the grid in `height` rows for it and the tree above it: two of them are its title and head.
fn grid_rows(height: u16) -> u16 {
    (height * 2 / 5).max((height / 2).min(5))
}

/// `wish`, but at least `least` where there is as much, and at most `most`.
fn between(least: u16, wish: u16, most: u16) -> u16 {
    wish.max(least).min(most)
}

/// Finds room for the inspector: beside the grid, below it, over what is above it, or in its last rows.
fn inspect(app: &App, areas: &mut Areas, main: Rect) {
    if !app.inspects {
        return;
    }
    let grid = areas.grid;
    let needed = needed_by_grid(app);
    if has_room_beside(app, grid) {
        [areas.grid, areas.inspector, _] = Layout::horizontal([
            Constraint::Length(needed),
            Constraint::Length(inspector::WIDTH),
            Constraint::Fill(1),
        ])
        .spacing(1)
        .areas(grid);
    } else if grid.height >= inspector::HEIGHT + 8 {
        [areas.grid, areas.inspector] = above(grid, inspector::HEIGHT);
    } else if grid.y > main.y && app.pane != Pane::Grid && main.width < BESIDE_INSPECTOR {
        // What has the keys is not hidden.
        areas.inspector = over(grid);
    } else if grid.y > main.y {
        areas.inspector = over(Rect {
            height: grid.y - main.y,
            ..main
        });
    } else if !grid.is_empty() {
        [areas.grid, areas.inspector] = above(grid, rows_of_inspector(grid));
    } else if !areas.exchanges.is_empty() && !areas.tree.is_empty() {
        areas.inspector = over(areas.tree);
    } else {
        let pane = match areas.tree.is_empty() {
            true => &mut areas.exchanges,
            false => &mut areas.tree,
        };
        [*pane, areas.inspector] = above(*pane, rows_of_inspector(*pane));
    }
}

/// Whether a grid that takes `area` has room beside it for the inspector.
fn has_room_beside(app: &App, area: Rect) -> bool {
    area.width > needed_by_grid(app) + inspector::WIDTH + 1
}

/// A pane, and `rows` rows below it.
fn above(pane: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(pane)
}

/// Rows that the inspector takes of the pane that has the screen.
fn rows_of_inspector(pane: Rect) -> u16 {
    let most = pane.height.saturating_sub(LEAST_GRID);
    // A few rows are shared out.
    most.max(pane.height / 4).min(inspector::HEIGHT)
}

/// Room for the inspector over the end of `area`, where it hides the least.
fn over(area: Rect) -> Rect {
    let height = area.height.min(inspector::HEIGHT);
    let width = area.width.min(inspector::WIDTH);
    Rect {
        x: area.right().saturating_sub(width),
        y: area.bottom().saturating_sub(height),
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::splits::Splits;

    /// A browser on a screen of that size, with more exchanges than it has rows.
    fn app(width: u16, height: u16) -> App {
        let mut app = App::new("t.pcap".to_owned(), width, height, false);
        app.status.len = 1_000;
        app
    }

    #[test]
    fn every_pane_on_the_screen_has_rows_for_what_it_shows() {
        let chosen = |exchanges, grid_rows| Splits {
            exchanges,
            grid_rows,
            ..Splits::default()
        };
        let splits = [
            Splits::default(),
            chosen(Some(0), Some(0)),
            chosen(Some(99), Some(99)),
        ];
        for (width, height) in (20..=260).flat_map(|w| (6..=60).map(move |h| (w, h))) {
            for pane in [Pane::Exchanges, Pane::Tree, Pane::Grid] {
                for (splits, paired) in splits.iter().zip([false, true, false]) {
                    let mut app = app(width, height);
                    (app.pane, app.splits, app.paired) = (pane, *splits, paired);
                    check(&app, pane);
                    app.zoomed = true;
                    check(&app, pane);
                }
            }
        }
    }

    fn check(app: &App, focused: Pane) {
        let areas = layout(app);
        let screen = app.area();
        let panes = [
            (Pane::Exchanges, areas.exchanges, EXCHANGES_HEAD),
            (Pane::Tree, areas.tree, TREE_HEAD),
            (Pane::Grid, areas.grid, GRID_HEAD),
        ];
        let mut rows = 0;
        for (pane, area, head) in panes {
            let has_focus = pane == focused;
            assert!(!has_focus || !area.is_empty(), "{pane:?}, {screen}");
            assert_eq!(screen.intersection(area), area, "{pane:?}, {screen}");
            let shown = usize::from(area.height).saturating_sub(head);
            let least = match screen.width >= 40 && screen.height >= 12 {
                true => usize::from(LEAST_ROWS),
                false => 1,
            };
            assert!(area.is_empty() || shown >= least, "{pane:?}, {screen}");
            rows += area.width as usize * area.height as usize;
        }
        assert!(rows <= screen.area() as usize, "{screen}");
    }

    #[test]
    fn a_small_screen_has_rows_for_a_list_and_for_bytes() {
        // What 80 columns and 24 rows leave for the panes.
        let narrow = |height| list_rows(Rect::new(0, 0, 80, height));
        let wide = |height| list_rows(Rect::new(0, 0, 200, height));
        let (list, all) = (narrow(21), 21);
        let grid = grid_rows(all - list);
        let tree = all - list - grid;
        assert_eq!((list, tree, grid), (9, 7, 5));
        // Side by side, tree and grid have enough with half of a large one; one above the other they
        // have not before it is very large.
        assert_eq!((narrow(37), grid_rows(26)), (11, 10));
        assert_eq!((narrow(47), wide(37), wide(47)), (14, 16, 21));
        assert_eq!((narrow(77), wide(77)), (34, 34));
        for height in 10..200 {
            assert!(narrow(height) <= narrow(height + 1), "{height}");
            assert!(wide(height) <= wide(height + 1), "{height}");
            assert!(narrow(height) <= wide(height), "{height}");
        }
    }
}
