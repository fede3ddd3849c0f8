//! What a message's error codes mean and what to do about them, a line each.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use super::Palette;
use crate::{
    event::{Code, Node, Problem, Role, Severity, Shape, Value},
    explain::ErrorCode,
    tree::{NodeId, Tree},
};

/// An error that a message returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorNote {
    pub code: ErrorCode,
    /// The first field that has it.
    pub node: NodeId,
    /// Number of fields that have it.
    pub count: usize,
}

/// The errors in `tree` that Kafka knows, each once, in the order in which they come.
pub fn error_notes(tree: &Tree) -> Vec<ErrorNote> {
    let misread = Misread::of(tree);
    let is_misread = |node| {
        misread
            .as_ref()
            .is_some_and(|found| found.covers(tree, node))
    };
    let mut notes: Vec<ErrorNote> = Vec::new();
    for node in tree.nodes() {
        let is_error = tree
            .node(node)
            .is_some_and(|node| node.role == Role::ErrorCode);
        let Some(Value::Int16(code)) = tree.value(node).filter(|_| is_error) else {
            continue;
        };
        let code = ErrorCode(code);
        if code == ErrorCode::NONE || code.name().is_none() || is_misread(node) {
            continue;
        }
        match notes.iter_mut().find(|note| note.code == code) {
            Some(note) => note.count += 1,
            None => notes.push(ErrorNote {
                code,
                node,
                count: 1,
            }),
        }
    }
    notes
}

/// What the likeliest mistake makes something else than it was read as: what follows it in the message,
/// or in the content of the bytes field that it was made in. Behind a wrong size nothing is.
struct Misread {
    /// Where the mistake is.
    at: usize,
    is_all: bool,
    contents: BTreeSet<usize>,
}

impl Misread {
    /// `None` if there is no mistake.
    fn of(tree: &Tree) -> Option<Misread> {
        let mut problems = tree.problems().iter();
        let mistake = problems.find(|found| found.problem.code == Code::Diagnosis)?;
        let mut misread = Misread {
            at: mistake.problem.span.at,
            is_all: false,
            contents: BTreeSet::new(),
        };
        for found in tree.problems() {
            let Problem { severity, code, .. } = found.problem;
            if severity == Severity::Error && code != Code::FrameSize {
                match content(tree, found.node) {
                    Some(id) => misread.contents.extend([id.idx()]),
                    None => misread.is_all = true,
                }
            }
        }
        Some(misread)
    }

    fn covers(&self, tree: &Tree, node: NodeId) -> bool {
        let is_in_one = || ancestors(tree, node).any(|id| self.contents.contains(&id.idx()));
        self.at <= tree.span(node).at && (self.is_all || is_in_one())
    }
}

/// The innermost bytes field with a content of its own that a node lies in.
fn content(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let is_content =
        |node: &Node| matches!(node.shape, Shape::Content { .. }) || node.role == Role::Records;
    ancestors(tree, id).find(|&id| tree.node(id).is_some_and(is_content))
}

/// A node and what it lies in, from the inside out.
fn ancestors(tree: &Tree, id: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(id), |&id| tree.parent(id))
}

/// Writes what the errors in `tree` mean; nothing when there are none.
pub fn notes(out: &mut impl Write, tree: &Tree, palette: Palette) -> fmt::Result {
    let style = palette.severity(Severity::Note);
    for ErrorNote { code, node, count } in error_notes(tree) {
        let span = tree.span(node);
        write!(
            out,
            "{style}note{style:#} [error {}] [0x{:04x}, {}B] {}",
            code.0,
            span.at,
            span.len,
            tree.path(node)
        )?;
        match count {
            1 => {}
            2 => write!(out, " and 1 more")?,
            count => write!(out, " and {} more", count - 1)?,
        }
        let retriable = match code.is_retriable() {
            Some(true) => "retriable",
            _ => "not retriable",
        };
        writeln!(
            out,
            ": {code} ({retriable}). {} {}",
            code.meaning().unwrap_or_default(),
            code.advice().unwrap_or_default()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decode::{Lead, structure},
        schema::Catalogue,
        tree::Builder,
    };

    #[test]
    fn each_error_is_explained_once() {
        let plan = Catalogue::current().plan("HeartbeatResponse", 0).unwrap();
        let (tree, ()) = Builder::build(vec![0, 27], |bytes, sink| {
            structure(plan, Lead::None, bytes, sink);
        });
        let mut text = String::new();
        notes(&mut text, &tree, Palette::Plain).unwrap();
        assert_eq!(
            text,
            "note [error 27] [0x0000, 2B] ErrorCode: REBALANCE_IN_PROGRESS (not retriable). The \
             group is rebalancing, so the member has to join again. Rejoin the group; consumers do \
             so by themselves.\n"
        );
    }

    #[test]
    fn the_same_error_in_many_fields_is_counted() {
        let plan = Catalogue::current()
            .plan("DeleteTopicsResponse", 0)
            .unwrap();
        let mut bytes = vec![0, 0, 0, 3];
        for _ in 0..3 {
            bytes.extend([0, 1, b't', 0, 73]);
        }
        let (tree, ()) = Builder::build(bytes, |bytes, sink| {
            structure(plan, Lead::None, bytes, sink);
        });
        let found = error_notes(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].code, found[0].count), (ErrorCode(73), 3));
        // Every one of them is against the version.
        assert_eq!(tree.problems().len(), 3);
        assert_eq!(
            tree.problem_path(&tree.problems()[1]),
            "Responses[1].ErrorCode"
        );
    }
}
