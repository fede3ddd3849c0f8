//! What the state of a message makes of a field: the fields around it, as rules ask for them.

use crate::{
    event::{Shape, Value},
    explain::{Field, Seen, state_note},
    tree::{NodeId, Tree},
};

/// A few words on node `id` in its message.
pub(super) fn note(tree: &Tree, id: NodeId) -> Option<&'static str> {
    let name = tree.node(id)?.name;
    let above = || std::iter::successors(tree.parent(id), |&id| tree.parent(id));
    let (message, version) =
        above().find_map(
            |id| match tree.node(id).map(|node| (node.name, node.shape)) {
                Some((name, Shape::Body { version })) => Some((name, version)),
                _ => None,
            },
        )?;
    let around = |wanted: &str| {
        for id in above() {
            let shape = tree.node(id)?.shape;
            // Elements of a list are not around each other.
            if !matches!(shape, Shape::Array { .. })
                && let Some(seen) = within(tree, id, wanted)
            {
                return Some(seen);
            }
            if matches!(shape, Shape::Body { .. }) {
                break;
            }
        }
        None
    };
    state_note(&Field {
        message,
        version,
        name,
        value: seen(tree, id),
        around: &around,
    })
}

/// The field of that name in a struct, tagged ones included.
fn within<'t>(tree: &'t Tree, id: NodeId, wanted: &str) -> Option<Seen<'t>> {
    tree.children(id).find_map(|child| {
        let node = tree.node(child)?;
        match node.shape {
            Shape::TaggedFields { .. } | Shape::TaggedField { .. } => within(tree, child, wanted),
            _ if node.name == wanted => seen(tree, child),
            _ => None,
        }
    })
}

fn seen(tree: &Tree, id: NodeId) -> Option<Seen<'_>> {
    Some(match (tree.value(id), tree.node(id)?.shape) {
        (None, Shape::Array { len, .. }) => len.map_or(Seen::Null, |len| Seen::Number(len.into())),
        (Some(Value::Null(_)), _) => Seen::Null,
        (Some(Value::Bool(value)), _) => Seen::Number(value.into()),
        (Some(Value::Int8(value)), _) => Seen::Number(value.into()),
        (Some(Value::Int16(value)), _) => Seen::Number(value.into()),
        (Some(Value::Int32(value)), _) => Seen::Number(value.into()),
        (Some(Value::Int64(value)), _) => Seen::Number(value),
        (Some(Value::String(text, _)), _) => Seen::Text(text),
        (Some(Value::Bytes(bytes, _)), _) => Seen::Text(bytes),
        _ => return None,
    })
}
