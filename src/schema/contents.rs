//! Which bytes fields hold more than bytes, and which fields say what: the definitions do not.
//!
//! What comes in is a message and a field by name; what goes out is what a plan keeps for the
//! decoder. How the content is read is not known here.

use super::{Field, Type};

/// What is inside a bytes or records field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inside {
    /// What a member of a group brings along.
    Subscription,
    /// What a member of a group gets.
    Assignment,
    /// What an assignor adds to a subscription.
    SubscriptionUserData,
    /// What an assignor adds to an assignment.
    AssignmentUserData,
    /// What a Connect worker has been assigned before; the version is in front of it.
    Allocation,
    /// A request with its header, without its size.
    Request,
    /// A response with its header, without its size.
    Response,
    /// A principal behind the version of its layout.
    Principal,
    /// A SASL token.
    Sasl,
    /// OpenTelemetry metrics, compressed as an earlier field says.
    Telemetry,
    /// Records of the metadata log, whatever topic is named.
    MetadataLog,
}

/// What the value of a field says of those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tells {
    /// The topic, by name.
    Topic,
    /// The topic, by id.
    TopicId,
    /// The protocol type of a group.
    GroupType,
    /// The protocol of a group.
    Assignor,
    /// The codec of compressed bytes.
    Codec,
}

const INSIDE: &[(&str, &str, Inside)] = &[
    ("JoinGroupRequest", "Metadata", Inside::Subscription),
    ("JoinGroupResponse", "Metadata", Inside::Subscription),
    (
        "DescribeGroupsResponse",
        "MemberMetadata",
        Inside::Subscription,
    ),
    ("GroupMetadataValue", "subscription", Inside::Subscription),
    (
        "ConsumerGroupMemberMetadataValue",
        "Metadata",
        Inside::Subscription,
    ),
    ("SyncGroupRequest", "Assignment", Inside::Assignment),
    ("SyncGroupResponse", "Assignment", Inside::Assignment),
    (
        "DescribeGroupsResponse",
        "MemberAssignment",
        Inside::Assignment,
    ),
    ("GroupMetadataValue", "assignment", Inside::Assignment),
    (
        "ConsumerProtocolSubscription",
        "UserData",
        Inside::SubscriptionUserData,
    ),
    (
        "ConsumerProtocolAssignment",
        "UserData",
        Inside::AssignmentUserData,
    ),
    ("ConnectProtocolMetadata", "Allocation", Inside::Allocation),
    ("EnvelopeRequest", "RequestData", Inside::Request),
    ("EnvelopeRequest", "RequestPrincipal", Inside::Principal),
    ("EnvelopeResponse", "ResponseData", Inside::Response),
    ("SaslAuthenticateRequest", "AuthBytes", Inside::Sasl),
    ("SaslAuthenticateResponse", "AuthBytes", Inside::Sasl),
    ("PushTelemetryRequest", "Metrics", Inside::Telemetry),
    (
        "FetchSnapshotResponse",
        "UnalignedRecords",
        Inside::MetadataLog,
    ),
];

const TELLS: &[(&str, &str, Tells)] = &[
    ("JoinGroupRequest", "ProtocolType", Tells::GroupType),
    ("JoinGroupRequest", "Name", Tells::Assignor),
    ("JoinGroupResponse", "ProtocolType", Tells::GroupType),
    ("JoinGroupResponse", "ProtocolName", Tells::Assignor),
    ("SyncGroupRequest", "ProtocolType", Tells::GroupType),
    ("SyncGroupRequest", "ProtocolName", Tells::Assignor),
    ("SyncGroupResponse", "ProtocolType", Tells::GroupType),
    ("SyncGroupResponse", "ProtocolName", Tells::Assignor),
    ("DescribeGroupsResponse", "ProtocolType", Tells::GroupType),
    ("DescribeGroupsResponse", "ProtocolData", Tells::Assignor),
    ("GroupMetadataValue", "protocolType", Tells::GroupType),
    ("GroupMetadataValue", "protocol", Tells::Assignor),
    ("ConsumerGroupMemberMetadataValue", "Name", Tells::Assignor),
    ("PushTelemetryRequest", "CompressionType", Tells::Codec),
];

fn find<T: Copy>(table: &[(&str, &str, T)], message: &str, field: &Field) -> Option<T> {
    table
        .iter()
        .find(|&&(named, name, _)| named == message && name == field.name)
        .map(|&(_, _, found)| found)
}

/// What is inside `field` of the message of that name.
pub(super) fn inside(message: &str, field: &Field) -> Option<Inside> {
    find(INSIDE, message, field)
}

/// What `field` of the message of that name says of later fields.
pub(super) fn tells(message: &str, field: &Field) -> Option<Tells> {
    let is_topic_id = field.name.to_ascii_lowercase().ends_with("topicid");
    match (&field.ty, field.entity.as_deref()) {
        (Type::String, Some("topicName")) => Some(Tells::Topic),
        (Type::Uuid, _) if is_topic_id => Some(Tells::TopicId),
        _ => find(TELLS, message, field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, Definition};

    fn has(definition: &Definition, name: &str, ty: &[Type]) -> bool {
        fn any(fields: &[Field], name: &str, ty: &[Type]) -> bool {
            fields.iter().any(|field| {
                field.name == name && ty.contains(&field.ty) || any(&field.fields, name, ty)
            })
        }
        any(&definition.fields, name, ty)
            || definition
                .structs
                .iter()
                .any(|common| any(&common.fields, name, ty))
    }

    #[test]
    fn every_row_fits_a_field() {
        let definition = |name| Catalogue::current().definition(name).unwrap().unwrap();
        for &(message, field, _) in INSIDE {
            let fits = has(definition(message), field, &[Type::Bytes, Type::Records]);
            assert!(fits, "{message} {field}");
        }
        for &(message, field, _) in TELLS {
            let fits = has(definition(message), field, &[Type::String, Type::Int8]);
            assert!(fits, "{message} {field}");
        }
    }
}
