//! Values → bytes: a body from JSON values, the smallest legal instance of every message, headers.
//!
//! What comes in is a plan and perhaps values; what goes out is what Kafka itself would write.

mod frame;
mod smallest;
mod values;
mod writer;

pub use frame::{request_frame, response_frame};
pub use smallest::smallest;
pub use values::{EncodeError, body};
pub use writer::Writer;
