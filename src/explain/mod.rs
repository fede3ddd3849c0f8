//! Numbers → meaning: what a code, a key or a bit says to people who know Kafka.

mod errors;

pub use errors::ErrorCode;
