//! The state of the browser, and what can happen to it.

use ratatui::{
    crossterm::event::{KeyEvent, MouseEvent},
    layout::Rect,
};

use super::{Row, Side, message::OpenMessage, theme::Theme};
use crate::tree::Tree;

/// A part of the screen that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    #[default]
    Exchanges,
    Tree,
    Grid,
}

/// What happens to the browser.
#[derive(Debug)]
pub enum Msg {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// More was indexed.
    Progress {
        len: usize,
        progress: f64,
        failure: Option<String>,
    },
    /// A message that an effect asked for; `None` when the capture has none.
    Opened {
        idx: usize,
        side: Side,
        tree: Option<Box<Tree>>,
    },
    /// The exchanges on the screen, from the first.
    Rows {
        first: usize,
        rows: Vec<Row>,
    },
}

/// What the browser wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Quit,
    /// Decode a message and send it back.
    Open {
        idx: usize,
        side: Side,
    },
}

/// All that is on the screen and behind it.
#[derive(Debug)]
pub struct App {
    /// What is looked at.
    pub(super) title: String,
    pub(super) theme: Theme,
    pub(super) size: (u16, u16),
    pub(super) pane: Pane,
    pub(super) zoomed: bool,
    pub(super) help: bool,
    pub(super) help_scroll: usize,
    pub(super) meanings: bool,
    /// Exchanges known so far.
    pub(super) len: usize,
    pub(super) progress: f64,
    pub(super) failure: Option<String>,
    /// The selected exchange.
    pub(super) selected: usize,
    /// The first exchange on the screen.
    pub(super) scroll: usize,
    /// The exchanges on the screen, with the index of the first.
    pub(super) rows: (usize, Vec<Row>),
    pub(super) side: Side,
    /// The exchange and direction that `message` shows, or found missing.
    pub(super) shown: Option<(usize, Side)>,
    pub(super) message: Option<OpenMessage>,
    /// Where and on what the last click was, to know a double click.
    pub(super) last_click: Option<(u16, u16)>,
}

impl App {
    /// A browser that knows no exchanges yet.
    pub fn new(title: String, width: u16, height: u16, coloured: bool) -> App {
        App {
            title,
            theme: if coloured {
                Theme::Coloured
            } else {
                Theme::Plain
            },
            size: (width, height),
            pane: Pane::Exchanges,
            zoomed: false,
            help: false,
            help_scroll: 0,
            meanings: true,
            len: 0,
            progress: 0.0,
            failure: None,
            selected: 0,
            scroll: 0,
            rows: (0, Vec::new()),
            side: Side::Request,
            shown: None,
            message: None,
            last_click: None,
        }
    }

    /// Whether exchanges may still be added or completed.
    pub fn is_indexing(&self) -> bool {
        self.progress < 1.0 && self.failure.is_none()
    }

    /// The whole screen.
    pub(super) fn area(&self) -> Rect {
        Rect::new(0, 0, self.size.0, self.size.1)
    }

    /// The range of exchanges whose rows the screen needs.
    pub fn wanted_rows(&self) -> std::ops::Range<usize> {
        let height = usize::from(self.size.1);
        self.scroll..self.len.min(self.scroll + height)
    }
}
