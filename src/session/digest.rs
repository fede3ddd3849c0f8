//! What `list` shows of a message's content, found while its bytes are at hand for indexing.

use super::{Facts, RequestHead, Summariser};
use crate::{
    decode::{Framing, request, response},
    event::{Descend, Node, Problem, Role, Severity, Shape, Sink, Value},
    schema::{ApiKey, Catalogue},
    wire::{BufferId, Span},
};

/// Finds topics, error codes and problems by decoding each message once into a sink that keeps
/// nothing else.
#[derive(Debug)]
pub struct Digest {
    catalogue: &'static Catalogue,
}

impl Digest {
    /// A digest by the definitions of `catalogue`.
    pub fn new(catalogue: &'static Catalogue) -> Digest {
        Digest { catalogue }
    }
}

impl Summariser for Digest {
    fn request(&mut self, _: &RequestHead, frame: &[u8], facts: &mut Facts) {
        let mut sink = Picker { facts };
        request(self.catalogue, Framing::Sized, frame, &mut sink);
    }

    fn response(&mut self, api_key: i16, version: i16, frame: &[u8], facts: &mut Facts) {
        let mut sink = Picker { facts };
        let api = ApiKey(api_key);
        response(
            self.catalogue,
            Framing::Sized,
            frame,
            api,
            version,
            &mut sink,
        );
    }
}

/// The sink: picks fields by their roles.
struct Picker<'f> {
    facts: &'f mut Facts,
}

impl Sink for Picker<'_> {
    fn enter(&mut self, node: Node, _: BufferId, _: usize) -> Descend {
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
                self.facts.topic(&String::from_utf8_lossy(name));
            }
            (Role::ErrorCode, Value::Int16(code)) => self.facts.error(code),
            (Role::RecordsCount, Value::Int32(count)) => {
                let count = u32::try_from(count).unwrap_or(0);
                self.facts.records = self.facts.records.saturating_add(count);
            }
            _ => {}
        }
    }

    fn leave(&mut self, _: usize) {}

    fn problem(&mut self, problem: Problem) {
        if problem.severity > Severity::Note {
            self.facts.problems += 1;
        }
    }
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}
