//! Statistics as JSON; docs/JSON.md is the contract.

use serde_json::{Map, Value as Json, json};

use super::{iso, ms};
use crate::{
    explain::ErrorCode,
    schema::ApiKey,
    stats::{Key, Latencies, Row, Software, Stats, Table, Tally},
};

/// The line with the sums over all exchanges.
pub fn total_json(stats: &Stats) -> Json {
    let mut line = start("total");
    let at = |end: fn((i64, i64)) -> i64| stats.span.map(|span| iso(end(span)));
    line.insert("from".into(), at(|span| span.0).into());
    line.insert("to".into(), at(|span| span.1).into());
    line.insert("connections".into(), stats.n_connections.into());
    sums(&mut line, &stats.total);
    Json::Object(line)
}

/// The line of a row of `table`.
pub fn row_json(table: &Table, row: &Row) -> Json {
    let mut line = start(table.by.name());
    let mut put = |name: &str, value: Json| line.insert(name.into(), value);
    match &row.key {
        Key::Api { key, version } => {
            put("kind", "api".into());
            put("api_key", (*key).into());
            put("api", ApiKey(*key).name().into());
            put("version", (*version).into());
        }
        Key::SaslToken | Key::Orphan => {
            let kind = match row.key {
                Key::Orphan => "orphan",
                _ => "sasl-token",
            };
            put("kind", kind.into());
            for name in ["api_key", "api", "version"] {
                put(name, Json::Null);
            }
        }
        Key::Client {
            client_id,
            software,
        } => {
            put("client_id", client_id.as_deref().into());
            put("software", software_json(software.as_ref()));
            let hosts: Vec<String> = row.hosts.iter().map(ToString::to_string).collect();
            put("addresses", hosts.into());
        }
        Key::Topic(topic) => {
            put("topic", topic.as_ref().into());
        }
        Key::Partition(topic, partition) => {
            put("topic", topic.as_ref().into());
            put("partition", (*partition).into());
            put("record_bytes", row.record_bytes.into());
        }
        Key::Connection(n) => {
            put("connection", (*n).into());
            put(
                "client",
                row.ends.map(|(client, _)| client.to_string()).into(),
            );
            put(
                "server",
                row.ends.map(|(_, server)| server.to_string()).into(),
            );
        }
        Key::Server(server) => {
            put("server", server.to_string().into());
            put("node", row.node.into());
        }
        Key::Error { code, api } => {
            put("error_code", (*code).into());
            put("error", ErrorCode(*code).to_string().into());
            put("api_key", (*api).into());
            put("api", api.and_then(|api| ApiKey(api).name()).into());
        }
        Key::Time(start) => {
            put("from", iso(*start).into());
            put("width_ms", ms(table.width).into());
        }
    }
    sums(&mut line, &row.tally);
    Json::Object(line)
}

fn start(by: &str) -> Map<String, Json> {
    let mut line = Map::new();
    line.insert("type".into(), "stats".into());
    line.insert("by".into(), by.into());
    line
}

/// Name and version, or null.
pub(in crate::render) fn software_json(software: Option<&Software>) -> Json {
    software.map_or(
        Json::Null,
        |software| json!({"name": software.name, "version": software.version}),
    )
}

fn sums(line: &mut Map<String, Json>, tally: &Tally) {
    let sums = json!({
        "exchanges": tally.exchanges,
        "request_bytes": tally.request_bytes,
        "response_bytes": tally.response_bytes,
        "records_produced": tally.produced,
        "records_fetched": tally.fetched,
        "unanswered": tally.unanswered,
        "errors": tally.errors,
        "malformed": tally.malformed,
        "first": (tally.exchanges > 0).then_some(tally.first),
        "last": (tally.exchanges > 0).then_some(tally.last),
        "latency_ms": latency_json(&tally.latency),
    });
    if let Json::Object(sums) = sums {
        line.extend(sums);
    }
}

/// Quantiles in milliseconds; null where no exchange has a latency.
fn latency_json(latencies: &Latencies) -> Json {
    let Some(quantiles) = latencies.quantiles() else {
        return Json::Null;
    };
    let ms = |nanos: u64| nanos as f64 / 1e6;
    json!({
        "count": quantiles.count,
        "p50": ms(quantiles.p50),
        "p90": ms(quantiles.p90),
        "p99": ms(quantiles.p99),
        "max": ms(quantiles.max),
        "exact": quantiles.exact,
    })
}
