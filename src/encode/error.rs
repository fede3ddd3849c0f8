//! Why values cannot be written: which one, and what is expected in its place.

use thiserror::Error;

/// Why values cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EncodeError {
    /// The version has no field of that name.
    #[error("{path}: {message} has no such field in version {version}{}", suggestion(.nearest))]
    UnknownField {
        path: String,
        message: &'static str,
        version: i16,
        nearest: Option<&'static str>,
    },
    /// A batch or a part of one has no member of that name.
    #[error("{path}: {what} has no such member{}", suggestion(.nearest))]
    UnknownMember {
        path: String,
        what: &'static str,
        nearest: Option<&'static str>,
    },
    /// The value does not fit the field's type, or contradicts another one.
    #[error("{path}: {expected} is expected, not {found}")]
    WrongValue {
        path: String,
        expected: String,
        found: String,
    },
    /// The values come from bytes that were not read to their end.
    #[error(
        "{path}: these bytes were no field when they were decoded, as the message was broken or \
         cut; where they stood is not known"
    )]
    Undecoded { path: String },
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean {name}?"))
}
