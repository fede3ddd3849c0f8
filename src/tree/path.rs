//! Paths: how a field is named from the top of its message, as `Topics[0].Partitions[2].Index`.

use std::fmt::Write;

use super::{Found, NodeId, Tree};
use crate::event::{Place, Role, Shape};

impl Tree {
    /// The path of a node. Body fields start at the body, header fields with the header's name;
    /// the message itself has the empty path.
    pub fn path(&self, id: NodeId) -> String {
        let mut chain: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        chain.reverse();
        let mut path = String::new();
        for &step in &chain {
            let Some(node) = self.node(step) else {
                continue;
            };
            if let Some(index) = node.index {
                // An element goes by the name of its array, where there is one.
                if !self.is_list(self.parent(step)) {
                    join(&mut path, node.name);
                }
                let _ = write!(path, "[{index}]");
                continue;
            }
            // Decompressed content goes by the name of the field that it was compressed in.
            let above = self.parent(step).map(|above| self.span(above).buffer);
            if above.is_some_and(|above| above != self.span(step).buffer) {
                continue;
            }
            match node.shape {
                // A known tagged field is a field like any other: its wrapping has no name.
                Shape::Message { .. } | Shape::Body { .. } => continue,
                Shape::TaggedFields { .. } | Shape::TaggedField { .. } if step != id => continue,
                _ => join(&mut path, node.name),
            }
        }
        path
    }

    fn is_list(&self, id: Option<NodeId>) -> bool {
        let node = id.and_then(|id| self.node(id));
        node.is_some_and(|node| {
            matches!(node.shape, Shape::Array { .. }) || node.role == Role::Records
        })
    }

    /// The path of the field that a problem is about.
    pub fn problem_path(&self, found: &Found) -> String {
        let is_wrapping = |id: NodeId| {
            self.node(id).is_some_and(|node| {
                matches!(
                    node.shape,
                    Shape::TaggedFields { .. } | Shape::TaggedField { .. }
                )
            })
        };
        let mut path = self.path(found.node);
        match found.problem.place {
            Place::Here => {}
            Place::Element(index) => {
                let _ = write!(path, "[{index}]");
            }
            Place::Field(name) => {
                // Of a field with a tag, its wrapping has no name in the path.
                let owner = std::iter::successors(Some(found.node), |&id| self.parent(id))
                    .find(|&id| !is_wrapping(id));
                path = owner.map_or(String::new(), |id| self.path(id));
                join(&mut path, name);
            }
        }
        path
    }
}

fn join(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}
