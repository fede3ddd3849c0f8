//! Classic groups: JoinGroup, SyncGroup, Heartbeat, LeaveGroup, and the commits of any group.

use super::{Group, GroupKind, Member, What, assignment::consumer_protocol, record::Record};
use crate::{
    schema::Direction,
    session::Exchange,
    stats::fields::{Fields, fields},
};

/// The error with which a coordinator gives a member its id (KIP-394); the member asks again with
/// it, so nothing has failed.
const MEMBER_ID_REQUIRED: i16 = 79;

/// The kind of coordinator that FindCoordinator looks for: of a group.
const GROUP_COORDINATOR: i64 = 0;

/// Request and response of an exchange; the second is empty where it was not captured.
fn both(record: &Record<'_>, exchange: &Exchange) -> Option<(Fields, Option<Fields>)> {
    let request = fields(record.session, exchange, Direction::Request)?;
    Some((
        request,
        fields(record.session, exchange, Direction::Response),
    ))
}

fn owned(text: Option<&str>) -> Option<Box<str>> {
    text.filter(|text| !text.is_empty()).map(Into::into)
}

pub(super) fn join(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response)) = both(record, exchange) else {
        return;
    };
    let group = record.asked(request.text("GroupId").unwrap_or_default(), exchange);
    record.is(group, GroupKind::Classic);
    let text = |name| {
        let given = response.as_ref().and_then(|response| response.text(name));
        let given = given.filter(|text| !text.is_empty());
        owned(given.or_else(|| request.text(name)))
    };
    let (member_id, protocol_type) = (text("MemberId"), text("ProtocolType"));
    let member = record.sender(group, member_id.as_deref().unwrap_or_default(), exchange);
    if let Some(found) = record.of(group) {
        found.protocol_type = protocol_type.or(found.protocol_type.take());
        if let Some(member) = member.and_then(|member| found.members.get_mut(member)) {
            note(member, &request);
        }
    }
    let reason = owned(request.text("Reason"));
    let (Some(response), Some(message)) = (response, exchange.response) else {
        let at = (exchange.time(), exchange.n);
        record.event(group, at, member, What::Asked { reason });
        return;
    };
    let at = (message.time, exchange.n);
    match response.int("ErrorCode") {
        Some(0) => {}
        Some(code) if code == i64::from(MEMBER_ID_REQUIRED) => {
            record.event(group, at, member, What::Named);
            return;
        }
        _ => {
            record.errors(group, exchange, member, &response.errors());
            return;
        }
    }
    let Some(number) = response.int("GenerationId") else {
        return;
    };
    let leader = response.text("Leader").unwrap_or_default();
    let is_leader = member_id.as_deref() == Some(leader);
    let leader = record.member(group, leader, message.time);
    let listed: Vec<usize> = response
        .rows("Members")
        .filter_map(|row| record.member(group, row.text("MemberId")?, message.time))
        .collect();
    let asked = exchange.request.map(|request| request.time);
    if let Some(epoch) = record.epoch(group, number, at) {
        epoch.leader = leader.or(epoch.leader);
        epoch.protocol = owned(response.text("ProtocolName")).or(epoch.protocol.take());
        epoch.asked = epoch.asked.into_iter().chain(asked).min();
        epoch.is_complete |= !listed.is_empty();
        for member in listed.into_iter().chain(member) {
            if !epoch.members.contains(&member) {
                epoch.members.push(member);
            }
        }
    }
    let what = What::Joined {
        epoch: number,
        is_leader,
        waited: exchange.latency().unwrap_or(0),
        reason,
        assignment: None,
    };
    record.event(group, at, member, what);
}

/// What a request to join says of the member.
fn note(member: &mut Member, request: &Fields) {
    member.session_timeout_ms = request.int("SessionTimeoutMs");
    member.instance_id = owned(request.text("GroupInstanceId"));
    let mut protocols = request.rows("Protocols");
    let subscription = protocols.find_map(|row| row.inner("Metadata"));
    let topics = subscription.map(|found| found.texts("Topics").map(Into::into).collect());
    member.topics = topics.unwrap_or_default();
    member.left = None;
}

pub(super) fn sync(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response)) = both(record, exchange) else {
        return;
    };
    let group = record.asked(request.text("GroupId").unwrap_or_default(), exchange);
    record.is(group, GroupKind::Classic);
    let member_id = request.text("MemberId").unwrap_or_default();
    let member = record.sender(group, member_id, exchange);
    let (Some(response), Some(message)) = (response, exchange.response) else {
        return;
    };
    let errors = response.errors();
    if !errors.is_empty() {
        record.errors(group, exchange, member, &errors);
        return;
    }
    let number = request.int("GenerationId").unwrap_or(-1);
    let at = (message.time, exchange.n);
    if let Some(epoch) = record.epoch(group, number, at) {
        epoch.settled = epoch.settled.max(Some(message.time));
    }
    let assignment = response.inner("Assignment").and_then(consumer_protocol);
    let what = match response.is_empty("Assignment") {
        true => What::AssignedNothing { epoch: number },
        false => What::Assigned {
            epoch: number,
            assignment,
        },
    };
    record.event(group, at, member, what);
}

pub(super) fn heartbeat(record: &mut Record<'_>, exchange: &Exchange) {
    if let Some(group) = counted(record, exchange, |group| group.heartbeats += 1) {
        record.is(group, GroupKind::Classic);
    }
}

/// Counts a request of a member of which nothing but its errors is told; its group.
fn counted(
    record: &mut Record<'_>,
    exchange: &Exchange,
    count: impl FnOnce(&mut Group),
) -> Option<usize> {
    let (request, response) = both(record, exchange)?;
    let group = record.asked(request.text("GroupId").unwrap_or_default(), exchange);
    let member_id = request.text("MemberId").unwrap_or_default();
    let member = record.sender(group, member_id, exchange);
    if let Some(group) = record.of(group) {
        count(group);
    }
    let errors = response.map(|response| response.errors());
    record.errors(group, exchange, member, &errors.unwrap_or_default());
    Some(group)
}

pub(super) fn leave(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response)) = both(record, exchange) else {
        return;
    };
    let group = record.asked(request.text("GroupId").unwrap_or_default(), exchange);
    record.is(group, GroupKind::Classic);
    let at = (exchange.time(), exchange.n);
    let left = |record: &mut Record<'_>, row: &Fields| {
        let member_id = row.text("MemberId").unwrap_or_default();
        // An administrator removes static members by their instance ids.
        let member = match (member_id, row.text("GroupInstanceId")) {
            ("", Some(instance_id)) => record.instance(group, instance_id),
            (member_id, _) => record.member(group, member_id, exchange.time()),
        };
        let errors = response.as_ref().map(|response| refusals(response, row));
        let errors = errors.unwrap_or_default();
        if !errors.is_empty() {
            record.errors(group, exchange, member, &errors);
            return;
        }
        if let Some(found) = record.of(group)
            && let Some(member) = member.and_then(|member| found.members.get_mut(member))
        {
            member.left = Some(exchange.time());
        }
        let what = What::Left {
            reason: owned(row.text("Reason")),
            comes_back: false,
        };
        record.event(group, at, member, what);
    };
    if request.text("MemberId").is_some() {
        left(record, &request);
    }
    for row in request.rows("Members") {
        left(record, row);
    }
}

/// The error codes of a LeaveGroup response that concern the member of a row of the request.
fn refusals(response: &Fields, row: &Fields) -> Vec<i16> {
    // No instance id may be null in one of the two and empty in the other.
    let text = |fields: &Fields, name| fields.text(name).unwrap_or_default().to_owned();
    let is_its = |answer: &&Fields| {
        ["MemberId", "GroupInstanceId"]
            .into_iter()
            .all(|name| text(answer, name) == text(row, name))
    };
    let own = response.rows("Members").find(is_its);
    let mut errors = own.map(Fields::errors).unwrap_or_default();
    let whole = response.int("ErrorCode").unwrap_or(0) as i16;
    if whole != 0 && !errors.contains(&whole) {
        errors.push(whole);
    }
    errors
}

pub(super) fn offset_commit(record: &mut Record<'_>, exchange: &Exchange) {
    counted(record, exchange, |group| group.commits += 1);
}

/// A request may be about several groups from version 8 on (KIP-709).
pub(super) fn offset_fetch(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, response)) = both(record, exchange) else {
        return;
    };
    let mut fetched = |row: &Fields, errors: &[i16]| {
        let Some(id) = row.text("GroupId") else {
            return;
        };
        let group = record.asked(id, exchange);
        let member_id = row.text("MemberId").unwrap_or_default();
        let member = record.sender(group, member_id, exchange);
        if let Some(group) = record.of(group) {
            group.offset_fetches += 1;
        }
        record.errors(group, exchange, member, errors);
    };
    let errors = response.as_ref().map(Fields::errors).unwrap_or_default();
    fetched(&request, &errors);
    for row in request.rows("Groups") {
        let mut answers = response.iter().flat_map(|response| response.rows("Groups"));
        let answer = answers.find(|answer| answer.text("GroupId") == row.text("GroupId"));
        let errors = answer.map(Fields::errors);
        fetched(row, &errors.unwrap_or_default());
    }
}

/// Says where groups are coordinated; one that nothing else is heard of is no group of the capture.
pub(super) fn find_coordinator(record: &mut Record<'_>, exchange: &Exchange) {
    let Some((request, Some(response))) = both(record, exchange) else {
        return;
    };
    if request.int("KeyType").unwrap_or(GROUP_COORDINATOR) != GROUP_COORDINATOR {
        return;
    }
    let mut placed = |id: Option<&str>, row: &Fields| {
        let Some(id) = id else {
            return;
        };
        let errors = row.errors();
        if !errors.is_empty() {
            let group = record.group(id);
            record.errors(group, exchange, None, &errors);
            return;
        }
        let int = |name| row.int(name);
        let node = int("NodeId").and_then(|node| i32::try_from(node).ok());
        let port = int("Port").and_then(|port| u16::try_from(port).ok());
        if let (Some(node), Some(host), Some(port)) = (node, row.text("Host"), port) {
            record.placed(id, node, host, port);
        }
    };
    for row in response.rows("Coordinators") {
        placed(row.text("Key"), row);
    }
    if response.int("NodeId").is_some() {
        placed(request.text("Key"), &response);
    }
}
