//! The object tree.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{shorten, text_at, title};
use crate::{
    event::Severity,
    render::{Columns, Cut, Wording, columns},
    tree::NodeId,
    tui::{App, Pane, message::OpenMessage},
};

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let Some(message) = &app.message else {
        let area = title(app, Pane::Tree, app.wanted_side().name(), area, buffer);
        if app.shown.is_none() && app.exchange().is_some() {
            text_at(buffer, area, 1, 0, "decoding ...", app.theme.dim());
        }
        if app.shown.is_some() {
            let text = format!(
                "the capture holds no {}; r shows the other side",
                app.wanted_side().name()
            );
            text_at(buffer, area, 1, 0, &text, app.theme.dim());
        }
        return;
    };
    let errors = message
        .tree
        .problems()
        .iter()
        .filter(|found| found.problem.severity == Severity::Error)
        .count();
    let mut text = app.wanted_side().name().to_owned();
    if let Some(columns) = columns(&message.tree, NodeId::ROOT, Wording::Counted, Cut::Short) {
        text = format!("{text}: {} {} {}", columns.name, columns.ty, columns.range);
    }
    match errors {
        0 => {}
        1 => text.push_str(", 1 error (e)"),
        errors => text.push_str(&format!(", {errors} errors (e)")),
    }
    let area = title(app, Pane::Tree, &text, area, buffer);
    rows(app, message, area, buffer);
}

fn rows(app: &App, message: &OpenMessage, area: Rect, buffer: &mut Buffer) {
    let shown: Vec<(usize, NodeId, Columns)> = message
        .rows()
        .iter()
        .enumerate()
        .skip(message.scroll)
        .take(usize::from(area.height))
        .filter_map(|(row, &id)| {
            let columns = columns(&message.tree, id, Wording::Counted, Cut::Short)?;
            Some((row, id, columns))
        })
        .collect();
    let label = |id: NodeId, columns: &Columns| {
        let marker = match (message.has_children(id), message.is_unfolded(id)) {
            (false, _) => "  ",
            (true, true) => "▾ ",
            (true, false) => "▸ ",
        };
        format!(
            "{}{marker}{}",
            "  ".repeat(message.tree.depth(id)),
            columns.name
        )
    };
    let widest = |width: &dyn Fn(&(usize, NodeId, Columns)) -> usize, limit: usize| {
        shown.iter().map(width).max().unwrap_or(0).min(limit)
    };
    let half = usize::from(area.width) / 2;
    let name = widest(&|(_, id, columns)| label(*id, columns).width(), half);
    let value = widest(
        &|(_, _, columns)| columns.value.as_deref().unwrap_or_default().width(),
        half,
    );
    let ty = widest(&|(_, _, columns)| columns.ty.width(), 28);
    let range = widest(&|(_, _, columns)| columns.range.width(), 28);
    for (idx, (row, id, columns)) in shown.iter().enumerate() {
        let y = u16::try_from(idx).unwrap_or(u16::MAX);
        let section = message
            .tree
            .node(*id)
            .map(|node| node.section)
            .unwrap_or_default();
        let mut x = 0;
        let mut column = |text: &str, width: usize, style: Style| {
            text_at(buffer, area, x, y, &shorten(text, width), style);
            x = x.saturating_add(u16::try_from(width + 2).unwrap_or(u16::MAX));
        };
        column(&label(*id, columns), name, app.theme.section(section));
        column(
            columns.value.as_deref().unwrap_or_default(),
            value,
            Style::new(),
        );
        column(&columns.ty, ty, app.theme.dim());
        column(&columns.range, range, app.theme.dim());
        if app.meanings {
            column(&columns.meaning, usize::MAX / 2, app.theme.dim());
        }
        if *row == message.cursor {
            let line = Rect {
                y: area.y + y,
                height: 1,
                ..area
            };
            buffer.set_style(line, app.theme.selection(app.pane == Pane::Tree));
        }
    }
}
