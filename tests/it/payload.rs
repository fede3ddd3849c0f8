//! What is inside bytes fields: what groups, SASL and envelopes carry, in every version and cut and
//! changed at every byte.

use kafscope::{
    decode::{Lead, content, structure},
    encode::{body, request_frame, response_frame, smallest},
    event::{Code, Severity},
    payload::named_content,
    render::{Cut, Head, Palette, Wording, grid, json_message, object_tree},
    schema::{ApiKey, Catalogue, Direction, Plan},
    tree::{Builder, Secrecy, Tree},
    wire::BufferId,
};
use serde_json::{Value as Json, json};

use crate::{
    audit::Audit,
    broken::broken,
    names::{Traffic, opened},
};

pub(crate) fn plan(name: &str, version: i16) -> &'static Plan {
    Catalogue::current().plan(name, version).unwrap()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The body of a message of that name with these values.
pub(crate) fn encoded(name: &str, version: i16, values: &Json) -> Vec<u8> {
    body(plan(name, version), values).unwrap()
}

pub(crate) fn decoded(name: &str, version: i16, bytes: &[u8]) -> (Tree, Json) {
    let plan = plan(name, version);
    let (tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
        structure(plan, Lead::None, bytes, sink);
    });
    let line = Json::Object(json_message(&tree, &Head::Structure(plan)));
    (tree, line)
}

/// Decodes a message, checks that its bytes are tiled whatever happens to them, and returns what is
/// inside.
pub(crate) fn looked_into(name: &str, version: i16, bytes: &[u8]) -> Json {
    let audited = |bytes: &[u8]| {
        let mut audit = Audit::new(bytes.len());
        structure(plan(name, version), Lead::None, bytes, &mut audit);
        audit.finish()
    };
    audited(bytes);
    broken(bytes, |bytes| {
        audited(bytes);
    });
    let (_, line) = decoded(name, version, bytes);
    line["embedded"].clone()
}

/// A structure behind its version.
fn versioned(version: i16, body: &[u8]) -> Vec<u8> {
    [&version.to_be_bytes(), body].concat()
}

fn sync(protocol_type: &str, assignment: &[u8]) -> Vec<u8> {
    encoded(
        "SyncGroupResponse",
        5,
        &json!({
            "ErrorCode": 0, "ProtocolType": protocol_type, "ProtocolName": "range",
            "Assignment": hex(assignment),
        }),
    )
}

fn join(protocol_type: &str, name: &str, metadata: &[u8]) -> Vec<u8> {
    encoded(
        "JoinGroupRequest",
        9,
        &json!({
            "GroupId": "g", "MemberId": "", "ProtocolType": protocol_type,
            "Protocols": [{ "Name": name, "Metadata": hex(metadata) }],
        }),
    )
}

#[test]
fn what_groups_carry_is_read_in_every_version() {
    for (protocol, subscription, assignment) in [
        (
            "consumer",
            "ConsumerProtocolSubscription",
            "ConsumerProtocolAssignment",
        ),
        (
            "connect",
            "ConnectProtocolMetadata",
            "ConnectProtocolAssignment",
        ),
    ] {
        for version in 0..=plan(assignment, 0).version.max(2) {
            let metadata = versioned(version, &smallest(plan(subscription, version)));
            let inside = looked_into("JoinGroupRequest", 9, &join(protocol, "x", &metadata));
            assert_eq!(inside[0]["path"], "Protocols[0].Metadata");
            assert_eq!(inside[0]["as"], subscription);
            assert_eq!(inside[0]["version"], version);

            let bytes = versioned(version, &smallest(plan(assignment, version)));
            let inside = looked_into("SyncGroupResponse", 5, &sync(protocol, &bytes));
            assert_eq!(inside[0]["path"], "Assignment");
            assert_eq!(inside[0]["as"], assignment);
            assert_eq!(inside[0]["version"], version);
        }
    }
}

#[test]
fn a_group_of_unknown_type_is_read_where_it_fits() {
    let subscription = versioned(1, &smallest(plan("ConsumerProtocolSubscription", 1)));
    let members = json!([{ "MemberId": "m", "Metadata": hex(&subscription) }]);
    let response = json!({
        "ErrorCode": 0, "GenerationId": 1, "ProtocolName": "range", "Leader": "m",
        "MemberId": "m", "Members": members,
    });
    let bytes = encoded("JoinGroupResponse", 2, &response);
    let inside = looked_into("JoinGroupResponse", 2, &bytes);
    assert_eq!(inside[0]["path"], "Members[0].Metadata");
    assert_eq!(inside[0]["as"], "ConsumerProtocolSubscription");
    // What another kind of group says is not for us to read.
    let inside = looked_into("JoinGroupRequest", 9, &join("sr", "v0", &subscription));
    assert_eq!(inside, Json::Null);
}

#[test]
fn short_and_newer_versions_are_read_as_far_as_they_go() {
    let values = json!({ "Topics": ["orders"], "UserData": null });
    let short = encoded("ConsumerProtocolSubscription", 0, &values);
    for (version, bytes, fields, remark) in [
        // Version 0 without user data, and version 1 without owned partitions.
        (0, &short[..short.len() - 4], 1, "without UserData"),
        (1, &short[..], 2, "without OwnedPartitions"),
        (
            9,
            &encoded("ConsumerProtocolSubscription", 3, &values)[..],
            5,
            "read as version 3",
        ),
    ] {
        let message = join("consumer", "range", &versioned(version, bytes));
        let inside = looked_into("JoinGroupRequest", 9, &message);
        let value = inside[0]["value"].as_object().unwrap();
        assert_eq!(value.len(), fields, "{value:?}");
        assert_eq!(value["Topics"], json!(["orders"]));
        let (tree, _) = decoded("JoinGroupRequest", 9, &message);
        let problem = &tree.problems()[0].problem;
        assert_eq!(problem.severity, Severity::Note);
        assert!(problem.message.contains(remark), "{}", problem.message);
    }
}

#[test]
fn what_does_not_fit_stays_bytes() {
    let mut bytes = versioned(1, &smallest(plan("ConsumerProtocolAssignment", 1)));
    bytes.push(0);
    let message = sync("consumer", &bytes);
    let (tree, line) = decoded("SyncGroupResponse", 5, &message);
    assert_eq!(line["embedded"], Json::Null);
    assert_eq!(line["value"]["Assignment"], hex(&bytes));
    let [found] = tree.problems() else {
        panic!("{:?}", tree.problems());
    };
    assert_eq!(found.problem.code, Code::Embedded);
    assert_eq!(tree.problem_path(found), "Assignment");
}

#[test]
fn assignors_add_what_their_name_says() {
    let generation = encoded(
        "CooperativeStickyAssignorUserData",
        0,
        &json!({ "Generation": 4 }),
    );
    let previous = json!({ "PreviousAssignment": [{ "Topic": "orders", "Partitions": [0, 2] }], "Generation": 4 });
    let mut cases = vec![
        (
            "cooperative-sticky",
            "CooperativeStickyAssignorUserData",
            0,
            generation,
        ),
        (
            "sticky",
            "StickyAssignorUserData",
            1,
            encoded("StickyAssignorUserData", 1, &previous),
        ),
    ];
    let mut older = previous.clone();
    older.as_object_mut().unwrap().remove("Generation");
    let older = encoded("StickyAssignorUserData", 0, &older);
    cases.push(("sticky", "StickyAssignorUserData", 0, older));
    for version in 1..=11 {
        let mut data = smallest(plan("SubscriptionInfoData", version));
        data[..4].copy_from_slice(&i32::from(version).to_be_bytes());
        cases.push(("stream", "SubscriptionInfoData", version, data));
    }
    for (assignor, name, version, data) in cases {
        let values = json!({ "Topics": ["orders"], "UserData": hex(&data) });
        let subscription = encoded("ConsumerProtocolSubscription", 1, &values);
        let message = join("consumer", assignor, &versioned(1, &subscription));
        let inside = looked_into("JoinGroupRequest", 9, &message);
        assert_eq!(inside[1]["path"], "Protocols[0].Metadata.UserData");
        assert_eq!(inside[1]["as"], name);
        assert_eq!(inside[1]["version"], version);
    }
}

#[test]
fn a_worker_says_what_it_runs_already() {
    let assignment = json!({
        "Leader": "w", "LeaderUrl": "http://w/",
        "Assignment": [{ "Connector": "sink", "Tasks": [-1, 0] }],
    });
    let assignment = versioned(1, &encoded("ConnectProtocolAssignment", 1, &assignment));
    let metadata = json!({ "Url": "http://w/", "ConfigOffset": 7, "Allocation": hex(&assignment) });
    let metadata = versioned(2, &encoded("ConnectProtocolMetadata", 2, &metadata));
    let inside = looked_into(
        "JoinGroupRequest",
        9,
        &join("connect", "sessioned", &metadata),
    );
    assert_eq!(inside[1]["path"], "Protocols[0].Metadata.Allocation");
    assert_eq!(inside[1]["value"]["Assignment"][0]["Tasks"], json!([-1, 0]));
}

#[test]
fn an_envelope_is_read_as_the_request_and_response_in_it() {
    let catalogue = Catalogue::current();
    let api = ApiKey::parse("CreateTopics").unwrap();
    let topics =
        json!({ "Topics": [{ "Name": "orders", "NumPartitions": 3, "ReplicationFactor": 1 }] });
    let body = encoded("CreateTopicsRequest", 7, &topics);
    let request = request_frame(catalogue, api, 7, 11, Some("admin"), &body);
    let principal = versioned(0, &smallest(plan("DefaultPrincipalData", 0)));
    let envelope = json!({
        "RequestData": hex(&request[4..]), "RequestPrincipal": hex(&principal),
        "ClientHostAddress": "7f000001",
    });
    let bytes = encoded("EnvelopeRequest", 0, &envelope);
    let inside = looked_into("EnvelopeRequest", 0, &bytes);
    assert_eq!(inside[0]["as"], "CreateTopicsRequest");
    assert_eq!(inside[0]["version"], 7);
    assert_eq!(inside[0]["value"]["Topics"][0]["Name"], "orders");
    assert_eq!(inside[1]["as"], "DefaultPrincipalData");

    let values = json!({ "Topics": [{
        "Name": "orders", "TopicId": "00000000-0000-0000-0000-000000000007", "NumPartitions": 3,
        "ReplicationFactor": 1, "Configs": [{ "Name": "retention.ms", "Value": "1" }],
    }] });
    let body = encoded("CreateTopicsResponse", 7, &values);
    let response = response_frame(catalogue, api, 7, 11, &body);
    let envelope = json!({ "ResponseData": hex(&response[4..]), "ErrorCode": 0 });
    let bytes = encoded("EnvelopeResponse", 0, &envelope);
    let inside = looked_into("EnvelopeResponse", 0, &bytes);
    assert_eq!(inside[0]["as"], "CreateTopicsResponse");
    assert_eq!(inside[0]["value"]["Topics"][0]["Name"], "orders");
}

#[test]
fn a_wrapped_response_is_read_by_the_request_that_was_wrapped() {
    let catalogue = Catalogue::current();
    // These two have responses of the same layout.
    for name in ["AlterConfigs", "IncrementalAlterConfigs"] {
        let api = ApiKey::parse(name).unwrap();
        let version = catalogue.api(api, Direction::Request).unwrap().newest();
        let message = |kind: &str| format!("{name}{kind}");
        let request = smallest(plan(&message("Request"), version));
        let request = request_frame(catalogue, api, version, 11, None, &request);
        let values = json!({"Responses": [{"ResourceType": 2, "ResourceName": "orders"}]});
        let response = encoded(&message("Response"), version, &values);
        let response = response_frame(catalogue, api, version, 11, &response);
        let wrapped = json!({"ResponseData": hex(&response[4..])});
        let (tree, _) = decoded(
            "EnvelopeResponse",
            0,
            &encoded("EnvelopeResponse", 0, &wrapped),
        );
        // By itself it could be either.
        assert_eq!(tree.problems()[0].problem.code, Code::Embedded);
        let session = Traffic::default()
            .exchange(
                0,
                "Envelope",
                0,
                &json!({"RequestData": hex(&request[4..]), "ClientHostAddress": "7f000001"}),
                &wrapped,
            )
            .open();
        let tree = opened(&session, 1, Direction::Response);
        assert!(tree.problems().is_empty());
        let shown: Vec<&str> = tree
            .nodes()
            .filter_map(|id| tree.node(id))
            .map(|node| node.name)
            .collect();
        assert!(shown.contains(&message("Response").as_str()), "{shown:?}");
    }
}

#[test]
fn envelopes_in_envelopes_end() {
    let catalogue = Catalogue::current();
    let api = ApiKey::parse("Envelope").unwrap();
    let mut data = Vec::new();
    for _ in 0..2_000 {
        let values = json!({ "RequestData": hex(&data), "ClientHostAddress": "" });
        let body = encoded("EnvelopeRequest", 0, &values);
        data = request_frame(catalogue, api, 0, 1, None, &body)[4..].to_vec();
        if data.len() > 20_000 {
            break;
        }
    }
    let body = encoded(
        "EnvelopeRequest",
        0,
        &json!({ "RequestData": hex(&data), "ClientHostAddress": "" }),
    );
    let (_, line) = decoded("EnvelopeRequest", 0, &body);
    assert_eq!(line["embedded"].as_array().unwrap().len(), 4);
}

/// Tokens, what they are, a secret in them and something that is none.
const TOKENS: &[(&[u8], &str, &str, &str)] = &[
    (b"\0alice\0s3cr3t-word", "SaslPlain", "s3cr3t-word", "alice"),
    (b"bob\0alice\0s3cr3t", "SaslPlain", "s3cr3t", "bob"),
    (
        b"n,,n=alice,r=fyko+d2lbbFgONRv9qkxdawL",
        "SaslScramClientFirst",
        "",
        "fyko+d2lbbFgONRv9qkxdawL",
    ),
    (
        b"n,a=bob,n=alice,r=abc,tokenauth=true",
        "SaslScramClientFirst",
        "",
        "tokenauth=true",
    ),
    (
        b"r=abcdef,s=QSXCR+Q6sek8bf92,i=4096",
        "SaslScramServerFirst",
        "",
        "4096",
    ),
    (
        b"c=biws,r=abcdef,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
        "SaslScramClientFinal",
        "v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
        "abcdef",
    ),
    (
        b"v=rmF9pqV8S7suAoZWja4dJRkFsKQ=",
        "SaslScramServerFinal",
        "rmF9pqV8S7suAoZWja4dJRkFsKQ=",
        "SaslScramServerFinal",
    ),
    (
        b"e=invalid-proof",
        "SaslScramServerFinal",
        "",
        "invalid-proof",
    ),
    (
        b"n,,\x01auth=Bearer ey.J0.x\x01ext=1\x01\x01",
        "SaslOauthbearer",
        "ey.J0.x",
        "ext=1",
    ),
    (
        b"{\"status\":\"invalid_token\"}",
        "SaslOauthbearerError",
        "",
        "invalid_token",
    ),
    (
        b"\x60\x13\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01\x00ticket",
        "SaslGssapi",
        "7469636b6574",
        "2a864886f712010202",
    ),
    (
        b"\x05\x04\x01\xff\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01layers",
        "SaslGssapiWrap",
        "",
        "6c6179657273",
    ),
];

#[test]
fn tokens_are_known_and_their_secrets_hidden() {
    for &(token, name, secret, open) in TOKENS {
        let bytes = encoded(
            "SaslAuthenticateRequest",
            2,
            &json!({ "AuthBytes": hex(token) }),
        );
        let inside = looked_into("SaslAuthenticateRequest", 2, &bytes);
        assert_eq!(inside[0]["as"], name);
        let (mut tree, line) = decoded("SaslAuthenticateRequest", 2, &bytes);
        let outputs = |tree: &Tree, line: &Json| {
            let mut text = line.to_string();
            object_tree(&mut text, tree, Wording::Counted, Cut::Wide, Palette::Plain).unwrap();
            grid(&mut text, tree, BufferId::FRAME, Palette::Plain).unwrap();
            text
        };
        let text = outputs(&tree, &line);
        assert!(text.contains(open), "{text}");
        if secret.is_empty() {
            assert_eq!(line["value"]["AuthBytes"], hex(token));
            continue;
        }
        assert!(!text.contains(secret), "{text}");
        assert!(!text.contains(&hex(secret.as_bytes())), "{text}");
        tree.set_secrecy(Secrecy::Show);
        let line = json_message(&tree, &Head::Structure(plan("SaslAuthenticateRequest", 2)));
        assert_eq!(line["value"]["AuthBytes"], hex(token));
        assert!(outputs(&tree, &Json::Object(line)).contains(secret));
    }
}

#[test]
fn other_tokens_stay_bytes() {
    for token in [
        &b"\0"[..],
        b"\x01",
        b"",
        b"\0\0",
        b"a\0b",
        b"a\0b\0c\0d",
        b"hello",
        b"\x60\x02\x06",
        b"n,,x=1",
        &[0xff; 30],
    ] {
        let values = json!({ "AuthBytes": hex(token) });
        let bytes = encoded("SaslAuthenticateRequest", 0, &values);
        let inside = looked_into("SaslAuthenticateRequest", 0, &bytes);
        assert_eq!(inside, Json::Null, "{token:02x?}");
    }
}

#[test]
fn content_by_itself_is_read_by_its_name() {
    let subscription = versioned(1, &[0, 0, 0, 1, 0, 1, b't', 0xff, 0xff, 0xff, 0xff]);
    for (name, bytes) in [
        ("SaslToken", &b"\0alice\0secret"[..]),
        ("ConsumerProtocolSubscription", &subscription),
        ("MetadataRecord", &[1, 20, 0, 0]),
        ("MetricsData", &[0x0a, 2, 0x1a, 0]),
    ] {
        let read = |bytes: &[u8]| {
            let mut audit = Audit::new(bytes.len());
            let reading = named_content(name, bytes).unwrap();
            content("content", reading, bytes, &mut audit);
            audit.finish()
        };
        let errors = read(bytes)
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
            .count();
        assert_eq!(errors, 0, "{name}");
        broken(bytes, |bytes| {
            read(bytes);
        });
    }
}

#[test]
fn what_streams_assigns_is_said_to_be_raw() {
    let assignment = |data: &str| {
        let values = json!({ "AssignedPartitions": [], "UserData": data });
        versioned(1, &encoded("ConsumerProtocolAssignment", 1, &values))
    };
    let values = |protocol: &str| {
        let assignment = hex(&assignment("0000000b0000000b"));
        json!({ "ProtocolType": "consumer", "ProtocolName": protocol, "Assignment": assignment })
    };
    for (protocol, n_problems) in [("stream", 1), ("range", 0)] {
        let bytes = encoded("SyncGroupResponse", 5, &values(protocol));
        let (tree, _) = decoded("SyncGroupResponse", 5, &bytes);
        assert_eq!(tree.problems().len(), n_problems, "{protocol}");
    }
}
