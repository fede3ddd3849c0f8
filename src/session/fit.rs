//! How much sense the bytes of a reading make, which decides where a text can be read in several ways.
//!
//! In: the parts of a reading. Out: whether they are messages, or something else that is known, to the
//! last byte; else whether they look like that.

use super::Segment;
use crate::{
    decode::{
        Claim, Known, Piece, StructureCandidate, Talk, log, pieces, request, response,
        structure_candidates,
    },
    event::Severity,
    hextext::Part,
    payload::Token,
    records::are_records,
    schema::Catalogue,
    tree::{Builder, Tree},
};

/// How much sense the bytes of a reading make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// None.
    Nothing,
    /// Their sizes are right, they begin like requests, or could be something without a header.
    Partly,
    /// They are messages or structures to the last byte.
    Sound,
}

impl Fit {
    /// The word in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Fit::Nothing => "none",
            Fit::Partly => "partly",
            Fit::Sound => "exact",
        }
    }

    /// What is said of the bytes.
    pub fn verdict(self) -> &'static str {
        match self {
            Fit::Nothing => "make no message",
            Fit::Partly => "look like messages",
            Fit::Sound => "make sense to the last one",
        }
    }
}

/// How the parts of a reading fit, and what is wrong with them first. `problem` says what is wrong with
/// bytes as what they are said to be; where nobody said anything, `is_open`, they may be something else.
pub fn fit(
    catalogue: &'static Catalogue,
    parts: &[Part],
    is_open: bool,
    problem: impl Fn(&[u8]) -> Option<String>,
) -> (Fit, Option<String>) {
    let mut talk = Talk::new(catalogue);
    let mut worst = Fit::Sound;
    let mut first_problem = None;
    for part in parts {
        let bytes = part.bytes.as_slice();
        talk.came(part.way);
        let problem = problem(bytes);
        let is_sound = problem.is_none() || is_open && is_known(&mut talk, bytes);
        let is_like = is_framed(bytes) || is_open && is_like(catalogue, bytes);
        let fit = match (is_sound, is_like) {
            (true, _) => Fit::Sound,
            (false, true) => Fit::Partly,
            (false, false) => Fit::Nothing,
        };
        worst = worst.min(fit);
        if !is_sound && first_problem.is_none() {
            first_problem = problem;
        }
    }
    (worst, first_problem)
}

/// The first thing that is wrong with bytes that are to be messages.
pub fn message_problem(
    catalogue: &'static Catalogue,
    claim: Claim,
    bytes: &[u8],
) -> Option<String> {
    pieces(catalogue, claim, bytes)
        .into_iter()
        .find_map(|piece| {
            let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
            let (tree, _) = Builder::build(frame, |bytes, sink| match claim {
                Claim::Requests => request(catalogue, piece.framing, bytes, sink),
                Claim::Responses { api, version } => {
                    response(catalogue, piece.framing, bytes, api, version, sink)
                }
            });
            tree_problem(&tree)
        })
}

/// The first thing that is wrong in a tree, with its place.
pub fn tree_problem(tree: &Tree) -> Option<String> {
    let mut problems = tree.problems().iter();
    let found = problems.find(|found| found.problem.severity == Severity::Error)?;
    Some(format!(
        "at byte {} {}",
        found.problem.span.at, found.problem.message
    ))
}

/// Whether bytes that are no request are something else that is known.
fn is_known(talk: &mut Talk, bytes: &[u8]) -> bool {
    let turns = talk.turns(bytes);
    turns.iter().any(|turn| turn.known != Known::Header) || is_token(bytes) || is_log(bytes)
}

/// Whether bytes begin like a request that names its client, or could be a structure, which chance
/// can make of a few bytes.
fn is_like(catalogue: &'static Catalogue, bytes: &[u8]) -> bool {
    let names_client = |piece: Piece| {
        let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
        let (_, decoded) = Builder::build(frame, |bytes, sink| {
            request(catalogue, piece.framing, bytes, sink)
        });
        let client_id = decoded.client_id.unwrap_or_default();
        let is_readable = client_id.chars().all(|c| c.is_ascii_graphic());
        decoded.plan.is_some() && !client_id.is_empty() && is_readable
    };
    let first = pieces(catalogue, Claim::Requests, bytes).into_iter().next();
    first.is_some_and(names_client)
        || structure_candidates(catalogue, bytes)
            .first()
            .is_some_and(StructureCandidate::is_likely)
}

/// Whether the bytes are a SASL token with its size in front.
pub fn is_token(frame: &[u8]) -> bool {
    let Some((size, token)) = frame.split_first_chunk() else {
        return false;
    };
    usize::try_from(i32::from_be_bytes(*size)) == Ok(token.len()) && Token::of(token).is_some()
}

/// Whether the first four bytes are the size of the others.
fn is_framed(bytes: &[u8]) -> bool {
    let size = bytes.first_chunk().copied().map(u32::from_be_bytes);
    size.is_some_and(|size| usize::try_from(size) == Ok(bytes.len() - 4))
}

/// Bytes of the largest request that brokers take unless told otherwise, and so of a batch.
const LARGEST_BATCH: i32 = 100 << 20;

/// Whether the bytes are record batches or messages of a log: the first of them is sound, or all
/// that there is of them.
pub fn is_log(bytes: &[u8]) -> bool {
    let size = bytes.get(8..).and_then(|size| size.first_chunk().copied());
    let size = size.map(i32::from_be_bytes);
    let is_credible = size.is_some_and(|size| size <= LARGEST_BATCH && has_key(bytes, size));
    Segment::starts(bytes)
        || is_credible && are_records(bytes) && {
            let (tree, ()) = Builder::build(bytes.to_vec(), log);
            let mut problems = tree.problems().iter();
            problems.all(|found| found.problem.severity < Severity::Error)
        }
}

/// Whether the first entry can have the key that it says, if it is a message of magic 0 or 1: of
/// one that is cut, there is no checksum to tell.
fn has_key(bytes: &[u8], size: i32) -> bool {
    let at = match bytes.get(16) {
        Some(0) => 18,
        Some(1) => 26,
        _ => return true,
    };
    let len = bytes.get(at..).and_then(|len| len.first_chunk().copied());
    len.map(i32::from_be_bytes)
        .is_none_or(|len| (-1..=size).contains(&len))
}

/// Whether the bytes are requests to the last byte.
pub fn is_request(catalogue: &'static Catalogue, bytes: &[u8]) -> bool {
    pieces(catalogue, Claim::Requests, bytes)
        .into_iter()
        .all(|piece| {
            let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
            let (tree, _) = Builder::build(frame, |bytes, sink| {
                request(catalogue, piece.framing, bytes, sink)
            });
            !tree.has_errors()
        })
}
