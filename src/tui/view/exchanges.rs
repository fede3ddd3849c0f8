//! The list of exchanges.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{text_at, title};
use crate::tui::{App, Pane, Row};

/// A column: its title, its text, how wide it may get, and how soon it gives way on a narrow
/// screen (higher first).
struct Column {
    title: &'static str,
    text: fn(&Row) -> String,
    limit: usize,
    expendable: u8,
    right: bool,
}

const COLUMNS: [Column; 12] = [
    column("n", |row| row.n.clone(), 9, 0, true),
    column("time", |row| row.time.clone(), 15, 3, false),
    column("conn", |row| row.connection.clone(), 7, 7, true),
    column("client", |row| row.client.clone(), 24, 9, false),
    column("server", |row| row.server.clone(), 24, 8, false),
    column("API", |row| row.api.clone(), 28, 0, false),
    column("v", |row| row.version.clone(), 4, 0, true),
    column("client id", |row| row.client_id.clone(), 20, 4, false),
    column("topics", |row| row.topics.clone(), 28, 2, false),
    column("bytes", |row| row.bytes.clone(), 17, 5, true),
    column("latency", |row| row.latency.clone(), 11, 1, true),
    column("error", |row| row.error.clone(), 40, 0, false),
];

const fn column(
    title: &'static str,
    text: fn(&Row) -> String,
    limit: usize,
    expendable: u8,
    right: bool,
) -> Column {
    Column {
        title,
        text,
        limit,
        expendable,
        right,
    }
}

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let text = if app.len == 0 {
        format!("{}: exchanges", app.title)
    } else {
        format!(
            "{}: exchange {} of {}",
            app.title,
            app.selected + 1,
            app.len
        )
    };
    let area = title(app, Pane::Exchanges, &text, area, buffer);
    if app.len == 0 {
        let text = match (&app.failure, app.progress >= 1.0) {
            (Some(failure), _) => failure.clone(),
            (None, false) => "looking for Kafka messages ...".to_owned(),
            (None, true) => "no Kafka messages were found; q quits".to_owned(),
        };
        text_at(buffer, area, 1, 1, &text, Style::new());
        return;
    }
    let (first, rows) = &app.rows;
    let height = usize::from(area.height).saturating_sub(1);
    let shown: Vec<(usize, &Row)> = rows
        .iter()
        .enumerate()
        .map(|(idx, row)| (first + idx, row))
        .filter(|(idx, _)| (app.scroll..app.scroll + height).contains(idx))
        .collect();
    let columns = fit(&shown, usize::from(area.width));
    head(app, &columns, area, buffer);
    for (idx, row) in shown {
        let y = 1 + u16::try_from(idx - app.scroll).unwrap_or(u16::MAX);
        let mut x = 0;
        for (column, width) in &columns {
            let style = if column.title == "error" {
                app.theme.error()
            } else {
                Style::new()
            };
            let text = aligned(&(column.text)(row), *width, column.right);
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

fn head(app: &App, columns: &[(&Column, usize)], area: Rect, buffer: &mut Buffer) {
    let mut x = 0;
    for (column, width) in columns {
        let text = aligned(column.title, *width, column.right);
        text_at(buffer, area, x, 0, &text, app.theme.dim());
        x += u16::try_from(width + 2).unwrap_or(u16::MAX);
    }
}

/// The columns that fit, with their widths: as wide as what they show, the most expendable left
/// out until the rest fits.
fn fit(rows: &[(usize, &Row)], width: usize) -> Vec<(&'static Column, usize)> {
    let mut columns: Vec<(&Column, usize)> = COLUMNS
        .iter()
        .map(|column| {
            let widest = rows
                .iter()
                .map(|(_, row)| (column.text)(row).width())
                .max()
                .unwrap_or(0);
            (column, widest.clamp(column.title.len(), column.limit))
        })
        .collect();
    loop {
        let total: usize = columns.iter().map(|(_, width)| width + 2).sum();
        let most = columns.iter().map(|(column, _)| column.expendable).max();
        match most {
            Some(most) if total > width + 2 && most > 0 => {
                columns.retain(|(column, _)| column.expendable != most);
            }
            _ => return columns,
        }
    }
}

/// `text` in exactly `width` columns.
fn aligned(text: &str, width: usize, right: bool) -> String {
    let pad = " ".repeat(width.saturating_sub(text.width()));
    if text.width() > width {
        let mut cut = String::new();
        for c in text.chars() {
            if cut.width() + 1 >= width {
                break;
            }
            cut.push(c);
        }
        cut.push('…');
        cut
    } else if right {
        format!("{pad}{text}")
    } else {
        format!("{text}{pad}")
    }
}
