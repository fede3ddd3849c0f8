//! Which exchanges the list shows: all in the order of their numbers, or what a filter and an order
//! have left of them.

use std::sync::Arc;

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// An expression in CEL; empty for all exchanges.
    pub filter: String,
    /// A column, with a minus for the largest first; empty for the order of numbers.
    pub sort: String,
}

impl Query {
    /// Whether nothing is left away or moved.
    pub fn is_all(&self) -> bool {
        self.filter.is_empty() && self.sort.is_empty()
    }
}

/// What a query has found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Exchanges, from 0, in the order in which they are shown.
    pub members: Arc<Vec<u32>>,
    /// Exchanges that were looked at.
    pub examined: usize,
    /// Whether all that there were have been looked at.
    pub done: bool,
}

/// The list.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub query: Query,
    /// `None` while there is no query.
    chosen: Option<Chosen>,
}

impl List {
    /// Shows all exchanges.
    pub(super) fn clear(&mut self) {
        *self = List::default();
    }

    /// Shows what `query` finds, from nothing on.
    pub(super) fn ask(&mut self, query: Query) {
        self.chosen = (!query.is_all()).then(Chosen::default);
        self.query = query;
    }

    /// Takes in what was found.
    pub(super) fn take(&mut self, chosen: Chosen) {
        if self.chosen.is_some() {
            self.chosen = Some(chosen);
        }
    }

    /// Exchanges in the list, of `all` that there are.
    pub(super) fn len(&self, all: usize) -> usize {
        self.chosen
            .as_ref()
            .map_or(all, |chosen| chosen.members.len())
    }

    /// The exchange at a place of the list.
    pub(super) fn at(&self, place: usize) -> Option<usize> {
        match &self.chosen {
            None => Some(place),
            Some(chosen) => chosen.members.get(place).map(|&idx| idx as usize),
        }
    }

    /// The place of an exchange, or of the next one that the list has.
    pub(super) fn place(&self, idx: usize) -> usize {
        let Some(chosen) = &self.chosen else {
            return idx;
        };
        let wanted = u32::try_from(idx).unwrap_or(u32::MAX);
        if self.query.sort.is_empty() {
            return chosen.members.partition_point(|&member| member < wanted);
        }
        let place = chosen.members.iter().position(|&member| member == wanted);
        place.unwrap_or(0)
    }

    /// The members, when not all exchanges are.
    pub(super) fn members(&self) -> Option<&Arc<Vec<u32>>> {
        self.chosen.as_ref().map(|chosen| &chosen.members)
    }

    /// How many exchanges a query has looked at, while it is at work.
    pub(super) fn choosing(&self) -> Option<usize> {
        let chosen = self.chosen.as_ref().filter(|chosen| !chosen.done);
        chosen.map(|chosen| chosen.examined)
    }

    /// What a query has to look at, when there are `all` exchanges: what came since, or everything
    /// when the order hangs on it.
    pub(super) fn missing(&self, all: usize) -> Option<Chosen> {
        let chosen = self.chosen.as_ref()?;
        if !chosen.done || chosen.examined >= all {
            return None;
        }
        Some(match self.query.sort.is_empty() {
            true => chosen.clone(),
            false => Chosen::default(),
        })
    }
}
