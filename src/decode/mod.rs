//! Definition × version × bytes → events.
//!
//! What comes in is the bytes of one message and what they claim to be; what goes out are events
//! into a [`Sink`](crate::event::Sink). Leaf spans tile the bytes: what nothing could read is a
//! leaf as well, and every place where the bytes are not what the definition says is a problem
//! with its span. Decoding never fails and never panics; it says less.

mod candidates;
mod diagnosis;
mod embedded;
mod field;
mod header;
mod limits;
mod message;
mod recognise;
mod records;
mod structure;
mod tagged;
mod talk;
mod token;

pub use crate::payload::Lead;
pub use candidates::{
    CONTROL_KEY, Candidate, StructureCandidate, VERSIONED, only_response, response_candidates,
    structure_candidates,
};
pub use diagnosis::{Repair, Subject, diagnose, verdict};
pub use embedded::{content, undecoded};
pub use message::{
    Decoded, Framing, envelope_response, request, request_as, response, wrapped_request,
};
pub use recognise::{Claim, Piece, pieces};
pub use records::{
    are_refused, count_records, count_records_in_pieces, log, metadata_log, record_set,
};
pub use structure::{structure, structure_from};
pub use talk::{Known, Talk, Turn};
pub use token::sasl_token;
