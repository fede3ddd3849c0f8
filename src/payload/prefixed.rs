//! Structures behind a number that says what they are, or in which version.

use super::{Reading, catalogue};
use crate::{schema::Plan, wire::Cursor};

/// The numbers that a structure is stored behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// None: the bytes start with the first field.
    None,
    /// An int16 that names the version (values of coordinator records, consumer protocol) or the
    /// record type (keys of coordinator records).
    Int16 {
        name: &'static str,
        about: &'static str,
    },
    /// Unsigned varints: the version of the frame, the record type, the version (KIP-631).
    Framed,
    /// The same without the first: records of tiered storage.
    TypeAndVersion,
}

impl Lead {
    /// An int16 with the version of what follows.
    pub const VERSION: Lead = Lead::Int16 {
        name: "version",
        about: "version of the structure that follows",
    };
    /// An int16 with the type of the record.
    pub const TYPE: Lead = Lead::Int16 {
        name: "type",
        about: "number of the record type",
    };
}

/// A structure of a definition, and how much of it is there.
#[derive(Clone, Debug)]
pub struct Structure {
    pub plan: &'static Plan,
    pub lead: Lead,
    /// Fields that are there: all, or all but the last ones, which some writers leave out.
    pub n_fields: usize,
    /// What is odd about it.
    pub remark: Option<String>,
}

impl Structure {
    /// All of a structure.
    pub fn whole(plan: &'static Plan, lead: Lead) -> Structure {
        Structure {
            plan,
            lead,
            n_fields: plan.body.fields.len(),
            remark: None,
        }
    }

    /// Whether all fields are there.
    pub fn is_whole(&self) -> bool {
        self.n_fields == self.plan.body.fields.len()
    }
}

/// The reading of `body` as all of a structure.
pub(super) fn exactly(plan: &'static Plan, lead: Lead, body: &[u8]) -> Reading {
    if plan.fits(body) {
        return Reading::Structure(Structure::whole(plan, lead));
    }
    Reading::Doubtful(misfit(plan, body))
}

/// Why `body` is not a structure of `plan`.
pub(super) fn misfit(plan: &Plan, body: &[u8]) -> String {
    let mut cursor = Cursor::new(body, crate::wire::BufferId::FRAME);
    let (name, version) = (plan.name, plan.version);
    match plan.measure(&mut cursor) {
        Some(()) => format!(
            "left as bytes: {name} version {version} takes {} of its {} bytes",
            body.len() - cursor.left(),
            body.len()
        ),
        None => format!(
            "left as bytes: its {} bytes are no {name} of version {version}",
            body.len()
        ),
    }
}

/// A leading int16, and the bytes behind it.
pub(super) fn int16(bytes: &[u8]) -> Option<(i16, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((i16::from_be_bytes(*number), rest))
}

/// The reading of bytes as the version of a structure and the structure.
pub(super) fn versioned(name: &str, bytes: &[u8]) -> Reading {
    let Some((version, body)) = int16(bytes) else {
        return Reading::Opaque;
    };
    match catalogue().plan(name, version) {
        Some(plan) => exactly(plan, Lead::VERSION, body),
        None => Reading::Opaque,
    }
}
