//! What bytes are held to be, and how well they are that.

use super::{
    mistake::Grant,
    trace::Trace,
    walk::{Ending, Outcome},
};
use crate::schema::{
    ApiKey, Catalogue, Definition, Direction, Plan, request_header_version, response_header_version,
};

/// What bytes are read as.
#[derive(Clone, Copy, Debug)]
pub(in crate::decode) struct Reading {
    /// Where the header starts, or the body where there is none.
    pub start: usize,
    pub header: Option<&'static Plan>,
    pub body: &'static Plan,
}

/// How well bytes that are exactly a message fit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::decode) struct Fitness {
    /// How strange the values are.
    pub odd: u32,
    /// How unusual the possible values are.
    pub unusual: u32,
    /// Bytes of readable text.
    pub text: usize,
}

impl Reading {
    /// Header and body of an API and version, from `start` on.
    pub(in crate::decode) fn of_api(
        catalogue: &'static Catalogue,
        direction: Direction,
        api: ApiKey,
        version: i16,
        start: usize,
    ) -> Option<Reading> {
        let definition: &Definition = catalogue.api(api, direction)?;
        let body = catalogue.api_plan(api, direction, version)?;
        let (name, header_version) = match direction {
            Direction::Request => ("RequestHeader", request_header_version(definition, version)),
            Direction::Response => (
                "ResponseHeader",
                response_header_version(definition, version),
            ),
        };
        Some(Reading {
            start,
            header: catalogue.plan(name, header_version),
            body,
        })
    }

    /// Up to where the bytes make sense.
    pub(in crate::decode) fn sound(self, bytes: &[u8]) -> usize {
        self.walk(bytes, &[]).sound()
    }

    /// Whether the bytes are that to the last one, and what speaks for it and against.
    pub(in crate::decode) fn fitness(self, bytes: &[u8]) -> Option<Fitness> {
        let outcome = self.walk(bytes, &[]);
        (outcome.ending == Ending::Exact).then_some(Fitness {
            odd: outcome.odd,
            unusual: outcome.unusual,
            text: outcome.text,
        })
    }

    /// Reads `bytes` with `grants`, each of which is taken wherever it reaches.
    pub(super) fn walk(self, bytes: &[u8], grants: &[Grant]) -> Outcome {
        self.run(bytes, grants, &[], None)
    }

    /// The same, and tells what was decided on the way.
    pub(super) fn trace(self, bytes: &[u8], grants: &[Grant]) -> Outcome {
        self.run(bytes, grants, &[], Some(Trace::default()))
    }
}
