//! The line that is typed into, over the lines at the bottom: what is wrong with it, or what Tab
//! offers, stands above it.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    widgets::{Clear, Widget},
};
use unicode_width::UnicodeWidthStr;

use super::{shorten, text_at};
use crate::{
    render::{escape_sentence, wrap},
    tui::{App, prompt::Prompt},
};

/// Offers on the screen at once, if there is room.
const OFFERS: usize = 12;

pub(super) fn draw(app: &App, prompt: &Prompt, buffer: &mut Buffer) {
    let screen = app.area().intersection(buffer.area);
    let above = above(prompt, usize::from(screen.width));
    let height = u16::try_from(above.len() + 1)
        .unwrap_or(u16::MAX)
        .min(screen.height);
    let area = Rect {
        y: screen.bottom() - height,
        height,
        ..screen
    };
    Clear.render(area, buffer);
    let style = match prompt.wrong.is_empty() {
        true => app.theme.dim(),
        false => app.theme.error(),
    };
    for (row, line) in (0..height.saturating_sub(1)).zip(&above) {
        let line = shorten(line, usize::from(area.width));
        text_at(buffer, area, 0, row, &line, style);
    }
    let row = height.saturating_sub(1);
    let (before, behind) = prompt.halves();
    let label = prompt.kind.label();
    // The end of a long line is what is being typed.
    let room = usize::from(area.width).saturating_sub(label.width() + 2);
    let before: String = {
        let text = escape_sentence(&before);
        let hidden = text.chars().count().saturating_sub(room);
        text.chars().skip(hidden).collect()
    };
    let behind = escape_sentence(&behind);
    let x = text_at(buffer, area, 0, row, label, app.theme.title(false));
    let x = text_at(buffer, area, x, row, &before, Style::new());
    let mut rest = behind.chars();
    let under = rest.next().map_or(" ".to_owned(), String::from);
    let cursor = Style::new().add_modifier(Modifier::REVERSED);
    let x = text_at(buffer, area, x, row, &under, cursor);
    let x = text_at(buffer, area, x, row, rest.as_str(), Style::new());
    if before.is_empty() && behind.is_empty() {
        let room = usize::from(area.width.saturating_sub(x + 1));
        let usage = shorten(prompt.kind.usage(), room);
        text_at(buffer, area, x + 1, row, &usage, app.theme.dim());
    }
}

/// The lines above the one that is typed into, on a screen of so many columns.
fn above(prompt: &Prompt, width: usize) -> Vec<String> {
    match prompt.wrong.as_slice() {
        [] => {}
        // What points at a place in the line has several, which stay as they are.
        [sentence] => return wrap(sentence, width.max(1)),
        lines => return lines.to_vec(),
    }
    match prompt.offers() {
        Some((offers, at)) => {
            let words: Vec<String> = offers
                .iter()
                .enumerate()
                .skip(at.saturating_sub(2))
                .take(OFFERS)
                .map(|(idx, offer)| match idx == at {
                    true => format!("[{}]", offer.trim_end()),
                    false => offer.trim_end().to_owned(),
                })
                .collect();
            let words = escape_sentence(&words.join("  "));
            vec![format!("{} of {}: {words}", at + 1, offers.len())]
        }
        None => Vec::new(),
    }
}
