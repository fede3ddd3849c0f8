//! Keys that count everywhere: what is pressed, what it does, what the help says.

use ratatui::crossterm::event::KeyCode;

use super::{
    Action::*,
    Key::{Alt, Char, Code, Ctrl, Pair},
    Place::Everywhere,
    Section, Shown, Target, bind, section,
};

/// The first part of the table of keys.
pub(super) const EVERYWHERE: &[Section] = &[
    section(
        "everywhere",
        &[
            bind(
                &[Char('q')],
                Everywhere,
                Quit,
                "quit; from a view or the help: back",
            ),
            bind(&[Ctrl('c')], Everywhere, Exit, "quit from everywhere"),
            bind(
                &[Char('?'), Code(KeyCode::F(1))],
                Everywhere,
                Help,
                "this help",
            ),
            bind(
                &[Code(KeyCode::Esc)],
                Everywhere,
                Back,
                "back: out of help, zoom, message",
            ),
            bind(
                &[Char(':')],
                Everywhere,
                Command,
                "a command, or a number to go to",
            ),
            bind(&[Code(KeyCode::Tab)], Everywhere, NextPane, "next pane"),
            bind(
                &[Code(KeyCode::BackTab)],
                Everywhere,
                PreviousPane,
                "previous pane",
            ),
            bind(&[Ctrl('t')], Everywhere, NextTheme, "the next theme"),
            bind(
                &[Ctrl('z')],
                Everywhere,
                Suspend,
                "back to the shell, for now",
            ),
        ],
    ),
    section(
        "moving",
        &[
            bind(&[Char('k'), Code(KeyCode::Up)], Everywhere, Up, "a row up"),
            bind(
                &[Char('j'), Code(KeyCode::Down)],
                Everywhere,
                Down,
                "a row down",
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
                &[Char('n')],
                Everywhere,
                NextExchange,
                "next exchange or pasted message",
            ),
            bind(
                &[Char('p')],
                Everywhere,
                PreviousExchange,
                "previous exchange or pasted message",
            ),
            bind(
                &[Ctrl('o'), Alt(KeyCode::Left)],
                Everywhere,
                Earlier,
                "back to where you were",
            ),
            bind(
                &[Ctrl('p'), Alt(KeyCode::Right)],
                Everywhere,
                Later,
                "forward again",
            ),
            bind(
                &[Char('L')],
                Everywhere,
                Follow,
                "follow: stay at the end while more comes",
            ),
        ],
    ),
    section(
        "to the next one",
        &[
            bind(
                &[Pair(']', 'e'), Pair(']', 'x')],
                Everywhere,
                Next(Target::Error),
                "next exchange with an error",
            ),
            bind(
                &[Pair('[', 'e'), Pair('[', 'x')],
                Everywhere,
                Previous(Target::Error),
                "previous exchange with an error",
            ),
            bind(
                &[Pair(']', 'p')],
                Everywhere,
                Next(Target::Problem),
                "next exchange with a problem",
            ),
            bind(
                &[Pair('[', 'p')],
                Everywhere,
                Previous(Target::Problem),
                "previous exchange with a problem",
            ),
            bind(
                &[Pair(']', 'a')],
                Everywhere,
                Next(Target::Api),
                "next exchange of this API",
            ),
            bind(
                &[Pair('[', 'a')],
                Everywhere,
                Previous(Target::Api),
                "previous exchange of this API",
            ),
            bind(
                &[Pair(']', 'c')],
                Everywhere,
                Next(Target::Connection),
                "next exchange on this connection",
            ),
            bind(
                &[Pair('[', 'c')],
                Everywhere,
                Previous(Target::Connection),
                "previous exchange on this connection",
            ),
            bind(
                &[Pair(']', 'u')],
                Everywhere,
                Next(Target::Client),
                "next exchange of this client",
            ),
            bind(
                &[Pair('[', 'u')],
                Everywhere,
                Previous(Target::Client),
                "previous exchange of this client",
            ),
            bind(
                &[Pair(']', 't')],
                Everywhere,
                Next(Target::Topic),
                "next exchange about this topic",
            ),
            bind(
                &[Pair('[', 't')],
                Everywhere,
                Previous(Target::Topic),
                "previous exchange about this topic",
            ),
            bind(
                &[Pair(']', 'i')],
                Everywhere,
                Next(Target::CorrelationId),
                "next exchange with this correlation id",
            ),
            bind(
                &[Pair('[', 'i')],
                Everywhere,
                Previous(Target::CorrelationId),
                "previous exchange with this correlation id",
            ),
            bind(&[Pair(']', 'b')], Everywhere, NextBookmark, "next bookmark"),
            bind(
                &[Pair('[', 'b')],
                Everywhere,
                PreviousBookmark,
                "previous bookmark",
            ),
        ],
    ),
    section(
        "choosing and finding",
        &[
            bind(
                &[Char('f')],
                Everywhere,
                Filter,
                "filter: show only some exchanges",
            ),
            bind(
                &[Char('F')],
                Everywhere,
                ClearFilter,
                "show all exchanges again; once more: in their order",
            ),
            bind(
                &[Char('=')],
                Everywhere,
                FilterLikeThis,
                "filter by the selected field or the exchange's API",
            ),
            bind(
                &[Char('o')],
                Everywhere,
                Sort,
                "order: latency, bytes, time and so on, up and down",
            ),
            bind(
                &[Char('/')],
                Everywhere,
                Search,
                "search texts, bytes (0x..) and fields (.Name)",
            ),
            bind(&[Char('.')], Everywhere, NextHit, "next place found"),
            bind(
                &[Char(',')],
                Everywhere,
                PreviousHit,
                "previous place found",
            ),
            bind(
                &[Char('b')],
                Everywhere,
                Bookmark,
                "set a bookmark with a note, or take it away",
            ),
        ],
    ),
    section(
        "views",
        &[
            bind(&[Char('S')], Everywhere, Show(Shown::Stats), "statistics"),
            bind(
                &[Char('C')],
                Everywhere,
                Show(Shown::Connections),
                "connections",
            ),
            bind(
                &[Char('U')],
                Everywhere,
                Show(Shown::Groups),
                "consumer groups over time",
            ),
            bind(
                &[Char('T')],
                Everywhere,
                Show(Shown::Transactions),
                "transactions over time",
            ),
            bind(
                &[Char('P')],
                Everywhere,
                Show(Shown::Problems),
                "all problems",
            ),
            bind(
                &[Char('A')],
                Everywhere,
                Show(Shown::Apis),
                "APIs, their layouts and errors",
            ),
            bind(
                &[Char('N')],
                Everywhere,
                Notes,
                "what is wrong with the capture itself",
            ),
            bind(&[Char('V')], Everywhere, Pasted, "what was pasted, again"),
        ],
    ),
    section(
        "what is shown of a message",
        &[
            bind(
                &[Char('r'), Char(' ')],
                Everywhere,
                OtherSide,
                "request or response; the next pasted message",
            ),
            bind(
                &[Char('|')],
                Everywhere,
                BothSides,
                "request and response side by side",
            ),
            bind(
                &[Char('m')],
                Everywhere,
                Meanings,
                "show or hide what the fields mean",
            ),
            bind(
                &[Char('i')],
                Everywhere,
                Inspect,
                "the bytes at the cursor as every type",
            ),
            bind(&[Char('s')], Everywhere, Secrets, "show or hide secrets"),
        ],
    ),
    section(
        "sharing out the screen",
        &[
            bind(
                &[Char('z')],
                Everywhere,
                Zoom,
                "give the pane the whole screen, and back",
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
        ],
    ),
];
