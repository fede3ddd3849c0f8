//! Messages that are taken for something else than they are, and mistakes inside of bytes fields and
//! records.

use kafscope::{
    decode::{Claim, Framing, Subject, diagnose, pieces},
    encode::{body, example, request_frame, response_frame},
    records::Polynomial,
    schema::{ApiKey, Catalogue, Direction},
};
use serde_json::{Value as Json, json};

use crate::{program::kafscope, vectors::unhex};

const PRODUCE: ApiKey = ApiKey(0);
const JOIN_GROUP: ApiKey = ApiKey(11);
const HEARTBEAT: ApiKey = ApiKey(12);

fn first(claim: Claim, bytes: &[u8]) -> String {
    let catalogue = Catalogue::current();
    let framing = pieces(catalogue, claim, bytes).remove(0).framing;
    let repairs = diagnose(catalogue, Subject::Message(claim, framing), bytes);
    repairs.first().map_or("nothing".to_owned(), |repair| {
        format!("{:#06x} {}", repair.problem().span.at, repair.message)
    })
}

fn example_body(api: ApiKey, direction: Direction, version: i16) -> Vec<u8> {
    let plan = Catalogue::current()
        .api_plan(api, direction, version)
        .unwrap();
    body(plan, &example(plan)).unwrap()
}

/// What is left of a response of `version` when the first `n` bytes of its body are forgotten.
fn without_front(api: ApiKey, version: i16, n: usize) -> Vec<u8> {
    let body = example_body(api, Direction::Response, version);
    response_frame(Catalogue::current(), api, version, 7, &body[n..])
}

/// A response whose throttle time was forgotten can be one whose correlation id is the size.
#[test]
fn a_size_that_is_right_is_a_size() {
    let catalogue = Catalogue::current();
    let bytes = unhex("00000008000000070000190000");
    let bytes = &bytes[..12];
    let claim = Claim::Responses {
        api: HEARTBEAT,
        version: 4,
    };
    assert_eq!(pieces(catalogue, claim, bytes)[0].framing, Framing::Sized);
    assert_eq!(
        first(claim, bytes),
        "0x0009 ThrottleTimeMs of HeartbeatResponse is missing"
    );
    // The same for every API whose response begins with it.
    let mut n_tried = 0;
    let mut missed = Vec::new();
    for api in ApiKey::all() {
        let definition = catalogue.api(api, Direction::Response).unwrap();
        for version in definition.ever.iter() {
            let plan = catalogue
                .api_plan(api, Direction::Response, version)
                .unwrap();
            if plan.body.fields[0].node.name != "ThrottleTimeMs" || plan.body.fields.len() < 2 {
                continue;
            }
            let bytes = without_front(api, version, 4);
            let claim = Claim::Responses { api, version };
            assert_eq!(pieces(catalogue, claim, &bytes)[0].framing, Framing::Sized);
            let repairs = diagnose(catalogue, Subject::Message(claim, Framing::Sized), &bytes);
            n_tried += 1;
            let is_named = repairs
                .iter()
                .any(|repair| repair.message.starts_with("ThrottleTimeMs"));
            if !is_named {
                missed.push(format!("{api} {version}: {repairs:?}"));
            }
        }
    }
    // Where it is 0 and other zeros stand behind it, one of those may be what is missing.
    assert!(n_tried > 150 && missed.len() * 10 < n_tried, "{missed:#?}");
}

#[test]
fn what_is_read_as_something_else() {
    let catalogue = Catalogue::current();
    let body = example_body(JOIN_GROUP, Direction::Request, 5);
    let request = request_frame(catalogue, JOIN_GROUP, 5, 7, Some("client"), &body);
    let claim = Claim::Responses {
        api: HEARTBEAT,
        version: 3,
    };
    assert_eq!(
        first(claim, &request),
        "0x0004 the bytes are a request, and no response: exactly JoinGroupRequest version 5"
    );
    let mut swapped = request.clone();
    swapped[4..8].rotate_left(2);
    assert_eq!(
        first(Claim::Requests, &swapped),
        "0x0004 API key and version have changed places: with key 11 in front of version 5 the \
         bytes are exactly JoinGroupRequest"
    );
    // DeleteGroups 1 of client "me" with group "g", all numbers the wrong way round.
    let bytes = unhex(
        "15000000 2a00 0100 07000000 0200 6d65 01000000 0100 67"
            .replace(' ', "")
            .as_str(),
    );
    let mut bytes = [&[0x13], &bytes[1..]].concat();
    let little = "all numbers are little-endian, and Kafka's are big-endian (network byte order): so \
                  they are exactly DeleteGroupsRequest version 1";
    assert_eq!(first(Claim::Requests, &bytes), format!("0x0000 {little}"));
    // A size that is right is none of them.
    bytes[..4].reverse();
    assert_eq!(first(Claim::Requests, &bytes), format!("0x0004 {little}"));
    // InitProducerId 4: no text, and its correlation id starts like a Produce request of version 7.
    let body = example_body(ApiKey(22), Direction::Response, 4);
    let response = response_frame(catalogue, ApiKey(22), 4, 7, &body);
    let repair = first(Claim::Requests, &response);
    assert!(
        repair.starts_with("0x0004 the bytes are exactly a response of InitProducerId 5"),
        "{repair}"
    );
}

/// Who writes a member's subscription wrong has written the message around it right.
#[test]
fn a_mistake_inside_of_a_field_is_blamed_on_what_is_inside() {
    let catalogue = Catalogue::current();
    let plan = catalogue
        .api_plan(JOIN_GROUP, Direction::Request, 7)
        .unwrap();
    let with = |metadata: &str| {
        let mut value = example(plan);
        value["Protocols"] = json!([{ "Name": "range", "Metadata": metadata.replace(' ', "") }]);
        let body = body(plan, &value).unwrap();
        request_frame(catalogue, JOIN_GROUP, 7, 7, Some("client"), &body)
    };
    // Version 1, one topic, no user data, no partitions.
    assert_eq!(
        first(
            Claim::Requests,
            &with("0001 00000001 0001 74 ffffffff 00000000")
        ),
        "nothing"
    );
    let repair = first(
        Claim::Requests,
        &with("0001 00000001 02 74 ffffffff 00000000"),
    );
    assert!(
        repair.ends_with(
            "in Metadata: the length of Topics is an unsigned varint where this version has an int16"
        ),
        "{repair}"
    );
    // The request in an envelope, without the tagged-fields byte that ends it.
    let inner = example_body(HEARTBEAT, Direction::Request, 4);
    let inner = request_frame(catalogue, HEARTBEAT, 4, 7, Some("client"), &inner);
    let envelope = catalogue
        .api_plan(ApiKey(58), Direction::Request, 0)
        .unwrap();
    let mut value = example(envelope);
    let hex: String = inner[4..inner.len() - 1]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    value["RequestData"] = Json::from(hex);
    let body = body(envelope, &value).unwrap();
    let bytes = request_frame(catalogue, ApiKey(58), 0, 7, Some("client"), &body);
    let repair = first(Claim::Requests, &bytes);
    assert!(
        repair.ends_with(
            "in RequestData: the tagged-fields byte (00) that ends HeartbeatRequest is missing"
        ),
        "{repair}"
    );
}

/// A batch of one record: key "k", value "v".
fn batch(magic: u8, length: i32, record: &[u8]) -> Vec<u8> {
    batch_of(1, magic, length, record)
}

fn batch_of(count: u8, magic: u8, length: i32, records: &[u8]) -> Vec<u8> {
    let mut covered = vec![0, 0, 0, 0, 0, 0];
    covered.extend([0; 16]);
    covered.extend([0xff; 14]);
    covered.extend([0, 0, 0, count]);
    covered.extend(records);
    let crc = Polynomial::Crc32c.of(&covered);
    let follow = i32::try_from(9 + covered.len()).unwrap();
    [
        &[0; 8],
        &(follow + length).to_be_bytes()[..],
        &[0xff; 4],
        &[magic],
        &crc.to_be_bytes(),
        &covered,
    ]
    .concat()
}

fn produce(version: i16, records: &[u8]) -> Vec<u8> {
    let catalogue = Catalogue::current();
    let hex: String = records.iter().map(|byte| format!("{byte:02x}")).collect();
    let plan = catalogue
        .api_plan(PRODUCE, Direction::Request, version)
        .unwrap();
    let value = json!({
        "Acks": 1, "TimeoutMs": 1000,
        "TopicData": [{ "Name": "t", "PartitionData": [{ "Index": 0, "Records": hex }] }],
    });
    let body = body(plan, &value).unwrap();
    request_frame(catalogue, PRODUCE, version, 7, Some("client"), &body)
}

#[test]
fn mistakes_of_who_writes_batches() {
    let right = [16, 0, 0, 0, 2, b'k', 2, b'v', 0];
    let one = batch(2, 0, &right);
    let follow = i32::try_from(one.len() - 12).unwrap();
    let cases: [(Vec<u8>, &str); 17] = [
        (one.clone(), "nothing"),
        (
            batch(2, follow.swap_bytes() - follow, &right),
            "batch_length is little-endian; it should be 58",
        ),
        (
            batch(2, 0, &[14, 0, 0, 2, b'k', 2, b'v', 0]),
            "the records lack the attributes byte",
        ),
        // No key: -1 as a plain varint.
        (
            batch(2, 0, &[11, 0, 0, 0, 255, 255, 255, 255, 15, 1, b'v', 0]),
            "the varints of the records are plain",
        ),
        // One batch that is right in front of it.
        (
            [one, batch(2, 4, &right)].concat(),
            "batch_length counts itself: it is 62, and should be 58",
        ),
        (
            batch(2, 12, &right),
            "batch_length counts base_offset and itself",
        ),
        (batch(2, 4, &right), "batch_length counts itself"),
        (batch(2, -4, &right), "batch_length is 54, and should be 58"),
        (batch(1, 0, &right), "magic is 1, but layout and checksum"),
        (
            batch(2, 0, &[8, 0, 0, 0, 1, b'k', 1, b'v', 0]),
            "the varints of the records are plain",
        ),
        (
            batch(2, 0, &[14, 0, 0, 0, 2, b'k', 2, b'v']),
            "the records end without their number of headers",
        ),
        // All offset deltas are 0.
        (
            batch_of(2, 2, 0, &[14, 0, 0, 0, 2, b'k', 2, b'v'].repeat(2)),
            "the records end without their number of headers",
        ),
        (batch_of(2, 2, 0, &right.repeat(2)), "nothing"),
        (
            batch(2, 0, &[18, 0, 0, 0, 2, b'k', 2, b'v', 0]),
            "the lengths of the records count themselves",
        ),
        (
            batch(2, 0, &[8, 0, 0, 0, 2, b'k', 2, b'v', 0]),
            "the lengths of the records are plain varints",
        ),
        (
            batch(2, 0, &[0, 0, 0, 8, 0, 0, 0, 2, b'k', 2, b'v', 0]),
            "the lengths of the records are int32",
        ),
        (
            batch(2, 0, &[22, 0, 0, 0, 2, b'k', 2, b'v', 0, 0, 0, 0]),
            "the numbers of headers are int32",
        ),
    ];
    for (records, says) in cases {
        let repair = first(Claim::Requests, &produce(7, &records));
        assert!(repair.contains(says), "{says}: {repair}");
    }
    // The place is that of the batch: 70 bytes behind that of the same mistake in the first.
    let place = |records: &[u8]| {
        let repair = first(Claim::Requests, &produce(7, records));
        u32::from_str_radix(&repair[2..6], 16).unwrap()
    };
    let wrong = batch(2, 4, &right);
    let second = [batch(2, 0, &right), wrong.clone()].concat();
    assert_eq!(place(&second), place(&wrong) + 70);
}

/// Brokers refuse messages of magic 0 and 1 from Produce 3 on, and take them before.
#[test]
fn old_messages_in_a_request_that_may_not_carry_them() {
    let message = [&[0; 8][..], &[0, 0, 0, 14], &[0; 4], &[0, 0], &[0xff; 8]].concat();
    let crc = Polynomial::Crc32.of(&message[16..]).to_be_bytes();
    let message = [&message[..12], &crc, &message[16..]].concat();
    for (version, is_refused) in [(2, false), (3, true), (7, true)] {
        let run = kafscope(&["decode", "--only", "tree"], produce(version, &message));
        let says = "magic 0; brokers refuse all but batches of magic 2";
        assert_eq!(run.stdout.contains(says), is_refused, "{}", run.stdout);
        assert_eq!(run.status, 0);
    }
}

/// Brokers take one record batch a partition from Produce 3 on.
#[test]
fn a_second_batch_in_a_request_that_may_carry_one() {
    let one = batch(2, 0, &[16, 0, 0, 0, 2, b'k', 2, b'v', 0]);
    let two = [one.clone(), one.clone()].concat();
    for (records, n_told) in [(&one, 0), (&two, 1)] {
        let run = kafscope(&["decode", "--only", "tree"], produce(7, records));
        let says = "a second record batch; brokers refuse all but exactly one";
        assert_eq!(run.stdout.matches(says).count(), n_told, "{}", run.stdout);
        assert_eq!(run.status, 0);
    }
}

/// In milliseconds all of today is in January 1970, where it was written in seconds.
#[test]
fn times_in_seconds() {
    let mut one = batch(2, 0, &[16, 0, 0, 0, 2, b'k', 2, b'v', 0]);
    let told = |batch: &[u8]| kafscope(&["decode", "--only", "tree"], produce(7, batch)).stdout;
    one[27..35].copy_from_slice(&1_730_455_200_i64.to_be_bytes());
    let says =
        "1970-01-21T00:40:55.200Z; in seconds 2024-11-01T10:00:00Z, and milliseconds belong here";
    assert!(told(&one).contains(says), "{}", told(&one));
    one[27..35].copy_from_slice(&1_730_455_200_000_i64.to_be_bytes());
    assert!(!told(&one).contains("in seconds"), "{}", told(&one));
}

#[test]
fn a_batch_without_the_length_in_front_of_it() {
    let one = batch(2, 0, &[16, 0, 0, 0, 2, b'k', 2, b'v', 0]);
    let cases = [
        (7, &[0, 0, 0, 70][..], "an int32 (70)"),
        (9, &[71], "an unsigned varint of n+1 (71)"),
    ];
    for (version, length, right) in cases {
        let mut bytes = produce(version, &one);
        let content = bytes.windows(70).position(|window| window == one).unwrap();
        let at = content - length.len();
        assert_eq!(&bytes[at..content], length);
        bytes.drain(at..content);
        bytes[3] -= u8::try_from(length.len()).unwrap();
        assert_eq!(
            first(Claim::Requests, &bytes),
            format!(
                "{at:#06x} the length of Records is missing, {right}: the record batch starts where \
                 it belongs"
            )
        );
    }
}

/// What would be an error code if the version were another is not explained.
#[test]
fn error_codes_that_are_misread_mean_nothing() {
    // DeleteTopics 6 read as version 5: the topic id is no error.
    let body = example_body(ApiKey(20), Direction::Response, 6);
    let bytes = response_frame(Catalogue::current(), ApiKey(20), 6, 7, &body);
    let args = |version| {
        [
            "decode",
            "--response",
            "--api",
            "DeleteTopics",
            "--version",
            version,
        ]
    };
    let right = kafscope(&args("6"), &bytes);
    assert!(right.stdout.contains("note [error 29]"), "{}", right.stdout);
    assert_eq!(right.status, 0);
    let wrong = kafscope(&args("5"), &bytes);
    assert!(
        wrong.stdout.contains("version 6, not 5"),
        "{}",
        wrong.stdout
    );
    assert!(!wrong.stdout.contains("note [error"), "{}", wrong.stdout);
    // It was read, whatever it is; who wants to know otherwise says so.
    assert_eq!(wrong.status, 0);
    for (severity, status) in [("error", 1), ("never", 0)] {
        let args = [&args("5")[..], &["--fail-on", severity]].concat();
        assert_eq!(kafscope(&args, &bytes).status, status, "{severity}");
    }
}

/// A mistake makes what follows it something else, but not what it has nothing to do with.
#[test]
fn error_codes_beside_a_mistake_are_explained() {
    let catalogue = Catalogue::current();
    let decode = |api: &str, version: &str, bytes: &[u8]| {
        let args = ["decode", "--response", "--api", api, "--version", version];
        kafscope(&args, bytes).stdout
    };
    // Of two groups the first has a member with a malformed subscription.
    let groups = ApiKey(15);
    let plan = catalogue.api_plan(groups, Direction::Response, 4).unwrap();
    let mut value = example(plan);
    let mut group = value["Groups"][0].clone();
    group["ProtocolType"] = "consumer".into();
    group["Members"][0]["MemberMetadata"] = "0001000000010274ffffffff00000000".into();
    let mut refused = group.clone();
    refused["ErrorCode"] = 15.into();
    refused["Members"] = json!([]);
    value["Groups"] = json!([group, refused]);
    let content = body(plan, &value).unwrap();
    let mut bytes = response_frame(catalogue, groups, 4, 7, &content);
    let told = decode("DescribeGroups", "4", &bytes);
    assert!(told.contains("note [diagnosis]"), "{told}");
    assert!(told.contains("note [error 15]"), "{told}");
    // Nor does a wrong size in front of all that change it.
    bytes[3] = bytes[3].wrapping_add(1);
    let told = decode("DescribeGroups", "4", &bytes);
    assert!(told.contains("everything but the size fits"), "{told}");
    assert!(told.contains("note [error 15]"), "{told}");
    // In a body by itself the first four bytes are no size.
    let plan = catalogue
        .api_plan(ApiKey(20), Direction::Response, 1)
        .unwrap();
    let content = body(plan, &example(plan)).unwrap();
    let run = kafscope(&["decode", "--as", "DeleteTopicsResponse:1"], &content[4..]);
    assert!(run.stdout.contains("ThrottleTimeMs"), "{}", run.stdout);
    assert!(!run.stdout.contains("note [error"), "{}", run.stdout);
}

/// Who asks for errors wants to hear that nothing was read; the exit status is not for readings that
/// are shown beside.
#[test]
fn what_is_not_decoded_fails_who_asks() {
    let http = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    let http: String = http.iter().map(|byte| format!("{byte:02x}")).collect();
    let log = "WARN Invalid receive (size = 1195725856 larger than 104857600)";
    let no_messages = [&http, "160303007a010000760303", "00000000", log];
    for paste in no_messages {
        for (severity, status) in [("error", 1), ("warning", 1), ("note", 1), ("never", 0)] {
            let run = kafscope(&["decode", "--fail-on", severity], paste);
            assert_eq!(run.status, status, "{paste} {severity}");
            let says = "standard input: nothing in it is decoded";
            assert_eq!(run.stderr.contains(says), status == 1, "{}", run.stderr);
        }
        assert_eq!(kafscope(&["decode"], paste).status, 0);
    }
    // ApiVersions 0, and behind it, as a message of its own, what is none.
    let request = "0000000a00120000000000010000";
    let both = format!("{request}\n\n00000000");
    let run = kafscope(&["decode", "--fail-on", "error"], &both);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stderr.contains("1 of 2 pieces"), "{}", run.stderr);
    // Metadata 0, and read as a dump a response with an error.
    let twice = "0000 0012 0003 0000 0000 0001 0004 7465 7374 0000 0000";
    let run = kafscope(&["decode", "--json", "--fail-on", "error"], twice);
    let mut lines = run.stdout.lines();
    assert!(lines.next().unwrap().contains("\"problems\":[]"));
    assert!(
        run.stdout.contains("\"severity\":\"error\""),
        "{}",
        run.stdout
    );
    assert_eq!(run.status, 0);
}

#[test]
fn two_requests_without_their_sizes() {
    let catalogue = Catalogue::current();
    let body = example_body(HEARTBEAT, Direction::Request, 4);
    let request = request_frame(catalogue, HEARTBEAT, 4, 7, Some("client"), &body);
    let both = [&request[4..], &request[4..]].concat();
    let repair = first(Claim::Requests, &both);
    assert!(
        repair.contains("are another one without its size: exactly HeartbeatRequest version 4"),
        "{repair}"
    );
}

/// The likeliest mistake has a line of its own, all others share one.
#[test]
fn other_mistakes_are_told_in_one_line() {
    let bytes = without_front(ApiKey(9), 5, 4);
    let args = [
        "decode",
        "--response",
        "--api",
        "OffsetFetch",
        "--version",
        "5",
    ];
    let told = kafscope(&args, &bytes).stdout;
    assert_eq!(told.matches("note [diagnosis]").count(), 2, "{told}");
    assert_eq!(told.matches("also possible: ").count(), 1, "{told}");
}

/// A request of client "me", with its size.
fn request_of(api_and_version: &str, correlation_id: u32, body: &str) -> Vec<u8> {
    let hex = format!("{api_and_version} {correlation_id:08x} 0002 6d65 {body}");
    let message = unhex(&hex.replace(' ', ""));
    let size = u32::try_from(message.len()).unwrap();
    [&size.to_be_bytes(), message.as_slice()].concat()
}

const DELETE_GROUPS_1: &str = "002a 0001";

/// One with bytes from 80 on, and a line feed.
fn delete_groups() -> Vec<u8> {
    let body = "00000002 0003 67c3bc 000a 78787878787878787878";
    request_of(DELETE_GROUPS_1, 0xff, body)
}

#[test]
fn bytes_that_were_taken_for_text() {
    let frame = delete_groups();
    let sized = |bytes: &[u8]| first(Claim::Requests, bytes);
    assert_eq!(sized(&frame), "nothing");
    let mut crlf = frame.clone();
    crlf.insert(26, b'\r');
    assert_eq!(
        sized(&crlf),
        "0x001a a line feed (0a) has become carriage return and line feed (0d 0a), as files opened \
         in text mode make of it, at 1 place"
    );
    let latin: String = frame.iter().copied().map(char::from).collect();
    assert!(
        sized(latin.as_bytes()).starts_with("0x000b a byte from 80 on has become two"),
        "{}",
        sized(latin.as_bytes())
    );
    let lossy = String::from_utf8_lossy(&frame);
    assert!(
        sized(lossy.as_bytes()).starts_with("0x000b ef bf bd (U+FFFD) stands for a byte"),
        "{}",
        sized(lossy.as_bytes())
    );
    let newline = [frame.as_slice(), b"\n"].concat();
    assert_eq!(
        sized(&newline),
        "0x0025 the message ends at 0x0025, and behind it stands a line feed, as `echo` and println \
         put one"
    );
}

#[test]
fn a_message_that_is_framed_twice() {
    let frame = delete_groups();
    for size in [37_u32, 33] {
        let twice = [&size.to_be_bytes(), frame.as_slice()].concat();
        assert_eq!(
            first(Claim::Requests, &twice),
            "0x0000 the message is framed twice: behind these 4 bytes stands its size, 33 (0x21)"
        );
    }
}

/// What a release to come may send is not taken for a response that it could be as well.
#[test]
fn a_request_of_a_newer_version_is_not_denied() {
    let body = "02 67 00000001 02 6d 00 fd 01000202 78";
    let remarks = |version: &str| {
        let size = 0x1a;
        let text = format!("{size:08x} 000c {version} 00000000 ffff 00 {body}");
        let run = kafscope(&["decode"], text);
        (run.stdout.contains("Heartbeat has versions"), run.stderr)
    };
    assert_eq!(remarks("0005"), (true, String::new()));
    let (is_unknown, said) = remarks("0029");
    assert!(
        is_unknown && said.contains("no Heartbeat request"),
        "{said}"
    );
}

#[test]
fn texts_that_end_with_a_nul() {
    let repair = |body: &str| {
        let request = request_of(DELETE_GROUPS_1, 7, body);
        first(Claim::Requests, &request)
    };
    assert_eq!(
        repair("00000002 0003 6f6e65 00 0003 74776f 00"),
        "0x0019 GroupsNames ends with a NUL (00) that its length does not count; no text of Kafka's \
         has one, and so at 1 more place"
    );
    assert_eq!(
        repair("00000002 6f6e6500 74776f00"),
        "0x0014 GroupsNames ends with a NUL (00) instead of having its length in front, an int16 \
         (3), and so at 1 more place"
    );
}

/// A topic's partitions in front of its name, in a DeleteRecords request.
#[test]
fn fields_that_have_changed_places() {
    let body = "00000001 00000001 00000000 0000000000000009 0001 74 00007530";
    assert_eq!(
        first(Claim::Requests, &request_of("0015 0000", 7, body)),
        "0x0014 Partitions stands in front of Name, and should stand behind it"
    );
}

/// What the size says is missing can be no more than the fields need that are missing.
#[test]
fn a_size_that_says_too_much_is_no_cut() {
    // Heartbeat version 0 without the last two bytes of its member id.
    let whole = request_of("000c 0000", 7, "0005 67726f7570 00000003 0006 6d656d626572");
    for (more, is_cut) in [(2, true), (20, false)] {
        let mut cut = whole[..whole.len() - 2].to_vec();
        let size = u8::try_from(cut.len() - 4 + more).unwrap();
        cut[3] = size;
        assert_eq!(first(Claim::Requests, &cut) == "nothing", is_cut, "{more}");
    }
}
