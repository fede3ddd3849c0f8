//! Which reading of a paste is used where there are several: the one whose bytes are messages.
//!
//! In: the readings in the order of how their text looks. Out: the same, those first whose bytes make
//! sense, each with how it fits. A reading that fits no better than one before it stays behind it.

use std::cmp::Reverse;

use serde_json::{Value as Json, json};

use super::{decode_as::What, input::Pasted};
use crate::{
    decode::{log, structure},
    hextext::Part,
    render::hex,
    schema::Catalogue,
    session::{self, Fit, message_problem, tree_problem},
    tree::Builder,
};

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
    let is_open = !is_told && matches!(what, What::Messages(_));
    session::fit(catalogue, parts, is_open, |bytes| {
        problem(catalogue, what, bytes)
    })
}

/// The first thing that is wrong with the bytes, as what they are said to be.
fn problem(catalogue: &'static Catalogue, what: What, bytes: &[u8]) -> Option<String> {
    match what {
        What::Messages(claim) => message_problem(catalogue, claim, bytes),
        What::Records => tree_problem(&Builder::build(bytes.to_vec(), log).0),
        What::Structure(plan, lead) => {
            let (tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
                structure(plan, lead, bytes, sink);
            });
            tree_problem(&tree)
        }
        What::Content(_) => None,
    }
}
