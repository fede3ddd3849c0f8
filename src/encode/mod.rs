//! Values → bytes: the smallest legal instance of every message.
//!
//! What comes in is a plan; what goes out is what Kafka itself would write for it.

mod frame;
mod smallest;
mod writer;

pub use frame::{request_frame, response_frame};
pub use smallest::smallest;
pub use writer::Writer;
