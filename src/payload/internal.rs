//! Records of Kafka's own topics: the key says what a record is, the value in which version.

use std::sync::OnceLock;

use super::{
    Reading, catalogue,
    prefixed::{Lead, exactly, int16},
};
use crate::{
    event::Topic,
    schema::Kind,
    wire::{BufferId, Cursor},
};

/// How the key of a record in `topic` is to be read.
pub fn key(topic: Topic, bytes: &[u8]) -> Reading {
    if !is_coordinator(topic) {
        return Reading::Opaque;
    }
    let Some((ty, body)) = int16(bytes) else {
        return Reading::Doubtful("left as bytes: too short for the type of a record".to_owned());
    };
    let plan = record(topic, ty).and_then(|record| catalogue().plan(&record.name, 0));
    match plan {
        Some(plan) => exactly(plan, Lead::TYPE, body),
        None => Reading::Doubtful(format!(
            "left as bytes: no record of this topic has type {ty}"
        )),
    }
}

/// How the value of a record in `topic` is to be read; the key decides for coordinators.
pub fn value(topic: Topic, key: Option<&[u8]>, bytes: &[u8]) -> Reading {
    if bytes.is_empty() {
        return Reading::Opaque;
    }
    match topic {
        Topic::Ordinary => Reading::Opaque,
        Topic::ClusterMetadata => framed(topic, Lead::Framed, bytes),
        Topic::RemoteLogMetadata => framed(topic, Lead::TypeAndVersion, bytes),
        _ => coordinator_value(topic, key, bytes),
    }
}

fn is_coordinator(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::ConsumerOffsets | Topic::TransactionState | Topic::ShareGroupState
    )
}

fn coordinator_value(topic: Topic, key: Option<&[u8]>, bytes: &[u8]) -> Reading {
    let found = key
        .and_then(int16)
        .and_then(|(ty, _)| record(topic, ty))
        .and_then(|record| record.name.strip_suffix("Key"));
    let (Some(name), Some((version, body))) = (found, int16(bytes)) else {
        return Reading::Doubtful(
            "left as bytes: no type in the key, or no version, says what it is".to_owned(),
        );
    };
    let plan = |name: &str| catalogue().plan(&format!("{name}Value"), version);
    // Keys of the old type were followed by values of all versions.
    let plan = plan(name).or_else(|| name.strip_prefix("Legacy").and_then(plan));
    match plan {
        Some(plan) => exactly(plan, Lead::VERSION, body),
        None => Reading::Doubtful(format!(
            "left as bytes: {name}Value has no version {version}"
        )),
    }
}

/// A value behind its type and version as varints.
fn framed(topic: Topic, lead: Lead, bytes: &[u8]) -> Reading {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    if lead == Lead::Framed {
        match cursor.uvarint() {
            // Version 0 was in previews of KRaft only.
            Ok(0 | 1) => {}
            _ => {
                return Reading::Doubtful(
                    "left as bytes: it does not start with frame version 1".to_owned(),
                );
            }
        }
    }
    let (Ok(ty), Ok(version)) = (cursor.uvarint(), cursor.uvarint()) else {
        return Reading::Doubtful("left as bytes: too short for type and version".to_owned());
    };
    let found = i16::try_from(ty).ok().and_then(|ty| record(topic, ty));
    let Some(found) = found else {
        return Reading::Doubtful(format!(
            "left as bytes: no record of this topic has type {ty}"
        ));
    };
    let plan = i16::try_from(version)
        .ok()
        .and_then(|version| catalogue().plan(&found.name, version));
    match plan {
        Some(plan) => exactly(plan, lead, cursor.rest()),
        None => Reading::Doubtful(format!(
            "left as bytes: {} has no version {version}",
            found.name
        )),
    }
}

/// A type of records.
struct Record {
    topic: Topic,
    ty: i16,
    /// Of the key in topics of coordinators, else of the value.
    name: String,
}

/// The topic of a definition, if it is one that decides what a record is.
fn topic_of(kind: Kind, name: &str) -> Option<Topic> {
    match kind {
        Kind::Metadata => Some(Topic::ClusterMetadata),
        Kind::Data => Some(Topic::RemoteLogMetadata),
        Kind::CoordinatorKey => Some(match name {
            "TransactionLogKey" => Topic::TransactionState,
            "ShareSnapshotKey" | "ShareUpdateKey" => Topic::ShareGroupState,
            _ => Topic::ConsumerOffsets,
        }),
        _ => None,
    }
}

fn records() -> &'static [Record] {
    static RECORDS: OnceLock<Vec<Record>> = OnceLock::new();
    RECORDS.get_or_init(|| {
        let names = catalogue()
            .names()
            .filter(|name| name.ends_with("Key") || name.ends_with("Record"));
        names
            .filter_map(|name| {
                let definition = catalogue().definition(name)?.ok()?;
                Some(Record {
                    topic: topic_of(definition.kind, name)?,
                    ty: definition.api_key?,
                    name: name.to_owned(),
                })
            })
            .collect()
    })
}

fn record(topic: Topic, ty: i16) -> Option<&'static Record> {
    records()
        .iter()
        .find(|record| record.topic == topic && record.ty == ty)
}
