//! What the browser needs to know of a capture that is being indexed.

use std::sync::Arc;

use super::{
    list::{Chosen, Query},
    search::{Hit, Pattern},
    views::{Text, View},
};
use crate::{
    decode::Decoded,
    query::{Mistake, Occurring},
    session::{Origin, Reading, Reread},
    tree::Tree,
    wire::Span,
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
    /// Whether the input has come to its end, so that `progress` is a share of all of it: of a pipe
    /// nobody knows how much is to come.
    pub is_sized: bool,
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

impl Page {
    /// Bytes that somebody changed, which came from nowhere.
    pub(super) fn changed(reread: Reread) -> Page {
        Page {
            tree: reread.tree,
            decoded: reread.decoded,
            origins: Vec::new(),
            files: Vec::new(),
        }
    }
}

/// Where somebody is who wants to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct From {
    /// The exchange, from 0.
    pub idx: usize,
    pub side: Side,
    /// The byte of the message, and its buffer.
    pub byte: usize,
    pub buffer: u16,
    /// The exchanges to go through, in their order; `None` for all.
    pub members: Option<Arc<Vec<u32>>>,
}

impl From {
    /// The exchanges behind or before this one, then around the end up to this one again.
    pub fn around(&self, len: usize, step: Step) -> Vec<usize> {
        let mut around = self.others(len, step);
        let other_way = match step {
            Step::Forward => Step::Back,
            Step::Back => Step::Forward,
        };
        if self.all(len).contains(&self.idx) {
            around.extend(self.others(len, other_way).into_iter().rev());
        }
        around.push(self.idx);
        around
    }

    fn all(&self, len: usize) -> Vec<usize> {
        match &self.members {
            Some(members) => members.iter().map(|&idx| idx as usize).collect(),
            None => (0..len).collect(),
        }
    }

    /// The exchanges behind or before this one, in the order in which they come, of `len`.
    pub fn others(&self, len: usize, step: Step) -> Vec<usize> {
        let all = self.all(len);
        let at = all.iter().position(|&idx| idx == self.idx);
        match (at, step) {
            (Some(at), Step::Forward) => all.get(at + 1..).unwrap_or_default().to_vec(),
            (Some(at), Step::Back) => all.iter().take(at).rev().copied().collect(),
            (None, _) => all,
        }
    }
}

/// What the next exchange shall have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An error code, a problem, or only one of its messages.
    Trouble,
    Error,
    Problem,
    /// The same as the one that somebody is at.
    Api,
    Connection,
    Client,
    Topic,
    CorrelationId,
    /// A time of day, in nanoseconds since midnight in UTC, or later.
    TimeOfDay(i64),
    /// A packet, by its number in the capture.
    Packet(u64),
}

impl Target {
    /// Whether an exchange is looked for since something is wrong with it.
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Target::Trouble | Target::Error | Target::Problem)
    }

    /// What is missing when there is none.
    pub fn name(self) -> &'static str {
        match self {
            Target::Trouble => "with an error or problem",
            Target::Error => "with an error",
            Target::Problem => "with a problem",
            Target::Api => "of this API",
            Target::Connection => "on this connection",
            Target::Client => "of this client",
            Target::Topic => "about this topic",
            Target::CorrelationId => "with this correlation id",
            Target::TimeOfDay(_) => "at that time",
            Target::Packet(_) => "in that packet",
        }
    }
}

/// Exchanges that are found while the browser already shows them. All of it is asked for by other
/// threads than the one that draws; what takes long looks at `stop` now and then, and ends when
/// that is true. What is not said otherwise is said of a browser in which there is nothing.
pub trait Exchanges: Sync {
    /// What is known now.
    fn status(&self) -> Status;

    /// The texts of exchange `idx`, from 0.
    fn row(&self, idx: usize) -> Option<Row>;

    /// One direction of exchange `idx`, decoded; `None` when the capture has none.
    fn message(&self, _idx: usize, _side: Side) -> Option<Page> {
        None
    }

    /// `bytes` decoded as `reading` says, in the place of one direction of exchange `idx`, or in
    /// nobody's; where they came from is not asked. `None` when nothing can be read as that.
    fn reread(
        &self,
        idx: Option<usize>,
        side: Side,
        bytes: &[u8],
        reading: &Reading,
    ) -> Option<Page>;

    /// What is being looked at, for the title.
    fn title(&self) -> String;

    /// The nearest other exchange of that kind, and the side to look at.
    fn seek(
        &self,
        _from: &From,
        _target: Target,
        _step: Step,
        _stop: &dyn Fn() -> bool,
    ) -> Option<(usize, Side)> {
        None
    }

    /// Why there is none: a sentence.
    fn absence(&self, target: Target, _stop: &dyn Fn() -> bool) -> String {
        format!("no further exchange {}", target.name())
    }

    /// Where a pattern comes next; `looked` is told how many exchanges were looked at.
    fn search(
        &self,
        _from: &From,
        _pattern: &Pattern,
        _step: Step,
        _stop: &dyn Fn() -> bool,
        _looked: &mut dyn FnMut(usize),
    ) -> Option<Hit> {
        None
    }

    /// The places of a pattern in one direction of exchange `idx`.
    fn places(&self, _idx: usize, _side: Side, _pattern: &Pattern) -> Vec<Span> {
        Vec::new()
    }

    /// Goes on with a query where `so_far` ends, and tells what it has found now and then.
    ///
    /// # Errors
    /// What is wrong with the query.
    fn choose(
        &self,
        _query: &Query,
        _so_far: Chosen,
        _stop: &dyn Fn() -> bool,
        _found: &mut dyn FnMut(Chosen),
    ) -> Result<(), Mistake> {
        Ok(())
    }

    /// The values that exchanges have now; `None` when `stop` came first.
    fn occurring(&self, _stop: &dyn Fn() -> bool) -> Option<Occurring> {
        Some(Occurring::default())
    }

    /// The texts of exchanges in columns of these names, with those of what is in their messages; `found`
    /// is told of them one by one.
    fn cells(
        &self,
        _names: &[String],
        _exchanges: &[usize],
        _stop: &dyn Fn() -> bool,
        _found: &mut dyn FnMut(usize, Vec<String>),
    ) {
    }

    /// The text of a view, of the exchanges in `members`, or of all; `looked` is told of the number of
    /// each exchange that is come to.
    fn view(
        &self,
        view: &View,
        members: Option<&Vec<u32>>,
        width: usize,
        stop: &dyn Fn() -> bool,
        looked: &mut dyn FnMut(usize),
    ) -> Text;

    /// Pasted text as messages; a sentence when it is none.
    ///
    /// # Errors
    /// Why the text is no message.
    fn pasted(&self, text: &str) -> Result<Vec<Page>, String>;
}

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Forward,
    Back,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_around_ends_where_it_began() {
        let from = |idx, members: Option<Vec<u32>>| From {
            idx,
            members: members.map(Arc::new),
            ..From::default()
        };
        assert_eq!(from(1, None).others(4, Step::Forward), [2, 3]);
        assert_eq!(from(1, None).around(4, Step::Forward), [2, 3, 0, 1]);
        assert_eq!(from(1, None).around(4, Step::Back), [0, 3, 2, 1]);
        let chosen = Some(vec![3, 1]);
        assert_eq!(from(3, chosen.clone()).around(4, Step::Forward), [1, 3]);
        assert_eq!(from(2, chosen).around(4, Step::Forward), [3, 1, 2]);
    }
}
