//! `stats --groups` and `stats --transactions` on traffic made for them.

use serde_json::{Value as Json, json};

use crate::{
    payload::{encoded, hex},
    traffic::{Asked, Traffic, values},
};

fn assignment(topic: &str, partitions: &[i32]) -> String {
    let values = json!({"AssignedPartitions": [{"Topic": topic, "Partitions": partitions}]});
    let body = encoded("ConsumerProtocolAssignment", 0, &values);
    hex(&[&[0, 0], &body[..]].concat())
}

fn subscription(topic: &str) -> String {
    let body = encoded(
        "ConsumerProtocolSubscription",
        0,
        &json!({"Topics": [topic]}),
    );
    hex(&[&[0, 0], &body[..]].concat())
}

/// A member asks to join, with a session of two seconds.
fn asks(traffic: &mut Traffic, connection: u8, member: &str) -> Asked {
    let request = json!({"GroupId": "g", "SessionTimeoutMs": 2000, "RebalanceTimeoutMs": 2000,
        "MemberId": member, "ProtocolType": "consumer", "Reason": "because",
        "Protocols": [{"Name": "range", "Metadata": subscription("orders")}]});
    traffic.ask(connection, "app", ("JoinGroup", 9), &request)
}

/// The answer: the first of the members is the leader, and is told who they are.
fn joins(traffic: &mut Traffic, asked: &Asked, generation: i32, member: &str, all: &[&str]) {
    let listed: Vec<Json> = match all[0] == member {
        true => all.iter().map(|id| json!({"MemberId": id})).collect(),
        false => Vec::new(),
    };
    let response = json!({"GenerationId": generation, "ProtocolType": "consumer",
        "ProtocolName": "range", "Leader": all[0], "MemberId": member, "Members": listed});
    traffic.answer(asked, &response);
}

fn syncs(traffic: &mut Traffic, connection: u8, generation: i32, member: &str, to: &[i32]) {
    let request = json!({"GroupId": "g", "GenerationId": generation, "MemberId": member});
    let response = json!({"Assignment": assignment("orders", to)});
    traffic.exchange(connection, "app", ("SyncGroup", 3), &request, &response);
}

fn beats(traffic: &mut Traffic, connection: u8, generation: i32, member: &str, error: i16) {
    let request = json!({"GroupId": "g", "GenerationId": generation, "MemberId": member});
    let response = json!({"ErrorCode": error});
    traffic.exchange(connection, "app", ("Heartbeat", 4), &request, &response);
}

/// Two members; the second falls silent, the first leaves.
fn classic() -> Traffic {
    let mut traffic = Traffic::new();
    let request = json!({"CoordinatorKeys": ["g"]});
    let response = json!({"Coordinators": [
        {"Key": "g", "NodeId": 3, "Host": "10.0.1.1", "Port": 9092}]});
    traffic.exchange(1, "app", ("FindCoordinator", 4), &request, &response);
    let asked = asks(&mut traffic, 1, "");
    traffic.answer(&asked, &json!({"ErrorCode": 79, "MemberId": "a"}));
    let first = asks(&mut traffic, 1, "a");
    traffic.wait(1_000_000);
    let second = asks(&mut traffic, 2, "b");
    traffic.wait(2_000_000);
    joins(&mut traffic, &first, 1, "a", &["a", "b"]);
    joins(&mut traffic, &second, 1, "b", &["a", "b"]);
    syncs(&mut traffic, 1, 1, "a", &[0, 1, 2]);
    syncs(&mut traffic, 2, 1, "b", &[5, 3]);
    for _ in 0..2 {
        traffic.wait(1_500_000);
        beats(&mut traffic, 1, 1, "a", 0);
    }
    // The broker drops b after two seconds, and tells a.
    for _ in 0..3 {
        beats(&mut traffic, 1, 1, "a", 27);
    }
    let again = asks(&mut traffic, 1, "a");
    joins(&mut traffic, &again, 2, "a", &["a"]);
    syncs(&mut traffic, 1, 2, "a", &[0, 1, 2, 3, 5]);
    let commit = json!({"GroupId": "g", "GenerationIdOrMemberEpoch": 1, "MemberId": "b", "Topics": [
        {"Name": "orders", "Partitions": [{"PartitionIndex": 3}]}]});
    let refused = json!({"Topics": [
        {"Name": "orders", "Partitions": [{"PartitionIndex": 3, "ErrorCode": 25}]}]});
    traffic.exchange(2, "app", ("OffsetCommit", 8), &commit, &refused);
    let leave = json!({"GroupId": "g", "Members": [{"MemberId": "a", "Reason": "shut\u{7}down"}]});
    let response = json!({"Members": [{"MemberId": "a"}]});
    traffic.exchange(1, "app", ("LeaveGroup", 5), &leave, &response);
    traffic
}

#[test]
fn a_classic_group_is_told_from_the_first_request_to_the_last() {
    let lines = classic().json(&["stats", "--groups"]);
    let group = &lines[0];
    assert_eq!(
        (&group["group"], &group["kind"]),
        (&json!("g"), &json!("classic"))
    );
    assert_eq!(group["protocol_type"], "consumer");
    let coordinator = json!([{"address": "10.0.1.1:9092", "node": 3}]);
    assert_eq!(group["coordinators"], coordinator);
    assert_eq!(
        (&group["heartbeats"], &group["commits"]),
        (&json!(5), &json!(1))
    );
    let member = &group["members"][1];
    assert_eq!(member["member_id"], "b");
    assert_eq!(
        (&member["address"], &member["topics"]),
        (&json!("10.0.0.2"), &json!(["orders"]))
    );
    let epoch = &group["epochs"][0];
    assert_eq!(
        (&epoch["epoch"], &epoch["leader"]),
        (&json!(1), &json!("a"))
    );
    assert_eq!(epoch["members"], json!(["a", "b"]));
    // From the first request, three seconds before the answers, to the second assignment.
    assert_eq!(epoch["rebalance_ms"], 3003.0);
    let events: Vec<String> = values(&lines, "group-event", "event")
        .into_iter()
        .zip(values(&lines, "group-event", "member_id"))
        .map(|(event, member)| {
            let member = member.as_str().unwrap_or("-");
            format!("{member} {}", event.as_str().unwrap())
        })
        .collect();
    let expected = [
        "a named",
        "- began",
        "a joined",
        "b joined",
        "a assigned",
        "b assigned",
        "a error",
        "- began",
        "a joined",
        "b gone",
        "a assigned",
        "b error",
        "a left",
    ];
    assert_eq!(events, expected);
    let event = |kind: &str, nth: usize| {
        let mut of = lines.iter().filter(|line| line["event"] == *kind);
        of.nth(nth).unwrap().clone()
    };
    assert_eq!(event("joined", 0)["waited_ms"], 3000.0);
    assert_eq!(event("joined", 0)["leader"], true);
    assert_eq!(
        event("assigned", 1)["assignment"],
        json!([
        {"topic": "orders", "partitions": [3, 5]}])
    );
    assert_eq!(event("error", 0)["error"], "REBALANCE_IN_PROGRESS");
    assert_eq!(event("error", 0)["count"], 3);
    assert_eq!(event("error", 1)["error"], "UNKNOWN_MEMBER_ID");
    assert_eq!(event("gone", 0)["session_timeout_ms"], 2000);
    assert_eq!(event("left", 0)["reason"], "shut\u{7}down");

    let text = classic().run(&["stats", "--groups"]).stdout;
    for part in [
        "member 2 is out without leaving: its session of 2.00 s timed out, it seems",
        "member 1 gets orders 0-3,5 in generation 2",
        "member 1 gets REBALANCE_IN_PROGRESS to Heartbeat, 3 times until",
        "member 1 leaves, because: shut\\u{7}down",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_member_without_a_byte_of_assignment_is_told_so() {
    let mut traffic = Traffic::new();
    let asked = asks(&mut traffic, 1, "a");
    joins(&mut traffic, &asked, 1, "a", &["a"]);
    let request = json!({"GroupId": "g", "GenerationId": 1, "MemberId": "a"});
    for assignment in ["", "ff"] {
        let response = json!({"Assignment": assignment});
        traffic.exchange(1, "app", ("SyncGroup", 3), &request, &response);
    }
    asks(&mut traffic, 1, "a");
    let lines = traffic.json(&["stats", "--groups"]);
    let assigned: Vec<&Json> = lines
        .iter()
        .filter(|line| line["event"] == "assigned")
        .map(|line| &line["assignment"])
        .collect();
    assert_eq!(assigned, [&json!([]), &Json::Null]);
    let text = traffic.run(&["stats", "--groups"]).stdout;
    for said in [
        "gets an empty assignment in generation 1",
        "gets its assignment in generation 1",
        "asks to join, because: because; the capture has no answer",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn a_member_that_left_is_not_gone() {
    let mut traffic = Traffic::new();
    for (connection, member) in [(1, "a"), (2, "b")] {
        let asked = asks(&mut traffic, connection, member);
        joins(&mut traffic, &asked, 1, member, &["a", "b"]);
    }
    let leave = json!({"GroupId": "g", "Members": [{"MemberId": "a"}, {"MemberId": "b"}]});
    // One of the two stays: the coordinator does not know it by that name.
    let response = json!({"Members": [{"MemberId": "a", "ErrorCode": 25}, {"MemberId": "b"}]});
    traffic.exchange(2, "app", ("LeaveGroup", 4), &leave, &response);
    traffic.wait(9_000_000);
    let asked = asks(&mut traffic, 1, "a");
    joins(&mut traffic, &asked, 2, "a", &["a"]);
    let lines = traffic.json(&["stats", "--groups"]);
    let events = values(&lines, "group-event", "event");
    let members = values(&lines, "group-event", "member_id");
    let of = |event: &str| -> Vec<&Json> {
        let all = events.iter().zip(&members);
        let of = all.filter(|(found, _)| **found == event);
        of.map(|(_, member)| *member).collect()
    };
    assert_eq!(of("left"), ["b"]);
    assert_eq!(of("error"), ["a"]);
    assert!(of("gone").is_empty(), "{events:?}");
}

#[test]
fn groups_of_heartbeats_move_from_epoch_to_epoch() {
    let id = "0f0e0d0c-0b0a-0908-0706-050403020100";
    let mut traffic = Traffic::new();
    let response = json!({"Topics": [{"Name": "orders", "TopicId": id}]});
    traffic.exchange(
        1,
        "app",
        ("Metadata", 12),
        &json!({"Topics": []}),
        &response,
    );
    let beat =
        |traffic: &mut Traffic, connection, member: &str, epoch: i32, to: i32, parts: Json| {
            let request = json!({"GroupId": "k", "MemberId": member, "MemberEpoch": epoch,
            "SubscribedTopicNames": ["orders"]});
            let assignment = match parts.is_null() {
                true => Json::Null,
                false => json!({"TopicPartitions": [{"TopicId": id, "Partitions": parts}]}),
            };
            let response = json!({"MemberId": member, "MemberEpoch": to, "Assignment": assignment});
            let api = ("ConsumerGroupHeartbeat", 1);
            traffic.exchange(connection, "app", api, &request, &response);
        };
    beat(&mut traffic, 1, "a", 0, 1, json!([0, 1, 2]));
    beat(&mut traffic, 1, "a", 1, 1, Json::Null);
    beat(&mut traffic, 2, "b", 0, 2, json!([]));
    beat(&mut traffic, 1, "a", 1, 2, json!([0, 1]));
    // Nothing is heard of b for 50 seconds.
    traffic.wait(50_000_000);
    beat(&mut traffic, 1, "a", 2, 3, json!([0, 1, 2]));
    beat(&mut traffic, 1, "a", -1, -1, Json::Null);
    let request = json!({"GroupId": "s", "MemberId": "m", "MemberEpoch": 0});
    let response = json!({"MemberId": "m", "MemberEpoch": 4, "ActiveTasks": [
        {"SubtopologyId": "0", "Partitions": [2, 1]}], "StandbyTasks": [], "WarmupTasks": []});
    let api = ("StreamsGroupHeartbeat", 0);
    traffic.exchange(3, "streams", api, &request, &response);
    let fenced = json!({"ErrorCode": 110});
    let request = json!({"GroupId": "s", "MemberId": "m", "MemberEpoch": 4});
    traffic.exchange(3, "streams", api, &request, &fenced);

    let lines = traffic.json(&["stats", "--groups"]);
    let of = |group: &str| -> Vec<String> {
        let events = lines.iter().filter(|line| line["type"] == "group-event");
        let events = events.filter(|line| line["group"] == *group);
        let events = events.map(|line| {
            let member = line["member_id"].as_str().unwrap_or("-");
            format!(
                "{member} {} {}",
                line["event"].as_str().unwrap(),
                line["epoch"]
            )
        });
        events.collect()
    };
    let expected = [
        "- began 1",
        "a joined 1",
        "- began 2",
        "b joined 2",
        "a moved 2",
        "b gone null",
        "- began 3",
        "a moved 3",
        "a left null",
    ];
    assert_eq!(of("k"), expected);
    assert_eq!(of("s"), ["- began 4", "m joined 4", "m error null"]);
    let text = traffic.run(&["stats", "--groups"]).stdout;
    for part in [
        "member 1 joins epoch 1 and gets orders 0-2",
        "member 1 goes from epoch 1 to 2 and gets orders 0-1",
        "joins epoch 4 and gets subtopology 0 1-2",
        "gets FENCED_MEMBER_EPOCH to StreamsGroupHeartbeat",
        "member 2 is silent for 45.00 s",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A transactional producer: what it writes is in `partitions` of `orders`.
fn adds(traffic: &mut Traffic, epoch: i16, error: i16) {
    let request = json!({"V3AndBelowTransactionalId": "t", "V3AndBelowProducerId": 9,
        "V3AndBelowProducerEpoch": epoch,
        "V3AndBelowTopics": [{"Name": "orders", "Partitions": [0, 1]}]});
    let response = json!({"ResultsByTopicV3AndBelow": [{"Name": "orders", "ResultsByPartition": [
        {"PartitionIndex": 0, "PartitionErrorCode": error}, {"PartitionIndex": 1}]}]});
    traffic.exchange(1, "p", ("AddPartitionsToTxn", 3), &request, &response);
}

fn writes(
    traffic: &mut Traffic,
    id: Option<&str>,
    (producer, epoch): (i64, i16),
    from: i32,
    n: usize,
    error: i16,
) {
    let attributes = if id.is_some() { 0x10 } else { 0 };
    let records = json!([{"attributes": attributes, "producer_id": producer,
        "producer_epoch": epoch, "base_sequence": from, "records": vec![json!({"value": "61"}); n]}]);
    let request = json!({"TransactionalId": id, "Acks": -1, "TopicData": [
        {"Name": "orders", "PartitionData": [{"Index": 0, "Records": records}]}]});
    let response = json!({"Responses": [{"Name": "orders", "PartitionResponses": [
        {"Index": 0, "ErrorCode": error}]}]});
    traffic.exchange(1, "p", ("Produce", 9), &request, &response);
}

fn ends(traffic: &mut Traffic, epoch: i16, commits: bool, error: i16) {
    let request = json!({"TransactionalId": "t", "ProducerId": 9, "ProducerEpoch": epoch,
        "Committed": commits});
    traffic.exchange(
        1,
        "p",
        ("EndTxn", 3),
        &request,
        &json!({"ErrorCode": error}),
    );
}

fn initialises(traffic: &mut Traffic, epoch: i16) {
    let request = json!({"TransactionalId": "t", "TransactionTimeoutMs": 5000});
    let response = json!({"ProducerId": 9, "ProducerEpoch": epoch});
    traffic.exchange(1, "p", ("InitProducerId", 4), &request, &response);
}

#[test]
fn transactions_have_a_beginning_and_an_outcome() {
    let mut traffic = Traffic::new();
    initialises(&mut traffic, 0);
    adds(&mut traffic, 0, 51);
    adds(&mut traffic, 0, 51);
    adds(&mut traffic, 0, 0);
    writes(&mut traffic, Some("t"), (9, 0), 0, 2, 0);
    writes(&mut traffic, Some("t"), (9, 0), 2, 3, 0);
    ends(&mut traffic, 0, true, 0);
    // The same again, as after an answer that was lost.
    ends(&mut traffic, 0, true, 0);
    let markers = json!({"Markers": [{"ProducerId": 9, "ProducerEpoch": 0, "TransactionResult": true,
        "Topics": [{"Name": "orders", "PartitionIndexes": [1, 0]}]}]});
    traffic.exchange(
        3,
        "broker",
        ("WriteTxnMarkers", 1),
        &markers,
        &json!({"Markers": []}),
    );
    let offsets =
        json!({"TransactionalId": "t", "GroupId": "g", "ProducerId": 9, "ProducerEpoch": 0});
    traffic.exchange(1, "p", ("AddOffsetsToTxn", 3), &offsets, &json!({}));
    ends(&mut traffic, 0, false, 0);
    let control = json!([{"base_offset": 5, "attributes": 0x30, "producer_id": 9,
        "producer_epoch": 0, "records": [{"key": "00000001", "value": "000000000000"}]}]);
    let fetch = json!({"Topics": [{"Topic": "orders", "Partitions": [{"Partition": 0}]}]});
    let fetched = json!({"Responses": [{"Topic": "orders", "Partitions": [
        {"PartitionIndex": 0, "Records": control}]}]});
    for _ in 0..2 {
        traffic.exchange(2, "c", ("Fetch", 12), &fetch, &fetched);
    }
    adds(&mut traffic, 0, 0);
    initialises(&mut traffic, 1);
    adds(&mut traffic, 1, 0);
    ends(&mut traffic, 1, true, 90);
    initialises(&mut traffic, 2);
    adds(&mut traffic, 2, 0);

    let lines = traffic.json(&["stats", "--transactions"]);
    let own = &lines[0];
    assert_eq!(
        (&own["transactional_id"], &own["timeout_ms"]),
        (&json!("t"), &json!(5000))
    );
    let outcomes: Vec<&Json> = own["transactions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|transaction| &transaction["outcome"])
        .collect();
    assert_eq!(
        outcomes,
        ["committed", "aborted", "replaced", "fenced", "open"]
    );
    let first = &own["transactions"][0];
    assert_eq!(
        (&first["records"], &first["batches"]),
        (&json!(5), &json!(2))
    );
    assert_eq!(
        first["partitions"],
        json!([
        {"topic": "orders", "partition": 0}, {"topic": "orders", "partition": 1}])
    );
    // Four exchanges of two milliseconds, the last one up to its answer.
    assert_eq!(first["duration_ms"], 7.0);
    assert_eq!(own["transactions"][1]["groups"], json!(["g"]));
    assert_eq!(own["transactions"][4]["ended"], Json::Null);
    let events = values(&lines, "transaction-event", "event");
    let expected = [
        "initialised",
        "error",
        "partitions-added",
        "produced",
        "ended",
        "ended",
        "markers-written",
        "group-added",
        "ended",
        "marker-fetched",
        "partitions-added",
        "initialised",
        "partitions-added",
        "error",
        "initialised",
        "partitions-added",
    ];
    assert_eq!(events, expected);
    let errors: Vec<(&Json, &Json)> = lines
        .iter()
        .filter(|line| line["event"] == "error")
        .map(|line| (&line["error"], &line["count"]))
        .collect();
    let (concurrent, fenced) = (json!("CONCURRENT_TRANSACTIONS"), json!("PRODUCER_FENCED"));
    assert_eq!(errors, [(&concurrent, &json!(2)), (&fenced, &json!(1))]);
    let marker = lines
        .iter()
        .find(|line| line["event"] == "marker-fetched")
        .unwrap();
    assert_eq!(
        (&marker["commit"], &marker["offset"]),
        (&json!(true), &json!(5))
    );
    assert_eq!(values(&lines, "producer", "markers_fetched"), [&json!(1)]);
}

#[test]
fn sequences_of_an_idempotent_producer_are_followed() {
    let mut traffic = Traffic::new();
    writes(&mut traffic, None, (4, 0), i32::MAX - 1, 2, 0);
    // Behind the largest number comes zero.
    writes(&mut traffic, None, (4, 0), 0, 3, 0);
    writes(&mut traffic, None, (4, 0), 0, 3, 0);
    writes(&mut traffic, None, (4, 0), 3, 1, 7);
    writes(&mut traffic, None, (4, 0), 3, 1, 0);
    writes(&mut traffic, None, (4, 0), 9, 1, 0);
    writes(&mut traffic, None, (4, 1), 0, 1, 0);
    let lines = traffic.json(&["stats", "--transactions"]);
    let [producer] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(producer["transactional_id"], Json::Null);
    let faults: Vec<String> = producer["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| format!("{} {}", fault["n"], fault["fault"].as_str().unwrap()))
        .collect();
    assert_eq!(faults, ["3 again", "4 refused", "6 gap"]);
    assert_eq!(producer["faults"][2]["expected"], 4);
    let sequence = &producer["sequences"][0];
    assert_eq!(
        (&sequence["last_sequence"], &sequence["records"]),
        (&json!(9), &json!(7))
    );
    assert_eq!(producer["sequences"][1]["producer_epoch"], 1);
    let text = traffic.run(&["stats", "--transactions"]).stdout;
    assert!(
        text.contains("sequence goes on at 9, 4 was expected"),
        "{text}"
    );
    // Nothing of the kind is nothing found.
    let run = Traffic::new();
    assert_eq!(run.run(&["stats", "--groups"]).status, 1);
}
