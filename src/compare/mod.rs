//! What differs: between versions of a message, between their bytes, between two messages.
//!
//! What comes in are two plans, or two trees; what goes out are lists of differences, in reading
//! order. Nothing is judged, and how a difference is shown is for `render` to say.

mod align;
mod bytes;
mod messages;
mod versions;

pub use bytes::{Placed, PlacedPair, placed_pairs};
pub use messages::{Difference, differences};
pub use versions::{Change, Encoding, Spelled, changes};
