//! Members that a group lost without their leaving: what the coordinator does not say to anybody,
//! and shows only in that the group goes on without them.

use super::{Epoch, Event, Group, GroupKind, Member, What};

/// How long brokers wait for a heartbeat in groups that are not classic, unless they are told
/// otherwise (`group.consumer.session.timeout.ms`, and its like for share and streams groups). No
/// message says it.
const SESSION_TIMEOUT_MS: i64 = 45_000;

/// Adds an event for each member that went silent.
pub(super) fn note(group: &mut Group) {
    let found = match group.kind {
        Some(GroupKind::Classic) => classic(group),
        Some(_) => by_heartbeats(group),
        None => Vec::new(),
    };
    group.events.extend(found);
}

/// A member that is in a generation and not in the next one, as the leader was told, and did not
/// leave.
fn classic(group: &Group) -> Vec<Event> {
    let pairs = group.epochs.iter().zip(group.epochs.iter().skip(1));
    let pairs = pairs.filter(|(_, next)| next.is_complete);
    let lost = pairs.flat_map(|(epoch, next)| {
        let missing = epoch
            .members
            .iter()
            .filter(|member| !next.members.contains(member));
        missing.filter_map(move |&at| Some((at, group.members.get(at)?, next)))
    });
    lost.filter(|(at, member, next)| !is_accounted_for(group, *at, member, next))
        .map(|(at, member, next)| Event {
            time: next.start,
            n: next.n,
            member: Some(at),
            what: What::Gone {
                since: member.last.min(next.start),
                timeout_ms: member.session_timeout_ms,
            },
        })
        .collect()
}

/// Whether the member left, or goes on under another id.
fn is_accounted_for(group: &Group, at: usize, member: &Member, next: &Epoch) -> bool {
    let is_replaced = || {
        member.instance_id.is_some()
            && next
                .members
                .iter()
                .filter_map(|&member| group.members.get(member))
                .any(|other| other.instance_id == member.instance_id)
    };
    let has_left = group.events.iter().any(|event| {
        event.member == Some(at)
            && event.time <= next.start
            && matches!(event.what, What::Left { .. })
    });
    has_left || is_replaced()
}

/// A member of which nothing was heard for longer than brokers wait, while others were heard.
fn by_heartbeats(group: &Group) -> Vec<Event> {
    let timeout = SESSION_TIMEOUT_MS * 1_000_000;
    let end = group.members.iter().map(|member| member.last).max();
    let end = end.unwrap_or_default();
    let members = group.members.iter().enumerate();
    members
        .filter(|(_, member)| member.left.is_none() && end - member.last > timeout)
        .map(|(at, member)| Event {
            time: member.last + timeout,
            n: group
                .events
                .iter()
                .rev()
                .find(|event| event.member == Some(at))
                .map_or(0, |event| event.n),
            member: Some(at),
            what: What::Gone {
                since: member.last,
                timeout_ms: Some(SESSION_TIMEOUT_MS),
            },
        })
        .collect()
}
