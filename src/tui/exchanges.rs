//! What the browser needs to know of a capture that is being indexed.

use crate::{
    decode::Decoded,
    session::{Origin, Reading},
    tree::Tree,
};

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

/// What is known of the whole while it may still change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// How many exchanges are known so far.
    pub len: usize,
    /// How much of the input has been indexed, from 0 to 1; 1 is done.
    pub progress: f64,
    /// Changes whenever an exchange is added or completed.
    pub revision: u64,
    /// Remarks on the capture: losses, cut files.
    pub n_notes: usize,
    /// Why there is nothing to show, once that is certain.
    pub absence: Option<String>,
    /// What ended indexing before its time, in one sentence.
    pub failure: Option<String>,
}

/// A decoded message, and where its bytes come from.
#[derive(Clone, Debug)]
pub struct Page {
    pub tree: Tree,
    /// What its header says; `None` for what has none.
    pub decoded: Option<Decoded>,
    /// The packets that its bytes came in, in order; empty for bytes that came in none.
    pub origins: Vec<Origin>,
    /// Names of the inputs, by their numbers in `origins`.
    pub files: Vec<String>,
}

/// Exchanges that are found while the browser already shows them.
pub trait Exchanges: Sync {
    /// What is known now.
    fn status(&self) -> Status;
    /// The texts of exchange `idx`, from 0.
    fn row(&self, idx: usize) -> Option<Row>;
    /// One direction of exchange `idx`, decoded; `None` when the capture has none.
    fn message(&self, idx: usize, side: Side) -> Option<Page>;
    /// `bytes` in the place of one direction of exchange `idx`, decoded as `reading` says; where
    /// they came from is not asked. `None` when nothing can be read as that.
    fn reread(&self, idx: usize, side: Side, bytes: &[u8], reading: &Reading) -> Option<Page>;
    /// The nearest exchange behind or before `idx` with an error code, a problem or a message
    /// that is missing, and the side to look at.
    fn trouble(&self, idx: usize, step: Step) -> Option<(usize, Side)>;
    /// The remarks on the capture.
    fn notes(&self) -> Vec<String>;
    /// What is being looked at, for the title.
    fn title(&self) -> String;
}

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Forward,
    Back,
}
