//! Keys that count in some of the panes, or while bytes are changed: what is pressed, where it counts,
//! what it does, what the help says.

use ratatui::crossterm::event::KeyCode;

use super::{
    Action::*,
    Key::{Char, Code, Ctrl, Shift},
    Pane,
    Place::{Editing, Message, Only},
    Section, bind, section,
};

/// The second part of the table of keys.
pub(super) const IN_PANES: &[Section] = &[
    section(
        "list of exchanges",
        &[
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
                &[Char('h'), Code(KeyCode::Left), Shift(KeyCode::Left)],
                Only(Pane::Exchanges),
                ColumnLeft,
                "previous column",
            ),
            bind(
                &[Char('l'), Code(KeyCode::Right), Shift(KeyCode::Right)],
                Only(Pane::Exchanges),
                ColumnRight,
                "next column, scrolled to where it is off the screen",
            ),
            bind(
                &[Char('{')],
                Only(Pane::Exchanges),
                Narrower,
                "a narrower column",
            ),
            bind(&[Char('}')], Only(Pane::Exchanges), Wider, "a wider column"),
            bind(
                &[Char('~')],
                Only(Pane::Exchanges),
                FitColumn,
                "the column as wide as its texts",
            ),
            bind(
                &[Char('O')],
                Only(Pane::Exchanges),
                OrderByColumn,
                "order by the column, up, down, not",
            ),
            bind(
                &[Code(KeyCode::Enter)],
                Only(Pane::Exchanges),
                Open,
                "read the message",
            ),
        ],
    ),
    section(
        "object tree and hex grid",
        &[
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
                &[Char('d')],
                Message,
                NextBuffer,
                "next decompressed buffer",
            ),
            bind(
                &[Char('D')],
                Message,
                PreviousBuffer,
                "previous decompressed buffer",
            ),
            bind(
                &[Char('x')],
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
            bind(&[Char('y')], Message, Copy, "copy ..."),
            bind(
                &[Char('w')],
                Message,
                Save,
                "save bytes, text or page to a file",
            ),
            bind(
                &[Char('a')],
                Message,
                DecodeAs,
                "decode as another API, version, direction",
            ),
            bind(&[Char('c')], Message, Edit, "change bytes"),
            bind(&[Char('u')], Message, Undo, "take a change back"),
            bind(&[Ctrl('r')], Message, Redo, "make it again"),
            bind(
                &[Char('t')],
                Message,
                FieldAsColumn,
                "the field as a column of the list, or no more",
            ),
        ],
    ),
    section(
        "object tree",
        &[
            bind(
                &[Char('{'), Shift(KeyCode::Left)],
                Only(Pane::Tree),
                ScrollLeft,
                "scroll to the left",
            ),
            bind(
                &[Char('}'), Shift(KeyCode::Right)],
                Only(Pane::Tree),
                ScrollRight,
                "scroll to the right, where lines are cut",
            ),
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
        ],
    ),
    section(
        "hex grid",
        &[
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
                &[Code(KeyCode::Enter)],
                Only(Pane::Grid),
                Back,
                "to the field in the tree",
            ),
        ],
    ),
    section(
        "while bytes are changed",
        &[
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
            bind(&[Ctrl('r')], Editing, Redo, "make it again"),
        ],
    ),
];
