//! Errors to which the version of an API gives another sense: those that may only be returned from
//! some version on, and those that stand in for them before it.
//!
//! What comes in is a message by name and version, and the code of one of its error fields; what
//! goes out is a sentence. Only what Kafka's own definitions, proposals or brokers say is listed.

use super::ErrorCode;
use crate::schema::ApiKey;

/// A rule on one error in the responses of one API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionNote {
    /// Name of the API.
    pub api: &'static str,
    pub code: ErrorCode,
    /// The first version in which a broker may send it, or that means no more than it says.
    pub since: i16,
    /// What that is known from.
    pub source: &'static str,
    /// What the error stands for before that version; empty when it has no business there.
    pub stands_for: &'static str,
}

/// What is to be said of `code` in version `version` of the definition named `message`.
pub fn version_note(message: &str, version: i16, code: ErrorCode) -> Option<String> {
    let api = message.strip_suffix("Response")?;
    NOTES
        .iter()
        .find(|note| note.api == api && note.code == code && version < note.since)
        .map(|note| note.text(version))
}

/// The rules on an error, for any API.
pub fn version_notes(code: ErrorCode) -> impl Iterator<Item = &'static VersionNote> {
    NOTES.iter().filter(move |note| note.code == code)
}

/// The rules on errors of an API.
pub fn version_notes_of(api: ApiKey) -> impl Iterator<Item = &'static VersionNote> {
    NOTES
        .iter()
        .filter(move |note| api.name() == Some(note.api))
}

impl VersionNote {
    /// The sentence, without a full stop.
    fn text(&self, version: i16) -> String {
        let VersionNote {
            api,
            code,
            since,
            source,
            stands_for,
            ..
        } = self;
        if stands_for.is_empty() {
            format!(
                "{code} is only legal in {api} responses from version {since} ({source}), and \
                 this is version {version}"
            )
        } else {
            format!("{code} in {api} version {version} {stands_for} ({source})")
        }
    }
}

impl std::fmt::Display for VersionNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let VersionNote {
            api,
            since,
            source,
            stands_for,
            ..
        } = self;
        if stands_for.is_empty() {
            write!(
                f,
                "legal in {api} responses from version {since} ({source})"
            )
        } else {
            write!(f, "in {api} before version {since} {stands_for} ({source})")
        }
    }
}

const fn legal(api: &'static str, code: i16, since: i16, source: &'static str) -> VersionNote {
    VersionNote {
        api,
        code: ErrorCode(code),
        since,
        source,
        stands_for: "",
    }
}

const fn stands_in(
    api: &'static str,
    code: i16,
    since: i16,
    source: &'static str,
    stands_for: &'static str,
) -> VersionNote {
    VersionNote {
        api,
        code: ErrorCode(code),
        since,
        source,
        stands_for,
    }
}

/// By API.
const NOTES: &[VersionNote] = &[
    legal("DeleteTopics", 73, 3, "KIP-322"),
    stands_in(
        "DeleteTopics",
        42,
        3,
        "KIP-322",
        "may mean that topic deletion is disabled, which newer versions call \
         TOPIC_DELETION_DISABLED",
    ),
    legal("DeleteTopics", 89, 5, "KIP-599"),
    legal("DeleteTopics", 100, 6, "KIP-516"),
    legal("CreateTopics", 89, 6, "KIP-599"),
    legal("CreatePartitions", 89, 3, "KIP-599"),
    legal("Produce", 56, 4, "KIP-112"),
    stands_in(
        "Produce",
        6,
        4,
        "KIP-112",
        "may also mean that the broker's disk has failed, which newer versions call \
         KAFKA_STORAGE_ERROR",
    ),
    stands_in(
        "Produce",
        76,
        7,
        "KIP-110",
        "means that the batch is compressed with zstd, which needs version 7",
    ),
    legal("Produce", 53, 3, "KIP-98"),
    legal("Produce", 100, 13, "KIP-516"),
    legal("Produce", 120, 11, "KIP-890"),
    legal("Fetch", 56, 6, "KIP-112"),
    stands_in(
        "Fetch",
        6,
        6,
        "KIP-112",
        "may also mean that the broker's disk has failed, which newer versions call \
         KAFKA_STORAGE_ERROR",
    ),
    legal("Fetch", 70, 7, "KIP-227"),
    legal("Fetch", 71, 7, "KIP-227"),
    legal("Fetch", 74, 9, "KIP-320"),
    legal("Fetch", 75, 9, "KIP-320"),
    stands_in(
        "Fetch",
        76,
        10,
        "KIP-110",
        "means that the topic holds batches compressed with zstd, which need version 10",
    ),
    legal("Fetch", 100, 13, "KIP-516"),
    legal("Fetch", 103, 13, "KIP-516"),
    legal("Fetch", 106, 13, "KIP-516"),
    legal("Fetch", 109, 14, "KIP-405"),
    legal("ListOffsets", 74, 4, "KIP-320"),
    legal("ListOffsets", 75, 4, "KIP-320"),
    legal("ListOffsets", 78, 5, "KIP-207"),
    stands_in(
        "ListOffsets",
        5,
        5,
        "KIP-207",
        "may mean that the new leader cannot yet vouch for its offsets, which newer versions call \
         OFFSET_NOT_AVAILABLE",
    ),
    legal("Metadata", 72, 6, "Kafka 1.1"),
    stands_in(
        "Metadata",
        5,
        6,
        "Kafka 1.1",
        "may mean that the leader lacks the listener that the client uses, which newer versions \
         call LISTENER_NOT_FOUND",
    ),
    legal("Metadata", 100, 10, "KIP-516"),
    legal("Metadata", 129, 13, "KIP-1102"),
    legal("OffsetForLeaderEpoch", 74, 2, "KIP-320"),
    legal("OffsetForLeaderEpoch", 75, 2, "KIP-320"),
    legal("JoinGroup", 79, 4, "KIP-394"),
    legal("JoinGroup", 82, 5, "KIP-345"),
    legal("SyncGroup", 82, 3, "KIP-345"),
    legal("Heartbeat", 82, 3, "KIP-345"),
    legal("LeaveGroup", 82, 3, "KIP-345"),
    legal("OffsetCommit", 69, 9, "KIP-848"),
    legal("OffsetCommit", 82, 7, "KIP-345"),
    legal("OffsetCommit", 100, 10, "KIP-848"),
    legal("OffsetCommit", 113, 9, "KIP-848"),
    legal("OffsetFetch", 25, 9, "KIP-848"),
    legal("OffsetFetch", 88, 7, "KIP-447"),
    legal("OffsetFetch", 100, 10, "KIP-848"),
    legal("OffsetFetch", 113, 9, "KIP-848"),
    legal("TxnOffsetCommit", 22, 3, "KIP-447"),
    legal("TxnOffsetCommit", 25, 3, "KIP-447"),
    legal("TxnOffsetCommit", 82, 3, "KIP-447"),
    legal("TxnOffsetCommit", 120, 4, "KIP-890"),
    legal("FindCoordinator", 53, 1, "KIP-98"),
    legal("FindCoordinator", 120, 5, "KIP-890"),
    legal("ApiVersions", 42, 3, "KIP-511"),
    stands_in(
        "InitProducerId",
        47,
        4,
        "KIP-588",
        "may also mean that another producer took over, which newer versions call PRODUCER_FENCED",
    ),
    legal("InitProducerId", 90, 4, "KIP-588"),
    legal("InitProducerId", 120, 5, "KIP-890"),
    stands_in(
        "AddPartitionsToTxn",
        47,
        2,
        "KIP-588",
        "may also mean that another producer took over, which newer versions call PRODUCER_FENCED",
    ),
    legal("AddPartitionsToTxn", 90, 2, "KIP-588"),
    legal("AddPartitionsToTxn", 120, 5, "KIP-890"),
    stands_in(
        "AddOffsetsToTxn",
        47,
        2,
        "KIP-588",
        "may also mean that another producer took over, which newer versions call PRODUCER_FENCED",
    ),
    legal("AddOffsetsToTxn", 90, 2, "KIP-588"),
    legal("AddOffsetsToTxn", 120, 4, "KIP-890"),
    stands_in(
        "EndTxn",
        47,
        2,
        "KIP-588",
        "may also mean that another producer took over, which newer versions call PRODUCER_FENCED",
    ),
    legal("EndTxn", 90, 2, "KIP-588"),
    legal("EndTxn", 120, 4, "KIP-890"),
    legal("ControlledShutdown", 77, 2, "KIP-380"),
    legal("LeaderAndIsr", 77, 2, "KIP-380"),
    legal("StopReplica", 74, 3, "KIP-570"),
    legal("StopReplica", 77, 1, "KIP-380"),
    legal("UpdateMetadata", 77, 5, "KIP-380"),
    legal("ConsumerGroupHeartbeat", 128, 1, "KIP-848"),
    legal("DescribeGroups", 69, 6, "KIP-1043"),
    legal("Vote", 125, 1, "KIP-853"),
    legal("BeginQuorumEpoch", 125, 1, "KIP-853"),
    legal("AlterPartition", 100, 2, "KIP-841"),
    legal("AlterPartition", 107, 2, "KIP-841"),
    legal("AlterPartition", 108, 2, "KIP-841"),
    legal("DescribeCluster", 114, 1, "KIP-919"),
    legal("DescribeCluster", 115, 1, "KIP-919"),
    legal("ListTransactions", 128, 2, "KIP-1152"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ApiKey, Catalogue, Direction};

    #[test]
    fn every_note_is_on_versions_that_there_are() {
        for note in NOTES {
            let api = ApiKey::parse(note.api).unwrap();
            assert_eq!(api.name(), Some(note.api));
            let ever = Catalogue::current()
                .api(api, Direction::Response)
                .unwrap()
                .ever;
            assert!(ever.min < note.since && note.since <= ever.max, "{note:?}");
            assert!(note.code.name().is_some());
        }
    }

    #[test]
    fn deletion_disabled_is_told_from_version_3() {
        let note = |version, code| version_note("DeleteTopicsResponse", version, ErrorCode(code));
        assert_eq!(
            note(2, 73).unwrap(),
            "TOPIC_DELETION_DISABLED is only legal in DeleteTopics responses from version 3 \
             (KIP-322), and this is version 2"
        );
        assert_eq!(
            note(0, 42).unwrap(),
            "INVALID_REQUEST in DeleteTopics version 0 may mean that topic deletion is disabled, \
             which newer versions call TOPIC_DELETION_DISABLED (KIP-322)"
        );
        assert_eq!([note(3, 73), note(3, 42), note(2, 3)], [None, None, None]);
    }

    /// An error that an API is not known to return at all has no version to be legal from.
    #[test]
    fn every_note_is_on_an_error_that_its_api_returns() {
        for note in NOTES {
            let mut apis = note.code.apis();
            assert!(apis.any(|api| api.name() == Some(note.api)), "{note:?}");
        }
    }
}
