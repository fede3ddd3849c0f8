//! Control records: markers that a broker writes between the records of clients.

use super::header::Field;
use crate::{
    event::{Meaning, Names, Role, Section, Sink, Stop, Value, Walker},
    wire::Cursor,
};

/// What a control record marks, by the number in its key: the end of a transaction (KIP-98), or
/// something of the metadata quorum (KIP-595, KIP-630, KIP-853).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ControlType(pub i16);

impl ControlType {
    /// The type that a key names; `None` for a key that is too short to.
    pub fn of_key(key: &[u8]) -> Option<ControlType> {
        match key {
            &[_, _, high, low, ..] => Some(ControlType(i16::from_be_bytes([high, low]))),
            _ => None,
        }
    }
}

/// The name of the structure in the key of a control record.
pub(super) const KEY: &str = "ControlRecordKey";

/// Bytes of that structure.
pub(super) const KEY_LEN: usize = 4;

/// Reads the key of a control record.
pub(super) fn key<S: Sink>(
    walker: &mut Walker<'_, S>,
    cursor: &mut Cursor<'_>,
) -> Result<(), Stop> {
    let field = |name, about| Field {
        name,
        ty: "int16",
        section: Section::Record,
        meaning: Meaning::Plain,
        about,
    };
    let version = field("version", "version of this key, currently 0");
    version.read(walker, cursor, Cursor::i16, |version| {
        (Role::Plain, Value::Int16(version))
    })?;
    let ty = Field {
        meaning: Meaning::Choice(Names::ControlRecord),
        ..field("type", "what the marker says")
    };
    ty.read(walker, cursor, Cursor::i16, |ty| {
        (Role::ControlType, Value::Int16(ty))
    })?;
    Ok(())
}
