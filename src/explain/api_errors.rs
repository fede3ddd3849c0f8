//! Which errors an API is known to return. The lists are long, not complete: brokers differ, and
//! any request may meet errors such as UNKNOWN_SERVER_ERROR.

use super::ErrorCode;
use crate::schema::ApiKey;

/// The APIs that are known to return the error, by key.
pub(super) fn apis(code: i16) -> impl Iterator<Item = ApiKey> {
    API_ERRORS
        .iter()
        .filter(move |(_, codes)| codes.contains(&code))
        .filter_map(|(name, _)| ApiKey::parse(name))
}

/// The errors that an API is known to return, by code.
pub fn errors_of(api: ApiKey) -> impl Iterator<Item = ErrorCode> {
    API_ERRORS
        .iter()
        .filter(move |(name, _)| api.name() == Some(name))
        .flat_map(|(_, codes)| codes.iter().copied().map(ErrorCode))
}

/// API and error codes, by API key.
const API_ERRORS: &[(&str, &[i16])] = &[
    (
        "Produce",
        &[
            2, 3, 6, 10, 17, 18, 19, 20, 21, 29, 31, 32, 43, 45, 46, 47, 48, 49, 53, 56, 59, 76,
            87, 100, 120,
        ],
    ),
    (
        "Fetch",
        &[
            -1, 1, 2, 3, 6, 9, 29, 56, 70, 71, 74, 75, 76, 78, 100, 103, 106, 109,
        ],
    ),
    ("ListOffsets", &[-1, 3, 5, 6, 9, 29, 43, 56, 74, 75, 78]),
    ("Metadata", &[3, 5, 17, 29, 72, 74, 100, 129]),
    ("LeaderAndIsr", &[11, 13, 77]),
    ("StopReplica", &[11, 56, 74, 77]),
    ("UpdateMetadata", &[11, 77]),
    ("ControlledShutdown", &[8, 11, 77]),
    (
        "OffsetCommit",
        &[
            3, 7, 12, 14, 15, 16, 22, 25, 27, 28, 29, 30, 48, 49, 69, 82, 100, 113,
        ],
    ),
    ("OffsetFetch", &[3, 14, 15, 16, 25, 29, 30, 88, 100, 113]),
    ("FindCoordinator", &[14, 15, 30, 42, 53, 120]),
    (
        "JoinGroup",
        &[14, 15, 16, 23, 24, 25, 26, 27, 30, 79, 81, 82],
    ),
    ("Heartbeat", &[14, 15, 16, 22, 25, 27, 30, 82]),
    ("LeaveGroup", &[14, 15, 16, 25, 30, 82]),
    ("SyncGroup", &[14, 15, 16, 22, 23, 24, 25, 27, 30, 82]),
    ("DescribeGroups", &[14, 15, 16, 69]),
    ("ListGroups", &[14, 15]),
    ("SaslHandshake", &[33, 34]),
    ("ApiVersions", &[35, 42]),
    (
        "CreateTopics",
        &[7, 17, 29, 36, 37, 38, 39, 40, 41, 42, 44, 89],
    ),
    ("DeleteTopics", &[3, 7, 17, 29, 35, 41, 42, 73, 89, 100]),
    ("DeleteRecords", &[1, 3, 6, 7]),
    (
        "InitProducerId",
        &[14, 15, 16, 31, 42, 47, 50, 51, 53, 90, 120],
    ),
    ("OffsetForLeaderEpoch", &[-1, 3, 6, 9, 29, 56, 74, 75]),
    (
        "AddPartitionsToTxn",
        &[3, 14, 15, 16, 29, 47, 48, 49, 51, 53, 55, 90, 120],
    ),
    (
        "AddOffsetsToTxn",
        &[14, 15, 16, 30, 47, 48, 49, 51, 53, 90, 120],
    ),
    ("EndTxn", &[14, 15, 16, 47, 48, 49, 51, 53, 90, 120]),
    (
        "WriteTxnMarkers",
        &[2, 3, 6, 7, 10, 18, 19, 20, 21, 31, 47, 52],
    ),
    (
        "TxnOffsetCommit",
        &[
            3, 7, 12, 14, 15, 16, 22, 25, 28, 29, 30, 43, 47, 53, 82, 120,
        ],
    ),
    ("DescribeAcls", &[31, 54]),
    ("CreateAcls", &[31, 42, 54]),
    ("DeleteAcls", &[31, 42, 54]),
    ("DescribeConfigs", &[3, 29, 31, 42]),
    ("AlterConfigs", &[3, 29, 31, 40, 42, 44]),
    ("AlterReplicaLogDirs", &[-1, 3, 9, 31, 56, 57]),
    ("DescribeLogDirs", &[31, 56]),
    ("SaslAuthenticate", &[34, 58]),
    (
        "CreatePartitions",
        &[3, 17, 29, 37, 38, 39, 41, 42, 44, 60, 89],
    ),
    ("CreateDelegationToken", &[61, 64, 65, 67]),
    ("RenewDelegationToken", &[61, 62, 63, 64, 66]),
    ("ExpireDelegationToken", &[61, 62, 63, 64, 66]),
    ("DescribeDelegationToken", &[61, 64, 65]),
    ("DeleteGroups", &[14, 15, 16, 24, 30, 68, 69]),
    ("ElectLeaders", &[31, 41, 80, 83, 84]),
    ("IncrementalAlterConfigs", &[3, 29, 31, 40, 42, 44]),
    ("AlterPartitionReassignments", &[31, 39, 41, 85]),
    ("ListPartitionReassignments", &[31, 41]),
    ("OffsetDelete", &[3, 14, 15, 16, 24, 29, 30, 68, 69, 86]),
    ("DescribeClientQuotas", &[31, 42]),
    ("AlterClientQuotas", &[31, 41, 42]),
    ("DescribeUserScramCredentials", &[31, 91, 92]),
    ("AlterUserScramCredentials", &[31, 33, 41, 91, 92, 93]),
    ("Vote", &[3, 8, 31, 42, 74, 94, 104, 125]),
    ("BeginQuorumEpoch", &[3, 8, 31, 42, 74, 94, 104, 125]),
    ("EndQuorumEpoch", &[3, 8, 31, 42, 74, 94, 104]),
    ("DescribeQuorum", &[3, 6, 8, 31]),
    (
        "AlterPartition",
        &[3, 41, 42, 55, 74, 77, 95, 100, 107, 108],
    ),
    ("UpdateFeatures", &[31, 41, 42, 96]),
    ("Envelope", &[31, 41, 97]),
    ("FetchSnapshot", &[98, 99]),
    ("DescribeCluster", &[114, 115]),
    ("DescribeProducers", &[3, 6, 29]),
    ("BrokerRegistration", &[31, 41, 101, 104, 119]),
    ("BrokerHeartbeat", &[31, 41, 77, 102]),
    ("UnregisterBroker", &[31, 102]),
    ("DescribeTransactions", &[14, 15, 16, 53, 105]),
    ("ListTransactions", &[14, 15, 128]),
    ("AllocateProducerIds", &[31, 41, 77]),
    (
        "ConsumerGroupHeartbeat",
        &[14, 15, 16, 25, 30, 42, 81, 110, 111, 112, 128],
    ),
    ("ConsumerGroupDescribe", &[14, 15, 16, 24, 30, 42, 69]),
    ("ControllerRegistration", &[31, 41]),
    ("GetTelemetrySubscriptions", &[35, 42, 89]),
    ("PushTelemetry", &[42, 76, 89, 117, 118]),
    ("AssignReplicasToDirs", &[31, 77]),
    ("ListConfigResources", &[31, 35]),
    ("DescribeTopicPartitions", &[3, 17, 29]),
    ("ShareGroupHeartbeat", &[14, 15, 16, 25, 30, 42, 81]),
    ("ShareGroupDescribe", &[14, 15, 16, 24, 30, 42, 69]),
    (
        "ShareFetch",
        &[-1, 2, 3, 6, 29, 30, 42, 56, 100, 121, 122, 123, 133],
    ),
    (
        "ShareAcknowledge",
        &[-1, 3, 6, 29, 30, 42, 56, 100, 121, 122, 123],
    ),
    ("AddRaftVoter", &[31, 35, 126]),
    ("RemoveRaftVoter", &[31, 35, 127]),
    ("UpdateRaftVoter", &[31, 35, 42, 127]),
    ("InitializeShareGroupState", &[14, 15, 16, 124]),
    ("ReadShareGroupState", &[14, 15, 16, 74]),
    ("WriteShareGroupState", &[14, 15, 16, 74, 124]),
    ("DeleteShareGroupState", &[14, 15, 16]),
    ("ReadShareGroupStateSummary", &[14, 15, 16]),
    (
        "StreamsGroupHeartbeat",
        &[14, 15, 16, 25, 30, 42, 81, 110, 130, 131, 132],
    ),
    ("StreamsGroupDescribe", &[14, 15, 16, 24, 30, 69]),
    ("DescribeShareGroupOffsets", &[14, 15, 16, 24, 30, 69]),
    ("AlterShareGroupOffsets", &[14, 15, 16, 24, 30, 68, 69]),
    ("DeleteShareGroupOffsets", &[14, 15, 16, 24, 30, 68, 69]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_an_api_and_known_codes_in_order() {
        for (name, codes) in API_ERRORS {
            assert!(ApiKey::parse(name).is_some(), "{name}");
            assert!(codes.is_sorted_by(|a, b| a < b), "{name}");
            for &code in *codes {
                assert!(
                    code != 0 && ErrorCode(code).name().is_some(),
                    "{name} {code}"
                );
            }
        }
        assert!(API_ERRORS.is_sorted_by_key(|(name, _)| ApiKey::parse(name)));
    }
}
