//! kafscope's decoder beside a typed one on the same bytes, in one run: times and their ratio.
//!
//! `cargo bench --bench decoding [-- TITLE]`, with a part of the titles of those to run. kafscope
//! tells a sink of every node of a message, each with its name, type, meaning, value and place; the
//! sink here takes them all and keeps none. The other is the `kafka-protocol` crate, whose generated
//! code reads the same bytes into structs: header, body, and records by its own reader of batches.
//! Both check text, recompute the checksum of a batch, decompress it and read its records one by
//! one; neither copies keys and values. To free what a decode returns is not timed.
//!
//! Before anything is timed, what the typed decoder has read is encoded again by its encoder and
//! must be the same bytes, and both must have found the same number of partitions or records.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod messages;

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::{Bytes, BytesMut};
use kafka_protocol::{
    messages::{FetchResponse, MetadataResponse, ProduceRequest, RequestHeader, ResponseHeader},
    protocol::{Decodable, Encodable, HeaderVersion},
    records::{
        Compression, RecordBatchDecoder, RecordBatchEncoder, RecordEncodeOptions, RecordSet,
    },
};
use kafscope::{
    decode::{Framing, request, response},
    event::{Descend, Node, Problem, Shape, Sink, Value},
    schema::{Catalogue, Direction},
    session::{Digest, Facts, Summariser},
    tree::Builder,
    wire::{BufferId, Span},
};
use messages::{Codec, Message, fetch, metadata, produce};

/// Times that the decoders take turns, a decode each: the longer a sample, the likelier is the
/// machine to do something else meanwhile.
const ROUNDS: usize = 1000;

fn main() {
    for version in [13, 9, 1] {
        compare(&metadata(version), typed_metadata, |typed| {
            let topics = typed.topics.iter();
            topics.map(|topic| topic.partitions.len()).sum()
        });
    }
    for (version, n_headers) in [(18, 0), (4, 0), (18, 2)] {
        compare(&fetch(version, n_headers), typed_fetch, |(_, records)| {
            n_records(records)
        });
    }
    for codec in [Codec::Zstd, Codec::None] {
        compare(&produce(9, codec), typed_produce, |(_, records)| {
            n_records(records)
        });
    }
}

/// Times both decoders of a message, which `count` counts the units of by what is typed.
fn compare<T: Reencode>(
    message: &Message,
    typed: fn(Bytes, i16) -> T,
    count: impl Fn(&T) -> usize,
) {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    if wanted.is_some_and(|wanted| !message.title.contains(&wanted)) {
        return;
    }
    let frame = Bytes::from(message.frame.clone());
    let check = typed(frame.clone(), message.version);
    check.reencode(&frame.slice(message.body_at..), message.version);
    let mut counts = Counts::default();
    decode(message, &mut counts);
    assert_eq!(counts.n_problems, 0, "{}", message.title);
    assert_eq!(counts.n_units, message.n_units, "{}", message.title);
    assert_eq!(count(&check), message.n_units, "{}", message.title);

    let (mut ours, mut theirs) = (Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        ours.time(|| decode(message, &mut Everything));
        theirs.time(|| typed(frame.clone(), message.version));
    }
    let (mut tree, mut digest) = (Samples::default(), Samples::default());
    for _ in 0..ROUNDS / 20 {
        tree.time(|| {
            let mut builder = Builder::new(Vec::new());
            decode(message, &mut builder);
            builder.finish()
        });
        digest.time(|| digested(message));
    }

    println!(
        "{}: {} {}s, {} bytes, {} events",
        message.title,
        message.n_units,
        message.unit,
        message.frame.len(),
        counts.n_events
    );
    ours.print("kafscope, all events", message);
    theirs.print("kafka-protocol, typed", message);
    tree.print("kafscope, into a tree", message);
    if message.direction == Direction::Response {
        digest.print("kafscope, for a list", message);
    }
    println!(
        "  {:.1} ns an event; {:.2} times as fast as typed by the median, {:.2} by the fastest\n",
        ns(ours.median()) / counts.n_events as f64,
        ns(theirs.median()) / ns(ours.median()),
        ns(theirs.fastest()) / ns(ours.fastest()),
    );
}

fn decode<S: Sink>(message: &Message, sink: &mut S) {
    let catalogue = Catalogue::current();
    let frame = black_box(message.frame.as_slice());
    let (api, version) = (message.api, message.version);
    black_box(match message.direction {
        Direction::Request => request(catalogue, Framing::Sized, frame, sink),
        Direction::Response => response(catalogue, Framing::Sized, frame, api, version, sink),
    });
}

/// What `list` shows of a response.
fn digested(message: &Message) -> Facts {
    let mut facts = Facts::default();
    if message.direction == Direction::Response {
        let mut digest = Digest::new(Catalogue::current());
        digest.response(message.api.0, message.version, &message.frame, &mut facts);
    }
    facts
}

/// Takes every event with all that it says. Nothing of it may be optimised away, for all the
/// compiler knows is that somebody looks at it.
struct Everything;

impl Sink for Everything {
    fn enter(&mut self, node: &Node, buffer: BufferId, at: usize) -> Descend {
        black_box((node, buffer, at));
        Descend::Into
    }

    fn value(&mut self, node: &Node, value: Value<'_>, span: Span) {
        black_box((node, &value, &span));
    }

    fn leave(&mut self, at: usize) {
        black_box(at);
    }

    fn problem(&mut self, problem: Problem) {
        black_box(problem);
    }

    fn buffer(&mut self, buffer: BufferId, source: Span, bytes: &Arc<Vec<u8>>) {
        black_box((buffer, source, bytes));
    }
}

/// Counts the same events, and what the message is full of.
#[derive(Default)]
struct Counts {
    n_events: usize,
    n_problems: usize,
    n_units: usize,
}

impl Sink for Counts {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        let ty = match node.shape {
            Shape::Struct { ty, .. } => ty,
            _ => "",
        };
        self.n_events += 1;
        self.n_units += usize::from(matches!(ty, "MetadataResponsePartition" | "Record"));
        Descend::Into
    }

    fn value(&mut self, _: &Node, _: Value<'_>, _: Span) {
        self.n_events += 1;
    }

    fn leave(&mut self, _: usize) {
        self.n_events += 1;
    }

    fn problem(&mut self, _: Problem) {
        self.n_problems += 1;
    }
}

fn typed_metadata(frame: Bytes, version: i16) -> MetadataResponse {
    let mut bytes = response_body::<MetadataResponse>(frame, version);
    MetadataResponse::decode(&mut bytes, version).unwrap()
}

fn typed_fetch(frame: Bytes, version: i16) -> (FetchResponse, Vec<RecordSet>) {
    let mut bytes = response_body::<FetchResponse>(frame, version);
    let typed = FetchResponse::decode(&mut bytes, version).unwrap();
    let partitions = typed.responses.iter().flat_map(|topic| &topic.partitions);
    let records = partitions.flat_map(|partition| batches(partition.records.as_ref()));
    let records = records.collect();
    (typed, records)
}

fn typed_produce(frame: Bytes, version: i16) -> (ProduceRequest, Vec<RecordSet>) {
    let mut bytes = frame.slice(4..);
    let header = ProduceRequest::header_version(version);
    black_box(RequestHeader::decode(&mut bytes, header).unwrap());
    let typed = ProduceRequest::decode(&mut bytes, version).unwrap();
    let partitions = typed
        .topic_data
        .iter()
        .flat_map(|topic| &topic.partition_data);
    let records = partitions.flat_map(|partition| batches(partition.records.as_ref()));
    let records = records.collect();
    (typed, records)
}

fn response_body<T: HeaderVersion>(frame: Bytes, version: i16) -> Bytes {
    let mut bytes = frame.slice(4..);
    black_box(ResponseHeader::decode(&mut bytes, T::header_version(version)).unwrap());
    bytes
}

fn batches(records: Option<&Bytes>) -> Vec<RecordSet> {
    let mut records = records.cloned().unwrap_or_default();
    RecordBatchDecoder::decode_all(&mut records).unwrap()
}

fn n_records(sets: &[RecordSet]) -> usize {
    sets.iter().map(|set| set.records.len()).sum()
}

/// The way back, which says that both sides mean the same by the bytes.
trait Reencode {
    /// Checks that the typed encoder writes `body`.
    fn reencode(&self, body: &Bytes, version: i16);
}

impl Reencode for MetadataResponse {
    fn reencode(&self, body: &Bytes, version: i16) {
        same(self, body, version);
    }
}

impl<T: Encodable> Reencode for (T, Vec<RecordSet>) {
    fn reencode(&self, body: &Bytes, version: i16) {
        let (typed, sets) = self;
        same(typed, body, version);
        for set in sets {
            let options = RecordEncodeOptions {
                version: 2,
                compression: set.compression,
            };
            let mut written = BytesMut::new();
            RecordBatchEncoder::encode(&mut written, &set.records, &options).unwrap();
            let is_there = |part: &[u8]| body.windows(part.len()).any(|window| window == part);
            // What another compressor writes need not be the same.
            assert!(set.compression != Compression::None || is_there(&written));
        }
    }
}

fn same(typed: &impl Encodable, body: &Bytes, version: i16) {
    let mut written = BytesMut::new();
    typed.encode(&mut written, version).unwrap();
    assert!(
        written == body,
        "the encoders disagree on version {version}"
    );
}

/// Times of one decode each.
#[derive(Default)]
struct Samples(Vec<Duration>);

impl Samples {
    /// Takes a turn.
    fn time<T>(&mut self, mut decode: impl FnMut() -> T) {
        let start = Instant::now();
        let decoded = black_box(decode());
        self.0.push(start.elapsed());
        drop(decoded);
    }

    fn fastest(&self) -> Duration {
        *self.0.iter().min().unwrap()
    }

    fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    }

    fn print(&self, who: &str, message: &Message) {
        let median = ns(self.median());
        println!(
            "  {who:<22} {:>8.1} µs {:>7.1} ns a {} {:>7.0} MB/s, fastest {:.1} µs",
            median / 1000.0,
            median / message.n_units as f64,
            message.unit,
            1000.0 * message.frame.len() as f64 / median,
            ns(self.fastest()) / 1000.0,
        );
    }
}

fn ns(time: Duration) -> f64 {
    time.as_nanos() as f64
}
