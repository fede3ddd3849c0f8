//! Produce requests of idempotent and transactional producers.

use std::collections::{BTreeSet, HashMap};

use super::{
    What,
    record::{Record, Whose},
    sequences::{self, Batch},
};
use crate::{
    schema::Direction,
    session::Exchange,
    stats::fields::{Fields, fields},
};

/// The attribute of a batch that is part of a transaction.
const TRANSACTIONAL: i64 = 0x10;

pub(super) fn produce(record: &mut Record<'_>, exchange: &Exchange) {
    let Some(request) = fields(record.session, exchange, Direction::Request) else {
        return;
    };
    let response = fields(record.session, exchange, Direction::Response);
    let refused = refused(record, response.as_ref());
    let named = request.text("TransactionalId").filter(|id| !id.is_empty());
    let named = named.map(|id| record.id(id, exchange));
    let mut written = Written::default();
    let mut errors = Vec::new();
    let mut last_whose = None;
    for topic_row in request.rows("TopicData") {
        let topic = record.topic(topic_row, "Name");
        for row in topic_row.rows("PartitionData") {
            let partition = row.int("Index").unwrap_or(-1) as i32;
            let error = refused.get(&(topic.clone(), partition)).copied();
            let Some(records) = row.inner("Records") else {
                continue;
            };
            for fields in records.siblings("RecordBatch") {
                let Some(batch) = batch(fields) else {
                    continue;
                };
                let whose = (batch.producer_id, batch.epoch);
                let id = named.filter(|_| is_transactional(fields));
                record.uses(batch.producer_id, id, exchange);
                sequences::batch(record, exchange, (&topic, partition), batch, error);
                last_whose = Some(whose);
                match (id, error) {
                    (_, Some(code)) if !errors.contains(&code) => errors.push(code),
                    (_, Some(_)) | (None, None) => {}
                    (Some(_), None) => {
                        written.partitions.insert((topic.clone(), partition));
                        written.batches += 1;
                        written.records += batch.records.unsigned_abs();
                    }
                }
            }
        }
    }
    if let (Some(id), Some(whose)) = (named, last_whose) {
        if written.batches > 0 {
            add(record, exchange, id, whose, written);
        }
        record.errors(id, whose, exchange, &errors);
    }
}

/// What of a transaction a request wrote.
#[derive(Debug, Default)]
struct Written {
    partitions: BTreeSet<(Box<str>, i32)>,
    batches: u64,
    records: u64,
}

fn add(record: &mut Record<'_>, exchange: &Exchange, id: usize, whose: Whose, written: Written) {
    let transaction = record.begin(id, whose, exchange);
    if let Some(open) = record.open(id) {
        open.partitions.extend(written.partitions.iter().cloned());
        open.batches += written.batches;
        open.records += written.records;
    }
    let time = exchange.time();
    let last = record.of(id).and_then(|found| found.events.last_mut());
    if let Some(event) = last
        && event.transaction == transaction
        && let What::Produced {
            partitions,
            batches,
            records,
            requests,
            last_time,
        } = &mut event.what
    {
        partitions.extend(written.partitions);
        *batches += written.batches;
        *records += written.records;
        *requests += 1;
        *last_time = time;
        return;
    }
    let what = What::Produced {
        partitions: written.partitions,
        batches: written.batches,
        records: written.records,
        requests: 1,
        last_time: time,
    };
    record.event(id, (time, exchange.n), transaction, what);
}

fn is_transactional(batch: &Fields) -> bool {
    let attributes = batch.int("attributes").unwrap_or(0);
    attributes & TRANSACTIONAL != 0
}

/// A batch of a producer; `None` for one that is neither idempotent nor transactional.
fn batch(fields: &Fields) -> Option<Batch> {
    let producer_id = fields.int("producer_id").filter(|&id| id >= 0)?;
    Some(Batch {
        producer_id,
        epoch: fields.int("producer_epoch")?,
        base_sequence: fields.int("base_sequence")?.try_into().ok()?,
        records: fields.int("records_count")?,
    })
}

/// The partitions of a response that have an error code.
fn refused(record: &Record<'_>, response: Option<&Fields>) -> HashMap<(Box<str>, i32), i16> {
    let mut found = HashMap::new();
    for topic_row in response
        .iter()
        .flat_map(|response| response.rows("Responses"))
    {
        let topic = record.topic(topic_row, "Name");
        for row in topic_row.rows("PartitionResponses") {
            let code = row.int("ErrorCode").unwrap_or(0) as i16;
            if let (true, Some(partition)) = (code != 0, row.int("Index")) {
                found.insert((topic.clone(), partition as i32), code);
            }
        }
    }
    found
}
