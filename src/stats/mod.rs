//! What a capture says when it is counted: tables by API, client, topic and so on, timelines of
//! consumer groups and of transactions.
//!
//! What comes in is an indexed [`Session`](crate::session::Session) and a filter; what goes out are
//! plain data with texts as they were on the wire, to be escaped by whoever shows them. Most of it is
//! one pass over the index; a message is decoded only where a number is not in the index, into a sink
//! that keeps nothing else.
//!
//! Invariant: every exchange that the filter keeps is in the total, and counts at most once in a
//! row. Not here: printing, and what is wrong with a capture (see the layer `check`).

mod encrypted;
mod failure;
mod fields;
mod groups;
mod latency;
mod partitions;
mod rate;
mod segment;
mod software;
mod table;
mod tally;
mod transactions;

pub use encrypted::{Encrypted, encrypted};
pub use failure::Failure;
pub use groups::{
    Assigned, Coordinator, Epoch, Event, Group, GroupKind, Member, Share, Task, What, groups,
};
pub use latency::{EXACT, Latencies, Quantiles};
pub use segment::{CodecShare, SegmentStats, segment_stats};
pub use software::{Software, software};
pub use table::{By, Key, Row, Sort, Stats, Table, stats};
pub use tally::{Tally, is_unanswered};
pub use transactions::{
    Event as TransactionEvent, Fault, Outcome, Producer, Sequence, Transaction, Transactional,
    Transactions, Trouble, What as TransactionWhat, transactions,
};

use crate::session::Exchange;

/// Which exchanges count.
pub type Keep<'k> = &'k dyn Fn(&Exchange) -> bool;
