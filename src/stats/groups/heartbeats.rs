//! Groups that are all heartbeats: consumer groups of KIP-848, share groups (KIP-932) and streams
//! groups (KIP-1071). A member sends what it wants and has, the coordinator answers with an epoch
//! and, when it changes, an assignment.

use super::{
    GroupKind, Member, What,
    assignment::{tasks, topic_partitions},
    record::Record,
};
use crate::{
    schema::Direction,
    session::Exchange,
    stats::fields::{Fields, fields},
};

/// Epochs with which members say that they join, leave, and leave for a short time. The first is
/// also the answer to who joined and is in no epoch of the group yet.
const JOINS: i64 = 0;
const LEAVES: i64 = -1;
const COMES_BACK: i64 = -2;

pub(super) fn heartbeat(record: &mut Record<'_>, exchange: &Exchange, kind: GroupKind) {
    let Some(request) = fields(record.session, exchange, Direction::Request) else {
        return;
    };
    let response = fields(record.session, exchange, Direction::Response);
    let group = record.asked(request.text("GroupId").unwrap_or_default(), exchange);
    record.is(group, kind);
    let given = response
        .as_ref()
        .and_then(|response| response.text("MemberId"));
    let given = given.filter(|id| !id.is_empty());
    let member_id = given.or_else(|| request.text("MemberId"));
    let member = record.sender(group, member_id.unwrap_or_default(), exchange);
    let asked_epoch = request.int("MemberEpoch").unwrap_or(JOINS);
    let mut before = None;
    if let Some(group) = record.of(group) {
        group.heartbeats += 1;
        if let Some(member) = member.and_then(|member| group.members.get_mut(member)) {
            before = member
                .epoch
                .or((asked_epoch > JOINS).then_some(asked_epoch));
            note(member, &request);
            if asked_epoch < JOINS {
                member.left = Some(exchange.time());
                member.epoch = None;
            }
        }
    }
    let asked = Asked {
        group,
        kind,
        member,
        epoch: asked_epoch,
        before,
    };
    if asked_epoch == LEAVES || asked_epoch == COMES_BACK {
        let what = What::Left {
            reason: None,
            comes_back: asked_epoch == COMES_BACK,
        };
        record.event(group, (exchange.time(), exchange.n), member, what);
    }
    let (Some(response), Some(message)) = (response, exchange.response) else {
        if asked_epoch == JOINS {
            let at = (exchange.time(), exchange.n);
            record.event(group, at, member, What::Asked { reason: None });
        }
        return;
    };
    let errors = response.errors();
    if !errors.is_empty() {
        record.errors(group, exchange, member, &errors);
        return;
    }
    let waited = exchange.latency().unwrap_or(0);
    answered(
        record,
        &asked,
        &response,
        (message.time, exchange.n),
        waited,
    );
}

/// What a heartbeat asked for.
struct Asked {
    group: usize,
    kind: GroupKind,
    member: Option<usize>,
    /// The epoch that it named, and the one that the member was in.
    epoch: i64,
    before: Option<i64>,
}

/// What the coordinator made of a heartbeat: the member waits, or has another epoch or assignment.
fn answered(
    record: &mut Record<'_>,
    asked: &Asked,
    response: &Fields,
    at: (i64, u32),
    waited: i64,
) {
    let &Asked {
        group,
        member,
        before,
        ..
    } = asked;
    let epoch = response.int("MemberEpoch").unwrap_or(0);
    if asked.epoch < JOINS || epoch < 0 {
        return;
    }
    if epoch == JOINS {
        let waits = record.last_event(group, member) == Some(&What::Waits);
        if !waits {
            record.event(group, at, member, What::Waits);
        }
        return;
    }
    let assignment = match asked.kind {
        GroupKind::Streams => tasks(response),
        _ => topic_partitions(response, &record.cluster),
    };
    if before != Some(epoch) {
        reached(record, group, epoch, at, member);
    }
    let what = match (asked.epoch, before) {
        (JOINS, _) => What::Joined {
            epoch,
            is_leader: false,
            waited,
            reason: None,
            assignment,
        },
        (_, from) if from != Some(epoch) || assignment.is_some() => What::Moved {
            from,
            to: epoch,
            assignment,
        },
        _ => return,
    };
    record.event(group, at, member, what);
}

/// What the request says of the member; what it leaves out is as it was.
fn note(member: &mut Member, request: &Fields) {
    if let Some(instance_id) = request.text("InstanceId") {
        member.instance_id = Some(instance_id.into());
    }
    if request.array("SubscribedTopicNames").is_some() {
        let topics = request.texts("SubscribedTopicNames");
        member.topics = topics.map(Into::into).collect();
    }
    if let Some(topology) = request.inner("Topology") {
        let topics = topology
            .rows("Subtopologies")
            .flat_map(|row| row.texts("SourceTopics"));
        member.topics = topics.map(Into::into).collect();
    }
    member.left = None;
}

/// A member got an epoch that it did not have.
fn reached(
    record: &mut Record<'_>,
    group: usize,
    epoch: i64,
    at: (i64, u32),
    member: Option<usize>,
) {
    if let Some(found) = record.epoch(group, epoch, at) {
        found.settled = found.settled.max(Some(at.0));
        if let Some(member) = member.filter(|member| !found.members.contains(member)) {
            found.members.push(member);
        }
    }
    let members = record.of(group).map(|group| &mut group.members);
    let found = member.and_then(|member| members?.get_mut(member));
    if let Some(found) = found {
        found.epoch = Some(epoch);
    }
}
