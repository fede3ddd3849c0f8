//! What the bytes inside a message hold: structures of clients and brokers within bytes fields,
//! records of Kafka's own topics, SASL tokens, metrics, and what the rest looks like.
//!
//! What comes in is the content of a bytes field with what is known of it: which field it is
//! ([`Inside`]) and what earlier fields have said ([`Context`]); what goes out is a [`Reading`]
//! that says how to read it. Content has to fit a reading exactly, or it stays bytes: a guess that
//! is shown as fact is worse than none. Structures of definitions are read by the decoder, which
//! asks here; tokens and metrics, which have no definition, are read here into its events.

mod group;
mod guess;
mod internal;
mod limits;
mod named;
mod prefixed;
mod protobuf;
mod sasl;
mod sasl_read;
mod telemetry;
mod told;

pub use guess::guess;
pub use internal::{key, value};
pub use limits::{DEPTH, SEARCHED, UNPACKED};
pub use named::named_content;
pub use prefixed::{Lead, Structure};
pub use sasl::Token;
pub use telemetry::{METRICS, are_metrics, metrics};
pub use told::{number_tells, text_tells, topic, uuid_tells};

use crate::{
    event::Context,
    schema::{Catalogue, Inside},
};

/// How content is to be read.
#[derive(Clone, Debug)]
pub enum Reading {
    /// As bytes.
    Opaque,
    /// As bytes, although something else was to be expected; the text says why.
    Doubtful(String),
    /// As a structure of a definition.
    Structure(Structure),
    /// As a SASL token.
    Sasl(Token),
    /// As a request with its header.
    Request,
    /// As a response with its header.
    Response,
    /// As metrics, compressed or not.
    Telemetry,
}

/// How the content of a field is to be read.
pub fn reading(inside: Inside, context: Context, bytes: &[u8]) -> Reading {
    if bytes.is_empty() {
        return Reading::Opaque;
    }
    match inside {
        Inside::Subscription => group::subscription(context, bytes),
        Inside::Assignment => group::assignment(context, bytes),
        Inside::SubscriptionUserData => group::user_data(context, bytes),
        Inside::AssignmentUserData => group::assignment_user_data(context),
        Inside::Allocation => group::allocation(bytes),
        Inside::Request => Reading::Request,
        Inside::Response => Reading::Response,
        Inside::Principal => prefixed::versioned("DefaultPrincipalData", bytes),
        Inside::Sasl => Token::of(bytes).map_or(Reading::Opaque, Reading::Sasl),
        Inside::Telemetry => Reading::Telemetry,
        Inside::MetadataLog => Reading::Opaque,
    }
}

/// The definitions that structures are taken from.
fn catalogue() -> &'static Catalogue {
    Catalogue::current()
}
