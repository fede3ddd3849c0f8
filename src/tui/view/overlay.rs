//! What lies over the panes: the help, drawn from the key table, and from the table of commands.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::{Clear, Widget},
};

use super::text_at;
use crate::tui::{
    App,
    app::Overlay,
    commands::COMMANDS,
    keys::{BINDINGS, Key},
};

/// Columns of the help.
const HELP_WIDTH: u16 = 76;

pub(super) fn draw(app: &App, overlay: &Overlay, buffer: &mut Buffer) {
    let lines = lines(overlay);
    let area = area(app, &lines);
    Clear.render(area, buffer);
    let title = Rect {
        height: area.height.min(1),
        ..area
    };
    buffer.set_style(title, app.theme.title(true));
    let text = match overlay {
        Overlay::Help => "help: Esc closes, j and k scroll",
    };
    text_at(buffer, area, 1, 0, text, app.theme.title(true));
    let shown = usize::from(area.height).saturating_sub(2);
    for (row, (line, style)) in lines
        .iter()
        .skip(app.overlay_scroll)
        .take(shown)
        .enumerate()
    {
        let row = u16::try_from(row + 1).unwrap_or(u16::MAX);
        text_at(buffer, area, 1, row, line, *style);
    }
}

/// The last line that the overlay can begin with.
pub(in crate::tui) fn overlay_end(app: &App) -> usize {
    let Some(overlay) = &app.overlay else {
        return 0;
    };
    let lines = lines(overlay);
    let height = usize::from(area(app, &lines).height).saturating_sub(2);
    lines.len().saturating_sub(height)
}

fn area(app: &App, lines: &[(String, Style)]) -> Rect {
    let screen = app.area();
    let width = screen.width.min(HELP_WIDTH);
    let height = u16::try_from(lines.len() + 3).unwrap_or(u16::MAX);
    let height = screen.height.min(height);
    Rect {
        x: (screen.width - width) / 2,
        y: (screen.height - height) / 2,
        width,
        height,
    }
}

fn lines(overlay: &Overlay) -> Vec<(String, Style)> {
    match overlay {
        Overlay::Help => help(),
    }
}

fn help() -> Vec<(String, Style)> {
    let heading = Style::new().add_modifier(Modifier::BOLD);
    let mut places = Vec::new();
    for binding in BINDINGS {
        if !places.contains(&binding.place) {
            places.push(binding.place);
        }
    }
    let mut lines = Vec::new();
    for place in places {
        lines.push((place.name().to_owned(), heading));
        for binding in BINDINGS.iter().filter(|binding| binding.place == place) {
            let keys: Vec<String> = binding.keys.iter().map(|key: &Key| key.name()).collect();
            let line = format!("  {:<16}{}", keys.join(", "), binding.help);
            lines.push((line, Style::new()));
        }
    }
    lines.push(("commands, behind a colon".to_owned(), heading));
    for entry in COMMANDS {
        let line = format!(
            "  {:<24}{}",
            format!("{} {}", entry.name, entry.takes),
            entry.help
        );
        lines.push((line, Style::new()));
    }
    lines.push((
        "paste hex in any notation to decode it".to_owned(),
        Style::new(),
    ));
    lines.push((
        "mouse: click selects, double click unfolds, wheel scrolls".to_owned(),
        Style::new(),
    ));
    lines
}
