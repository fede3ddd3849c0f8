//! The state of the browser, and what can happen to it.

use std::{borrow::Cow, collections::HashMap, io, sync::Arc};

use ratatui::{
    crossterm::event::{KeyEvent, MouseEvent},
    layout::Rect,
};

use super::{
    Config, Existing, Page, Row, Side, Status, Step,
    asking::Question,
    editing::Column,
    message::{Edit, Kept, OpenMessage},
    pairing::Beside,
    splits::{Border, Splits},
    theme::Theme,
};
use crate::{session::Reading, tree::Secrecy};

/// A part of the screen that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    #[default]
    Exchanges,
    Tree,
    Grid,
}

impl Pane {
    /// All of them.
    pub(super) const ALL: [Pane; 3] = [Pane::Exchanges, Pane::Tree, Pane::Grid];
}

/// What happens to the browser.
#[derive(Debug)]
pub enum Msg {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// More was indexed.
    Status(Status),
    /// A message that an effect asked for; `None` when the capture has none.
    Opened {
        idx: usize,
        side: Side,
        page: Option<Box<Page>>,
    },
    /// The exchanges on the screen, from the first.
    Rows {
        first: usize,
        rows: Vec<Row>,
    },
    /// The exchange with trouble that an effect asked for.
    Trouble(Option<(usize, Side)>),
    /// The remarks on the capture that an effect asked for.
    Notes(Vec<String>),
    /// A message that was decoded anew from these bytes.
    Reread {
        idx: usize,
        side: Side,
        bytes: Arc<Vec<u8>>,
        page: Option<Box<Page>>,
    },
    /// What came of saving to a file, and how many bytes it has.
    Saved {
        name: String,
        result: io::Result<usize>,
    },
}

/// What the browser wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Quit,
    /// Decode a message and send it back.
    Open {
        idx: usize,
        side: Side,
    },
    /// Find an exchange with trouble.
    Seek {
        idx: usize,
        step: Step,
    },
    /// Fetch the remarks on the capture.
    Notes,
    /// Decode changed bytes, or decode as something else, and send it back.
    Reread {
        idx: usize,
        side: Side,
        bytes: Arc<Vec<u8>>,
        reading: Reading,
    },
    /// Put text into the clipboard.
    Copy(String),
    /// Write a file and say what came of it.
    Save {
        name: String,
        bytes: Vec<u8>,
        existing: Existing,
    },
    /// Give the terminal back until the user returns.
    Suspend,
}

/// What lies over the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    Help,
    Notes(Vec<String>),
    /// The menu of what can be copied, with the selected row.
    Copy(usize),
    /// A field with its whole value.
    Field {
        title: String,
        lines: Vec<String>,
    },
}

/// All that is on the screen and behind it.
#[derive(Debug)]
pub struct App {
    /// What is looked at.
    pub(super) title: String,
    pub(super) theme: Theme,
    pub(super) config: Config,
    pub(super) size: (u16, u16),
    pub(super) pane: Pane,
    pub(super) zoomed: bool,
    pub(super) overlay: Option<Overlay>,
    /// The first line of the overlay on the screen.
    pub(super) overlay_scroll: usize,
    pub(super) meanings: bool,
    pub(super) status: Status,
    /// An answer to the last key, until the next.
    pub(super) hint: Option<Cow<'static, str>>,
    /// The selected exchange.
    pub(super) selected: usize,
    /// The first exchange on the screen.
    pub(super) scroll: usize,
    /// The exchanges on the screen, with the index of the first.
    pub(super) rows: (usize, Vec<Row>),
    /// The widest text that was seen in each column, so that columns keep their places.
    pub(super) widths: Vec<usize>,
    pub(super) side: Side,
    /// The exchange and direction that `message` shows, or found missing.
    pub(super) shown: Option<(usize, Side)>,
    /// The row of that exchange when it was opened; another one now means that it has changed.
    pub(super) shown_row: Option<Row>,
    pub(super) message: Option<OpenMessage>,
    /// How messages of each kind were last looked at.
    pub(super) kept: HashMap<&'static str, Kept>,
    /// What was changed in messages that are not on the screen.
    pub(super) changes: HashMap<(usize, Side), (Edit, Reading)>,
    /// Whether request and response are to stand side by side.
    pub(super) paired: bool,
    pub(super) beside: Option<Beside>,
    pub(super) splits: Splits,
    /// The border that the mouse holds.
    pub(super) dragging: Option<Border>,
    /// Whether the data inspector is shown.
    pub(super) inspects: bool,
    pub(super) secrecy: Secrecy,
    /// A question that waits for its answer.
    pub(super) question: Option<Question>,
    /// Where typing changes bytes, while it does.
    pub(super) typing: Option<Column>,
    /// Where and on what the last click was, to know a double click.
    pub(super) last_click: Option<(u16, u16)>,
}

impl App {
    /// A browser that knows no exchanges yet.
    pub fn new(title: String, width: u16, height: u16, coloured: bool) -> App {
        App {
            title,
            theme: if coloured {
                Theme::Sixteen
            } else {
                Theme::Plain
            },
            config: Config::default(),
            size: (width, height),
            pane: Pane::Exchanges,
            zoomed: false,
            overlay: None,
            overlay_scroll: 0,
            meanings: true,
            status: Status::default(),
            hint: None,
            selected: 0,
            scroll: 0,
            rows: (0, Vec::new()),
            widths: Vec::new(),
            side: Side::Request,
            shown: None,
            shown_row: None,
            message: None,
            kept: HashMap::new(),
            changes: HashMap::new(),
            paired: false,
            beside: None,
            splits: Splits::default(),
            dragging: None,
            inspects: false,
            secrecy: Secrecy::Hide,
            question: None,
            typing: None,
            last_click: None,
        }
    }

    /// The same as the user has set it.
    pub fn configured(mut self, config: Config, theme: Theme) -> App {
        if let Some(first) = config.complaints.first().cloned() {
            self.say(match config.complaints.len() {
                1 => first,
                n => format!("{first} (and {} more mistakes)", n - 1),
            });
        }
        self.theme = theme;
        self.config = config;
        self
    }

    /// Whether exchanges may still be added or completed.
    pub fn is_indexing(&self) -> bool {
        self.status.progress < 1.0 && self.status.failure.is_none()
    }

    /// Answers the last key.
    pub(super) fn say(&mut self, hint: impl Into<Cow<'static, str>>) {
        self.hint = Some(hint.into());
    }

    /// The whole screen.
    pub(super) fn area(&self) -> Rect {
        Rect::new(0, 0, self.size.0, self.size.1)
    }

    /// The row of an exchange, if it is one of those on the screen.
    pub(super) fn row(&self, idx: usize) -> Option<&Row> {
        let (first, rows) = &self.rows;
        rows.get(idx.checked_sub(*first)?)
    }

    /// The side of the selected exchange to show: the other one where only that was captured.
    pub(super) fn wanted_side(&self) -> Side {
        match (self.side, self.row(self.selected)) {
            (Side::Request, Some(row)) if !row.has_request && row.has_response => Side::Response,
            (side, _) => side,
        }
    }

    /// The range of exchanges whose rows the screen needs.
    pub fn wanted_rows(&self) -> std::ops::Range<usize> {
        let height = usize::from(self.size.1);
        self.scroll..self.status.len.min(self.scroll + height)
    }
}
