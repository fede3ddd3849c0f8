//! What the members of a group tell each other through its coordinator: consumers (KIP-429),
//! Connect workers (KIP-415), and what assignors add.
//!
//! Clients write these themselves, and not all as Kafka's own does: last fields are missing, and
//! versions are newer than any that is known, which all readers have to bear. Bytes are called
//! wrong only when the version in front of them is one that is known.

use super::{
    Reading, catalogue,
    prefixed::{Lead, Structure, exactly, int16, misfit},
};
use crate::{
    event::{Assignor, Context, GroupType},
    schema::Plan,
    wire::{BufferId, Cursor},
};

/// What a member brings along.
pub(super) fn subscription(context: Context, bytes: &[u8]) -> Reading {
    by_type(
        context,
        "ConsumerProtocolSubscription",
        "ConnectProtocolMetadata",
        bytes,
    )
}

/// What a member gets.
pub(super) fn assignment(context: Context, bytes: &[u8]) -> Reading {
    by_type(
        context,
        "ConsumerProtocolAssignment",
        "ConnectProtocolAssignment",
        bytes,
    )
}

/// What a Connect worker runs already.
pub(super) fn allocation(bytes: &[u8]) -> Reading {
    structure("ConnectProtocolAssignment", bytes)
}

fn by_type(context: Context, consumer: &str, connect: &str, bytes: &[u8]) -> Reading {
    match context.group {
        GroupType::Consumer => structure(consumer, bytes),
        GroupType::Connect => structure(connect, bytes),
        GroupType::Other => Reading::Opaque,
        GroupType::Unknown => match structure(consumer, bytes) {
            Reading::Structure(found) => Reading::Structure(found),
            _ => match structure(connect, bytes) {
                Reading::Structure(found) => Reading::Structure(found),
                // An assignor that is Kafka's own is one of consumers.
                _ => match context.assignor {
                    Assignor::Unknown | Assignor::Other => Reading::Opaque,
                    _ => structure(consumer, bytes),
                },
            },
        },
    }
}

/// The structure of that name behind its version, as clients write it.
pub(super) fn structure(name: &str, bytes: &[u8]) -> Reading {
    let Some((version, body)) = int16(bytes) else {
        return Reading::Opaque;
    };
    let newest = catalogue()
        .definition(name)
        .and_then(Result::ok)
        .map_or(0, |definition| definition.newest());
    let Some(plan) = catalogue().plan(name, version.min(newest)) else {
        return Reading::Opaque;
    };
    if version > newest {
        return newer(plan, version, body);
    }
    if plan.fits(body) {
        return Reading::Structure(Structure::whole(plan, Lead::VERSION));
    }
    match plan.body.short(body) {
        Some(n_fields) => Reading::Structure(Structure {
            plan,
            lead: Lead::VERSION,
            n_fields,
            remark: Some(missing(plan, n_fields)),
        }),
        None => Reading::Doubtful(misfit(plan, body)),
    }
}

/// A version that is not known yet: what is known of it comes first, by the rules of the protocol.
fn newer(plan: &'static Plan, version: i16, body: &[u8]) -> Reading {
    let mut cursor = Cursor::new(body, BufferId::FRAME);
    let newest = plan.version;
    if plan.measure(&mut cursor).is_none() {
        return Reading::Opaque;
    }
    Reading::Structure(Structure {
        remark: Some(format!(
            "version {version} is unknown and read as version {newest}, the newest that is known"
        )),
        ..Structure::whole(plan, Lead::VERSION)
    })
}

fn missing(plan: &Plan, n_fields: usize) -> String {
    let names: Vec<&str> = plan
        .body
        .fields
        .iter()
        .skip(n_fields)
        .map(|field| field.node.name)
        .collect();
    format!(
        "version {} without {}, as some clients write it",
        plan.version,
        names.join(" and ")
    )
}

/// What an assignor adds to the subscription.
pub(super) fn user_data(context: Context, bytes: &[u8]) -> Reading {
    let plan = |name, version| catalogue().plan(name, version);
    let sticky = || {
        // The layout does not say its version; the older one is the newer without its end.
        [1, 0]
            .into_iter()
            .filter_map(|version| plan("StickyAssignorUserData", version))
            .find(|plan| plan.fits(bytes))
            .map(|plan| Reading::Structure(Structure::whole(plan, Lead::None)))
    };
    let read = match context.assignor {
        Assignor::Sticky => sticky(),
        // Without a name only content that cannot be anything else is believed.
        Assignor::Unknown if bytes.len() > 12 => sticky(),
        Assignor::CooperativeSticky => plan("CooperativeStickyAssignorUserData", 0)
            .map(|plan| exactly(plan, Lead::None, bytes)),
        Assignor::Streams => streams(bytes),
        Assignor::Unknown | Assignor::Other => return Reading::Opaque,
    };
    match (read, context.assignor) {
        (Some(read), _) => read,
        (None, Assignor::Unknown) => Reading::Opaque,
        (None, _) => Reading::Doubtful(format!(
            "left as bytes: its {} bytes are not what this assignor writes",
            bytes.len()
        )),
    }
}

/// What an assignor adds to the assignment. Only that of Kafka Streams is known to add anything.
pub(super) fn assignment_user_data(context: Context) -> Reading {
    match context.assignor {
        Assignor::Streams => Reading::Doubtful(
            "left as bytes: no definition says how Kafka Streams lays out its AssignmentInfo"
                .to_owned(),
        ),
        _ => Reading::Opaque,
    }
}

fn streams(bytes: &[u8]) -> Option<Reading> {
    let version = i32::from_be_bytes(*bytes.first_chunk()?);
    let plan = catalogue().plan("SubscriptionInfoData", i16::try_from(version).ok()?)?;
    Some(exactly(plan, Lead::None, bytes))
}
