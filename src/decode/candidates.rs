//! What bytes could be of which nobody says what they are: every response, body and structure that
//! takes exactly all of them, the most telling first.

use std::cmp::Reverse;

use super::{
    Framing,
    diagnosis::{Fitness, Reading, STRANGE, version_list},
    limits,
    recognise::{framing_content, size},
};
use crate::{
    payload::Lead,
    schema::{ApiKey, Catalogue, Definition, Direction, Kind, Plan, fallback_version},
};

/// An API and version whose response could be what the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub api: ApiKey,
    pub version: i16,
    /// How strange the values would be for their fields.
    odd: u32,
    /// How unusual those would be that can well be: a port beyond all ports, an error of tomorrow.
    unusual: u32,
    /// Bytes of text there would be.
    text: usize,
}

impl Candidate {
    /// Whether all its values are what such fields hold.
    pub fn is_usual(self) -> bool {
        self.odd == 0
    }

    /// Whether none of its values is one that real messages do not have.
    fn is_plausible(self) -> bool {
        self.odd == 0 && self.unusual < STRANGE
    }

    /// Whether more than chance speaks for it: its texts are readable, and its values are what
    /// such fields hold.
    pub fn is_likely(self) -> bool {
        self.text >= limits::TEXT_THAT_SPEAKS && 2 * self.odd as usize <= self.text
    }
}

/// Every API and version whose response takes exactly all of `bytes`, the likeliest first, newest
/// version first within an API. None where a size is said to be in front and is wrong.
pub fn response_candidates(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
) -> Vec<Candidate> {
    let Some(content) = content(framing, bytes) else {
        return Vec::new();
    };
    let mut found: Vec<Candidate> = fitting(catalogue, content).collect();
    // The order of versions stays where nothing else decides.
    found.sort_by_key(|candidate| {
        let usual = USUAL.iter().position(|&key| key == candidate.api.0);
        let rank = usual.unwrap_or(USUAL.len());
        let strangeness = candidate.odd + candidate.unusual;
        (strangeness, Reverse(candidate.text), rank)
    });
    found
}

/// The API whose responses alone are exactly like `bytes`, with values that such fields hold, and the
/// newest version that is.
pub fn only_response(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
) -> Option<(ApiKey, i16)> {
    let mut found =
        fitting(catalogue, content(framing, bytes)?).filter(|candidate| candidate.is_plausible());
    let first = found.next()?;
    let is_only = found.all(|other| other.api == first.api);
    is_only.then_some((first.api, first.version))
}

/// What is framed; `None` where a size is said to be in front and is wrong.
fn content<'b>(framing: Framing<'_>, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let content = framing_content(framing, bytes)?;
    let is_right = framing == Framing::Bare || size(bytes) == Some(content.len());
    is_right.then_some(content)
}

/// Every API and version whose response takes exactly all of `content`, newest version first.
fn fitting(catalogue: &'static Catalogue, content: &[u8]) -> impl Iterator<Item = Candidate> {
    let definitions =
        ApiKey::all().filter_map(|api| Some((api, catalogue.api(api, Direction::Response)?)));
    let versions = definitions.flat_map(|(api, definition)| {
        let versions = definition.ever.iter().rev();
        versions.map(move |version| (api, version))
    });
    versions.filter_map(move |(api, version)| {
        let reading = Reading::of_api(catalogue, Direction::Response, api, version, 0)?;
        let fitness = reading.fitness(content)?;
        Some(Candidate {
            api,
            version,
            odd: fitness.odd,
            unusual: fitness.unusual,
            text: fitness.text + refusal(api, version, content),
        })
    })
}

/// The APIs that are answered most on the connections of clients, those with small answers first:
/// six zero bytes are a heartbeat sooner than a fetch of nothing or an order to a broker.
const USUAL: [i16; 12] = [12, 14, 13, 8, 9, 11, 10, 2, 22, 3, 0, 1];

/// What error 35 in version 0 of ApiVersions is worth in bytes of text: a client that asks in a
/// version that the broker does not know is answered so, and in no other way (KIP-511).
fn refusal(api: ApiKey, version: i16, content: &[u8]) -> usize {
    let is_refusal = fallback_version(api) == Some(version)
        && content
            .get(4..)
            .is_some_and(|body| body.starts_with(&[0, 35]));
    if is_refusal { 8 } else { 0 }
}

/// Structures that are always written behind their version.
pub const VERSIONED: [&str; 7] = [
    "ConsumerProtocolSubscription",
    "ConsumerProtocolAssignment",
    "ConnectProtocolMetadata",
    "ConnectProtocolAssignment",
    "ControlRecordTypeSchema",
    "DefaultPrincipalData",
    "EndTxnMarker",
];

/// The key of a control record, which Kafka's definition has another name for.
pub const CONTROL_KEY: (&str, &str) = ("ControlRecordKey", "ControlRecordTypeSchema");

/// A body or structure that the bytes could be, with what `--as` calls it.
#[derive(Clone, Debug)]
pub struct StructureCandidate {
    /// Name and versions in words.
    pub what: String,
    /// The name, with its version where the bytes do not start with it.
    pub spec: String,
    /// The newest of the versions.
    pub plan: &'static Plan,
    pub lead: Lead,
    /// Bytes of text there would be.
    text: usize,
}

impl StructureCandidate {
    /// Whether more than the number of bytes speaks for it.
    pub fn is_likely(&self) -> bool {
        self.text >= limits::TEXT_THAT_SPEAKS
    }
}

/// Bodies and structures that take exactly all of `bytes`, the likeliest first.
pub fn structure_candidates(
    catalogue: &'static Catalogue,
    bytes: &[u8],
) -> Vec<StructureCandidate> {
    let mut found: Vec<StructureCandidate> = Vec::new();
    for name in catalogue.names() {
        let Some(Ok(definition)) = catalogue.definition(name) else {
            continue;
        };
        let lead = lead(definition);
        let plans: Vec<&'static Plan> = match (lead, bytes.first_chunk()) {
            (Lead::None, _) => definition
                .ever
                .iter()
                .filter_map(|version| catalogue.plan(name, version))
                .collect(),
            (_, Some(number)) => stored(catalogue, definition, i16::from_be_bytes(*number))
                .into_iter()
                .collect(),
            (_, None) => continue,
        };
        let fitting: Vec<(&'static Plan, usize)> = plans
            .into_iter()
            .filter_map(|body| {
                let reading = Reading {
                    start: if lead == Lead::None { 0 } else { 2 },
                    header: None,
                    body,
                };
                let Fitness { odd, text, .. } = reading.fitness(bytes)?;
                // The key of a control record has no text, and is what four bytes can be.
                let speaks = text >= limits::TEXT_THAT_SPEAKS || name == CONTROL_KEY.1;
                (odd == 0 && speaks).then_some((body, text))
            })
            .collect();
        let Some(&(plan, text)) = fitting.last() else {
            continue;
        };
        let versions: Vec<i16> = fitting.iter().map(|(plan, _)| plan.version).collect();
        let known = if name == CONTROL_KEY.1 {
            CONTROL_KEY.0
        } else {
            name
        };
        found.push(StructureCandidate {
            what: format!("{known} version {}", version_list(&versions)),
            spec: match lead {
                Lead::None => format!("{known}:{}", plan.version),
                _ => known.to_owned(),
            },
            plan,
            lead,
            text,
        });
    }
    found.sort_by_key(|candidate| Reverse(candidate.text));
    found
}

/// What structures of a definition are stored behind.
fn lead(definition: &Definition) -> Lead {
    match definition.kind {
        Kind::CoordinatorKey => Lead::TYPE,
        Kind::CoordinatorValue => Lead::VERSION,
        _ if VERSIONED.contains(&definition.name.as_str()) => Lead::VERSION,
        _ => Lead::None,
    }
}

/// The plan of what is stored behind `number`.
fn stored(
    catalogue: &'static Catalogue,
    definition: &Definition,
    number: i16,
) -> Option<&'static Plan> {
    match definition.kind {
        Kind::CoordinatorKey if definition.api_key == Some(number) => {
            catalogue.plan(&definition.name, definition.newest())
        }
        Kind::CoordinatorKey => None,
        _ => catalogue.plan(&definition.name, number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(bytes: &[u8]) -> Vec<String> {
        structure_candidates(Catalogue::current(), bytes)
            .into_iter()
            .map(|candidate| candidate.spec)
            .collect()
    }

    #[test]
    fn values_that_cannot_be_speak_against_a_reading() {
        // Producer id 3 is also a coordinator without a host on port 50331648.
        let bytes = [
            &[0, 0, 0, 22, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0][..],
            &[0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0],
        ]
        .concat();
        let catalogue = Catalogue::current();
        let found = response_candidates(catalogue, Framing::Sized, &bytes);
        assert_eq!(found.first().map(|first| first.api), Some(ApiKey(22)));
        assert!(found.iter().any(|other| other.api == ApiKey(10)));
        // A broker, the cluster, and a topic that does not exist.
        let metadata = [
            &[
                0, 0, 0, 56, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 6,
            ][..],
            b"broker\0\0\x23\x84\xff\xff\0\x01c\0\0\0\x01",
            b"\0\0\0\x01\0\x03\0\x06orders\0\0\0\0\0",
        ]
        .concat();
        let only = only_response(catalogue, Framing::Sized, &metadata);
        assert_eq!(only.map(|(api, _)| api), Some(ApiKey(3)));
        // What a heartbeat is answered with, others are as well.
        let heartbeat = [0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 25];
        assert_eq!(only_response(catalogue, Framing::Sized, &heartbeat), None);
    }

    #[test]
    fn structures_are_found_behind_their_number_and_without_one() {
        // An assignment of partition 1 of topic "orders", version 0.
        let assignment = b"\0\0\0\0\0\x01\0\x06orders\0\0\0\x01\0\0\0\x01\xff\xff\xff\xff";
        assert_eq!(specs(assignment), ["ConsumerProtocolAssignment"]);
        // The key of a committed offset.
        let key = b"\0\x01\0\x05group\0\x06orders\0\0\0\x02";
        assert_eq!(specs(key), ["OffsetCommitKey"]);
        // The marker of a commit.
        assert_eq!(specs(b"\0\0\0\x01"), ["ControlRecordKey"]);
        // The body of a Heartbeat.
        let heartbeat = b"\x06group\0\0\0\x07\x07member\0\0";
        assert!(specs(heartbeat).contains(&"HeartbeatRequest:4".to_owned()));
    }
}
