//! What the short ways to the facts of a message find is what the long one does.

use serde_json::json;

use super::*;
use crate::encode::{body, request_frame, response_frame};

#[test]
fn topics_given_by_id_are_listed_by_name_once_both_were_seen() {
    let catalogue = Catalogue::current();
    let id = "0f0e0d0c-0b0a-0908-0706-050403020100";
    let plan = |api, direction, version| catalogue.api_plan(api, direction, version).unwrap();
    let metadata = ApiKey(3);
    let response = response_frame(
        catalogue,
        metadata,
        12,
        1,
        &body(
            plan(metadata, Direction::Response, 12),
            &json!({"Topics": [{"Name": "orders", "TopicId": id}]}),
        )
        .unwrap(),
    );
    let fetch = request_frame(
        catalogue,
        ApiKey::FETCH,
        13,
        2,
        None,
        &body(
            plan(ApiKey::FETCH, Direction::Request, 13),
            &json!({"Topics": [{"TopicId": id}]}),
        )
        .unwrap(),
    );
    let topics = |digest: &mut Digest| {
        let mut facts = Facts::default();
        let mut sink = digest.picker(&mut facts);
        request(catalogue, Framing::Sized, &fetch, &mut sink);
        facts.topics().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut digest = Digest::new(catalogue);
    assert!(topics(&mut digest).is_empty());
    let mut facts = Facts::default();
    digest.response(3, 12, &response, &mut facts);
    let name = Fact::Topic {
        id: id.parse().unwrap(),
        name: "orders",
    };
    assert_eq!(facts.names().collect::<Vec<_>>(), [name]);
    assert_eq!(topics(&mut digest), ["orders"]);
}

/// The facts of a frame by the short way, if it goes, and by the long one.
fn both(
    digest: &mut Digest,
    frame: &[u8],
    api: ApiKey,
    direction: Direction,
    version: i16,
) -> (Option<Facts>, Facts) {
    let catalogue = digest.catalogue;
    let (mut short, mut long) = (Facts::default(), Facts::default());
    let body = match direction {
        Direction::Response => response_body(catalogue, api, version, frame),
        Direction::Request => {
            let definition = catalogue.api(api, direction).unwrap();
            let head = RequestHead {
                api_key: api.0,
                version,
                correlation_id: 1,
                client_id: None,
                body_at: match request_header_version(definition, version) {
                    0 => 12,
                    1 => 14,
                    _ => 15,
                },
            };
            request_body(catalogue, &head, frame)
        }
    };
    let is_short = digest.survey(body, direction, &mut short);
    let mut sink = digest.picker(&mut long);
    match direction {
        Direction::Request => drop(request(catalogue, Framing::Sized, frame, &mut sink)),
        Direction::Response => drop(response(
            catalogue,
            Framing::Sized,
            frame,
            api,
            version,
            &mut sink,
        )),
    }
    (is_short.then_some(short), long)
}

#[test]
fn the_short_way_finds_what_the_long_one_does() {
    let catalogue = Catalogue::current();
    let mut digest = Digest::new(catalogue);
    let (mut n_short, mut n_all) = (0, 0);
    for api in ApiKey::all() {
        for direction in [Direction::Request, Direction::Response] {
            let definition = catalogue.api(api, direction).unwrap();
            for version in definition.ever.iter() {
                let plan = catalogue.api_plan(api, direction, version).unwrap();
                let body = crate::encode::smallest(plan);
                let frame = match direction {
                    Direction::Request => request_frame(catalogue, api, version, 1, None, &body),
                    Direction::Response => response_frame(catalogue, api, version, 1, &body),
                };
                let from = frame.len() - body.len();
                for at in from..frame.len() {
                    for value in [frame[at], 0, 1, 2, 0x7f, 0x80, 0xff] {
                        let mut frame = frame.clone();
                        frame[at] = value;
                        let (short, long) = both(&mut digest, &frame, api, direction, version);
                        n_all += 1;
                        if let Some(short) = short {
                            n_short += 1;
                            let what = format!("{api} {version} {direction:?} {frame:02x?}");
                            assert_eq!(short, long, "{what}");
                        }
                    }
                }
            }
        }
    }
    assert!(n_short * 3 > n_all, "{n_short} of {n_all}");
}

#[test]
fn the_short_way_counts_records_as_the_long_one_does() {
    let catalogue = Catalogue::current();
    let mut digest = Digest::new(catalogue);
    let plan = catalogue.api_plan(ApiKey::PRODUCE, Direction::Request, 9);
    let batch = |offset: i64, attributes: i16| {
        json!({"base_offset": offset, "attributes": attributes,
            "records": [{"value": "6b"}, {"value": "61"}, {"value": "66"}]})
    };
    let json = json!({"Acks": -1, "TimeoutMs": 1, "TopicData": [
        {"Name": "orders", "PartitionData": [
            {"Index": 0, "Records": [batch(0, 0)]},
            {"Index": 1, "Records": [batch(3, 1)]},
            {"Index": 2, "Records": [batch(6, 0)]}]}]});
    let body = body(plan.unwrap(), &json).unwrap();
    let whole = request_frame(catalogue, ApiKey::PRODUCE, 9, 1, None, &body);
    let mut n_records = Vec::new();
    for at in whole.len() - body.len()..whole.len() {
        for bit in 0..8 {
            let mut frame = whole.clone();
            frame[at] ^= 1 << bit;
            let (short, long) = both(&mut digest, &frame, ApiKey::PRODUCE, Direction::Request, 9);
            if let Some(short) = short {
                assert_eq!(short, long, "bit {bit} of byte {at}");
                n_records.push((short.records, short.problems));
            }
        }
    }
    // What is wrong with one batch is said, and no other goes uncounted.
    assert!(n_records.contains(&(9, 0)) && n_records.contains(&(9, 1)));
}

/// The facts of a frame that is cut in two at `at`, if it need not be put together.
fn in_pieces(
    digest: &mut Digest,
    (frame, at): (&[u8], usize),
    api: ApiKey,
    direction: Direction,
    version: i16,
    body_at: usize,
) -> Option<Facts> {
    let (front, rest) = frame.split_at(at);
    let (pieces, mut facts) = ([front, rest], Facts::default());
    let pieces = Pieces::new(&pieces);
    let is_done = match direction {
        Direction::Response => digest.response_in_pieces(api.0, version, pieces, &mut facts),
        Direction::Request => {
            let head = RequestHead {
                api_key: api.0,
                version,
                correlation_id: 1,
                client_id: None,
                body_at: body_at as u32,
            };
            digest.request_in_pieces(&head, pieces, &mut facts)
        }
    };
    is_done.then_some(facts)
}

#[test]
fn what_lies_in_pieces_has_the_same_facts_wherever_it_is_cut() {
    let catalogue = Catalogue::current();
    let mut digest = Digest::new(catalogue);
    let mut n_done = 0;
    for api in ApiKey::all() {
        for direction in [Direction::Request, Direction::Response] {
            let definition = catalogue.api(api, direction).unwrap();
            let version = definition.ever.iter().last().unwrap();
            let plan = catalogue.api_plan(api, direction, version).unwrap();
            let body = crate::encode::smallest(plan);
            let frame = match direction {
                Direction::Request => request_frame(catalogue, api, version, 1, None, &body),
                Direction::Response => response_frame(catalogue, api, version, 1, &body),
            };
            let body_at = frame.len() - body.len();
            let (short, _) = both(&mut digest, &frame, api, direction, version);
            for at in 0..=frame.len() {
                let cut = (&frame[..], at);
                let pieces = in_pieces(&mut digest, cut, api, direction, version, body_at);
                assert_eq!(pieces, short, "{api} {version} {direction:?} cut at {at}");
                n_done += usize::from(pieces.is_some());
            }
        }
    }
    assert!(n_done > 5_000, "{n_done}");
}

#[test]
fn records_in_pieces_are_counted_as_those_that_lie_together() {
    let catalogue = Catalogue::current();
    let mut digest = Digest::new(catalogue);
    let batch =
        |offset: i64| json!({"base_offset": offset, "records": [{"value": "6b"}, {"value": "61"}]});
    let produce = json!({"Acks": -1, "TimeoutMs": 1, "TopicData": [
        {"Name": "orders", "PartitionData": [
            {"Index": 0, "Records": [batch(0)]}, {"Index": 1, "Records": [batch(2)]}]}]});
    let fetch = json!({"Responses": [{"Topic": "orders", "Partitions": [
        {"PartitionIndex": 0, "Records": [batch(0), batch(2)]}]}]});
    let metadata = json!({"Responses": [{"Topic": "__cluster_metadata", "Partitions": [
        {"PartitionIndex": 0, "Records": [batch(0)]}]}]});
    for (api, direction, version, json, n_records) in [
        (ApiKey::PRODUCE, Direction::Request, 9, &produce, Some(4)),
        (ApiKey::FETCH, Direction::Response, 12, &fetch, Some(4)),
        // What is in these is wanted.
        (ApiKey::FETCH, Direction::Response, 12, &metadata, None),
    ] {
        let plan = catalogue.api_plan(api, direction, version).unwrap();
        let body = body(plan, json).unwrap();
        let whole = match direction {
            Direction::Request => request_frame(catalogue, api, version, 1, None, &body),
            Direction::Response => response_frame(catalogue, api, version, 1, &body),
        };
        let body_at = whole.len() - body.len();
        // Cut in the records of the first partition.
        let at = whole.len() - 75;
        let cut = (&whole[..], at);
        let facts = in_pieces(&mut digest, cut, api, direction, version, body_at);
        assert_eq!(facts.map(|facts| facts.records), n_records);
        let mut n_done = 0;
        for flipped in body_at..whole.len() {
            let mut frame = whole.clone();
            frame[flipped] ^= 0x10;
            let Some(facts) =
                in_pieces(&mut digest, (&frame, at), api, direction, version, body_at)
            else {
                continue;
            };
            n_done += 1;
            let (_, long) = both(&mut digest, &frame, api, direction, version);
            assert_eq!(facts, long, "byte {flipped}");
        }
        assert!(n_done > 0 || n_records.is_none());
    }
}
