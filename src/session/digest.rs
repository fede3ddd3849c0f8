//! What `list` shows of a message's content, found while its bytes are at hand for indexing.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Facts, RequestHead, Summariser};
use crate::{
    decode::{Framing, request, response},
    event::{Descend, Node, Problem, Role, Severity, Shape, Sink, Value},
    schema::{ApiKey, Catalogue},
    wire::{BufferId, Span},
};

/// Finds topics, error codes and problems by decoding each message once into a sink that keeps
/// nothing else. Messages that name a topic by its id are listed under the name, once any
/// message of the capture had both (KIP-516).
#[derive(Debug)]
pub struct Digest {
    catalogue: &'static Catalogue,
    names: HashMap<Uuid, Box<str>>,
}

/// Topic ids that are remembered; a cluster has fewer, so more are somebody's garbage.
const MAX_IDS: usize = 100_000;

impl Digest {
    /// A digest by the definitions of `catalogue`.
    pub fn new(catalogue: &'static Catalogue) -> Digest {
        Digest {
            catalogue,
            names: HashMap::new(),
        }
    }

    fn picker<'d>(&'d mut self, facts: &'d mut Facts) -> Picker<'d> {
        Picker {
            facts,
            names: &mut self.names,
            name: String::new(),
        }
    }
}

impl Summariser for Digest {
    fn request(&mut self, _: &RequestHead, frame: &[u8], facts: &mut Facts) {
        let catalogue = self.catalogue;
        request(catalogue, framing(frame), frame, &mut self.picker(facts));
    }

    fn response(&mut self, api_key: i16, version: i16, frame: &[u8], facts: &mut Facts) {
        let catalogue = self.catalogue;
        let api = ApiKey(api_key);
        let mut sink = self.picker(facts);
        response(catalogue, framing(frame), frame, api, version, &mut sink);
    }
}

/// A frame that ends early is one that the capture cut; an earlier layer took its size as true.
fn framing(frame: &[u8]) -> Framing {
    let size = frame.first_chunk().copied().map(u32::from_be_bytes);
    match size {
        Some(size) if frame.len() - 4 < size as usize => Framing::Cut {
            at: frame.len(),
            lost: 0,
        },
        _ => Framing::Sized,
    }
}

/// The sink: picks fields by their roles.
struct Picker<'d> {
    facts: &'d mut Facts,
    names: &'d mut HashMap<Uuid, Box<str>>,
    /// The topic name that the innermost struct began with; empty when there is none.
    name: String,
}

impl Picker<'_> {
    fn topic_id(&mut self, id: Uuid) {
        if id.is_nil() {
            return;
        }
        if self.name.is_empty() {
            if let Some(name) = self.names.get(&id) {
                self.facts.topic(name);
            }
        } else if self.names.len() < MAX_IDS && !self.names.contains_key(&id) {
            self.names.insert(id, self.name.as_str().into());
        }
    }
}

impl Sink for Picker<'_> {
    fn enter(&mut self, node: Node, _: BufferId, _: usize) -> Descend {
        self.name.clear();
        match node.role {
            Role::Records | Role::Batch => return Descend::Into,
            // A compressed set counts as one message; to know better it would be decompressed.
            Role::Message => {
                self.facts.records = self.facts.records.saturating_add(1);
                return Descend::Into;
            }
            _ => {}
        }
        match node.shape {
            Shape::Array { of: "Record", .. } => Descend::Skip,
            // Numbers and ids in rows have no role that matters here.
            Shape::Array { of, .. } if of != "string" && !starts_upper(of) => Descend::Skip,
            Shape::Frame | Shape::Header { .. } | Shape::Content { .. } => Descend::Skip,
            _ => Descend::Into,
        }
    }

    fn value(&mut self, node: Node, value: Value<'_>, _: Span) {
        match (node.role, value) {
            (Role::TopicName, Value::String(name, _)) => {
                let name = String::from_utf8_lossy(name);
                self.facts.topic(&name);
                self.name.clear();
                self.name.push_str(&name);
            }
            (Role::TopicId, Value::Uuid(id)) => self.topic_id(id),
            (Role::ErrorCode, Value::Int16(code)) => self.facts.error(code),
            (Role::RecordsCount, Value::Int32(count)) => {
                let count = u32::try_from(count).unwrap_or(0);
                self.facts.records = self.facts.records.saturating_add(count);
            }
            _ => {}
        }
    }

    fn leave(&mut self, _: usize) {
        self.name.clear();
    }

    // A list shows nothing of it, and to look costs more than all the rest.
    fn wants_content(&self) -> bool {
        false
    }

    fn problem(&mut self, problem: Problem) {
        if problem.severity > Severity::Note {
            self.facts.problems += 1;
        }
    }
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        encode::{body, request_frame, response_frame},
        schema::Direction,
    };

    #[test]
    fn topics_given_by_id_are_listed_by_name_once_both_were_seen() {
        let catalogue = Catalogue::embedded();
        let id = "0f0e0d0c-0b0a-0908-0706-050403020100";
        let plan = |api, direction, version| catalogue.api_plan(api, direction, version).unwrap();
        let metadata = ApiKey(3);
        let response = response_frame(
            catalogue,
            metadata,
            12,
            1,
            &body(
                plan(metadata, Direction::Response, 12),
                &json!({"Topics": [{"Name": "orders", "TopicId": id}]}),
            )
            .unwrap(),
        );
        let fetch = request_frame(
            catalogue,
            ApiKey::FETCH,
            13,
            2,
            None,
            &body(
                plan(ApiKey::FETCH, Direction::Request, 13),
                &json!({"Topics": [{"TopicId": id}]}),
            )
            .unwrap(),
        );
        let topics = |digest: &mut Digest| {
            let mut facts = Facts::default();
            let mut sink = digest.picker(&mut facts);
            request(catalogue, Framing::Sized, &fetch, &mut sink);
            facts.topics().map(str::to_owned).collect::<Vec<_>>()
        };
        let mut digest = Digest::new(catalogue);
        assert!(topics(&mut digest).is_empty());
        digest.response(3, 12, &response, &mut Facts::default());
        assert_eq!(topics(&mut digest), ["orders"]);
    }
}
