//! The list of exchanges.

use std::borrow::Cow;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
};
use unicode_width::UnicodeWidthStr;

use super::{
    Placing, named, placing,
    scrollbar::{self, Mark},
    shorten, shorten_start, text_at, title,
};
use crate::{
    render::escape_sentence,
    tui::{App, Pane, Row, tally::Tally},
};

/// What stands for a text that a worker is making.
const BEING_MADE: &str = "…";

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let text = named(&app.title, &heading(app), area);
    let pane = area;
    let area = title(app, Pane::Exchanges, &text, area, buffer);
    if app.len() == 0 {
        super::wrapped(buffer, area, &[(&emptiness(app), Style::new())]);
        return;
    }
    let (first, rows) = &app.rows;
    let height = usize::from(area.height).saturating_sub(1);
    let placing = placing(app, pane);
    let area = bar(app, area, buffer);
    head(app, &placing, area, buffer);
    for (idx, row) in rows.iter().enumerate() {
        let idx = first + idx;
        if !(app.scroll..app.scroll + height).contains(&idx) {
            continue;
        }
        let y = 1 + u16::try_from(idx - app.scroll).unwrap_or(u16::MAX);
        let line = Rect {
            y: area.y + y,
            height: 1,
            ..area
        };
        draw_row(app, &placing, (idx, row), line, buffer);
        if idx == app.selected {
            buffer.set_style(line, app.theme.selection(app.pane == Pane::Exchanges));
        }
    }
}

/// Why there is nothing to list, and what can be done about it.
fn emptiness(app: &App) -> Cow<'_, str> {
    if let Some(text) = app.status.failure.as_ref().or(app.status.absence.as_ref()) {
        return text.into();
    }
    if let Some(n) = app.list.choosing() {
        let all = app.status.len;
        return format!("looking through the exchanges, {n} of {all} so far; F shows all").into();
    }
    if app.status.len > 0 {
        "the filter takes none of the exchanges: f changes it, F shows all".into()
    } else if app.is_indexing() {
        "looking for Kafka messages ...".into()
    } else if app.pasted.are_kept() {
        "no capture: V goes back to what was pasted; A opens the APIs with their layouts".into()
    } else {
        "no capture: A opens the APIs with their layouts; paste hex to decode it".into()
    }
}

/// Draws the exchange at place `idx` of the list.
fn draw_row(
    app: &App,
    placing: &Placing,
    (idx, row): (usize, &Row),
    line: Rect,
    buffer: &mut Buffer,
) {
    let exchange = app.list.at(idx);
    let is_marked = exchange.is_some_and(|exchange| app.bookmarks.note(exchange).is_some());
    for placed in &placing.columns {
        let Some(column) = app.columns.all().get(placed.idx) else {
            continue;
        };
        let text = app
            .columns
            .text(placed.idx, exchange.unwrap_or(usize::MAX), row);
        let style = match (column.name.as_str(), text) {
            (_, None) => app.theme.dim(),
            ("error", _) => app.theme.error(),
            ("n", _) if is_marked => app.theme.mark(),
            _ => Style::new(),
        };
        let text = aligned(text.unwrap_or(BEING_MADE), placed.width, column.is_right());
        text_at(buffer, line, column_of(placed.x), 0, &text, style);
    }
}

/// Draws the bar at the right of a list that is longer than its pane; returns what is left of it.
fn bar(app: &App, area: Rect, buffer: &mut Buffer) -> Rect {
    let rows = Rect {
        y: area.y.saturating_add(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    if app.len() <= usize::from(rows.height) {
        return area;
    }
    let places = app.bookmarks.all().filter_map(|idx| {
        let place = app.list.place(idx);
        (app.list.at(place) == Some(idx)).then_some(place)
    });
    let mut bookmarks: Vec<usize> = places.collect();
    bookmarks.sort_unstable();
    let hits = app.tally.as_ref().map(Tally::marks).unwrap_or_default();
    let scrolled = scrollbar::Scrolled {
        len: app.len(),
        first: app.scroll,
        marks: &[(Mark::Bookmark, &bookmarks), (Mark::Hit, hits)],
    };
    scrollbar::draw(app.theme, &scrolled, rows, buffer);
    Rect {
        width: area.width.saturating_sub(scrollbar::WIDTH),
        ..area
    }
}

/// What is listed behind its name, and where in it the selection is.
fn heading(app: &App) -> String {
    let query = &app.list.query;
    let mut text = ": ".to_owned();
    match app.exchange() {
        None if query.is_all() => text.push_str("exchanges"),
        None => text.push_str("no exchange"),
        Some(idx) if query.is_all() => {
            text.push_str(&format!("exchange {} of {}", idx + 1, app.len()));
        }
        Some(idx) if query.filter.is_empty() => text.push_str(&format!(
            "exchange {}, {} of {}",
            idx + 1,
            app.selected + 1,
            app.len()
        )),
        Some(idx) => text.push_str(&format!(
            "exchange {}, {} of {} of {}",
            idx + 1,
            app.selected + 1,
            app.len(),
            app.status.len
        )),
    }
    if !query.filter.is_empty() {
        text.push_str(&format!(", filter {}", escape_sentence(&query.filter)));
    }
    if !query.sort.is_empty() {
        text.push_str(&format!(", by {}", query.sort));
    }
    if app.follows {
        text.push_str(", following");
    }
    text
}

/// The titles of the columns, with the boundaries that can be dragged. The one that keys are about is
/// underlined, and arrows at the edges say that there are more.
fn head(app: &App, placing: &Placing, area: Rect, buffer: &mut Buffer) {
    for placed in &placing.columns {
        let Some(column) = app.columns.all().get(placed.idx) else {
            continue;
        };
        let title = shorten_start(column.title(), placed.width);
        let title = aligned(&title, placed.width, column.is_right());
        let mut style = app.theme.dim();
        if placed.idx == app.columns.cursor && app.pane == Pane::Exchanges {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        text_at(buffer, area, column_of(placed.x), 0, &title, style);
        let end = column_of(placed.x + placed.width);
        text_at(buffer, area, end, 0, "│", app.theme.faint());
    }
    let behind_first = placing.columns.first().map_or(0, |first| first.width);
    if placing.has_more_left {
        text_at(
            buffer,
            area,
            column_of(behind_first),
            0,
            "◂",
            app.theme.dim(),
        );
    }
    if placing.has_more_right {
        let edge = area.width.saturating_sub(1);
        text_at(buffer, area, edge, 0, "▸", app.theme.dim());
    }
}

fn column_of(x: usize) -> u16 {
    u16::try_from(x).unwrap_or(u16::MAX)
}

/// `text` in exactly `width` columns.
fn aligned(text: &str, width: usize, right: bool) -> String {
    let text = shorten(text, width);
    let pad = " ".repeat(width.saturating_sub(text.width()));
    if right {
        format!("{pad}{text}")
    } else {
        format!("{text}{pad}")
    }
}
