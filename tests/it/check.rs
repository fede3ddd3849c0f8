//! `check`: what it finds, what it does not, and its exit status.

use kafscope::schema::Direction;
use serde_json::{Value as Json, json};

use crate::{
    program::kafscope,
    traffic::{Sign, Traffic, lines},
};

/// Kind, severity, subject and count of findings.
fn brief(findings: &[Json]) -> Vec<String> {
    let text = |finding: &Json| {
        let of = |name: &str| finding[name].as_str().unwrap().to_owned();
        let (severity, kind) = (of("severity"), of("kind"));
        format!("{severity} {kind} {} {}", of("subject"), finding["count"])
    };
    findings.iter().map(text).collect()
}

fn sound() -> Traffic {
    let mut traffic = Traffic::new();
    let request = json!({"ClientSoftwareName": "lib", "ClientSoftwareVersion": "0.9"});
    traffic.exchange(1, "app", ("ApiVersions", 3), &request, &json!({}));
    let records = json!([{"records": [{"value": "61"}]}]);
    let request = json!({"Acks": -1, "TopicData": [
        {"Name": "orders", "PartitionData": [{"Index": 0, "Records": records}]}]});
    let response = json!({"Responses": [
        {"Name": "orders", "PartitionResponses": [{"Index": 0}]}]});
    traffic.exchange(1, "app", ("Produce", 9), &request, &response);
    traffic
}

fn heartbeat(traffic: &mut Traffic, error: i16) {
    let response = json!({"ErrorCode": error});
    traffic.exchange(
        1,
        "app",
        ("Heartbeat", 4),
        &json!({"GroupId": "g"}),
        &response,
    );
}

#[test]
fn nothing_is_found_in_sound_traffic() {
    let run = sound().run(&["check"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "nothing found in 2 exchanges on 1 connection\n");
    assert!(sound().json(&["check"]).is_empty());
}

#[test]
fn error_responses_are_notes_that_fail_only_when_asked() {
    let mut traffic = sound();
    for _ in 0..8 {
        heartbeat(&mut traffic, 25);
    }
    let found = traffic.json(&["check"]);
    assert_eq!(
        brief(&found),
        ["note error-response Heartbeat: UNKNOWN_MEMBER_ID 8"]
    );
    assert_eq!(found[0]["exchanges"], json!([3, 4, 5, 6, 7]));
    let all = traffic.json(&["check", "--all"]);
    assert_eq!(all.len(), 8);
    assert_eq!(all[7]["exchanges"], json!([10]));
    let status = |severity| traffic.run(&["check", "--fail-on", severity]).status;
    assert_eq!(traffic.run(&["check"]).status, 0);
    let statuses = ["note", "warning", "error", "never"].map(status);
    assert_eq!(statuses, [1, 0, 0, 0]);
    assert_eq!(traffic.run(&["check", "--fail-on", "nonsense"]).status, 2);
    let text = traffic.run(&["check"]).stdout;
    assert!(
        text.contains("(8 times: first in exchanges 3, 4, 5, 6, 7)"),
        "{text}"
    );
}

#[test]
fn a_malformed_message_is_found_with_its_diagnosis() {
    let mut traffic = sound();
    heartbeat(&mut traffic, 0);
    // A DeleteTopics request whose body has a byte too much, twice.
    let body = "0014 0006 00000063 0003 617070 00 02 02 61 00000000000000000000000000000000 00 00007530 00 00";
    let body = crate::vectors::unhex(&body.replace(' ', ""));
    let frame = [&(body.len() as u32).to_be_bytes(), &body[..]].concat();
    for _ in 0..2 {
        traffic.send(1, Direction::Request, &frame);
    }
    let found = traffic.json(&["check"]);
    let malformed: Vec<&Json> = found
        .iter()
        .filter(|line| line["kind"] == "malformed")
        .collect();
    assert_eq!(malformed.len(), 1, "{found:?}");
    assert_eq!(malformed[0]["subject"], "DeleteTopics 6 request");
    assert_eq!(malformed[0]["count"], 2);
    let message = malformed[0]["message"].as_str().unwrap();
    assert!(message.starts_with("[trailing-bytes] 1 byte"), "{message}");
    assert!(message.contains("; "), "no diagnosis: {message}");
    assert_eq!(traffic.run(&["check", "--fail-on", "error"]).status, 1);
}

#[test]
fn a_wrong_checksum_in_a_fetch_is_found_inside_the_records() {
    let mut traffic = sound();
    let records = json!([{"crc": 1, "records": [{"value": "61"}]}]);
    let request = json!({"Topics": [{"Topic": "orders", "Partitions": [{"Partition": 7}]}]});
    let response = json!({"Responses": [{"Topic": "orders", "Partitions": [
        {"PartitionIndex": 7, "Records": records}]}]});
    traffic.exchange(1, "app", ("Fetch", 12), &request, &response);
    let found = brief(&traffic.json(&["check"]));
    let [found] = found.as_slice() else {
        panic!("{found:?}");
    };
    let subject = "checksum Fetch 12 response at Responses[].Partitions[].Records";
    assert!(found.contains(subject), "{found}");
    assert_eq!(traffic.run(&["check"]).status, 1);
}

#[test]
fn requests_and_answers_are_held_against_each_other() {
    let mut traffic = sound();
    traffic.ask(1, "app", ("Heartbeat", 4), &json!({"GroupId": "g"}));
    heartbeat(&mut traffic, 0);
    // An answer that nobody asked for: correlation id 77.
    traffic.send(
        1,
        Direction::Response,
        &[0, 0, 0, 11, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0],
    );
    let asked = traffic.ask(1, "app", ("Metadata", 9), &json!({"Topics": []}));
    traffic.wait(800_000);
    traffic.answer(&asked, &json!({}));
    traffic.wait(100_000);
    traffic.ask(1, "app", ("Heartbeat", 4), &json!({"GroupId": "g"}));
    let found = brief(&traffic.json(&["check", "--slow", "500"]));
    let expected = [
        "warning unanswered Heartbeat 1",
        "warning unexpected-response response 1",
        "warning slow Metadata 1",
        "note unanswered Heartbeat 1",
    ];
    assert_eq!(found, expected);
    assert_eq!(traffic.run(&["check", "--slow", "-1"]).status, 2);
}

/// Brokers answer in order: what comes behind a request may be the answer to one before it.
#[test]
fn a_client_that_leaves_is_owed_no_answer() {
    let group = json!({"GroupId": "g"});
    for sign in [Sign::Fin, Sign::Reset] {
        let mut traffic = sound();
        let asked = traffic.ask(1, "app", ("Heartbeat", 4), &group);
        traffic.ask(1, "app", ("Metadata", 9), &json!({"Topics": []}));
        traffic.close(1, Direction::Request, sign);
        traffic.answer(&asked, &json!({}));
        traffic.wait(5_000_000);
        heartbeat(&mut traffic, 0);
        let found = brief(&traffic.json(&["check"]));
        assert!(
            found.contains(&"note unanswered Metadata 1".to_owned()),
            "{found:?}"
        );
    }
    // Who stays and asks again has been passed over.
    let mut traffic = sound();
    traffic.ask(1, "app", ("Metadata", 9), &json!({"Topics": []}));
    traffic.exchange(1, "app", ("Heartbeat", 4), &group, &json!({}));
    traffic.close(1, Direction::Request, Sign::Fin);
    let found = brief(&traffic.json(&["check"]));
    assert!(
        found.contains(&"warning unanswered Metadata 1".to_owned()),
        "{found:?}"
    );
}

#[test]
fn lost_bytes_are_found_and_not_blamed_on_the_broker() {
    let mut traffic = sound();
    heartbeat(&mut traffic, 0);
    traffic.ask(1, "app", ("Heartbeat", 4), &json!({"GroupId": "g"}));
    traffic.lose(1, Direction::Response, 15);
    for _ in 0..3 {
        heartbeat(&mut traffic, 0);
    }
    traffic.wait(2_000_000);
    heartbeat(&mut traffic, 0);
    let found = brief(&traffic.json(&["check"]));
    assert!(
        found.contains(&"warning gap 10.0.1.1 1".to_owned()),
        "{found:?}"
    );
    let unanswered = found
        .iter()
        .find(|text| text.contains("unanswered"))
        .unwrap();
    assert!(unanswered.starts_with("note "), "{unanswered}");
}

#[test]
fn removed_versions_are_found_with_the_clients_that_use_them() {
    let mut traffic = sound();
    let request = json!({"Topics": [{"Name": "orders"}]});
    for (connection, client) in [(1, "app"), (1, "app"), (3, "other")] {
        traffic.exchange(
            connection,
            client,
            ("CreateTopics", 1),
            &request,
            &json!({"Topics": []}),
        );
    }
    traffic.exchange(
        2,
        "old\u{202e}",
        ("DeleteTopics", 0),
        &json!({"TopicNames": []}),
        &json!({}),
    );
    let found = traffic.json(&["check"]);
    let expected = [
        "warning removed-version CreateTopics 1 3",
        "warning removed-version DeleteTopics 0 1",
    ];
    assert_eq!(brief(&found), expected);
    let message = found[0]["message"].as_str().unwrap();
    let named = "used by client app (lib 0.9) from 10.0.0.1, client other from 10.0.0.3";
    assert!(message.ends_with(named), "{message}");
    assert_eq!(found[0]["exchanges"], json!([3, 4, 5]));
    let versions = json!([{"api_key": 19, "api": "CreateTopics", "version": 1, "count": 3}]);
    assert_eq!(found[0]["versions"], versions);
    let software = json!({"name": "lib", "version": "0.9"});
    let clients = json!([
        {"client_id": "app", "software": software, "address": "10.0.0.1", "count": 2},
        {"client_id": "other", "software": null, "address": "10.0.0.3", "count": 1},
    ]);
    assert_eq!(found[0]["clients"], clients);
    let all = traffic.run(&["check", "--all"]).stdout;
    let one = "CreateTopics 1: client other from 10.0.0.3 asks for CreateTopics 1";
    assert!(all.contains(one), "{all}");
    let text = traffic.run(&["check"]).stdout;
    assert!(
        text.contains("old\\u{202e}") && !text.contains('\u{202e}'),
        "{text}"
    );
}

#[test]
fn another_protocol_on_the_port_is_found_with_the_size_that_a_broker_sees() {
    let mut traffic = sound();
    traffic.send(
        4,
        Direction::Request,
        b"GET /metrics HTTP/1.1\r\nHost: broker\r\n\r\n",
    );
    let found = traffic.json(&["check"]);
    let expected = "warning not-kafka HTTP from 10.0.0.4 to 10.0.1.1:9092 1";
    assert_eq!(brief(&found), [expected]);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("a size of 1195725856"), "{message}");
}

/// Its greeting is read by the client, and no broker takes it for a size.
#[test]
fn where_the_server_speaks_first_no_size_is_told() {
    let mut traffic = sound();
    let greeting = b"\x4a\0\0\0\x0a8.0.36\0\x08\0\0\0abcdefgh\0\xff\xff\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0";
    traffic.send(4, Direction::Response, greeting);
    let found = traffic.json(&["check"]);
    let message = found[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("others speak Kafka on that port"),
        "{message}"
    );
    assert!(!message.contains("size"), "{message}");
}

#[test]
fn the_header_of_a_proxy_names_the_client() {
    let mut traffic = sound();
    let header = b"PROXY TCP4 192.0.2.1 10.0.1.1 50000 9092\r\n";
    traffic.send(4, Direction::Request, header);
    let values = json!({"GroupId": "g"});
    traffic.exchange(4, "app", ("Heartbeat", 4), &values, &json!({}));
    let found = traffic.json(&["check"]);
    assert_eq!(brief(&found), ["note proxied 10.0.0.4 1"]);
    assert_eq!(found[0]["connections"], json!([2]));
    let rows = traffic.json(&["list", "--filter", "proxied_client != null"]);
    let of = |name: &str| rows[0][name].as_str().unwrap();
    assert_eq!((rows.len(), of("api")), (1, "Heartbeat"));
    assert_eq!(of("proxied_client"), "192.0.2.1:50000");
}

#[test]
fn a_link_type_that_is_not_known_is_told() {
    let mut file = sound().file();
    file[20..24].copy_from_slice(&147u32.to_le_bytes());
    let told = "packet 1 has link type 147 (reserved for private use), which is not known; packets of it \
                are passed over";
    let list = kafscope(&["list", "-"], &file);
    assert_eq!(list.status, 1);
    assert!(list.stderr.contains(told), "{}", list.stderr);
    let check = kafscope(&["check", "-"], &file);
    assert!(check.stdout.contains(told), "{}", check.stdout);
}

#[test]
fn sizes_that_differ_are_told_each() {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/tests/data/captures/rst_abort_tansu.pcap.zst");
    let text = kafscope(&["check", &path], "").stdout;
    for said in [
        "for sizes of 2039703296, -5 and 2147483647 (3 times: connections 4, 7, 8)",
        "for a size of 1195725856 (connection 5)",
        "in 16 exchanges on 5 connections; 5 connections without exchanges",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// A Metadata request of 45 bytes that is cut after 20 of them.
fn cut(traffic: &mut Traffic) {
    let frame = [
        &[0, 0, 0, 41, 0, 3, 0, 1, 0, 0, 0, 99, 0, 3][..],
        b"app",
        &[0, 0, 0],
    ]
    .concat();
    traffic.send(1, Direction::Request, &frame);
}

#[test]
fn a_connection_that_ends_inside_a_message_is_no_fault_of_the_capture() {
    let said = |ends: &[(Direction, Sign)], lost: u32| -> String {
        let mut traffic = sound();
        cut(&mut traffic);
        if lost > 0 {
            traffic.lose(1, Direction::Request, lost);
        }
        for &(direction, sign) in ends {
            traffic.close(1, direction, sign);
        }
        let shown = traffic.run(&["show", "--filter", "n == 3"]);
        let listed = traffic.run(&["list"]).stdout;
        let checked = traffic.run(&["check"]).stdout;
        format!("{}{}{listed}{checked}", shown.stdout, shown.stderr)
    };
    for (ends, who) in [
        (
            &[(Direction::Request, Sign::Fin)][..],
            "the client closed it",
        ),
        (
            &[(Direction::Request, Sign::Reset)],
            "the client aborted it",
        ),
        (
            &[(Direction::Response, Sign::Reset)],
            "the broker aborted it",
        ),
        (
            &[
                (Direction::Response, Sign::Fin),
                (Direction::Response, Sign::Reset),
            ],
            "the broker aborted it",
        ),
    ] {
        let text = said(ends, 0);
        let expected = format!("the connection ended after 20 of 45 bytes: {who}");
        assert!(text.contains(&expected), "{text}");
        assert!(text.contains("the connection ended inside it"), "{text}");
        assert!(text.contains("  connection ended"), "{text}");
    }
    for (ends, lost) in [
        (&[][..], 0),
        (&[(Direction::Response, Sign::Fin)], 0),
        (&[(Direction::Request, Sign::Fin)], 25),
        (&[(Direction::Request, Sign::Reset)], 25),
    ] {
        let text = said(ends, lost);
        assert!(
            text.contains("the last 25 bytes were not captured"),
            "{text}"
        );
        assert!(
            text.contains("the capture does not hold all of it"),
            "{text}"
        );
        assert!(text.contains("  bytes missing"), "{text}");
    }
}

#[test]
fn a_broker_that_closes_the_connection_is_said_to() {
    let said = |api: (&str, i16), closes: Direction| -> String {
        let mut traffic = sound();
        traffic.ask(1, "app", api, &json!({}));
        let other = match closes {
            Direction::Request => Direction::Response,
            Direction::Response => Direction::Request,
        };
        traffic.close(1, closes, Sign::Fin);
        traffic.close(1, other, Sign::Fin);
        traffic.run(&["check"]).stdout
    };
    let text = said(("ApiVersions", 3), Direction::Response);
    assert!(
        text.contains("no answer: the broker closed the connection, as those before 0.10"),
        "{text}"
    );
    let text = said(("Metadata", 9), Direction::Response);
    assert!(
        text.contains("no answer: the broker closed the connection (exchange 3)"),
        "{text}"
    );
    let text = said(("Metadata", 9), Direction::Request);
    assert!(!text.contains("the broker closed"), "{text}");
}

#[test]
fn real_captures_have_the_findings_that_they_were_made_for() {
    let kinds = |name: &str| -> Vec<String> {
        let path = format!(
            "{}/tests/data/captures/{name}.zst",
            env!("CARGO_MANIFEST_DIR")
        );
        let found = lines(&kafscope(&["check", "--json", &path], ""));
        let mut kinds: Vec<String> = brief(&found)
            .iter()
            .map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" "))
            .collect();
        kinds.dedup();
        kinds
    };
    let has = |name: &str, expected: &[&str]| {
        let kinds = kinds(name);
        for kind in expected {
            assert!(
                kinds.iter().any(|found| found == kind),
                "{name}: {kind} in {kinds:?}"
            );
        }
    };
    has(
        "snaplen200_tansu.pcap",
        &["warning snap-cut", "note incomplete"],
    );
    has(
        "rst_abort_tansu.pcap",
        &[
            "warning unknown-api",
            "warning unknown-version",
            "warning not-kafka",
        ],
    );
    has("midstream_tansu.pcap", &["note unexpected-response"]);
    has("kafka0822_cluster.pcap", &["warning removed-version"]);
    // Its broker answers produce requests that ask for no answer, which those of Kafka do not.
    let clean = kinds("full_same_as_snaplen.pcap");
    assert_eq!(
        clean,
        ["warning unexpected-response", "note error-response"]
    );
}
