//! The help, drawn from the key table.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::{Clear, Widget},
};

use super::text_at;
use crate::tui::{
    App,
    keys::{BINDINGS, Key},
};

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut lines: Vec<(String, Style)> = Vec::new();
    let heading = Style::new().add_modifier(Modifier::BOLD);
    let mut places = Vec::new();
    for binding in BINDINGS {
        if !places.contains(&binding.place) {
            places.push(binding.place);
        }
    }
    for place in places {
        lines.push((place.name().to_owned(), heading));
        for binding in BINDINGS.iter().filter(|binding| binding.place == place) {
            let keys: Vec<String> = binding.keys.iter().map(|key: &Key| key.name()).collect();
            let line = format!("  {:<16}{}", keys.join(", "), binding.help);
            lines.push((line, Style::new()));
        }
    }
    lines.push((
        "mouse: click selects, double click unfolds, wheel scrolls".to_owned(),
        Style::new(),
    ));
    let width = area.width.min(64);
    let height = area
        .height
        .min(u16::try_from(lines.len() + 3).unwrap_or(u16::MAX));
    let area = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Clear.render(area, buffer);
    let title = Rect {
        height: area.height.min(1),
        ..area
    };
    buffer.set_style(title, app.theme.title(true));
    text_at(
        buffer,
        area,
        1,
        0,
        "help: Esc closes, j and k scroll",
        app.theme.title(true),
    );
    let shown = usize::from(area.height).saturating_sub(2);
    let first = app.help_scroll.min(lines.len().saturating_sub(shown));
    for (row, (line, style)) in lines.iter().skip(first).take(shown).enumerate() {
        let row = u16::try_from(row + 1).unwrap_or(u16::MAX);
        text_at(buffer, area, 1, row, line, *style);
    }
}
