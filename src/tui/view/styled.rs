//! Text with SGR sequences, as the commands print it, in the styles of the screen.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color, Modifier, Style},
};

use unicode_width::UnicodeWidthStr;

use super::text_at;
use crate::tui::theme::Theme;

/// Writes a line into a row of `area`, from its column `skip` on; whether it was cut at the end, which a
/// mark shows.
pub(super) fn styled_at(
    buffer: &mut Buffer,
    area: Rect,
    row: u16,
    line: &str,
    skip: usize,
    theme: Theme,
) -> bool {
    let mut style = Style::new();
    let mut column = 0_u16;
    let mut left = skip;
    let mut needed = 0;
    for part in parts(line) {
        match part {
            Part::Sgr(codes) => style = changed(style, codes, theme),
            Part::Text(text) => {
                // What is scrolled out to the left.
                let hidden = text.chars().count().min(left);
                left -= hidden;
                let shown: String = text.chars().skip(hidden).collect();
                needed += shown.width();
                column = text_at(buffer, area, column, row, &shown, style);
            }
        }
    }
    let is_cut = needed > usize::from(area.width);
    if is_cut {
        let last = area.width.saturating_sub(1);
        text_at(buffer, area, last, row, "…", theme.dim());
    }
    is_cut
}

/// A line without its sequences.
pub(super) fn plain(line: &str) -> String {
    let texts = parts(line).filter_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Sgr(_) => None,
    });
    texts.collect()
}

enum Part<'a> {
    Text(&'a str),
    /// What stands between `ESC [` and `m`.
    Sgr(&'a str),
}

fn parts(line: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(behind) = rest.strip_prefix("\x1b[")
            && let Some((codes, after)) = behind.split_once('m')
        {
            rest = after;
            return Some(Part::Sgr(codes));
        }
        let end = rest
            .char_indices()
            .skip(1)
            .find(|&(_, c)| c == '\x1b')
            .map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Part::Text(text))
    })
}

/// A style behind a sequence: those that the commands use.
fn changed(style: Style, codes: &str, theme: Theme) -> Style {
    let mut style = style;
    for code in codes.split(';') {
        style = match code.parse::<u8>().unwrap_or(0) {
            0 => Style::new(),
            1 => style.add_modifier(Modifier::BOLD),
            2 => style.patch(theme.dim()),
            4 => style.add_modifier(Modifier::UNDERLINED),
            31 => style.patch(theme.ansi(Color::Red)),
            32 => style.patch(theme.ansi(Color::Green)),
            33 => style.patch(theme.ansi(Color::Yellow)),
            34 => style.patch(theme.ansi(Color::Blue)),
            35 => style.patch(theme.ansi(Color::Magenta)),
            36 => style.patch(theme.ansi(Color::Cyan)),
            90 => style.patch(theme.dim()),
            _ => style,
        };
    }
    style
}
