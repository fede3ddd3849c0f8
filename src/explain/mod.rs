//! Numbers → meaning: what a code, a key or a bit says to people who know Kafka.
//!
//! What comes in is a node with its value, or an error code; what goes out is text. [`meaning`] is
//! the few words beside a value, with what is [`Known`] of the cluster, [`ErrorCode`] knows what an error is and what to do about it, and
//! [`version_note`] finds errors that their API's version gives another sense, and [`state_note`]
//! fields that the state of their message does. Everything here is
//! pure, is asked when something is shown, and costs a decoder nothing.

mod api_errors;
mod api_facts;
mod cluster;
mod error_table;
mod errors;
mod limits;
mod meaning;
mod names;
mod state_notes;
mod state_rules;
mod throttle;
mod time;
mod uuid_text;
mod version_notes;

pub use api_errors::errors_of;
pub use api_facts::{ApiFacts, KipFact, VersionFact, api_facts};
pub use cluster::{Address, Cluster, Fact, Known, Listener};
pub use errors::{ErrorCode, UNKNOWN_ERROR};
pub use meaning::{meaning, null_meaning};
pub use state_notes::{Field, Seen, state_note};
pub use throttle::holds_back;
pub use time::time;
pub use uuid_text::base64;
pub use version_notes::{VersionNote, version_note, version_notes, version_notes_of};
