//! Keys: what is pressed, where it counts, what it does. One table says it, and makes the help.
//! `keymap` has the keys as users set them.

mod everywhere;
mod in_panes;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Pane, Target};
use everywhere::EVERYWHERE;
use in_panes::IN_PANES;

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Action {
    /// Out of a view or the help, else out of the browser.
    Quit,
    /// Out of the browser, from everywhere.
    Exit,
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
    NextBuffer,
    PreviousBuffer,
    ThroughCodec,
    Whole,
    Inspect,
    BothSides,
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
    ScrollLeft,
    ScrollRight,
    ColumnLeft,
    ColumnRight,
    Narrower,
    Wider,
    FitColumn,
    OrderByColumn,
    FieldAsColumn,
    Pasted,
}

impl Action {
    /// What the configuration calls it: `next-pane`, `next-error`.
    pub(in crate::tui) fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            let is_start = c.is_ascii_uppercase() || c == '(';
            if is_start && !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
            if c.is_ascii_alphanumeric() {
                name.push(c.to_ascii_lowercase());
            }
        }
        name
    }

    /// Whether it moves a selection.
    pub(in crate::tui) fn is_move(self) -> bool {
        use Action::{Bottom, Down, Left, PageDown, PageUp, Right, Top, Up};
        matches!(
            self,
            Up | Down | Left | Right | PageUp | PageDown | Top | Bottom
        )
    }

    /// Whether it changes bytes, or how they are changed.
    pub(in crate::tui) fn is_on_bytes(self) -> bool {
        use Action::{AppendByte, DeleteBefore, DeleteByte, EndEditing, InsertByte, OtherColumn};
        matches!(
            self,
            EndEditing | OtherColumn | InsertByte | AppendByte | DeleteByte | DeleteBefore
        )
    }
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
    /// While bytes are being changed.
    Editing,
}

/// A row of the table.
#[derive(Debug)]
pub(in crate::tui) struct Binding {
    pub keys: &'static [Key],
    pub place: Place,
    pub action: Action,
    pub help: &'static str,
}

const fn bind(keys: &'static [Key], place: Place, action: Action, help: &'static str) -> Binding {
    Binding {
        keys,
        place,
        action,
        help,
    }
}

/// Rows that the help shows under one heading.
#[derive(Debug)]
pub(in crate::tui) struct Section {
    pub name: &'static str,
    pub bindings: &'static [Binding],
}

const fn section(name: &'static str, bindings: &'static [Binding]) -> Section {
    Section { name, bindings }
}

/// Every key that does anything, in the order of the help.
pub(in crate::tui) fn sections() -> impl Iterator<Item = &'static Section> {
    EVERYWHERE.iter().chain(IN_PANES)
}

/// The same without headings.
pub(in crate::tui) fn bindings() -> impl Iterator<Item = &'static Binding> {
    sections().flat_map(|section| section.bindings)
}

/// A key with the modifiers that make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Key {
    Char(char),
    Ctrl(char),
    Alt(KeyCode),
    Shift(KeyCode),
    Code(KeyCode),
    /// Two keys, one after the other.
    Pair(char, char),
}

use Key::{Alt, Char, Code, Ctrl, Pair, Shift};
use Place::{Editing, Everywhere, Message, Only};

impl Key {
    pub(in crate::tui) fn is(self, first: Option<char>, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        // Other keys mean the same with it.
        let sideways = matches!(event.code, KeyCode::Left | KeyCode::Right);
        match (self, first) {
            (Pair(one, two), Some(first)) => {
                one == first && event.code == KeyCode::Char(two) && !ctrl
            }
            (Pair(..), None) | (_, Some(_)) => false,
            (Char(c), None) => event.code == KeyCode::Char(c) && !ctrl,
            (Ctrl(c), None) => event.code == KeyCode::Char(c) && ctrl,
            (Alt(code), None) => event.code == code && alt,
            (Shift(code), None) => event.code == code && shift && !alt,
            (Code(code), None) => event.code == code && !alt && !(shift && sideways),
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
            Shift(code) => format!("Shift-{}", Code(code).name()),
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
    pub(in crate::tui) fn counts_in(self, pane: Pane) -> bool {
        match self {
            Everywhere => true,
            Only(only) => only == pane,
            Message => pane != Pane::Exchanges,
            Editing => false,
        }
    }

    /// Where that is, at the end of a sentence.
    pub(in crate::tui) fn whereabouts(self) -> &'static str {
        match self {
            Everywhere => "everywhere",
            Only(Pane::Exchanges) => "in the list of exchanges",
            Only(Pane::Tree) => "in the object tree",
            Only(Pane::Grid) => "in the hex grid",
            Message => "in object tree and hex grid",
            Editing => "while bytes are changed",
        }
    }
}
