//! One message of a capture, decoded: the bytes found again, read as what the exchange says.

use std::ops::Range;

use super::{Direction, Exchange, Gathered, Kind, Session};
use crate::{
    decode::{
        Claim, Decoded, Framing, Subject, diagnose, request, response, response_candidates,
        sasl_token,
    },
    event::{Code, Place, Problem, Severity},
    schema::{ApiKey, Catalogue},
    tree::{Builder, Tree},
    wire::{BufferId, Span},
};

/// Other readings that are named for a response without its request.
const CANDIDATES: usize = 6;

/// A decoded message with what is known of its bytes.
#[derive(Debug)]
pub struct Opened {
    pub tree: Tree,
    /// What its header says; `None` for a raw SASL token.
    pub decoded: Option<Decoded>,
    /// The bytes of the capture, with where each of them comes from.
    pub gathered: Gathered,
}

impl Session {
    /// Decodes one direction of an exchange; `None` when the capture does not hold it.
    pub fn open_message(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
    ) -> Option<Opened> {
        let gathered = self.bytes(exchange.message(direction)?);
        let framing = match gathered.missing.first() {
            Some(hole) => Framing::Cut {
                at: hole.start,
                lost: hole.len(),
            },
            None => Framing::Sized,
        };
        let bytes = gathered.bytes.clone();
        let (mut tree, decoded) = match (exchange.kind, exchange.api, direction) {
            (Kind::SaslToken, _, _) => {
                let (tree, ()) = Builder::build(bytes, sasl_token);
                (tree, None)
            }
            (_, None, _) => orphan(catalogue, bytes),
            (_, Some(_), Direction::Request) => {
                let (tree, decoded) = Builder::build(bytes, |bytes, sink| {
                    request(catalogue, framing, bytes, sink)
                });
                (tree, Some(decoded))
            }
            (_, Some((key, version)), Direction::Response) => {
                let (tree, decoded) = Builder::build(bytes, |bytes, sink| {
                    response(catalogue, framing, bytes, ApiKey(key), version, sink)
                });
                (tree, Some(decoded))
            }
        };
        if let Some(hole) = gathered.missing.first() {
            tree.add_problem(gap(&gathered, hole));
        } else if let (true, Some((key, version))) = (tree.has_errors(), exchange.api) {
            let claim = match direction {
                Direction::Request => Claim::Requests,
                Direction::Response => Claim::Responses {
                    api: ApiKey(key),
                    version,
                },
            };
            let subject = Subject::Message(claim, Framing::Sized);
            for repair in diagnose(catalogue, subject, &gathered.bytes) {
                tree.add_problem(repair.problem());
            }
        }
        Some(Opened {
            tree,
            decoded,
            gathered,
        })
    }
}

/// A response whose request was not captured: read as the first API and version that takes exactly
/// all of its bytes, with the others named.
fn orphan(catalogue: &'static Catalogue, bytes: Vec<u8>) -> (Tree, Option<Decoded>) {
    let candidates = response_candidates(catalogue, Framing::Sized, &bytes);
    let (api, version) = candidates.first().map_or((ApiKey(-1), -1), |candidate| {
        (candidate.api, candidate.version)
    });
    let (mut tree, decoded) = Builder::build(bytes, |bytes, sink| {
        response(catalogue, Framing::Sized, bytes, api, version, sink)
    });
    let names: Vec<String> = candidates
        .iter()
        .take(CANDIDATES)
        .map(|candidate| format!("{} {}", candidate.api, candidate.version))
        .collect();
    let message = match (names.as_slice(), candidates.len()) {
        ([], _) => {
            "its request was not captured, and no API's response is exactly like it".to_owned()
        }
        ([_], _) => {
            "its request was not captured; no other API's response is exactly like it".to_owned()
        }
        (names, n) if n > names.len() => format!(
            "its request was not captured; it could be {} or {} more",
            names.join(", "),
            n - names.len()
        ),
        (names, _) => format!(
            "its request was not captured; it could be {}",
            names.join(", ")
        ),
    };
    tree.add_problem(Problem {
        severity: Severity::Note,
        code: Code::Orphan,
        span: Span::default(),
        place: Place::Here,
        message,
    });
    (tree, Some(decoded))
}

fn gap(gathered: &Gathered, first: &Range<usize>) -> Problem {
    let lost: usize = gathered.missing.iter().map(Range::len).sum();
    let behind = gathered.bytes.len() - first.start - lost;
    Problem {
        severity: Severity::Error,
        code: Code::Gap,
        span: Span::new(BufferId::FRAME, first.start, first.end),
        place: Place::Here,
        message: match behind {
            0 => format!("the last {lost} bytes were not captured"),
            _ => format!("{lost} bytes were not captured; the last {behind} bytes were"),
        },
    }
}
