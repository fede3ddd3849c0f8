//! One message of a capture, decoded: the bytes found again, read as what the exchange says.

use std::ops::Range;

use super::{Direction, Ended, Exchange, Gathered, Kind, Message, Session};
use crate::{
    decode::{
        Claim, Decoded, Framing, Subject, diagnose, envelope_response, request, response,
        response_candidates, sasl_token, verdict, wrapped_request,
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
    /// Decodes one direction of an exchange; `None` when the capture does not hold it. Where it is
    /// malformed, the mistake that would explain it is looked for.
    pub fn open_message(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
    ) -> Option<Opened> {
        let mut opened = self.decode_message(catalogue, exchange, direction)?;
        let (true, true, Some((key, version))) = (
            opened.gathered.missing.is_empty(),
            opened.tree.is_doubtful(),
            exchange.api,
        ) else {
            return Some(opened);
        };
        let claim = match direction {
            Direction::Request => Claim::Requests,
            Direction::Response => Claim::Responses {
                api: ApiKey(key),
                version,
            },
        };
        let subject = Subject::Message(claim, Framing::Sized);
        let repairs = diagnose(catalogue, subject, &opened.gathered.bytes);
        for problem in verdict(&repairs) {
            opened.tree.add_problem(problem);
        }
        Some(opened)
    }

    /// Like [`Session::open_message`], for those who do not ask why a message is malformed.
    pub fn decode_message(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
    ) -> Option<Opened> {
        let message = exchange.message(direction)?;
        let gathered = self.bytes(message);
        let framing = if gathered.missing.is_empty() {
            Framing::Sized
        } else {
            Framing::Cut {
                holes: &gathered.missing,
            }
        };
        let bytes = gathered.bytes.clone();
        let (mut tree, decoded) = self.read(catalogue, exchange, direction, framing, bytes);
        if let Some(hole) = gathered.missing.first() {
            tree.add_problem(gap(message, direction, &gathered, hole));
        }
        Some(Opened {
            tree,
            decoded,
            gathered,
        })
    }
}

impl Session {
    /// Decodes bytes as what the exchange says that they are.
    pub(super) fn read(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
        framing: Framing<'_>,
        bytes: Vec<u8>,
    ) -> (Tree, Option<Decoded>) {
        let builder = Builder::knowing(self.cluster());
        match (exchange.kind, exchange.api, direction) {
            (Kind::SaslToken, _, _) => {
                let (tree, ()) = builder.decode(bytes, |bytes, sink| {
                    sasl_token(framing, bytes, sink);
                });
                (tree, None)
            }
            (_, None, _) => orphan(catalogue, framing, bytes, builder),
            (_, Some(_), Direction::Request) => {
                let (tree, decoded) = builder.decode(bytes, |bytes, sink| {
                    request(catalogue, framing, bytes, sink)
                });
                (tree, Some(decoded))
            }
            (_, Some((key, version)), Direction::Response) if ApiKey(key) == ApiKey::ENVELOPE => {
                let wrapped = self.wrapped_request(catalogue, exchange);
                let (tree, decoded) = builder.decode(bytes, |bytes, sink| {
                    envelope_response(catalogue, framing, bytes, version, wrapped, sink)
                });
                (tree, Some(decoded))
            }
            (_, Some((key, version)), Direction::Response) => {
                let (tree, decoded) = builder.decode(bytes, |bytes, sink| {
                    response(catalogue, framing, bytes, ApiKey(key), version, sink)
                });
                (tree, Some(decoded))
            }
        }
    }

    /// API key and version of the request that the exchange's request wraps.
    fn wrapped_request(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
    ) -> Option<(i16, i16)> {
        let gathered = self.bytes(exchange.request.as_ref()?);
        let framing = Framing::Cut {
            holes: &gathered.missing,
        };
        wrapped_request(catalogue, framing, &gathered.bytes)
    }
}

/// A response whose request was not captured: read as the first API and version that takes exactly
/// all of its bytes, with the others named. One with holes could be anything.
fn orphan(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: Vec<u8>,
    builder: Builder,
) -> (Tree, Option<Decoded>) {
    let candidates = match framing {
        Framing::Cut { .. } => Vec::new(),
        _ => response_candidates(catalogue, framing, &bytes),
    };
    let (api, version) = candidates
        .first()
        .map_or((ApiKey::UNKNOWN, -1), |candidate| {
            (candidate.api, candidate.version)
        });
    let (mut tree, decoded) = builder.decode(bytes, |bytes, sink| {
        response(catalogue, framing, bytes, api, version, sink)
    });
    let names: Vec<String> = candidates
        .iter()
        .take(CANDIDATES)
        .map(|candidate| format!("{} {}", candidate.api, candidate.version))
        .collect();
    let message = match (names.as_slice(), candidates.len()) {
        ([], _) if matches!(framing, Framing::Cut { .. }) => {
            "its request was not captured, and with bytes missing it could be of any API".to_owned()
        }
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

/// What of the message is not in the capture, by the size that it claims; the bytes at hand may
/// stop before that, as memory is not reserved for a claim.
fn gap(
    message: &Message,
    direction: Direction,
    gathered: &Gathered,
    first: &Range<usize>,
) -> Problem {
    let held: usize = gathered
        .origins
        .iter()
        .map(|origin| origin.range.len())
        .sum();
    let lost = (message.size as usize).saturating_sub(held);
    let behind = held.saturating_sub(first.start);
    Problem {
        severity: Severity::Error,
        code: Code::Gap,
        span: Span::new(BufferId::FRAME, first.start, first.end),
        place: Place::Here,
        message: match (behind, message.ended) {
            (0, Some(ended)) => {
                let who = closing(ended, direction);
                let size = message.size;
                format!("the connection ended after {held} of {size} bytes: {who}")
            }
            (0, None) => format!("the last {lost} bytes were not captured"),
            _ => format!(
                "{lost} bytes were not captured; {behind} bytes behind the first of them were"
            ),
        },
    }
}

/// Who ended the connection inside a message, and how.
fn closing(ended: Ended, direction: Direction) -> &'static str {
    match (ended, direction) {
        (Ended::Closed, Direction::Request) => "the client closed it",
        (Ended::Closed, Direction::Response) => "the broker closed it",
        (Ended::Aborted, Direction::Request) | (Ended::Refused, Direction::Response) => {
            "the client aborted it"
        }
        (Ended::Aborted, Direction::Response) | (Ended::Refused, Direction::Request) => {
            "the broker aborted it"
        }
    }
}
