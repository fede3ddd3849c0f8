//! A sink that checks what every decode must keep to: events are nested, and leaf spans tile the
//! bytes of every buffer from first to last.

use std::sync::Arc;

use kafscope::{
    event::{Descend, Node, Problem, Sink, Value},
    wire::{BufferId, Span},
};

/// Panics at the first event that breaks a rule.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    /// Where each open compound started, and the buffer.
    open: Vec<(BufferId, usize)>,
    /// Where the next event of each buffer must start; index by buffer.
    next: Vec<usize>,
    /// Lengths of the buffers.
    lens: Vec<usize>,
    pub(crate) problems: Vec<Problem>,
}

impl Audit {
    pub(crate) fn new(len: usize) -> Audit {
        Audit {
            next: vec![0],
            lens: vec![len],
            ..Audit::default()
        }
    }

    /// Checks that nothing is left open or undescribed.
    pub(crate) fn finish(self) -> Vec<Problem> {
        assert_eq!(self.open, [], "compounds left open");
        assert_eq!(self.next, self.lens, "bytes that no leaf covers");
        for problem in &self.problems {
            let len = self.lens[usize::from(problem.span.buffer.0)];
            assert!(
                problem.span.end() <= len,
                "{problem:?} reaches out of its buffer"
            );
            assert!(!problem.message.is_empty());
        }
        self.problems
    }
}

impl Sink for Audit {
    fn enter(&mut self, node: &Node, buffer: BufferId, at: usize) -> Descend {
        assert_eq!(
            self.next[usize::from(buffer.0)],
            at,
            "{} starts elsewhere",
            node.name
        );
        self.open.push((buffer, at));
        Descend::Into
    }

    fn value(&mut self, node: &Node, _: Value<'_>, span: Span) {
        let next = &mut self.next[usize::from(span.buffer.0)];
        assert_eq!(*next, span.at, "{} leaves a gap or overlaps", node.name);
        *next = span.end();
        assert!(
            !self.open.is_empty(),
            "{} is a leaf outside of all",
            node.name
        );
    }

    fn leave(&mut self, at: usize) {
        let (buffer, start) = self.open.pop().expect("a compound to leave");
        assert!(start <= at);
        assert_eq!(
            self.next[usize::from(buffer.0)],
            at,
            "a compound ends elsewhere"
        );
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn buffer(&mut self, buffer: BufferId, _: Span, bytes: &Arc<Vec<u8>>) {
        assert_eq!(usize::from(buffer.0), self.lens.len());
        self.next.push(0);
        self.lens.push(bytes.len());
    }
}
