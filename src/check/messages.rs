//! Messages against their definitions, down to their records.
//!
//! What the index counted problems in is decoded again, and so is whatever holds records, which the
//! index does not look into. The first message of each finding is diagnosed.

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
};
use crate::{
    event::{Code, Descend, Node, Place, Problem, Shape, Sink, Value},
    schema::{ApiKey, Catalogue, Direction},
    session::{Exchange, Index, Session},
    stats::Keep,
    wire::{BufferId, Span},
};

/// Problems of one message that are looked at; one that is broken throughout has one for each of a
/// million records.
const PROBLEMS: usize = 1_000;

/// Findings whose first message is diagnosed. A diagnosis can take half a second.
const DIAGNOSES: usize = 100;

pub(super) fn check(session: &Session, index: &Index, keep: Keep<'_>, found: &mut Findings) {
    let mut n_diagnoses = 0;
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = exchange.message(direction) else {
                continue;
            };
            if !message.is_whole() {
                let occurrence = Occurrence {
                    detail: format!("{} of {} bytes", message.captured, message.size),
                    ..place(&exchange)
                };
                let subject = name(&exchange, direction);
                let what = match message.ended {
                    Some(_) => "the connection ended inside it",
                    None => "the capture does not hold all of it",
                };
                let kind = Kind::Incomplete;
                found.add_one_of(Severity::Note, kind, subject, occurrence, what);
            }
            if exchange.problems == 0 && exchange.records == 0 {
                continue;
            }
            let mut problems = Problems::default();
            let catalogue = Catalogue::current();
            session.decode_into(catalogue, &exchange, direction, &mut problems);
            for seen in problems.found {
                let kind = seen.kind();
                let subject = match seen.path.is_empty() {
                    true => name(&exchange, direction),
                    false => format!("{} at {}", name(&exchange, direction), seen.path),
                };
                let is_new = !found.has(seen.severity, kind, &subject);
                let occurrence = Occurrence {
                    detail: format!("[{}] {}", seen.code, seen.message),
                    ..place(&exchange)
                };
                let mut detail = occurrence.detail.clone();
                if is_new && kind == Kind::Malformed && n_diagnoses < DIAGNOSES {
                    n_diagnoses += 1;
                    if let Some(repair) = diagnosis(session, &exchange, direction) {
                        detail = format!("{detail}; {repair}");
                    }
                }
                found.add(seen.severity, kind, subject, occurrence, || detail);
            }
        }
    }
}

/// Where an exchange is.
pub(super) fn place(exchange: &Exchange) -> Occurrence {
    Occurrence {
        n: Some(exchange.n),
        connection: Some(exchange.connection),
        batch: None,
        time: Some(exchange.time()),
        detail: String::new(),
    }
}

/// `Fetch 12 response`.
fn name(exchange: &Exchange, direction: Direction) -> String {
    let direction = direction.name();
    match exchange.api {
        Some((key, version)) => format!("{} {version} {direction}", ApiKey(key)),
        None => direction.to_owned(),
    }
}

/// The mistake that would explain a message.
fn diagnosis(session: &Session, exchange: &Exchange, direction: Direction) -> Option<String> {
    let opened = session.open_message(Catalogue::current(), exchange, direction)?;
    let mut problems = opened.tree.problems().iter();
    let found = problems.find(|found| found.problem.code == Code::Diagnosis)?;
    Some(found.problem.message.clone())
}

/// A problem with its path, in which the elements of arrays are all the same.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) severity: Severity,
    pub(super) code: Code,
    pub(super) path: String,
    pub(super) message: String,
}

impl Seen {
    /// The kind of finding that it is.
    pub(super) fn kind(&self) -> Kind {
        match (self.code, self.severity) {
            (Code::Checksum, _) => Kind::Checksum,
            (_, Severity::Error) => Kind::Malformed,
            _ => Kind::Irregular,
        }
    }
}

/// The sink that keeps problems.
#[derive(Debug, Default)]
pub(super) struct Problems {
    open: Vec<Step>,
    pub(super) found: Vec<Seen>,
}

/// What a compound adds to a path.
#[derive(Clone, Copy, Debug)]
enum Step {
    Nothing,
    Field(&'static str),
    Element,
}

impl Sink for Problems {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        let step = match (node.shape, node.index) {
            (
                Shape::Message { .. }
                | Shape::Frame
                | Shape::Body { .. }
                | Shape::TaggedFields { .. }
                | Shape::TaggedField { .. },
                _,
            ) => Step::Nothing,
            (_, Some(_)) => Step::Element,
            _ => Step::Field(node.name),
        };
        self.open.push(step);
        Descend::Into
    }

    fn value(&mut self, _: &Node, _: Value<'_>, _: Span) {}

    fn leave(&mut self, _: usize) {
        self.open.pop();
    }

    fn problem(&mut self, problem: Problem) {
        // These have findings of their own; what is unknown inside a body has none.
        let is_of_message =
            !self.open.is_empty() && self.open.iter().all(|step| matches!(step, Step::Nothing));
        let is_told = match problem.code {
            Code::UnknownApi | Code::Gap => true,
            Code::UnknownVersion => is_of_message,
            _ => false,
        };
        if problem.severity < Severity::Warning || is_told || self.found.len() >= PROBLEMS {
            return;
        }
        let last = match problem.place {
            Place::Here => Step::Nothing,
            Place::Field(name) => Step::Field(name),
            Place::Element(_) => Step::Element,
        };
        let mut path = String::new();
        for step in self.open.iter().chain([&last]) {
            match step {
                Step::Nothing => {}
                Step::Element => path.push_str("[]"),
                Step::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
            }
        }
        self.found.push(Seen {
            severity: problem.severity,
            code: problem.code,
            path,
            message: problem.message,
        });
    }
}
