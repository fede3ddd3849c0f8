//! What records say: offsets, times, keys, values, headers, in every format and codec; checksums
//! and contradictions.

use kafscope::{
    decode::{Lead, log, structure},
    event::{Code, Severity},
    records::{Codec, are_records},
    render::{Head, json_message},
    schema::Catalogue,
    tree::{Builder, Tree},
};
use serde_json::{Value as Json, json};

use crate::{
    audit::Audit,
    batches::{Batch, CODECS, captured, compress, message},
};

/// Decodes a piece of a log; what the events must keep to is checked on the way.
pub(crate) fn decode(bytes: &[u8]) -> (Tree, Json) {
    let mut audit = Audit::new(bytes.len());
    log(bytes, &mut audit);
    audit.finish();
    let (tree, ()) = Builder::build(bytes.to_vec(), log);
    let json = json_message(&tree, &Head::Records);
    (tree, json["value"].clone())
}

/// Offsets, times, keys and values of all records.
fn records(batches: &Json) -> Vec<(i64, Option<i64>, Json, Json)> {
    batches
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|batch| batch["records"].as_array().unwrap())
        .map(|record| {
            (
                record["offset"].as_i64().unwrap(),
                record["timestamp"].as_i64(),
                record["key"].clone(),
                record["value"].clone(),
            )
        })
        .collect()
}

fn problems(tree: &Tree) -> Vec<(Severity, Code, String)> {
    let problems = tree.problems().iter();
    problems
        .map(|found| {
            let path = tree.problem_path(found);
            let problem = &found.problem;
            (
                problem.severity,
                problem.code,
                format!("{path}: {}", problem.message),
            )
        })
        .collect()
}

/// The only problem, as text.
fn problem(bytes: &[u8], severity: Severity, code: Code) -> String {
    let (tree, _) = decode(bytes);
    let mut problems = problems(&tree);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let (found_severity, found_code, message) = problems.remove(0);
    assert_eq!((found_severity, found_code), (severity, code), "{message}");
    message
}

fn sample() -> Batch {
    Batch::new(1_000, 1_700_000_000_000)
        .record(0, Some(b"k"), Some(b"v"), &[("h", Some(b"1")), ("n", None)])
        .record(-5, None, Some(b""), &[])
        .record(i64::from(i32::MAX) * 9, Some(b""), None, &[])
}

#[test]
fn a_batch_is_told_with_offsets_and_times() {
    let batch = sample();
    let (tree, json) = decode(&batch.bytes());
    assert_eq!(problems(&tree), []);
    let latest = 1_700_000_000_000 + i64::from(i32::MAX) * 9;
    assert_eq!(
        json,
        json!([{
            "base_offset": 1000, "batch_length": batch.bytes().len() - 12,
            "partition_leader_epoch": 7, "magic": 2,
            "crc": u32::from_be_bytes(*batch.bytes()[17..].first_chunk().unwrap()),
            "attributes": 0, "last_offset_delta": 2, "base_timestamp": 1_700_000_000_000_i64,
            "max_timestamp": latest, "producer_id": -1, "producer_epoch": -1, "base_sequence": -1,
            "records_count": 3,
            "records": [
                {"offset": 1000, "timestamp": 1_700_000_000_000_i64, "key": "6b", "value": "76",
                 "headers": [{"key": "h", "value": "31"}, {"key": "n", "value": null}]},
                {"offset": 1001, "timestamp": 1_699_999_999_995_i64, "key": null, "value": "",
                 "headers": []},
                {"offset": 1002, "timestamp": latest, "key": "", "value": null, "headers": []},
            ],
        }])
    );
}

#[test]
fn every_codec_gives_the_same_records_in_a_buffer_of_their_own() {
    let (_, plain) = decode(&sample().bytes());
    for codec in CODECS {
        let (tree, json) = decode(&sample().compressed(codec).bytes());
        assert_eq!(problems(&tree), [], "{codec}");
        assert_eq!(records(&json), records(&plain), "{codec}");
        assert_eq!(tree.buffers().len(), 2, "{codec}");
        let (tree, json) = decode(&Batch::new(0, 0).compressed(codec).bytes());
        assert_eq!(problems(&tree), [], "{codec}");
        assert_eq!(json[0]["records"], json!([]), "{codec}");
    }
}

#[test]
fn a_byte_of_a_decompressed_buffer_leads_to_its_field() {
    let (tree, _) = decode(&sample().compressed(Codec::Zstd).bytes());
    let value = tree
        .nodes()
        .find(|&id| tree.path(id) == "records[0].records[0].value")
        .unwrap();
    let span = tree.span(value);
    assert_eq!(span.buffer.0, 1);
    assert_eq!(tree.at(span.buffer, span.at), Some(value));
    assert_eq!(tree.bytes(span), [2, b'v']);
}

#[test]
fn log_append_time_is_the_time_of_all_records() {
    let mut batch = sample();
    batch.attributes |= 8;
    batch.max_timestamp = 42;
    let (tree, json) = decode(&batch.bytes());
    assert_eq!(problems(&tree), []);
    assert!(records(&json).iter().all(|record| record.1 == Some(42)));

    let inner = [
        message(0, 0, Some(1), None, Some(b"a")),
        message(1, 0, Some(2), None, Some(b"b")),
    ]
    .concat();
    let set = compress(Codec::Gzip, &inner);
    let (_, json) = decode(&message(9, 1 | 8, Some(77), None, Some(&set)));
    let times: Vec<_> = records(&json).iter().map(|r| (r.0, r.1)).collect();
    assert_eq!(times, [(8, Some(77)), (9, Some(77))]);
}

#[test]
fn real_batches_of_one_client_hold_the_same_in_every_codec() {
    let captured = captured();
    let json = |wanted: &str| {
        let (_, bytes) = captured.iter().find(|(name, _)| *name == wanted).unwrap();
        let (tree, json) = decode(bytes);
        assert_eq!(problems(&tree), [], "{wanted}");
        json
    };
    for name in ["none", "gzip", "snappy", "lz4", "zstd"] {
        let found = records(&json(name));
        assert_eq!(found.len(), 10, "{name}");
        let offsets: Vec<_> = found.iter().map(|record| record.0).collect();
        let first = offsets[0];
        assert_eq!(offsets, (first..first + 10).collect::<Vec<_>>());
    }
    for (name, offsets) in [("v0-gzip", 7..14), ("v0-snappy", 14..21)] {
        let found = records(&json(name));
        let found: Vec<_> = found.iter().map(|record| (record.0, record.1)).collect();
        let expected: Vec<_> = offsets.map(|offset| (offset, None)).collect();
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(json("control0")[0]["records"][0]["control"], "commit");
    assert_eq!(json("control1")[0]["records"][0]["control"], "abort");
    assert_eq!(json("xerial")[0]["records"][1]["value"], Json::Null);
}

#[test]
fn relative_offsets_count_to_the_one_of_the_message_around() {
    let inner = [
        message(0, 0, Some(10), Some(b"x"), Some(b"a")),
        message(1, 0, Some(11), None, Some(b"b")),
        message(4, 0, Some(12), None, None),
    ]
    .concat();
    for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4] {
        let set = compress(codec, &inner);
        let bits = crate::batches::number(codec) as u8;
        let offsets = |offset: i64| {
            let (tree, json) = decode(&message(offset, bits, Some(12), None, Some(&set)));
            assert_eq!(problems(&tree), []);
            let found: Vec<_> = records(&json).iter().map(|record| record.0).collect();
            assert_eq!(json[0]["base_offset"], found[0]);
            found
        };
        assert_eq!(offsets(104), [100, 101, 104]);
        // As some producers write it.
        assert_eq!(offsets(0), [0, 1, 4]);
    }
    let set = compress(Codec::Gzip, &inner);
    let wrong = problem(
        &message(3, 1, Some(12), None, Some(&set)),
        Severity::Error,
        Code::Inconsistent,
    );
    assert_eq!(
        wrong,
        "records[0].value: the message has offset 3, which is below 4, the last one inside it"
    );
}

#[test]
fn sets_within_sets_and_all_formats_side_by_side() {
    let innermost = message(5, 0, None, None, Some(b"deep"));
    let middle = message(5, 1, None, None, Some(&compress(Codec::Gzip, &innermost)));
    let outer = compress(Codec::Snappy, &middle);
    let bytes = [
        message(5, 2, None, None, Some(&outer)),
        message(6, 0, Some(60), None, Some(b"one")),
        Batch::new(7, 70).record(0, None, Some(b"two"), &[]).bytes(),
        message(8, 0, None, None, Some(b"zero")),
    ]
    .concat();
    let (tree, json) = decode(&bytes);
    assert_eq!(problems(&tree), []);
    let found: Vec<_> = records(&json).iter().map(|r| (r.0, r.1)).collect();
    assert_eq!(found, [(5, None), (6, Some(60)), (7, Some(70)), (8, None)]);
    assert_eq!(tree.buffers().len(), 3);
}

#[test]
fn a_wrong_checksum_is_told_with_what_made_it() {
    let good = sample().bytes();
    let crc = u32::from_be_bytes(*good[17..].first_chunk().unwrap());
    let mut gzip = flate2::Crc::new();
    gzip.update(&good[21..]);
    let covered = &good[21..];
    let over = |parts: &[&[u8]]| crc32c::crc32c(&parts.concat());
    for (stored, hint) in [
        (!crc, "the stored value is its bitwise NOT"),
        (crc.swap_bytes(), "bytes in reverse order"),
        (gzip.sum(), "the CRC-32 of these bytes"),
        (over(&[&[0], covered]), "one byte more at the start"),
        (over(&[&[0; 4], covered]), "the checksum's own bytes too"),
        (over(&[&[2], covered]), "the CRC-32C of magic too"),
        (over(&[&[2, 0, 0, 0, 0], covered]), "magic too, with zeros"),
        (
            over(&[&good[..17], &[0; 4], covered]),
            "all bytes from the first on",
        ),
        (crc32c::crc32c(&good[22..]), "one byte less at the start"),
        (
            crc32c::crc32c(&good[21..good.len() - 1]),
            "one byte less at the end",
        ),
        (
            crc32c::crc32c(&[&good[21..], &[0]].concat()),
            "one byte more at the end",
        ),
        (0, "as if none had been computed"),
        (crc ^ 0x10, "computed 0x"),
    ] {
        let mut bytes = good.clone();
        bytes[17..21].copy_from_slice(&stored.to_be_bytes());
        let message = problem(&bytes, Severity::Error, Code::Checksum);
        assert!(
            message.starts_with("records[0].crc: crc is 0x"),
            "{message}"
        );
        assert!(message.contains(hint), "{message}");
    }
    let mut bytes = message(0, 0, Some(3), None, Some(b"value"));
    let covered = crc32c::crc32c(&bytes[16..]);
    bytes[12..16].copy_from_slice(&covered.to_be_bytes());
    let message = problem(&bytes, Severity::Error, Code::Checksum);
    assert!(message.contains("the CRC-32C of these bytes"), "{message}");
}

#[test]
fn claims_that_the_records_contradict_are_told() {
    let mut batch = sample();
    batch.count = 4;
    let message = problem(&batch.bytes(), Severity::Error, Code::Inconsistent);
    assert_eq!(
        message,
        "records[0].records_count: records_count is 4, 3 records found"
    );
    let mut batch = sample();
    batch.last_offset_delta = 1;
    problem(&batch.bytes(), Severity::Error, Code::Inconsistent);
    batch.last_offset_delta = 5;
    let message = problem(&batch.bytes(), Severity::Note, Code::Inconsistent);
    assert!(message.contains("compaction"), "{message}");
    let mut batch = sample();
    batch.max_timestamp -= 1;
    problem(&batch.bytes(), Severity::Warning, Code::Inconsistent);
    let mut batch = sample();
    batch.attributes = 5;
    let message = problem(&batch.bytes(), Severity::Error, Code::Inconsistent);
    assert!(
        message.contains("codec 5, which does not exist"),
        "{message}"
    );
    let mut batch = Batch::new(0, 0).record(0, None, Some(b"value"), &[]);
    // The record claims a byte more than its content takes.
    batch.records[0] += 2;
    batch.records.push(0);
    let message = problem(&batch.bytes(), Severity::Error, Code::Inconsistent);
    assert!(
        message.contains("record length is 12, its content takes 11"),
        "{message}"
    );
}

#[test]
fn a_length_that_the_checksum_refutes_does_not_hide_the_batch() {
    let mut bytes = sample().bytes();
    bytes[10] = 1;
    let (tree, json) = decode(&bytes);
    assert_eq!(records(&json).len(), 3);
    assert_eq!(problems(&tree)[0].1, Code::Inconsistent);
}

#[test]
fn zstd_in_old_messages_is_read_and_remarked_on() {
    let set = compress(Codec::Zstd, &message(0, 0, Some(1), None, Some(b"v")));
    let bytes = message(0, 4, Some(1), None, Some(&set));
    let message = problem(&bytes, Severity::Warning, Code::Inconsistent);
    assert!(message.contains("KIP-110"), "{message}");
    assert_eq!(records(&decode(&bytes).1).len(), 1);
}

/// A Fetch response, version 4, with these records.
fn fetched(records: &[u8]) -> (Tree, Json) {
    let mut body = vec![0; 4];
    body.extend([0, 0, 0, 1, 0, 1, b't', 0, 0, 0, 1]);
    body.extend([0; 4 + 2 + 8 + 8 + 4]);
    body.extend((records.len() as i32).to_be_bytes());
    body.extend(records);
    let plan = Catalogue::current().plan("FetchResponse", 4).unwrap();
    let (tree, ()) = Builder::build(body, |bytes, sink| {
        let mut audit = Audit::new(bytes.len());
        structure(plan, Lead::None, bytes, &mut audit);
        audit.finish();
        structure(plan, Lead::None, bytes, sink);
    });
    let json = json_message(&tree, &Head::Structure(plan));
    let records = json["value"]["Responses"][0]["Partitions"][0]["Records"].clone();
    (tree, records)
}

#[test]
fn a_cut_batch_in_a_fetch_response_is_a_note() {
    let first = Batch::new(0, 10).record(0, None, Some(b"whole"), &[]);
    let (first, second) = (first.bytes(), sample().compressed(Codec::Lz4).bytes());
    let whole = [first.clone(), second.clone()].concat();
    for len in 0..=whole.len() {
        let (tree, json) = fetched(&whole[..len]);
        let problems = problems(&tree);
        if [0, first.len(), whole.len()].contains(&len) {
            assert_eq!(problems, [], "{len}");
        } else if len < 12 {
            // Not enough to be told from any other bytes, but most likely.
            assert!(json.is_string(), "{len}");
            assert_eq!(problems[0].1, Code::PartialBatch, "{len}");
        } else {
            assert_eq!(problems.len(), 1, "{len} {problems:?}");
            assert_eq!(problems[0].0, Severity::Note);
            assert_eq!(problems[0].1, Code::PartialBatch);
            let left = len.saturating_sub(first.len());
            let last = json.as_array().unwrap().last().unwrap();
            assert_eq!(last.get("base_offset").is_some(), left == 0 || left >= 8);
        }
    }
    assert_eq!(fetched(&[]).1, json!([]));
}

#[test]
fn bytes_that_are_no_records_stay_one_value() {
    for bytes in [
        &[0, 1][..],
        &[0; 40],
        &[0xff; 80],
        b"GET / HTTP/1.1\r\nHost: example.com\r\n",
    ] {
        assert!(!are_records(bytes), "{bytes:?}");
        let (tree, json) = fetched(bytes);
        assert_eq!(problems(&tree), []);
        assert!(json.is_string());
    }
    // Random bytes, from a generator that is the same everywhere.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    for len in 0..2_000 {
        let bytes: Vec<u8> = (0..len % 300).map(|_| random()).collect();
        assert!(!are_records(&bytes), "{bytes:?}");
    }
    // And one byte changed in a batch does not make it none.
    let good = sample().bytes();
    for at in 0..good.len() {
        for mask in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= mask;
            assert!(are_records(&bytes), "{at} {mask:02x}");
        }
    }
}
