//! The known mistakes, made on purpose: the repair that is named must be the one that undoes them.

use kafscope::{
    decode::{Claim, Framing, Subject, diagnose},
    encode::{request_frame, response_frame, smallest},
    schema::{ApiKey, Catalogue, Definition, Direction},
};

use crate::vectors::{unhex, vectors};

fn first(subject: Subject, bytes: &[u8]) -> String {
    diagnose(Catalogue::current(), subject, bytes)
        .first()
        .map_or("nothing".to_owned(), |repair| {
            format!(
                "{:#06x}+{} {}",
                repair.span.at, repair.span.len, repair.message
            )
        })
}

fn of_request(hex: &str) -> String {
    let bytes = unhex(&hex.replace(' ', ""));
    first(Subject::Message(Claim::Requests, Framing::Sized), &bytes)
}

fn of_response(api: &str, version: i16, hex: &str) -> String {
    let api = ApiKey::parse(api).unwrap();
    let bytes = unhex(&hex.replace(' ', ""));
    let claim = Claim::Responses { api, version };
    first(Subject::Message(claim, Framing::Sized), &bytes)
}

#[test]
fn headers() {
    // DeleteGroups 2 of client "me" with group "g".
    assert_eq!(
        of_request("00000012 002a 0002 00000007 0002 6d65 02 02 67 00"),
        "0x0010+0 the request header lacks the tagged-fields byte (00) that header version 2 has \
         behind client_id"
    );
    assert_eq!(
        of_request("00000012 002a 0002 00000007 03 6d65 00 02 02 67 00"),
        "0x000c+1 client_id has a compact length, but in every header version it keeps its int16"
    );
    // DeleteGroups 1 with the tagged-fields byte of version 2.
    assert_eq!(
        of_request("00000016 002a 0001 00000007 0002 6d65 00 00000001 0001 67"),
        "0x0010+1 the request header ends with a tagged-fields byte, which header version 1 does \
         not have"
    );
    // An ApiVersions response has header version 0 whatever its own version is.
    assert_eq!(
        of_response(
            "ApiVersions",
            3,
            "00000014 00000007 00 0000 02 0012 0000 0004 00 00000000 00"
        ),
        "0x0008+1 the response header has a tagged-fields byte, but header version 0 has none here"
    );
    assert_eq!(
        of_response(
            "DeleteGroups",
            2,
            "0000000f 00000007 00000000 02 02 67 0000 00 00"
        ),
        "0x0008+0 the response header lacks its tagged-fields byte (00) behind the correlation id"
    );
}

#[test]
fn the_first_field_at_the_end() {
    // DeleteTopics 1: one topic without an error, then the throttle time.
    let bytes = "0000001a 00000009 00000001 000a 636b2d746f7069632d62 0000 00000000";
    assert_eq!(
        of_response("DeleteTopics", 1, bytes),
        "0x001a+4 ThrottleTimeMs stands behind all other fields, and should stand in front of \
         Responses"
    );
    // DeleteTopics 4, flexible: the tagged fields stay behind it.
    assert_eq!(
        of_response(
            "DeleteTopics",
            4,
            "00000014 00000009 00 02 06 6b2d746f70 0003 00 000001f4 00"
        ),
        "0x0013+4 ThrottleTimeMs stands behind all other fields, and should stand in front of \
         Responses"
    );
}

#[test]
fn sizes() {
    assert_eq!(
        of_request("00000015 002a 0002 00000007 0002 6d65 00 02 02 67 00"),
        "0x0000+4 the size counts itself: it is 21, and should be 17 (0x11)"
    );
    assert_eq!(
        of_request("00000004 002a 0002 00000007 0002 6d65 00 02 02 67 00"),
        "0x0000+4 everything but the size fits: it is 4, and should be 17 (0x11)"
    );
}

/// A size that says that bytes are missing is believed where all before the end makes sense, and the
/// rest can be what is missing.
#[test]
fn a_message_that_is_cut_has_no_other_mistake() {
    let heartbeat = "000c 0000 00000005 0002636c 0001 67 00000003";
    assert_eq!(of_request(&format!("00000016 {heartbeat}")), "nothing");
    // Within a string, and within a number.
    assert_eq!(
        of_request(&format!("00000020 {heartbeat} 000b 6d65")),
        "nothing"
    );
    let response = "00000009 00000000 00000001 000a 636b2d746f7069632d62";
    assert_eq!(
        of_response("DeleteTopics", 1, &format!("0000001a {response}")),
        "nothing"
    );
    // One byte is no length, and the size may be right or missing itself.
    let missing = "0x0017+0 MemberId of HeartbeatRequest is missing";
    assert_eq!(of_request(&format!("00000014 {heartbeat}")), missing);
    assert_eq!(of_request(&format!("00000013 {heartbeat}")), missing);
    assert_eq!(
        of_request(&format!("{heartbeat} 0001 6d")),
        "0x0000+0 the size is missing: the bytes start with the header, and 4 bytes of size 22 \
         (0x16) belong in front"
    );
    assert_eq!(
        of_request(&format!("00000018 {heartbeat} 0001 6d")),
        "0x0000+4 everything but the size fits: it is 24, and should be 22 (0x16)"
    );
}

/// Where the size is right, nothing is cut: what is said makes all bytes fit, or says that it does not.
#[test]
fn a_message_of_the_right_size_is_not_cut() {
    // FindCoordinator 4 for group "g-1", with a count of ff where 02 belongs.
    let header = "000a 0004 00000007 0002 6d65 00";
    assert_eq!(
        of_request(&format!("00000014 {header} 00 ff 04672d31 00")),
        "0x0012+1 the count of CoordinatorKeys says 638 elements in 2 bytes, but 02 alone, 1 element, \
         makes everything fit"
    );
    // 80 00 is null, and everything behind it is left over.
    let id = "00".repeat(16);
    assert_eq!(
        of_request(&format!(
            "00000028 0003 000c 00000007 0002 6d65 00 80 {id} 026f 00 01 00 00"
        )),
        "0x0011+1 the count of Topics says null in 2 bytes, but 02 alone, 1 element, makes \
         everything fit"
    );
    // AlterConfigs 2: a length that leads beyond the end.
    assert_eq!(
        of_response(
            "AlterConfigs",
            2,
            "00000014 00000007 00 00000000 02 0000 ff 02 036f72 00 00"
        ),
        "0x0010+1 the length of ErrorMessage says 382 bytes in 2 bytes, but 00 alone, null, makes \
         everything fit"
    );
    // More elements than there are bytes, in Metadata 1 with topics "a" and "b".
    assert_eq!(
        of_request("00000016 0003 0001 00000007 0002 6d65 00000102 0001 61 0001 62"),
        "0x0010+4 the count of Topics says 258 elements, but 2 elements make everything fit"
    );
}

#[test]
fn values_in_another_form() {
    // DeleteTopics 6 by topic id.
    let text = "31323334353637382d313233342d313233342d313233342d313233343536373839306162";
    for (size, length) in [("3a", "25"), ("3b", "0024"), ("39", "")] {
        let said = of_request(&format!(
            "000000{size} 0014 0006 00000007 0002 6d65 00 02 00 {length} {text} 00 00001000 00"
        ));
        let says = "TopicId is a text of 36 characters where 16 bytes belong";
        assert!(said.contains(says), "{said}");
    }
    // CreateTopics 1 with one topic.
    let topic = "00000001 0001 74 00000001 0001 00000000 00000000 00001000";
    let create = |size: &str, validate: &str| {
        of_request(&format!(
            "000000{size} 0013 0001 00000007 0002 6d65 {topic} {validate}"
        ))
    };
    assert_eq!(
        create("29", "00000000"),
        "0x0029+4 validateOnly is an int32, and 1 byte belongs there"
    );
    // What is left over is not said of the version that it is read as.
    assert_eq!(
        create("2b", "00 ffeeddccbb"),
        "0x002a+5 nothing known explains all bytes; nearest: the message ends at 0x002a, with 5 \
         bytes left over"
    );
}

#[test]
fn lengths() {
    // The group name's length is 1 where compact says 2.
    assert_eq!(
        of_request("00000011 002a 0002 00000007 0002 6d65 00 02 01 67 00"),
        "0x0012+1 the length of GroupsNames is written as 1, but compact lengths are n+1, so it should \
         be 2"
    );
    assert_eq!(
        of_request("00000014 002a 0002 00000007 0002 6d65 00 00000001 02 67 00"),
        "0x0011+4 the count of GroupsNames is an int32 (1) where this version has an unsigned \
         varint of n+1 (2)"
    );
    assert_eq!(
        of_request("00000013 002a 0001 00000007 0002 6d65 00000001 0002 67"),
        "0x0014+2 the length of GroupsNames is 2, one too many: only compact lengths are n+1"
    );
    assert_eq!(
        of_request("00000015 002a 0002 00000007 0002 6d65 00 00000001 0001 67"),
        "0x0011+4 the body is written as if this version were not flexible: int16 and int32 \
         lengths, no tagged fields"
    );
    assert_eq!(
        of_request("0000000f 002a 0001 00000007 0002 6d65 02 02 67 00"),
        "0x0010+1 the body is written as if this version were flexible: compact lengths and \
         tagged-fields bytes"
    );
}

#[test]
fn habits_are_one_mistake() {
    // DeleteGroups 2 with groups "g", "hh" and "i", every compact length one too small.
    assert_eq!(
        of_request("00000016 002a 0002 00000007 0002 6d65 00 03 01 67 02 6868 01 69 00"),
        "0x0011+1 the count of GroupsNames is written as 3, but compact lengths are n+1, so it \
         should be 4, and so at 3 more places"
    );
    assert_eq!(
        of_request("00000019 002a 0002 00000007 0002 6d65 00 04 0001 67 0002 6868 0001 69 00"),
        "0x0012+2 the length of GroupsNames is an int16 (1) where this version has an unsigned \
         varint of n+1 (2), and so at 2 more places"
    );
    // DescribeGroups 5 response without any tagged-fields byte in its body.
    assert_eq!(
        of_response(
            "DescribeGroups",
            5,
            "0000001c 00000007 00 00000000 02 0000 02 67 01 01 01 02 02 6d 00 01 01 01 01 80000000"
        ),
        "0x001d+0 no struct of the body has the tagged-fields byte (00) that ends it"
    );
}

#[test]
fn null_where_it_is_not_allowed() {
    assert_eq!(
        of_request("00000010 002a 0002 00000007 0002 6d65 00 02 00 00"),
        "0x0012+1 GroupsNames is null, which this version does not allow; the empty string is 01"
    );
    assert_eq!(
        of_request("00000012 002a 0001 00000007 0002 6d65 ffffffff"),
        "0x0010+4 GroupsNames is null, which this version does not allow; the empty array is 00 \
         00 00 00"
    );
}

#[test]
fn messages_that_start_elsewhere() {
    // DeleteGroups 2 without its size, and with half of it.
    let bare = "002a 0002 00000007 0002 6d65 00 02 02 67 00";
    let repair = of_request(bare);
    assert!(
        repair.starts_with("0x0000+0 the size is missing"),
        "{repair}"
    );
    assert_eq!(
        of_request(&format!("0011 {bare}")),
        "0x0000+2 only 2 of the 4 bytes of the size are there: it should be 17 (0x11)"
    );
    // The body of its response, with size and without.
    let body = "00000000 02 02 67 0000 00 00";
    assert_eq!(
        of_response("DeleteGroups", 2, &format!("0000000b {body}")),
        "0x0004+0 there is no response header: the bytes are exactly the body"
    );
    assert_eq!(
        of_response("DeleteGroups", 2, body),
        "0x0000+0 there is neither size nor response header: the bytes are exactly the body"
    );
}

#[test]
fn messages_with_something_behind_them() {
    let message = "00000011 002a 0002 00000007 0002 6d65 00 02 02 67 00";
    assert_eq!(
        of_request(&format!("{message} {message}")),
        "0x0015+21 the message ends at 0x0015, and the 21 bytes behind it are 1 more"
    );
    assert_eq!(
        of_request(&format!("{message} 35630939 2d34")),
        "0x0015+6 the message is whole by its size; the 6 bytes behind it are no message (their \
         size would be 895682873)"
    );
}

#[test]
fn other_messages() {
    // Written as version 1, said to be 0 of FindCoordinator.
    assert_eq!(
        of_request("00000016 000a 0000 00000007 0002 6d65 0007 67726f75702d61 01"),
        "0x0006+2 the bytes are exactly FindCoordinatorRequest version 1 or 2, not 0"
    );
    // A response of ListGroups where one of Heartbeat is expected.
    let repairs = of_response(
        "Heartbeat",
        0,
        "00000023 00000007 0000 00000001 0007 67726f75702d61 0008 636f6e73756d6572 0000",
    );
    assert!(repairs.contains("nothing"), "{repairs}");
    assert_eq!(
        of_response(
            "Heartbeat",
            0,
            "0000001d 00000007 0000 00000001 0007 67726f75702d61 0008 636f6e73756d6572"
        ),
        "0x0004+29 the bytes are exactly ListGroupsResponse version 0: it would answer another \
         request"
    );
}

/// A message of half a megabyte, in the middle of which one length is one too small.
#[test]
fn one_mistake_deep_in_a_large_message() {
    let n_groups = 60_000;
    let count = [0xe1, 0xd4, 0x03];
    let mut body = count.to_vec();
    let mut at = 0;
    for idx in 0..n_groups {
        if idx == n_groups / 2 {
            at = body.len();
        }
        body.push(if at == body.len() { 7 } else { 8 });
        body.extend(format!("g{idx:06}").bytes());
    }
    body.push(0);
    let frame = request_frame(Catalogue::current(), ApiKey(42), 2, 7, Some("me"), &body);
    let at = at + frame.len() - body.len();
    assert_eq!(
        first(Subject::Message(Claim::Requests, Framing::Sized), &frame),
        format!(
            "{at:#06x}+1 the length of GroupsNames is written as 7, but compact lengths are n+1, \
             so it should be 8"
        )
    );
}

#[test]
fn what_is_cut_makes_sense_up_to_there() {
    // An ApiVersions 0 response without its error code, cut in the second of 60 entries.
    let bytes = unhex("000000010000003c0000000000090001000000");
    let claim = Claim::Responses {
        api: ApiKey::API_VERSIONS,
        version: 0,
    };
    assert_eq!(
        first(Subject::Message(claim, Framing::Bare), &bytes),
        "0x0004+0 ErrorCode of ApiVersionsResponse is missing: then all bytes make sense, up to \
         where they are cut"
    );
}

/// A tagged-fields byte that is missing at the end of the body, or one too many, in every flexible
/// version of every API.
#[test]
fn tagged_fields_at_the_end() {
    let catalogue = Catalogue::current();
    let mut unexplained = Vec::new();
    for api in ApiKey::all() {
        for direction in [Direction::Request, Direction::Response] {
            let definition: &Definition = catalogue.api(api, direction).unwrap();
            for version in definition.flexible.and(definition.ever).iter() {
                let body = smallest(catalogue.api_plan(api, direction, version).unwrap());
                let frame = |body: &[u8]| match direction {
                    Direction::Request => {
                        request_frame(catalogue, api, version, 7, Some("client"), body)
                    }
                    Direction::Response => response_frame(catalogue, api, version, 7, body),
                };
                let claim = match direction {
                    Direction::Request => Claim::Requests,
                    Direction::Response => Claim::Responses { api, version },
                };
                let subject = Subject::Message(claim, Framing::Sized);
                let repairs = |bytes: &[u8]| diagnose(catalogue, subject, bytes);
                let short = repairs(&frame(&body[..body.len() - 1]));
                let long = repairs(&frame(&[&body[..], &[0]].concat()));
                if short.is_empty() || long.is_empty() {
                    unexplained.push(format!("{api} {version} {}", direction.name()));
                }
                assert_eq!(repairs(&frame(&body)), [], "{api} {version}");
            }
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:?}");
}

#[test]
fn whole_vectors_need_no_repair() {
    for vector in vectors().iter().filter(|vector| vector.body.len() < 2_000) {
        let repairs = diagnose(
            Catalogue::current(),
            Subject::Structure(vector.plan()),
            &vector.body,
        );
        assert_eq!(repairs, [], "{} {}", vector.message, vector.version);
    }
}
