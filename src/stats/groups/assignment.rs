//! Assignments in the forms that groups have.

use crate::{
    explain::Cluster,
    stats::{fields::Fields, partitions::topic_name},
};

/// Partitions of one thing that a member is to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    pub of: Share,
    pub partitions: Vec<i32>,
}

/// What the partitions are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    /// A topic by name, or by id where the capture names it nowhere.
    Topic(Box<str>),
    /// A part of a streams topology.
    Subtopology { id: Box<str>, task: Task },
}

/// What a member of a streams group does with partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Active,
    Standby,
    Warmup,
}

impl Task {
    /// The word in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Task::Active => "active",
            Task::Standby => "standby",
            Task::Warmup => "warmup",
        }
    }
}

/// A `ConsumerProtocolAssignment`; `None` for the fields of another structure.
pub(super) fn consumer_protocol(fields: &Fields) -> Option<Vec<Assigned>> {
    fields.array("AssignedPartitions")?;
    let topics = fields.rows("AssignedPartitions").map(|row| {
        let name = row.text("Topic").unwrap_or_default();
        assigned(Share::Topic(name.into()), row)
    });
    Some(topics.collect())
}

/// The topics of the assignment in a heartbeat response of a consumer or share group.
pub(super) fn topic_partitions(fields: &Fields, cluster: &Cluster) -> Option<Vec<Assigned>> {
    let assignment = fields.inner("Assignment")?;
    let topics = assignment.rows("TopicPartitions").map(|row| {
        let name = topic_name(cluster, row.id("TopicId").unwrap_or_default());
        assigned(Share::Topic(name), row)
    });
    Some(topics.collect())
}

/// The tasks in a heartbeat response of a streams group; `None` where none of them changes.
pub(super) fn tasks(fields: &Fields) -> Option<Vec<Assigned>> {
    const TASKS: [(&str, Task); 3] = [
        ("ActiveTasks", Task::Active),
        ("StandbyTasks", Task::Standby),
        ("WarmupTasks", Task::Warmup),
    ];
    if TASKS.iter().all(|(name, _)| fields.array(name).is_none()) {
        return None;
    }
    let tasks = TASKS.iter().flat_map(|&(name, task)| {
        fields.rows(name).map(move |row| {
            let id = row.text("SubtopologyId").unwrap_or_default().into();
            assigned(Share::Subtopology { id, task }, row)
        })
    });
    Some(tasks.collect())
}

fn assigned(of: Share, row: &Fields) -> Assigned {
    let partitions = row.ints("Partitions");
    let mut partitions: Vec<i32> = partitions.filter_map(|int| int.try_into().ok()).collect();
    partitions.sort_unstable();
    Assigned { of, partitions }
}
