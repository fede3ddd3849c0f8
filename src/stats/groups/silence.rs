//! Members that a group lost without their leaving: what the coordinator does not say to anybody,
//! and shows only in that the group goes on without them.

use std::collections::{HashMap, HashSet};

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
    let mut left: HashMap<usize, Vec<i64>> = HashMap::new();
    for event in &group.events {
        if let (What::Left { .. }, Some(member)) = (&event.what, event.member) {
            left.entry(member).or_default().push(event.time);
        }
    }
    let mut found = Vec::new();
    let pairs = group.epochs.iter().zip(group.epochs.iter().skip(1));
    for (epoch, next) in pairs.filter(|(_, next)| next.is_complete) {
        let stays: HashSet<usize> = next.members.iter().copied().collect();
        let missing = epoch
            .members
            .iter()
            .filter(|member| !stays.contains(member));
        for &at in missing {
            let Some(member) = group.members.get(at) else {
                continue;
            };
            let between = epoch.asked.unwrap_or(epoch.start)..=next.start;
            let mut left = left.get(&at).into_iter().flatten();
            if left.any(|time| between.contains(time)) || is_replaced(group, member, next) {
                continue;
            }
            found.push(Event {
                time: next.start,
                n: next.n,
                member: Some(at),
                what: What::Gone {
                    since: last_heard(next, at, member).min(next.start),
                    timeout_ms: member.session_timeout_ms,
                },
            });
        }
    }
    found
}

/// Whether a static member goes on under another id.
fn is_replaced(group: &Group, member: &Member, next: &Epoch) -> bool {
    let members = next.members.iter();
    let mut members = members.filter_map(|&member| group.members.get(member));
    member.instance_id.is_some() && members.any(|other| other.instance_id == member.instance_id)
}

/// When the member was last heard before an epoch began; it may be heard again behind that.
fn last_heard(next: &Epoch, at: usize, member: &Member) -> i64 {
    let mut heard = next.heard.iter();
    let found = heard.find(|(member, _)| *member == at);
    found.map_or(member.last, |&(_, time)| time)
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
