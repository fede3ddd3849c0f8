//! What fields have said of fields that come after them in the same message.

/// Facts that decide how later bytes are read; a [`Walker`](super::Walker) carries them along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The topic that was named last.
    pub topic: Topic,
    /// The protocol type of the group that was named last.
    pub group: GroupType,
    /// The protocol of the group, which for consumers is their assignor.
    pub assignor: Assignor,
    /// Number of the codec that the next bytes are compressed with.
    pub codec: i8,
    /// The only format of records that the message may carry, as its magic.
    pub records_format: Option<i8>,
    /// API key and version of the request that the wrapped response answers.
    pub wrapped: Option<(i16, i16)>,
    /// Number of bytes fields around whose content is being read.
    pub depth: u32,
}

/// Topics whose records are Kafka's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Any other, or unknown.
    #[default]
    Ordinary,
    /// `__consumer_offsets`
    ConsumerOffsets,
    /// `__transaction_state`
    TransactionState,
    /// `__share_group_state`
    ShareGroupState,
    /// `__cluster_metadata`
    ClusterMetadata,
    /// `__remote_log_metadata`
    RemoteLogMetadata,
}

/// What the members of a group are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GroupType {
    /// The message does not say.
    #[default]
    Unknown,
    Consumer,
    /// Workers of Kafka Connect.
    Connect,
    /// Something whose protocol is not known.
    Other,
}

/// Assignors that send data of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Assignor {
    /// The message does not say.
    #[default]
    Unknown,
    Sticky,
    CooperativeSticky,
    /// That of Kafka Streams.
    Streams,
    /// One that sends nothing, or nothing that is known.
    Other,
}
