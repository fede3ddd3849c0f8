//! What fields say of later ones: names of topics, protocols of groups, codecs.

use uuid::Uuid;

use crate::{
    event::{Assignor, Context, GroupType, Topic},
    schema::Tells,
};

/// Notes what a text says; `None` is null.
pub fn text_tells(tells: Tells, text: Option<&[u8]>, context: &mut Context) {
    match tells {
        Tells::Topic => context.topic = text.map_or(Topic::Ordinary, topic),
        Tells::GroupType => context.group = text.map_or(GroupType::Unknown, group),
        Tells::Assignor => context.assignor = text.map_or(Assignor::Unknown, assignor),
        Tells::TopicId | Tells::Codec => {}
    }
}

/// Notes what a uuid says; `name` is what the topic is called, if it is the id of one and that is
/// known.
pub fn uuid_tells(tells: Tells, uuid: Uuid, name: Option<Topic>, context: &mut Context) {
    // The metadata log has the same id in all clusters; those of others differ.
    const METADATA: Uuid = Uuid::from_u128(1);
    if tells == Tells::TopicId {
        context.topic = match uuid {
            METADATA => Topic::ClusterMetadata,
            // Old versions have a name and no id, which then stands as zero, or not at all.
            nil if nil.is_nil() => context.topic,
            _ => name.unwrap_or_default(),
        };
    }
}

/// Notes what a number says.
pub fn number_tells(tells: Tells, number: i8, context: &mut Context) {
    if tells == Tells::Codec {
        context.codec = number;
    }
}

/// Which of Kafka's own topics has this name.
pub fn topic(name: &[u8]) -> Topic {
    match name {
        b"__consumer_offsets" => Topic::ConsumerOffsets,
        b"__transaction_state" => Topic::TransactionState,
        b"__share_group_state" => Topic::ShareGroupState,
        b"__cluster_metadata" => Topic::ClusterMetadata,
        b"__remote_log_metadata" => Topic::RemoteLogMetadata,
        _ => Topic::Ordinary,
    }
}

fn group(name: &[u8]) -> GroupType {
    match name {
        b"" => GroupType::Unknown,
        b"consumer" => GroupType::Consumer,
        b"connect" => GroupType::Connect,
        _ => GroupType::Other,
    }
}

fn assignor(name: &[u8]) -> Assignor {
    match name {
        b"" => Assignor::Unknown,
        b"sticky" => Assignor::Sticky,
        b"cooperative-sticky" => Assignor::CooperativeSticky,
        b"stream" => Assignor::Streams,
        _ => Assignor::Other,
    }
}
