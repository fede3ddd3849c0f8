//! The list of pasted messages, in the place of the exchanges.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{
    EXCHANGES_HEAD, named,
    scrollbar::{self, Mark},
    shorten, text_at, title,
};
use crate::{
    render::{Cut, Wording, columns, escape_sentence, escape_str},
    tree::NodeId,
    tui::{App, Page, Pane, pastes::problem},
};

/// The columns but the last, which takes what room is left.
const TITLES: [&str; 5] = ["n", "message", "correlation id", "client id", "bytes"];

/// Those of numbers.
const RIGHT: [bool; 5] = [true, false, true, false, true];

/// What is said of a message whose bytes are others by now.
const EDITED: &str = "edited";

/// The widest text of a column.
const WIDEST: usize = 40;

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let (name, mut what) = app.pasted.heading().unwrap_or_default();
    if !app.is_bare() {
        what.push_str(": Esc goes back to the exchanges");
    }
    let text = named(name, &what, area);
    let area = title(app, Pane::Exchanges, &text, area, buffer);
    let height = usize::from(area.height).saturating_sub(EXCHANGES_HEAD - 1);
    let listed = app.pasted.listed();
    let area = bar(app, height, area, buffer);
    let shown = listed.iter().zip(1..).skip(app.pasted.scroll).take(height);
    let rows: Vec<[String; 5]> = shown.map(|(page, n)| cells(n, page)).collect();
    let mut widths = TITLES.map(str::width);
    for cells in &rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.width()).min(WIDEST);
        }
    }
    let head = line(buffer, area, 0, (&TITLES, &widths), app.theme.dim());
    text_at(buffer, area, head, 0, "problem", app.theme.dim());
    for (cells, row) in rows.iter().zip(1..) {
        let nth = app.pasted.scroll + usize::from(row) - 1;
        let cells = cells.each_ref().map(String::as_str);
        let x = line(buffer, area, row, (&cells, &widths), Style::new());
        let room = usize::from(area.width.saturating_sub(x));
        let said = said(app, nth);
        let problem = shorten(&said, room);
        text_at(buffer, area, x, row, &problem, app.theme.error());
        if nth == app.pasted.selected() {
            let line = Rect {
                y: area.y + row,
                height: 1,
                ..area
            };
            let line = line.intersection(buffer.area);
            buffer.set_style(line, app.theme.selection(app.pane == Pane::Exchanges));
        }
    }
}

/// Draws the bar at the right of a list that is longer than `height`; returns what is left of it.
fn bar(app: &App, height: usize, area: Rect, buffer: &mut Buffer) -> Rect {
    let len = app.pasted.listed().len();
    if len <= height {
        return area;
    }
    let rows = Rect {
        y: area.y.saturating_add(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    let wrong: Vec<usize> = (0..len)
        .filter(|&nth| state(app, nth).1.is_some())
        .collect();
    let scrolled = scrollbar::Scrolled {
        len,
        first: app.pasted.scroll,
        marks: &[(Mark::Problem, &wrong)],
    };
    scrollbar::draw(app.theme, &scrolled, rows, buffer);
    Rect {
        width: area.width.saturating_sub(scrollbar::WIDTH),
        ..area
    }
}

/// Writes texts in their columns; returns the column behind them.
fn line(
    buffer: &mut Buffer,
    area: Rect,
    row: u16,
    (cells, widths): (&[&str; 5], &[usize; 5]),
    style: Style,
) -> u16 {
    let mut x = 0;
    for ((cell, &width), right) in cells.iter().zip(widths).zip(RIGHT) {
        let text = shorten(cell, width);
        let pad = " ".repeat(width.saturating_sub(text.width()));
        let text = match right {
            true => format!("{pad}{text}  "),
            false => format!("{text}{pad}  "),
        };
        x = text_at(buffer, area, x, row, &text, style);
    }
    x
}

fn cells(n: usize, page: &Page) -> [String; 5] {
    let root = columns(&page.tree, NodeId::ROOT, Wording::Counted, Cut::Short);
    let name = root.map(|root| root.name).unwrap_or_default();
    let n_bytes = page.tree.buffers().first().map_or(0, |it| it.bytes.len());
    let decoded = page.decoded.as_ref();
    let correlation_id = decoded.and_then(|decoded| decoded.correlation_id);
    let client_id = decoded.and_then(|decoded| decoded.client_id.as_deref());
    [
        n.to_string(),
        decoded.map_or(name.clone(), |it| format!("{name} v{}", it.version)),
        correlation_id.map(|id| id.to_string()).unwrap_or_default(),
        client_id.map(escape_str).unwrap_or_default(),
        n_bytes.to_string(),
    ]
}

/// Whether the bytes of a message were changed, and what is worst in it as it is now.
fn state(app: &App, nth: usize) -> (bool, Option<String>) {
    match &app.message {
        Some(message) if nth == app.pasted.selected() => {
            (message.is_edited(), problem(&message.tree))
        }
        _ => app.pasted.state(nth),
    }
}

/// What the row of a message says of that.
fn said(app: &App, nth: usize) -> String {
    let (is_edited, problem) = state(app, nth);
    let problem = problem.map(|problem| escape_sentence(&problem));
    let edited = is_edited.then(|| EDITED.to_owned());
    let parts: Vec<String> = edited.into_iter().chain(problem).collect();
    parts.join(": ")
}
