//! How a value reads to people: what its number stands for, as a small id that a plan resolves once
//! and a node carries. The texts behind the ids live in the `explain` layer; nothing here knows
//! fields or words.

/// What the bits of a value say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Nothing beyond the value itself.
    #[default]
    Plain,
    /// One of the named values; any other is unknown.
    Choice(Names),
    /// A set of bits, named by position; whole values may have names too.
    Bits(Names),
    /// An ordinary number, of which some values stand for something else.
    Number(Names),
    /// Milliseconds since 1970 in UTC, or a named value.
    Time(Names),
    /// A length of time in milliseconds, or a named value.
    Duration(Names),
    /// A number of bytes, or a named value.
    Size(Names),
    /// Id of a log directory; the first few ids are reserved (KIP-858).
    Directory,
    /// A text or list of which null stands for something; its name is that of -1.
    Null(Names),
    /// Attributes of a record batch or of a message in a message set.
    Attributes(Attributes),
}

/// The layouts of record attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attributes {
    /// A batch of magic 2, 16 bits.
    Batch,
    /// A message of magic 0, which has a codec and nothing else.
    Message0,
    /// A message of magic 1, which adds the type of its timestamp.
    Message1,
}

/// A list of names for values. Enumerations come first, then the lists of values that stand for
/// something else in an otherwise ordinary number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Names {
    /// No value has a name.
    #[default]
    Nothing,

    AclOperation,
    /// The same as bits, by the number of the operation.
    AclOperations,
    AclPermission,
    AclResource,
    Acks,
    AcquireMode,
    AssignorError,
    Codec,
    ConfigOperation,
    ConfigResource,
    ConfigSource,
    ConfigType,
    ConnectError,
    ConnectTask,
    ControlRecord,
    CoordinatorType,
    DeliveryState,
    Election,
    Endpoint,
    FencingChange,
    GroupMemberState,
    GroupMemberType,
    IsolationLevel,
    KRaftVersion,
    LeaderRecovery,
    PatternType,
    QuotaMatch,
    RemoteDeletion,
    RemoteSegment,
    RequestScope,
    ScramMechanism,
    SecurityProtocol,
    ShareAcknowledge,
    ShutdownChange,
    StreamsMemberState,
    StreamsStatus,
    TransactionResult,
    TransactionState,
    Upgrade,
    ZkMigration,

    /// -1 and the like for "there is none".
    Absent,
    NullAll,
    NullAny,
    NullAsker,
    NullCancels,
    NullDefaultEntity,
    NullDynamic,
    NullFirst,
    NullIdempotent,
    NullLast,
    NullNoTransaction,
    NullPlaced,
    NullResets,
    AbsentOrUnreported,
    AtOnce,
    BrokerDefault,
    BrokerRetention,
    CoordinatorSearch,
    DecidedLater,
    DefaultOrAssigned,
    DeletedFeature,
    DeletedUpTo,
    FetchSession,
    FetchSessionEpoch,
    KeptAsStored,
    LastLeader,
    ListedTime,
    MemberEpoch,
    NewProducer,
    NoLeader,
    NoLimit,
    NoReauthentication,
    NotCommitted,
    NotFollower,
    NotFound,
    NotInGroup,
    NotInitialized,
    NotMember,
    NothingAppended,
    NoTimeLimit,
    OpenLeader,
    OnError,
    ReadHere,
    ReceiveTime,
    RecordTime,
    ReplicaId,
    SessionTimeout,
    ShareSessionEpoch,
    StreamsOffsetSum,
    TokenLifetime,
    Unchanged,
    Unchecked,
    Unclean,
    Unknown,
    UnknownZero,
    Unset,
    Unstarted,
    Voted,
    ZeroDefault,
    ZeroFeature,
    ZeroPartitions,
}
