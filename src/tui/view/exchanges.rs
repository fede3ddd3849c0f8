//! The list of exchanges.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{scrollbar, shorten, text_at, title};
use crate::{
    render::escape_str,
    tui::{App, Pane, Row},
};

/// What columns are called in settings and commands, which is what they are ordered by; each stands
/// for the column of its place below.
pub(in crate::tui) const COLUMN_NAMES: [&str; 12] = [
    "n",
    "time",
    "conn",
    "client",
    "server",
    "api",
    "v",
    "client_id",
    "topics",
    "bytes",
    "latency",
    "error",
];

/// A column: its title and text; the width that it must have to be shown, and the most it gets;
/// and how soon it gives way on a narrow screen (higher first, 0 never).
struct Column {
    title: &'static str,
    text: fn(&Row) -> &str,
    needed: usize,
    limit: usize,
    expendable: u8,
    right: bool,
}

const COLUMNS: [Column; 12] = [
    column("n", |row| &row.n, 5, 9, 0, true),
    column("time", |row| &row.time, 15, 15, 3, false),
    column("conn", |row| &row.connection, 4, 7, 7, true),
    column("client", |row| &row.client, 15, 24, 9, false),
    column("server", |row| &row.server, 15, 24, 8, false),
    column("API", |row| &row.api, 18, 28, 0, false),
    column("v", |row| &row.version, 2, 4, 0, true),
    column("client id", |row| &row.client_id, 10, 20, 4, false),
    column("topics", |row| &row.topics, 10, 28, 2, false),
    column("bytes", |row| &row.bytes, 9, 17, 5, true),
    column("latency", |row| &row.latency, 9, 11, 1, true),
    column("error", |row| &row.error, 14, 40, 0, false),
];

const fn column(
    title: &'static str,
    text: fn(&Row) -> &str,
    needed: usize,
    limit: usize,
    expendable: u8,
    right: bool,
) -> Column {
    Column {
        title,
        text,
        needed,
        limit,
        expendable,
        right,
    }
}

/// The widest text of each column, in `rows` and before.
pub(in crate::tui) fn column_widths(before: &[usize], rows: &[Row]) -> Vec<usize> {
    COLUMNS
        .iter()
        .enumerate()
        .map(|(idx, column)| {
            let widest = rows.iter().map(|row| (column.text)(row).width()).max();
            let before = before.get(idx).copied().unwrap_or(column.title.len());
            before.max(widest.unwrap_or(0)).min(column.limit)
        })
        .collect()
}

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let len = app.len();
    let text = heading(app);
    let area = title(app, Pane::Exchanges, &text, area, buffer);
    if len == 0 {
        let text = match (&app.status.failure, &app.status.absence) {
            (Some(text), _) | (None, Some(text)) => text,
            (None, None) if app.list.is_choosing() => "looking through the exchanges ...",
            (None, None) if app.status.len > 0 => {
                "the filter takes none of the exchanges: f changes it, F shows all"
            }
            (None, None) if app.is_indexing() => "looking for Kafka messages ...",
            (None, None) => {
                "no capture: A opens the APIs with their layouts; paste hex to decode it"
            }
        };
        super::wrapped(buffer, area, &[(text, Style::new())]);
        return;
    }
    let (first, rows) = &app.rows;
    let height = usize::from(area.height).saturating_sub(1);
    let area = bar(app, area, buffer);
    let columns = fit(app, usize::from(area.width));
    head(app, &columns, area, buffer);
    for (idx, row) in rows.iter().enumerate() {
        let idx = first + idx;
        if !(app.scroll..app.scroll + height).contains(&idx) {
            continue;
        }
        let is_marked = app
            .list
            .at(idx)
            .is_some_and(|at| app.bookmarks.note(at).is_some());
        let y = 1 + u16::try_from(idx - app.scroll).unwrap_or(u16::MAX);
        let mut x = 0;
        for (column, width) in &columns {
            let style = match column.title {
                "error" => app.theme.error(),
                "n" if is_marked => app.theme.mark(),
                _ => Style::new(),
            };
            let text = aligned((column.text)(row), *width, column.right);
            text_at(buffer, area, x, y, &text, style);
            x += u16::try_from(width + 2).unwrap_or(u16::MAX);
        }
        if idx == app.selected && y < area.height {
            let line = Rect {
                y: area.y + y,
                height: 1,
                ..area
            };
            buffer.set_style(line, app.theme.selection(app.pane == Pane::Exchanges));
        }
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
    let mut marks: Vec<usize> = places.collect();
    marks.sort_unstable();
    let scrolled = scrollbar::Scrolled {
        len: app.len(),
        first: app.scroll,
        marks: &marks,
        mark: scrollbar::Mark::Bookmark,
    };
    scrollbar::draw(app.theme, &scrolled, rows, buffer);
    Rect {
        width: area.width.saturating_sub(scrollbar::WIDTH),
        ..area
    }
}

/// What is listed, and where in it the selection is.
fn heading(app: &App) -> String {
    let query = &app.list.query;
    let mut text = format!("{}: ", app.title);
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
        text.push_str(&format!(
            ", filter {}",
            escape_str(&query.filter).replace("\\\"", "\"")
        ));
    }
    if !query.sort.is_empty() {
        text.push_str(&format!(", by {}", query.sort));
    }
    if app.follows {
        text.push_str(", following");
    }
    if let Some((pages, nth)) = &app.pasted {
        text = format!(
            "pasted message {} of {}: Esc goes back to the exchanges",
            nth + 1,
            pages.len()
        );
    }
    text
}

/// What the list is ordered by when the head of the column at `x` is clicked.
pub(in crate::tui) fn order_at(app: &App, area: Rect, x: u16) -> Option<&'static str> {
    let bar = if app.len() + 2 > usize::from(area.height) {
        scrollbar::WIDTH
    } else {
        0
    };
    let room = usize::from(area.width.saturating_sub(bar));
    let mut end = usize::from(area.x);
    let (column, _) = fit(app, room).into_iter().find(|(_, width)| {
        end += width + 2;
        usize::from(x) < end
    })?;
    let idx = COLUMNS
        .iter()
        .position(|known| known.title == column.title)?;
    COLUMN_NAMES.get(idx).copied()
}

fn head(app: &App, columns: &[(&Column, usize)], area: Rect, buffer: &mut Buffer) {
    let mut x = 0;
    for (column, width) in columns {
        let text = aligned(column.title, *width, column.right);
        text_at(buffer, area, x, 0, &text, app.theme.dim());
        x += u16::try_from(width + 2).unwrap_or(u16::MAX);
    }
}

/// The columns that a screen of this width has room for, so that they do not change from row to
/// row, as wide as what was seen in them; the widest texts give way when that is too much.
fn fit(app: &App, room: usize) -> Vec<(&'static Column, usize)> {
    let mut columns: Vec<(&Column, usize)> = app
        .config
        .exchange_columns
        .iter()
        .filter_map(|&idx| {
            let column = COLUMNS.get(idx)?;
            let width = app.widths.get(idx).copied().unwrap_or(0);
            Some((column, width.max(column.title.len())))
        })
        .collect();
    loop {
        let needed: usize = columns
            .iter()
            .map(|(column, width)| column.needed.min(*width) + 2)
            .sum();
        let most = columns.iter().map(|(column, _)| column.expendable).max();
        match most {
            Some(most) if needed > room + 2 && most > 0 => {
                columns.retain(|(column, _)| column.expendable != most);
            }
            _ => break,
        }
    }
    loop {
        let total: usize = columns.iter().map(|(_, width)| width + 2).sum();
        let widest = columns
            .iter_mut()
            .filter(|(column, width)| *width > column.needed)
            .max_by_key(|(column, width)| *width - column.needed);
        match widest {
            Some((_, width)) if total > room + 2 => *width -= 1,
            _ => return columns,
        }
    }
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
