//! The few words that stand beside a value.
//!
//! What comes in is a node, which carries how its value reads, and the value; what goes out is text
//! for people, or nothing where the value says it all. Longer things, such as what to do about an
//! error, are not here.

use std::borrow::Cow;

use uuid::Uuid;

use super::{ErrorCode, Known, base64, names::names, time};
use crate::{
    event::{Attributes, Meaning, Names, Node, Role, Value},
    schema::ApiKey,
};

/// What `value` stands for at `node`, as `read_committed` or `2024-11-01T10:00:00.000Z`. Names and
/// hosts of a cluster are in it as they came from the wire.
pub fn meaning(node: &Node, value: &Value<'_>, known: Known<'_>) -> Option<Cow<'static, str>> {
    let number = match *value {
        Value::Uuid(uuid) => return self::uuid(node, uuid, known),
        Value::Bool(value) => i64::from(value),
        Value::Int8(value) => i64::from(value),
        Value::Int16(value) => i64::from(value),
        Value::Int32(value) | Value::Varint(value) => i64::from(value),
        Value::Int64(value) | Value::Varlong(value) => value,
        Value::Uint16(value) => i64::from(value),
        Value::Uint32(value) | Value::Uvarint(value) => i64::from(value),
        Value::Null(_) => return null_meaning(node).map(Cow::from),
        Value::Float64(_) | Value::String(..) | Value::Bytes(..) => return None,
    };
    match node.role {
        Role::ApiKey => {
            let name = i16::try_from(number)
                .ok()
                .and_then(|key| ApiKey(key).name());
            return Some(name.unwrap_or(UNKNOWN).into());
        }
        Role::ErrorCode if number == 0 => return None,
        Role::ErrorCode => {
            let name = i16::try_from(number)
                .ok()
                .and_then(|code| ErrorCode(code).name());
            return Some(name.unwrap_or(UNKNOWN).into());
        }
        _ => {}
    }
    let meaning = of_number(node.meaning, number);
    if meaning.is_some() || node.role != Role::BrokerId {
        return meaning;
    }
    let node = i32::try_from(number).ok()?;
    known.address(node).map(Cow::from)
}

/// What it stands for that the value, list or struct at `node` is null.
pub fn null_meaning(node: &Node) -> Option<&'static str> {
    match node.meaning {
        Meaning::Null(list) => name(list, -1),
        _ => None,
    }
}

const UNKNOWN: &str = "unknown";

fn of_number(meaning: Meaning, number: i64) -> Option<Cow<'static, str>> {
    match meaning {
        Meaning::Plain | Meaning::Directory | Meaning::Null(_) => None,
        Meaning::Choice(list) => Some(name(list, number).unwrap_or(UNKNOWN).into()),
        Meaning::Number(list) => name(list, number).map(Cow::from),
        Meaning::Time(list) => match name(list, number) {
            Some(name) => Some(name.into()),
            None => match (time(number), time::of_seconds(number)) {
                (Some(time), Some(right)) => {
                    Some(format!("{time}; in seconds {right}, and milliseconds belong here").into())
                }
                (time, _) => time.map(Cow::from),
            },
        },
        Meaning::Duration(list) => match name(list, number) {
            Some(name) => Some(name.into()),
            None => time::duration(number).map(Cow::from),
        },
        Meaning::Size(list) => match name(list, number) {
            Some(name) => Some(name.into()),
            None => size(number).map(Cow::from),
        },
        Meaning::Bits(list) => Some(bits(list, number)),
        Meaning::Attributes(layout) => Some(attributes(layout, number).into()),
    }
}

fn name(list: Names, number: i64) -> Option<&'static str> {
    names(list)
        .iter()
        .find(|&&(value, _)| value == number)
        .map(|&(_, name)| name)
}

/// The names of the set bits; the sign bit alone says that nobody asked.
fn bits(list: Names, number: i64) -> Cow<'static, str> {
    match number {
        0 => return "none".into(),
        number if number < 0 => return name(list, number).unwrap_or(UNKNOWN).into(),
        _ => {}
    }
    let names: Vec<String> = (0..63)
        .filter(|bit| number >> bit & 1 == 1)
        .map(|bit| name(list, bit).map_or_else(|| format!("bit {bit}"), str::to_owned))
        .collect();
    names.join(", ").into()
}

/// Record attributes: the codec in the lowest three bits, then flags (KIP-98, KIP-534).
fn attributes(layout: Attributes, number: i64) -> String {
    let flags: &[(u32, &str)] = match layout {
        Attributes::Message0 => &[],
        Attributes::Message1 => &[(3, "log-append time")],
        Attributes::Batch => &[
            (3, "log-append time"),
            (4, "transactional"),
            (5, "control"),
            (6, "delete horizon"),
        ],
    };
    let codec = match number & 7 {
        0 => "uncompressed".to_owned(),
        codec => name(Names::Codec, codec).map_or_else(|| format!("codec {codec}"), str::to_owned),
    };
    let mut text = codec;
    for bit in 3..16 {
        if number >> bit & 1 == 0 {
            continue;
        }
        let flag = flags.iter().find(|&&(known, _)| known == bit);
        text.push_str(", ");
        match flag {
            Some((_, flag)) => text.push_str(flag),
            None => text.push_str(&format!("bit {bit}")),
        }
    }
    text
}

/// Whole numbers of the largest unit that divides them, at least one KiB.
fn size(bytes: i64) -> Option<String> {
    const UNITS: [(i64, &str); 4] = [
        (1 << 40, "TiB"),
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
    ];
    if bytes <= 0 {
        return None;
    }
    let (unit, name) = UNITS.iter().find(|&&(unit, _)| bytes >= unit)?;
    let (whole, rest) = (bytes / unit, bytes % unit);
    if rest == 0 {
        return Some(format!("{whole} {name}"));
    }
    // In floating point only to be rounded for the eye.
    Some(format!("about {:.1} {name}", bytes as f64 / *unit as f64))
}

fn uuid(node: &Node, uuid: Uuid, known: Known<'_>) -> Option<Cow<'static, str>> {
    let name = match (node.meaning, node.role, uuid.as_u128()) {
        (_, _, 0) => return None,
        (Meaning::Directory, _, 1) => Some("lost"),
        (Meaning::Directory, _, 2) => Some("migrating"),
        (_, Role::TopicId, 1) => Some("__cluster_metadata"),
        (_, Role::TopicId, _) => known.topic(uuid),
        _ => None,
    };
    let text = base64(uuid);
    Some(match name {
        Some(name) => format!("{text}, {name}").into(),
        None => text.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{Prefix, Section, Shape},
        schema::{Catalogue, StructPlan, TypePlan},
    };

    fn text(role: Role, meaning: Meaning, value: Value<'_>) -> String {
        let node = Node {
            name: "Field",
            index: None,
            shape: Shape::Leaf { ty: "int32" },
            role,
            meaning,
            section: Section::Request,
            about: "",
        };
        super::meaning(&node, &value, Known::default())
            .unwrap_or_default()
            .into_owned()
    }

    fn plain(meaning: Meaning, number: i64) -> String {
        text(Role::Plain, meaning, Value::Int64(number))
    }

    #[test]
    fn enumerations_name_zero_and_say_what_is_unknown() {
        let level = Meaning::Choice(Names::IsolationLevel);
        assert_eq!(plain(level, 0), "read_uncommitted");
        assert_eq!(plain(level, 1), "read_committed");
        assert_eq!(plain(level, 2), "unknown");
        let committed = Meaning::Choice(Names::TransactionResult);
        assert_eq!(text(Role::Plain, committed, Value::Bool(true)), "commit");
    }

    #[test]
    fn errors_and_api_keys_are_known_by_role() {
        let error = |code| text(Role::ErrorCode, Meaning::Plain, Value::Int16(code));
        assert_eq!(error(0), "");
        assert_eq!(error(3), "UNKNOWN_TOPIC_OR_PARTITION");
        assert_eq!(error(999), "unknown");
        let api = text(Role::ApiKey, Meaning::Plain, Value::Int16(42));
        assert_eq!(api, "DeleteGroups");
    }

    #[test]
    fn operations_are_named_by_bit() {
        let operations = Meaning::Bits(Names::AclOperations);
        assert_eq!(plain(operations, 0b1_0000_1000), "read, describe");
        assert_eq!(plain(operations, -2_147_483_648), "not asked for");
        assert_eq!(plain(operations, 0), "none");
        assert_eq!(plain(operations, 1 << 20), "bit 20");
    }

    #[test]
    fn special_values_come_before_the_unit() {
        let listed = Meaning::Time(Names::ListedTime);
        assert_eq!(plain(listed, -2), "earliest");
        assert_eq!(plain(listed, 1_730_455_200_000), "2024-11-01T10:00:00.000Z");
        let retention = Meaning::Duration(Names::BrokerRetention);
        assert_eq!(plain(retention, -1), "the broker's retention");
        assert_eq!(plain(retention, 604_800_000), "7 d");
        assert_eq!(plain(retention, 0), "");
        assert_eq!(plain(Meaning::Size(Names::NoLimit), 52_428_800), "50 MiB");
        assert_eq!(plain(Meaning::Size(Names::NoLimit), 1_500), "about 1.5 KiB");
        assert_eq!(
            plain(Meaning::Size(Names::NoLimit), 2_147_483_647),
            "no limit"
        );
        assert_eq!(plain(Meaning::Number(Names::NoLeader), 3), "");
    }

    #[test]
    fn attributes_name_codec_and_flags() {
        let batch = Meaning::Attributes(Attributes::Batch);
        assert_eq!(plain(batch, 0), "uncompressed");
        assert_eq!(plain(batch, 0x34), "zstd, transactional, control");
        assert_eq!(plain(batch, 0x87), "codec 7, bit 7");
        assert_eq!(
            plain(Meaning::Attributes(Attributes::Message1), 9),
            "gzip, log-append time"
        );
        assert_eq!(
            plain(Meaning::Attributes(Attributes::Message0), 9),
            "gzip, bit 3"
        );
    }

    #[test]
    fn uuids_are_shown_as_kafka_prints_them() {
        let uuid = |role, meaning, bits| text(role, meaning, Value::Uuid(Uuid::from_u128(bits)));
        assert_eq!(uuid(Role::TopicId, Meaning::Plain, 0), "");
        assert_eq!(
            uuid(Role::TopicId, Meaning::Plain, 1),
            "AAAAAAAAAAAAAAAAAAAAAQ, __cluster_metadata"
        );
        assert_eq!(
            uuid(Role::Plain, Meaning::Directory, 1),
            "AAAAAAAAAAAAAAAAAAAAAQ, lost"
        );
        assert_eq!(
            uuid(Role::Plain, Meaning::Plain, 2),
            "AAAAAAAAAAAAAAAAAAAAAg"
        );
    }

    /// The field of that name in the newest version of a message, wherever it stands.
    fn field(message: &str, name: &str) -> Node {
        fn find(plan: &StructPlan, name: &str) -> Option<Node> {
            let tagged = plan.tagged.iter().map(|(_, field)| field);
            plan.fields.iter().chain(tagged).find_map(|field| {
                let mut ty = &field.ty;
                let mut node = field.node;
                while let TypePlan::Array(element) = ty {
                    ty = &element.ty;
                    node = element.node;
                }
                match ty {
                    _ if field.node.name == name => Some(node),
                    TypePlan::Struct(inner) => find(inner, name),
                    _ => None,
                }
            })
        }
        let catalogue = Catalogue::current();
        let definition = catalogue.definition(message).unwrap().unwrap();
        definition
            .ever
            .iter()
            .rev()
            .find_map(|version| find(&catalogue.plan(message, version).unwrap().body, name))
            .unwrap_or_else(|| panic!("{message} has no {name}"))
    }

    #[test]
    fn fields_of_real_messages_are_read_as_kafka_means_them() {
        let samples: &[(&str, &str, i64, &str)] = &[
            ("FetchRequest", "IsolationLevel", 1, "read_committed"),
            ("FetchRequest", "ReplicaId", -1, "consumer"),
            ("FetchRequest", "MaxBytes", 52_428_800, "50 MiB"),
            ("ProduceRequest", "Acks", -1, "all in-sync replicas"),
            ("ProduceRequest", "TimeoutMs", 30_000, "30 s"),
            (
                "ProduceResponse",
                "LogAppendTimeMs",
                -1,
                "records keep their own timestamps",
            ),
            ("ListOffsetsRequest", "Timestamp", -1, "latest"),
            ("ListOffsetsRequest", "Timestamp", -5, "latest tiered"),
            (
                "ListOffsetsRequest",
                "Timestamp",
                -6,
                "earliest pending upload",
            ),
            ("FindCoordinatorRequest", "KeyType", 1, "transaction"),
            ("DescribeConfigsRequest", "ResourceType", 4, "broker"),
            ("DescribeConfigsResponse", "ConfigSource", 5, "default"),
            ("DescribeConfigsResponse", "Source", 4, "static broker"),
            ("DescribeConfigsResponse", "ConfigType", 9, "password"),
            (
                "IncrementalAlterConfigsRequest",
                "ConfigOperation",
                3,
                "subtract",
            ),
            ("CreateAclsRequest", "ResourceType", 4, "cluster"),
            ("CreateAclsRequest", "ResourcePatternType", 3, "literal"),
            ("CreateAclsRequest", "Operation", 9, "cluster action"),
            ("CreateAclsRequest", "PermissionType", 3, "allow"),
            ("DescribeAclsRequest", "ResourceTypeFilter", 1, "any"),
            ("AccessControlEntryRecord", "ResourceType", 4, "cluster"),
            ("ConfigRecord", "ResourceType", 4, "broker"),
            (
                "MetadataResponse",
                "TopicAuthorizedOperations",
                0x108,
                "read, describe",
            ),
            (
                "MetadataResponse",
                "ClusterAuthorizedOperations",
                i32::MIN.into(),
                "not asked for",
            ),
            ("MetadataResponse", "LeaderId", -1, "no leader known"),
            ("ElectLeadersRequest", "ElectionType", 0, "preferred"),
            (
                "AlterUserScramCredentialsRequest",
                "Mechanism",
                1,
                "SCRAM-SHA-256",
            ),
            ("UpdateFeaturesRequest", "UpgradeType", 2, "safe downgrade"),
            ("ShareFetchRequest", "AcknowledgeTypes", 1, "accept"),
            ("ShareAcknowledgeRequest", "AcknowledgeTypes", 4, "renew"),
            ("DescribeClusterRequest", "EndpointType", 2, "controllers"),
            ("ControlRecordTypeSchema", "Type", 1, "commit"),
            ("DescribeClientQuotasRequest", "MatchType", 1, "default"),
            (
                "TransactionLogValue",
                "TransactionStatus",
                4,
                "CompleteCommit",
            ),
            ("JoinGroupRequest", "SessionTimeoutMs", 45_000, "45 s"),
            ("OffsetCommitRequest", "RetentionTimeMs", 604_800_000, "7 d"),
            (
                "ConsumerGroupHeartbeatRequest",
                "MemberEpoch",
                -1,
                "leaves the group",
            ),
            ("RequestHeader", "RequestApiKey", 18, "ApiVersions"),
            ("StreamsGroupHeartbeatRequest", "Partitions", 0, "as needed"),
            (
                "StreamsGroupTargetAssignmentMemberValue",
                "Partitions",
                0,
                "",
            ),
            (
                "OffsetCommitValue",
                "commitTimestamp",
                1_730_455_200_000,
                "2024-11-01T10:00:00.000Z",
            ),
        ];
        for &(message, name, number, expected) in samples {
            let node = field(message, name);
            let found = meaning(&node, &Value::Int64(number), Known::default()).unwrap_or_default();
            assert_eq!(found, expected, "{message} {name} {number}");
        }
        let committed = field("EndTxnRequest", "Committed");
        let found = meaning(&committed, &Value::Bool(false), Known::default()).unwrap();
        assert_eq!(found, "abort");
        let instance = field("JoinGroupRequest", "GroupInstanceId");
        let found = meaning(&instance, &Value::Null(Prefix::Compact), Known::default()).unwrap();
        assert_eq!(found, "dynamic member");
    }
}
