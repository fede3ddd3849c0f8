//! Carries a sink through a decode: keeps skipped compounds quiet and turns faults into problems.

use std::sync::Arc;

use uuid::Uuid;

use super::{
    Code, Context, Descend, Meaning, Node, Place, Prefix, Problem, Role, Section, Severity, Shape,
    Sink, Value,
};
use crate::wire::{BufferId, Cursor, Fault, Span};

/// Decoding cannot go on in this window; the problem has been reported.
#[derive(Debug)]
pub struct Stop;

/// A sink on its way through a decode. Decoders add their methods to it.
#[derive(Debug)]
pub struct Walker<'s, S> {
    sink: &'s mut S,
    /// Whether the bytes end where a capture lost the rest, which is not the sender's fault.
    is_cut: bool,
    /// Number of open compounds below one that the sink skips, that one included.
    quiet: u32,
    /// The section of all nodes, whatever they say of themselves.
    section: Option<Section>,
    /// Whether the sink gets all nodes as they are: neither `quiet` nor in a `section`. Nearly
    /// always it does, and this is asked for every node.
    is_plain: bool,
    spent: Spent,
    context: Context,
}

/// What a decode has made of compressed data so far. The bytes of a message bound what is read
/// from them; only what decompression adds has to be counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Buffers that were opened.
    pub buffers: u16,
    /// Bytes in them.
    pub bytes: usize,
    /// Nodes in them.
    pub nodes: usize,
}

impl<'s, S: Sink> Walker<'s, S> {
    /// A walker at the start of a decode into `sink`.
    pub fn new(sink: &'s mut S) -> Walker<'s, S> {
        Walker {
            sink,
            is_cut: false,
            quiet: 0,
            section: None,
            is_plain: true,
            spent: Spent::default(),
            context: Context::default(),
        }
    }

    /// What earlier fields have said.
    pub fn context(&self) -> Context {
        self.context
    }

    /// Notes what a field says of later ones.
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// Runs `content` one bytes field deeper; what fields in there say is forgotten behind it.
    pub fn inside<T>(&mut self, content: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.context;
        self.context.depth += 1;
        let result = content(self);
        self.context = before;
        result
    }

    /// What decompression has added so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Hands `bytes`, which the value at `source` was decompressed to, to the sink. `None` when
    /// there are as many buffers as can be numbered.
    pub fn open_buffer(&mut self, source: Span, bytes: &Arc<Vec<u8>>) -> Option<BufferId> {
        let number = self.spent.buffers.checked_add(1)?;
        self.spent.buffers = number;
        self.spent.bytes = self.spent.bytes.saturating_add(bytes.len());
        self.sink.buffer(BufferId(number), source, bytes);
        Some(BufferId(number))
    }

    /// Whether the sink skips what is being decoded.
    pub fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// Whether the sink wants to know what is inside bytes fields, here.
    pub fn wants_content(&self) -> bool {
        self.quiet == 0 && self.sink.wants_content()
    }

    /// The name of a topic, where the sink knows it.
    pub fn topic_name(&self, id: Uuid) -> Option<&str> {
        self.sink.topic_name(id)
    }

    /// Enters `node` at the cursor, runs `content`, and leaves where that ended.
    #[inline]
    pub fn compound<'a>(
        &mut self,
        node: &Node,
        cursor: &mut Cursor<'a>,
        content: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        self.compound_from(node, from, cursor, content)
    }

    /// Like [`Walker::compound`] for a compound that started at `from`, before the cursor.
    #[inline]
    pub fn compound_from<'a>(
        &mut self,
        node: &Node,
        from: usize,
        cursor: &mut Cursor<'a>,
        content: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.count(cursor.buffer());
        if !self.is_plain {
            self.enter_otherwise(node, cursor.buffer(), from);
        } else if self.sink.enter(node, cursor.buffer(), from) == Descend::Skip {
            self.quiet = 1;
            self.is_plain = false;
        }
        let result = content(self, cursor);
        if self.is_plain {
            self.sink.leave(cursor.at());
        } else {
            self.leave_otherwise(cursor.at());
        }
        result
    }

    #[inline(never)]
    fn enter_otherwise(&mut self, node: &Node, buffer: BufferId, at: usize) {
        if self.quiet > 0 {
            self.quiet += 1;
        } else if self.sink.enter(&self.placed(node), buffer, at) == Descend::Skip {
            self.quiet = 1;
        }
    }

    #[inline(never)]
    fn leave_otherwise(&mut self, at: usize) {
        self.quiet = self.quiet.saturating_sub(1);
        if self.quiet == 0 {
            self.sink.leave(at);
        }
        self.settle();
    }

    /// Reports a leaf.
    #[inline]
    pub fn value(&mut self, node: &Node, value: Value<'_>, span: Span) {
        self.count(span.buffer);
        if self.is_plain {
            self.sink.value(node, value, span);
        } else {
            self.value_otherwise(node, value, span);
        }
    }

    #[inline(never)]
    fn value_otherwise(&mut self, node: &Node, value: Value<'_>, span: Span) {
        if self.quiet == 0 {
            self.sink.value(&self.placed(node), value, span);
        }
    }

    /// Runs `content` with all its nodes in `section`: a structure that lies inside another part
    /// of a message belongs to that part, whatever its definition is used for elsewhere.
    pub fn within<T>(&mut self, section: Section, content: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.section.replace(section);
        self.settle();
        let result = content(self);
        self.section = before;
        self.settle();
        result
    }

    fn settle(&mut self) {
        self.is_plain = self.quiet == 0 && self.section.is_none();
    }

    fn placed(&self, node: &Node) -> Node {
        Node {
            section: self.section.unwrap_or(node.section),
            ..*node
        }
    }

    #[inline]
    fn count(&mut self, buffer: BufferId) {
        self.spent.nodes += usize::from(buffer != BufferId::FRAME);
    }

    /// A leaf that only says how the next one is encoded.
    #[inline]
    pub fn encoding(
        &mut self,
        name: &'static str,
        ty: &'static str,
        role: Role,
        section: Section,
        value: Value<'_>,
        span: Span,
    ) {
        let node = Node {
            name,
            index: None,
            shape: Shape::Leaf { ty },
            role,
            meaning: Meaning::Plain,
            section,
            about: "",
        };
        self.value(&node, value, span);
    }

    /// Reports a problem.
    #[cold]
    pub fn problem(
        &mut self,
        severity: Severity,
        code: Code,
        place: impl Into<Place>,
        span: Span,
        message: String,
    ) {
        self.sink.problem(Problem {
            severity,
            code,
            span,
            place: place.into(),
            message,
        });
    }

    /// From here on, bytes that are missing at the end are the capture's loss: not reported.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Whether bytes that are missing at the end are the capture's loss.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Reports an error of the bytes in `span`.
    #[cold]
    pub fn error(
        &mut self,
        code: Code,
        place: impl Into<Place>,
        span: Span,
        message: String,
    ) -> Stop {
        // What a cut message lacks is said once, by whoever knows what was lost.
        let is_loss = matches!(
            code,
            Code::Short | Code::ImpossibleCount | Code::FrameSize | Code::PartialBatch
        );
        if !(self.is_cut && is_loss) {
            self.problem(Severity::Error, code, place, span, message);
        }
        Stop
    }

    /// Reports why a value of type `ty` could not be read at the cursor.
    #[cold]
    pub fn fault(
        &mut self,
        fault: Fault,
        place: impl Into<Place>,
        ty: &str,
        cursor: &Cursor<'_>,
    ) -> Stop {
        let rest = Span::new(cursor.buffer(), cursor.at(), cursor.end());
        match fault {
            Fault::Short { needed, found } => self.error(
                Code::Short,
                place,
                rest,
                format!("{ty} needs {}, {} left", n_bytes(needed), n_are(found)),
            ),
            Fault::LongVarint { limit } => self.error(
                Code::LongVarint,
                place,
                Span { len: limit, ..rest },
                format!("{ty} goes on past its {limit} bytes"),
            ),
        }
    }

    /// Emits the next `len` bytes, which the capture does not hold.
    pub fn not_captured(&mut self, cursor: &mut Cursor<'_>, len: usize, section: Section) {
        let from = cursor.at();
        let Ok(bytes) = cursor.take(len.min(cursor.left())) else {
            return;
        };
        if bytes.is_empty() {
            return;
        }
        let node = Node {
            name: "not_captured",
            index: None,
            shape: Shape::Leaf { ty: "bytes" },
            role: Role::NotCaptured,
            meaning: Meaning::Plain,
            section,
            about: "bytes that the capture does not hold",
        };
        self.value(&node, Value::Bytes(bytes, Prefix::None), cursor.since(from));
    }

    /// Emits what is left of the window as a leaf that nothing could read.
    pub fn undecoded(&mut self, cursor: &mut Cursor<'_>, section: Section) {
        if cursor.left() == 0 {
            return;
        }
        let from = cursor.at();
        let rest = cursor.rest();
        cursor.finish();
        self.value(
            &Node {
                name: "undecoded",
                index: None,
                shape: Shape::Leaf { ty: "bytes" },
                role: Role::Undecoded,
                meaning: Meaning::Plain,
                section,
                about: "bytes that no field claims",
            },
            Value::Bytes(rest, Prefix::None),
            cursor.since(from),
        );
    }
}

/// `n` with its unit.
pub fn n_bytes(n: u64) -> String {
    match n {
        1 => "1 byte".to_owned(),
        n => format!("{n} bytes"),
    }
}

/// How many bytes there are, as a predicate.
pub fn n_are(n: usize) -> String {
    match n {
        0 => "none are".to_owned(),
        1 => "1 is".to_owned(),
        n => format!("{n} are"),
    }
}

/// How many bytes there are, as a predicate with its unit.
pub fn bytes_are(n: usize) -> String {
    match n {
        0 => "no bytes are".to_owned(),
        1 => "1 byte is".to_owned(),
        n => format!("{n} bytes are"),
    }
}
