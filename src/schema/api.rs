//! API keys and the header versions that go with a request's version.

use std::fmt;

use super::{Catalogue, Definition, Plan};

/// The number of an API, as request headers carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiKey(pub i16);

impl ApiKey {
    /// No key: what a response without its request belongs to.
    pub const UNKNOWN: ApiKey = ApiKey(-1);
    pub const PRODUCE: ApiKey = ApiKey(0);
    pub const FETCH: ApiKey = ApiKey(1);
    pub const CONTROLLED_SHUTDOWN: ApiKey = ApiKey(7);
    pub const HEARTBEAT: ApiKey = ApiKey(12);
    pub const SYNC_GROUP: ApiKey = ApiKey(14);
    pub const SASL_HANDSHAKE: ApiKey = ApiKey(17);
    pub const API_VERSIONS: ApiKey = ApiKey(18);
    pub const SASL_AUTHENTICATE: ApiKey = ApiKey(36);
    pub const ENVELOPE: ApiKey = ApiKey(58);

    /// Every API key that ever had a definition.
    pub fn all() -> impl Iterator<Item = ApiKey> {
        (0..)
            .take(Catalogue::current().n_apis())
            .map(ApiKey)
            .filter(|api| api.name().is_some())
    }

    /// The name without `Request` or `Response`; `None` for a key that no definition has.
    pub fn name(self) -> Option<&'static str> {
        let idx = usize::try_from(self.0).ok()?;
        match ApiKey::NAMES.get(idx) {
            Some(name) => Some(name),
            None => Catalogue::current().api_name(self),
        }
    }

    /// The API of that name, whatever its case, with or without `Request` or `Response`; a number
    /// is taken as the key.
    pub fn parse(text: &str) -> Option<ApiKey> {
        if let Ok(key) = text.parse() {
            return ApiKey(key).name().map(|_| ApiKey(key));
        }
        let bare = ["request", "response"]
            .iter()
            .find_map(|suffix| {
                let at = text.len().checked_sub(suffix.len())?;
                let tail = text.get(at..)?;
                tail.eq_ignore_ascii_case(suffix).then(|| text.get(..at))?
            })
            .unwrap_or(text);
        ApiKey::all().find(|api| {
            api.name()
                .is_some_and(|name| name.eq_ignore_ascii_case(bare))
        })
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "api key {}", self.0),
        }
    }
}

/// The version of the request header in front of a request body.
///
/// 2 when the request is flexible, else 1. ControlledShutdown 0 is older than the client id in
/// headers and stays at 0 (Kafka class of behaviour: `ApiMessageType.requestHeaderVersion`).
pub fn request_header_version(request: &Definition, version: i16) -> i16 {
    if request.api_key == Some(ApiKey::CONTROLLED_SHUTDOWN.0) && version == 0 {
        0
    } else if request.flexible.contains(version) {
        2
    } else {
        1
    }
}

/// The version of the response header in front of a response body.
///
/// 1 when the response is flexible, else 0. ApiVersions responses always have 0: a client must be
/// able to read one before it knows which versions the broker speaks (KIP-511).
pub fn response_header_version(response: &Definition, version: i16) -> i16 {
    if response.api_key != Some(ApiKey::API_VERSIONS.0) && response.flexible.contains(version) {
        1
    } else {
        0
    }
}

/// The version in which a broker answers a request of a version that it does not know.
///
/// Only ApiVersions has one: a version-0 body with error 35, UNSUPPORTED_VERSION (KIP-511).
pub fn fallback_version(api: ApiKey) -> Option<i16> {
    (api == ApiKey::API_VERSIONS).then_some(0)
}

/// Whether the body of a produce request starts with a transactional id, behind which its acks
/// lie; it came with version 3 (KIP-98). Acks of 0 are the only way to ask for no answer at all, so
/// they are looked at for every request, before anything is decoded.
pub fn produce_starts_with_transactional_id(version: i16) -> bool {
    version >= 3
}

/// The format of records, or magic, that a message of that version carries: 0 until KIP-32 brought
/// times, 1 until KIP-98 brought batches of magic 2. Brokers and producers may only write that one
/// (Kafka class of behaviour: `ProduceRequest.validateRecords`), though fetched data can be older.
pub fn record_format(plan: &Plan) -> i8 {
    match (plan.name, plan.version) {
        ("ProduceRequest", 0..=1) | ("FetchResponse", 0..=1) => 0,
        ("ProduceRequest", 2) | ("FetchResponse", 2..=3) => 1,
        _ => 2,
    }
}

impl ApiKey {
    /// Names by key, of the APIs that the program carries.
    pub(super) const NAMES: &[&str] = &[
        "Produce",
        "Fetch",
        "ListOffsets",
        "Metadata",
        "LeaderAndIsr",
        "StopReplica",
        "UpdateMetadata",
        "ControlledShutdown",
        "OffsetCommit",
        "OffsetFetch",
        "FindCoordinator",
        "JoinGroup",
        "Heartbeat",
        "LeaveGroup",
        "SyncGroup",
        "DescribeGroups",
        "ListGroups",
        "SaslHandshake",
        "ApiVersions",
        "CreateTopics",
        "DeleteTopics",
        "DeleteRecords",
        "InitProducerId",
        "OffsetForLeaderEpoch",
        "AddPartitionsToTxn",
        "AddOffsetsToTxn",
        "EndTxn",
        "WriteTxnMarkers",
        "TxnOffsetCommit",
        "DescribeAcls",
        "CreateAcls",
        "DeleteAcls",
        "DescribeConfigs",
        "AlterConfigs",
        "AlterReplicaLogDirs",
        "DescribeLogDirs",
        "SaslAuthenticate",
        "CreatePartitions",
        "CreateDelegationToken",
        "RenewDelegationToken",
        "ExpireDelegationToken",
        "DescribeDelegationToken",
        "DeleteGroups",
        "ElectLeaders",
        "IncrementalAlterConfigs",
        "AlterPartitionReassignments",
        "ListPartitionReassignments",
        "OffsetDelete",
        "DescribeClientQuotas",
        "AlterClientQuotas",
        "DescribeUserScramCredentials",
        "AlterUserScramCredentials",
        "Vote",
        "BeginQuorumEpoch",
        "EndQuorumEpoch",
        "DescribeQuorum",
        "AlterPartition",
        "UpdateFeatures",
        "Envelope",
        "FetchSnapshot",
        "DescribeCluster",
        "DescribeProducers",
        "BrokerRegistration",
        "BrokerHeartbeat",
        "UnregisterBroker",
        "DescribeTransactions",
        "ListTransactions",
        "AllocateProducerIds",
        "ConsumerGroupHeartbeat",
        "ConsumerGroupDescribe",
        "ControllerRegistration",
        "GetTelemetrySubscriptions",
        "PushTelemetry",
        "AssignReplicasToDirs",
        "ListConfigResources",
        "DescribeTopicPartitions",
        "ShareGroupHeartbeat",
        "ShareGroupDescribe",
        "ShareFetch",
        "ShareAcknowledge",
        "AddRaftVoter",
        "RemoveRaftVoter",
        "UpdateRaftVoter",
        "InitializeShareGroupState",
        "ReadShareGroupState",
        "WriteShareGroupState",
        "DeleteShareGroupState",
        "ReadShareGroupStateSummary",
        "StreamsGroupHeartbeat",
        "StreamsGroupDescribe",
        "DescribeShareGroupOffsets",
        "AlterShareGroupOffsets",
        "DeleteShareGroupOffsets",
        "GetReplicaLogInfo",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Direction};

    #[test]
    fn the_names_are_those_of_the_definitions() {
        for api in ApiKey::all() {
            let name = api.name().unwrap();
            for direction in [Direction::Request, Direction::Response] {
                let definition = Catalogue::current().api(api, direction).unwrap();
                assert_eq!(definition.name, format!("{name}{}", direction.suffix()));
                assert_eq!(definition.api_key, Some(api.0));
            }
        }
    }

    #[test]
    fn apis_are_found_by_name_and_number() {
        assert_eq!(ApiKey::parse("fetch"), Some(ApiKey::FETCH));
        assert_eq!(ApiKey::parse("FetchResponse"), Some(ApiKey::FETCH));
        assert_eq!(ApiKey::parse("18"), Some(ApiKey::API_VERSIONS));
        assert_eq!(ApiKey::parse("999"), None);
        assert_eq!(ApiKey::parse("Request"), None);
    }
}
