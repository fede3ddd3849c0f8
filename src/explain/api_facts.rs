//! What each API is for, who calls it, and what its versions changed: one file an API, in our words.
//!
//! What comes in is an API key; what goes out are sentences and the releases and proposals (KIPs) that
//! they are known from. What is not known for sure is left open. The byte layouts of versions are
//! not here: the definitions have them.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::schema::ApiKey;

/// What there is to say of an API.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiFacts {
    /// Its name.
    pub api: String,
    /// One short sentence.
    pub summary: String,
    /// A few sentences: what it does, what surprises people.
    pub purpose: String,
    /// Client methods, tools or nodes that send the request, most usual first.
    pub callers: Vec<String>,
    /// The release that first had it.
    pub since: Option<String>,
    /// The release that had it no more.
    pub removed: Option<String>,
    pub kips: Vec<KipFact>,
    /// Every version that was ever on the wire, ascending.
    pub versions: Vec<VersionFact>,
    /// What holds for several versions at once.
    pub history: Option<String>,
}

/// A proposal that has changed an API.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KipFact {
    pub kip: u16,
    /// What it did, as a phrase that goes on from its number.
    pub what: String,
}

/// What a version changed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionFact {
    pub version: i16,
    /// The release that first had it as a stable version.
    pub kafka: Option<String>,
    pub kip: Option<u16>,
    pub what: String,
}

impl VersionFact {
    /// Where the fact is from, as `Kafka 2.8, KIP-516`; empty when that is not known.
    pub fn source(&self) -> String {
        let release = self
            .kafka
            .as_ref()
            .map(|release| format!("Kafka {release}"));
        let kip = self.kip.map(|kip| format!("KIP-{kip}"));
        let known: Vec<String> = release.into_iter().chain(kip).collect();
        known.join(", ")
    }
}

/// The facts of an API; `None` for one that only another release has.
pub fn api_facts(api: ApiKey) -> Option<&'static ApiFacts> {
    static FACTS: OnceLock<Vec<Option<ApiFacts>>> = OnceLock::new();
    let facts = FACTS.get_or_init(|| {
        // A file that is none would be missing, and a test looks for that.
        let all: Vec<ApiFacts> = FILES
            .iter()
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect();
        let mut slots = Vec::new();
        for facts in all {
            let Some(api) = ApiKey::parse(&facts.api) else {
                continue;
            };
            let idx = usize::try_from(api.0).unwrap_or_default();
            if slots.len() <= idx {
                slots.resize_with(idx + 1, || None);
            }
            if let Some(slot) = slots.get_mut(idx) {
                *slot = Some(facts);
            }
        }
        slots
    });
    facts.get(usize::try_from(api.0).ok()?)?.as_ref()
}

macro_rules! files {
    ($($name:literal)*) => {
        const FILES: &[&str] = &[
            $(include_str!(concat!("apis/", $name, ".json")),)*
        ];
    };
}

files! {
    "AddOffsetsToTxn"
    "AddPartitionsToTxn"
    "AddRaftVoter"
    "AllocateProducerIds"
    "AlterClientQuotas"
    "AlterConfigs"
    "AlterPartition"
    "AlterPartitionReassignments"
    "AlterReplicaLogDirs"
    "AlterShareGroupOffsets"
    "AlterUserScramCredentials"
    "ApiVersions"
    "AssignReplicasToDirs"
    "BeginQuorumEpoch"
    "BrokerHeartbeat"
    "BrokerRegistration"
    "ConsumerGroupDescribe"
    "ConsumerGroupHeartbeat"
    "ControlledShutdown"
    "ControllerRegistration"
    "CreateAcls"
    "CreateDelegationToken"
    "CreatePartitions"
    "CreateTopics"
    "DeleteAcls"
    "DeleteGroups"
    "DeleteRecords"
    "DeleteShareGroupOffsets"
    "DeleteShareGroupState"
    "DeleteTopics"
    "DescribeAcls"
    "DescribeClientQuotas"
    "DescribeCluster"
    "DescribeConfigs"
    "DescribeDelegationToken"
    "DescribeGroups"
    "DescribeLogDirs"
    "DescribeProducers"
    "DescribeQuorum"
    "DescribeShareGroupOffsets"
    "DescribeTopicPartitions"
    "DescribeTransactions"
    "DescribeUserScramCredentials"
    "ElectLeaders"
    "EndQuorumEpoch"
    "EndTxn"
    "Envelope"
    "ExpireDelegationToken"
    "Fetch"
    "FetchSnapshot"
    "FindCoordinator"
    "GetReplicaLogInfo"
    "GetTelemetrySubscriptions"
    "Heartbeat"
    "IncrementalAlterConfigs"
    "InitProducerId"
    "InitializeShareGroupState"
    "JoinGroup"
    "LeaderAndIsr"
    "LeaveGroup"
    "ListConfigResources"
    "ListGroups"
    "ListOffsets"
    "ListPartitionReassignments"
    "ListTransactions"
    "Metadata"
    "OffsetCommit"
    "OffsetDelete"
    "OffsetFetch"
    "OffsetForLeaderEpoch"
    "Produce"
    "PushTelemetry"
    "ReadShareGroupState"
    "ReadShareGroupStateSummary"
    "RemoveRaftVoter"
    "RenewDelegationToken"
    "SaslAuthenticate"
    "SaslHandshake"
    "ShareAcknowledge"
    "ShareFetch"
    "ShareGroupDescribe"
    "ShareGroupHeartbeat"
    "StopReplica"
    "StreamsGroupDescribe"
    "StreamsGroupHeartbeat"
    "SyncGroup"
    "TxnOffsetCommit"
    "UnregisterBroker"
    "UpdateFeatures"
    "UpdateMetadata"
    "UpdateRaftVoter"
    "Vote"
    "WriteShareGroupState"
    "WriteTxnMarkers"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Direction, Versions};

    #[test]
    fn every_api_has_its_facts_with_every_version() {
        let catalogue = Catalogue::current();
        for api in ApiKey::all() {
            let facts = api_facts(api).unwrap_or_else(|| panic!("{api} has no facts"));
            let ever = [Direction::Request, Direction::Response]
                .map(|direction| catalogue.api(api, direction).unwrap().ever)
                .into_iter()
                .fold(Versions::NONE, Versions::hull);
            let told = facts.versions.iter().map(|fact| fact.version);
            assert!(told.eq(ever.iter()), "{api}");
        }
    }

    #[test]
    fn facts_are_sentences_in_plain_text() {
        for api in ApiKey::all() {
            let facts = api_facts(api).unwrap();
            let versions = facts.versions.iter().map(|fact| &fact.what);
            let sentences = [&facts.summary, &facts.purpose]
                .into_iter()
                .chain(&facts.history)
                .chain(versions);
            for sentence in sentences {
                assert!(
                    sentence.ends_with('.') && sentence.is_ascii(),
                    "{api}: {sentence}"
                );
            }
            assert!(facts.summary.len() <= 90, "{api}: {}", facts.summary);
            assert!(!facts.callers.is_empty(), "{api}");
            assert!(facts.kips.is_sorted_by_key(|fact| fact.kip), "{api}");
        }
    }

    #[test]
    fn a_source_names_what_is_known() {
        let fact = |kafka: Option<&str>, kip| VersionFact {
            version: 0,
            kafka: kafka.map(str::to_owned),
            kip,
            what: String::new(),
        };
        assert_eq!(fact(Some("2.8"), Some(516)).source(), "Kafka 2.8, KIP-516");
        assert_eq!(fact(None, Some(516)).source(), "KIP-516");
        assert_eq!(fact(None, None).source(), "");
    }
}
