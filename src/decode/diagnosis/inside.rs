//! Where a message is fine and what a bytes field of it holds is not: the mistake in there.

use super::{Case, Repair, Subject, batch, diagnose, trace::Content, wording};
use crate::{
    decode::{Claim, Framing, request, response, structure},
    event::{Code, Descend, Node, Problem, Severity, Sink, Value},
    payload::Lead,
    schema::{ApiKey, Inside, TypePlan},
    wire::{BufferId, Span},
};

/// What a mistake costs at most in content that may be something else.
const LIKELY: u32 = 32;

/// Bytes of the version in front of a structure.
const VERSION: usize = 2;

impl Case<'_> {
    /// The mistakes of the first content that has one.
    pub(super) fn inside(&self) -> Vec<Repair> {
        let contents = self.plain.iter().flat_map(|plain| &plain.contents);
        let doubts = self.doubts();
        contents
            .filter(|content| doubts.iter().any(|doubt| overlap(*doubt, content.span)))
            .map(|content| self.content(*content))
            .find(|repairs| !repairs.is_empty())
            .unwrap_or_default()
    }

    /// Where the decoder is not content with what bytes fields hold.
    fn doubts(&self) -> Vec<Span> {
        let mut doubts = Doubts::default();
        match self.subject {
            Subject::Message(Claim::Requests, framing) => {
                request(self.catalogue, framing, self.bytes, &mut doubts);
            }
            Subject::Message(Claim::Responses { api, version }, framing) => {
                response(
                    self.catalogue,
                    framing,
                    self.bytes,
                    api,
                    version,
                    &mut doubts,
                );
            }
            Subject::Structure(plan) => structure(plan, Lead::None, self.bytes, &mut doubts),
        }
        doubts.0
    }

    fn content(&self, content: Content) -> Vec<Repair> {
        let (at, end) = (content.span.at, content.span.end());
        let bytes = self.bytes.get(at..end).unwrap_or_default();
        if matches!(content.plan.ty, TypePlan::Records) {
            let found = batch::diagnose(bytes);
            return found.into_iter().map(|repair| repair.moved(at)).collect();
        }
        let Some(inside) = content.plan.inside else {
            return Vec::new();
        };
        let mut repairs = match inside {
            Inside::Request if ApiKey(int16(bytes).unwrap_or(-1)) != ApiKey::ENVELOPE => {
                let subject = Subject::Message(Claim::Requests, Framing::Bare);
                diagnose(self.catalogue, subject, bytes)
            }
            Inside::Principal => self.versioned("DefaultPrincipalData", bytes),
            Inside::Subscription | Inside::Assignment => self.group(inside, bytes),
            _ => Vec::new(),
        };
        let name = wording::name(content.plan);
        for repair in &mut repairs {
            repair.span.at += at;
            repair.message = format!("in {name}: {}", repair.message);
        }
        repairs
    }

    /// What a consumer or a Connect worker could have meant, the likelier of both. Groups of other
    /// types have content of their own, so it has to be likely.
    fn group(&self, inside: Inside, bytes: &[u8]) -> Vec<Repair> {
        let names = match inside {
            Inside::Subscription => ["ConsumerProtocolSubscription", "ConnectProtocolMetadata"],
            _ => ["ConsumerProtocolAssignment", "ConnectProtocolAssignment"],
        };
        let found = names.map(|name| self.versioned(name, bytes));
        let cost = |repairs: &Vec<Repair>| repairs.first().map_or(u32::MAX, |first| first.cost);
        let best = found.into_iter().min_by_key(cost).unwrap_or_default();
        match cost(&best) {
            ..=LIKELY => best,
            _ => Vec::new(),
        }
    }

    /// The mistakes of a structure behind its version.
    fn versioned(&self, name: &str, bytes: &[u8]) -> Vec<Repair> {
        let plan = int16(bytes).and_then(|version| self.catalogue.plan(name, version));
        let (Some(plan), Some(body)) = (plan, bytes.get(VERSION..)) else {
            return Vec::new();
        };
        let repairs = diagnose(self.catalogue, Subject::Structure(plan), body);
        repairs
            .into_iter()
            .map(|repair| repair.moved(VERSION))
            .collect()
    }
}

/// Keeps where something is wrong.
#[derive(Default)]
struct Doubts(Vec<Span>);

impl Sink for Doubts {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        Descend::Into
    }

    fn value(&mut self, _: &Node, _: Value<'_>, _: Span) {}

    fn leave(&mut self, _: usize) {}

    fn problem(&mut self, problem: Problem) {
        if problem.severity == Severity::Error || problem.code == Code::Embedded {
            self.0.push(problem.span);
        }
    }
}

fn overlap(one: Span, other: Span) -> bool {
    // What is missing at the end of content has no bytes.
    one.buffer == other.buffer && one.at <= other.end() && other.at <= one.end()
}

fn int16(bytes: &[u8]) -> Option<i16> {
    bytes.first_chunk().copied().map(i16::from_be_bytes)
}

impl Repair {
    /// The same in bytes that start at `by`.
    fn moved(self, by: usize) -> Repair {
        Repair {
            span: Span {
                at: self.span.at + by,
                ..self.span
            },
            ..self
        }
    }
}
