//! Keys: what is pressed, where it counts, what it does. One table says it, and makes the help.

mod table;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Pane, Target};
pub(in crate::tui) use table::BINDINGS;

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Action {
    Quit,
    Help,
    NextPane,
    PreviousPane,
    Zoom,
    OtherSide,
    Open,
    Back,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
    NextExchange,
    PreviousExchange,
    Toggle,
    ToggleAll,
    NextProblem,
    PreviousProblem,
    Notes,
    Meanings,
    Filter,
    ClearFilter,
    FilterLikeThis,
    Sort,
    Search,
    NextHit,
    PreviousHit,
    Command,
    Next(Target),
    Previous(Target),
    Earlier,
    Later,
    Bookmark,
    NextBookmark,
    PreviousBookmark,
    Follow,
    Show(Shown),
}

/// The views that have a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Shown {
    Stats,
    Groups,
    Transactions,
    Problems,
    Connections,
    Apis,
}

/// Where a binding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Place {
    Everywhere,
    Only(Pane),
    /// In the panes that show a message.
    Message,
}

/// A row of the table.
pub(in crate::tui) struct Binding {
    pub keys: &'static [Key],
    pub place: Place,
    pub action: Action,
    pub help: &'static str,
}

/// A key with the modifiers that make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Key {
    Char(char),
    Ctrl(char),
    Alt(KeyCode),
    Code(KeyCode),
    /// Two keys, one after the other.
    Pair(char, char),
}

use Key::{Alt, Char, Code, Ctrl, Pair};
use Place::{Everywhere, Message, Only};

/// What `event` asks for in `pane`, behind the first of two keys if there was one.
pub(in crate::tui) fn action(first: Option<char>, event: KeyEvent, pane: Pane) -> Option<Action> {
    BINDINGS
        .iter()
        .find(|binding| {
            let counts = match binding.place {
                Everywhere => true,
                Only(only) => only == pane,
                Message => pane != Pane::Exchanges,
            };
            counts && binding.keys.iter().any(|key| key.is(first, event))
        })
        .map(|binding| binding.action)
}

/// The key of `event`, if it is the first of two.
pub(in crate::tui) fn first_of_two(event: KeyEvent) -> Option<char> {
    let KeyCode::Char(c) = event.code else {
        return None;
    };
    let mut keys = BINDINGS.iter().flat_map(|binding| binding.keys);
    keys.any(|key| matches!(key, Pair(first, _) if *first == c))
        .then_some(c)
}

impl Key {
    fn is(self, first: Option<char>, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        match (self, first) {
            (Pair(one, two), Some(first)) => {
                one == first && event.code == KeyCode::Char(two) && !ctrl
            }
            (Pair(..), None) | (_, Some(_)) => false,
            (Char(c), None) => event.code == KeyCode::Char(c) && !ctrl,
            (Ctrl(c), None) => event.code == KeyCode::Char(c) && ctrl,
            (Alt(code), None) => event.code == code && alt,
            (Code(code), None) => event.code == code && !alt,
        }
    }

    /// How the help writes the key.
    pub(in crate::tui) fn name(self) -> String {
        match self {
            Char(' ') => "Space".to_owned(),
            Char(c) => c.to_string(),
            Ctrl(c) => format!("Ctrl-{c}"),
            Pair(one, two) => format!("{one} {two}"),
            Alt(code) => format!("Alt-{}", Code(code).name()),
            Code(KeyCode::BackTab) => "Shift-Tab".to_owned(),
            Code(KeyCode::Up) => "↑".to_owned(),
            Code(KeyCode::Down) => "↓".to_owned(),
            Code(KeyCode::Left) => "←".to_owned(),
            Code(KeyCode::Right) => "→".to_owned(),
            Code(KeyCode::PageUp) => "PgUp".to_owned(),
            Code(KeyCode::PageDown) => "PgDn".to_owned(),
            Code(code) => code.to_string(),
        }
    }
}

impl Place {
    /// The heading in the help.
    pub(in crate::tui) fn name(self) -> &'static str {
        match self {
            Everywhere => "everywhere",
            Only(Pane::Exchanges) => "exchanges",
            Only(Pane::Tree) => "object tree",
            Only(Pane::Grid) => "hex grid",
            Message => "object tree and hex grid",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_pane() {
        for pane in [Pane::Exchanges, Pane::Tree, Pane::Grid] {
            let mut seen = Vec::new();
            for binding in BINDINGS {
                let counts = match binding.place {
                    Everywhere => true,
                    Only(only) => only == pane,
                    Message => pane != Pane::Exchanges,
                };
                for key in binding.keys.iter().filter(|_| counts) {
                    assert!(!seen.contains(key), "{key:?} in {pane:?}");
                    seen.push(*key);
                }
            }
        }
    }
}
