//! A capture that is being indexed, as the browser sees it.

use super::{Exchanges, Row, Side};
use crate::{
    render::{ExchangeRow, escape_str},
    schema::{Catalogue, Direction},
    session::Session,
    tree::Tree,
};

/// A session with the definitions that its messages are read by.
#[derive(Debug)]
pub struct Live<'s> {
    session: &'s Session,
    catalogue: &'static Catalogue,
}

impl<'s> Live<'s> {
    /// The browser's view of `session`.
    pub fn new(session: &'s Session, catalogue: &'static Catalogue) -> Live<'s> {
        Live { session, catalogue }
    }
}

impl Exchanges for Live<'_> {
    fn len(&self) -> usize {
        self.session.index().len()
    }

    fn row(&self, idx: usize) -> Option<Row> {
        let index = self.session.index();
        let exchange = index.exchange(idx + 1)?;
        Some(ExchangeRow::new(&index, &exchange))
    }

    fn message(&self, idx: usize, side: Side) -> Option<Tree> {
        let exchange = self.session.index().exchange(idx + 1)?;
        let direction = match side {
            Side::Request => Direction::Request,
            Side::Response => Direction::Response,
        };
        self.session
            .open_message(self.catalogue, &exchange, direction)
            .map(|opened| opened.tree)
    }

    fn progress(&self) -> f64 {
        let progress = self.session.progress();
        match (progress.finished, progress.total) {
            (true, _) => 1.0,
            (false, 0) => 0.0,
            // Not done before it says so, however little is left.
            (false, total) => (progress.done as f64 / total as f64).min(0.999),
        }
    }

    fn title(&self) -> String {
        let names: Vec<String> = self.session.capture().names().map(escape_str).collect();
        names.join(", ")
    }
}
