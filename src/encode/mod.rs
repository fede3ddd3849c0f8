//! Values → bytes: a body from JSON values, record batches, the smallest legal and a plausible
//! instance of every message, headers.
//!
//! What comes in is a plan and perhaps values; what goes out is what Kafka itself would write,
//! or what the values insist on.

mod batch;
mod entry;
mod error;
mod example;
mod frame;
mod message;
mod smallest;
mod trail;
mod values;
mod writer;

use entry::batches;
pub use entry::records;
pub use error::EncodeError;
pub use example::{example, example_frame};
pub use frame::{request_frame, response_frame};
pub use smallest::smallest;
pub use values::body;
pub use writer::Writer;
