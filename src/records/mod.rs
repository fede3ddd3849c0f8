//! Record batches, message sets and what is compressed in them.
//!
//! What comes in is the content of a `records` field, or a piece of a log; what goes out are
//! events: batches (magic 2) and message set entries (magic 0 and 1) one after another in any
//! mixture, their records with offset and time resolved, checksums recomputed, claims compared
//! with what is there. Compressed content becomes a buffer of its own. Leaf spans tile every
//! buffer. How far compressed data is followed is bounded by `limits`. What keys and values hold
//! is for an [`Interpreter`] of the layers above to say.

mod attributes;
mod batch;
mod checksum;
mod compress;
mod compressed;
mod control;
mod decompress;
mod header;
mod headers;
mod limits;
mod message;
mod overview;
mod plausible;
mod record;
mod set;
mod sound;

pub use attributes::{Attributes, TimestampType};
pub use checksum::Polynomial;
pub use compress::compress;
pub use compressed::{compressed, decompressed};
pub use control::ControlType;
pub use decompress::Codec;
pub use overview::{BatchOverview, Overview};
pub use plausible::{LOG_OVERHEAD, MAGIC_AT, are_records, is_offset};
pub use record::{Holding, Interpreter, Opaque, Part, Payload};
pub use set::{Extent, Reader, Source, fits_checksum, is_preallocated};
pub use sound::{all_sound_batches, sound_batches};
