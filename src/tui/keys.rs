//! The one table of keys: what is pressed, where it counts, what it does, what the help says.
//!
//! `keymap` has the keys as users set them.

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
    Whole,
    Inspect,
    Pair,
    Taller,
    Lower,
    BorderLeft,
    BorderRight,
    Copy,
    Save,
    Secrets,
    Edit,
    Undo,
    Redo,
    DecodeAs,
    EndEditing,
    OtherColumn,
    InsertByte,
    AppendByte,
    DeleteByte,
    DeleteBefore,
    Suspend,
    NextTheme,
}

impl Action {
    /// What the configuration calls it: `next-pane`.
    pub(super) fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    /// Whether it moves a selection.
    pub(super) fn is_move(self) -> bool {
        matches!(
            self,
            Up | Down | Left | Right | PageUp | PageDown | Top | Bottom
        )
    }

    /// Whether it changes bytes, or how they are changed.
    pub(super) fn is_on_bytes(self) -> bool {
        matches!(
            self,
            EndEditing | OtherColumn | InsertByte | AppendByte | DeleteByte | DeleteBefore
        )
    }
}

/// Where a binding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Everywhere,
    Only(Pane),
    /// In the panes that show a message.
    Message,
    /// While bytes are being changed.
    Editing,
}

/// A row of the table.
#[derive(Debug)]
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
use Place::{Editing, Everywhere, Message, Only};

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
    bind(
        &[Char('v')],
        Message,
        Whole,
        "the field with its whole value",
    ),
    bind(
        &[Char('i')],
        Everywhere,
        Inspect,
        "the bytes at the cursor as every type",
    ),
    bind(&[Char('y')], Message, Copy, "copy ..."),
    bind(
        &[Char('w')],
        Message,
        Save,
        "save bytes, text or page to a file",
    ),
    bind(&[Char('S')], Everywhere, Secrets, "show or hide secrets"),
    bind(
        &[Char('a')],
        Message,
        DecodeAs,
        "decode as another API, version, direction",
    ),
    bind(&[Char('c')], Message, Edit, "change bytes"),
    bind(&[Char('u')], Message, Undo, "take a change back"),
    bind(&[Char('U'), Ctrl('r')], Message, Redo, "make it again"),
    bind(
        &[Char('|')],
        Everywhere,
        Pair,
        "request and response side by side",
    ),
    bind(&[Char('+')], Everywhere, Taller, "a taller pane"),
    bind(&[Char('-')], Everywhere, Lower, "a lower pane"),
    bind(
        &[Char('<')],
        Everywhere,
        BorderLeft,
        "the border between panes to the left",
    ),
    bind(
        &[Char('>')],
        Everywhere,
        BorderRight,
        "the border between panes to the right",
    ),
    bind(&[Char('T')], Everywhere, NextTheme, "the next theme"),
    bind(
        &[Ctrl('z')],
        Everywhere,
        Suspend,
        "back to the shell, for now",
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
    bind(
        &[Code(KeyCode::Esc), Code(KeyCode::Enter)],
        Editing,
        EndEditing,
        "end changing bytes",
    ),
    bind(
        &[Code(KeyCode::Tab)],
        Editing,
        OtherColumn,
        "type hex digits or text",
    ),
    bind(
        &[Char('i'), Code(KeyCode::Insert)],
        Editing,
        InsertByte,
        "insert a byte before the cursor",
    ),
    bind(
        &[Char('+'), Ctrl('n')],
        Editing,
        AppendByte,
        "insert a byte behind the cursor",
    ),
    bind(
        &[Char('x'), Code(KeyCode::Delete)],
        Editing,
        DeleteByte,
        "delete the byte at the cursor",
    ),
    bind(
        &[Code(KeyCode::Backspace)],
        Editing,
        DeleteBefore,
        "delete the byte before the cursor",
    ),
    bind(&[Char('u')], Editing, Undo, "take a change back"),
    bind(&[Char('U'), Ctrl('r')], Editing, Redo, "make it again"),
];

const fn bind(keys: &'static [Key], place: Place, action: Action, help: &'static str) -> Binding {
    Binding {
        keys,
        place,
        action,
        help,
    }
}

impl Key {
    pub(super) fn is(self, event: KeyEvent) -> bool {
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
    /// Whether a binding counts in a pane while nothing else is going on.
    pub(super) fn counts_in(self, pane: Pane) -> bool {
        match self {
            Everywhere => true,
            Only(only) => only == pane,
            Message => pane != Pane::Exchanges,
            Editing => false,
        }
    }

    /// The heading in the help.
    pub(super) fn name(self) -> &'static str {
        match self {
            Everywhere => "everywhere",
            Only(Pane::Exchanges) => "exchanges",
            Only(Pane::Tree) => "object tree",
            Only(Pane::Grid) => "hex grid",
            Message => "object tree and hex grid",
            Editing => "while bytes are changed",
        }
    }
}
