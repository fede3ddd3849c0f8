//! Transactions under construction: found by transactional id, producers by producer id.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use super::{Event, Outcome, Producer, Transaction, Transactional, Transactions, What};
use crate::{
    explain::Cluster,
    session::{Exchange, Index, Session},
    stats::{Failure, fields::Fields, partitions::topic_name},
};

/// Errors that say that another producer has taken over: INVALID_PRODUCER_EPOCH, PRODUCER_FENCED.
const FENCED: [i16; 2] = [47, 90];

/// A producer id with the epoch that it was used in.
pub(super) type Whose = (i64, i64);

/// All of it so far.
pub(super) struct Record<'s> {
    pub(super) session: &'s Session,
    pub(super) index: &'s Index,
    cluster: Arc<Cluster>,
    found: Transactions,
    by_id: HashMap<Box<str>, usize>,
    by_producer: HashMap<i64, usize>,
    /// Topic, partition and offset of markers that were fetched, as often as it was.
    pub(super) markers: HashSet<(Box<str>, i32, i64)>,
    /// Where in `sequences` of a producer those of a partition in an epoch are.
    pub(super) sequences: HashMap<(usize, i64, Box<str>, i32), usize>,
}

impl<'s> Record<'s> {
    pub(super) fn new(session: &'s Session, index: &'s Index) -> Record<'s> {
        Record {
            session,
            index,
            cluster: session.cluster(),
            found: Transactions::default(),
            by_id: HashMap::new(),
            by_producer: HashMap::new(),
            markers: HashSet::new(),
            sequences: HashMap::new(),
        }
    }

    pub(super) fn finish(mut self) -> Transactions {
        for found in &mut self.found.ids {
            found.events.sort_by_key(|event| event.time);
        }
        for producer in &mut self.found.producers {
            producer.faults.sort_by_key(|fault| fault.time);
        }
        self.found
    }

    /// The transactional id, which is made if it is new.
    pub(super) fn id(&mut self, id: &str, exchange: &Exchange) -> usize {
        let at = match self.by_id.get(id) {
            Some(&at) => at,
            None => {
                self.found.ids.push(Transactional {
                    id: id.into(),
                    ..Transactional::default()
                });
                self.by_id.insert(id.into(), self.found.ids.len() - 1);
                self.found.ids.len() - 1
            }
        };
        let index = self.index;
        if let (Some(found), Some(client)) = (self.found.ids.get_mut(at), exchange.client_id) {
            found.clients.insert(index.name(client).into());
        }
        at
    }

    pub(super) fn of(&mut self, id: usize) -> Option<&mut Transactional> {
        self.found.ids.get_mut(id)
    }

    /// The producer, which is made if it is new; `None` for -1, which is no producer.
    pub(super) fn producer(&mut self, producer_id: i64) -> Option<usize> {
        if producer_id < 0 {
            return None;
        }
        if let Some(&at) = self.by_producer.get(&producer_id) {
            return Some(at);
        }
        self.found.producers.push(Producer {
            producer_id,
            ..Producer::default()
        });
        let at = self.found.producers.len() - 1;
        self.by_producer.insert(producer_id, at);
        Some(at)
    }

    pub(super) fn producer_mut(&mut self, at: usize) -> Option<&mut Producer> {
        self.found.producers.get_mut(at)
    }

    /// Notes that a client used a producer id, under a transactional id or without.
    pub(super) fn uses(&mut self, producer_id: i64, id: Option<usize>, exchange: &Exchange) {
        let index = self.index;
        let transactional_id = id.and_then(|id| self.found.ids.get(id));
        let transactional_id = transactional_id.map(|found| found.id.clone());
        let producer = self.producer(producer_id);
        let Some(producer) = producer.and_then(|at| self.found.producers.get_mut(at)) else {
            return;
        };
        producer.transactional_id = transactional_id.or(producer.transactional_id.take());
        if let Some(client) = exchange.client_id {
            producer.clients.insert(index.name(client).into());
        }
    }

    /// The transactional id that a producer id belongs to.
    pub(super) fn id_of(&self, producer_id: i64) -> Option<usize> {
        let at = *self.by_producer.get(&producer_id)?;
        let id = self.found.producers.get(at)?.transactional_id.as_ref()?;
        self.by_id.get(id).copied()
    }

    /// The name of the topic of a row, which gives it by name or by id.
    pub(super) fn topic(&self, row: &Fields, name: &str) -> Box<str> {
        let text = row.text(name).filter(|text| !text.is_empty());
        match (text, row.id("TopicId")) {
            (Some(text), _) => text.into(),
            (None, Some(id)) => topic_name(&self.cluster, id),
            (None, None) => "".into(),
        }
    }

    /// The open transaction of an id; a new one where there is none.
    pub(super) fn begin(
        &mut self,
        id: usize,
        (producer_id, epoch): Whose,
        exchange: &Exchange,
    ) -> Option<usize> {
        let found = self.found.ids.get_mut(id)?;
        // What somebody asked to end is over, though the capture lacks the answer.
        let open = found.open.filter(|&open| {
            let transaction = found.transactions.get(open);
            transaction.is_some_and(|transaction| transaction.outcome == Outcome::Open)
        });
        let at = match open {
            Some(open) => open,
            None => {
                found.transactions.push(Transaction {
                    producer_id,
                    epoch,
                    begun: Some(exchange.time()),
                    first: exchange.n,
                    last: exchange.n,
                    ..Transaction::default()
                });
                found.transactions.len() - 1
            }
        };
        found.open = Some(at);
        if let Some(transaction) = found.transactions.get_mut(at) {
            transaction.last = exchange.n;
        }
        Some(at)
    }

    /// The open transaction of an id, to be changed.
    pub(super) fn open(&mut self, id: usize) -> Option<&mut Transaction> {
        let found = self.found.ids.get_mut(id)?;
        found.transactions.get_mut(found.open?)
    }

    /// Ends the open transaction of an id.
    pub(super) fn close(&mut self, id: usize, time: i64, n: u32, outcome: Outcome) {
        if let Some(transaction) = self.open(id)
            && (outcome, transaction.outcome) != (Outcome::Replaced, Outcome::Ending)
        {
            transaction.ended = Some(time);
            transaction.last = n;
            transaction.outcome = outcome;
        }
        if let Some(found) = self.found.ids.get_mut(id) {
            found.open = None;
        }
    }

    /// Adds an event.
    pub(super) fn event(
        &mut self,
        id: usize,
        (time, n): (i64, u32),
        transaction: Option<usize>,
        what: What,
    ) {
        if let Some(found) = self.found.ids.get_mut(id) {
            found.events.push(Event {
                time,
                n,
                transaction,
                what,
            });
        }
    }

    /// Adds the error codes of an answer; one that came just before is only counted. One that says
    /// that the producer is fenced ends its transaction.
    pub(super) fn errors(&mut self, id: usize, whose: Whose, exchange: &Exchange, codes: &[i16]) {
        for failure in codes.iter().filter_map(|&code| Failure::of(exchange, code)) {
            let Some(found) = self.found.ids.get_mut(id) else {
                return;
            };
            let at = (failure.last_time, failure.last);
            let open = found.open;
            let is_counted = match found.events.last_mut().map(|event| &mut event.what) {
                Some(What::Failed(before)) => before.again(&failure),
                _ => false,
            };
            if !is_counted {
                self.event(id, at, open, What::Failed(failure));
            }
            let is_its = self
                .open(id)
                .is_some_and(|open| (open.producer_id, open.epoch) == whose);
            if FENCED.contains(&failure.code) && is_its {
                self.close(id, at.0, at.1, Outcome::Fenced);
            }
        }
    }
}

/// Topic and partitions of rows that hold lists of partitions.
pub(super) fn listed<'f>(
    record: &Record<'_>,
    rows: impl Iterator<Item = &'f Fields>,
    partitions: &str,
) -> BTreeSet<(Box<str>, i32)> {
    let mut found = BTreeSet::new();
    for row in rows {
        let topic = record.topic(row, "Name");
        for partition in row.ints(partitions) {
            if let Ok(partition) = partition.try_into() {
                found.insert((topic.clone(), partition));
            }
        }
    }
    found
}
