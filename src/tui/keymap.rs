//! The keys as the user has them: the table, with what was set in the place of its keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::{
    Pane,
    config::unknown,
    keys::{Action, Binding, Key, Place, bindings, sections},
};

/// The table with the keys that count.
#[derive(Clone, Debug)]
pub(super) struct Keymap {
    rows: Vec<Bound>,
}

/// A row of the table with its keys.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub keys: Vec<Key>,
    /// The heading of the help that it stands under.
    pub section: &'static str,
    pub binding: &'static Binding,
}

impl Default for Keymap {
    fn default() -> Keymap {
        let rows = sections().flat_map(|section| {
            section.bindings.iter().map(|binding| Bound {
                keys: binding.keys.to_vec(),
                section: section.name,
                binding,
            })
        });
        Keymap {
            rows: rows.collect(),
        }
    }
}

impl Keymap {
    pub(super) fn rows(&self) -> &[Bound] {
        &self.rows
    }

    /// The first key of an action, for those who name it.
    pub(super) fn key_of(&self, action: Action) -> Option<Key> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.binding.action == action)?;
        row.keys.first().copied()
    }

    /// How that key is written; empty for an action that has none left.
    pub(super) fn name_of(&self, action: Action) -> String {
        self.key_of(action).map_or(String::new(), Key::name)
    }

    /// Gives an action other keys, in all places where it has some.
    pub(super) fn bind(&mut self, name: &str, keys: Vec<Key>) -> Result<(), String> {
        let mut is_known = false;
        for row in &mut self.rows {
            if row.binding.action.name() == name {
                row.keys.clone_from(&keys);
                is_known = true;
            }
        }
        match is_known {
            true => Ok(()),
            false => {
                let names: Vec<String> = bindings().map(|binding| binding.action.name()).collect();
                Err(unknown("action", name, names.iter().map(String::as_str)))
            }
        }
    }

    /// What `event` asks for in `pane`, behind the first of two keys if there was one.
    pub(super) fn action(
        &self,
        first: Option<char>,
        event: KeyEvent,
        pane: Pane,
    ) -> Option<Action> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.binding.place.counts_in(pane) && row.is(first, event))
            .map(|row| row.binding.action)
    }

    /// What `event` asks for in other places, if in any.
    pub(super) fn elsewhere(&self, first: Option<char>, event: KeyEvent) -> Option<&Bound> {
        self.rows.iter().find(|row| row.is(first, event))
    }

    /// The key of `event`, if it is the first of two.
    pub(super) fn first_of_two(&self, event: KeyEvent) -> Option<char> {
        let KeyCode::Char(c) = event.code else {
            return None;
        };
        let mut keys = self.rows.iter().flat_map(|row| &row.keys);
        keys.any(|key| matches!(key, Key::Pair(first, _) if *first == c))
            .then_some(c)
    }

    /// What can follow the first of two keys: `e with an error`.
    pub(super) fn seconds(&self, first: char) -> Vec<String> {
        let rows = self.rows.iter().filter_map(|row| {
            let second = row.keys.iter().find_map(|key| match key {
                Key::Pair(one, two) if *one == first => Some(two),
                _ => None,
            })?;
            // The first key says which way.
            let what = match row.binding.action {
                Action::Next(target) | Action::Previous(target) => target.name(),
                Action::NextBookmark | Action::PreviousBookmark => "bookmark",
                _ => row.binding.help,
            };
            Some(format!("{second} {what}"))
        });
        rows.collect()
    }

    /// What `event` asks for while bytes are being changed: what is said for then, else to move by
    /// keys that type nothing.
    pub(super) fn action_while_editing(&self, event: KeyEvent) -> Option<Action> {
        let types = matches!(event.code, KeyCode::Char(_));
        let editing = |row: &&Bound| row.binding.place == Place::Editing;
        let moving = |row: &&Bound| {
            row.binding.place.counts_in(Pane::Grid) && row.binding.action.is_move() && !types
        };
        let mut first = self.rows.iter().filter(editing);
        let mut second = self.rows.iter().filter(moving);
        first
            .find(|row| row.is(None, event))
            .or_else(|| second.find(|row| row.is(None, event)))
            .map(|row| row.binding.action)
    }

    /// A key that means two things in one place, if there is one.
    pub(super) fn ambiguous(&self) -> Option<String> {
        let together = |one: Place, other: Place| {
            one == other
                || Pane::ALL
                    .into_iter()
                    .any(|pane| one.counts_in(pane) && other.counts_in(pane))
        };
        self.rows.iter().enumerate().find_map(|(idx, row)| {
            let others = self.rows.iter().skip(idx + 1);
            let mut others =
                others.filter(|other| together(row.binding.place, other.binding.place));
            others.find_map(|other| {
                let key = row.keys.iter().find(|key| other.keys.contains(key))?;
                Some(format!(
                    "{} means {} and {}; no keys are changed",
                    key.name(),
                    row.binding.action.name(),
                    other.binding.action.name()
                ))
            })
        })
    }
}

impl Bound {
    /// How its first key is written; empty when it has none left.
    pub(super) fn name(&self) -> String {
        self.keys.first().map_or(String::new(), |key| key.name())
    }

    fn is(&self, first: Option<char>, event: KeyEvent) -> bool {
        self.keys.iter().any(|key| key.is(first, event))
    }
}

/// Keys with names.
const NAMED: [(&str, KeyCode); 15] = [
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("insert", KeyCode::Insert),
    ("delete", KeyCode::Delete),
    ("backspace", KeyCode::Backspace),
];

fn named(lower: &str) -> Option<KeyCode> {
    let found = NAMED.iter().find(|(name, _)| *name == lower);
    found.map(|&(_, code)| code)
}

/// A key as it is written in the configuration: `q`, `Q`, `ctrl-q`, `space`, `f5`, `pgdn`,
/// `] e` for one behind the other.
pub(super) fn parse_key(text: &str) -> Result<Key, String> {
    let only = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let lower = text.to_lowercase();
    if let Some((first, second)) = text.split_once(' ')
        && let (Some(first), Some(second)) = (only(first), only(second))
    {
        return Ok(Key::Pair(first, second));
    }
    if let Some(c) = only(text) {
        return Ok(Key::Char(c));
    }
    if let Some(c) = lower.strip_prefix("ctrl-").and_then(only) {
        return Ok(Key::Ctrl(c));
    }
    if let Some(code) = lower.strip_prefix("shift-").and_then(named)
        && lower != "shift-tab"
    {
        return Ok(Key::Shift(code));
    }
    if lower == "space" {
        return Ok(Key::Char(' '));
    }
    if let Some(code) = named(&lower) {
        return Ok(Key::Code(code));
    }
    let function = lower
        .strip_prefix('f')
        .and_then(|digits| digits.parse().ok());
    match function {
        Some(n @ 1..=24) => Ok(Key::Code(KeyCode::F(n))),
        _ => Err(unknown("key", text, NAMED.iter().map(|(name, _)| *name))),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyModifiers;

    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        assert_eq!(Keymap::default().ambiguous(), None);
    }

    #[test]
    fn keys_are_written_as_people_write_them() {
        assert_eq!(parse_key("Q"), Ok(Key::Char('Q')));
        assert_eq!(parse_key("Ctrl-Q"), Ok(Key::Ctrl('q')));
        assert_eq!(parse_key("-"), Ok(Key::Char('-')));
        assert_eq!(parse_key("Space"), Ok(Key::Char(' ')));
        assert_eq!(parse_key("] e"), Ok(Key::Pair(']', 'e')));
        assert_eq!(parse_key("F12"), Ok(Key::Code(KeyCode::F(12))));
        assert_eq!(parse_key("shift-left"), Ok(Key::Shift(KeyCode::Left)));
        assert_eq!(parse_key("shift-tab"), Ok(Key::Code(KeyCode::BackTab)));
        assert_eq!(parse_key("PgDn"), Ok(Key::Code(KeyCode::PageDown)));
        for wrong in ["", "qq", "f0", "f25", "ctrl-", "alt-x"] {
            assert!(parse_key(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_set_takes_the_place_of_what_was() {
        let mut keymap = Keymap::default();
        let press = |keymap: &Keymap, c| {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            keymap.action(None, event, Pane::Tree)
        };
        assert_eq!(press(&keymap, 'q'), Some(Action::Quit));
        keymap.bind("quit", vec![Key::Char('Q')]).unwrap();
        assert_eq!(press(&keymap, 'q'), None);
        assert_eq!(press(&keymap, 'Q'), Some(Action::Quit));
        assert!(
            keymap
                .bind("quits", Vec::new())
                .unwrap_err()
                .contains("quit")
        );
    }
}
