//! A view over the panes: a title, and lines of which one is selected.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{PAGER_HEAD, layout, shorten, styled::styled_at, text_at};
use crate::tui::{
    App,
    views::{Pager, View},
};

/// Columns of the mark in front of a line.
const MARK: u16 = 2;

/// The area of a view: all but the lines at the bottom.
fn area(app: &App) -> Rect {
    let areas = layout(app);
    let bottom = areas.status.height + areas.hints.height;
    let screen = app.area();
    Rect {
        height: screen.height.saturating_sub(bottom),
        ..screen
    }
}

/// Lines of a view that are on the screen.
pub(in crate::tui) fn pager_height(app: &App) -> usize {
    usize::from(area(app).height)
        .saturating_sub(PAGER_HEAD)
        .max(1)
}

/// Columns of a line, behind the mark of one that leads somewhere.
pub(super) fn line_width(app: &App) -> usize {
    usize::from(area(app).width.saturating_sub(MARK))
}

pub(super) fn draw(app: &App, pager: &Pager, buffer: &mut Buffer) {
    let area = area(app).intersection(buffer.area);
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, buffer);
    let head = Rect {
        height: area.height.min(1),
        ..area
    };
    buffer.set_style(head, app.theme.title(true));
    let title = match &pager.text {
        Some(text) => text.title.clone(),
        None if pager.looked > 0 => {
            format!(
                "one moment, at exchange {} of {}",
                pager.looked, app.status.len
            )
        }
        None => "one moment ...".to_owned(),
    };
    let body = Rect {
        y: area.y + head.height,
        height: area.height - head.height,
        ..area
    };
    let mut is_cut = false;
    let shown = pager.lines().iter().enumerate().skip(pager.scroll);
    for (row, (idx, line)) in (0..body.height).zip(shown) {
        let marker = if line.link.is_some() { "›" } else { " " };
        text_at(buffer, body, 0, row, marker, app.theme.dim());
        let inner = Rect {
            x: body.x + MARK.min(body.width),
            width: body.width.saturating_sub(MARK),
            ..body
        };
        is_cut |= styled_at(buffer, inner, row, &line.text, pager.shift, app.theme);
        if idx == pager.cursor {
            let line = Rect {
                y: body.y + row,
                height: 1,
                ..body
            };
            buffer.set_style(line, app.theme.selection(true));
        }
    }
    let hint = match &pager.view {
        View::Layout(..) | View::Diff(..) => "Esc back, n and p other versions",
        _ if is_cut => "Esc back, Enter follows a line, → scrolls",
        _ => "Esc back, Enter follows a line",
    };
    let room = usize::from(area.width.saturating_sub(1));
    text_at(
        buffer,
        area,
        1,
        0,
        &shorten(&title, room),
        app.theme.title(true),
    );
    let start = usize::from(area.width).saturating_sub(hint.chars().count() + 1);
    if start > title.chars().count() + 3 {
        text_at(buffer, area, start as u16, 0, hint, app.theme.title(true));
    }
    if pager
        .text
        .as_ref()
        .is_some_and(|text| text.lines.is_empty())
    {
        text_at(buffer, body, 2, 0, "there is nothing to show", Style::new());
    }
}
