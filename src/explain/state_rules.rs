//! The rules by which the state of a message changes what a field says.

use super::state_notes::{
    Rule,
    When::{Above, Empty, Is, Not, Null, Own, OwnAbove, OwnEmpty, OwnNull},
};

/// Up to the newest version.
const ALL: i16 = i16::MAX;

pub(super) const VOID: &str = "means nothing beside an error";

/// Brokers held responses back in versions that did not ask the client to wait.
pub(super) const HELD_BACK: &str = "the broker has waited this long before it answered (KIP-219)";

const ANY_BROKER: &str = "in a KRaft cluster any live broker, not the controller";

macro_rules! rules {
    ($($message:ident => $($field:literal $versions:expr, $when:expr, $note:expr;)*)*) => {
        /// By message; the first rule that holds counts.
        pub(super) const RULES: &[(&str, &[Rule])] = &[$((stringify!($message), &[$(Rule {
            field: $field,
            versions: $versions,
            when: &$when,
            note: $note,
        },)*]),)*];
    };
}

rules! {
    ProduceRequest =>
        "TimeoutMs" 0..=ALL, [Is("Acks", 0)], "not waited for: with acks 0 there is no response";
        "TimeoutMs" 0..=ALL, [Is("Acks", 1)], "not waited for: with acks 1 the leader answers at once";

    ProduceResponse =>
        "ThrottleTimeMs" 0..=5, [OwnAbove(0)], HELD_BACK;
        "BaseOffset" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "LogAppendTimeMs" 2..=ALL, [Not("ErrorCode", 0)], VOID;
        "LogStartOffset" 5..=ALL, [Not("ErrorCode", 0)], VOID;

    FetchRequest =>
        "IsolationLevel" 4..=14, [Above("ReplicaId", -1)], "ignored: followers read up to the end of the log";
        "LogStartOffset" 5..=14, [Is("ReplicaId", -1), OwnAbove(-1)], "ignored: only followers report it";
        "Topics" 7..=ALL, [OwnEmpty, Above("SessionEpoch", 0)], "the partitions of the session, as they were before";
        "ForgottenTopicsData" 7..=ALL, [OwnAbove(0), Is("SessionEpoch", 0)], "ignored: a new session has nothing to forget";
        "ForgottenTopicsData" 7..=ALL, [OwnAbove(0), Is("SessionEpoch", -1)], "ignored: there is no session to forget it";

    FetchResponse =>
        "ThrottleTimeMs" 0..=7, [OwnAbove(0)], HELD_BACK;
        "Responses" 7..=ALL, [OwnEmpty, Not("SessionId", 0), Is("ErrorCode", 0)], "no partition of the session has news";
        "HighWatermark" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "LastStableOffset" 4..=ALL, [Not("ErrorCode", 0)], VOID;
        "PreferredReadReplica" 11..=ALL, [OwnAbove(-1)], "no records: the consumer is to fetch from this replica (KIP-392)";

    ListOffsetsRequest =>
        "Timestamp" 0..=6, [Own(-3)], "not known to this version: needs version 7 (KIP-734)";
        "Timestamp" 0..=7, [Own(-4)], "not known to this version: needs version 8 (KIP-405)";
        "Timestamp" 0..=8, [Own(-5)], "not known to this version: needs version 9 (KIP-1005)";
        "IsolationLevel" 2..=ALL, [Above("ReplicaId", -1)], "ignored: consumers alone are kept from open transactions";

    ListOffsetsResponse =>
        "ThrottleTimeMs" 0..=2, [OwnAbove(0)], HELD_BACK;
        "Timestamp" 1..=ALL, [Not("ErrorCode", 0)], VOID;
        "Offset" 1..=ALL, [Not("ErrorCode", 0)], VOID;
        "LeaderEpoch" 4..=ALL, [Not("ErrorCode", 0)], VOID;

    MetadataRequest =>
        "Topics" 0..=0, [OwnEmpty], "empty means all topics in version 0";
        "Topics" 1..=ALL, [Own(0)], "no topics: brokers only; null would be all";
        "AllowAutoTopicCreation" 4..=ALL, [Own(1), Null("Topics")], "ignored: asking for all topics creates none";
        "AllowAutoTopicCreation" 4..=ALL, [Own(1), Empty("Topics")], "ignored: no topic is asked for";

    MetadataResponse =>
        "ThrottleTimeMs" 0..=5, [OwnAbove(0)], HELD_BACK;
        "ControllerId" 1..=ALL, [OwnAbove(-1)], ANY_BROKER;

    DescribeClusterResponse =>
        "ControllerId" 0..=0, [OwnAbove(-1)], ANY_BROKER;
        "ControllerId" 1..=ALL, [OwnAbove(-1), Not("EndpointType", 2)], ANY_BROKER;

    OffsetCommitResponse =>
        "ThrottleTimeMs" 0..=3, [OwnAbove(0)], HELD_BACK;

    OffsetFetchResponse =>
        "ThrottleTimeMs" 0..=3, [OwnAbove(0)], HELD_BACK;
        "CommittedOffset" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "CommittedLeaderEpoch" 5..=ALL, [Not("ErrorCode", 0)], VOID;
        "Metadata" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    FindCoordinatorResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;
        "NodeId" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "Host" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "Port" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    JoinGroupRequest =>
        "MemberId" 0..=3, [OwnEmpty], "new member: the broker names it and lets it join at once";
        "MemberId" 4..=ALL, [OwnEmpty, Null("GroupInstanceId")], "first of two rounds: the broker answers with an id to join with (KIP-394)";

    JoinGroupResponse =>
        "ThrottleTimeMs" 0..=2, [OwnAbove(0)], HELD_BACK;
        "MemberId" 4..=ALL, [Is("ErrorCode", 79)], "the id to join with in the second round (KIP-394)";
        "GenerationId" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "Leader" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "ProtocolName" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "Members" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    HeartbeatResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;

    LeaveGroupResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;

    SyncGroupResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;
        "Assignment" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    DescribeGroupsResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;

    ListGroupsResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;

    ApiVersionsResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;
        "ApiKeys" 0..=ALL, [Is("ErrorCode", 35)], "with this error, at most the versions of ApiVersions itself (KIP-511)";
        "FinalizedFeatures" 3..=ALL, [Is("FinalizedFeaturesEpoch", -1)], "means nothing while the epoch is -1";
        "FinalizedFeatures" 3..=ALL, [Null("FinalizedFeaturesEpoch")], "means nothing without an epoch";

    CreateTopicsRequest =>
        "NumPartitions" 0..=ALL, [Own(-1), Above("Assignments", 0)], "as many as the assignments below";
        "NumPartitions" 0..=3, [Own(-1)], "a default needs version 4; older brokers refuse this (KIP-464)";
        "ReplicationFactor" 0..=ALL, [Own(-1), Above("Assignments", 0)], "as many as the assignments below have";
        "ReplicationFactor" 0..=3, [Own(-1)], "a default needs version 4; older brokers refuse this (KIP-464)";
        "NumPartitions" 0..=ALL, [OwnAbove(-1), Above("Assignments", 0)], "refused: with assignments it has to be -1";
        "ReplicationFactor" 0..=ALL, [OwnAbove(-1), Above("Assignments", 0)], "refused: with assignments it has to be -1";

    CreateTopicsResponse =>
        "ThrottleTimeMs" 0..=2, [OwnAbove(0)], HELD_BACK;
        "NumPartitions" 5..=ALL, [Not("ErrorCode", 0)], VOID;
        "ReplicationFactor" 5..=ALL, [Not("ErrorCode", 0)], VOID;
        "Configs" 5..=ALL, [Not("ErrorCode", 0)], VOID;
        "NumPartitions" 5..=ALL, [Own(-1), Not("TopicConfigErrorCode", 0)], "not told: the client may not describe the topic's configs";
        "ReplicationFactor" 5..=ALL, [Own(-1), Not("TopicConfigErrorCode", 0)], "not told: the client may not describe the topic's configs";

    DeleteTopicsResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;

    DeleteRecordsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;
        "LowWatermark" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    InitProducerIdResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;
        "ProducerId" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "ProducerEpoch" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    OffsetForLeaderEpochResponse =>
        "LeaderEpoch" 1..=ALL, [Not("ErrorCode", 0)], VOID;
        "EndOffset" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    AddPartitionsToTxnResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    AddOffsetsToTxnResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    EndTxnResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    TxnOffsetCommitResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DescribeAclsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    CreateAclsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DeleteAclsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DescribeConfigsResponse =>
        "ThrottleTimeMs" 0..=1, [OwnAbove(0)], HELD_BACK;
        "Value" 0..=ALL, [OwnNull, Is("IsSensitive", 1)], "kept back, as it is sensitive";

    AlterConfigsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    AlterReplicaLogDirsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DescribeLogDirsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    CreatePartitionsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    CreateDelegationTokenResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    RenewDelegationTokenResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    ExpireDelegationTokenResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DescribeDelegationTokenResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    DeleteGroupsResponse =>
        "ThrottleTimeMs" 0..=0, [OwnAbove(0)], HELD_BACK;

    IncrementalAlterConfigsRequest =>
        "Value" 0..=ALL, [Is("ConfigOperation", 1)], "ignored: the config goes back to its default";

    ConsumerGroupHeartbeatResponse =>
        "MemberEpoch" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "HeartbeatIntervalMs" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    ShareGroupHeartbeatResponse =>
        "MemberEpoch" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "HeartbeatIntervalMs" 0..=ALL, [Not("ErrorCode", 0)], VOID;

    StreamsGroupHeartbeatResponse =>
        "MemberEpoch" 0..=ALL, [Not("ErrorCode", 0)], VOID;
        "HeartbeatIntervalMs" 0..=ALL, [Not("ErrorCode", 0)], VOID;
}
