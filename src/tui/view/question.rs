//! The question at the bottom of the screen, with what was typed.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::{Clear, Widget},
};
use unicode_width::UnicodeWidthStr;

use super::text_at;
use crate::{
    render::escape_str,
    tui::{App, asking::Question},
};

pub(super) fn draw(app: &App, question: &Question, buffer: &mut Buffer) {
    let screen = app.area().intersection(buffer.area);
    let area = Rect {
        y: screen.bottom().saturating_sub(1),
        height: screen.height.min(1),
        ..screen
    };
    Clear.render(area, buffer);
    let prompt = escape_str(&question.prompt());
    let before: String = question.line.chars().take(question.cursor).collect();
    let at = question.line.chars().nth(question.cursor).unwrap_or(' ');
    let behind: String = question.line.chars().skip(question.cursor + 1).collect();
    // Names are typed, but a paste may have brought anything.
    let (before, behind) = (escape_str(&before), escape_str(&behind));
    // The end of what was typed is what is being typed.
    let room = usize::from(area.width);
    let needed = prompt.width() + before.width() + 1;
    let text = format!("{prompt}{before}");
    let skipped = needed.saturating_sub(room);
    let text: String = text.chars().skip(skipped).collect();
    let x = text_at(buffer, area, 0, 0, &text, app.theme.title(false));
    let cursor = Style::new().add_modifier(Modifier::REVERSED);
    let x = text_at(buffer, area, x, 0, &escape_str(&at.to_string()), cursor);
    text_at(buffer, area, x, 0, &behind, app.theme.title(false));
}
