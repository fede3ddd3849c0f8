//! What `list` shows of a message's content, found while its bytes are at hand for indexing.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::BuildHasher,
};

use uuid::Uuid;

use super::{Facts, RequestHead, Summariser};
use crate::{
    decode::{
        Framing, are_refused, count_records, count_records_in_pieces, metadata_log, only_response,
        request, response,
    },
    event::{Descend, Node, Problem, Role, Severity, Shape, Sink, Value},
    explain::{Cluster, Fact, Listener},
    schema::{
        ApiKey, Catalogue, Direction, Plan, Surveyor, request_header_version,
        response_header_version,
    },
    wire::{BufferId, Pieces, Span},
};

/// Finds topics, error codes, names and problems by decoding each message once into a sink that
/// keeps nothing else. Messages that name a topic by its id are listed under the name, once any
/// message of the capture had both (KIP-516).
#[derive(Debug)]
pub struct Digest {
    catalogue: &'static Catalogue,
    cluster: Cluster,
    listener: Listener,
    /// API and version of responses without request, where only one API can have sent them, by a
    /// hash of what follows their correlation id: most are like one before.
    orphans: HashMap<u64, Option<(ApiKey, i16)>>,
    /// Bytes of responses without request that may still be held against all definitions.
    orphans_left: usize,
}

/// So many bytes of different responses without request are held against all definitions: that
/// takes a hundred times as long as to read one of which the API is known, and a capture may have
/// nothing else.
const ORPHANS: usize = 2 << 20;

/// As many bytes as the shortest take time for.
const LEAST_ORPHAN: usize = 100;

/// Bytes of a response up to the end of its correlation id.
const BEFORE_REST: usize = 8;

impl Digest {
    /// A digest by the definitions of `catalogue`.
    pub fn new(catalogue: &'static Catalogue) -> Digest {
        Digest {
            catalogue,
            cluster: Cluster::default(),
            listener: Listener::default(),
            orphans: HashMap::new(),
            orphans_left: ORPHANS,
        }
    }

    fn picker<'d>(&'d mut self, facts: &'d mut Facts) -> Picker<'d> {
        self.listener.clear();
        Picker {
            facts,
            cluster: &self.cluster,
            listener: &mut self.listener,
            is_metadata_log: false,
        }
    }

    /// Takes the facts from a body that is beyond doubt; `false` if it is not.
    fn survey(
        &mut self,
        body: Option<(&'static Plan, &[u8])>,
        direction: Direction,
        facts: &mut Facts,
    ) -> bool {
        body.is_some_and(|(plan, body)| {
            self.survey_by(plan, direction, facts, |survey| plan.survey(body, survey))
        })
    }

    /// The same of one in pieces.
    fn survey_in_pieces(
        &mut self,
        body: Option<(&'static Plan, Pieces<'_>)>,
        direction: Direction,
        facts: &mut Facts,
    ) -> bool {
        body.is_some_and(|(plan, body)| {
            self.survey_by(plan, direction, facts, |survey| {
                plan.survey_in_pieces(body, survey)
            })
        })
    }

    fn survey_by(
        &mut self,
        plan: &'static Plan,
        direction: Direction,
        facts: &mut Facts,
        survey: impl FnOnce(&mut Survey<'_>) -> Option<()>,
    ) -> bool {
        let is_done = survey(&mut Survey {
            picker: self.picker(facts),
            plan,
            direction,
        })
        .is_some();
        if !is_done {
            facts.clear();
        }
        is_done
    }

    fn read_response(&mut self, api: ApiKey, version: i16, frame: &[u8], facts: &mut Facts) {
        let catalogue = self.catalogue;
        let body = response_body(catalogue, api, version, frame);
        if !self.survey(body, Direction::Response, facts) {
            let mut sink = self.picker(facts);
            response(catalogue, framing(frame), frame, api, version, &mut sink);
        }
    }

    /// Remembers what the message names, for those that come later.
    fn learn(&mut self, facts: &Facts) {
        for fact in facts.names() {
            self.cluster.learn(fact);
        }
    }
}

impl Summariser for Digest {
    fn request(&mut self, head: &RequestHead, frame: &[u8], facts: &mut Facts) {
        let catalogue = self.catalogue;
        let body = request_body(catalogue, head, frame);
        if !self.survey(body, Direction::Request, facts) {
            request(catalogue, framing(frame), frame, &mut self.picker(facts));
        }
        self.learn(facts);
    }

    fn response(&mut self, api_key: i16, version: i16, frame: &[u8], facts: &mut Facts) {
        self.read_response(ApiKey(api_key), version, frame, facts);
        self.learn(facts);
    }

    fn request_in_pieces(
        &mut self,
        head: &RequestHead,
        frame: Pieces<'_>,
        facts: &mut Facts,
    ) -> bool {
        let body = request_plan(self.catalogue, head).and_then(|plan| {
            let size = { frame }.array()?;
            let mut body = frame;
            body.take(head.body_at as usize)?;
            is_size_of(size, frame.len()).then_some((plan, body))
        });
        let is_done = self.survey_in_pieces(body, Direction::Request, facts);
        self.learn(facts);
        is_done
    }

    fn response_in_pieces(
        &mut self,
        api_key: i16,
        version: i16,
        frame: Pieces<'_>,
        facts: &mut Facts,
    ) -> bool {
        let body = { frame }.array::<{ BEFORE_REST + 1 }>().and_then(|front| {
            let (plan, body_at) = response_plan(self.catalogue, ApiKey(api_key), version, &front)?;
            let mut body = frame;
            body.take(body_at)?;
            is_size_of(*front.first_chunk()?, frame.len()).then_some((plan, body))
        });
        let is_done = self.survey_in_pieces(body, Direction::Response, facts);
        self.learn(facts);
        is_done
    }

    fn orphan(&mut self, frame: &[u8], facts: &mut Facts) {
        if !is_whole(frame) {
            return;
        }
        let hash = self.orphans.hasher().hash_one(frame.get(BEFORE_REST..));
        let left = self.orphans_left.checked_sub(frame.len().max(LEAST_ORPHAN));
        let only = match (self.orphans.entry(hash), left) {
            (Entry::Occupied(known), _) => *known.get(),
            (Entry::Vacant(_), None) => None,
            (Entry::Vacant(new), Some(left)) => {
                self.orphans_left = left;
                *new.insert(only_response(self.catalogue, Framing::Sized, frame))
            }
        };
        if let Some((api, version)) = only {
            self.read_response(api, version, frame, facts);
            // What may be is not told as what is.
            facts.keep_topics_and_errors();
        }
    }
}

/// The body of a request with the plan for it, if nothing about the frame and its header is
/// unusual.
fn request_body<'b>(
    catalogue: &'static Catalogue,
    head: &RequestHead,
    frame: &'b [u8],
) -> Option<(&'static Plan, &'b [u8])> {
    let plan = request_plan(catalogue, head)?;
    let body = frame.get(head.body_at as usize..)?;
    is_whole(frame).then_some((plan, body))
}

/// The plan of a request's body, if nothing about its header is unusual.
fn request_plan(catalogue: &'static Catalogue, head: &RequestHead) -> Option<&'static Plan> {
    let api = ApiKey(head.api_key);
    let definition = catalogue.api(api, Direction::Request)?;
    let client_id_len = head.client_id.map_or(0, |(_, len)| len);
    let body_at = match request_header_version(definition, head.version) {
        0 => 12,
        1 => 14 + client_id_len,
        // No tagged fields.
        _ => 15 + client_id_len,
    };
    if head.body_at != body_at {
        return None;
    }
    catalogue.api_plan(api, Direction::Request, head.version)
}

/// The same of a response.
fn response_body<'b>(
    catalogue: &'static Catalogue,
    api: ApiKey,
    version: i16,
    frame: &'b [u8],
) -> Option<(&'static Plan, &'b [u8])> {
    let (plan, body_at) = response_plan(catalogue, api, version, frame)?;
    let body = frame.get(body_at..)?;
    is_whole(frame).then_some((plan, body))
}

/// The plan of a response's body and where that begins, if nothing about the header is unusual, which
/// `front` holds.
fn response_plan(
    catalogue: &'static Catalogue,
    api: ApiKey,
    version: i16,
    front: &[u8],
) -> Option<(&'static Plan, usize)> {
    let definition = catalogue.api(api, Direction::Response)?;
    let body_at = match response_header_version(definition, version) {
        0 => BEFORE_REST,
        _ if front.get(BEFORE_REST) == Some(&0) => BEFORE_REST + 1,
        _ => return None,
    };
    let plan = catalogue.api_plan(api, Direction::Response, version)?;
    Some((plan, body_at))
}

fn is_whole(frame: &[u8]) -> bool {
    let size = frame.first_chunk().copied();
    size.is_some_and(|size| is_size_of(size, frame.len()))
}

/// Whether a size prefix is that of a frame of `len` bytes.
fn is_size_of(size: [u8; 4], len: usize) -> bool {
    len - size.len() == u32::from_be_bytes(size) as usize
}

/// A frame that ends early is one that the capture cut; an earlier layer took its size as true.
fn framing(frame: &[u8]) -> Framing<'static> {
    let size = frame.first_chunk().copied().map(u32::from_be_bytes);
    match size {
        Some(size) if frame.len() - 4 < size as usize => Framing::Cut { holes: &[] },
        _ => Framing::Sized,
    }
}

/// The topic whose records name topics and place nodes.
const METADATA_LOG: &str = "__cluster_metadata";

/// Its id, which is the same in all clusters.
const METADATA_LOG_ID: Uuid = Uuid::from_u128(1);

/// Keeps `fact`, unless an earlier message had it. Behind what is no longer what the message claims
/// to be, anything could be named.
fn note(fact: Option<Fact<'_>>, cluster: &Cluster, facts: &mut Facts) {
    if let Some(fact) = fact.filter(|&fact| cluster.lacks(fact))
        && facts.problems == 0
    {
        facts.name(fact);
    }
}

/// The sink: picks fields by their roles.
struct Picker<'d> {
    facts: &'d mut Facts,
    cluster: &'d Cluster,
    listener: &'d mut Listener,
    /// Whether the topic that was named last is `__cluster_metadata`.
    is_metadata_log: bool,
}

/// Takes the same from a survey.
struct Survey<'d> {
    picker: Picker<'d>,
    plan: &'static Plan,
    direction: Direction,
}

impl Surveyor for Survey<'_> {
    fn boundary(&mut self) {
        self.picker.listener.boundary();
    }

    fn topic(&mut self, name: &str) {
        self.picker.topic(name);
    }

    fn topic_id(&mut self, id: Uuid) {
        self.picker.topic_id(id);
    }

    fn node(&mut self, node: i32) {
        self.picker.listener.node(node);
    }

    fn host(&mut self, host: &str) {
        self.picker.host(host);
    }

    fn port(&mut self, port: i64) {
        self.picker.port(port);
    }

    fn error(&mut self, code: i16) {
        self.picker.facts.error(code);
    }

    fn throttle(&mut self, ms: i32) {
        self.picker.facts.throttle_ms = ms;
    }

    fn records_in_pieces(&mut self, pieces: Pieces<'_>) -> Option<()> {
        if self.picker.is_metadata_log {
            return None;
        }
        let n_records = count_records_in_pieces(self.plan, pieces)?;
        let facts = &mut self.picker.facts;
        facts.records = facts.records.saturating_add(n_records);
        self.picker.listener.boundary();
        Some(())
    }

    fn records(&mut self, bytes: &[u8]) {
        let n_records = count_records(self.direction, bytes, &mut self.picker);
        let facts = &mut self.picker.facts;
        facts.records = facts.records.saturating_add(n_records);
        facts.problems += u32::from(are_refused(self.plan, bytes));
        self.picker.listener.boundary();
        if self.picker.is_metadata_log {
            let mut sink = LogNames {
                facts: self.picker.facts,
                cluster: self.picker.cluster,
                listener: self.picker.listener,
            };
            sink.listener.clear();
            metadata_log(bytes, &mut sink);
        }
    }
}

impl Picker<'_> {
    fn topic(&mut self, name: &str) {
        self.facts.topic(name);
        self.is_metadata_log = name == METADATA_LOG;
        note(self.listener.topic(name), self.cluster, self.facts);
    }

    fn topic_id(&mut self, id: Uuid) {
        if id.is_nil() {
            return;
        }
        self.is_metadata_log = id == METADATA_LOG_ID;
        match self.listener.topic_id(id) {
            None => {
                if let Some(name) = self.cluster.topic(id) {
                    self.facts.topic(name);
                }
            }
            fact => note(fact, self.cluster, self.facts),
        }
    }

    fn host(&mut self, host: &str) {
        note(self.listener.host(host), self.cluster, self.facts);
    }

    fn port(&mut self, port: i64) {
        note(self.listener.port(port), self.cluster, self.facts);
    }
}

impl Sink for Picker<'_> {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        self.listener.boundary();
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

    fn value(&mut self, node: &Node, value: Value<'_>, _: Span) {
        match (node.role, value) {
            (Role::TopicName, Value::String(name, _)) => {
                self.topic(&String::from_utf8_lossy(name));
            }
            (Role::TopicId, Value::Uuid(id)) => self.topic_id(id),
            (Role::BrokerId, Value::Int32(node)) => self.listener.node(node),
            (Role::Host, Value::String(host, _)) => self.host(&String::from_utf8_lossy(host)),
            (Role::Port, Value::Int32(port)) => self.port(port.into()),
            (Role::Port, Value::Uint16(port)) => self.port(port.into()),
            (Role::ErrorCode, Value::Int16(code)) => self.facts.error(code),
            (Role::Throttle, Value::Int32(ms)) => self.facts.throttle_ms = ms,
            (Role::RecordsCount, Value::Int32(count)) => {
                let count = u32::try_from(count).unwrap_or(0);
                self.facts.records = self.facts.records.saturating_add(count);
            }
            _ => {}
        }
    }

    fn leave(&mut self, _: usize) {
        self.listener.boundary();
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

/// Listens to records of `__cluster_metadata`, which are about others than the message around them.
struct LogNames<'d> {
    facts: &'d mut Facts,
    cluster: &'d Cluster,
    listener: &'d mut Listener,
}

impl Sink for LogNames<'_> {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        self.listener.boundary();
        Descend::Into
    }

    fn value(&mut self, node: &Node, value: Value<'_>, _: Span) {
        note(
            self.listener.value(node.role, value),
            self.cluster,
            self.facts,
        );
    }

    fn leave(&mut self, _: usize) {
        self.listener.boundary();
    }

    fn problem(&mut self, _: Problem) {}
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests;
