//! Where a message is fine and what a bytes field of it holds is not: the mistake in there.

use super::{Budget, Case, Repair, Subject, batch, diagnose_within, trace::Content, wording};
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
    /// The mistakes of the first content that has one, of those that `budget` lasts for.
    pub(super) fn inside(&self, budget: &mut Budget) -> Vec<Repair> {
        let contents = self.plain.iter().flat_map(|plain| &plain.contents);
        let doubts = self.doubts();
        contents
            .filter(|content| doubts.iter().any(|doubt| overlap(*doubt, content.span)))
            .map_while(|content| {
                let is_left = budget.is_left();
                is_left.then(|| self.content(*content, budget))
            })
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

    fn content(&self, content: Content, budget: &mut Budget) -> Vec<Repair> {
        let (at, end) = (content.span.at, content.span.end());
        let bytes = self.bytes.get(at..end).unwrap_or_default();
        budget.spend(bytes.len());
        if matches!(content.plan.ty, TypePlan::Records) {
            let found = batch::diagnose(bytes);
            return found.into_iter().map(|repair| repair.moved(at)).collect();
        }
        let Some(inside) = content.plan.inside else {
            return Vec::new();
        };
        let repairs = match inside {
            Inside::Request if ApiKey(int16(bytes).unwrap_or(-1)) != ApiKey::ENVELOPE => {
                let subject = Subject::Message(Claim::Requests, Framing::Bare);
                diagnose_within(self.catalogue, subject, bytes, budget)
            }
            Inside::Principal => self.versioned("DefaultPrincipalData", bytes, budget),
            Inside::Subscription | Inside::Assignment => self.group(inside, bytes, budget),
            _ => Vec::new(),
        };
        let name = wording::name(content.plan);
        let in_message = |repair: Repair| Repair {
            message: format!("in {name}: {}", repair.message),
            ..repair.moved(at)
        };
        repairs.into_iter().map(in_message).collect()
    }

    /// What a consumer or a Connect worker could have meant, the likelier of both. Groups of other
    /// types have content of their own, so it has to be likely.
    fn group(&self, inside: Inside, bytes: &[u8], budget: &mut Budget) -> Vec<Repair> {
        let names = match inside {
            Inside::Subscription => ["ConsumerProtocolSubscription", "ConnectProtocolMetadata"],
            _ => ["ConsumerProtocolAssignment", "ConnectProtocolAssignment"],
        };
        let found = names.map(|name| self.versioned(name, bytes, budget));
        let cost = |repairs: &Vec<Repair>| repairs.first().map_or(u32::MAX, |first| first.cost);
        let best = found.into_iter().min_by_key(cost).unwrap_or_default();
        match cost(&best) {
            ..=LIKELY => best,
            _ => Vec::new(),
        }
    }

    /// The mistakes of a structure behind its version.
    fn versioned(&self, name: &str, bytes: &[u8], budget: &mut Budget) -> Vec<Repair> {
        let plan = int16(bytes).and_then(|version| self.catalogue.plan(name, version));
        let (Some(plan), Some(body)) = (plan, bytes.get(VERSION..)) else {
            return Vec::new();
        };
        let repairs = diagnose_within(self.catalogue, Subject::Structure(plan), body, budget);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decode::limits,
        encode::{body, example, request_frame},
        schema::{Catalogue, Direction},
    };
    use serde_json::json;

    /// Contents that nothing explains use up what is there for all of the message.
    #[test]
    fn one_budget_is_for_all_contents() {
        let catalogue = Catalogue::current();
        let join_group = ApiKey(11);
        let plan = catalogue
            .api_plan(join_group, Direction::Request, 7)
            .unwrap();
        let mut value = example(plan);
        value["Protocols"] = json!([
            { "Name": "one", "Metadata": "0001ffff07ffff0505ff0003000000fefefe" },
            { "Name": "two", "Metadata": "000100000001 02 74 ffffffff00000000".replace(' ', "") },
        ]);
        let body = body(plan, &value).unwrap();
        let bytes = request_frame(catalogue, join_group, 7, 7, Some("client"), &body);
        let subject = Subject::Message(Claim::Requests, Framing::Sized);
        let case = Case::new(catalogue, subject, &bytes);
        assert!(case.fits());
        let found = case.inside(&mut Budget::of(limits::TRIAL_BYTES));
        assert!(
            found[0]
                .message
                .starts_with("in Metadata: the length of Topics")
        );
        assert_eq!(case.inside(&mut Budget::of(1)), []);
        assert_eq!(case.inside(&mut Budget::of(0)), []);
    }
}
