//! The browser: exchanges, object tree and hex grid on one screen, with one selection.
//!
//! State ([`App`]), messages ([`Msg`]), a pure [`App::update`] that says what is to be done as an
//! [`Effect`], and views that draw the state and change nothing. What comes in is whatever
//! implements [`Exchanges`]; keys come from one table that dispatches them and prints the help.
//! Only `terminal` touches the terminal, `background` asks it one thing before anything is drawn, and
//! only `worker` waits for anything.

mod actions;
mod app;
mod background;
mod bare;
mod bookmarks;
mod capture_views;
mod columns;
mod commands;
mod complete;
mod config;
mod copying;
mod editing;
mod exchanges;
mod folder;
mod inspector;
mod jumps;
mod keymap;
mod keys;
mod leaving;
mod list;
mod live;
mod memory;
mod message;
mod narrowing;
mod osc52;
mod pairing;
mod pasted;
mod pasted_search;
mod pastes;
mod prompt;
mod reference_views;
mod saving;
mod search;
mod splits;
mod tally;
mod terminal;
mod theme;
mod update;
mod view;
mod views;
mod worker;

pub use app::{App, Effect, Msg, Pane};
pub use bare::Bare;
pub use bookmarks::Bookmarks;
pub use config::Config;
pub use exchanges::{Exchanges, From, Page, Row, Side, Status, Step, Target};
pub use list::{Chosen, Query};
pub use live::Live;
pub use memory::Memory;
pub use pasted::messages_in;
pub use pasted_search::{PastedHit, PastedSearch};
pub use saving::{Existing, Saving};
pub use search::{Hit, Pattern};
pub use tally::Counted;
pub use terminal::{Colours, Ended, Setup, run};
pub use theme::Theme;
pub use view::draw;
pub use views::{Link, Text, TextLine, View};
pub use worker::{Work, perform};
