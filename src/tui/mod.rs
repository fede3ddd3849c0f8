//! The browser: exchanges, object tree and hex grid on one screen, with one selection.
//!
//! State ([`App`]), messages ([`Msg`]), a pure [`App::update`] that says what is to be done as an
//! [`Effect`], and views that draw the state and change nothing. What comes in is whatever
//! implements [`Exchanges`]; keys come from one table that dispatches them and prints the help.
//! Only `terminal` touches the terminal, and `background` asks it one thing before anything is drawn.

mod actions;
mod app;
mod asking;
mod background;
mod config;
mod copying;
mod editing;
mod exchanges;
mod inspector;
mod keymap;
mod keys;
mod live;
mod message;
mod osc52;
mod pairing;
mod rereading;
mod saving;
mod splits;
mod terminal;
mod theme;
mod update;
mod view;

pub use app::{App, Effect, Msg, Pane};
pub use config::Config;
pub use exchanges::{Exchanges, Page, Row, Side, Status, Step};
pub use live::Live;
pub use saving::Existing;
pub use terminal::{Colours, Ended, run};
pub use theme::Theme;
pub use view::draw;
