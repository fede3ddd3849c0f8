//! A message of a capture read anew: with bytes that somebody changed, or as something else than
//! the exchange says that it is.
//!
//! Nothing here changes the capture or the index.

use super::{Direction, Exchange, Session};
use crate::{
    decode::{
        Claim, Decoded, Framing, Lead, Subject, diagnose, request, request_as, response, structure,
        structure_from, verdict,
    },
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
    /// A structure without frame and header, by the name of its definition, that starts at a byte.
    Structure {
        name: String,
        version: i16,
        at: usize,
    },
}

/// What came of it.
#[derive(Debug)]
pub struct Reread {
    pub tree: Tree,
    /// What its header says; `None` for what has none.
    pub decoded: Option<Decoded>,
}

impl Session {
    /// Reads `bytes` in the place of a message of the exchange.
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
        if *reading != Reading::Captured {
            let builder = Builder::knowing(self.cluster());
            return read_as(catalogue, builder, framing, bytes, reading);
        }
        let (tree, decoded) = self.read(catalogue, exchange, direction, framing, bytes.to_vec());
        let claim = match direction {
            Direction::Request => Some(Claim::Requests),
            Direction::Response => exchange.api.map(|(key, version)| Claim::Responses {
                api: ApiKey(key),
                version,
            }),
        };
        let claim = claim.filter(|_| decoded.is_some());
        let subject = claim.map(|claim| Subject::Message(claim, Framing::Sized));
        Some(explained(
            catalogue,
            framing,
            bytes,
            subject,
            Reread { tree, decoded },
        ))
    }
}

/// Reads bytes of no exchange. They are a request where nothing else is said.
pub fn reread(catalogue: &'static Catalogue, bytes: &[u8], reading: &Reading) -> Option<Reread> {
    read_as(
        catalogue,
        Builder::new(Vec::new()),
        Framing::Sized,
        bytes,
        reading,
    )
}

/// Where bytes are malformed, the mistake that would explain it is looked for. `None` for a
/// structure that has no definition.
fn read_as(
    catalogue: &'static Catalogue,
    builder: Builder,
    framing: Framing<'_>,
    bytes: &[u8],
    reading: &Reading,
) -> Option<Reread> {
    let (tree, decoded, subject) = match reading {
        Reading::Captured => {
            let (tree, decoded) = builder.decode(bytes.to_vec(), |bytes, sink| {
                request(catalogue, framing, bytes, sink)
            });
            let subject = Subject::Message(Claim::Requests, Framing::Sized);
            (tree, Some(decoded), Some(subject))
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
        Reading::Structure { name, version, at } => {
            let plan = catalogue.plan(name, *version)?;
            let (tree, ()) = builder.decode(bytes.to_vec(), |bytes, sink| match at {
                0 => structure(plan, Lead::None, bytes, sink),
                &at => structure_from(plan, at, bytes, sink),
            });
            // A mistake is looked for in bytes that are a structure from their first on.
            let subject = Some(Subject::Structure(plan)).filter(|_| *at == 0);
            (tree, None, subject)
        }
    };
    Some(explained(
        catalogue,
        framing,
        bytes,
        subject,
        Reread { tree, decoded },
    ))
}

/// Adds the mistake that would explain what is malformed.
fn explained(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    subject: Option<Subject>,
    mut reread: Reread,
) -> Reread {
    let is_whole = !matches!(framing, Framing::Cut { .. });
    if let Some(subject) = subject.filter(|_| is_whole && reread.tree.is_doubtful()) {
        for problem in verdict(&diagnose(catalogue, subject, bytes)) {
            reread.tree.add_problem(problem);
        }
    }
    reread
}
