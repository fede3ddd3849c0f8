//! Names of topic ids and addresses of node ids, from wherever in a capture they were seen.

use etherparse::PacketBuilder;
use kafscope::{
    encode::{body, request_frame, response_frame, smallest},
    render::{Cut, Wording, columns},
    schema::{ApiKey, Catalogue, Direction},
    session::{Capture, Digest, Options, Session},
    tree::Tree,
};
use serde_json::{Value as Json, json};

use crate::{
    batches::Batch,
    payload::{decoded, encoded, hex, plan},
};

const OFFSETS: &str = "0f0e0d0c-0b0a-0908-0706-050403020100";
const ORDERS: &str = "1f1e1d1c-1b1a-1918-1716-151413121110";
const LOG: &str = "00000000-0000-0000-0000-000000000001";

/// A capture of connections to one server, in which messages follow each other.
#[derive(Default)]
pub(crate) struct Traffic {
    packets: Vec<u8>,
    n_packets: u32,
    /// Where the last one starts.
    last_packet: usize,
    /// Bytes sent by client and server, by connection.
    sent: [[u32; 2]; 4],
}

impl Traffic {
    /// An exchange on a connection.
    pub(crate) fn exchange(
        mut self,
        connection: usize,
        api: &str,
        version: i16,
        request: &Json,
        response: &Json,
    ) -> Traffic {
        let catalogue = Catalogue::current();
        let api = ApiKey::parse(api).unwrap();
        let encoded = |direction, values| {
            body(catalogue.api_plan(api, direction, version).unwrap(), values).unwrap()
        };
        let id = self.n_packets as i32;
        let request = encoded(Direction::Request, request);
        let request = request_frame(catalogue, api, version, id, Some("c"), &request);
        self.packet(connection, 0, &request);
        let response = encoded(Direction::Response, response);
        let response = response_frame(catalogue, api, version, id, &response);
        self.packet(connection, 1, &response);
        self
    }

    /// Adds a zero to the message in the last packet, which has a header of 54 bytes.
    fn lengthen(&mut self) {
        let at = self.last_packet;
        let message = self.packets[at + 16 + 54..].to_vec();
        let size = u32::from_be_bytes(*message.first_chunk().unwrap()) + 1;
        let message = [&size.to_be_bytes(), &message[4..], &[0]].concat();
        self.packets.truncate(at);
        let sent = &mut self.sent[0][1];
        *sent -= message.len() as u32 - 1;
        self.n_packets -= 1;
        self.packet(0, 1, &message);
    }

    fn packet(&mut self, connection: usize, side: usize, payload: &[u8]) {
        let client = ([10, 0, 0, 1], 40_000 + connection as u16);
        let server = ([10, 0, 0, 2], 9092);
        let ((from, from_port), (to, to_port)) = match side {
            0 => (client, server),
            _ => (server, client),
        };
        let sent = &mut self.sent[connection];
        let mut packet = Vec::new();
        PacketBuilder::ethernet2([2; 6], [4; 6])
            .ipv4(from, to, 64)
            .tcp(from_port, to_port, sent[side], 65_535)
            .ack(sent[1 - side])
            .write(&mut packet, payload)
            .unwrap();
        sent[side] += payload.len() as u32;
        let len = packet.len() as u32;
        self.last_packet = self.packets.len();
        for word in [self.n_packets, 0, len, len] {
            self.packets.extend(word.to_le_bytes());
        }
        self.packets.extend(packet);
        self.n_packets += 1;
    }

    pub(crate) fn open(self) -> Session {
        let head = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 0x0004_0000, 1];
        let mut file: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
        file.extend(self.packets);
        let capture = Capture::from_bytes(vec![file]).unwrap();
        let session = Session::new(capture, Options::default());
        session.run(&mut Digest::new(Catalogue::current()));
        session
    }
}

pub(crate) fn opened(session: &Session, n: usize, direction: Direction) -> Tree {
    let exchange = session.index().exchange(n).unwrap();
    session
        .open_message(Catalogue::current(), &exchange, direction)
        .unwrap()
        .tree
}

/// The value at a path as the tree shows it.
fn shown(tree: &Tree, path: &str) -> String {
    let id = tree
        .nodes()
        .filter(|&id| tree.value(id).is_some())
        .find(|&id| tree.path(id) == path)
        .unwrap_or_else(|| panic!("no {path}"));
    columns(tree, id, Wording::Counted, Cut::Wide)
        .unwrap()
        .value
        .unwrap()
}

/// A batch with the commit of an offset.
fn commit() -> Vec<u8> {
    let key = [&[0, 1], &smallest(plan("OffsetCommitKey", 0))[..]].concat();
    let value = [&[0, 3], &smallest(plan("OffsetCommitValue", 3))[..]].concat();
    Batch::new(0, 0)
        .record(0, Some(&key), Some(&value), &[])
        .bytes()
}

fn fetched(topic: &str, records: &[u8]) -> (Json, Json) {
    (
        json!({"ReplicaId": -1, "Topics": [{"TopicId": topic, "Partitions": []}]}),
        json!({"Responses": [{"TopicId": topic, "Partitions": [
            {"CurrentLeader": {"LeaderId": 3, "LeaderEpoch": 1}, "Records": hex(records)}]}]}),
    )
}

fn metadata(id: i32, host: &str, topic: &str, name: &str) -> Json {
    json!({
        "Brokers": [{"NodeId": id, "Host": host, "Port": 9092}],
        "ControllerId": id,
        "Topics": [{"Name": name, "TopicId": topic, "Partitions": [
            {"LeaderId": id, "ReplicaNodes": [id, 9]}]}],
    })
}

#[test]
fn names_are_known_in_the_whole_capture() {
    let (request, response) = fetched(OFFSETS, &commit());
    let session = Traffic::default()
        .exchange(0, "Fetch", 13, &request, &response)
        .exchange(
            1,
            "Metadata",
            12,
            &json!({"Topics": null}),
            &metadata(3, "kafka-3", OFFSETS, "__consumer_offsets"),
        )
        .exchange(
            2,
            "Metadata",
            12,
            &json!({"Topics": null}),
            &metadata(3, "\u{202e}moved", ORDERS, "orders"),
        )
        .open();
    let tree = opened(&session, 1, Direction::Request);
    let id = format!("{OFFSETS} (Dw4NDAsKCQgHBgUEAwIBAA, __consumer_offsets)");
    assert_eq!(shown(&tree, "Topics[0].TopicId"), id);
    assert_eq!(shown(&tree, "ReplicaId"), "-1 (consumer)");
    let tree = opened(&session, 1, Direction::Response);
    assert_eq!(shown(&tree, "Responses[0].TopicId"), id);
    let leader = "Responses[0].Partitions[0].CurrentLeader.LeaderId";
    // Both addresses, and nothing that would turn the terminal's text.
    assert_eq!(
        shown(&tree, leader),
        "3 (kafka-3:9092, \\u{202e}moved:9092)"
    );
    // Records of a topic whose name is known are read.
    let key = "Responses[0].Partitions[0].Records[0].records[0].key";
    let ty = tree
        .nodes()
        .find(|&id| tree.path(id) == key)
        .and_then(|id| columns(&tree, id, Wording::Counted, Cut::Wide))
        .map(|columns| columns.ty);
    assert_eq!(ty.as_deref(), Some("OffsetCommitKey"));
    // What the message says itself goes before what others say.
    let tree = opened(&session, 3, Direction::Response);
    assert_eq!(shown(&tree, "ControllerId"), "3 (\\u{202e}moved:9092)");
    let replica = "Topics[0].Partitions[0].ReplicaNodes[1]";
    assert_eq!(shown(&tree, replica), "9");
}

#[test]
fn records_of_the_metadata_log_name_topics_and_nodes() {
    let framed = |ty: u8, version: u8, name: &str, values: &Json| {
        let body = encoded(name, version.into(), values);
        [&[1, ty, version], &body[..]].concat()
    };
    let topic = framed(
        2,
        0,
        "TopicRecord",
        &json!({"Name": "orders", "TopicId": ORDERS}),
    );
    let broker = framed(
        0,
        3,
        "RegisterBrokerRecord",
        &json!({"BrokerId": 3, "EndPoints": [
            {"Name": "PLAINTEXT", "Host": "kafka-3", "Port": 9092},
            {"Name": "TLS", "Host": "kafka-3", "Port": 9093}]}),
    );
    let batch = Batch::new(0, 0)
        .record(0, None, Some(&topic), &[])
        .record(0, None, Some(&broker), &[])
        .bytes();
    let (request, log) = fetched(LOG, &batch);
    let (_, empty) = fetched(ORDERS, &[]);
    let session = Traffic::default()
        .exchange(0, "Fetch", 13, &request, &log)
        .exchange(1, "Fetch", 13, &request, &empty)
        .open();
    let index = session.index();
    let topics: Vec<Vec<&str>> = index
        .exchanges()
        .map(|exchange| index.topics(&exchange).collect())
        .collect();
    // The log's own name is no news, and what its records name is no topic of the exchange.
    assert_eq!(topics, [vec![], vec!["orders"]]);
    drop(index);
    let tree = opened(&session, 2, Direction::Response);
    assert!(shown(&tree, "Responses[0].TopicId").ends_with(", orders)"));
    assert_eq!(
        shown(&tree, "Responses[0].Partitions[0].CurrentLeader.LeaderId"),
        "3 (kafka-3:9092, kafka-3:9093)"
    );
}

/// Brokers exist whose every Metadata response has a byte too many.
#[test]
fn names_before_the_first_fault_of_a_message_count() {
    let (request, _) = fetched(ORDERS, &[]);
    let mut traffic = Traffic::default().exchange(
        0,
        "Metadata",
        12,
        &json!({"Topics": null}),
        &metadata(3, "kafka-3", ORDERS, "orders"),
    );
    // Makes the response, which the last packet holds alone, a byte longer.
    traffic.lengthen();
    let session = traffic
        .exchange(1, "Fetch", 13, &request, &json!({}))
        .open();
    let index = session.index();
    assert_eq!(index.exchange(1).unwrap().problems, 1);
    let fetch = index.exchange(2).unwrap();
    assert_eq!(index.topics(&fetch).collect::<Vec<_>>(), ["orders"]);
}

#[test]
fn a_message_by_itself_knows_what_it_says() {
    let bytes = encoded(
        "MetadataResponse",
        12,
        &metadata(3, "kafka-3", ORDERS, "orders"),
    );
    let (tree, _) = decoded("MetadataResponse", 12, &bytes);
    let leader = "Topics[0].Partitions[0].LeaderId";
    assert_eq!(shown(&tree, leader), "3 (kafka-3:9092)");
    assert!(shown(&tree, "Topics[0].TopicId").ends_with(", orders)"));
    // Addresses that come behind all that they are of.
    let values = json!({
        "Responses": [{"TopicId": ORDERS, "Partitions": [
            {"CurrentLeader": {"LeaderId": 3, "LeaderEpoch": 1}}]}],
        "NodeEndpoints": [{"NodeId": 3, "Host": "::1", "Port": 9092}],
    });
    let (tree, _) = decoded("FetchResponse", 16, &encoded("FetchResponse", 16, &values));
    let leader = "Responses[0].Partitions[0].CurrentLeader.LeaderId";
    assert_eq!(shown(&tree, leader), "3 ([::1]:9092)");
    // The addresses there are the leader's, and the candidate was named last.
    let values = json!({
        "Topics": [{"TopicName": "t", "Partitions": [
            {"LeaderId": 3, "PreferredCandidates": [{"CandidateId": 4}]}]}],
        "LeaderEndpoints": [{"Name": "CONTROLLER", "Host": "kafka-3", "Port": 9093}],
    });
    let bytes = encoded("EndQuorumEpochRequest", 1, &values);
    let (tree, _) = decoded("EndQuorumEpochRequest", 1, &bytes);
    let candidate = "Topics[0].Partitions[0].PreferredCandidates[0].CandidateId";
    assert_eq!(shown(&tree, candidate), "4");
}

/// Every field that holds the id of a node is known to do so.
#[test]
fn every_node_id_is_one() {
    use kafscope::{
        event::Role,
        schema::{FieldPlan, StructPlan, TypePlan},
    };

    fn walk(plan: &StructPlan, found: &mut impl FnMut(&FieldPlan, Role)) {
        for field in plan
            .fields
            .iter()
            .chain(plan.tagged.iter().map(|(_, field)| field))
        {
            match &field.ty {
                TypePlan::Array(element) => match &element.ty {
                    TypePlan::Struct(inner) => walk(inner, found),
                    _ => found(field, element.node.role),
                },
                TypePlan::Struct(inner) => walk(inner, found),
                _ => found(field, field.node.role),
            }
        }
    }
    let catalogue = Catalogue::current();
    let mut n_nodes = 0;
    for name in catalogue.names() {
        let definition = catalogue.definition(name).unwrap().unwrap();
        for version in definition.ever.iter() {
            walk(&plan(name, version).body, &mut |field, role| {
                let of = |part: &&str| field.node.name.to_lowercase().contains(part);
                let is_int32 = field.field.ty_name.ends_with("int32");
                let is_named = [
                    "brokerid",
                    "nodeid",
                    "leaderid",
                    "voterid",
                    "replicaid",
                    "isr",
                ]
                .iter()
                .any(of);
                if is_int32 && is_named {
                    assert_eq!(role, Role::BrokerId, "{name} {}", field.node.name);
                }
                n_nodes += usize::from(role == Role::BrokerId);
            });
        }
    }
    assert!(n_nodes > 200);
}
