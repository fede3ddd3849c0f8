//! Timelines of groups as JSON; docs/JSON.md is the contract.

use serde_json::{Value as Json, json};

use super::{failure::failure_json, iso, ms};
use crate::stats::{Assigned, Epoch, Event, Group, GroupKind, Member, Share, What};

/// The lines of a group: itself, then its events.
pub fn group_json(group: &Group) -> Vec<Json> {
    let member_id = |at: usize| group.members.get(at).map(|member| &*member.id);
    let coordinators: Vec<Json> = group
        .coordinators
        .iter()
        .map(|found| json!({"address": found.endpoint.to_string(), "node": found.node}))
        .collect();
    let members: Vec<Json> = group.members.iter().map(member_json).collect();
    let epochs = group.epochs.iter();
    let epochs: Vec<Json> = epochs.map(|epoch| epoch_json(epoch, &member_id)).collect();
    let mut lines = vec![json!({
        "type": "group",
        "group": group.id,
        "kind": group.kind.map(GroupKind::name),
        "protocol_type": group.protocol_type,
        "coordinators": coordinators,
        "members": members,
        "epochs": epochs,
        "heartbeats": group.heartbeats,
        "commits": group.commits,
        "offset_fetches": group.offset_fetches,
        "rebalance_ms": ms(group.rebalancing()),
    })];
    for event in &group.events {
        let mut line = json!({
            "type": "group-event",
            "group": group.id,
            "time": iso(event.time),
            "n": event.n,
            "member_id": event.member.and_then(member_id),
        });
        if let (Json::Object(line), Json::Object(what)) = (&mut line, event_json(group, event)) {
            line.extend(what);
        }
        lines.push(line);
    }
    lines
}

fn member_json(member: &Member) -> Json {
    json!({
        "member_id": member.id,
        "client_id": member.client_id,
        "instance_id": member.instance_id,
        "address": member.host.map(|host| host.to_string()),
        "session_timeout_ms": member.session_timeout_ms,
        "topics": member.topics,
        "first": iso(member.first),
        "last": iso(member.last),
    })
}

/// An epoch, whose members have the ids that `member_id` knows.
fn epoch_json<'a>(epoch: &Epoch, member_id: &impl Fn(usize) -> Option<&'a str>) -> Json {
    let members = epoch.members.iter().filter_map(|&at| member_id(at));
    json!({
        "epoch": epoch.number,
        "time": iso(epoch.start),
        "n": epoch.n,
        "leader": epoch.leader.and_then(member_id),
        "protocol": epoch.protocol,
        "members": members.map(Json::from).collect::<Vec<Json>>(),
        "members_complete": epoch.is_complete,
        "rebalance_ms": epoch.took().map(ms),
    })
}

fn event_json(group: &Group, event: &Event) -> Json {
    match &event.what {
        What::Named => json!({"event": "named"}),
        What::Asked { reason } => json!({"event": "asked", "reason": reason}),
        What::Waits => json!({"event": "waits"}),
        What::Joined {
            epoch,
            is_leader,
            waited,
            reason,
            assignment,
        } => json!({
            "event": "joined",
            "epoch": epoch,
            "leader": is_leader,
            "waited_ms": ms(*waited),
            "reason": reason,
            "assignment": assignment.as_deref().map(assignment_json),
        }),
        What::Began { epoch } => json!({
            "event": "began",
            "epoch": group.epochs.get(*epoch).map(|epoch| epoch.number),
        }),
        What::Assigned { epoch, assignment } => json!({
            "event": "assigned",
            "epoch": epoch,
            "assignment": assignment.as_deref().map(assignment_json),
        }),
        What::AssignedNothing { epoch } => json!({
            "event": "assigned",
            "epoch": epoch,
            "assignment": [],
        }),
        What::Moved {
            from,
            to,
            assignment,
        } => json!({
            "event": "moved",
            "from_epoch": from,
            "epoch": to,
            "assignment": assignment.as_deref().map(assignment_json),
        }),
        What::Left { reason, comes_back } => json!({
            "event": "left",
            "reason": reason,
            "comes_back": comes_back,
        }),
        What::Gone { since, timeout_ms } => json!({
            "event": "gone",
            "last_heard": iso(*since),
            "session_timeout_ms": timeout_ms,
        }),
        What::Failed(failure) => failure_json(failure),
    }
}

fn assignment_json(assignment: &[Assigned]) -> Json {
    let parts = assignment.iter().map(|assigned| match &assigned.of {
        Share::Topic(name) => json!({"topic": name, "partitions": assigned.partitions}),
        Share::Subtopology { id, task } => json!({
            "subtopology": id,
            "task": task.name(),
            "partitions": assigned.partitions,
        }),
    });
    parts.collect()
}
