//! Drawing. Each view is a function of the state into a rectangle; none changes anything or
//! decodes.

mod exchanges;
mod grid;
mod help;
mod hints;
mod inspector;
mod messages;
mod overlay;
mod pager;
mod placing;
mod prompt;
mod scrollbar;
mod sideways;
mod status;
mod styled;
mod tree;

use std::borrow::Cow;

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::Style,
};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{App, Pane, Side};

pub(super) use grid::byte_at;
pub(super) use overlay::{overlay_end, overlay_height, overlay_line_at};
pub(super) use pager::pager_height;
pub(super) use placing::{Placing, placing};
pub(super) use tree::tree_overflow;

/// Rows above the first exchange: title and column names.
pub(super) const EXCHANGES_HEAD: usize = 2;
/// Rows above the first line of a view: the title.
pub(super) const PAGER_HEAD: usize = 1;
/// Rows above the first node: the title.
pub(super) const TREE_HEAD: usize = 1;
/// Rows above the first bytes: title and column numbers.
pub(super) const GRID_HEAD: usize = 2;

/// From this width on, tree and grid stand side by side.
const SIDE_BY_SIDE: u16 = 132;

/// Where everything is; a pane that is not on the screen is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Areas {
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
    pub(super) fn pair(&self, side: Side) -> (Rect, Rect) {
        match side {
            Side::Request => (self.tree, self.other),
            Side::Response => (self.other, self.tree),
        }
    }
}

/// From this width on, two trees have room beside the grid.
const ALL_BESIDE: u16 = 240;

/// Rows that a pane keeps, whatever is chosen.
const LEAST_ROWS: u16 = 3;

/// Rows of a list, where nothing is chosen, and of one that is empty.
const LEAST_LIST: u16 = 5;

/// The same on a small screen, as far as there are so many.
const SMALL_LIST: u16 = 10;

/// Rows that tree and grid keep, one above the other, before a list gets more than a third.
const STACKED_ROWS: u16 = 40;

/// Columns that a name in a title keeps, whatever stands behind it.
const LEAST_NAME: usize = 12;

/// Columns that a pane keeps, whatever is chosen.
const LEAST_COLUMNS: u16 = 30;

/// Divides the screen.
pub(super) fn layout(app: &App) -> Areas {
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
        areas.inspector = over(app, main, areas.grid);
        return areas;
    }
    let rows = exchanges_rows(app, main);
    let [exchanges, message] =
        Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(main);
    areas.exchanges = exchanges;
    let trees = divide_message(app, message, &mut areas);
    divide_trees(app, trees, &mut areas);
    inspect(app, &mut areas, main);
    areas
}

/// Rows of the list, of all the rows in `main`.
fn exchanges_rows(app: &App, main: Rect) -> u16 {
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
    match app.splits.exchanges {
        Some(rows) => between(LEAST_ROWS, rows, main.height.saturating_sub(2 * LEAST_ROWS)),
        None => list_rows(main).min(needed),
    }
}

/// Divides the room of a message between its grid and its tree, or both trees, whose room it returns.
fn divide_message(app: &App, message: Rect, areas: &mut Areas) -> Rect {
    let is_beside = match app.is_paired() {
        true => message.width >= ALL_BESIDE,
        false => message.width >= SIDE_BY_SIDE,
    };
    let (trees, grid) = if is_beside {
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
        let rows = app.splits.grid_rows.unwrap_or(grid_rows(message.height));
        let rows = between(LEAST_ROWS, rows, message.height.saturating_sub(LEAST_ROWS));
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

/// Finds room for the inspector: beside the grid, below it, or over the other panes.
fn inspect(app: &App, areas: &mut Areas, main: Rect) {
    if !app.inspects {
        return;
    }
    let grid = areas.grid;
    let needed = needed_by_grid(app);
    if grid.width > needed + inspector::WIDTH + 1 {
        [areas.grid, areas.inspector, _] = Layout::horizontal([
            Constraint::Length(needed),
            Constraint::Length(inspector::WIDTH),
            Constraint::Fill(1),
        ])
        .spacing(1)
        .areas(grid);
    } else if grid.height >= inspector::HEIGHT + 8 {
        [areas.grid, areas.inspector] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(inspector::HEIGHT)])
                .areas(grid);
    } else {
        areas.inspector = over(app, main, grid);
    }
}

/// Room for the inspector over the panes, above the grid where it can be, at its right else.
fn over(app: &App, main: Rect, grid: Rect) -> Rect {
    if !app.inspects {
        return Rect::default();
    }
    let above = grid.y.saturating_sub(main.y);
    let height = match above {
        0 => main.height,
        above => above,
    };
    let height = height.min(inspector::HEIGHT);
    let width = main.width.min(inspector::WIDTH);
    let bottom = if above == 0 { main.bottom() } else { grid.y };
    Rect {
        x: main.right().saturating_sub(width),
        y: bottom.saturating_sub(height),
        width,
        height,
    }
}

/// Draws the whole screen.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let areas = layout(app);
    match app.pasted.is_shown() {
        true => messages::draw(app, areas.exchanges, buffer),
        false => exchanges::draw(app, areas.exchanges, buffer),
    }
    tree::draw(app, &tree::Shown::focused(app), areas.tree, buffer);
    if let Some(shown) = tree::Shown::beside(app) {
        tree::draw(app, &shown, areas.other, buffer);
    }
    grid::draw(app, areas.grid, buffer);
    status::draw(app, areas.status, buffer);
    status::draw_hints(app, areas.hints, buffer);
    inspector::draw(app, areas.inspector, buffer);
    if let Some(pager) = app.pager() {
        pager::draw(app, pager, buffer);
    }
    if let Some(overlay) = &app.overlay {
        overlay::draw(app, overlay, buffer);
    }
    if let Some(prompt) = &app.prompt {
        prompt::draw(app, prompt, buffer);
    }
}

/// A name and what is said behind it, for the title of `area`: of a path that is too long the end stays.
fn named(name: &str, what: &str, area: Rect) -> String {
    let room = usize::from(area.width.saturating_sub(1)).saturating_sub(what.width());
    format!("{}{what}", shorten_start(name, room.max(LEAST_NAME)))
}

/// Writes the title of a pane over the whole first row of `area` and returns what is below it.
fn title(app: &App, pane: Pane, text: &str, area: Rect, buffer: &mut Buffer) -> Rect {
    titled(app, app.pane == pane, text, area, buffer)
}

fn titled(app: &App, focused: bool, text: &str, area: Rect, buffer: &mut Buffer) -> Rect {
    let marker = if focused { "▌" } else { " " };
    let text = shorten(text, usize::from(area.width.saturating_sub(1)));
    let line = format!("{marker}{text}");
    buffer.set_style(
        Rect {
            height: area.height.min(1),
            ..area
        },
        app.theme.title(focused),
    );
    text_at(buffer, area, 0, 0, &line, app.theme.title(focused));
    Rect {
        y: area.y.saturating_add(1),
        height: area.height.saturating_sub(1),
        ..area
    }
}

/// Writes `text` at a column and row of `area`, as much of it as fits; returns the column behind.
fn text_at(
    buffer: &mut Buffer,
    area: Rect,
    column: u16,
    row: u16,
    text: &str,
    style: Style,
) -> u16 {
    // The terminal may have become smaller than the state knows yet.
    let area = area.intersection(buffer.area);
    if row >= area.height || column >= area.width {
        return column;
    }
    let room = usize::from(area.width - column);
    let (end, _) = buffer.set_stringn(area.x + column, area.y + row, text, room, style);
    end.saturating_sub(area.x)
}

/// Writes texts one behind the other, two columns apart, over all rows of `area`, broken between
/// words; a mark stands where something is missing.
fn wrapped(buffer: &mut Buffer, area: Rect, parts: &[(&str, Style)]) {
    let (mut x, mut y) = (0_u16, 0_u16);
    for (text, style) in parts.iter().filter(|(text, _)| !text.is_empty()) {
        for word in text.split(' ') {
            let width = u16::try_from(word.width()).unwrap_or(u16::MAX);
            if x > 0 && x.saturating_add(width) > area.width && y + 1 < area.height {
                (x, y) = (0, y + 1);
            }
            let room = usize::from(area.width.saturating_sub(x));
            if word.width() > room && y + 1 >= area.height {
                let last = area.width.saturating_sub(1);
                text_at(buffer, area, x.min(last), y, &shorten(word, room), *style);
                return;
            }
            x = text_at(buffer, area, x, y, word, *style).saturating_add(1);
        }
        x = x.saturating_add(1);
    }
}

/// At most `width` columns of `text`, with a mark where something is missing.
fn shorten(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return text.into();
    }
    let mut short = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= width {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short.into()
}

/// The last `width` columns of `text`, with a mark where something is missing: of a path the end says
/// the most.
fn shorten_start(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return text.into();
    }
    let mut used = 0;
    let kept = text.char_indices().rev().take_while(|(_, c)| {
        used += c.width().unwrap_or(0);
        used < width
    });
    let from = kept.last().map_or(text.len(), |(at, _)| at);
    format!("…{}", text.get(from..).unwrap_or_default()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_does_not_fit_ends_in_a_mark() {
        let area = Rect::new(0, 0, 10, 2);
        let shown = |text: &str| {
            let mut buffer = Buffer::empty(area);
            wrapped(&mut buffer, area, &[(text, Style::new())]);
            let row = |y| -> String { (0..10).map(|x| buffer[(x, y)].symbol()).collect() };
            [row(0), row(1)]
        };
        assert_eq!(shown("one two three four"), ["one two   ", "three four"]);
        assert_eq!(shown("one two three fours"), ["one two   ", "three fou…"]);
        assert_eq!(
            shown("one two threefours x"),
            ["one two   ", "threefour…"].map(|s| s)
        );
    }

    #[test]
    fn texts_are_cut_at_either_end() {
        let title = |columns| {
            named(
                "/a/long/way/to/x.pcap",
                ": exchange 1 of 9",
                Rect::new(0, 0, columns, 1),
            )
        };
        assert_eq!(title(80), "/a/long/way/to/x.pcap: exchange 1 of 9");
        assert_eq!(title(34), "…g/way/to/x.pcap: exchange 1 of 9");
        assert_eq!(shorten("Topics[0].Name", 8), "Topics[…");
        assert_eq!(shorten_start("Topics[0].Name", 8), "…0].Name");
        assert_eq!(shorten_start("Name", 4), "Name");
        assert_eq!(shorten_start("日本語", 4), "…語");
        assert_eq!(shorten_start("Name", 1), "…");
    }
}
