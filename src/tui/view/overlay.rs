//! What lies over the panes: the help, the menu of what can be copied, a field with its whole value.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
    widgets::{Clear, Widget},
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{help::help, shorten, text_at};
use crate::tui::{App, app::Overlay, copying::MENU};

/// Columns of the help, where no line of it needs more.
const HELP_WIDTH: u16 = 100;

/// Columns of the menu of what can be copied.
const MENU_WIDTH: u16 = 40;

/// Columns of running text, where the screen has as many.
const TEXT_WIDTH: usize = 100;

pub(super) fn draw(app: &App, overlay: &Overlay, buffer: &mut Buffer) {
    let lines = lines(app, overlay);
    let area = area(app, overlay, &lines);
    Clear.render(area, buffer);
    let title = Rect {
        height: area.height.min(1),
        ..area
    };
    buffer.set_style(title, app.theme.title(true));
    let text = match overlay {
        Overlay::Help => "help: q or Esc closes, the keys of the tree scroll",
        Overlay::Copy(_) => "copy: a letter, or Enter; Esc closes",
        Overlay::Field { title, .. } => title,
    };
    frame(app, area, buffer);
    let shown = usize::from(area.height).saturating_sub(2);
    let mark = match lines.len() > shown {
        true => {
            let last = lines.len().min(app.overlay_scroll + shown);
            format!(" to line {last} of {} ", lines.len())
        }
        false => String::new(),
    };
    let start = area
        .width
        .saturating_sub(u16::try_from(mark.len()).unwrap_or(u16::MAX));
    text_at(buffer, area, start, 0, &mark, app.theme.title(true));
    let text = shorten(text, usize::from(start.saturating_sub(1)));
    text_at(buffer, area, 1, 0, &text, app.theme.title(true));
    for (row, (line, style)) in lines
        .iter()
        .skip(app.overlay_scroll)
        .take(shown)
        .enumerate()
    {
        let row = u16::try_from(row + 1).unwrap_or(u16::MAX);
        text_at(
            buffer,
            area,
            1,
            row,
            &shorten(line, usize::from(area.width).saturating_sub(2)),
            *style,
        );
    }
}

/// The edges of what lies over the panes, which look much the same inside.
fn frame(app: &App, area: Rect, buffer: &mut Buffer) {
    let (right, bottom) = (area.width.saturating_sub(1), area.height.saturating_sub(1));
    let edge = app.theme.dim();
    for y in 1..bottom {
        text_at(buffer, area, 0, y, "│", edge);
        text_at(buffer, area, right, y, "│", edge);
    }
    if bottom > 0 && right > 0 {
        let line = "─".repeat(usize::from(right) - 1);
        text_at(buffer, area, 0, bottom, &format!("└{line}┘"), edge);
    }
}

/// The last line that the overlay can begin with.
pub(in crate::tui) fn overlay_end(app: &App) -> usize {
    let Some(overlay) = &app.overlay else {
        return 0;
    };
    let lines = lines(app, overlay);
    let height = usize::from(area(app, overlay, &lines).height).saturating_sub(2);
    lines.len().saturating_sub(height)
}

/// Lines of the overlay that are on the screen.
pub(in crate::tui) fn overlay_height(app: &App) -> usize {
    let overlay = app.overlay.as_ref();
    let area = overlay.map(|overlay| area(app, overlay, &lines(app, overlay)));
    area.map_or(0, |area| usize::from(area.height).saturating_sub(2))
}

/// The line of the overlay at a place of the screen.
pub(in crate::tui) fn overlay_line_at(app: &App, at: Position) -> Option<usize> {
    let overlay = app.overlay.as_ref()?;
    let area = area(app, overlay, &lines(app, overlay));
    let row = at.y.checked_sub(area.y.saturating_add(1))?;
    (area.contains(at) && row + 2 < area.height).then_some(usize::from(row) + app.overlay_scroll)
}

fn area(app: &App, overlay: &Overlay, lines: &[(String, Style)]) -> Rect {
    let screen = app.area();
    let needed = match overlay {
        Overlay::Copy(_) => MENU_WIDTH,
        Overlay::Help | Overlay::Field { .. } => {
            let widest = lines
                .iter()
                .map(|(line, _)| line.width())
                .max()
                .unwrap_or(0);
            u16::try_from(widest + 2)
                .unwrap_or(u16::MAX)
                .max(HELP_WIDTH)
        }
    };
    let width = screen.width.min(needed);
    let height = u16::try_from(lines.len() + 3).unwrap_or(u16::MAX);
    let height = screen.height.min(height);
    Rect {
        x: (screen.width - width) / 2,
        y: (screen.height - height) / 2,
        width,
        height,
    }
}

fn lines(app: &App, overlay: &Overlay) -> Vec<(String, Style)> {
    match overlay {
        Overlay::Help => help(app),
        Overlay::Copy(row) => menu(app, *row),
        Overlay::Field { lines, .. } => {
            let width = usize::from(app.size.0)
                .saturating_sub(4)
                .clamp(1, TEXT_WIDTH);
            let lines = lines.iter().flat_map(|line| folded(line, width));
            lines.map(|line| (line, Style::new())).collect()
        }
    }
}

fn menu(app: &App, selected: usize) -> Vec<(String, Style)> {
    let rows = MENU.iter().enumerate();
    rows.map(|(row, (letter, _, what))| {
        let style = match row == selected {
            true => app.theme.selection(true),
            false => Style::new(),
        };
        (format!("{letter}  {what}"), style)
    })
    .collect()
}

/// `text` in pieces of at most `width` columns, broken between words; a long value has none.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for c in text.chars() {
        let columns = c.width().unwrap_or(0);
        if used + columns > width {
            let line = lines.last_mut();
            let word = line.and_then(|line| {
                let (before, word) = line.rsplit_once(' ')?;
                let is_word = !before.trim().is_empty() && 2 * word.width() <= width;
                let at = before.len() + 1;
                is_word.then(|| line.split_off(at))
            });
            let word = word.unwrap_or_default();
            used = word.width();
            lines.push(word);
        }
        used += columns;
        if let Some(line) = lines.last_mut() {
            line.push(c);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_folded_between_words_and_values_anywhere() {
        assert_eq!(
            folded("they leave 10 bytes over", 12),
            ["they leave ", "10 bytes ", "over"]
        );
        assert_eq!(folded("0x0011223344", 6), ["0x0011", "223344"]);
        assert_eq!(folded("is 0x0011223344", 6), ["is ", "0x0011", "223344"]);
    }
}
