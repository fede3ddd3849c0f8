//! A capture that is being indexed, as the browser sees it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Exchanges, Page, Row, Side, Status, Step};
use crate::{
    render::{ExchangeRow, escape_str},
    schema::{Catalogue, Direction},
    session::{Error, Exchange, Index, Reading, Session},
};

/// A session with the definitions that its messages are read by.
#[derive(Debug)]
pub struct Live<'s> {
    session: &'s Session,
    catalogue: &'static Catalogue,
    failed: AtomicBool,
}

/// Notes that the list of them shows.
const NOTES: usize = 1_000;

impl<'s> Live<'s> {
    /// The browser's view of `session`.
    pub fn new(session: &'s Session, catalogue: &'static Catalogue) -> Live<'s> {
        Live {
            session,
            catalogue,
            failed: AtomicBool::new(false),
        }
    }

    /// Says that indexing has ended by a fault of the program.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    fn trouble_of(&self, index: &Index, exchange: &Exchange) -> Option<Side> {
        match (&exchange.request, &exchange.response) {
            (None, _) => return Some(Side::Response),
            (_, None) if exchange.answered => return Some(Side::Request),
            _ => {}
        }
        if exchange.problems > 0 {
            // Which side it is in, the index does not say; only a decode does.
            let request = self
                .session
                .open_message(self.catalogue, exchange, Direction::Request);
            let is_request = request.is_some_and(|opened| !opened.tree.problems().is_empty());
            return Some(if is_request {
                Side::Request
            } else {
                Side::Response
            });
        }
        (!index.errors(exchange).is_empty()).then_some(Side::Response)
    }
}

impl Exchanges for Live<'_> {
    fn status(&self) -> Status {
        let progress = self.session.progress();
        let index = self.session.index();
        let n_left_out = self.session.capture().left_out().len();
        let n_notes = n_left_out + index.notes().len() + index.n_more_notes();
        let len = index.len();
        let revision = index.revision();
        drop(index);
        Status {
            len,
            progress: match (progress.finished, progress.total) {
                (true, _) => 1.0,
                (false, 0) => 0.0,
                // Not done before it says so, however little is left.
                (false, total) => (progress.done as f64 / total as f64).min(0.999),
            },
            revision,
            n_notes,
            absence: (progress.finished && len == 0).then(|| self.session.absence()),
            failure: self
                .failed
                .load(Ordering::Relaxed)
                .then(|| "indexing has stopped by a fault of kafscope".to_owned()),
        }
    }

    fn row(&self, idx: usize) -> Option<Row> {
        let index = self.session.index();
        let exchange = index.exchange(idx + 1)?;
        Some(ExchangeRow::new(&index, &exchange))
    }

    fn message(&self, idx: usize, side: Side) -> Option<Page> {
        let exchange = self.session.index().exchange(idx + 1)?;
        self.session
            .open_message(self.catalogue, &exchange, direction(side))
            .map(|opened| Page {
                tree: opened.tree,
                decoded: opened.decoded,
                origins: opened.gathered.origins,
                files: self.session.capture().names().map(str::to_owned).collect(),
            })
    }

    fn reread(&self, idx: usize, side: Side, bytes: &[u8], reading: &Reading) -> Option<Page> {
        let exchange = self.session.index().exchange(idx + 1)?;
        let reread =
            self.session
                .reread(self.catalogue, &exchange, direction(side), bytes, reading)?;
        Some(Page {
            tree: reread.tree,
            decoded: reread.decoded,
            origins: Vec::new(),
            files: Vec::new(),
        })
    }

    fn trouble(&self, idx: usize, step: Step) -> Option<(usize, Side)> {
        let index = self.session.index();
        let side = |idx: usize| {
            let exchange = index.exchange(idx + 1)?;
            self.trouble_of(&index, &exchange).map(|side| (idx, side))
        };
        match step {
            Step::Forward => (idx + 1..index.len()).find_map(side),
            Step::Back => (0..idx).rev().find_map(side),
        }
    }

    fn notes(&self) -> Vec<String> {
        let left_out = self.session.capture().left_out();
        let left_out = left_out.iter().map(Error::as_left_out);
        let index = self.session.index();
        let notes = index.notes().iter().map(ToString::to_string);
        let all = left_out.chain(notes).take(NOTES);
        all.map(|note| escape_str(&note)).collect()
    }

    fn title(&self) -> String {
        let names: Vec<String> = self.session.capture().names().map(escape_str).collect();
        names.join(", ")
    }
}

fn direction(side: Side) -> Direction {
    match side {
        Side::Request => Direction::Request,
        Side::Response => Direction::Response,
    }
}
