//! The data inspector: the bytes at the cursor as every type.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::{Clear, Widget},
};

use super::{shorten, text_at};
use crate::tui::{App, inspector::readings};

/// Columns with both byte orders side by side.
pub(super) const WIDTH: u16 = 56;

/// Rows: a title and the types.
pub(super) const HEIGHT: u16 = 17;

/// Bytes that any type takes at most.
const BYTES: usize = 64;

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    let Some(message) = app.message.as_ref().filter(|_| !area.is_empty()) else {
        return;
    };
    Clear.render(area, buffer);
    let title = format!("▌at {}", message.place());
    let row = Rect { height: 1, ..area };
    buffer.set_style(row, app.theme.title(false));
    text_at(buffer, area, 0, 0, &title, app.theme.title(false));
    text_at(buffer, area, 33, 0, "swapped", app.theme.title(false));
    let from = message.byte;
    let bytes = message.bytes();
    let end = bytes.len().min(from.saturating_add(BYTES));
    // A secret is hidden here as well, and with it all that would be read across it.
    let end = (from..end)
        .find(|&at| message.tree.hides(message.buffer(), at))
        .unwrap_or(end);
    let shown = bytes.get(from..end).unwrap_or_default();
    for (y, reading) in (1..area.height).zip(readings(shown)) {
        text_at(buffer, area, 0, y, "│", app.theme.faint());
        text_at(buffer, area, 1, y, reading.name, app.theme.dim());
        let room = usize::from(area.width.saturating_sub(11));
        let width = match reading.swapped.is_empty() {
            true => room,
            false => 21,
        };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        text_at(buffer, area, 11, y, &shorten(&reading.value, width), bold);
        text_at(buffer, area, 33, y, &reading.swapped, Style::new());
    }
}
