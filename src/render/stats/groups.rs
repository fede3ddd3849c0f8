//! Timelines of groups as text.

use std::fmt::{self, Write};

use super::{duration, failure::failure, n_of, tables::Extent, time_of_day};
use crate::{
    event::Severity,
    render::{Cut, Marks, Palette, escape_str},
    stats::{Assigned, Event, Group, GroupKind, Member, Share, Task, What},
};

/// Characters of a member id that a line shows: clients put a random id of 36 behind a name.
const ID_WIDTH: usize = 60;

/// Writes the timeline of a group, of its events as many as `extent` says.
pub fn group_text(
    out: &mut impl Write,
    group: &Group,
    palette: Palette,
    marks: Marks,
    extent: Extent,
    cut: Cut,
) -> fmt::Result {
    let (bold, dim) = (palette.title(), palette.dim());
    writeln!(
        out,
        "{bold}group {}{bold:#}: {}",
        escape_str(&group.id),
        summary(group)
    )?;
    for (at, member) in group.members.iter().enumerate() {
        writeln!(out, "  member {}  {}", at + 1, about(member, cut))?;
    }
    let shown = extent.of(group.events.len());
    let n_width = group.events.iter().map(|event| event.n).max();
    let n_width = n_width.unwrap_or(0).to_string().len();
    for event in group.events.iter().take(shown) {
        let style = match event.what {
            What::Failed(_) => palette.severity(Severity::Error),
            What::Gone { .. } => palette.severity(Severity::Warning),
            What::Began { .. } => bold,
            _ => Palette::Plain.dim(),
        };
        let member = event
            .member
            .map_or(String::new(), |at| format!("member {} ", at + 1));
        writeln!(
            out,
            "  {dim}{}  {:>n_width$}{dim:#}  {style}{member}{}{style:#}",
            time_of_day(event.time),
            event.n,
            text(group, event)
        )?;
    }
    let more = group.events.len() - shown;
    if more > 0 {
        writeln!(out, "  {}", marks.and_more(more))?;
    }
    Ok(())
}

fn summary(group: &Group) -> String {
    let kind = match (group.kind, &group.protocol_type) {
        (None, _) => "nobody joins it in the capture".to_owned(),
        (Some(GroupKind::Classic), Some(ty)) => format!("classic ({})", escape_str(ty)),
        (Some(kind), _) => format!("{} group", kind.name()),
    };
    let mut parts = vec![kind];
    let coordinators: Vec<String> = group
        .coordinators
        .iter()
        .map(|coordinator| match coordinator.node {
            Some(node) => format!("{} (node {node})", coordinator.endpoint),
            None => coordinator.endpoint.to_string(),
        })
        .collect();
    if !coordinators.is_empty() {
        parts.push(format!("coordinator {}", coordinators.join(", ")));
    }
    if group.kind.is_some() {
        parts.push(n_of(group.members.len() as u64, "member"));
    }
    if !group.epochs.is_empty() {
        parts.push(n_of(group.epochs.len() as u64, word(group)));
    }
    let rebalances = group.epochs.iter().filter(|epoch| epoch.took().is_some());
    let n_rebalances = rebalances.count() as u64;
    if n_rebalances > 0 {
        parts.push(format!(
            "{} in {}",
            duration(group.rebalancing()),
            n_of(n_rebalances, "rebalance")
        ));
    }
    for (n, what) in [
        (group.heartbeats, "heartbeat"),
        (group.commits, "commit"),
        (group.offset_fetches, "offset fetch"),
    ] {
        match (n, what) {
            (0, _) => {}
            (2.., "offset fetch") => parts.push(format!("{n} offset fetches")),
            _ => parts.push(n_of(n, what)),
        }
    }
    parts.join(", ")
}

/// What its epochs are called.
fn word(group: &Group) -> &'static str {
    match group.kind {
        Some(GroupKind::Classic) | None => "generation",
        Some(_) => "epoch",
    }
}

fn about(member: &Member, cut: Cut) -> String {
    let mut parts = vec![id(&member.id, cut)];
    if let Some(client_id) = &member.client_id {
        parts.push(format!("client {}", escape_str(client_id)));
    }
    if let Some(host) = member.host {
        parts.push(format!("from {host}"));
    }
    if let Some(instance_id) = &member.instance_id {
        parts.push(format!("instance {}", escape_str(instance_id)));
    }
    if let Some(timeout) = member.session_timeout_ms {
        let timeout = duration(timeout.saturating_mul(1_000_000));
        parts.push(format!("session timeout {timeout}"));
    }
    if !member.topics.is_empty() {
        parts.push(format!("subscribes to {}", names(&member.topics, cut)));
    }
    parts.join(", ")
}

/// Topics, of which the first few are named unless all are wanted.
fn names(topics: &[Box<str>], cut: Cut) -> String {
    const NAMED: usize = 5;
    let most = match cut {
        Cut::Wide => usize::MAX,
        _ => NAMED,
    };
    let names: Vec<String> = topics
        .iter()
        .take(most)
        .map(|name| escape_str(name))
        .collect();
    match topics.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

fn id(id: &str, cut: Cut) -> String {
    match id.char_indices().nth(ID_WIDTH) {
        Some((end, _)) if cut != Cut::Wide => {
            format!("{}...", escape_str(id.get(..end).unwrap_or_default()))
        }
        _ => escape_str(id),
    }
}

fn text(group: &Group, event: &Event) -> String {
    let epoch = word(group);
    let because = |reason: &Option<Box<str>>| match reason {
        Some(reason) => format!(", because: {}", escape_str(reason)),
        None => String::new(),
    };
    match &event.what {
        What::Named => "gets its id, to join with".to_owned(),
        What::Asked { reason } => {
            format!("asks to join{}; the capture has no answer", because(reason))
        }
        What::Waits => format!("has joined, and waits for an {epoch} to be in"),
        What::Joined {
            epoch: number,
            is_leader,
            waited,
            reason,
            assignment,
        } => {
            let leader = if *is_leader { " as its leader" } else { "" };
            let assigned = match assignment {
                Some(assignment) => format!(" and gets {}", assigned(assignment)),
                None => String::new(),
            };
            format!(
                "joins {epoch} {number}{leader}{assigned}, {} after it asked{}",
                duration(*waited),
                because(reason)
            )
        }
        What::Began { epoch: at } => began(group, *at),
        What::Assigned {
            epoch: number,
            assignment,
        } => match assignment {
            Some(assignment) => format!("gets {} in {epoch} {number}", assigned(assignment)),
            None => format!("gets its assignment in {epoch} {number}"),
        },
        What::AssignedNothing { epoch: number } => {
            format!("gets an empty assignment in {epoch} {number}")
        }
        What::Moved {
            from,
            to,
            assignment,
        } => {
            let moved = match from {
                Some(from) if from == to => format!("stays in {epoch} {to}"),
                Some(from) => format!("goes from {epoch} {from} to {to}"),
                None => format!("is in {epoch} {to}"),
            };
            match assignment {
                Some(assignment) => format!("{moved} and gets {}", assigned(assignment)),
                None => moved,
            }
        }
        What::Left { reason, comes_back } => match comes_back {
            true => "leaves for a short time".to_owned(),
            false => format!("leaves{}", because(reason)),
        },
        What::Gone { since, timeout_ms } => gone(group, event, *since, *timeout_ms),
        What::Failed(failed) if event.member.is_some() => format!("gets {}", failure(failed)),
        What::Failed(failed) => failure(failed),
    }
}

fn began(group: &Group, at: usize) -> String {
    let Some(epoch) = group.epochs.get(at) else {
        return String::new();
    };
    let mut text = format!("{} {} begins", word(group), epoch.number);
    if group.kind == Some(GroupKind::Classic) && !epoch.members.is_empty() {
        let mut members = epoch.members.clone();
        members.sort_unstable();
        let texts: Vec<String> = members.iter().map(|at| (at + 1).to_string()).collect();
        let word = if texts.len() == 1 {
            "member"
        } else {
            "members"
        };
        let known = if epoch.is_complete { "" } else { " at least" };
        let _ = write!(text, " with {word} {}{known}", texts.join(", "));
    }
    if let Some(leader) = epoch.leader {
        let _ = write!(text, ", leader {}", leader + 1);
    }
    if let Some(protocol) = &epoch.protocol {
        let _ = write!(text, ", protocol {}", escape_str(protocol));
    }
    if let Some(took) = epoch.took() {
        let _ = write!(
            text,
            ", all assigned {} after the first asked",
            duration(took)
        );
    }
    text
}

fn gone(group: &Group, event: &Event, since: i64, timeout_ms: Option<i64>) -> String {
    let silent = event.time.saturating_sub(since);
    let timeout = timeout_ms.map(|ms| ms.saturating_mul(1_000_000));
    let heard = format!(
        "last heard {} before, at {}",
        duration(silent),
        time_of_day(since)
    );
    match (timeout, group.kind) {
        (Some(timeout), Some(GroupKind::Classic)) if silent >= timeout => format!(
            "is out without leaving: its session of {} timed out, it seems; {heard}",
            duration(timeout)
        ),
        (Some(timeout), Some(GroupKind::Classic)) => format!(
            "is out without leaving, and before its session of {} could time out; {heard}",
            duration(timeout)
        ),
        (Some(timeout), _) => format!(
            "is silent for {}, after which brokers remove a member unless told otherwise; {heard}",
            duration(timeout)
        ),
        (None, _) => format!("is out without leaving; {heard}"),
    }
}

/// `orders 0-2,5; payments 1`.
fn assigned(assignment: &[Assigned]) -> String {
    let parts: Vec<String> = assignment
        .iter()
        .map(|assigned| {
            let of = match &assigned.of {
                Share::Topic(name) => escape_str(name),
                Share::Subtopology { id, task } => {
                    let task = match task {
                        Task::Active => String::new(),
                        task => format!(" ({})", task.name()),
                    };
                    format!("subtopology {}{task}", escape_str(id))
                }
            };
            format!("{of} {}", ranges(&assigned.partitions))
        })
        .collect();
    match parts.is_empty() {
        true => "no partition".to_owned(),
        false => parts.join("; "),
    }
}

/// Numbers in order, those in a row as a range.
pub(super) fn ranges(numbers: &[i32]) -> String {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, end)) if end.checked_add(1) == Some(number) => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(from, to)| match from == to {
            true => from.to_string(),
            false => format!("{from}-{to}"),
        })
        .collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_is_cut_unless_all_is_wanted() {
        let long = "x".repeat(ID_WIDTH + 1);
        assert_eq!(id(&long, Cut::Wide), long);
        assert_eq!(
            id(&long, Cut::Short),
            format!("{}...", "x".repeat(ID_WIDTH))
        );
        let topics: Vec<Box<str>> = ["a", "b", "c", "d", "e", "f"].map(Into::into).into();
        assert_eq!(names(&topics, Cut::Short), "a, b, c, d, e and 1 more");
        assert_eq!(names(&topics, Cut::Wide), "a, b, c, d, e, f");
    }

    #[test]
    fn partitions_in_a_row_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[i32::MAX]), i32::MAX.to_string());
    }
}
