//! Messages as JSON; docs/JSON.md is the contract.

use serde_json::{Map, Number, Value as Json, json};

use super::{error_notes, json_records::records};
use crate::{
    decode::Decoded,
    event::{Node, Role, Shape, Value},
    schema::{ApiKey, Direction, Kind, Plan},
    tree::{NodeId, Tree},
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

/// The line for one message.
pub fn json_message(tree: &Tree, head: &Head<'_>) -> Map<String, Json> {
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
    line.insert("value".into(), value(tree, head));
    let embedded = embedded(tree);
    if !embedded.is_empty() {
        line.insert("embedded".into(), embedded.into());
    }
    if !tree.hidden().is_empty() {
        line.insert("secrets_hidden".into(), true.into());
    }
    line.insert("problems".into(), json_problems(tree));
    let errors = errors(tree);
    if !errors.is_empty() {
        line.insert("error_codes".into(), errors.into());
    }
    line
}

/// The body by field names. What no field claims stands in hex under `_undecoded`.
fn value(tree: &Tree, head: &Head<'_>) -> Json {
    if matches!(head, Head::Content(_)) {
        return content(tree, NodeId::ROOT);
    }
    let root = tree.node(NodeId::ROOT);
    if root.is_some_and(|root| root.role == Role::Records) {
        return records(tree, NodeId::ROOT);
    }
    let body = tree.nodes().find(|&id| {
        tree.node(id)
            .is_some_and(|node| matches!(node.shape, Shape::Body { .. }))
    });
    let mut object = body.map(|body| object(tree, body));
    let undecoded = tree.children(NodeId::ROOT).find(|&id| {
        tree.node(id)
            .is_some_and(|node| node.role == Role::Undecoded)
    });
    if let Some(undecoded) = undecoded.filter(|_| body != Some(NodeId::ROOT)) {
        object
            .get_or_insert_default()
            .insert("_undecoded".into(), hex(tree.bytes(tree.span(undecoded))));
    }
    object.map_or(Json::Null, Json::Object)
}

fn object(tree: &Tree, id: NodeId) -> Map<String, Json> {
    let mut object = Map::new();
    for child in tree.children(id) {
        let Some(node) = tree.node(child) else {
            continue;
        };
        match (node.role, node.shape) {
            (Role::Encoding | Role::Size { .. } | Role::TaggedCount, _) => {}
            (Role::NotCaptured, _) => {}
            (Role::Undecoded, _) => undecoded(tree, child, &mut object),
            (_, Shape::TaggedFields { .. }) => tagged(tree, child, &mut object),
            // Elements that no array holds together, as protobuf has them.
            _ if node.index.is_some() => {
                let list = object
                    .entry(node.name)
                    .or_insert_with(|| Json::Array(Vec::new()));
                if let Json::Array(list) = list {
                    list.push(any(tree, child));
                }
            }
            _ => {
                object.insert(node.name.into(), any(tree, child));
            }
        }
    }
    object
}

fn tagged(tree: &Tree, id: NodeId, object: &mut Map<String, Json>) {
    for field in tree.children(id) {
        let Some(Shape::TaggedField { tag, known }) = tree.node(field).map(|node| node.shape)
        else {
            continue;
        };
        let is_role = |child: NodeId, role| tree.node(child).is_some_and(|node| node.role == role);
        let mut content = tree
            .children(field)
            .filter(|&child| !is_role(child, Role::Encoding));
        let Some(first) = content.next() else {
            continue;
        };
        let name = tree.node(first).map_or("", |node| node.name);
        if known && !is_role(first, Role::Undecoded) {
            object.insert(name.into(), any(tree, first));
            for rest in content {
                undecoded(tree, rest, object);
            }
        } else if let Json::Object(unknown) = object
            .entry("_unknown")
            .or_insert_with(|| Json::Object(Map::new()))
        {
            unknown.insert(tag.to_string(), hex(tree.bytes(tree.span(first))));
        }
    }
}

/// Adds bytes that no field claims to what there is of them.
fn undecoded(tree: &Tree, id: NodeId, object: &mut Map<String, Json>) {
    let bytes = hex(tree.bytes(tree.span(id)));
    match (object.get_mut("_undecoded"), bytes) {
        (Some(Json::String(known)), Json::String(more)) => known.push_str(&more),
        (_, bytes) => {
            object.insert("_undecoded".into(), bytes);
        }
    }
}

fn any(tree: &Tree, id: NodeId) -> Json {
    if tree.is_hidden(id) {
        return HIDDEN.into();
    }
    if let Some(value) = tree.value(id) {
        return leaf(value);
    }
    let Some(node) = tree.node(id) else {
        return Json::Null;
    };
    if node.role == Role::Records {
        return records(tree, id);
    }
    match node.shape {
        Shape::Array { len: None, .. } | Shape::Struct { present: false, .. } => Json::Null,
        // What is inside stands elsewhere; the value of the field is its bytes.
        Shape::Content { .. } => content_hex(tree, id),
        Shape::Array { .. } => tree
            .children(id)
            .filter(|&child| tree.node(child).is_some_and(|node| node.index.is_some()))
            .map(|child| any(tree, child))
            .collect(),
        _ => Json::Object(object(tree, id)),
    }
}

pub(super) fn leaf(value: Value<'_>) -> Json {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int8(value) => value.into(),
        Value::Int16(value) => value.into(),
        Value::Int32(value) | Value::Varint(value) => value.into(),
        Value::Int64(value) | Value::Varlong(value) => value.into(),
        Value::Uint16(value) => value.into(),
        Value::Uint32(value) | Value::Uvarint(value) => value.into(),
        // JSON has no word for infinities and NaN.
        Value::Float64(value) => {
            Number::from_f64(value).map_or_else(|| value.to_string().into(), Json::Number)
        }
        Value::Uuid(value) => value.to_string().into(),
        Value::String(text, _) => String::from_utf8_lossy(text).into(),
        Value::Bytes(bytes, _) => hex(bytes),
        Value::Null(_) => Json::Null,
    }
}

pub(super) fn hex(bytes: &[u8]) -> Json {
    let mut text = String::with_capacity(2 * bytes.len());
    push_hex(&mut text, bytes);
    text.into()
}

/// Appends the digits of `bytes`; many times faster than formatting each.
pub(super) fn push_hex(text: &mut String, bytes: &[u8]) {
    let digit = |nibble: u8| match nibble {
        ..10 => char::from(b'0' + nibble),
        _ => char::from(b'a' - 10 + nibble),
    };
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 0xf));
    }
}

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "***";

/// The content of a node in hex, with stars for bytes that are hidden.
pub(super) fn content_hex(tree: &Tree, id: NodeId) -> Json {
    let (bytes, span) = (tree.content(id), tree.span(id));
    let from = span.end() - bytes.len();
    let mut text = match hex(bytes) {
        Json::String(text) => text,
        other => return other,
    };
    for hidden in tree.hidden().iter().filter(|&&hidden| span.covers(hidden)) {
        let (start, end) = (hidden.at.saturating_sub(from), hidden.end() - from);
        text.replace_range(2 * start..2 * end, &"2a".repeat(end - start));
    }
    text.into()
}

/// The structures inside bytes fields, in the order in which they come.
fn embedded(tree: &Tree) -> Vec<Json> {
    let is_embedded = |id: &NodeId| {
        *id != NodeId::ROOT
            && tree.node(*id).is_some_and(|node| {
                matches!(node.shape, Shape::Content { .. })
                    && !matches!(node.role, Role::Records | Role::Compressed)
            })
    };
    tree.nodes()
        .filter(is_embedded)
        .map(|id| {
            let mut entry = Map::new();
            entry.insert("path".into(), tree.path(id).into());
            let (found, version) = structure(tree, id);
            let ty = match (found, tree.node(id).map(|node| node.shape)) {
                (Some(node), _) => node.name,
                (None, Some(Shape::Content { ty, .. })) => ty,
                _ => "",
            };
            entry.insert("as".into(), ty.into());
            if let Some(version) = version {
                entry.insert("version".into(), version.into());
            }
            entry.insert("value".into(), content(tree, id));
            Json::Object(entry)
        })
        .collect()
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
fn content(tree: &Tree, id: NodeId) -> Json {
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
    let mut fields = object(tree, holder);
    let rest = tree.children(id).find(|&child| {
        tree.node(child)
            .is_some_and(|node| node.role == Role::Undecoded)
    });
    if let Some(rest) = rest {
        fields.insert("_undecoded".into(), hex(tree.bytes(tree.span(rest))));
    }
    Json::Object(fields)
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
    tree.problems()
        .iter()
        .map(|found| {
            let problem = &found.problem;
            let mut json = json!({
                "severity": problem.severity.name(),
                "code": problem.code.name(),
                "offset": problem.span.at,
                "size": problem.span.len,
                "path": tree.problem_path(found),
                "message": problem.message,
            });
            if problem.span.buffer != BufferId::FRAME
                && let Some(object) = json.as_object_mut()
            {
                object.insert("buffer".into(), problem.span.buffer.0.into());
            }
            json
        })
        .collect()
}
