//! Drawing. Each view is a function of the state into a rectangle; none changes anything or
//! decodes.

mod exchanges;
mod grid;
mod overlay;
mod pager;
mod prompt;
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

use super::{App, Pane};

pub(super) use exchanges::column_widths;
pub(super) use grid::byte_at;
pub(super) use overlay::overlay_end;
pub(super) use pager::pager_height;

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
    pub grid: Rect,
    pub status: Rect,
    pub hints: Rect,
}

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
        return areas;
    }
    // No taller than what there is to list, so that a short list leaves its room to the message.
    let needed = u16::try_from(app.len() + EXCHANGES_HEAD).unwrap_or(u16::MAX);
    let exchanges = (main.height * 3 / 10).clamp(5, 18).min(needed.max(5));
    let [exchanges, message] =
        Layout::vertical([Constraint::Length(exchanges), Constraint::Fill(1)]).areas(main);
    areas.exchanges = exchanges;
    [areas.tree, areas.grid] = if area.width >= SIDE_BY_SIDE {
        let width = app
            .message
            .as_ref()
            .map_or(grid::WIDTH, |message| grid::width(message.bytes().len()));
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(width)])
            .spacing(1)
            .areas(message)
    } else {
        Layout::vertical([Constraint::Fill(3), Constraint::Fill(2)]).areas(message)
    };
    areas
}

/// Draws the whole screen.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let areas = layout(app);
    exchanges::draw(app, areas.exchanges, buffer);
    tree::draw(app, areas.tree, buffer);
    grid::draw(app, areas.grid, buffer);
    status::draw(app, areas.status, buffer);
    status::draw_hints(app, areas.hints, buffer);
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

/// Writes the title of a pane over the whole first row of `area` and returns what is below it.
fn title(app: &App, pane: Pane, text: &str, area: Rect, buffer: &mut Buffer) -> Rect {
    let focused = app.pane == pane;
    let marker = if focused { "▌" } else { " " };
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
/// words.
fn wrapped(buffer: &mut Buffer, area: Rect, parts: &[(&str, Style)]) {
    let (mut x, mut y) = (0_u16, 0_u16);
    for (text, style) in parts.iter().filter(|(text, _)| !text.is_empty()) {
        for word in text.split(' ') {
            let width = u16::try_from(word.width()).unwrap_or(u16::MAX);
            if x > 0 && x.saturating_add(width) > area.width && y + 1 < area.height {
                (x, y) = (0, y + 1);
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
