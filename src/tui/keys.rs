//! The one table of keys: what is pressed, where it counts, what it does, what the help says.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Pane;

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
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
    NextBuffer,
    PreviousBuffer,
    ThroughCodec,
}

/// Where a binding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Everywhere,
    Only(Pane),
    /// In the panes that show a message.
    Message,
}

/// A row of the table.
pub(super) struct Binding {
    pub keys: &'static [Key],
    pub place: Place,
    pub action: Action,
    pub help: &'static str,
}

/// A key with the modifiers that make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Ctrl(char),
    Code(KeyCode),
}

use Action::*;
use Key::{Char, Code, Ctrl};
use Place::{Everywhere, Message, Only};

/// Every key that does anything.
pub(super) const BINDINGS: &[Binding] = &[
    bind(&[Char('q'), Ctrl('c')], Everywhere, Quit, "quit"),
    bind(
        &[Char('?'), Code(KeyCode::F(1))],
        Everywhere,
        Help,
        "this help",
    ),
    bind(&[Code(KeyCode::Tab)], Everywhere, NextPane, "next pane"),
    bind(
        &[Code(KeyCode::BackTab)],
        Everywhere,
        PreviousPane,
        "previous pane",
    ),
    bind(
        &[Char('z')],
        Everywhere,
        Zoom,
        "give the pane the whole screen, and back",
    ),
    bind(
        &[Char('r'), Char(' ')],
        Everywhere,
        OtherSide,
        "request or response",
    ),
    bind(
        &[Char('n'), Char(']')],
        Everywhere,
        NextExchange,
        "next exchange",
    ),
    bind(
        &[Char('p'), Char('[')],
        Everywhere,
        PreviousExchange,
        "previous exchange",
    ),
    bind(
        &[Char('e')],
        Only(Pane::Exchanges),
        NextProblem,
        "next exchange with an error or problem",
    ),
    bind(
        &[Char('E')],
        Only(Pane::Exchanges),
        PreviousProblem,
        "previous exchange with an error or problem",
    ),
    bind(
        &[Char('e')],
        Message,
        NextProblem,
        "next problem in the message",
    ),
    bind(
        &[Char('E')],
        Message,
        PreviousProblem,
        "previous problem in the message",
    ),
    bind(
        &[Char('N')],
        Everywhere,
        Notes,
        "what is wrong with the capture itself",
    ),
    bind(
        &[Char('m')],
        Everywhere,
        Meanings,
        "show or hide what the fields mean",
    ),
    bind(
        &[Char('b')],
        Message,
        NextBuffer,
        "next decompressed buffer",
    ),
    bind(
        &[Char('B')],
        Message,
        PreviousBuffer,
        "previous decompressed buffer",
    ),
    bind(
        &[Char('o')],
        Message,
        ThroughCodec,
        "from decompressed bytes to their field, and back",
    ),
    bind(&[Char('k'), Code(KeyCode::Up)], Everywhere, Up, "up"),
    bind(&[Char('j'), Code(KeyCode::Down)], Everywhere, Down, "down"),
    bind(
        &[Char('h'), Code(KeyCode::Left)],
        Only(Pane::Tree),
        Left,
        "fold, or go to the parent",
    ),
    bind(
        &[Char('l'), Code(KeyCode::Right)],
        Only(Pane::Tree),
        Right,
        "unfold, or go into it",
    ),
    bind(
        &[Char('h'), Code(KeyCode::Left)],
        Only(Pane::Grid),
        Left,
        "previous byte",
    ),
    bind(
        &[Char('l'), Code(KeyCode::Right)],
        Only(Pane::Grid),
        Right,
        "next byte",
    ),
    bind(
        &[Ctrl('u'), Code(KeyCode::PageUp)],
        Everywhere,
        PageUp,
        "a page up",
    ),
    bind(
        &[Ctrl('d'), Code(KeyCode::PageDown)],
        Everywhere,
        PageDown,
        "a page down",
    ),
    bind(
        &[Char('g'), Code(KeyCode::Home)],
        Everywhere,
        Top,
        "to the first",
    ),
    bind(
        &[Char('G'), Code(KeyCode::End)],
        Everywhere,
        Bottom,
        "to the last",
    ),
    bind(
        &[Code(KeyCode::Enter)],
        Only(Pane::Exchanges),
        Open,
        "read the message",
    ),
    bind(
        &[Code(KeyCode::Enter)],
        Only(Pane::Tree),
        Toggle,
        "fold or unfold",
    ),
    bind(
        &[Char('*')],
        Only(Pane::Tree),
        ToggleAll,
        "unfold all, or fold all",
    ),
    bind(
        &[Code(KeyCode::Enter)],
        Only(Pane::Grid),
        Back,
        "to the field in the tree",
    ),
    bind(
        &[Code(KeyCode::Esc)],
        Everywhere,
        Back,
        "back: out of help, zoom, message",
    ),
];

const fn bind(keys: &'static [Key], place: Place, action: Action, help: &'static str) -> Binding {
    Binding {
        keys,
        place,
        action,
        help,
    }
}

/// What `event` asks for in `pane`.
pub(super) fn action(event: KeyEvent, pane: Pane) -> Option<Action> {
    BINDINGS
        .iter()
        .find(|binding| {
            let counts = match binding.place {
                Everywhere => true,
                Only(only) => only == pane,
                Message => pane != Pane::Exchanges,
            };
            counts && binding.keys.iter().any(|key| key.is(event))
        })
        .map(|binding| binding.action)
}

impl Key {
    fn is(self, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        match self {
            Char(c) => event.code == KeyCode::Char(c) && !ctrl,
            Ctrl(c) => event.code == KeyCode::Char(c) && ctrl,
            Code(code) => event.code == code,
        }
    }

    /// How the help writes the key.
    pub(super) fn name(self) -> String {
        match self {
            Char(' ') => "Space".to_owned(),
            Char(c) => c.to_string(),
            Ctrl(c) => format!("Ctrl-{c}"),
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
    pub(super) fn name(self) -> &'static str {
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
