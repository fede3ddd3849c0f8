//! Which field has which meaning: the definitions do not say it, so this table does.
//!
//! What comes in is a message and a field by name; what goes out is the [`Meaning`] that a plan
//! gives to its nodes. The first row that fits wins, so the special comes before the general. A row
//! that no field of any definition fits is a mistake, and a test finds it. The words that people
//! read are not here.

use super::{Field, Type};
use crate::event::{
    Meaning::{self, Bits, Choice, Duration, Null, Number, Size, Time},
    Names,
};

/// The meaning of the values of `field` in the message of that name.
pub(super) fn meaning(message: &str, field: &Field) -> Meaning {
    BINDINGS
        .iter()
        .find(|row| row.fits(message, field))
        .map_or(Meaning::Plain, |row| row.meaning)
}

struct Row {
    /// Name of the message; a star at its end or start stands for anything.
    message: &'static str,
    /// Name of the field, in the same way.
    field: &'static str,
    meaning: Meaning,
}

impl Row {
    fn fits(&self, message: &str, field: &Field) -> bool {
        matches(self.field, &field.name)
            && matches(self.message, message)
            && takes(self.meaning, &field.ty)
    }
}

/// Whether values of a type can have the meaning; so `*Ms` never catches a string.
fn takes(meaning: Meaning, whole: &Type) -> bool {
    let mut ty = whole;
    while let Type::Array(element) = ty {
        ty = element;
    }
    let is_integer = matches!(
        ty,
        Type::Int8 | Type::Int16 | Type::Uint16 | Type::Int32 | Type::Uint32 | Type::Int64
    );
    match meaning {
        Meaning::Plain => true,
        Time(_) => *ty == Type::Int64,
        Null(_) => whole.can_be_null(),
        Meaning::Directory => *ty == Type::Uuid,
        Choice(Names::TransactionResult) => *ty == Type::Bool,
        // Counts of partitions share their name with lists of partition numbers.
        Number(Names::ZeroPartitions) => *whole == Type::Int32,
        _ => is_integer,
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

macro_rules! bindings {
    ($($message:literal $field:literal => $meaning:expr;)*) => {
        /// Message, field, meaning.
        const BINDINGS: &[Row] = &[
            $(Row { message: $message, field: $field, meaning: $meaning },)*
        ];
    };
}

bindings! {
    // Enumerations and bit fields.
    "ConnectProtocolAssignment" "Error" => Choice(Names::ConnectError);
    "ConnectProtocolAssignment" "Tasks" => Number(Names::ConnectTask);
    "ConnectProtocolAssignment" "ScheduledDelay" => Duration(Names::Nothing);
    "*StickyAssignorUserData" "Generation" => Number(Names::Absent);
    "*" "*AuthorizedOperations" => Bits(Names::AclOperations);
    "*" "AcceptedCompressionTypes" => Choice(Names::Codec);
    "*" "CompressionType" => Choice(Names::Codec);
    "*" "AcknowledgeTypes" => Choice(Names::ShareAcknowledge);
    "ProduceRequest" "Acks" => Choice(Names::Acks);
    "*" "ConfigOperation" => Choice(Names::ConfigOperation);
    "*" "ConfigSource" => Choice(Names::ConfigSource);
    "DescribeConfigsResponse" "Source" => Choice(Names::ConfigSource);
    "*" "ConfigType" => Choice(Names::ConfigType);
    "*" "DeliveryState" => Choice(Names::DeliveryState);
    "*" "ElectionType" => Choice(Names::Election);
    "*" "EndpointType" => Choice(Names::Endpoint);
    "BrokerRegistrationChangeRecord" "Fenced" => Choice(Names::FencingChange);
    "BrokerRegistrationChangeRecord" "InControlledShutdown" => Choice(Names::ShutdownChange);
    "*" "IsolationLevel" => Choice(Names::IsolationLevel);
    "*" "KRaftVersion" => Choice(Names::KRaftVersion);
    "FindCoordinatorRequest" "KeyType" => Choice(Names::CoordinatorType);
    "*" "LeaderRecoveryState" => Choice(Names::LeaderRecovery);
    "*" "MatchType" => Choice(Names::QuotaMatch);
    "*" "Mechanism" => Choice(Names::ScramMechanism);
    "*" "MemberType" => Choice(Names::GroupMemberType);
    "*" "Operation" => Choice(Names::AclOperation);
    "*" "*PatternType" => Choice(Names::PatternType);
    "*" "PatternTypeFilter" => Choice(Names::PatternType);
    "*" "PermissionType" => Choice(Names::AclPermission);
    "*" "RemoteLogSegmentState" => Choice(Names::RemoteSegment);
    "*" "RemotePartitionDeleteState" => Choice(Names::RemoteDeletion);
    "AccessControlEntryRecord" "ResourceType" => Choice(Names::AclResource);
    "CreateAcls*" "ResourceType" => Choice(Names::AclResource);
    "DeleteAcls*" "ResourceType" => Choice(Names::AclResource);
    "DescribeAcls*" "ResourceType" => Choice(Names::AclResource);
    "*" "ResourceTypeFilter" => Choice(Names::AclResource);
    "*" "ResourceType" => Choice(Names::ConfigResource);
    "*" "ResourceTypes" => Choice(Names::ConfigResource);
    "*" "SecurityProtocol" => Choice(Names::SecurityProtocol);
    "*" "ShareAcquireMode" => Choice(Names::AcquireMode);
    "Streams*" "State" => Choice(Names::StreamsMemberState);
    "*GroupCurrentMemberAssignmentValue" "State" => Choice(Names::GroupMemberState);
    "*" "StatusCode" => Choice(Names::StreamsStatus);
    "EndTxnRequest" "Committed" => Choice(Names::TransactionResult);
    "*" "TransactionResult" => Choice(Names::TransactionResult);
    "*" "TransactionStatus" => Choice(Names::TransactionState);
    "ControlRecordTypeSchema" "Type" => Choice(Names::ControlRecord);
    "LeaderAndIsrRequest" "Type" => Choice(Names::RequestScope);
    "UpdateMetadataRequest" "Type" => Choice(Names::RequestScope);
    "*" "UpgradeType" => Choice(Names::Upgrade);
    "*" "ZkMigrationState" => Choice(Names::ZkMigration);
    "SubscriptionInfoData" "errorCode" => Choice(Names::AssignorError);
    // Times.
    "ListOffsetsRequest" "Timestamp" => Time(Names::ListedTime);
    "ListOffsetsResponse" "Timestamp" => Time(Names::Absent);
    "OffsetCommitRequest" "CommitTimestamp" => Time(Names::ReceiveTime);
    "ProduceResponse" "LogAppendTimeMs" => Time(Names::RecordTime);
    "*" "AssignmentTimestamp" => Time(Names::UnknownZero);
    "*" "LastCaughtUpTimestamp" => Time(Names::Unknown);
    "*" "LastFetchTimestamp" => Time(Names::Unknown);
    "*" "currentStateTimestamp" => Time(Names::Unknown);
    "*" "LastTimestamp" => Time(Names::Absent);
    "*" "expireTimestamp" => Time(Names::Unset);
    "*" "TransactionStart*" => Time(Names::Unstarted);
    "*" "*TimestampMs" => Time(Names::Absent);
    "*" "*Timestamp" => Time(Names::Absent);
    // Lengths of time.
    "ExpireDelegationTokenRequest" "ExpiryTimePeriodMs" => Duration(Names::AtOnce);
    "RenewDelegationTokenRequest" "RenewPeriodMs" => Duration(Names::BrokerDefault);
    "CreateDelegationTokenRequest" "MaxLifetimeMs" => Duration(Names::TokenLifetime);
    "OffsetCommitRequest" "RetentionTimeMs" => Duration(Names::BrokerRetention);
    "JoinGroupRequest" "RebalanceTimeoutMs" => Duration(Names::SessionTimeout);
    "*GroupHeartbeatRequest" "RebalanceTimeoutMs" => Duration(Names::Unchanged);
    "*" "RebalanceTimeoutMs" => Duration(Names::Unset);
    "*" "rebalanceTimeout" => Duration(Names::Unset);
    "*" "sessionTimeout" => Duration(Names::NoLimit);
    "ListTransactionsRequest" "DurationFilter" => Duration(Names::NoTimeLimit);
    "SaslAuthenticateResponse" "SessionLifetimeMs" => Duration(Names::NoReauthentication);
    // Clients that shall wait for ever are given the largest int32.
    "*" "*imeoutMs" => Duration(Names::NoLimit);
    "*" "MaxWaitMs" => Duration(Names::NoLimit);
    "*" "*Ms" => Duration(Names::Nothing);
    // Sizes in bytes.
    "*" "*MaxBytes" => Size(Names::NoLimit);
    "*" "MinBytes" => Size(Names::Nothing);
    "*" "PartitionSize" => Size(Names::Unknown);
    "*" "SegmentSizeInBytes" => Size(Names::Nothing);
    "FetchSnapshotResponse" "Size" => Size(Names::Nothing);
    "*" "TotalBytes" => Size(Names::Unknown);
    "*" "UsableBytes" => Size(Names::Unknown);
    // Ids of log directories.
    "*" "*DirectoryId" => Meaning::Directory;
    "*" "*LogDirs" => Meaning::Directory;
    "*" "Directories" => Meaning::Directory;
    "AssignReplicasToDirs*" "Id" => Meaning::Directory;
    // Node ids.
    "DescribeQuorumResponse" "ReplicaId" => Meaning::Plain;
    "VoteRequest" "ReplicaId" => Meaning::Plain;
    "FetchSnapshotRequest" "ReplicaId" => Number(Names::Unknown);
    "*" "ReplicaId" => Number(Names::ReplicaId);
    "PartitionChangeRecord" "Leader" => Number(Names::LastLeader);
    "LeaderAndIsrRequest" "Leader" => Number(Names::OpenLeader);
    "UpdateMetadataRequest" "Leader" => Number(Names::OpenLeader);
    "PartitionRecord" "Leader" => Number(Names::NoLeader);
    "*" "LeaderId" => Number(Names::NoLeader);
    "FetchResponse" "PreferredReadReplica" => Number(Names::ReadHere);
    "FindCoordinatorResponse" "NodeId" => Number(Names::CoordinatorSearch);
    "FindCoordinatorResponse" "Port" => Number(Names::CoordinatorSearch);
    "ApiVersionsRequest" "NodeId" => Number(Names::Unknown);
    "*" "ControllerId" => Number(Names::Unknown);
    "QuorumStateData" "VotedId" => Number(Names::Voted);
    "*" "VoterId" => Number(Names::Unset);
    // Offsets.
    "ProduceResponse" "BaseOffset" => Number(Names::NothingAppended);
    "OffsetFetchResponse" "CommittedOffset" => Number(Names::NotCommitted);
    "DeleteRecordsRequest" "Offset" => Number(Names::DeletedUpTo);
    "DeleteRecordsResponse" "LowWatermark" => Number(Names::OnError);
    "ListOffsetsResponse" "Offset" => Number(Names::NotFound);
    "FetchRequest" "HighWatermark" => Number(Names::AbsentOrUnreported);
    "FetchRequest" "LogStartOffset" => Number(Names::NotFollower);
    "FetchRequest" "LastFetchedEpoch" => Number(Names::Absent);
    "InitializeShareGroupStateRequest" "StartOffset" => Number(Names::DecidedLater);
    "WriteShareGroupStateRequest" "StartOffset" => Number(Names::KeptAsStored);
    "RemoteLogSegment*" "StartOffset" => Meaning::Plain;
    "*" "StartOffset" => Number(Names::NotInitialized);
    "*" "CurrentTxnFirstOffset" => Number(Names::Unstarted);
    "*" "CurrentTxnStartOffset" => Number(Names::Unstarted);
    "*" "HighWatermark" => Number(Names::Unknown);
    "*" "LastStableOffset" => Number(Names::Unknown);
    "*" "LogStartOffset" => Number(Names::Unknown);
    "*" "LogEndOffset" => Number(Names::Unknown);
    "FetchResponse" "EndOffset" => Number(Names::Absent);
    "OffsetForLeaderEpochResponse" "EndOffset" => Number(Names::Unknown);
    "SubscriptionInfoData" "offsetSum" => Number(Names::StreamsOffsetSum);
    "*" "Lag" => Number(Names::Unknown);
    "*" "DeliveryCompleteCount" => Number(Names::Unknown);
    "*" "LastSequence" => Number(Names::Absent);
    // Epochs, generations, sessions, producers.
    "*GroupHeartbeatRequest" "MemberEpoch" => Number(Names::MemberEpoch);
    "OffsetFetchRequest" "MemberEpoch" => Number(Names::NotMember);
    "OffsetCommitRequest" "GenerationIdOrMemberEpoch" => Number(Names::NotInGroup);
    "TxnOffsetCommitRequest" "GenerationId" => Number(Names::NotInGroup);
    "ConsumerProtocolSubscription" "GenerationId" => Number(Names::Absent);
    "JoinGroupResponse" "GenerationId" => Number(Names::OnError);
    "FetchRequest" "SessionEpoch" => Number(Names::FetchSessionEpoch);
    "*" "SessionId" => Number(Names::FetchSession);
    "*" "ShareSessionEpoch" => Number(Names::ShareSessionEpoch);
    "WriteShareGroupStateRequest" "StateEpoch" => Number(Names::KeptAsStored);
    "WriteShareGroupStateRequest" "LeaderEpoch" => Number(Names::KeptAsStored);
    "StopReplicaRequest" "LeaderEpoch" => Number(Names::OpenLeader);
    "UpdateMetadataRequest" "LeaderEpoch" => Number(Names::OpenLeader);
    "*" "CurrentLeaderEpoch" => Number(Names::Unchecked);
    "*" "CommittedLeaderEpoch" => Number(Names::Unknown);
    "*" "*eaderEpoch" => Number(Names::Unknown);
    "FetchResponse" "Epoch" => Number(Names::Absent);
    "BrokerRegistrationResponse" "BrokerEpoch" => Number(Names::OnError);
    "BrokerRegistrationRequest" "PreviousBrokerEpoch" => Number(Names::Unclean);
    "LeaderAndIsrRequest" "BrokerEpoch" => Number(Names::Unchecked);
    "StopReplicaRequest" "BrokerEpoch" => Number(Names::Unchecked);
    "UpdateMetadataRequest" "BrokerEpoch" => Number(Names::Unchecked);
    "*" "BrokerEpoch" => Number(Names::Unknown);
    "*" "ReplicaEpoch" => Number(Names::Unknown);
    "*" "CoordinatorEpoch" => Number(Names::Absent);
    "*" "PartitionEpoch" => Number(Names::Unset);
    "*" "ValidatedTopologyEpoch" => Number(Names::Absent);
    "*" "FinalizedFeaturesEpoch" => Number(Names::Unknown);
    "InitProducerIdRequest" "ProducerId" => Number(Names::NewProducer);
    "InitProducerIdRequest" "ProducerEpoch" => Number(Names::NewProducer);
    "InitProducerIdResponse" "Producer*" => Number(Names::OnError);
    "EndTxnResponse" "Producer*" => Number(Names::OnError);
    "*" "*ProducerId" => Number(Names::Absent);
    "*" "*ProducerEpoch" => Number(Names::Absent);
    // Topics, features, the rest.
    "CreateTopicsRequest" "NumPartitions" => Number(Names::DefaultOrAssigned);
    "CreateTopicsRequest" "ReplicationFactor" => Number(Names::DefaultOrAssigned);
    "CreateTopicsResponse" "NumPartitions" => Number(Names::Unknown);
    "CreateTopicsResponse" "ReplicationFactor" => Number(Names::Unknown);
    "StreamsGroup*" "ReplicationFactor" => Number(Names::ZeroDefault);
    "StreamsGroup*" "Partitions" => Number(Names::ZeroPartitions);
    "UpdateFeaturesRequest" "MaxVersionLevel" => Number(Names::DeletedFeature);
    "FeatureLevelRecord" "FeatureLevel" => Number(Names::ZeroFeature);
    "SubscriptionInfoData" "latestSupportedVersion" => Number(Names::Unknown);
    // What null stands for, where that is more than "there is none".
    "AlterPartitionReassignmentsRequest" "Replicas" => Null(Names::NullCancels);
    "CreatePartitionsRequest" "Assignments" => Null(Names::NullPlaced);
    "*" "EntityName" => Null(Names::NullDefaultEntity);
    "DeleteAclsRequest" "*Filter" => Null(Names::NullAny);
    "DescribeAclsRequest" "*Filter" => Null(Names::NullAny);
    "ListTransactionsRequest" "TransactionalIdPattern" => Null(Names::NullAny);
    "DescribeConfigsRequest" "ConfigurationKeys" => Null(Names::NullAll);
    "DescribeDelegationTokenRequest" "Owners" => Null(Names::NullAll);
    "DescribeLogDirsRequest" "Topics" => Null(Names::NullAll);
    "DescribeShareGroupOffsetsRequest" "Topics" => Null(Names::NullAll);
    "DescribeUserScramCredentialsRequest" "Users" => Null(Names::NullAll);
    "ElectLeadersRequest" "TopicPartitions" => Null(Names::NullAll);
    "ListPartitionReassignmentsRequest" "Topics" => Null(Names::NullAll);
    "MetadataRequest" "Topics" => Null(Names::NullAll);
    "OffsetFetchRequest" "Topics" => Null(Names::NullAll);
    "DescribeTopicPartitionsRequest" "Cursor" => Null(Names::NullFirst);
    "DescribeTopicPartitionsResponse" "NextCursor" => Null(Names::NullLast);
    "CreateDelegationTokenRequest" "OwnerPrincipal*" => Null(Names::NullAsker);
    "ConfigRecord" "Value" => Null(Names::NullResets);
    "InitProducerIdRequest" "TransactionalId" => Null(Names::NullIdempotent);
    "ProduceRequest" "TransactionalId" => Null(Names::NullNoTransaction);
    "*GroupHeartbeatRequest" "InstanceId" => Meaning::Plain;
    "*" "*nstanceId" => Null(Names::NullDynamic);
    "*Request" "ClusterId" => Null(Names::Unchecked);
    "PartitionChangeRecord" "*" => Null(Names::Unchanged);
    "*GroupHeartbeatRequest" "SubscribedTopic*" => Null(Names::Unchanged);
    "*GroupHeartbeatRequest" "TopicPartitions" => Null(Names::Unchanged);
    "StreamsGroupHeartbeat*" "*Tasks" => Null(Names::Unchanged);
    "StreamsGroupHeartbeatRequest" "Task*" => Null(Names::Unchanged);
    "StreamsGroupHeartbeatRequest" "ClientTags" => Null(Names::Unchanged);
    "StreamsGroupHeartbeatRequest" "ProcessId" => Null(Names::Unchanged);
    "StreamsGroupHeartbeatResponse" "PartitionsByUserEndpoint" => Null(Names::Unchanged);
    "*GroupHeartbeatResponse" "Assignment" => Null(Names::Unchanged);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Catalogue;

    /// Every field of every definition, with the name of its message.
    fn fields() -> Vec<(&'static str, &'static Field)> {
        fn collect(
            message: &'static str,
            fields: &'static [Field],
            all: &mut Vec<(&'static str, &'static Field)>,
        ) {
            for field in fields {
                all.push((message, field));
                collect(message, &field.fields, all);
            }
        }
        let catalogue = Catalogue::current();
        let mut all = Vec::new();
        for name in catalogue.names() {
            let definition = catalogue.definition(name).unwrap().unwrap();
            collect(&definition.name, &definition.fields, &mut all);
            for common in &definition.structs {
                collect(&definition.name, &common.fields, &mut all);
            }
        }
        all
    }

    #[test]
    fn every_row_is_the_first_to_fit_some_field() {
        let fields = fields();
        for (idx, row) in BINDINGS.iter().enumerate() {
            let used = fields.iter().any(|(message, field)| {
                BINDINGS.iter().position(|row| row.fits(message, field)) == Some(idx)
            });
            assert!(used, "{} {} fits nothing", row.message, row.field);
        }
    }

    /// What the definitions call an enumeration in their own words has names.
    #[test]
    fn fields_that_list_their_values_have_a_meaning() {
        let list = |about: &str| {
            let numbers: Vec<&str> = about
                .split([' ', ',', ':', ';'])
                .filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
                .collect();
            numbers.len() > 1
        };
        for (message, field) in fields() {
            let small = matches!(field.ty, Type::Int8 | Type::Int16)
                || matches!(&field.ty, Type::Array(element) if **element == Type::Int8);
            let known = field.name.ends_with("ErrorCode") || field.name.ends_with("ApiKey");
            if small && !known && list(&field.about) {
                let meaning = meaning(message, field);
                assert_ne!(
                    meaning,
                    Meaning::Plain,
                    "{message} {}: {}",
                    field.name,
                    field.about
                );
            }
        }
    }

    /// What a definition says of a special value in its own words is said beside the value as well.
    #[test]
    fn fields_that_speak_of_minus_one_have_a_meaning() {
        for (message, field) in fields() {
            if field.about.contains("-1") && !matches!(field.ty, Type::String | Type::Bytes) {
                assert_ne!(
                    meaning(message, field),
                    Meaning::Plain,
                    "{message} {}: {}",
                    field.name,
                    field.about
                );
            }
        }
    }

    /// An int8 is hardly ever a plain number in this protocol.
    #[test]
    fn every_int8_is_bound_but_for_plain_numbers() {
        const PLAIN: [&str; 2] = ["TransactionVersion", "uniqueField"];
        for (message, field) in fields() {
            if field.ty == Type::Int8 && !PLAIN.contains(&field.name.as_str()) {
                assert_ne!(
                    meaning(message, field),
                    Meaning::Plain,
                    "{message} {}",
                    field.name
                );
            }
        }
    }
}
