//! Known mistakes, made in real messages of every API at every place where they can be made: the
//! first repair must name the mistake, at its place.

use std::collections::BTreeMap;

use kafscope::{
    decode::{Claim, Framing, Subject, diagnose, request, response},
    encode::{request_frame, response_frame},
    event::{Descend, Node, Prefix, Problem, Role, Severity, Shape, Sink, Value},
    schema::{ApiKey, Catalogue, Direction, Kind},
    wire::{BufferId, Span},
};

use crate::vectors::vectors;

/// Where a message can be got wrong, as its decode tells.
#[derive(Default)]
struct Leaves {
    found: Vec<Leaf>,
    errors: usize,
    /// Compounds that are open, and which of them is the outermost tagged field: its size counts
    /// what is inside, so that no mistake in there comes alone.
    depth: usize,
    tagged: Option<usize>,
}

#[derive(Clone)]
struct Leaf {
    span: Span,
    kind: LeafKind,
}

#[derive(Clone, Copy, PartialEq)]
enum LeafKind {
    /// The length of a text, of bytes or of an array: bytes of it where it is not compact, the
    /// length.
    Length {
        fixed: usize,
        length: usize,
        compact: bool,
    },
    /// The number of tagged fields, which is 0.
    NoTags,
    Int,
}

impl Sink for Leaves {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        self.depth += 1;
        if matches!(node.shape, Shape::TaggedFields { .. }) {
            self.tagged.get_or_insert(self.depth);
        }
        Descend::Into
    }

    fn value(&mut self, node: &Node, value: Value<'_>, span: Span) {
        if span.buffer != BufferId::FRAME || self.tagged.is_some() {
            return;
        }
        let kind = match (node.role, value) {
            (Role::FrameSize, _) => return,
            (Role::TaggedCount, Value::Uvarint(0)) => LeafKind::NoTags,
            (Role::Length { count } | Role::Size { bytes: count }, value) => LeafKind::Length {
                fixed: 4,
                length: count as usize,
                compact: matches!(value, Value::Uvarint(_)),
            },
            (_, Value::String(bytes, prefix) | Value::Bytes(bytes, prefix)) => LeafKind::Length {
                fixed: if matches!(value, Value::String(..)) {
                    2
                } else {
                    4
                },
                length: bytes.len(),
                compact: prefix == Prefix::Compact,
            },
            (_, Value::Int8(_) | Value::Int16(_) | Value::Int32(_) | Value::Int64(_)) => {
                LeafKind::Int
            }
            _ => return,
        };
        self.found.push(Leaf { span, kind });
    }

    fn leave(&mut self, _: usize) {
        if self.tagged == Some(self.depth) {
            self.tagged = None;
        }
        self.depth -= 1;
    }

    fn wants_content(&self) -> bool {
        false
    }

    fn problem(&mut self, problem: Problem) {
        self.errors += usize::from(problem.severity == Severity::Error);
    }
}

/// A message with one mistake.
struct Wrong {
    mistake: &'static str,
    /// A word of the repair.
    says: &'static str,
    at: usize,
    bytes: Vec<u8>,
}

/// Replaces `len` bytes at `at` and sets the size right.
fn splice(frame: &[u8], at: usize, len: usize, with: &[u8]) -> Vec<u8> {
    let mut bytes = [&frame[..at], with, &frame[at + len..]].concat();
    let size = i32::try_from(bytes.len() - 4).unwrap();
    bytes[..4].copy_from_slice(&size.to_be_bytes());
    bytes
}

/// `frame` with each mistake at each place.
fn spoil(frame: &[u8], leaves: &[Leaf]) -> Vec<Wrong> {
    let mut wrongs = Vec::new();
    let mut push = |mistake, says, at, bytes| {
        wrongs.push(Wrong {
            mistake,
            says,
            at,
            bytes,
        });
    };
    for leaf in leaves {
        let at = leaf.span.at;
        match leaf.kind {
            LeafKind::NoTags => {
                push(
                    "tags missing",
                    "missing|lacks",
                    at,
                    splice(frame, at, 1, &[]),
                );
                push(
                    "tags extra",
                    "too many|tagged-fields byte",
                    at,
                    splice(frame, at, 0, &[0]),
                );
            }
            LeafKind::Length {
                fixed,
                length,
                compact: true,
            } if length < 126 => {
                let fixed_bytes = match fixed {
                    2 => (length as u16).to_be_bytes().to_vec(),
                    _ => (length as u32).to_be_bytes().to_vec(),
                };
                push(
                    "fixed length",
                    "is an int",
                    at,
                    splice(frame, at, 1, &fixed_bytes),
                );
                if length > 0 {
                    push(
                        "not plus one",
                        "n+1",
                        at,
                        splice(frame, at, 1, &[length as u8]),
                    );
                }
                push(
                    "count one more",
                    "says|n+1",
                    at,
                    splice(frame, at, 1, &[length as u8 + 2]),
                );
            }
            LeafKind::Length {
                fixed,
                length,
                compact: false,
            } if length < 126 => {
                push(
                    "compact length",
                    "varint|compact length|one byte",
                    at,
                    splice(frame, at, fixed, &[length as u8 + 1]),
                );
                let mut more = vec![0; fixed];
                more[fixed - 1] = length as u8 + 1;
                push(
                    "plus one",
                    "one too many|says",
                    at,
                    splice(frame, at, fixed, &more),
                );
                if length > 0 {
                    more[fixed - 1] = length as u8 - 1;
                    push(
                        "count one less",
                        "says",
                        at,
                        splice(frame, at, fixed, &more),
                    );
                }
            }
            LeafKind::Int if at >= 12 => {
                push(
                    "field missing",
                    "missing",
                    at,
                    splice(frame, at, leaf.span.len, &[]),
                );
                let field = &frame[at..at + leaf.span.len];
                match field {
                    [0, 0, 0, 0, low @ ..] if low.len() == 4 => push(
                        "int64 as int32",
                        "takes 4 bytes|missing",
                        at,
                        splice(frame, at, 8, low),
                    ),
                    &[high, ..] if field.len() == 4 => push(
                        "int32 as int64",
                        "takes 8 bytes|says|too many",
                        at,
                        splice(frame, at, 0, &[if high < 0x80 { 0 } else { 0xff }; 4]),
                    ),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let mut sized = frame.to_vec();
    sized[..4].copy_from_slice(&i32::try_from(frame.len()).unwrap().to_be_bytes());
    push("size counts itself", "counts itself", 0, sized);
    push("size missing", "size", 0, frame[4..].to_vec());
    push("size cut", "2 of the 4 bytes", 0, frame[2..].to_vec());
    push("glued", "behind it", frame.len(), [frame, frame].concat());
    wrongs
}

#[derive(Default)]
struct Score {
    made: usize,
    silent: usize,
    first: usize,
    named: usize,
    misses: Vec<String>,
}

#[test]
fn every_known_mistake_is_named_at_its_place() {
    let catalogue = Catalogue::current();
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for vector in vectors().iter().step_by(5) {
        let plan = vector.plan();
        let direction = match plan.kind {
            Kind::Request => Direction::Request,
            Kind::Response => Direction::Response,
            _ => continue,
        };
        let api = ApiKey(plan.api_key.unwrap());
        let (frame, claim) = match direction {
            Direction::Request => (
                request_frame(
                    catalogue,
                    api,
                    plan.version,
                    7,
                    Some("client-1"),
                    &vector.body,
                ),
                Claim::Requests,
            ),
            Direction::Response => (
                response_frame(catalogue, api, plan.version, 7, &vector.body),
                Claim::Responses {
                    api,
                    version: plan.version,
                },
            ),
        };
        if frame.len() > 1_000 {
            continue;
        }
        let leaves = |bytes: &[u8]| {
            let mut leaves = Leaves::default();
            match claim {
                Claim::Requests => request(catalogue, Framing::Sized, bytes, &mut leaves),
                Claim::Responses { api, version } => {
                    response(catalogue, Framing::Sized, bytes, api, version, &mut leaves)
                }
            };
            leaves
        };
        let whole = leaves(&frame);
        assert_eq!(whole.errors, 0);
        for wrong in spoil(&frame, &whole.found) {
            let score = scores.entry(wrong.mistake).or_default();
            score.made += 1;
            if leaves(&wrong.bytes).errors == 0 {
                score.silent += 1;
                continue;
            }
            let subject = Subject::Message(claim, Framing::Sized);
            let repairs = diagnose(catalogue, subject, &wrong.bytes);
            let names = |repair: &kafscope::decode::Repair| {
                wrong
                    .says
                    .split('|')
                    .any(|word| repair.message.contains(word))
                    && repair.span.at.abs_diff(wrong.at) <= 4
            };
            if repairs.first().is_some_and(names) {
                score.first += 1;
            } else if score.misses.len() < 10 {
                score.misses.push(format!(
                    "{} {} at {:#x} of {}: {:?}",
                    vector.message,
                    vector.version,
                    wrong.at,
                    wrong.bytes.len(),
                    repairs
                        .iter()
                        .map(|r| format!("{:#x} {}", r.span.at, r.message))
                        .collect::<Vec<_>>()
                ));
            }
            if repairs.iter().any(names) {
                score.named += 1;
            }
        }
    }
    for (mistake, score) in &scores {
        let n = score.made - score.silent;
        // A field left out can be told from others of its kind by luck alone, and so can zeros.
        let (first, named) = match *mistake {
            "field missing" => (0.35, 0.6),
            "int64 as int32" | "int32 as int64" => (0.4, 0.6),
            _ => (0.9, 0.97),
        };
        let share = |count: usize| count as f64 / n as f64;
        assert!(
            n > 100 && share(score.first) > first && share(score.named) > named,
            "{mistake}: {n} made, {} named first, {} named\n{}",
            score.first,
            score.named,
            score.misses.join("\n")
        );
    }
}
