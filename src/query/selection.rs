//! Which exchanges of a session are shown, and in which order.

use std::{collections::HashSet, ops::RangeInclusive, thread};

use super::{Filter, Keyed, Sort};
use crate::session::{Index, Session};

/// A filter, an order and a limit; without any of them, all exchanges in order of their numbers.
#[derive(Default)]
pub struct Selection {
    pub filter: Option<Filter>,
    pub sort: Option<Sort>,
    /// Exchanges that are shown, of those that are left by the filter, in their order.
    pub limit: Option<usize>,
}

/// Exchanges that are filtered before it is looked at whether there are enough.
const BLOCK: usize = 1 << 16;

impl Selection {
    /// Whether nothing is left away or moved.
    pub fn is_all(&self) -> bool {
        self.filter.is_none() && self.sort.is_none() && self.limit.is_none()
    }

    /// The numbers of the exchanges that are shown.
    pub fn numbers(&self, session: &Session, index: &Index) -> Vec<usize> {
        self.numbers_among(session, index, &[])
    }

    /// The same of those in `ranges`, in their order; of all if there is no range. What is in
    /// several of them is shown once.
    pub fn numbers_among(
        &self,
        session: &Session,
        index: &Index,
        ranges: &[RangeInclusive<usize>],
    ) -> Vec<usize> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let all = [1..=index.len()];
        let ranges = if ranges.is_empty() { &all } else { ranges };
        let mut numbers = Vec::new();
        let mut seen = HashSet::new();
        for range in ranges {
            let mut next = 1.max(*range.start());
            let behind = index.len().min(*range.end()) + 1;
            while next < behind && (self.sort.is_some() || numbers.len() < limit) {
                let end = (next + BLOCK).min(behind);
                let found = self.filtered(session, index, next, end).into_iter();
                numbers.extend(found.filter(|&n| ranges.len() == 1 || seen.insert(n)));
                next = end;
            }
        }
        if let Some(sort) = &self.sort {
            let mut keyed = Keyed::default();
            sort.add(session, index, &numbers, &mut keyed);
            numbers = sort.order(keyed);
        }
        numbers.truncate(limit);
        numbers
    }

    /// Those from `start` to before `end` that the filter takes.
    fn filtered(&self, session: &Session, index: &Index, start: usize, end: usize) -> Vec<usize> {
        let Some(filter) = &self.filter else {
            return (start..end).collect();
        };
        let n_threads = thread::available_parallelism().map_or(1, usize::from);
        let step = (end - start).div_ceil(n_threads).max(1024);
        let take = |from: usize| {
            let wanted = |n: &usize| {
                let exchange = index.exchange(*n);
                exchange.is_some_and(|exchange| filter.takes(session, index, &exchange))
            };
            (from..end.min(from + step))
                .filter(wanted)
                .collect::<Vec<_>>()
        };
        let mut all = Vec::new();
        thread::scope(|scope| {
            let parts: Vec<_> = (start..end)
                .step_by(step)
                .map(|from| (from, scope.spawn(move || take(from))))
                .collect();
            for (from, part) in parts {
                // A thread that did not end well is asked again here, to fail in the open.
                all.extend(part.join().unwrap_or_else(|_| take(from)));
            }
        });
        all
    }
}
