//! Records of Kafka's own topics, and metrics: every definition in every version, cut and changed.

use kafscope::{
    encode::smallest,
    records::Codec,
    schema::{Catalogue, Kind},
};
use serde_json::{Value as Json, json};

use crate::{
    batches::{Batch, CODECS, compress, number},
    payload::{decoded, encoded, hex, looked_into, plan},
};

/// A Produce request with one record.
fn produced(topic: &str, key: Option<&[u8]>, value: Option<&[u8]>) -> Vec<u8> {
    let batch = Batch::new(0, 1_700_000_000_000).record(0, key, value, &[]);
    let partition = json!({ "Index": 0, "Records": hex(&batch.bytes()) });
    let values = json!({
        "Acks": -1, "TimeoutMs": 1,
        "TopicData": [{ "Name": topic, "PartitionData": [partition] }],
    });
    encoded("ProduceRequest", 9, &values)
}

fn topic_of(key: &str) -> &'static str {
    match key {
        "TransactionLogKey" => "__transaction_state",
        "ShareSnapshotKey" | "ShareUpdateKey" => "__share_group_state",
        _ => "__consumer_offsets",
    }
}

#[test]
fn every_coordinator_record_is_read_in_every_version() {
    let catalogue = Catalogue::current();
    let mut n_records = 0;
    for key_name in catalogue.names() {
        let definition = catalogue.definition(key_name).unwrap().unwrap();
        if definition.kind != Kind::CoordinatorKey {
            continue;
        }
        let ty = definition.api_key.unwrap();
        let key = [&ty.to_be_bytes()[..], &smallest(plan(key_name, 0))].concat();
        let value_name = key_name.replace("Key", "Value");
        let values = catalogue.definition(&value_name).unwrap().unwrap();
        for version in values.ever.iter() {
            let value = smallest(plan(&value_name, version));
            let value = [&version.to_be_bytes()[..], &value].concat();
            let bytes = produced(topic_of(key_name), Some(&key), Some(&value));
            let inside = looked_into("ProduceRequest", 9, &bytes);
            let path = "TopicData[0].PartitionData[0].Records[0].records[0]";
            assert_eq!(inside[0]["path"], format!("{path}.key"));
            assert_eq!(inside[0]["as"], key_name);
            assert_eq!(inside[1]["path"], format!("{path}.value"));
            assert_eq!(inside[1]["as"], value_name);
            assert_eq!(inside[1]["version"], version);
            n_records += 1;
        }
        // A tombstone.
        let bytes = produced(topic_of(key_name), Some(&key), None);
        let (tree, line) = decoded("ProduceRequest", 9, &bytes);
        assert_eq!(line["embedded"].as_array().unwrap().len(), 1);
        assert_eq!(tree.problems().len(), 0);
    }
    assert!(n_records > 30);
}

#[test]
fn every_metadata_record_is_read_in_every_version() {
    let catalogue = Catalogue::current();
    for name in catalogue.names() {
        let definition = catalogue.definition(name).unwrap().unwrap();
        if definition.kind != Kind::Metadata {
            continue;
        }
        for version in definition.ever.iter() {
            let head = [1, definition.api_key.unwrap() as u8, version as u8];
            let value = [&head[..], &smallest(plan(name, version))].concat();
            let bytes = produced("__cluster_metadata", None, Some(&value));
            let inside = looked_into("ProduceRequest", 9, &bytes);
            assert_eq!(inside[0]["as"], name);
            assert_eq!(inside[0]["version"], version);
        }
    }
}

#[test]
fn a_snapshot_is_metadata_whatever_its_topic_is_called() {
    let value = [&[1, 2, 0][..], &smallest(plan("TopicRecord", 0))].concat();
    let records = Batch::new(0, 0).record(0, None, Some(&value), &[]).bytes();
    let values = json!({ "Topics": [{ "Name": "other", "Partitions": [{
        "UnalignedRecords": hex(&records) }] }] });
    let bytes = encoded("FetchSnapshotResponse", 0, &values);
    let inside = looked_into("FetchSnapshotResponse", 0, &bytes);
    assert_eq!(inside[0]["as"], "TopicRecord");
}

#[test]
fn metadata_of_groups_is_read_within_their_records() {
    let subscription = encoded(
        "ConsumerProtocolSubscription",
        0,
        &json!({ "Topics": ["orders"], "UserData": null }),
    );
    let member = json!({
        "memberId": "m", "clientId": "c", "clientHost": "/", "sessionTimeout": 1,
        "subscription": format!("0000{}", hex(&subscription)), "assignment": "",
    });
    let group = json!({
        "protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "m",
        "members": [member],
    });
    let value = [&[0, 3][..], &encoded("GroupMetadataValue", 3, &group)].concat();
    let bytes = produced(
        "__consumer_offsets",
        Some(&[0, 2, 0, 1, b'g']),
        Some(&value),
    );
    let inside = looked_into("ProduceRequest", 9, &bytes);
    assert_eq!(inside[2]["as"], "ConsumerProtocolSubscription");
    let path = inside[2]["path"].as_str().unwrap();
    assert!(path.ends_with(".value.members[0].subscription"), "{path}");
}

#[test]
fn records_that_do_not_fit_are_raw_with_the_reason() {
    for (topic, key, value, reason) in [
        (
            "__consumer_offsets",
            &[0, 99, 0, 0][..],
            &[0, 0][..],
            "type 99",
        ),
        (
            "__consumer_offsets",
            &[0, 2, 0, 1, b'g'],
            &[0, 77, 0],
            "no version 77",
        ),
        (
            "__share_group_state",
            &[0, 0, 1],
            &[0, 0, 1],
            "no ShareSnapshotKey",
        ),
        ("__cluster_metadata", &[], &[9, 9, 9], "frame version"),
    ] {
        let (tree, line) = decoded(
            "ProduceRequest",
            9,
            &produced(topic, Some(key), Some(value)),
        );
        let messages: Vec<&str> = tree
            .problems()
            .iter()
            .map(|found| found.problem.message.as_str())
            .collect();
        assert!(messages.iter().any(|m| m.contains(reason)), "{messages:?}");
        let records = &line["value"]["TopicData"][0]["PartitionData"][0]["Records"];
        assert_eq!(records[0]["records"][0]["value"], hex(value));
    }
}

/// A protobuf field with content.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, content.len() as u8], content].concat()
}

fn metrics() -> Vec<u8> {
    let mut point = vec![3 << 3 | 1];
    point.extend(1_700_000_000_000_000_000u64.to_le_bytes());
    point.push(6 << 3 | 1);
    point.extend(42i64.to_le_bytes());
    let sum = [field(1, &point), vec![2 << 3, 1, 3 << 3, 1]].concat();
    let named = |name: &[u8], data: Vec<u8>| [field(1, name), data].concat();
    let first = named(b"org.apache.kafka.a", field(7, &sum));
    let second = named(b"org.apache.kafka.b", field(5, &field(1, &point)));
    let scope = [field(2, &first), field(2, &second)].concat();
    field(1, &field(2, &scope))
}

fn pushed(codec: i16, metrics: &[u8]) -> Vec<u8> {
    let values = json!({
        "ClientInstanceId": "00000000-0000-0000-0000-000000000001", "SubscriptionId": 1,
        "Terminating": false, "CompressionType": codec, "Metrics": hex(metrics),
    });
    encoded("PushTelemetryRequest", 0, &values)
}

#[test]
fn metrics_are_read_with_every_codec() {
    let plain = metrics();
    let all: Vec<(i16, Vec<u8>)> = std::iter::once((0, plain.clone()))
        .chain(
            CODECS
                .into_iter()
                .map(|codec: Codec| (number(codec), compress(codec, &plain))),
        )
        .collect();
    for (codec, bytes) in all {
        let inside = looked_into("PushTelemetryRequest", 0, &pushed(codec, &bytes));
        assert_eq!(inside[0]["as"], "MetricsData", "{codec}");
        let metrics = &inside[0]["value"]["resource_metrics"][0]["scope_metrics"][0]["metrics"];
        assert_eq!(metrics[0]["name"], "org.apache.kafka.a");
        assert_eq!(metrics[0]["sum"]["data_points"][0]["as_int"], 42);
        assert_eq!(metrics[0]["sum"]["is_monotonic"], true);
        assert_eq!(metrics[1]["name"], "org.apache.kafka.b");
    }
}

#[test]
fn histograms_summaries_and_attributes_are_read() {
    let double = |number: u8, value: f64| [&[number << 3 | 1][..], &value.to_le_bytes()].concat();
    let fixed = |number: u8, value: u64| [&[number << 3 | 1][..], &value.to_le_bytes()].concat();
    let attribute = [field(1, b"k"), field(2, &field(1, b"v"))].concat();
    // A scale of -1 and two buckets from -3 on.
    let buckets = [&[1 << 3, 5][..], &field(2, &[7, 9])].concat();
    let point = [
        field(1, &attribute),
        fixed(4, 16),
        vec![6 << 3, 1],
        fixed(7, 2),
        field(8, &buckets),
    ]
    .concat();
    let exponential = [field(1, b"e"), field(10, &field(1, &point))].concat();
    let quantile = [double(1, 0.5), double(2, 3.25)].concat();
    let point = [fixed(4, 16), double(5, 1.5), field(6, &quantile)].concat();
    let summary = [field(1, b"s"), field(11, &field(1, &point))].concat();
    let exemplar = [fixed(6, 1), field(7, &attribute)].concat();
    let gauge = [field(1, b"g"), field(5, &field(1, &field(5, &exemplar)))].concat();
    for (metric, check) in [
        (exponential, "exponential_histogram"),
        (summary, "summary"),
        (gauge, "gauge"),
    ] {
        let bytes = field(1, &field(2, &field(2, &metric)));
        let inside = looked_into("PushTelemetryRequest", 0, &pushed(0, &bytes));
        let metric = &inside[0]["value"]["resource_metrics"][0]["scope_metrics"][0]["metrics"][0];
        let point = &metric[check]["data_points"][0];
        let expected = match check {
            "exponential_histogram" => json!({
                "attributes": [{"key": "k", "value": {"string_value": "v"}}],
                "count": 16, "scale": -1, "zero_count": 2,
                "positive": {"offset": -3, "bucket_counts": "0709"},
            }),
            "summary" => json!({
                "count": 16, "sum": 1.5, "quantile_values": [{"quantile": 0.5, "value": 3.25}],
            }),
            _ => json!({"exemplars": [{
                "as_int": 1, "filtered_attributes": [{"key": "k", "value": {"string_value": "v"}}],
            }]}),
        };
        assert_eq!(*point, expected, "{check}");
    }
}

#[test]
fn what_is_no_metrics_stays_bytes() {
    for bytes in [&[0x0a, 9, 1][..], &[1, 2, 3], b"{\"metrics\":[]}"] {
        let (_, line) = decoded("PushTelemetryRequest", 0, &pushed(0, bytes));
        assert_eq!(line["embedded"], Json::Null);
        assert_eq!(line["value"]["Metrics"], hex(bytes));
    }
    // Nesting without end.
    let mut value = Vec::new();
    for _ in 0..60 {
        value = field(5, &field(1, &value));
    }
    let attribute = [field(1, b"k"), field(2, &value)].concat();
    let resource = field(1, &field(1, &field(1, &attribute)));
    looked_into("PushTelemetryRequest", 0, &pushed(0, &resource));
}
