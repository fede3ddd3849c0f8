//! The help: a line a key, or two that are each other's opposite, drawn from the key table and from the
//! table of commands.

use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use crate::{
    render::wrap,
    tui::{App, commands::COMMANDS, keymap::Bound, keys::Key},
};

/// Columns of keys.
const KEYS: usize = 20;

/// Columns of a command with what it takes.
const COMMAND: usize = 24;

/// Columns that what a key does has beside the key; where there are less it stands below.
const BESIDE: usize = 24;

/// How far it is indented there.
const BELOW: usize = 6;

/// Columns of the names of actions, where the screen has as many.
const NAMES: usize = 96;

/// What no table says.
const MORE: [&str; 5] = [
    "views and help are scrolled by the keys of the tree, ← and → as well",
    "request and response can stand side by side from 160 columns on",
    "~/.config/kafscope/config.toml sets keys, columns and theme: docs/BROWSER.md",
    "paste hex in any notation to decode it",
    "mouse: click selects, double click unfolds, wheel scrolls, borders are dragged",
];

pub(super) fn help(app: &App) -> Vec<(String, Style)> {
    let heading = Style::new().add_modifier(Modifier::BOLD);
    let rows = app.config.keymap.rows();
    let room = usize::from(app.size.0).saturating_sub(2);
    let mut lines = Vec::new();
    for rows in rows.chunk_by(|one, other| one.section == other.section) {
        lines.extend(rows.first().map(|row| (row.section.to_owned(), heading)));
        let keys = keys(rows).into_iter();
        let keys = keys.flat_map(|(keys, does)| explained(&keys, KEYS + 1, &does, room));
        lines.extend(keys.map(|line| (line, Style::new())));
    }
    lines.push(("commands, behind a colon".to_owned(), heading));
    let commands = COMMANDS.iter().flat_map(|entry| {
        let command = format!("{} {}", entry.name, entry.takes);
        explained(&command, COMMAND, entry.help, room)
    });
    lines.extend(commands.map(|line| (line, Style::new())));
    lines.push(("more".to_owned(), heading));
    let more = MORE.iter().flat_map(|line| wrap(line, room.max(1)));
    lines.extend(more.map(|line| (line, Style::new())));
    lines.push(("what config.toml calls the keys".to_owned(), heading));
    let names = names(rows, room.min(NAMES)).into_iter();
    lines.extend(names.map(|line| (line, app.theme.dim())));
    lines
}

/// A key and what it does, which begins at a column behind the key, in lines of at most `room` columns.
fn explained(key: &str, column: usize, does: &str, room: usize) -> Vec<String> {
    let column = column + 2;
    let whole = format!("  {key:<0$}{does}", column - 2);
    if whole.width() <= room {
        return vec![whole];
    }
    let (first, indent) = match room >= column + BESIDE {
        true => (None, column),
        false => (Some(format!("  {key}")), BELOW),
    };
    let folded = wrap(does, room.saturating_sub(indent).max(1));
    let lines = folded.into_iter().enumerate().map(|(idx, line)| {
        let key = match (&first, idx) {
            (None, 0) => key,
            _ => "",
        };
        format!("  {key:<0$}{line}", indent - 2)
    });
    first.clone().into_iter().chain(lines).collect()
}

/// The keys of a section and what they do.
fn keys(rows: &[Bound]) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut rest = rows.iter().peekable();
    while let Some(row) = rest.next() {
        let other = rest.peek().and_then(|other| {
            let does = together(row.binding.help, other.binding.help)?;
            let keys = format!("{} / {}", written(row), written(other));
            (keys.width() <= KEYS).then_some((keys, does))
        });
        if other.is_some() {
            rest.next();
        }
        let alone = || (written(row), row.binding.help.to_owned());
        let (keys, does) = other.unwrap_or_else(alone);
        lines.push((keys, does));
    }
    lines
}

fn written(row: &Bound) -> String {
    let keys: Vec<String> = row.keys.iter().copied().map(Key::name).collect();
    keys.join(", ")
}

/// Two sentences that differ in one word as one: `next/previous bookmark`.
fn together(one: &str, other: &str) -> Option<String> {
    let words: Vec<(&str, &str)> = one.split(' ').zip(other.split(' ')).collect();
    let is_as_long = one.split(' ').count() == other.split(' ').count();
    let n_other = words.iter().filter(|(one, other)| one != other).count();
    if !is_as_long || n_other != 1 || words.len() < 2 {
        return None;
    }
    let words = words.iter().map(|(one, other)| match one == other {
        true => (*one).to_owned(),
        false => format!("{one}/{other}"),
    });
    Some(words.collect::<Vec<String>>().join(" "))
}

/// The names of actions, each with its first key, in lines of at most `room` columns.
fn names(rows: &[Bound], room: usize) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for row in rows {
        let name = row.binding.action.name();
        if known.contains(&name) {
            continue;
        }
        let item = format!("  {name} {}", row.name());
        known.push(name);
        match lines.last_mut() {
            Some(line) if line.width() + item.width() <= room => line.push_str(&item),
            _ => lines.push(item),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::bindings;

    fn lines(columns: u16) -> Vec<String> {
        let app = App::new(String::new(), columns, 24, false);
        help(&app).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn opposites_share_a_line() {
        assert_eq!(
            together("next bookmark", "previous bookmark").as_deref(),
            Some("next/previous bookmark")
        );
        assert_eq!(together("up", "down"), None);
        assert_eq!(together("a page up", "to the last"), None);
        assert_eq!(together("a row up", "a row up and on"), None);
        let lines = lines(80);
        let shown = |text: &str| lines.iter().any(|line| line.contains(text));
        assert!(shown(
            "] e, ] x / [ e, [ x  next/previous exchange with an error"
        ));
        assert!(shown("k, ↑ / j, ↓"), "{lines:#?}");
    }

    #[test]
    fn nothing_is_cut_and_no_key_is_missing() {
        for columns in [40, 60, 80, 200] {
            for line in lines(columns) {
                assert!(line.width() <= usize::from(columns) - 2, "{line}");
            }
        }
        let narrow = lines(40);
        let at = narrow.iter().position(|line| line == "  Ctrl-z").unwrap();
        assert_eq!(narrow[at + 1], "      back to the shell, for now");
        let lines = lines(80);
        for binding in bindings() {
            let name = format!("  {} ", binding.action.name());
            assert!(lines.iter().any(|line| line.contains(&name)), "{name}");
            for key in binding.keys {
                let key = key.name();
                assert!(lines.iter().any(|line| line.contains(&key)), "{key}");
            }
        }
    }
}
