//! Timelines of transactions, and the producers behind them (KIP-98, KIP-890).
//!
//! What comes in are the exchanges of producers, transaction coordinators and fetches, in the order
//! of the index; what goes out are the transactional ids with their [`Transaction`]s and events, and
//! every producer id with the sequence numbers that it used. Which transactional id a producer id
//! belongs to is known where any captured request names both.
//!
//! Sequences are compared as brokers do: those of a partition go on without a gap as long as the
//! producer keeps its epoch. The first one of the capture is taken as it is, and one that the broker
//! refused is not counted.

mod markers;
mod produce;
mod record;
mod requests;
mod sequences;

use std::collections::BTreeSet;

use super::{Failure, Keep};
use crate::{
    schema::ApiKey,
    session::{Index, Session},
};

pub use sequences::{Fault, Sequence, Trouble};

/// What the capture says of transactions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transactions {
    /// In the order in which they were first seen.
    pub ids: Vec<Transactional>,
    /// Those with a transactional id among them.
    pub producers: Vec<Producer>,
}

/// A transactional id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transactional {
    pub id: Box<str>,
    /// Client ids that used it.
    pub clients: BTreeSet<Box<str>>,
    pub timeout_ms: Option<i64>,
    pub transactions: Vec<Transaction>,
    /// In order of time.
    pub events: Vec<Event>,
    /// Index of the one that is open.
    pub(super) open: Option<usize>,
}

/// A transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transaction {
    pub producer_id: i64,
    pub epoch: i64,
    /// When its first partition or group was added, nanoseconds since 1970; `None` where that is not
    /// in the capture.
    pub begun: Option<i64>,
    /// When its end was answered, or it was cut short.
    pub ended: Option<i64>,
    /// The first and the last exchange about it.
    pub first: u32,
    pub last: u32,
    pub partitions: BTreeSet<(Box<str>, i32)>,
    /// Groups whose offsets it commits.
    pub groups: BTreeSet<Box<str>>,
    pub batches: u64,
    pub records: u64,
    pub outcome: Outcome,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Not, in the capture.
    #[default]
    Open,
    /// Somebody asked to end it, and the capture has no answer.
    Ending,
    Committed,
    Aborted,
    /// Its producer was told that another one has taken over.
    Fenced,
    /// The same transactional id was initialised again, which aborts what was open.
    Replaced,
}

impl Outcome {
    /// The word in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Open => "open",
            Outcome::Ending => "ending",
            Outcome::Committed => "committed",
            Outcome::Aborted => "aborted",
            Outcome::Fenced => "fenced",
            Outcome::Replaced => "replaced",
        }
    }
}

impl Transaction {
    /// Nanoseconds from its begin to its end.
    pub fn duration(&self) -> Option<i64> {
        Some(self.ended? - self.begun?)
    }
}

/// Something that happened to a transactional id.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Nanoseconds since 1970.
    pub time: i64,
    /// The exchange.
    pub n: u32,
    /// Index of the transaction that it belongs to.
    pub transaction: Option<usize>,
    pub what: What,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// InitProducerId gave it a producer id and an epoch.
    Initialised { producer_id: i64, epoch: i64 },
    /// Partitions were added.
    Partitions(BTreeSet<(Box<str>, i32)>),
    /// A group was added, whose offsets are to be committed.
    Group(Box<str>),
    /// Offsets of a group were written.
    Offsets {
        group: Box<str>,
        partitions: BTreeSet<(Box<str>, i32)>,
    },
    /// Batches were written, in one produce request or several in a row.
    Produced {
        partitions: BTreeSet<(Box<str>, i32)>,
        batches: u64,
        records: u64,
        requests: u64,
        last_time: i64,
    },
    /// EndTxn was answered without an error, or has no answer.
    Ended { commits: bool, is_answered: bool },
    /// A coordinator had brokers write markers.
    MarkersWritten {
        commits: bool,
        partitions: BTreeSet<(Box<str>, i32)>,
    },
    /// A consumer fetched the marker of a partition.
    MarkerFetched {
        commits: bool,
        topic: Box<str>,
        partition: i32,
        offset: i64,
    },
    /// An error code, to the same API in a row.
    Failed(Failure),
}

/// A producer id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Producer {
    pub producer_id: i64,
    /// Where any request names both.
    pub transactional_id: Option<Box<str>>,
    pub clients: BTreeSet<Box<str>>,
    /// Sequences by partition and epoch.
    pub sequences: Vec<Sequence>,
    /// What was wrong with them, in order of time.
    pub faults: Vec<Fault>,
    /// Markers of it that consumers fetched.
    pub markers: u64,
}

/// The transactions of a capture.
pub fn transactions(session: &Session, index: &Index, keep: Keep<'_>) -> Transactions {
    let mut record = record::Record::new(session, index);
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        let Some((key, _)) = exchange.api else {
            continue;
        };
        match ApiKey(key).name().unwrap_or_default() {
            "Produce" => produce::produce(&mut record, &exchange),
            "InitProducerId" => requests::init_producer_id(&mut record, &exchange),
            "AddPartitionsToTxn" => requests::add_partitions(&mut record, &exchange),
            "AddOffsetsToTxn" => requests::add_offsets(&mut record, &exchange),
            "TxnOffsetCommit" => requests::offset_commit(&mut record, &exchange),
            "EndTxn" => requests::end(&mut record, &exchange),
            "WriteTxnMarkers" => markers::written(&mut record, &exchange),
            "Fetch" if exchange.records > 0 => markers::fetched(&mut record, &exchange),
            _ => {}
        }
    }
    record.finish()
}
