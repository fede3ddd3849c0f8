//! Numbers → meaning: what a code, a key or a bit says to people who know Kafka.

mod errors;
mod time;

pub use errors::ErrorCode;
pub use time::utc;
