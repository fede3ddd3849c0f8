//! `stats`: against what `list` says of the same captures, and on traffic made for it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use serde_json::{Value as Json, json};

use crate::{
    program::{Run, kafscope},
    traffic::{Traffic, lines},
};

fn capture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/captures")
        .join(format!("{name}.zst"))
}

fn run(args: &[&str], path: &std::path::Path) -> Run {
    kafscope(&[args, &[path.to_str().unwrap()]].concat(), "")
}

fn by<'l>(lines: &'l [Json], by: &str) -> Vec<&'l Json> {
    lines.iter().filter(|line| line["by"] == *by).collect()
}

/// What a row of `stats` should say of these lines of `list`.
fn counted(exchanges: &[&Json]) -> Json {
    let sum = |of: &dyn Fn(&Json) -> u64| exchanges.iter().map(|line| of(line)).sum::<u64>();
    let size = |side: &'static str| move |line: &Json| line[side]["size"].as_u64().unwrap_or(0);
    let is_produce = |line: &Json| line["api_key"] == 0;
    let records = |line: &Json| line["records"].as_u64().unwrap();
    let mut latencies: Vec<f64> = exchanges
        .iter()
        .filter_map(|line| line["latency_ms"].as_f64())
        .filter(|&ms| ms >= 0.0)
        .collect();
    latencies.sort_by(f64::total_cmp);
    let rank = |percent: usize| latencies[(latencies.len() * percent).div_ceil(100).max(1) - 1];
    let latency = match latencies.is_empty() {
        true => Json::Null,
        false => json!({
            "count": latencies.len(), "p50": rank(50), "p90": rank(90), "p99": rank(99),
            "max": rank(100), "exact": true,
        }),
    };
    json!({
        "exchanges": exchanges.len(),
        "request_bytes": sum(&size("request")),
        "response_bytes": sum(&size("response")),
        "records_produced": sum(&|line| if is_produce(line) { records(line) } else { 0 }),
        "records_fetched": sum(&|line| if is_produce(line) { 0 } else { records(line) }),
        "errors": sum(&|line| u64::from(!line["errors"].as_array().unwrap().is_empty())),
        "malformed": sum(&|line| u64::from(!line["problems"].as_array().unwrap().is_empty())),
        "first": exchanges.first().map(|line| &line["n"]),
        "last": exchanges.last().map(|line| &line["n"]),
        "latency_ms": latency,
    })
}

/// The part of a row that [`counted`] gives.
fn sums(row: &Json) -> Json {
    let names = counted(&[]);
    let names = names.as_object().unwrap().keys();
    names
        .map(|name| (name.clone(), row[name].clone()))
        .collect()
}

#[test]
fn rows_are_what_a_slow_count_of_the_list_gives() {
    for name in [
        "full_same_as_snaplen.pcap",
        "snaplen200_tansu.pcap",
        "kafka0822_cluster.pcap",
        "midstream_tansu.pcap",
        "mangled_tansu_shuffled_times.pcap",
        "rst_abort_tansu.pcap",
    ] {
        let path = capture(name);
        let list = lines(&run(&["list", "--json"], &path));
        let sections = "api,connection,server,error,topic,time";
        let stats = lines(&run(&["stats", "--json", "--by", sections], &path));
        let all: Vec<&Json> = list.iter().collect();
        assert_eq!(sums(by(&stats, "total")[0]), counted(&all), "{name}");

        let key = |line: &Json| match line["kind"].as_str() {
            Some("sasl-token") => "sasl-token".to_owned(),
            _ if line["api_key"].is_null() => "orphan".to_owned(),
            _ => format!("{} {}", line["api_key"], line["version"]),
        };
        let stats_key = |line: &Json| match line["kind"].as_str().unwrap() {
            "api" => format!("{} {}", line["api_key"], line["version"]),
            kind => kind.to_owned(),
        };
        compare(
            name,
            &list,
            &by(&stats, "api"),
            |line| vec![key(line)],
            stats_key,
        );
        compare(
            name,
            &list,
            &by(&stats, "connection"),
            |line| vec![line["connection"].to_string()],
            |line| line["connection"].to_string(),
        );
        compare(
            name,
            &list,
            &by(&stats, "server"),
            |line| vec![line["server"].to_string()],
            |line| line["server"].to_string(),
        );
        compare(
            name,
            &list,
            &by(&stats, "error"),
            |line| {
                let errors = line["errors"].as_array().unwrap().iter();
                errors
                    .map(|error| format!("{error} {}", line["api_key"]))
                    .collect()
            },
            |line| format!("{} {}", line["error"], line["api_key"]),
        );
        // Which topic records belong to, the list cannot say of several.
        let topics: BTreeSet<String> = list
            .iter()
            .flat_map(|line| line["topics"].as_array().unwrap())
            .map(Json::to_string)
            .collect();
        let found: BTreeSet<String> = by(&stats, "topic")
            .iter()
            .map(|line| line["topic"].to_string())
            .collect();
        assert_eq!(found, topics, "{name}");

        let times = by(&stats, "time");
        assert!(times.len() <= 20, "{name}");
        let total = |field: &str| {
            times
                .iter()
                .map(|row| row[field].as_u64().unwrap())
                .sum::<u64>()
        };
        assert_eq!(total("exchanges"), list.len() as u64, "{name}");
        assert_eq!(total("errors"), counted(&all)["errors"].as_u64().unwrap());
    }
}

fn compare(
    name: &str,
    list: &[Json],
    rows: &[&Json],
    keys: impl Fn(&Json) -> Vec<String>,
    key: impl Fn(&Json) -> String,
) {
    let mut expected: BTreeMap<String, Vec<&Json>> = BTreeMap::new();
    for line in list {
        for key in keys(line) {
            expected.entry(key).or_default().push(line);
        }
    }
    let expected: BTreeMap<String, Json> = expected
        .into_iter()
        .map(|(key, lines)| (key, counted(&lines)))
        .collect();
    let found: BTreeMap<String, Json> = rows.iter().map(|row| (key(row), sums(row))).collect();
    assert_eq!(found.len(), rows.len(), "{name}: the same row twice");
    assert_eq!(found, expected, "{name}");
    let order: Vec<u64> = rows
        .iter()
        .map(|row| row["exchanges"].as_u64().unwrap())
        .collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{name}: {order:?}");
}

fn batch(n_records: usize) -> Json {
    json!([{"records": vec![json!({"value": "61"}); n_records]}])
}

/// Records to two topics of which one refuses, and a fetch of one of them.
fn mixed() -> Traffic {
    let mut traffic = Traffic::new();
    let request = json!({"ClientSoftwareName": "made-up", "ClientSoftwareVersion": "1.2"});
    traffic.exchange(1, "writer", ("ApiVersions", 3), &request, &json!({}));
    let request = json!({"Acks": -1, "TopicData": [
        {"Name": "orders", "PartitionData": [
            {"Index": 0, "Records": batch(3)}, {"Index": 7, "Records": batch(2)}]},
        {"Name": "bad\u{1b}[2J", "PartitionData": [{"Index": 0, "Records": batch(5)}]}]});
    let response = json!({"Responses": [
        {"Name": "orders", "PartitionResponses": [{"Index": 0}, {"Index": 7}]},
        {"Name": "bad\u{1b}[2J", "PartitionResponses": [{"Index": 0, "ErrorCode": 6}]}]});
    traffic.exchange(1, "writer", ("Produce", 9), &request, &response);
    let request = json!({"Topics": [{"Topic": "orders", "Partitions": [{"Partition": 7}]}]});
    let response = json!({"Responses": [{"Topic": "orders", "Partitions": [
        {"PartitionIndex": 7, "Records": batch(2)}]}]});
    traffic.exchange(2, "reader", ("Fetch", 12), &request, &response);
    // An error of the group, behind the partitions of the response, is none of the partition.
    let request = json!({"GroupId": "g", "Topics": [{"Name": "orders", "PartitionIndexes": [0]}]});
    let response = json!({"ErrorCode": 16, "Topics": [
        {"Name": "orders", "Partitions": [{"PartitionIndex": 0}]}]});
    traffic.exchange(2, "reader", ("OffsetFetch", 5), &request, &response);
    traffic.ask(2, "reader", ("Heartbeat", 4), &json!({"GroupId": "g"}));
    traffic
}

#[test]
fn records_and_errors_go_to_the_partitions_that_they_are_of() {
    let stats = mixed().json(&["stats", "--by", "partition,topic"]);
    let row = |section: &str, topic: &str, partition: Option<i64>| {
        let rows = by(&stats, section);
        let row = rows
            .iter()
            .find(|row| row["topic"] == *topic && row["partition"].as_i64() == partition)
            .unwrap_or_else(|| panic!("{topic} {partition:?}"));
        let of = |name: &str| row[name].as_u64().unwrap();
        [
            of("exchanges"),
            of("records_produced"),
            of("records_fetched"),
            of("errors"),
        ]
    };
    assert_eq!(row("partition", "orders", Some(0)), [2, 3, 0, 0]);
    assert_eq!(row("partition", "orders", Some(7)), [2, 2, 2, 0]);
    assert_eq!(row("partition", "bad\u{1b}[2J", Some(0)), [1, 5, 0, 1]);
    assert_eq!(row("topic", "bad\u{1b}[2J", None), [1, 5, 0, 1]);
    // The whole exchange failed, and there is no other topic in it.
    assert_eq!(row("topic", "orders", None), [3, 5, 2, 1]);
    let bytes = by(&stats, "partition")[0]["record_bytes"].as_u64().unwrap();
    assert!(bytes > 61, "{bytes}");
}

#[test]
fn clients_are_told_apart_by_software_and_said_to_wait() {
    let stats = mixed().json(&["stats", "--by", "client"]);
    let rows = by(&stats, "client");
    let software = json!({"name": "made-up", "version": "1.2"});
    assert_eq!(rows[0]["client_id"], "reader");
    assert_eq!(
        (&rows[0]["software"], &rows[0]["unanswered"]),
        (&Json::Null, &json!(1))
    );
    assert_eq!(
        (&rows[1]["software"], &rows[1]["unanswered"]),
        (&software, &json!(0))
    );
    assert_eq!(rows[1]["addresses"], json!(["10.0.0.1"]));
    let total = by(&stats, "total")[0];
    assert_eq!(
        total["latency_ms"],
        json!({
        "count": 4, "p50": 1.0, "p90": 1.0, "p99": 1.0, "max": 1.0, "exact": true})
    );
}

#[test]
fn text_is_cut_where_asked_and_shows_nothing_that_steers_a_terminal() {
    let traffic = mixed();
    let all = traffic.run(&["stats", "--by", "partition,client,topic,time", "--all"]);
    assert!(!all.stdout.contains('\u{1b}'), "{}", all.stdout);
    assert!(all.stdout.contains("bad\\u{1b}[2J-0"), "{}", all.stdout);
    assert!(!all.stdout.contains(" more"), "{}", all.stdout);
    let cut = traffic.run(&["stats", "--by", "partition", "--top", "1"]);
    assert!(cut.stdout.contains("and 2 more"), "{}", cut.stdout);
    assert_eq!(traffic.run(&["stats", "--by", "nonsense"]).status, 2);
    // A capture without Kafka is no failure of the program.
    let none = kafscope(&["stats", "-"], Traffic::new().file());
    assert_eq!((none.status, none.stdout.as_str()), (1, ""));
}
