//! Timelines of groups: who joined, who left and why, what was assigned to whom, what went wrong.
//!
//! What comes in are the exchanges of group APIs, in the order of the index; what goes out is a
//! [`Group`] for each group id with its members, its epochs and its [`Event`]s in order of time.
//! Classic groups count generations, the groups of KIP-848 (consumer), KIP-932 (share) and KIP-1071
//! (streams) epochs; both are an [`Epoch`] here. What the capture does not hold is not made up: a
//! group is as complete as the connections that were captured.

mod assignment;
mod classic;
mod heartbeats;
mod record;
mod silence;

use std::net::IpAddr;

use super::{Failure, Keep};
use crate::{
    schema::ApiKey,
    session::{Endpoint, Index, Session},
};

pub use assignment::{Assigned, Share, Task};

/// What kind of group it is, as its members' requests say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// JoinGroup, SyncGroup, Heartbeat.
    Classic,
    /// ConsumerGroupHeartbeat (KIP-848).
    Consumer,
    /// ShareGroupHeartbeat (KIP-932).
    Share,
    /// StreamsGroupHeartbeat (KIP-1071).
    Streams,
}

impl GroupKind {
    /// The word in outputs.
    pub fn name(self) -> &'static str {
        match self {
            GroupKind::Classic => "classic",
            GroupKind::Consumer => "consumer",
            GroupKind::Share => "share",
            GroupKind::Streams => "streams",
        }
    }
}

/// What the capture says of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    pub id: Box<str>,
    /// `None` where nobody in the capture is a member: commits alone need no membership. The last
    /// kind, where a group was converted.
    pub kind: Option<GroupKind>,
    /// The protocol type of a classic group, as `consumer`.
    pub protocol_type: Option<Box<str>>,
    /// The brokers that took requests about it, in order.
    pub coordinators: Vec<Coordinator>,
    pub members: Vec<Member>,
    pub epochs: Vec<Epoch>,
    /// In order of time.
    pub events: Vec<Event>,
    pub heartbeats: u64,
    pub commits: u64,
    pub offset_fetches: u64,
}

/// A broker that coordinates a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinator {
    pub endpoint: Endpoint,
    /// Its node id, where FindCoordinator said it.
    pub node: Option<i32>,
}

/// A member, as long as it keeps its id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    pub id: Box<str>,
    pub client_id: Option<Box<str>>,
    /// Of a static member (KIP-345).
    pub instance_id: Option<Box<str>>,
    /// Where its last request came from; `None` for a member that others only tell of.
    pub host: Option<IpAddr>,
    pub session_timeout_ms: Option<i64>,
    /// Topics that it subscribes to by name, as it last said.
    pub topics: Vec<Box<str>>,
    /// When it was first and last heard, nanoseconds since 1970.
    pub first: i64,
    pub last: i64,
    /// When it left.
    pub left: Option<i64>,
    /// The epoch that it last got.
    pub(super) epoch: Option<i64>,
    /// Its last event, to which a repeated error is added.
    pub(super) last_event: Option<usize>,
}

/// A generation of a classic group, an epoch of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Epoch {
    pub number: i64,
    /// When the first member got it, and in which exchange.
    pub start: i64,
    pub n: u32,
    /// Index of the leader, where a JoinGroup response names one that is known.
    pub leader: Option<usize>,
    /// The assignor or other protocol that was chosen.
    pub protocol: Option<Box<str>>,
    /// Indexes of members.
    pub members: Vec<usize>,
    /// Whether `members` are all: the leader was told who they are.
    pub is_complete: bool,
    /// When the first member that got this generation asked to join.
    pub asked: Option<i64>,
    /// When the last member got its assignment, or the epoch.
    pub settled: Option<i64>,
    /// When members of the epoch before were last heard before this one began.
    pub(super) heard: Vec<(usize, i64)>,
}

impl Epoch {
    /// Nanoseconds from the first request to join to the last assignment; `None` where the capture
    /// has not both.
    pub fn took(&self) -> Option<i64> {
        Some(self.settled? - self.asked?)
    }
}

/// Something that happened to a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Nanoseconds since 1970.
    pub time: i64,
    /// The exchange.
    pub n: u32,
    /// Index of the member.
    pub member: Option<usize>,
    pub what: What,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The coordinator gave the member its id, with which it is to join (KIP-394).
    Named,
    /// A request to join that the capture holds no answer to.
    Asked { reason: Option<Box<str>> },
    /// A request to join was accepted without an epoch: the member has to ask again, until others
    /// have given up what it is to get.
    Waits,
    /// The member is in.
    Joined {
        epoch: i64,
        is_leader: bool,
        /// Nanoseconds that it waited for the answer.
        waited: i64,
        reason: Option<Box<str>>,
        /// Of groups that are not classic, which join and get an assignment at once.
        assignment: Option<Vec<Assigned>>,
    },
    /// The first member got a new epoch; index of it.
    Began { epoch: usize },
    /// A member of a classic group got its assignment.
    Assigned {
        epoch: i64,
        /// `None` where it is not of the consumer protocol.
        assignment: Option<Vec<Assigned>>,
    },
    /// The same, without a byte in it.
    AssignedNothing { epoch: i64 },
    /// A heartbeat was answered with another epoch or another assignment.
    Moved {
        from: Option<i64>,
        to: i64,
        /// `None` where it stays as it was.
        assignment: Option<Vec<Assigned>>,
    },
    /// The member left by itself, or somebody removed it.
    Left {
        reason: Option<Box<str>>,
        /// A static member that means to come back.
        comes_back: bool,
    },
    /// The group went on without the member, which did not leave.
    Gone {
        /// When it was last heard.
        since: i64,
        /// How long it may be silent; `None` where the capture does not say.
        timeout_ms: Option<i64>,
    },
    /// Error codes to the same request of the same member in a row.
    Failed(Failure),
}

impl Group {
    /// Nanoseconds in which members were between asking to join and being assigned; of classic
    /// groups.
    pub fn rebalancing(&self) -> i64 {
        self.epochs.iter().filter_map(Epoch::took).sum()
    }
}

/// The groups of a capture, those first that were first seen.
pub fn groups(session: &Session, index: &Index, keep: Keep<'_>) -> Vec<Group> {
    let mut record = record::Record::new(session, index);
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        let Some((key, _)) = exchange.api else {
            continue;
        };
        match ApiKey(key).name().unwrap_or_default() {
            "OffsetCommit" => classic::offset_commit(&mut record, &exchange),
            "OffsetFetch" => classic::offset_fetch(&mut record, &exchange),
            "FindCoordinator" => classic::find_coordinator(&mut record, &exchange),
            "JoinGroup" => classic::join(&mut record, &exchange),
            "SyncGroup" => classic::sync(&mut record, &exchange),
            "Heartbeat" => classic::heartbeat(&mut record, &exchange),
            "LeaveGroup" => classic::leave(&mut record, &exchange),
            "ConsumerGroupHeartbeat" => {
                heartbeats::heartbeat(&mut record, &exchange, GroupKind::Consumer);
            }
            "ShareGroupHeartbeat" => {
                heartbeats::heartbeat(&mut record, &exchange, GroupKind::Share);
            }
            "StreamsGroupHeartbeat" => {
                heartbeats::heartbeat(&mut record, &exchange, GroupKind::Streams);
            }
            _ => {}
        }
    }
    record.finish()
}
