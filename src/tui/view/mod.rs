//! Drawing. Each view is a function of the state into a rectangle; none changes anything or
//! decodes.

mod areas;
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

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{App, Pane};

pub(super) use areas::layout;
pub(super) use grid::{byte_at, bytes_per_row};
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

/// Columns that a name in a title keeps, whatever stands behind it.
const LEAST_NAME: usize = 12;

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
    match status::needs_hints(app, areas.status) {
        true => status::draw(app, areas.status.union(areas.hints), buffer),
        false => {
            status::draw(app, areas.status, buffer);
            status::draw_hints(app, areas.hints, buffer);
        }
    }
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
