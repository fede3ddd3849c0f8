//! The partitions that an exchange is about, with their records and errors.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    event::{Descend, Node, Problem, Role, Shape, Sink, Value},
    explain::{self, Cluster},
    schema::{ApiKey, Catalogue, Direction},
    session::{Exchange, Session},
    wire::{BufferId, Span},
};

/// APIs that do something with the partitions they name, by key. Others describe partitions, and an
/// answer to Metadata names all that there are.
const APIS: &[i16] = &[
    0,  // Produce
    1,  // Fetch
    2,  // ListOffsets
    8,  // OffsetCommit
    9,  // OffsetFetch
    21, // DeleteRecords
    23, // OffsetForLeaderEpoch
    24, // AddPartitionsToTxn
    27, // WriteTxnMarkers
    28, // TxnOffsetCommit
    47, // OffsetDelete
    56, // AlterPartition
    59, // FetchSnapshot
    61, // DescribeProducers
    78, // ShareFetch
    79, // ShareAcknowledge
];

/// Whether exchanges of an API count for the partitions that they name.
pub(super) fn names_partitions(api: ApiKey) -> bool {
    APIS.contains(&api.0)
}

/// A partition as an exchange names it.
pub(super) type Partition = (Box<str>, i32);

/// What an exchange says of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) records: u64,
    /// Bytes of its batches, compressed as they are.
    pub(super) record_bytes: u64,
    pub(super) has_error: bool,
}

/// The partitions of both messages of an exchange.
pub(super) fn shares(
    session: &Session,
    cluster: &Cluster,
    exchange: &Exchange,
) -> HashMap<Partition, Share> {
    let mut sink = Partitions {
        cluster,
        topic: None,
        at: None,
        depth: 0,
        found: HashMap::new(),
    };
    for direction in [Direction::Request, Direction::Response] {
        sink.topic = None;
        sink.at = None;
        sink.depth = 0;
        session.decode_into(Catalogue::current(), exchange, direction, &mut sink);
    }
    sink.found
}

/// The sink: a partition belongs to the topic named last, records and errors to the partition named
/// last in the struct around them.
struct Partitions<'c> {
    cluster: &'c Cluster,
    topic: Option<Box<str>>,
    /// The partition, and the number of compounds around it.
    at: Option<(Partition, usize)>,
    depth: usize,
    found: HashMap<Partition, Share>,
}

impl Partitions<'_> {
    fn share(&mut self) -> Option<&mut Share> {
        let (partition, _) = self.at.as_ref()?;
        self.found.get_mut(partition)
    }
}

/// A topic's name, or its id as Kafka prints it where the capture names it nowhere.
pub(super) fn topic_name(cluster: &Cluster, id: Uuid) -> Box<str> {
    match cluster.topic(id) {
        Some(name) => name.into(),
        None => explain::base64(id).into(),
    }
}

impl Sink for Partitions<'_> {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        self.depth += 1;
        match (node.role, node.shape) {
            (Role::Records, Shape::Content { len, .. }) => {
                if let Some(share) = self.share() {
                    share.record_bytes += len as u64;
                }
                Descend::Into
            }
            (Role::Batch, _) => Descend::Into,
            // A compressed set counts as one message; to know better it would be decompressed.
            (Role::Message, _) => {
                if let Some(share) = self.share() {
                    share.records += 1;
                }
                Descend::Skip
            }
            (_, Shape::Array { of: "Record", .. }) => Descend::Skip,
            (_, Shape::Frame | Shape::Header { .. } | Shape::Content { .. }) => Descend::Skip,
            _ => Descend::Into,
        }
    }

    fn value(&mut self, node: &Node, value: Value<'_>, _: Span) {
        match (node.role, value) {
            (Role::TopicName, Value::String(name, _)) => {
                self.topic = Some(String::from_utf8_lossy(name).into());
                self.at = None;
            }
            (Role::TopicId, Value::Uuid(id)) if !id.is_nil() => {
                self.topic = Some(topic_name(self.cluster, id));
                self.at = None;
            }
            (Role::Partition, Value::Int32(partition)) => {
                if let Some(topic) = &self.topic {
                    let partition = (topic.clone(), partition);
                    self.found.entry(partition.clone()).or_default();
                    self.at = Some((partition, self.depth));
                }
            }
            (Role::ErrorCode, Value::Int16(code)) if code != 0 => {
                if let Some(share) = self.share() {
                    share.has_error = true;
                }
            }
            (Role::RecordsCount, Value::Int32(count)) => {
                if let Some(share) = self.share() {
                    share.records += u64::try_from(count).unwrap_or(0);
                }
            }
            _ => {}
        }
    }

    fn leave(&mut self, _: usize) {
        self.depth = self.depth.saturating_sub(1);
        if self
            .at
            .as_ref()
            .is_some_and(|&(_, depth)| depth > self.depth)
        {
            self.at = None;
        }
    }

    // What bytes fields hold is not about partitions of this exchange.
    fn wants_content(&self) -> bool {
        false
    }

    fn problem(&mut self, _: Problem) {}
}
