//! What the browser needs to know of a capture that is being indexed.

use crate::tree::Tree;

/// A direction of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    #[default]
    Request,
    Response,
}

impl Side {
    /// The other direction.
    pub fn other(self) -> Side {
        match self {
            Side::Request => Side::Response,
            Side::Response => Side::Request,
        }
    }

    /// The word in titles.
    pub fn name(self) -> &'static str {
        match self {
            Side::Request => "request",
            Side::Response => "response",
        }
    }
}

/// The texts of one exchange in the list.
pub type Row = crate::render::ExchangeRow;

/// Exchanges that are found while the browser already shows them.
pub trait Exchanges {
    /// How many are known so far.
    fn len(&self) -> usize;
    /// Whether none is known yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The texts of exchange `idx`, from 0.
    fn row(&self, idx: usize) -> Option<Row>;
    /// One direction of exchange `idx`, decoded; `None` when the capture has none.
    fn message(&self, idx: usize, side: Side) -> Option<Tree>;
    /// How much of the input has been indexed, from 0 to 1; 1 is done.
    fn progress(&self) -> f64;
    /// What went wrong while indexing, in one sentence.
    fn failure(&self) -> Option<String> {
        None
    }
    /// What is being looked at, for the title.
    fn title(&self) -> String;
}
