//! Which reading of a paste is used where there are several: the one whose bytes are messages.
//!
//! In: the readings in the order of how their text looks. Out: the same, those first whose bytes make
//! sense, each with how it fits. A reading that fits no better than one before it stays behind it.

use std::cmp::Reverse;

use serde_json::{Value as Json, json};

use super::{decode_as::What, input::Pasted, pasted::is_token};
use crate::{
    decode::{
        Claim, Known, Piece, StructureCandidate, Talk, log, pieces, request, response, structure,
        structure_candidates,
    },
    event::Severity,
    hextext::Part,
    records::are_records,
    render::hex,
    schema::Catalogue,
    session::Segment,
    tree::{Builder, Tree},
};

/// How much sense the bytes of a reading make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// None.
    Nothing,
    /// Their sizes are right, they begin like requests, or could be something without a header.
    Partly,
    /// They are messages or structures to the last byte.
    Sound,
}

impl Fit {
    fn name(self) -> &'static str {
        match self {
            Fit::Nothing => "none",
            Fit::Partly => "partly",
            Fit::Sound => "exact",
        }
    }

    /// What is said of the bytes.
    fn verdict(self) -> &'static str {
        match self {
            Fit::Nothing => "make no message",
            Fit::Partly => "look like messages",
            Fit::Sound => "make sense to the last one",
        }
    }
}

/// A reading with how it fits.
pub(super) struct Ranked {
    pub(super) pasted: Pasted,
    pub(super) fit: Fit,
    /// Its place by how the text looks, from 0.
    place: usize,
    /// What is wrong with its bytes first.
    problem: Option<String>,
}

/// Orders readings by how they fit.
pub(super) fn rank(
    readings: Vec<Pasted>,
    judge: impl Fn(&[Part]) -> (Fit, Option<String>),
) -> Vec<Ranked> {
    let is_alone = readings.len() < 2;
    let mut ranked: Vec<Ranked> = readings
        .into_iter()
        .enumerate()
        .map(|(place, pasted)| {
            // One reading needs no judge.
            let (fit, problem) = match is_alone {
                true => (Fit::Sound, None),
                false => judge(&pasted.parts),
            };
            Ranked {
                pasted,
                fit,
                place,
                problem,
            }
        })
        .collect();
    ranked.sort_by_key(|ranked| Reverse(ranked.fit));
    ranked
}

impl Ranked {
    /// What is said of it beside the reading that is used.
    pub(super) fn sentence(&self, best: &Ranked) -> String {
        let (used, other) = (&best.pasted, &self.pasted);
        let mut text = format!("read as {} because {}", used.notation, used.why);
        if self.place < best.place {
            text += &format!(
                ", and because so its bytes {}; by its looks it is {} sooner, because {}",
                best.fit.verdict(),
                other.notation,
                other.why
            );
        } else {
            text += &format!(
                "; it could also be {} because {}",
                other.notation, other.why
            );
        }
        match (&self.problem, self.fit == best.fit) {
            (Some(problem), _) => text += &format!(", but then {problem}"),
            (None, true) => text += ", and its bytes fit as well; they come below",
            (None, false) => text += &format!(", and then its bytes {}", self.fit.verdict()),
        }
        text
    }

    /// The same as a line of JSON.
    pub(super) fn json(&self, rank: usize, best: &Ranked) -> Json {
        let parts: Vec<String> = self
            .pasted
            .parts
            .iter()
            .map(|part| hex(&part.bytes).to_string())
            .collect();
        json!({
            "type": "reading",
            "rank": rank,
            "notation": self.pasted.notation,
            "why": self.pasted.why,
            "fit": self.fit.name(),
            "problem": self.problem,
            "parts": parts,
            "used": {
                "notation": best.pasted.notation,
                "why": best.pasted.why,
                "fit": best.fit.name(),
            },
        })
    }
}

/// How the parts of a reading fit what the arguments say they are, and what is wrong first.
pub(super) fn fit(
    catalogue: &'static Catalogue,
    what: What,
    is_told: bool,
    parts: &[Part],
) -> (Fit, Option<String>) {
    let mut talk = Talk::new(catalogue);
    let mut worst = Fit::Sound;
    let mut first_problem = None;
    for part in parts {
        let bytes = part.bytes.as_slice();
        let problem = problem(catalogue, what, bytes);
        let is_open = !is_told && matches!(what, What::Messages(_));
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

/// The first thing that is wrong with the bytes, as what they are said to be.
fn problem(catalogue: &'static Catalogue, what: What, bytes: &[u8]) -> Option<String> {
    let first = |tree: &Tree| {
        let mut problems = tree.problems().iter();
        let found = problems.find(|found| found.problem.severity == Severity::Error)?;
        Some(format!(
            "at byte {} {}",
            found.problem.span.at, found.problem.message
        ))
    };
    match what {
        What::Messages(claim) => pieces(catalogue, claim, bytes)
            .into_iter()
            .find_map(|piece| {
                let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
                let (tree, _) = Builder::build(frame, |bytes, sink| match claim {
                    Claim::Requests => request(catalogue, piece.framing, bytes, sink),
                    Claim::Responses { api, version } => {
                        response(catalogue, piece.framing, bytes, api, version, sink)
                    }
                });
                first(&tree)
            }),
        What::Records => first(&Builder::build(bytes.to_vec(), log).0),
        What::Structure(plan, lead) => {
            let (tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
                structure(plan, lead, bytes, sink);
            });
            first(&tree)
        }
        What::Content(_) => None,
    }
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
pub(super) fn is_log(bytes: &[u8]) -> bool {
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
pub(super) fn is_request(catalogue: &'static Catalogue, bytes: &[u8]) -> bool {
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
