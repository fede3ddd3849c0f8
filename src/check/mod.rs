//! What is wrong in a capture: with the messages, with how they follow each other, with the capture
//! itself.
//!
//! What comes in is an indexed [`Session`] and a filter; what goes out are
//! [`Finding`]s, each a kind and a subject with how often it was met and where first. Texts are as
//! they were on the wire, to be escaped by whoever shows them.
//!
//! Invariant: what is found here can be pointed at, in an exchange, a connection or an input; nothing
//! is found because of what is not in the capture, unless the finding says so. Not here: printing,
//! and which severity is a failure.

mod clients;
mod connections;
mod exchanges;
mod findings;
mod messages;
mod notes;
mod proxied;
mod segment;

pub use clients::{Client, Removed, User};
pub use findings::{Extent, Finding, Kind, Occurrence};
pub use segment::check_segment;

pub use crate::event::Severity;

use crate::{
    session::{Index, Session},
    stats::Keep,
};

/// What is looked for beyond what is always wrong.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many occurrences of each finding are kept.
    pub extent: Extent,
    /// Nanoseconds from which on an answer is slow; `None` to leave that alone.
    pub slow: Option<i64>,
}

/// Everything that is wrong with the exchanges that `keep` lets through, and with the capture that
/// they are from; the worst first.
pub fn check(session: &Session, index: &Index, keep: Keep<'_>, options: Options) -> Vec<Finding> {
    let mut found = findings::Findings::new(options.extent);
    notes::check(index, &mut found);
    connections::check(index, &mut found);
    proxied::check(index, &mut found);
    messages::check(session, index, keep, &mut found);
    exchanges::check(index, keep, options.slow, &mut found);
    clients::check(session, index, keep, &mut found);
    found.finish()
}
