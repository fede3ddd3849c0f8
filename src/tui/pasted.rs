//! Pasted text, or a file of it, as messages, for any browser.
//!
//! In: text in any notation, or raw bytes. Out: a page for each message in it, without the headers of packets, and
//! for bytes behind a gap of which nothing tells where in a message they belong.

use std::cmp::Reverse;

use super::Page;
use crate::{
    decode::{
        Claim, Decoded, Subject, Talk, Turn, diagnose, request, response, structure_candidates,
        undecoded, verdict,
    },
    hextext::{self, Candidate, Part, Reading},
    schema::Catalogue,
    session::{self, capture_in, fit, is_token, message_problem, owed, prepare, split},
    tree::{Builder, Tree},
};

/// What bytes that nothing tells the place of in a message are called.
const UNPLACED: &str = "bytes behind a gap";

/// The messages in a text in any notation.
///
/// # Errors
/// Why the text holds none.
pub(super) fn pasted(catalogue: &'static Catalogue, text: &str) -> Result<Vec<Page>, String> {
    pages(catalogue, text.as_bytes())
}

/// The messages in a file; `None` where it holds something else, which `decode` knows more of.
pub fn messages_in(catalogue: &'static Catalogue, content: &[u8]) -> Option<Vec<Page>> {
    let pages = pages(catalogue, content).ok()?;
    let mut messages = pages.iter().filter(|page| is_message(catalogue, page));
    messages.next().is_some().then_some(pages)
}

/// Whether a page is a message by more than its first bytes.
fn is_message(catalogue: &'static Catalogue, page: &Page) -> bool {
    let is_known = page.decoded.as_ref().is_some_and(|it| it.plan.is_some());
    let Some(frame) = page.tree.buffers().first().filter(|_| is_known) else {
        return false;
    };
    let is_something_else = || {
        let mut structures = structure_candidates(catalogue, &frame.bytes).into_iter();
        is_token(&frame.bytes) || structures.next().is_some_and(|found| found.is_likely())
    };
    !page.tree.has_errors() || !is_something_else()
}

fn pages(catalogue: &'static Catalogue, content: &[u8]) -> Result<Vec<Page>, String> {
    let parts = match hextext::read(content) {
        Reading::Bytes(candidates) => best(catalogue, candidates),
        Reading::Binary(_) => vec![Part {
            bytes: content.to_vec(),
            ..Part::default()
        }],
        Reading::Numbers(_) => {
            return Err(
                "what was pasted are numbers of a log; kafscope decode explains them".to_owned(),
            );
        }
        Reading::Refused(refusal) => return Err(refusal.to_string()),
    };
    if let Some(capture) = capture_in(&parts) {
        return Err(capture);
    }
    let mut talk = Talk::new(catalogue);
    let mut pages = Vec::new();
    for part in &parts {
        let mut missing = None;
        for (idx, piece) in session::pieces(part).iter().enumerate() {
            let start = match idx {
                0 => Some(0),
                _ => missing.or_else(|| talk.resume(&piece.bytes)),
            };
            missing = owed(piece);
            let (unplaced, piece) = split(piece, start.unwrap_or(piece.bytes.len()));
            if !unplaced.bytes.is_empty() {
                let (tree, ()) = Builder::build(unplaced.bytes, |bytes, sink| {
                    undecoded(UNPLACED, bytes, sink);
                });
                pages.push(page(tree, None));
            }
            if piece.bytes.is_empty() {
                continue;
            }
            talk.came(piece.way);
            let turns = talk.turns(&piece.bytes);
            pages.extend(turns.iter().map(|turn| message(catalogue, &piece, turn)));
        }
    }
    match pages.is_empty() {
        true => Err("what was pasted holds no bytes".to_owned()),
        false => Ok(pages),
    }
}

/// The parts of the reading whose bytes are messages, else of that whose text looks most like bytes.
fn best(catalogue: &'static Catalogue, candidates: Vec<Candidate>) -> Vec<Part> {
    let readings = candidates.into_iter().map(|candidate| {
        let mut parts = candidate.parts;
        // The headers of packets that it tells of are not on the page.
        prepare(&mut parts);
        parts
    });
    let judged = |parts: &Vec<Part>| {
        let problem = |bytes: &[u8]| message_problem(catalogue, Claim::Requests, bytes);
        Reverse(fit(catalogue, parts, true, problem).0)
    };
    readings.min_by_key(judged).unwrap_or_default()
}

/// A message of a piece, with what would explain its errors.
fn message(catalogue: &'static Catalogue, piece: &Part, turn: &Turn) -> Page {
    let frame = piece.bytes.get(turn.range.clone()).unwrap_or_default();
    let (mut tree, decoded) = Builder::build(frame.to_vec(), |bytes, sink| match turn.claim {
        Claim::Requests => request(catalogue, turn.framing, bytes, sink),
        Claim::Responses { api, version } => {
            response(catalogue, turn.framing, bytes, api, version, sink)
        }
    });
    // What is left out explains why the message is not whole.
    let is_cut = piece.holes.iter().any(|hole| hole.at == turn.range.end);
    if tree.is_doubtful() && !is_cut {
        let subject = Subject::Message(turn.claim, turn.framing);
        for problem in verdict(&diagnose(catalogue, subject, frame)) {
            tree.add_problem(problem);
        }
    }
    page(tree, Some(decoded))
}

fn page(tree: Tree, decoded: Option<Decoded>) -> Page {
    Page {
        tree,
        decoded,
        origins: Vec::new(),
        files: Vec::new(),
    }
}
