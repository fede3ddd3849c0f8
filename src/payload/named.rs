//! Content that somebody has named, where it stands by itself.

use super::{Reading, group, internal, prefixed, reading};
use crate::{
    event::{Context, Topic},
    schema::Inside,
};

/// How `bytes` are to be read that are said to be `name`; `None` for names that say nothing beyond
/// the definition of that name.
pub fn named_content(name: &str, bytes: &[u8]) -> Option<Reading> {
    Some(match name {
        "ConsumerProtocolSubscription"
        | "ConsumerProtocolAssignment"
        | "ConnectProtocolMetadata"
        | "ConnectProtocolAssignment" => group::structure(name, bytes),
        "DefaultPrincipalData" => prefixed::versioned(name, bytes),
        "MetadataRecord" => internal::value(Topic::ClusterMetadata, None, bytes),
        "RemoteLogMetadataRecord" => internal::value(Topic::RemoteLogMetadata, None, bytes),
        "SaslToken" => reading(Inside::Sasl, Context::default(), bytes),
        "MetricsData" => Reading::Telemetry,
        _ => return None,
    })
}
