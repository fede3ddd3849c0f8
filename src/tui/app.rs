//! The state of the browser, and what can happen to it.

use std::{collections::HashMap, io, sync::Arc};

use ratatui::{
    crossterm::event::{KeyEvent, MouseEvent},
    layout::Rect,
};

use super::{
    Config, Counted, From, Hit, Page, Pattern, Query, Row, Saving, Side, Status, Step, Target,
    Text, View,
    bookmarks::Bookmarks,
    columns::Columns,
    complete::Offered,
    editing::Column,
    jumps::Jumps,
    list::{Chosen, List},
    memory::Memory,
    message::{Edit, Kept, OpenMessage},
    pairing::Beside,
    pasted_search::{PastedHit, PastedSearch},
    pastes::Pastes,
    prompt::Prompt,
    splits::{Border, Splits},
    tally::Tally,
    theme::Theme,
    views::Pager,
    worker::Work,
};
use crate::{
    query::{Mistake, Occurring},
    session::Reading,
    tree::Secrecy,
    wire::Span,
};

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
    /// Text that was pasted into the terminal.
    Paste(String),
    Resize(u16, u16),
    /// More was indexed.
    Status(Status),
    /// A message that an effect asked for; `None` when the capture has none.
    Opened {
        idx: usize,
        side: Side,
        page: Option<Box<Page>>,
    },
    /// The exchanges on the screen, from a place of the list on.
    Rows {
        first: usize,
        rows: Vec<Row>,
    },
    /// The exchange that an effect looked for, and what it shall have.
    Sought(Target, Result<(usize, Side), String>),
    /// How many exchanges a search has looked at.
    Searching(usize),
    Searched(Option<Hit>),
    /// The same of a search through what was pasted.
    SearchedPasted(Option<PastedHit>),
    /// How often a pattern comes in exchanges that were looked at since this was last said.
    Counted(Pattern, Counted),
    /// Where a pattern comes in one message.
    Marked {
        idx: usize,
        side: Side,
        pattern: Pattern,
        places: Vec<Span>,
    },
    /// What a query has found so far.
    Chosen {
        query: Query,
        chosen: Chosen,
    },
    /// Values that exchanges have, for the completion of filters.
    Occurring(Occurring),
    /// Names in a folder, for the completion of names of files.
    Listed(String, Vec<String>),
    /// What is wrong with a query.
    Mistaken(Mistake),
    /// Texts of exchanges in the columns of these names.
    Filled {
        names: Vec<String>,
        cells: Vec<(usize, Vec<String>)>,
    },
    /// The number of the exchange that the making of a view has come to.
    Showing(View, usize),
    /// The text of a view.
    Shown(View, Text),
    /// Pasted text as messages, or why it is none.
    Pasted(Result<Vec<Page>, String>),
    /// A message that was decoded anew from these bytes; of no exchange, when it was pasted.
    Reread {
        idx: Option<usize>,
        side: Side,
        bytes: Arc<Vec<u8>>,
        page: Option<Box<Page>>,
    },
    /// Bytes that have been saved so far.
    Saving(usize),
    /// What came of saving to a file, and how many bytes it has.
    Saved {
        name: String,
        result: io::Result<usize>,
    },
    /// Something has ended by a fault of the program.
    Failed,
}

/// What the browser wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    None,
    Quit,
    /// Decode a message and send it back.
    Open {
        idx: usize,
        side: Side,
    },
    /// Find another exchange.
    Seek {
        from: From,
        target: Target,
        step: Step,
    },
    /// Find the next place of a pattern.
    Search {
        from: From,
        pattern: Pattern,
        step: Step,
    },
    /// Find the next place of a pattern in what was pasted.
    SearchPasted(PastedSearch),
    /// Count a pattern in the capture, from an exchange on.
    Count {
        pattern: Pattern,
        from: usize,
    },
    /// Find the places of a pattern in one message.
    Mark {
        idx: usize,
        side: Side,
        pattern: Pattern,
    },
    /// End work of that kind.
    Stop(Work),
    /// Go on with a query.
    Choose {
        query: Query,
        so_far: Chosen,
    },
    /// Find the values that exchanges have.
    Gather,
    /// Name what is in the folder that is typed so.
    List(String),
    /// Make the texts of exchanges in the columns of these names, which take a decode.
    Fill {
        names: Vec<String>,
        exchanges: Vec<usize>,
    },
    /// Make the text of a view, of some exchanges or all, for so many columns.
    Show {
        view: View,
        members: Option<Arc<Vec<u32>>>,
        width: usize,
    },
    /// Decode pasted text.
    Decode(String),
    /// Keep what was typed and marked for the next run.
    Keep,
    /// Decode changed bytes, or decode as something else, and send it back.
    Reread {
        idx: Option<usize>,
        side: Side,
        bytes: Arc<Vec<u8>>,
        reading: Reading,
    },
    /// Put text into the clipboard.
    Copy(String),
    /// Write a file and say what came of it.
    Save(Saving),
    /// Give the terminal back until the user returns.
    Suspend,
}

/// What lies over the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    Help,
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
    pub(super) hint: Option<String>,
    /// The first of two keys.
    pub(super) first_key: Option<char>,
    /// Which exchanges are shown.
    pub(super) list: List,
    /// The line that is typed into.
    pub(super) prompt: Option<Prompt>,
    pub(super) offered: Offered,
    /// Views over the panes, the one on the screen last.
    pub(super) pagers: Vec<Pager>,
    /// Views that were left by a line of theirs, and the exchange that it led to.
    pub(super) left_views: Option<(Vec<Pager>, Option<usize>)>,
    /// What is looked for, and where it was found last.
    pub(super) pattern: Option<Pattern>,
    pub(super) hit: Option<Hit>,
    /// How often it comes in the capture.
    pub(super) tally: Option<Tally>,
    /// The message whose places were asked for, until they come.
    pub(super) asked_marks: Option<(usize, Side, Pattern)>,
    /// How many exchanges or pasted messages a search has looked at, while it does.
    pub(super) searching: Option<usize>,
    /// The way of the last search.
    pub(super) search_step: Step,
    /// Where to go in the message that is being opened.
    pub(super) destination: Option<Span>,
    /// Whether to go to what is wrong in the message that is being opened.
    pub(super) seeks_problem: bool,
    pub(super) jumps: Jumps,
    pub(super) bookmarks: Bookmarks,
    pub(super) memory: Memory,
    /// Whether something was typed or made wider that the memory has not been written with.
    pub(super) typed: bool,
    /// Whether the selection stays at the end while more comes.
    pub(super) follows: bool,
    /// Messages that were pasted.
    pub(super) pasted: Pastes,
    /// The place of the selected exchange in the list.
    pub(super) selected: usize,
    /// The first exchange on the screen.
    pub(super) scroll: usize,
    /// The exchanges on the screen, with the place of the first.
    pub(super) rows: (usize, Vec<Row>),
    /// The columns of the list.
    pub(super) columns: Columns,
    pub(super) side: Side,
    /// The exchange and direction that `message` shows, or found missing.
    pub(super) shown: Option<(usize, Side)>,
    /// The message that was asked for last.
    pub(super) asked: Option<(usize, Side)>,
    /// The exchange to stay at while a query is at work.
    pub(super) anchor: Option<usize>,
    /// The row of that exchange when it was opened; another one now means that it has changed.
    pub(super) shown_row: Option<Row>,
    pub(super) message: Option<OpenMessage>,
    /// What `message` shows, also while it is being opened anew.
    pub(super) last_shown: Option<(usize, Side)>,
    /// How messages of each kind were last looked at.
    pub(super) kept: HashMap<&'static str, Kept>,
    /// What was changed in messages that are not on the screen.
    pub(super) changes: HashMap<(usize, Side), (Edit, Reading)>,
    /// Whether request and response are to stand side by side.
    pub(super) paired: bool,
    pub(super) beside: Option<Beside>,
    /// The message that was asked for to stand beside.
    pub(super) asked_beside: Option<(usize, Side)>,
    pub(super) splits: Splits,
    /// The border that the mouse holds.
    pub(super) dragging: Option<Border>,
    /// Whether the data inspector is shown.
    pub(super) inspects: bool,
    pub(super) secrecy: Secrecy,
    /// What is being saved: the name of the file, and how many bytes it has so far.
    pub(super) saving: Option<(String, usize)>,
    /// The same, to be saved again if a file is there and it may be replaced.
    pub(super) occupied: Option<Saving>,
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
            first_key: None,
            list: List::default(),
            prompt: None,
            offered: Offered::default(),
            pagers: Vec::new(),
            left_views: None,
            pattern: None,
            hit: None,
            tally: None,
            asked_marks: None,
            searching: None,
            search_step: Step::Forward,
            destination: None,
            seeks_problem: false,
            jumps: Jumps::default(),
            bookmarks: Bookmarks::default(),
            memory: Memory::default(),
            typed: false,
            follows: false,
            pasted: Pastes::default(),
            selected: 0,
            scroll: 0,
            rows: (0, Vec::new()),
            columns: Columns::default(),
            side: Side::Request,
            shown: None,
            asked: None,
            anchor: None,
            shown_row: None,
            message: None,
            last_shown: None,
            kept: HashMap::new(),
            changes: HashMap::new(),
            paired: false,
            beside: None,
            asked_beside: None,
            splits: Splits::default(),
            dragging: None,
            inspects: false,
            secrecy: Secrecy::Hide,
            saving: None,
            occupied: None,
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
        self.columns = config.exchange_columns.clone();
        self.config = config;
        self
    }

    /// Whether exchanges may still be added or completed.
    pub fn is_indexing(&self) -> bool {
        self.status.progress < 1.0 && self.status.failure.is_none()
    }

    /// The whole screen.
    pub(super) fn area(&self) -> Rect {
        Rect::new(0, 0, self.size.0, self.size.1)
    }

    /// Takes in what was marked before.
    pub fn remember(&mut self, bookmarks: Bookmarks) {
        self.bookmarks = bookmarks;
    }

    /// What is marked.
    pub fn bookmarks(&self) -> &Bookmarks {
        &self.bookmarks
    }

    /// Takes in what was typed before, and how wide columns were made.
    pub fn recall(&mut self, memory: Memory) {
        self.columns.widen_as(|name| memory.width(name));
        self.memory = memory;
    }

    /// What was typed.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Whether the memory has changed since this was last asked.
    pub fn has_typed(&mut self) -> bool {
        std::mem::take(&mut self.typed)
    }

    /// Says a sentence until the next key.
    pub fn say(&mut self, sentence: impl Into<String>) {
        self.hint = Some(sentence.into());
    }

    /// Opens a view; what has to be done for it.
    pub fn begin_with(&mut self, view: View) -> Effect {
        self.show(view)
    }

    /// Exchanges in the list.
    pub(super) fn len(&self) -> usize {
        self.list.len(self.status.len)
    }

    /// The selected exchange, from 0; `None` when there is none.
    pub(super) fn exchange(&self) -> Option<usize> {
        self.list
            .at(self.selected)
            .filter(|&idx| self.selected < self.len() && idx < self.status.len)
    }

    /// The row at a place of the list, if it is on the screen.
    pub(super) fn row(&self, place: usize) -> Option<&Row> {
        let (first, rows) = &self.rows;
        rows.get(place.checked_sub(*first)?)
    }

    /// The side of the selected exchange to show: the other one where only that was captured.
    pub(super) fn wanted_side(&self) -> Side {
        match (self.side, self.row(self.selected)) {
            (Side::Request, Some(row)) if !row.has_request && row.has_response => Side::Response,
            (side, _) => side,
        }
    }

    /// The place of the first exchange whose row the screen needs, and the exchanges from there on.
    pub fn wanted_rows(&self) -> (usize, Vec<usize>) {
        let height = usize::from(self.size.1);
        let end = self.len().min(self.scroll + height);
        let wanted = (self.scroll..end).filter_map(|place| self.list.at(place));
        (self.scroll, wanted.collect())
    }

    /// The view on the screen.
    pub(super) fn pager(&self) -> Option<&Pager> {
        self.pagers.last()
    }
}
