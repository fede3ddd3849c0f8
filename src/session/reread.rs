//! A message of a capture read anew: with bytes that somebody changed, or as something else than
//! the exchange says that it is.
//!
//! Nothing here changes the capture or the index.

use super::{Direction, Exchange, Session};
use crate::{
    decode::{Claim, Decoded, Framing, Lead, Subject, diagnose, request_as, response, structure},
    schema::{ApiKey, Catalogue},
    tree::{Builder, Tree},
};

/// What bytes are read as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// What the capture says.
    #[default]
    Captured,
    /// A whole message, whatever its header or its request says.
    Message {
        direction: Direction,
        api: ApiKey,
        version: i16,
    },
    /// A structure without frame and header, by the name of its definition.
    Structure { name: String, version: i16 },
}

/// What came of it.
#[derive(Debug)]
pub struct Reread {
    pub tree: Tree,
    /// What its header says; `None` for what has none.
    pub decoded: Option<Decoded>,
}

impl Session {
    /// Reads `bytes` in the place of a message of the exchange. Where they are malformed, the
    /// mistake that would explain it is looked for. `None` for a structure that has no definition.
    pub fn reread(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
        bytes: &[u8],
        reading: &Reading,
    ) -> Option<Reread> {
        // Bytes that the capture lacks are still lacking, as long as none has moved.
        let missing = exchange
            .message(direction)
            .map(|message| self.bytes(message))
            .filter(|gathered| gathered.bytes.len() == bytes.len())
            .map(|gathered| gathered.missing)
            .unwrap_or_default();
        let framing = match missing.is_empty() {
            true => Framing::Sized,
            false => Framing::Cut { holes: &missing },
        };
        let builder = Builder::knowing(self.cluster());
        let (mut tree, decoded, subject) = match reading {
            Reading::Captured => {
                let (tree, decoded) =
                    self.read(catalogue, exchange, direction, framing, bytes.to_vec());
                let claim = match direction {
                    Direction::Request => Some(Claim::Requests),
                    Direction::Response => exchange.api.map(|(key, version)| Claim::Responses {
                        api: ApiKey(key),
                        version,
                    }),
                };
                let claim = claim.filter(|_| decoded.is_some());
                let subject = claim.map(|claim| Subject::Message(claim, Framing::Sized));
                (tree, decoded, subject)
            }
            &Reading::Message {
                direction: Direction::Request,
                api,
                version,
            } => {
                let (tree, decoded) = builder.decode(bytes.to_vec(), |bytes, sink| {
                    request_as(catalogue, framing, bytes, api, version, sink)
                });
                // A mistake is looked for in what the header says, which this is not.
                (tree, Some(decoded), None)
            }
            &Reading::Message {
                direction: Direction::Response,
                api,
                version,
            } => {
                let (tree, decoded) = builder.decode(bytes.to_vec(), |bytes, sink| {
                    response(catalogue, framing, bytes, api, version, sink)
                });
                let claim = Claim::Responses { api, version };
                let subject = Subject::Message(claim, Framing::Sized);
                (tree, Some(decoded), Some(subject))
            }
            Reading::Structure { name, version } => {
                let plan = catalogue.plan(name, *version)?;
                let (tree, ()) = builder.decode(bytes.to_vec(), |bytes, sink| {
                    structure(plan, Lead::None, bytes, sink);
                });
                (tree, None, Some(Subject::Structure(plan)))
            }
        };
        if let Some(subject) = subject.filter(|_| missing.is_empty() && tree.has_errors()) {
            for repair in diagnose(catalogue, subject, bytes) {
                tree.add_problem(repair.problem());
            }
        }
        Some(Reread { tree, decoded })
    }
}
