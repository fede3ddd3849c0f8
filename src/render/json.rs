//! Messages as JSON; docs/JSON.md is the contract.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};

use super::{
    error_notes,
    json_records::Batches,
    json_tree,
    json_value::{Member, Members, UNDECODED},
};
use crate::{
    decode::Decoded,
    event::{Node, Role, Shape, Value},
    hextext::Place,
    schema::{ApiKey, Direction, Kind, Plan},
    tree::{Found, NodeId, Tree},
    wire::BufferId,
};

/// What is known about a message beside its tree.
pub enum Head<'a> {
    /// It was decoded with its header.
    Message(&'a Decoded),
    /// It is a raw SASL token.
    SaslToken,
    /// It is a body or structure by itself.
    Structure(&'a Plan),
    /// It is record batches by themselves.
    Records,
    /// It is what a bytes field could hold, by itself; named as it was asked for.
    Content(&'static str),
}

/// The line of a message. It is written as the tree is walked, and never all in memory.
pub struct JsonLine<'a> {
    pub tree: &'a Tree,
    pub head: &'a Head<'a>,
    /// Where each byte stood in a paste.
    pub places: Option<&'a [Place]>,
    /// Where the bytes come from in a capture.
    pub provenance: Option<Json>,
    /// What the capture says about the packets that they came in.
    pub comments: Option<Json>,
    /// Whether the tree is written as well.
    pub shows_tree: bool,
}

impl<'a> JsonLine<'a> {
    /// The line with what every message has.
    pub fn new(tree: &'a Tree, head: &'a Head<'a>) -> JsonLine<'a> {
        JsonLine {
            tree,
            head,
            places: None,
            provenance: None,
            comments: None,
            shows_tree: false,
        }
    }
}

/// The number in front of a structure, which is then a part of what was decoded.
fn lead(tree: &Tree) -> Option<i16> {
    if !matches!(tree.node(NodeId::ROOT)?.shape, Shape::Message { .. }) {
        return None;
    }
    match tree.value(tree.children(NodeId::ROOT).next()?)? {
        Value::Int16(lead) => Some(lead),
        _ => None,
    }
}

/// The line of a message as an object in memory, for those who look into it.
pub fn json_message(tree: &Tree, head: &Head<'_>) -> Map<String, Json> {
    match serde_json::to_value(JsonLine::new(tree, head)) {
        Ok(Json::Object(line)) => line,
        _ => Map::new(),
    }
}

impl Serialize for JsonLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tree = self.tree;
        let mut line = serializer.serialize_map(None)?;
        for (name, value) in first(tree, self.head) {
            line.serialize_entry(&name, &value)?;
        }
        line.serialize_entry("value", &value(tree, self.head))?;
        if embedded(tree).next().is_some() {
            line.serialize_entry("embedded", &EmbeddedIn(tree))?;
        }
        if !tree.hidden().is_empty() {
            line.serialize_entry("secrets_hidden", &true)?;
        }
        line.serialize_entry("problems", &Problems(tree, self.places))?;
        let errors = errors(tree);
        if !errors.is_empty() {
            line.serialize_entry("error_codes", &errors)?;
        }
        if let Some(comments) = &self.comments {
            line.serialize_entry("comments", comments)?;
        }
        if let Some(provenance) = &self.provenance {
            line.serialize_entry("provenance", provenance)?;
        }
        if self.shows_tree {
            line.serialize_entry("tree", &json_tree::Node(tree, NodeId::ROOT))?;
        }
        line.end()
    }
}

/// What a line starts with.
fn first(tree: &Tree, head: &Head<'_>) -> Map<String, Json> {
    let mut line = Map::new();
    line.insert("type".into(), "message".into());
    match head {
        Head::Message(decoded) => {
            line.insert("kind".into(), decoded.direction.name().into());
            // Of a response that no request explains, nobody knows.
            let is_known =
                decoded.direction == Direction::Request || decoded.api != ApiKey::UNKNOWN;
            line.insert("api_key".into(), is_known.then_some(decoded.api.0).into());
            line.insert("api".into(), decoded.api.name().into());
            line.insert("version".into(), is_known.then_some(decoded.version).into());
            line.insert("header_version".into(), decoded.header_version.into());
            line.insert("correlation_id".into(), decoded.correlation_id.into());
            line.insert("client_id".into(), decoded.client_id.clone().into());
        }
        Head::SaslToken => {
            line.insert("kind".into(), "sasl-token".into());
        }
        Head::Structure(plan) => {
            line.insert("kind".into(), plan.kind.name().into());
            line.insert("name".into(), plan.name.into());
            if matches!(plan.kind, Kind::Request | Kind::Response) {
                line.insert("api_key".into(), plan.api_key.into());
                line.insert("api".into(), plan.api().and_then(ApiKey::name).into());
            }
            line.insert("version".into(), plan.version.into());
            if let Some(lead) = lead(tree) {
                line.insert("lead".into(), lead.into());
            }
        }
        Head::Records => {
            line.insert("kind".into(), "records".into());
        }
        Head::Content(name) => {
            line.insert("kind".into(), "data".into());
            let (found, version) = structure(tree, NodeId::ROOT);
            line.insert("name".into(), found.map_or(*name, |node| node.name).into());
            if let Some(version) = version {
                line.insert("version".into(), version.into());
            }
        }
    }
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    line.insert("size".into(), size.into());
    line
}

/// What a message holds.
enum Content<'t> {
    Object(Members<'t>),
    Batches(Batches<'t>),
    Nothing,
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Content::Object(members) => members.serialize(serializer),
            Content::Batches(batches) => batches.serialize(serializer),
            Content::Nothing => serializer.serialize_unit(),
        }
    }
}

/// The body by field names. What no field claims stands in hex under `_undecoded`.
fn value<'t>(tree: &'t Tree, head: &Head<'_>) -> Content<'t> {
    if matches!(head, Head::Content(_)) {
        return Content::Object(content(tree, NodeId::ROOT));
    }
    let root = tree.node(NodeId::ROOT);
    if root.is_some_and(|root| root.role == Role::Records) {
        return Content::Batches(Batches(tree, NodeId::ROOT));
    }
    let body = tree.nodes().find(|&id| {
        tree.node(id)
            .is_some_and(|node| matches!(node.shape, Shape::Body { .. }))
    });
    let mut members = body.map(|body| Members::of(tree, body));
    let undecoded = undecoded(tree, NodeId::ROOT).filter(|_| body != Some(NodeId::ROOT));
    if let Some(undecoded) = undecoded {
        members
            .get_or_insert_with(|| Members::new(tree))
            .set(UNDECODED, Member::Bytes(vec![undecoded]));
    }
    members.map_or(Content::Nothing, Content::Object)
}

/// The first bytes directly in a node that no field claims.
fn undecoded(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.children(id).find(|&child| {
        tree.node(child)
            .is_some_and(|node| node.role == Role::Undecoded)
    })
}

/// The structures inside bytes fields, in the order in which they come.
fn embedded(tree: &Tree) -> impl Iterator<Item = NodeId> {
    tree.nodes().filter(|&id| {
        id != NodeId::ROOT
            && tree.node(id).is_some_and(|node| {
                matches!(node.shape, Shape::Content { .. })
                    && !matches!(node.role, Role::Records | Role::Compressed)
            })
    })
}

struct EmbeddedIn<'a>(&'a Tree);

impl Serialize for EmbeddedIn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(embedded(self.0).map(|id| Embedded(self.0, id)))
    }
}

struct Embedded<'a>(&'a Tree, NodeId);

impl Serialize for Embedded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Embedded(tree, id) = self;
        let mut entry = serializer.serialize_map(None)?;
        entry.serialize_entry("path", &tree.path(id))?;
        let (found, version) = structure(tree, id);
        let ty = match (found, tree.node(id).map(|node| node.shape)) {
            (Some(node), _) => node.name,
            (None, Some(Shape::Content { ty, .. })) => ty,
            _ => "",
        };
        entry.serialize_entry("as", ty)?;
        if let Some(version) = version {
            entry.serialize_entry("version", &version)?;
        }
        entry.serialize_entry("value", &content(tree, id))?;
        entry.end()
    }
}

/// The structure of a definition that content is, with its version.
fn structure(tree: &Tree, id: NodeId) -> (Option<&Node>, Option<i16>) {
    let node = body(tree, id).and_then(|body| tree.node(body));
    match node.map(|node| node.shape) {
        Some(Shape::Body { version }) => (node, Some(version)),
        _ => (None, None),
    }
}

fn body(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.children(id).find(|&child| {
        tree.node(child)
            .is_some_and(|node| matches!(node.shape, Shape::Body { .. }))
    })
}

/// What content holds: the fields of its structure, or its parts.
fn content(tree: &Tree, id: NodeId) -> Members<'_> {
    let is_compressed = |&child: &NodeId| {
        tree.node(child)
            .is_some_and(|node| node.role == Role::Compressed)
    };
    // What comes out of compressed content lies beside the compressed bytes.
    let inner = tree.children(id).find(is_compressed).and_then(|packed| {
        let is_inner = |&child: &NodeId| tree.node(child).map(|n| n.role) != Some(Role::Encoding);
        tree.children(packed).find(is_inner)
    });
    let holder = body(tree, id).or(inner).unwrap_or(id);
    let mut fields = Members::of(tree, holder);
    if let Some(rest) = undecoded(tree, id) {
        fields.set(UNDECODED, Member::Bytes(vec![rest]));
    }
    fields
}

/// What the error codes in the message mean; each once, at its first field.
fn errors(tree: &Tree) -> Vec<Json> {
    error_notes(tree)
        .iter()
        .map(|note| {
            let span = tree.span(note.node);
            json!({
                "code": note.code.0,
                "name": note.code.name(),
                "retriable": note.code.is_retriable(),
                "path": tree.path(note.node),
                "offset": span.at,
                "count": note.count,
                "meaning": note.code.meaning(),
                "advice": note.code.advice(),
            })
        })
        .collect()
}

/// What is wrong in a message.
pub fn json_problems(tree: &Tree) -> Json {
    let problems = tree.problems().iter();
    problems.map(|found| problem(tree, found, None)).collect()
}

struct Problems<'a>(&'a Tree, Option<&'a [Place]>);

impl Serialize for Problems<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Problems(tree, places) = self;
        let problems = tree.problems().iter();
        serializer.collect_seq(problems.map(|found| problem(tree, found, places)))
    }
}

fn problem(tree: &Tree, found: &Found, places: Option<&[Place]>) -> Json {
    let problem = &found.problem;
    let mut json = json!({
        "severity": problem.severity.name(),
        "code": problem.code.name(),
        "offset": problem.span.at,
        "size": problem.span.len,
        "path": tree.problem_path(found),
        "message": problem.message,
    });
    if let Some(object) = json.as_object_mut() {
        if problem.span.buffer != BufferId::FRAME {
            object.insert("buffer".into(), problem.span.buffer.0.into());
        }
        if let Some(place) = place(found, places) {
            object.insert("line".into(), place.line.into());
            object.insert("column".into(), place.column.into());
        }
    }
    json
}

/// Where in a paste the first byte of a problem stands; behind the last one, where that stands.
pub fn place(found: &Found, places: Option<&[Place]>) -> Option<Place> {
    let span = found.problem.span;
    let places = places.filter(|_| span.buffer == BufferId::FRAME)?;
    places.get(span.at).or(places.last()).copied()
}
