//! One open message: its tree, which nodes are unfolded, where the cursor is.

mod anew;
mod edit;
mod folding;
mod kept;
mod marks;
mod tips;

use std::sync::Arc;

use super::{Page, Step};
use crate::{
    decode::Decoded,
    event::{Role, Section, Severity, Shape, Value},
    session::{Origin, Reading},
    tree::{Found, NodeId, Secrecy, Tree},
    wire::{BufferId, Span},
};

use folding::{Folding, Start};
use marks::Hits;
use tips::Tips;

pub(super) use anew::head;
pub(super) use edit::Edit;
pub(super) use kept::Kept;

/// A message on the screen.
#[derive(Debug)]
pub(super) struct OpenMessage {
    pub tree: Arc<Tree>,
    /// What its header says; `None` for what has none.
    pub decoded: Option<Decoded>,
    folding: Folding,
    tips: Tips,
    /// The row of the selected node.
    pub cursor: usize,
    /// The first row on the screen.
    pub scroll: usize,
    /// Columns of the tree that are scrolled out to the left.
    pub shift: usize,
    /// The byte that the grid's cursor is on, in the selected node's buffer.
    pub byte: usize,
    /// The first grid row on the screen.
    pub grid_scroll: usize,
    /// The problem that was last gone to.
    problem: Option<usize>,
    /// What was changed of its bytes.
    edit: Option<Edit>,
    /// What it is read as.
    reading: Reading,
    origins: Vec<Origin>,
    files: Vec<String>,
    /// Where what is searched for is.
    hits: Hits,
}

impl OpenMessage {
    pub(super) fn new(page: Page) -> OpenMessage {
        let Page {
            tree,
            decoded,
            origins,
            files,
        } = page;
        let mut message = OpenMessage {
            folding: Folding::new(&tree, Start::BySize),
            tips: Tips::new(&tree),
            tree: tree.into(),
            decoded,
            cursor: 0,
            scroll: 0,
            shift: 0,
            byte: 0,
            grid_scroll: 0,
            problem: None,
            edit: None,
            reading: Reading::Captured,
            origins,
            files,
            hits: Hits::default(),
        };
        message.select_body();
        message
    }

    /// Shows or hides secrets. The tree is copied for it while something else still has it.
    pub(super) fn set_secrecy(&mut self, secrecy: Secrecy) {
        Arc::make_mut(&mut self.tree).set_secrecy(secrecy);
    }

    /// The selected node.
    pub(super) fn selected(&self) -> NodeId {
        self.rows()
            .get(self.cursor)
            .copied()
            .unwrap_or(NodeId::ROOT)
    }

    /// The bytes of the selected node.
    pub(super) fn span(&self) -> Span {
        self.tree.span(self.selected())
    }

    /// The buffer that the grid shows.
    pub(super) fn buffer(&self) -> BufferId {
        self.span().buffer
    }

    /// The bytes that the grid shows.
    pub(super) fn bytes(&self) -> &[u8] {
        match self.buffer() {
            BufferId::FRAME => self.frame(),
            BufferId(nth) => self
                .tree
                .buffers()
                .get(usize::from(nth))
                .map(|buffer| buffer.bytes.as_slice())
                .unwrap_or_default(),
        }
    }

    /// Where the cursor is, as `0x0012`, with the buffer where it is not the message itself.
    pub(super) fn place(&self) -> String {
        match self.buffer() {
            BufferId::FRAME => format!("0x{:04x}", self.byte),
            BufferId(nth) => format!("{nth}:0x{:04x}", self.byte),
        }
    }

    /// The packet that the byte at the cursor came in, and the file that holds it; nothing for
    /// bytes that were not captured, that came out of a codec, or that somebody changed.
    pub(super) fn origin(&self) -> Option<(&Origin, &str)> {
        if self.buffer() != BufferId::FRAME || self.is_edited() {
            return None;
        }
        let behind = self
            .origins
            .partition_point(|origin| origin.range.end <= self.byte);
        let origin = self.origins.get(behind)?;
        let file = self.files.get(origin.file).map_or("", String::as_str);
        origin.range.contains(&self.byte).then_some((origin, file))
    }

    /// The sections of the bytes `at..at + len` that the grid shows.
    pub(super) fn sections(&self, at: usize, len: usize) -> Vec<Section> {
        self.tips.sections(&self.tree, self.buffer(), at, len)
    }

    /// Whether a section occurs in the bytes that the grid shows.
    pub(super) fn has_section(&self, section: Section) -> bool {
        self.tips.has(self.buffer(), section)
    }

    /// The nodes on the tree's rows.
    pub(super) fn rows(&self) -> &[NodeId] {
        self.folding.rows()
    }

    pub(super) fn is_unfolded(&self, id: NodeId) -> bool {
        self.folding.is_unfolded(id)
    }

    /// Whether the capture lacks bytes of the message.
    pub(super) fn has_holes(&self) -> bool {
        self.tree.has_holes()
    }

    pub(super) fn has_children(&self, id: NodeId) -> bool {
        self.tree.children(id).next().is_some()
    }

    /// Moves the tree's cursor to `row`, or as near as there is one.
    pub(super) fn select_row(&mut self, row: usize) {
        self.cursor = row.min(self.rows().len().saturating_sub(1));
        self.byte = self.span().at;
    }

    /// Selects the innermost node at byte `at` of the buffer on the screen, unfolding its way.
    pub(super) fn select_byte(&mut self, at: usize) {
        let at = at.min(self.bytes().len().saturating_sub(1));
        if let Some(id) = self.tips.at(&self.tree, self.buffer(), at) {
            self.select(id);
        }
        self.byte = at;
    }

    /// Selects the innermost node at byte `at` of any buffer.
    pub(super) fn select_in(&mut self, buffer: BufferId, at: usize) {
        if let Some(id) = self.tips.at(&self.tree, buffer, at) {
            self.select(id);
            self.byte = at;
        }
    }

    /// Selects a node, unfolding what hides it.
    pub(super) fn select(&mut self, id: NodeId) {
        self.folding.reveal(&self.tree, id);
        self.select_row(self.folding.row_of(&self.tree, id));
    }

    /// Folds or unfolds the selected node.
    pub(super) fn toggle(&mut self) {
        let id = self.selected();
        if !self.folding.unfold(&self.tree, id) {
            self.folding.fold(&self.tree, id);
        }
    }

    /// Unfolds the selected node, or steps into it when it is.
    pub(super) fn unfold(&mut self) {
        let id = self.selected();
        if self.has_children(id) && !self.folding.unfold(&self.tree, id) {
            self.select_row(self.cursor + 1);
        }
    }

    /// Folds the selected node, or steps out of it when it is folded or has nothing in it.
    pub(super) fn fold(&mut self) {
        let id = self.selected();
        if self.has_children(id) && self.folding.fold(&self.tree, id) {
            return;
        }
        if let Some(parent) = self.tree.parent(id) {
            self.select(parent);
        }
    }

    /// Unfolds everything, or folds everything below the body when nothing is folded.
    pub(super) fn toggle_all(&mut self) {
        let id = self.selected();
        let start = match self.rows().len() == self.tree.len() {
            true => Start::Folded,
            false => Start::Unfolded,
        };
        self.folding.restart(&self.tree, start);
        self.select_row(self.folding.row_of(&self.tree, id));
    }

    /// Shows the next or the previous buffer, around the end; whether there is another one.
    pub(super) fn select_buffer(&mut self, step: Step) -> bool {
        let n = self.tree.buffers().len();
        let here = usize::from(self.buffer().0);
        let next = match step {
            Step::Forward => (here + 1) % n.max(1),
            Step::Back => (here + n).saturating_sub(1) % n.max(1),
        };
        let first = u16::try_from(next)
            .ok()
            .and_then(|next| self.tree.nodes_in(BufferId(next)).next());
        match first {
            Some(id) if next != here => {
                self.select(id);
                true
            }
            _ => false,
        }
    }

    /// Goes from decompressed bytes to the field that they came out of, and from such a field to
    /// what came out of it; whether there is such a way.
    pub(super) fn through_codec(&mut self) -> bool {
        let span = self.span();
        let here = usize::from(self.buffer().0);
        let source = self
            .tree
            .buffers()
            .get(here)
            .and_then(|buffer| buffer.source);
        let from_here = self.tree.buffers().iter().position(|buffer| {
            let source = buffer.source;
            source.is_some_and(|source| source.len > 0 && span.covers(source))
        });
        let there = match (from_here, source) {
            (Some(inner), _) => u16::try_from(inner)
                .ok()
                .and_then(|inner| self.tree.nodes_in(BufferId(inner)).next()),
            (None, Some(source)) => self.tips.at(&self.tree, source.buffer, source.at),
            (None, None) => None,
        };
        if let Some(id) = there {
            self.select(id);
        }
        there.is_some()
    }

    /// Selects the next or the previous problem in the order in which they were found, around the
    /// end; whether there is any.
    pub(super) fn select_problem(&mut self, step: Step) -> bool {
        let n = self.tree.problems().len();
        if n == 0 {
            return false;
        }
        let idx = match (self.problem, step) {
            (None, Step::Forward) => 0,
            (None, Step::Back) => n - 1,
            (Some(idx), Step::Forward) => (idx + 1) % n,
            (Some(idx), Step::Back) => (idx + n - 1) % n,
        };
        self.problem = Some(idx);
        if let Some(found) = self.tree.problems().get(idx) {
            let span = found.problem.span;
            let node = self.tips.at(&self.tree, span.buffer, span.at);
            let node = node.unwrap_or(found.node);
            self.select(node);
            self.byte = span.at;
        }
        true
    }

    /// Selects the first problem that is an error, else the first error code, else the first problem.
    pub(super) fn select_worst(&mut self) {
        let problems = self.tree.problems().iter();
        let error = problems
            .map(|found| found.problem.severity)
            .position(|severity| severity == Severity::Error);
        self.problem = error.and_then(|idx| idx.checked_sub(1));
        let _ = error.is_some() && self.select_problem(Step::Forward)
            || self.select_error(Step::Forward)
            || self.select_problem(Step::Forward);
    }

    /// Selects the next or the previous error code that is not 0, around the end; whether there is any.
    pub(super) fn select_error(&mut self, step: Step) -> bool {
        let is_error = |&id: &NodeId| {
            let role = self.tree.node(id).map(|node| node.role);
            role == Some(Role::ErrorCode)
                && matches!(self.tree.value(id), Some(Value::Int16(code)) if code != 0)
        };
        let errors: Vec<NodeId> = self.tree.nodes().filter(is_error).collect();
        let here = self.selected();
        let next = match step {
            Step::Forward => errors.iter().find(|&&id| id > here).or(errors.first()),
            Step::Back => errors.iter().rfind(|&&id| id < here).or(errors.last()),
        };
        let Some(&id) = next else {
            return false;
        };
        self.select(id);
        true
    }

    /// The problem that was gone to, while the cursor is still on it.
    pub(super) fn current_problem(&self) -> Option<&Found> {
        let found = self.tree.problems().get(self.problem?)?;
        (found.problem.span.at == self.byte).then_some(found)
    }

    /// The body is what people open a message for.
    fn select_body(&mut self) {
        let body = self.tree.nodes().find(|&id| {
            self.tree
                .node(id)
                .is_some_and(|node| matches!(node.shape, Shape::Body { .. }))
        });
        if let Some(body) = body {
            self.select(body);
            // With the body on top of a small pane; a larger one shows what is above it as well.
            self.scroll = self.cursor;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        decode::{Framing, response},
        schema::{ApiKey, Catalogue},
        tree::Builder,
    };

    /// A Metadata response of version 0 with `n` topics of three partitions.
    fn page(n: usize) -> Page {
        let mut body = vec![0, 0, 0, 7, 0, 0, 0, 0];
        body.extend((n as u32).to_be_bytes());
        for topic in 0..n {
            let name = format!("topic-{topic}");
            body.extend([0, 0, 0, name.len() as u8]);
            body.extend(name.as_bytes());
            body.extend([0, 0, 0, 3]);
            for partition in 0..3 {
                body.extend([0, 0, 0, 0, 0, partition, 0, 0, 0, 1]);
                body.extend([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
            }
        }
        let mut frame = (body.len() as u32).to_be_bytes().to_vec();
        frame.append(&mut body);
        let catalogue = Catalogue::current();
        let metadata = ApiKey::parse("Metadata").unwrap();
        let (tree, decoded) = Builder::build(frame, |bytes, sink| {
            response(catalogue, Framing::Sized, bytes, metadata, 0, sink)
        });
        assert!(!tree.has_errors());
        Page {
            tree,
            decoded: Some(decoded),
            origins: Vec::new(),
            files: Vec::new(),
        }
    }

    pub(in crate::tui) fn metadata(n: usize) -> Tree {
        page(n).tree
    }

    pub(in crate::tui) fn open(n: usize) -> OpenMessage {
        OpenMessage::new(page(n))
    }

    /// The rows by a walk over all nodes.
    pub(super) fn slow_rows(tree: &Tree, is_unfolded: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        tree.nodes()
            .filter(|&id| {
                let mut above = std::iter::successors(tree.parent(id), |&id| tree.parent(id));
                above.all(&is_unfolded)
            })
            .collect()
    }

    #[test]
    fn what_is_unfolded_and_selected_stays_from_message_to_message() {
        let mut first = open(30);
        let wanted = |message: &OpenMessage, path: &str| {
            let found = message
                .tree
                .nodes()
                .find(|&id| message.tree.path(id) == path);
            found.unwrap_or_else(|| panic!("{path}"))
        };
        first.select(wanted(&first, "Topics[7].Partitions[2].LeaderId"));
        first.scroll = first.cursor - 5;
        first.byte += 2;
        let mut second = open(40);
        assert_eq!(second.kind(), first.kind());
        second.take_over(&first.keep());
        assert_eq!(
            second.tree.path(second.selected()),
            "Topics[7].Partitions[2].LeaderId"
        );
        assert_eq!(second.byte, second.span().at + 2);
        assert_eq!(second.cursor - second.scroll, 5);
        assert!(second.is_unfolded(wanted(&second, "Topics[7]")));
        assert!(!second.is_unfolded(wanted(&second, "Topics[8]")));
        // Of a shorter one, as much as there is.
        let mut third = open(6);
        third.take_over(&second.keep());
        assert_eq!(third.tree.path(third.selected()), "Topics");
    }

    #[test]
    fn folding_all_keeps_what_is_around_the_selection() {
        let mut message = open(200);
        message.toggle_all();
        assert_eq!(message.rows().len(), message.tree.len());
        message.select_row(message.tree.len() - 1);
        message.toggle_all();
        assert_eq!(message.cursor, message.rows().len() - 1);
        assert!(message.rows().len() < 10);
    }
}
