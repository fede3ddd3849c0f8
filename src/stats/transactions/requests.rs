//! What producers ask of the transaction coordinator: InitProducerId, AddPartitionsToTxn,
//! AddOffsetsToTxn, TxnOffsetCommit, EndTxn.

use std::collections::BTreeSet;

use super::{
    Outcome, What,
    record::{Record, Whose, listed},
};
use crate::{
    schema::Direction,
    session::Exchange,
    stats::fields::{Fields, fields},
};

fn both(record: &Record<'_>, exchange: &Exchange) -> Option<(Fields, Option<Fields>)> {
    let request = fields(record.session, exchange, Direction::Request)?;
    Some((
        request,
        fields(record.session, exchange, Direction::Response),
    ))
}

/// Producer id and epoch of a struct, by the names that the fields have in it.
fn whose(fields: &Fields, producer_id: &str, epoch: &str) -> Whose {
    let int = |name| fields.int(name).unwrap_or(-1);
    (int(producer_id), int(epoch))
}

/// A request about a transaction that was not refused, with its transactional id and its producer;
/// `None`, and noted, if it was.
fn granted(
    record: &mut Record<'_>,
    exchange: &Exchange,
) -> Option<(Fields, Option<Fields>, usize, Whose)> {
    let (request, response) = both(record, exchange)?;
    let id = record.id(
        request.text("TransactionalId").unwrap_or_default(),
        exchange,
    );
    let whose = whose(&request, "ProducerId", "ProducerEpoch");
    record.uses(whose.0, Some(id), exchange);
    let errors = response.as_ref().map(Fields::errors).unwrap_or_default();
    if !errors.is_empty() {
        record.errors(id, whose, exchange, &errors);
        return None;
    }
    Some((request, response, id, whose))
}

/// The time of the answer, or of the request where there is none.
fn at(exchange: &Exchange) -> (i64, u32) {
    let time = exchange.response.map(|response| response.time);
    (time.unwrap_or(exchange.time()), exchange.n)
}

pub(super) fn init_producer_id(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, Some(response))) = both(record, exchange) else {
        return;
    };
    let id = request.text("TransactionalId");
    let id = id.map(|id| record.id(id, exchange));
    let errors = response.errors();
    if !errors.is_empty() {
        if let Some(id) = id {
            let whose = whose(&request, "ProducerId", "ProducerEpoch");
            record.errors(id, whose, exchange, &errors);
        }
        return;
    }
    let (producer_id, epoch) = whose(&response, "ProducerId", "ProducerEpoch");
    record.uses(producer_id, id, exchange);
    let Some(id) = id else {
        return;
    };
    let at = at(exchange);
    record.close(id, at.0, at.1, Outcome::Replaced);
    if let Some(found) = record.of(id) {
        found.timeout_ms = request.int("TransactionTimeoutMs");
    }
    let what = What::Initialised { producer_id, epoch };
    record.event(id, at, None, what);
}

/// From version 4 on, a broker asks for several transactions at once (KIP-890).
pub(super) fn add_partitions(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response)) = both(record, exchange) else {
        return;
    };
    if let Some(id) = request.text("V3AndBelowTransactionalId") {
        let whose = whose(&request, "V3AndBelowProducerId", "V3AndBelowProducerEpoch");
        let errors = response.as_ref().map(Fields::errors).unwrap_or_default();
        let partitions = listed(record, request.rows("V3AndBelowTopics"), "Partitions");
        added(record, exchange, id, whose, &errors, partitions);
    }
    for row in request.rows("Transactions") {
        let id = row.text("TransactionalId").unwrap_or_default();
        let mut results = response
            .iter()
            .flat_map(|response| response.rows("ResultsByTransaction"));
        let result = results.find(|result| result.text("TransactionalId") == Some(id));
        let mut errors = result.map(Fields::errors).unwrap_or_default();
        let outer = response
            .as_ref()
            .and_then(|response| response.int("ErrorCode"));
        errors.extend(outer.filter(|&code| code != 0).map(|code| code as i16));
        // Whether the partitions are in the transaction is all that is asked.
        if row.flag("VerifyOnly") == Some(true) && errors.is_empty() {
            continue;
        }
        let whose = whose(row, "ProducerId", "ProducerEpoch");
        let partitions = listed(record, row.rows("Topics"), "Partitions");
        added(record, exchange, id, whose, &errors, partitions);
    }
}

fn added(
    record: &mut Record<'_>,
    exchange: &Exchange,
    id: &str,
    whose: Whose,
    errors: &[i16],
    partitions: BTreeSet<(Box<str>, i32)>,
) {
    let id = record.id(id, exchange);
    record.uses(whose.0, Some(id), exchange);
    if !errors.is_empty() {
        record.errors(id, whose, exchange, errors);
        return;
    }
    let transaction = record.begin(id, whose, exchange);
    if let Some(open) = record.open(id) {
        open.partitions.extend(partitions.iter().cloned());
    }
    record.event(id, at(exchange), transaction, What::Partitions(partitions));
}

pub(super) fn add_offsets(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, _, id, whose)) = granted(record, exchange) else {
        return;
    };
    let group: Box<str> = request.text("GroupId").unwrap_or_default().into();
    let transaction = record.begin(id, whose, exchange);
    if let Some(open) = record.open(id) {
        open.groups.insert(group.clone());
    }
    record.event(id, at(exchange), transaction, What::Group(group));
}

pub(super) fn offset_commit(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, _, id, whose)) = granted(record, exchange) else {
        return;
    };
    let group: Box<str> = request.text("GroupId").unwrap_or_default().into();
    let mut partitions = BTreeSet::new();
    for row in request.rows("Topics") {
        let topic = record.topic(row, "Name");
        for partition in row.rows("Partitions") {
            let partition = partition.int("PartitionIndex").unwrap_or(-1);
            partitions.extend(
                partition
                    .try_into()
                    .map(|partition| (topic.clone(), partition)),
            );
        }
    }
    let transaction = record.begin(id, whose, exchange);
    if let Some(open) = record.open(id) {
        open.groups.insert(group.clone());
    }
    let what = What::Offsets { group, partitions };
    record.event(id, at(exchange), transaction, what);
}

pub(super) fn end(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response, id, whose)) = granted(record, exchange) else {
        return;
    };
    let commits = request.flag("Committed") == Some(true);
    let outcome = match (&response, commits) {
        (None, _) => Outcome::Ending,
        (Some(_), true) => Outcome::Committed,
        (Some(_), false) => Outcome::Aborted,
    };
    let is_answered = response.is_some();
    let transaction = ending(record, id, whose, exchange, outcome);
    let at = at(exchange);
    match outcome {
        Outcome::Ending => {
            if let Some(open) = record.open(id) {
                open.outcome = outcome;
            }
        }
        _ => record.close(id, at.0, at.1, outcome),
    }
    // From version 5 on, the producer goes on with the next epoch (KIP-890).
    if let Some(producer_id) = response.and_then(|response| response.int("ProducerId")) {
        record.uses(producer_id, Some(id), exchange);
    }
    let what = What::Ended {
        commits,
        is_answered,
    };
    record.event(id, at, transaction, what);
}

/// The transaction that a request ends: the open one; the last one, where this is the same end asked
/// for again; else one whose begin is not in the capture.
fn ending(
    record: &mut Record<'_>,
    id: usize,
    whose: Whose,
    exchange: &Exchange,
    outcome: Outcome,
) -> Option<usize> {
    let found = record.of(id)?;
    if found.open.is_some() {
        return found.open;
    }
    let last = found.transactions.last();
    let is_again =
        last.is_some_and(|last| (last.producer_id, last.epoch) == whose && last.outcome == outcome);
    let has_more = found
        .events
        .last()
        .is_some_and(|event| matches!(event.what, What::Ended { .. }));
    if is_again && has_more {
        return found.transactions.len().checked_sub(1);
    }
    let transaction = record.begin(id, whose, exchange);
    if let Some(open) = record.open(id) {
        open.begun = None;
    }
    transaction
}
