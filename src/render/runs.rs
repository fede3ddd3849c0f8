//! The bytes of a buffer as rows of runs, for pictures and pages: what lies side by side in one row
//! and belongs to one node, one section and one severity is shown as one piece.
//!
//! What comes in is a tree and a buffer; what goes out are rows in order. Invariant: the runs of
//! all rows and the holes between them tile the bytes that are shown. How a run looks is up to
//! those who draw it.

use super::grid::{BYTES_PER_ROW, LONG_HOLE, LOST, ascii};
use crate::{
    event::{Section, Severity},
    tree::{NodeId, Tree},
    wire::BufferId,
};

/// A row of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// At most sixteen bytes from `at` on.
    Bytes { at: usize, runs: Vec<Run> },
    /// So many bytes that the capture does not hold.
    Lost { at: usize, len: usize },
}

/// Bytes of a row that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The innermost node around them.
    pub(super) node: NodeId,
    pub(super) section: Section,
    /// The worst of the problems that are about them.
    pub(super) problem: Option<Severity>,
    /// The bytes as two digits each, with a space between.
    pub(super) hex: String,
    /// The bytes as characters.
    pub(super) text: String,
    pub(super) len: usize,
}

/// What decides to which run a byte belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    node: Option<NodeId>,
    section: Section,
    problem: Option<Severity>,
}

/// The rows of the first `most` bytes of a buffer.
pub(super) fn rows(tree: &Tree, buffer: BufferId, most: usize) -> Vec<Row> {
    let Some(bytes) = tree.buffers().get(usize::from(buffer.0)) else {
        return Vec::new();
    };
    let bytes = bytes.bytes.get(..most).unwrap_or(&bytes.bytes);
    let cells = cells(tree, buffer, bytes.len());
    let mut rows = Vec::new();
    let mut shown_from = 0;
    for (row, chunk) in bytes.chunks(BYTES_PER_ROW).enumerate() {
        let at = row * BYTES_PER_ROW;
        if at < shown_from {
            continue;
        }
        if let Some(hole) = tree.hole_at(buffer, at)
            && hole.end().min(bytes.len()) - at >= LONG_HOLE
        {
            let n_rows = (hole.end().min(bytes.len()) - at) / BYTES_PER_ROW;
            let len = n_rows * BYTES_PER_ROW;
            shown_from = at + len;
            rows.push(Row::Lost { at, len });
            continue;
        }
        let mut runs: Vec<Run> = Vec::new();
        let mut last = None;
        for (byte_at, (byte, cell)) in (at..).zip(chunk.iter().zip(cells.iter().skip(at))) {
            let (hex, text) = shown(tree, buffer, byte_at, *byte);
            match runs.last_mut() {
                Some(run) if last == Some(cell) => {
                    run.hex.push(' ');
                    run.hex.push_str(&hex);
                    run.text.push(text);
                    run.len += 1;
                }
                _ => runs.push(Run {
                    node: cell.node.unwrap_or(NodeId::ROOT),
                    section: cell.section,
                    problem: cell.problem,
                    hex,
                    text: text.into(),
                    len: 1,
                }),
            }
            last = Some(cell);
        }
        rows.push(Row::Bytes { at, runs });
    }
    rows
}

/// A byte as digits and as a character, where outputs may show it.
fn shown(tree: &Tree, buffer: BufferId, at: usize, byte: u8) -> (String, char) {
    if tree.hole_at(buffer, at).is_some() {
        (LOST.to_owned(), ' ')
    } else if tree.hides(buffer, at) {
        ("**".to_owned(), '*')
    } else {
        (format!("{byte:02x}"), ascii(byte))
    }
}

fn cells(tree: &Tree, buffer: BufferId, len: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); len];
    for id in tree.nodes_in(buffer) {
        let span = tree.span(id);
        let (Some(node), Some(run)) = (
            tree.node(id),
            cells.get_mut(span.at.min(len)..span.end().min(len)),
        ) else {
            continue;
        };
        // Children come after their parents and paint over them.
        run.fill(Cell {
            node: Some(id),
            section: node.section,
            problem: None,
        });
    }
    for found in tree.problems() {
        let span = found.problem.span;
        if span.buffer != buffer || span.len == 0 || marks_all(tree, buffer, span.len) {
            continue;
        }
        let run = cells.get_mut(span.at.min(len)..span.end().min(len));
        for cell in run.unwrap_or_default() {
            cell.problem = cell.problem.max(Some(found.problem.severity));
        }
    }
    cells
}

/// Whether a problem is about all bytes, so that marking them would show nothing.
fn marks_all(tree: &Tree, buffer: BufferId, len: usize) -> bool {
    let buffer = tree.buffers().get(usize::from(buffer.0));
    buffer.is_some_and(|buffer| len >= buffer.bytes.len())
}

/// The sections of a buffer's bytes, in the order of the legend.
pub(super) fn legend_of(tree: &Tree, buffer: BufferId) -> Vec<Section> {
    let present = |section: &Section| {
        tree.nodes_in(buffer).any(|id| {
            tree.value(id).is_some()
                && tree.span(id).len > 0
                && tree.node(id).is_some_and(|node| node.section == *section)
        })
    };
    super::LEGEND.into_iter().filter(present).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decode::{Framing, request},
        event::{Code, Place, Problem},
        schema::Catalogue,
        tree::Builder,
        wire::Span,
    };

    fn heartbeat() -> Tree {
        let bytes = [
            0, 0, 0, 19, 0, 12, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,
        ];
        let (tree, _) = Builder::build(bytes.to_vec(), |bytes, sink| {
            request(Catalogue::current(), Framing::Sized, bytes, sink)
        });
        tree
    }

    fn lens(rows: &[Row]) -> Vec<Vec<usize>> {
        let runs = rows.iter().map(|row| match row {
            Row::Bytes { runs, .. } => runs.iter().map(|run| run.len).collect(),
            Row::Lost { len, .. } => vec![*len],
        });
        runs.collect()
    }

    #[test]
    fn runs_end_with_their_field_and_their_row() {
        let rows = rows(&heartbeat(), BufferId::FRAME, usize::MAX);
        assert_eq!(lens(&rows), [vec![4, 2, 2, 4, 2, 1, 1], vec![4, 1, 1, 1]]);
        let Row::Bytes { runs, .. } = &rows[0] else {
            panic!("{rows:?}");
        };
        assert_eq!(
            (runs[0].hex.as_str(), runs[0].text.as_str()),
            ("00 00 00 13", "....")
        );
    }

    #[test]
    fn a_problem_is_marked_where_it_is() {
        let mut tree = heartbeat();
        tree.add_problem(Problem {
            severity: Severity::Error,
            code: Code::Short,
            span: Span::new(BufferId::FRAME, 17, 19),
            place: Place::Here,
            message: String::new(),
        });
        let rows = rows(&tree, BufferId::FRAME, 19);
        assert_eq!(lens(&rows)[1], [1, 2]);
        let Row::Bytes { runs, .. } = &rows[1] else {
            panic!("{rows:?}");
        };
        assert_eq!(runs[1].problem, Some(Severity::Error));
    }
}
