//! Messages to decode, made by kafscope's own encoder and always the same.

use kafscope::{
    encode::{body, request_frame, response_frame},
    schema::{ApiKey, Catalogue, Direction},
};
use serde_json::{Value, json};

/// A message and what is in it.
pub struct Message {
    pub title: String,
    pub api: ApiKey,
    pub direction: Direction,
    pub version: i16,
    /// Size, header and body.
    pub frame: Vec<u8>,
    /// Where the body starts in the frame.
    pub body_at: usize,
    /// What the message is full of, one of them, and how many there are.
    pub unit: &'static str,
    pub n_units: usize,
}

/// Number of topics, and of partitions that each has.
const TOPICS: usize = 50;
const PARTITIONS: usize = 100;

/// Number of records in a batch.
const RECORDS: usize = 1000;

/// What producers do with their batches.
#[derive(Clone, Copy)]
pub enum Codec {
    None = 0,
    Zstd = 4,
}

/// The answer of three brokers with 5,000 partitions, each on all of them.
pub fn metadata(version: i16) -> Message {
    let brokers: Vec<Value> = (1..=3)
        .map(|id| json!({"NodeId": id, "Host": format!("broker-{id}.example"), "Port": 9092}))
        .collect();
    let topics: Vec<Value> = (0..TOPICS).map(|idx| topic(version, idx)).collect();
    let values = json!({"Brokers": brokers, "Topics": topics});
    let title = format!("Metadata response v{version}");
    let n_units = TOPICS * PARTITIONS;
    response(title, "Metadata", version, &values, ("partition", n_units))
}

fn topic(version: i16, idx: usize) -> Value {
    let partition = |partition: usize| {
        let first = (idx + partition) % 3;
        let replicas: Vec<usize> = (0..3).map(|next| 1 + (first + next) % 3).collect();
        let mut values = json!({"PartitionIndex": partition, "LeaderId": replicas[0],
            "ReplicaNodes": replicas, "IsrNodes": replicas});
        if version >= 7 {
            values["LeaderEpoch"] = json!(17);
        }
        values
    };
    let partitions: Vec<Value> = (0..PARTITIONS).map(partition).collect();
    let mut values = json!({"Name": format!("orders-{idx:03}"), "Partitions": partitions});
    if version >= 10 {
        values["TopicId"] = json!(format!("0f0e0d0c-0b0a-0908-0706-{idx:012x}"));
    }
    values
}

/// The answer to a consumer: one partition with one batch, as it is on the broker's disk.
pub fn fetch(version: i16, n_headers: usize) -> Message {
    let mut topic = json!({"Partitions": [{"PartitionIndex": 3, "HighWatermark": 4000,
        "LastStableOffset": 4000, "Records": [batch(n_headers, Codec::None)]}]});
    match version {
        // Topics go by their ids since then.
        13.. => topic["TopicId"] = json!("0f0e0d0c-0b0a-0908-0706-050403020100"),
        _ => topic["Topic"] = json!("orders"),
    }
    let values = json!({"Responses": [topic]});
    let title = format!("Fetch response v{version}{}", with(n_headers));
    response(title, "Fetch", version, &values, ("record", RECORDS))
}

/// A producer's request with one batch.
pub fn produce(version: i16, codec: Codec) -> Message {
    let values = json!({"Acks": -1, "TimeoutMs": 30_000, "TopicData": [{"Name": "orders",
        "PartitionData": [{"Index": 3, "Records": [batch(0, codec)]}]}]});
    let (api, direction) = (ApiKey::parse("Produce").unwrap(), Direction::Request);
    let catalogue = Catalogue::current();
    let body = body(
        catalogue.api_plan(api, direction, version).unwrap(),
        &values,
    )
    .unwrap();
    let frame = request_frame(catalogue, api, version, 7, Some("producer-1"), &body);
    Message {
        title: format!(
            "Produce request v{version}, {}",
            match codec {
                Codec::None => "uncompressed",
                Codec::Zstd => "zstd",
            }
        ),
        api,
        direction,
        version,
        body_at: frame.len() - body.len(),
        frame,
        unit: "record",
        n_units: RECORDS,
    }
}

fn response(
    title: String,
    api: &str,
    version: i16,
    values: &Value,
    (unit, n_units): (&'static str, usize),
) -> Message {
    let (api, direction) = (ApiKey::parse(api).unwrap(), Direction::Response);
    let catalogue = Catalogue::current();
    let body = body(catalogue.api_plan(api, direction, version).unwrap(), values).unwrap();
    let frame = response_frame(catalogue, api, version, 7, &body);
    Message {
        title,
        api,
        direction,
        version,
        body_at: frame.len() - body.len(),
        frame,
        unit,
        n_units,
    }
}

fn with(n_headers: usize) -> String {
    match n_headers {
        0 => String::new(),
        1 => ", a header in each record".to_owned(),
        n => format!(", {n} headers in each record"),
    }
}

/// A batch of orders, about 130 bytes each.
fn batch(n_headers: usize, codec: Codec) -> Value {
    let hex = |text: String| -> String { text.bytes().map(|byte| format!("{byte:02x}")).collect() };
    let record = |idx: usize| {
        let key = format!("order-{:08}", idx * 7919 % 100_000);
        let value = format!(
            r#"{{"order":"{key}","customer":{},"amount":"{}.{:02}","currency":"EUR","state":"{}"}}"#,
            idx * 31 % 9973,
            idx * 17 % 500,
            idx % 100,
            ["created", "paid", "shipped"][idx % 3],
        );
        let headers: Vec<Value> = (0..n_headers)
            .map(|n| json!({"key": format!("trace-{n}"), "value": hex(format!("{idx:016x}"))}))
            .collect();
        json!({"offset": 3000 + idx, "timestamp": 1_700_000_000_000_u64 + 3 * idx as u64,
            "key": hex(key), "value": hex(value), "headers": headers})
    };
    let records: Vec<Value> = (0..RECORDS).map(record).collect();
    json!({"attributes": codec as i16, "producer_id": 4711, "producer_epoch": 0,
        "base_sequence": 0, "records": records})
}
