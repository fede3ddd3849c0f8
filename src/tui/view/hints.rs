//! The keys that a newcomer needs, as they are set, for what is on the screen.

use unicode_width::UnicodeWidthStr;

use crate::tui::{
    App, Pane,
    keys::{Action, Key, Shown},
    views::Link,
};

/// Keys and what they do.
type Hint = (&'static [Action], &'static str);

/// What stands between two of them.
const GAP: &str = "   ";

const OTHERS: &[Action] = &[Action::NextExchange, Action::PreviousExchange];

const HELP: Hint = (&[Action::Help], "help");
const SEARCH: Hint = (&[Action::Search], "search");
const COMMAND: Hint = (&[Action::Command], "command");
const QUIT: Hint = (&[Action::Quit], "quit");

/// While bytes are changed.
const TYPING: [Hint; 6] = [
    (&[Action::OtherColumn], "hex or text"),
    (&[Action::InsertByte], "insert"),
    (&[Action::DeleteByte], "delete"),
    (&[Action::Undo], "undo"),
    (&[Action::Redo], "redo"),
    (&[Action::EndEditing], "end"),
];

const OVERLAY: [Hint; 2] = [(&[Action::Quit], "back"), (&[Action::Exit], "quit")];

/// As many of them as there is room for; the last one is the way out, which is never missing.
pub(super) fn line(app: &App, room: usize) -> String {
    let hints = counting(app).into_iter().filter_map(|(actions, what)| {
        let keys = actions.iter();
        let keys = keys.filter_map(|&action| app.config.keymap.key_of(action));
        let keys: Vec<String> = keys.map(Key::name).collect();
        (!keys.is_empty()).then(|| format!("{} {what}", keys.join("/")))
    });
    let hints: Vec<String> = hints.collect();
    let Some((last, others)) = hints.split_last() else {
        return String::new();
    };
    let mut line = String::new();
    for hint in others {
        let needed = [line.as_str(), hint, GAP, last].map(str::width);
        if needed.iter().sum::<usize>() <= room {
            line.push_str(hint);
            line.push_str(GAP);
        }
    }
    if line.width() + last.width() <= room {
        line.push_str(last);
    }
    line
}

/// Those that count now, the most needed first but for the last.
fn counting(app: &App) -> Vec<Hint> {
    match (&app.overlay, app.pager()) {
        (Some(_), _) => OVERLAY.to_vec(),
        (None, Some(_)) => in_view(app),
        (None, None) if app.typing.is_some() => TYPING.to_vec(),
        (None, None) if app.pasted.is_shown() => in_pasted(app),
        (None, None) if app.is_bare() => in_nothing(app),
        (None, None) => in_panes(app),
    }
}

/// Where there is neither a capture nor a message.
fn in_nothing(app: &App) -> Vec<Hint> {
    let mut hints = vec![HELP, (&[Action::Show(Shown::Apis)] as &[Action], "APIs")];
    if app.pasted.are_kept() {
        hints.push((&[Action::Pasted], "what was pasted"));
    }
    hints.extend([COMMAND, QUIT]);
    hints
}

fn in_view(app: &App) -> Vec<Hint> {
    let back = match app.has_panes_below() {
        true => "back",
        false => "quit",
    };
    let quit = (&[Action::Quit] as &[Action], back);
    let mut hints = vec![HELP];
    hints.extend(app.pager().and_then(|pager| pager.link()).map(follow));
    hints.extend([SEARCH, COMMAND, quit, (&[Action::Exit], "quit")]);
    hints
}

/// Where the selected line of a view leads.
fn follow(link: &Link) -> Hint {
    let what = match link {
        Link::Filter(_) | Link::Narrow(_) => "filter by this",
        Link::Exchange(_) => "the exchange",
        Link::Trouble(..) => "what is wrong",
        Link::View(_) => "open",
    };
    (&[Action::Open], what)
}

fn in_panes(app: &App) -> Vec<Hint> {
    let other = app.wanted_side().other().name();
    let mut hints = vec![
        HELP,
        (&[Action::NextPane], "pane"),
        (OTHERS, "exchange"),
        (&[Action::OtherSide], other),
        (&[Action::Filter], "filter"),
    ];
    if app.pane != Pane::Exchanges {
        hints.push((&[Action::Whole], "whole field"));
    }
    hints.extend([SEARCH, COMMAND, QUIT]);
    hints
}

fn in_pasted(app: &App) -> Vec<Hint> {
    let mut hints = vec![HELP, (&[Action::NextPane], "pane")];
    if app.pasted.listed().len() > 1 {
        hints.push((OTHERS, "message"));
    }
    hints.push((&[Action::NextProblem], "problem"));
    if app.pane != Pane::Exchanges {
        hints.extend::<[Hint; 3]>([
            (&[Action::DecodeAs], "decode as"),
            (&[Action::Edit], "change"),
            (&[Action::Whole], "whole field"),
        ]);
    }
    hints.extend([SEARCH, COMMAND, QUIT]);
    hints
}
