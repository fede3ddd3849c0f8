//! What the screen can show: its width, and whether it has block characters.

use std::{
    env,
    io::{self, IsTerminal},
};

use ratatui::crossterm::terminal;

use crate::render::{Cut, Marks, Room};

/// Columns where nobody says how many there are.
const WIDTH: usize = 100;

/// How wide lines may be. What is written to a file is as wide as always.
pub(super) fn room() -> Room {
    if !io::stdout().is_terminal() {
        return Room::Free(WIDTH);
    }
    let size = terminal::size();
    size.map_or(Room::Free(WIDTH), |(columns, _)| {
        Room::Bound(usize::from(columns).max(40))
    })
}

/// How texts are cut. Those that nobody asked to have whole are, where somebody looks, as long as the
/// terminal is wide. What is written to a file is the same on every terminal.
pub(super) fn cut(wide: bool) -> Cut {
    match room() {
        _ if wide => Cut::Wide,
        Room::Bound(columns) => Cut::Fit(columns),
        Room::Free(_) => Cut::Short,
    }
}

/// Blocks where the locale says UTF-8 and the terminal is not a dumb one.
pub(super) fn marks() -> Marks {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
    let is_dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
    match is_utf8 && !is_dumb {
        true => Marks::Unicode,
        false => Marks::Ascii,
    }
}
