//! Pasted text as messages, for any browser.

use super::Page;
use crate::{
    decode::{Claim, Decoded, Subject, Talk, diagnose, request, response},
    hextext::{self, Reading},
    schema::Catalogue,
    tree::{Builder, Tree},
};

/// The messages in a text in any notation.
///
/// # Errors
/// Why the text holds none.
pub(super) fn pasted(catalogue: &'static Catalogue, text: &str) -> Result<Vec<Page>, String> {
    let parts = match hextext::read(text.as_bytes()) {
        Reading::Bytes(candidates) => candidates.into_iter().next().map(|best| best.parts),
        Reading::Binary(_) => None,
        Reading::Numbers(_) => {
            return Err("what was pasted are numbers of a log; decode explains them".to_owned());
        }
        Reading::Refused(refusal) => return Err(refusal.to_string()),
    };
    let parts = parts.unwrap_or_default();
    let mut talk = Talk::new(catalogue);
    let mut pages = Vec::new();
    for part in parts {
        for turn in talk.turns(&part.bytes) {
            let frame = part.bytes.get(turn.range.clone()).unwrap_or_default();
            let (mut tree, decoded) =
                Builder::build(frame.to_vec(), |bytes, sink| match turn.claim {
                    Claim::Requests => request(catalogue, turn.framing, bytes, sink),
                    Claim::Responses { api, version } => {
                        response(catalogue, turn.framing, bytes, api, version, sink)
                    }
                });
            if tree.has_errors() {
                let subject = Subject::Message(turn.claim, turn.framing);
                for repair in diagnose(catalogue, subject, frame) {
                    tree.add_problem(repair.problem());
                }
            }
            pages.push(page(tree, decoded));
        }
    }
    match pages.is_empty() {
        true => Err("what was pasted holds no bytes".to_owned()),
        false => Ok(pages),
    }
}

fn page(tree: Tree, decoded: Decoded) -> Page {
    Page {
        tree,
        decoded: Some(decoded),
        origins: Vec::new(),
        files: Vec::new(),
    }
}
