//! Markers of the end of transactions: as coordinators have them written, and as consumers fetch
//! them.

use super::{
    What,
    record::{Record, listed},
};
use crate::{
    schema::Direction,
    session::Exchange,
    stats::fields::{Fields, fields},
};

/// Attributes of a batch that is a marker: transactional and control.
const MARKER: i64 = 0x30;

/// Types of control records that end a transaction.
const ABORT: i64 = 0;
const COMMIT: i64 = 1;

/// WriteTxnMarkers, from the coordinator to another broker. Of a producer id that no captured
/// request names with its transactional id, nobody knows whose it is.
pub(super) fn written(record: &mut Record<'_>, exchange: &Exchange) {
    let Some(request) = fields(record.session, exchange, Direction::Request) else {
        return;
    };
    for marker in request.rows("Markers") {
        let producer_id = marker.int("ProducerId").unwrap_or(-1);
        let partitions = listed(record, marker.rows("Topics"), "PartitionIndexes");
        let Some(id) = record.id_of(producer_id) else {
            continue;
        };
        let transaction = last_of(record, id, producer_id);
        let what = What::MarkersWritten {
            commits: marker.flag("TransactionResult") == Some(true),
            partitions,
        };
        record.event(id, (exchange.time(), exchange.n), transaction, what);
    }
}

/// Control batches in what a consumer fetched; each marker counts once, however often it is fetched.
pub(super) fn fetched(record: &mut Record<'_>, exchange: &Exchange) {
    let Some(response) = fields(record.session, exchange, Direction::Response) else {
        return;
    };
    for topic_row in response.rows("Responses") {
        let topic = record.topic(topic_row, "Topic");
        for row in topic_row.rows("Partitions") {
            let partition = row.int("PartitionIndex").unwrap_or(-1) as i32;
            let Some(records) = row.inner("Records") else {
                continue;
            };
            for batch in records.siblings("RecordBatch") {
                marker(record, exchange, (&topic, partition), batch);
            }
        }
    }
}

fn marker(
    record: &mut Record<'_>,
    exchange: &Exchange,
    (topic, partition): (&str, i32),
    batch: &Fields,
) {
    let attributes = batch.int("attributes").unwrap_or(0);
    let (Some(offset), Some(producer_id), Some(response)) = (
        batch.int("base_offset"),
        batch.int("producer_id"),
        exchange.response,
    ) else {
        return;
    };
    let mut records = batch.rows("records");
    let ty = records.find_map(|row| row.inner("key")?.int("type"));
    let commits = match ty {
        Some(ABORT) => false,
        Some(COMMIT) => true,
        _ => return,
    };
    if attributes & MARKER != MARKER || !record.markers.insert((topic.into(), partition, offset)) {
        return;
    }
    let producer = record.producer(producer_id);
    if let Some(producer) = producer.and_then(|at| record.producer_mut(at)) {
        producer.markers += 1;
    }
    let Some(id) = record.id_of(producer_id) else {
        return;
    };
    let transaction = None;
    let what = What::MarkerFetched {
        commits,
        topic: topic.into(),
        partition,
        offset,
    };
    record.event(id, (response.time, exchange.n), transaction, what);
}

/// The last transaction of a producer id.
fn last_of(record: &mut Record<'_>, id: usize, producer_id: i64) -> Option<usize> {
    let transactions = &record.of(id)?.transactions;
    let is_its = |transaction: &super::Transaction| transaction.producer_id == producer_id;
    transactions.iter().rposition(is_its)
}
