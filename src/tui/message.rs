//! One open message: its tree, which nodes are unfolded, where the cursor is.

use std::collections::HashSet;

use super::{Page, Step};
use crate::{
    event::{Section, Shape},
    render::sections,
    session::Origin,
    tree::{Found, NodeId, Tree},
    wire::{BufferId, Span},
};

/// Trees of at most this many nodes open whole; a screen or two can be read at a glance.
const UNFOLD_ALL: usize = 400;

/// Arrays with more elements than this start folded in larger trees.
const UNFOLD_ELEMENTS: usize = 16;

/// A message on the screen.
#[derive(Debug)]
pub(super) struct OpenMessage {
    pub tree: Tree,
    unfolded: HashSet<NodeId>,
    /// The nodes that are not inside a folded one, in order.
    rows: Vec<NodeId>,
    /// The row of the selected node.
    pub cursor: usize,
    /// The first row on the screen.
    pub scroll: usize,
    /// The byte that the grid's cursor is on, in the selected node's buffer.
    pub byte: usize,
    /// The first grid row on the screen.
    pub grid_scroll: usize,
    /// The section of every byte of every buffer.
    sections: Vec<Vec<Section>>,
    /// The problem that was last gone to.
    problem: Option<usize>,
    origins: Vec<Origin>,
    files: Vec<String>,
}

impl OpenMessage {
    pub(super) fn new(page: Page) -> OpenMessage {
        let Page {
            tree,
            origins,
            files,
        } = page;
        let all = tree.len() <= UNFOLD_ALL;
        let unfolded = tree
            .nodes()
            .filter(|&id| match tree.node(id).map(|node| node.shape) {
                Some(Shape::Array { len, .. }) => {
                    all || len.is_some_and(|len| len as usize <= UNFOLD_ELEMENTS)
                }
                _ => all || tree.depth(id) < 4,
            })
            .collect();
        let sections = (0..tree.buffers().len())
            .map(|idx| sections(&tree, BufferId(idx as u16)))
            .collect();
        let mut message = OpenMessage {
            tree,
            unfolded,
            rows: Vec::new(),
            cursor: 0,
            scroll: 0,
            byte: 0,
            grid_scroll: 0,
            sections,
            problem: None,
            origins,
            files,
        };
        message.list_rows();
        message.select_body();
        message
    }

    /// The selected node.
    pub(super) fn selected(&self) -> NodeId {
        self.rows.get(self.cursor).copied().unwrap_or(NodeId::ROOT)
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
        self.tree
            .buffers()
            .get(usize::from(self.buffer().0))
            .map(|buffer| buffer.bytes.as_slice())
            .unwrap_or_default()
    }

    /// The packet that the byte at the cursor came in, and the file that holds it; nothing for
    /// bytes that were not captured, or that came out of a codec.
    pub(super) fn origin(&self) -> Option<(&Origin, &str)> {
        if self.buffer() != BufferId::FRAME {
            return None;
        }
        let behind = self
            .origins
            .partition_point(|origin| origin.range.end <= self.byte);
        let origin = self.origins.get(behind)?;
        let file = self.files.get(origin.file).map_or("", String::as_str);
        origin.range.contains(&self.byte).then_some((origin, file))
    }

    /// The sections of the bytes that the grid shows.
    pub(super) fn sections(&self) -> &[Section] {
        self.sections
            .get(usize::from(self.buffer().0))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// The nodes on the tree's rows.
    pub(super) fn rows(&self) -> &[NodeId] {
        &self.rows
    }

    pub(super) fn is_unfolded(&self, id: NodeId) -> bool {
        self.unfolded.contains(&id)
    }

    pub(super) fn has_children(&self, id: NodeId) -> bool {
        self.tree.children(id).next().is_some()
    }

    /// Moves the tree's cursor to `row`, or as near as there is one.
    pub(super) fn select_row(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.byte = self.span().at;
    }

    /// Selects the innermost node at byte `at` of the buffer on the screen, unfolding its way.
    pub(super) fn select_byte(&mut self, at: usize) {
        let at = at.min(self.bytes().len().saturating_sub(1));
        if let Some(id) = self.tree.at(self.buffer(), at) {
            self.select(id);
        }
        self.byte = at;
    }

    /// Selects the innermost node at byte `at` of any buffer.
    pub(super) fn select_in(&mut self, buffer: BufferId, at: usize) {
        if let Some(id) = self.tree.at(buffer, at) {
            self.select(id);
            self.byte = at;
        }
    }

    /// Selects a node, unfolding what hides it.
    pub(super) fn select(&mut self, id: NodeId) {
        let mut changed = false;
        let mut above = self.tree.parent(id);
        while let Some(parent) = above {
            changed |= self.unfolded.insert(parent);
            above = self.tree.parent(parent);
        }
        if changed {
            self.list_rows();
        }
        let row = self.rows.binary_search(&id).unwrap_or(0);
        self.select_row(row);
    }

    /// Folds or unfolds the selected node.
    pub(super) fn toggle(&mut self) {
        let id = self.selected();
        if !self.unfolded.remove(&id) {
            self.unfolded.insert(id);
        }
        self.list_rows();
    }

    /// Unfolds the selected node, or steps into it when it is.
    pub(super) fn unfold(&mut self) {
        let id = self.selected();
        if !self.has_children(id) {
            return;
        }
        if self.unfolded.insert(id) {
            self.list_rows();
        } else {
            self.select_row(self.cursor + 1);
        }
    }

    /// Folds the selected node, or steps out of it when it is folded or has nothing in it.
    pub(super) fn fold(&mut self) {
        let id = self.selected();
        if self.has_children(id) && self.unfolded.remove(&id) {
            self.list_rows();
        } else if let Some(parent) = self.tree.parent(id) {
            self.select(parent);
        }
    }

    /// Unfolds everything, or folds everything below the body when nothing is folded.
    pub(super) fn toggle_all(&mut self) {
        let id = self.selected();
        let compounds: Vec<NodeId> = self
            .tree
            .nodes()
            .filter(|&id| self.tree.value(id).is_none())
            .collect();
        if compounds.iter().all(|id| self.unfolded.contains(id)) {
            self.unfolded = compounds
                .into_iter()
                .filter(|&id| self.tree.depth(id) < 2)
                .collect();
        } else {
            self.unfolded.extend(compounds);
        }
        self.list_rows();
        let mut visible = id;
        while self.rows.binary_search(&visible).is_err() {
            match self.tree.parent(visible) {
                Some(parent) => visible = parent,
                None => break,
            }
        }
        self.select_row(self.rows.binary_search(&visible).unwrap_or(0));
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
            let node = self.tree.at(span.buffer, span.at).unwrap_or(found.node);
            self.select(node);
            self.byte = span.at;
        }
        true
    }

    /// The problem that was gone to, while the cursor is still on it.
    pub(super) fn current_problem(&self) -> Option<&Found> {
        let found = self.tree.problems().get(self.problem?)?;
        (found.problem.span.at == self.byte).then_some(found)
    }

    fn list_rows(&mut self) {
        let mut rows = Vec::new();
        let mut next = (!self.tree.is_empty()).then_some(NodeId::ROOT);
        while let Some(id) = next {
            rows.push(id);
            next = if self.unfolded.contains(&id) {
                self.tree
                    .children(id)
                    .next()
                    .or_else(|| self.tree.after(id))
            } else {
                self.tree.after(id)
            };
        }
        self.rows = rows;
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
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
