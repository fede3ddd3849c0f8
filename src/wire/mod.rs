//! Bytes in, integers and spans out.
//!
//! What comes in is a slice that nobody trusts; what goes out are Kafka's primitive encodings
//! (big-endian integers, varints as Kafka spells them, length prefixes) and the [`Span`]s they
//! were read from. A length read from the wire is compared with what is there before it is
//! believed, so nothing here reserves memory or panics because of the bytes it is given.

mod cursor;
mod pieces;
mod span;

pub use cursor::{Cursor, Fault};
pub use pieces::Pieces;
pub use span::{BufferId, Span};
