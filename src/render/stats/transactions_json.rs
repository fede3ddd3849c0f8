//! Timelines of transactions and the sequences of producers as JSON; docs/JSON.md is the contract.

use serde_json::{Value as Json, json};

use super::{failure::failure_json, iso, ms, transactions::Partitions};
use crate::{
    explain::ErrorCode,
    stats::{
        Producer, Transaction, TransactionEvent as Event, TransactionWhat as What, Transactions,
        Trouble,
    },
};

/// The lines of all transactional ids and producers.
pub fn transactions_json(found: &Transactions) -> Vec<Json> {
    let mut lines = Vec::new();
    for id in &found.ids {
        let own = json!({
            "type": "transactional-id",
            "transactional_id": id.id,
            "client_ids": id.clients,
            "timeout_ms": id.timeout_ms,
            "transactions": id.transactions.iter().map(transaction_json).collect::<Vec<_>>(),
        });
        lines.push(own);
        for event in &id.events {
            let mut line = json!({
                "type": "transaction-event",
                "transactional_id": id.id,
                "time": iso(event.time),
                "n": event.n,
                "transaction": event.transaction.map(|at| at + 1),
            });
            if let (Json::Object(line), Json::Object(what)) = (&mut line, event_json(event)) {
                line.extend(what);
            }
            lines.push(line);
        }
    }
    lines.extend(found.producers.iter().map(producer_json));
    lines
}

fn transaction_json(transaction: &Transaction) -> Json {
    json!({
        "producer_id": transaction.producer_id,
        "producer_epoch": transaction.epoch,
        "outcome": transaction.outcome.name(),
        "begun": transaction.begun.map(iso),
        "ended": transaction.ended.map(iso),
        "duration_ms": transaction.duration().map(ms),
        "first": transaction.first,
        "last": transaction.last,
        "partitions": partitions_json(&transaction.partitions),
        "groups": transaction.groups,
        "batches": transaction.batches,
        "records": transaction.records,
    })
}

fn partitions_json(found: &Partitions) -> Json {
    let rows = found.iter();
    rows.map(|(topic, partition)| json!({"topic": topic, "partition": partition}))
        .collect()
}

fn event_json(event: &Event) -> Json {
    match &event.what {
        What::Initialised { producer_id, epoch } => json!({
            "event": "initialised",
            "producer_id": producer_id,
            "producer_epoch": epoch,
        }),
        What::Partitions(found) => json!({
            "event": "partitions-added",
            "partitions": partitions_json(found),
        }),
        What::Group(group) => json!({"event": "group-added", "group": group}),
        What::Offsets { group, partitions } => json!({
            "event": "offsets-committed",
            "group": group,
            "partitions": partitions_json(partitions),
        }),
        What::Produced {
            partitions,
            batches,
            records,
            requests,
            last_time,
        } => json!({
            "event": "produced",
            "partitions": partitions_json(partitions),
            "batches": batches,
            "records": records,
            "requests": requests,
            "last_time": iso(*last_time),
        }),
        What::Ended {
            commits,
            is_answered,
        } => json!({"event": "ended", "commit": commits, "answered": is_answered}),
        What::MarkersWritten {
            commits,
            partitions,
        } => json!({
            "event": "markers-written",
            "commit": commits,
            "partitions": partitions_json(partitions),
        }),
        What::MarkerFetched {
            commits,
            topic,
            partition,
            offset,
        } => json!({
            "event": "marker-fetched",
            "commit": commits,
            "topic": topic,
            "partition": partition,
            "offset": offset,
        }),
        What::Failed(failure) => failure_json(failure),
    }
}

fn producer_json(producer: &Producer) -> Json {
    let sequences = producer.sequences.iter().map(|sequence| {
        json!({
            "producer_epoch": sequence.epoch,
            "topic": sequence.topic,
            "partition": sequence.partition,
            "first_sequence": sequence.first,
            "last_sequence": sequence.last,
            "batches": sequence.batches,
            "records": sequence.records,
        })
    });
    let faults = producer.faults.iter().map(|fault| {
        let mut line = json!({
            "time": iso(fault.time),
            "n": fault.n,
            "producer_epoch": fault.epoch,
            "topic": fault.topic,
            "partition": fault.partition,
        });
        let what = match fault.trouble {
            Trouble::Gap { expected, found } => {
                json!({"fault": "gap", "expected": expected, "found": found})
            }
            Trouble::Again { first, last } => {
                json!({"fault": "again", "first_sequence": first, "last_sequence": last})
            }
            Trouble::Refused { code } => json!({
                "fault": "refused",
                "error_code": code,
                "error": ErrorCode(code).to_string(),
            }),
        };
        if let (Json::Object(line), Json::Object(what)) = (&mut line, what) {
            line.extend(what);
        }
        line
    });
    json!({
        "type": "producer",
        "producer_id": producer.producer_id,
        "transactional_id": producer.transactional_id,
        "client_ids": producer.clients,
        "sequences": sequences.collect::<Vec<_>>(),
        "faults": faults.collect::<Vec<_>>(),
        "markers_fetched": producer.markers,
    })
}
