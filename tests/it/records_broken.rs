//! Broken, hostile and huge records: no panic, every byte accounted for, no runaway time or memory.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use kafscope::{
    decode::{Framing, log, record_set, request},
    encode::{request_frame, smallest},
    event::{Code, Descend, Node, Problem, Role, Severity, Sink, Value},
    records::Codec,
    schema::{ApiKey, Catalogue, Direction},
    wire::{BufferId, Span},
};

use crate::{
    audit::Audit,
    batches::{Batch, CODECS, captured, compress, message, number},
};

fn audited(bytes: &[u8]) -> Vec<Problem> {
    let mut audit = Audit::new(bytes.len());
    log(bytes, &mut audit);
    audit.finish()
}

/// Sizes and codecs of everything that this can read.
fn samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = captured().into_iter().map(|(_, bytes)| bytes).collect();
    let batch = Batch::new(3, 5)
        .record(1, Some(b"key"), Some(b"value"), &[("h", Some(b"x"))])
        .record(2, None, None, &[]);
    let set = [
        message(0, 0, Some(5), Some(b"k"), Some(b"v")),
        message(1, 0, Some(6), None, None),
    ]
    .concat();
    for codec in CODECS {
        samples.push(batch.clone().compressed(codec).bytes());
        let set = compress(codec, &set);
        if codec != Codec::Zstd {
            samples.push(message(9, number(codec) as u8, Some(6), None, Some(&set)));
        }
    }
    samples.push([batch.bytes(), set.clone(), batch.bytes()].concat());
    samples
}

#[test]
fn every_prefix_and_every_changed_byte_is_described_to_the_last_byte() {
    for sample in samples() {
        assert_eq!(audited(&sample), []);
        for end in 0..sample.len() {
            audited(&sample[..end]);
        }
        let mut bytes = sample.clone();
        let size = i32::from_be_bytes(*sample[8..].first_chunk().unwrap());
        let is_single = size as usize + 12 == sample.len();
        for at in 0..sample.len() {
            for mask in [0x01, 0x80, 0xff] {
                bytes[at] ^= mask;
                let problems = audited(&bytes);
                bytes[at] ^= mask;
                // Offsets and the leader's epoch are in front of what the checksum covers, of every
                // entry.
                let is_covered = at >= 16 || (8..12).contains(&at);
                if is_covered && is_single {
                    let is_told = problems.iter().any(|p| p.severity > Severity::Note);
                    assert!(is_told, "byte {at} ^ {mask:02x} of {sample:02x?}");
                }
            }
        }
    }
}

/// Skips records; to be given a buffer would mean that they were decompressed.
struct Skipping;

impl Sink for Skipping {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        match node.role {
            Role::Records | Role::Compressed => Descend::Skip,
            _ => Descend::Into,
        }
    }
    fn value(&mut self, node: &Node, _: Value<'_>, _: Span) {
        assert_ne!(node.name, "crc");
    }
    fn leave(&mut self, _: usize) {}
    fn problem(&mut self, problem: Problem) {
        panic!("{problem:?}");
    }
    fn buffer(&mut self, _: BufferId, _: Span, _: &Arc<Vec<u8>>) {
        panic!("decompressed for nobody");
    }
}

#[test]
fn who_skips_records_pays_nothing_for_them() {
    let bytes = Batch::new(0, 0).record(0, None, None, &[]);
    let mut bytes = bytes.compressed(Codec::Gzip).bytes();
    bytes[17] ^= 1;
    log(&bytes, &mut Skipping);

    let catalogue = Catalogue::current();
    let produce = catalogue
        .api_plan(ApiKey(0), Direction::Request, 13)
        .unwrap();
    let frame = request_frame(catalogue, ApiKey(0), 13, 1, None, &smallest(produce));
    request(catalogue, Framing::Sized, &frame, &mut Skipping);
}

/// Keeps the offsets of the messages in compressed ones, and notes.
#[derive(Default)]
struct Offsets {
    inside: Vec<Option<i64>>,
    notes: Vec<String>,
}

impl Sink for Offsets {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        Descend::Into
    }
    fn value(&mut self, node: &Node, _: Value<'_>, span: Span) {
        if node.name == "offset" && span.buffer != BufferId::FRAME {
            self.inside.push(match node.role {
                Role::Offset { absolute } => Some(absolute),
                _ => None,
            });
        }
    }
    fn leave(&mut self, _: usize) {}
    fn problem(&mut self, problem: Problem) {
        if problem.severity == Severity::Note {
            self.notes.push(problem.message);
        }
    }
}

/// The offsets in a compressed message of magic 1 count back from its last one.
#[test]
fn offsets_are_unknown_where_the_last_message_may_be_missing() {
    let set: Vec<u8> = (0..3)
        .flat_map(|n| message(n, 0, Some(5), Some(b"k"), Some(&[b'v'; 9])))
        .collect();
    let offsets = |offset: i64, packed: &[u8]| {
        let mut offsets = Offsets::default();
        let bytes = message(offset, 1, Some(5), None, Some(packed));
        log(&bytes, &mut offsets);
        (offsets.inside, offsets.notes)
    };
    let gzip = compress(Codec::Gzip, &set);
    let known = vec![Some(100), Some(101), Some(102)];
    assert_eq!(offsets(102, &gzip), (known, vec![]));
    // Cut where it is compressed, behind what it holds, and where it holds less.
    let unknown = "the offsets inside count back from the last message, which is that of offset 102 \
                   and may be missing: they are unknown";
    let behind = gzip.len() - 2;
    let cut = compress(Codec::Gzip, &set[..set.len() - 5]);
    for packed in [&gzip[..behind], &cut] {
        assert_eq!(
            offsets(102, packed),
            (vec![None; 3], vec![unknown.to_owned()])
        );
    }
    // Set by the producer, they are not relative.
    assert_eq!(offsets(0, &cut).0, [Some(0), Some(1), Some(2)]);
}

/// Counts, and keeps nothing.
#[derive(Default)]
struct Count {
    nodes: usize,
    unpacked: usize,
    codes: Vec<Code>,
}

impl Sink for Count {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        self.nodes += 1;
        Descend::Into
    }
    fn value(&mut self, _: &Node, _: Value<'_>, _: Span) {
        self.nodes += 1;
    }
    fn leave(&mut self, _: usize) {}
    fn problem(&mut self, problem: Problem) {
        self.codes.push(problem.code);
    }
    fn buffer(&mut self, _: BufferId, _: Span, bytes: &Arc<Vec<u8>>) {
        self.unpacked += bytes.len();
    }
}

fn counted(bytes: &[u8]) -> Count {
    let start = Instant::now();
    let mut count = Count::default();
    log(bytes, &mut count);
    // Far above what it takes, for machines that do something else as well.
    assert!(start.elapsed() < Duration::from_secs(20));
    count
}

#[test]
fn a_bomb_is_cut_and_it_is_said() {
    let zeros = vec![0; 300 << 20];
    for codec in CODECS {
        let mut batch = Batch::new(0, 0);
        batch.records = compress(codec, &zeros);
        batch.attributes = number(codec);
        let bytes = batch.bytes();
        let count = counted(&bytes);
        assert!(count.codes.contains(&Code::Bound), "{codec}");
        assert!(count.unpacked <= (128 << 20) + 8 * bytes.len(), "{codec}");
        assert!(count.nodes < 10_000, "{codec} {}", count.nodes);
        assert!(count.codes.len() < 100, "{codec} {}", count.codes.len());
    }
}

#[test]
fn large_records_are_read_whole() {
    let value = vec![b'x'; 100 << 20];
    let batch = Batch::new(0, 0).record(0, None, Some(&value), &[]);
    for codec in CODECS {
        let count = counted(&batch.clone().compressed(codec).bytes());
        assert_eq!(count.codes, [], "{codec}");
        assert!(count.unpacked > value.len(), "{codec}");
    }
}

#[test]
fn many_bombs_share_one_bound() {
    let one = Batch::new(0, 0).record(0, None, Some(&vec![0; 20 << 20]), &[]);
    let bytes = one.compressed(Codec::Zstd).bytes().repeat(100);
    let count = counted(&bytes);
    assert!(count.codes.contains(&Code::Bound));
    assert!(count.unpacked <= (128 << 20) + 8 * bytes.len());
}

#[test]
fn tiny_records_and_headers_are_counted() {
    // The smallest records, a million of them.
    let mut batch = Batch::new(0, 0).record(0, None, None, &[]);
    batch.records = batch.records.repeat(1 << 20);
    let count = counted(&batch.compressed(Codec::Zstd).bytes());
    assert!(count.codes.contains(&Code::Bound));
    assert!(count.nodes < 600_000);
    // One record with millions of headers.
    let headers = vec![("", None); 4 << 20];
    let batch = Batch::new(0, 0).record(0, None, None, &headers);
    let count = counted(&batch.compressed(Codec::Gzip).bytes());
    assert!(count.codes.contains(&Code::Bound));
    assert!(count.nodes < 600_000);
}

#[test]
fn empty_parts_without_end_are_cut() {
    let gzip = compress(Codec::Gzip, b"").repeat(50_000);
    let lz4 = compress(Codec::Lz4, b"").repeat(50_000);
    let mut snappy = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01".to_vec();
    snappy.resize(1 << 20, 0);
    let zstd = compress(Codec::Zstd, b"").repeat(50_000);
    for (codec, records) in CODECS.into_iter().zip([gzip, snappy, lz4, zstd]) {
        let mut batch = Batch::new(0, 0);
        batch.attributes = number(codec);
        batch.records = records;
        counted(&batch.bytes());
    }
}

#[test]
fn sets_within_sets_end_somewhere() {
    let mut set = message(0, 0, None, None, Some(b"v"));
    for _ in 0..8 {
        set = message(0, 1, None, None, Some(&compress(Codec::Gzip, &set)));
    }
    let problems = audited(&set);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, Code::Bound);
}

#[test]
fn offsets_out_of_order_are_told_once() {
    // Without key, value and headers a record takes seven bytes, the fourth of which is the delta.
    let with = |deltas: [u8; 3]| {
        let mut batch = (0..3).fold(Batch::new(5, 0), |batch, _| {
            batch.record(0, None, None, &[])
        });
        for (record, delta) in batch.records.chunks_mut(7).zip(deltas) {
            record[3] = 2 * delta;
        }
        batch.last_offset_delta = i32::from(deltas[2]);
        batch
    };
    let told = |bytes: &[u8], direction| -> Vec<String> {
        let mut audit = Audit::new(bytes.len());
        record_set(direction, bytes, &mut audit);
        let problems = audit.finish().into_iter();
        problems.map(|found| found.message).collect()
    };
    assert_eq!(told(&with([0, 1, 2]).bytes(), Direction::Request), [""; 0]);
    assert_eq!(told(&with([3, 5, 9]).bytes(), Direction::Response), [""; 0]);
    assert_eq!(
        told(&with([0, 0, 0]).bytes(), Direction::Response),
        ["offset_delta is 0, the record before has 0; they rise"]
    );
    assert_eq!(
        told(&with([0, 2, 3]).bytes(), Direction::Request),
        ["offset_delta is 2, 1 is due: producers number records without a hole"]
    );
    let mut batch = with([0, 1, 2]);
    batch.base_offset = i64::MAX - 1;
    let problems = audited(&batch.bytes());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].message.contains("64 bits"), "{problems:?}");
}

#[test]
fn what_a_control_record_marks_is_said_or_why_not() {
    for (key, value, why) in [
        (&b"\0\0\0\x01"[..], &b"\0\0\0\0\0\x05"[..], None),
        (b"\0\0", b"x", Some("no key of 4 bytes")),
        (b"\0\0\0\x09", b"x", Some("no control record has type 9")),
        (
            b"\0\0\0\x01",
            b"\0\x01\0\0\0\x05",
            Some("EndTxnMarker has no version 1"),
        ),
        (b"\0\0\0\x01", b"\0", Some("too short for the version")),
    ] {
        let mut batch = Batch::new(0, 0).record(0, Some(key), Some(value), &[]);
        batch.attributes = 0x20;
        let problems = audited(&batch.bytes());
        assert_eq!(problems.len(), usize::from(why.is_some()), "{problems:?}");
        if let Some(why) = why {
            assert!(problems[0].message.contains(why), "{problems:?}");
        }
    }
}
