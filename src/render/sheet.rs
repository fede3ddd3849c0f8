//! What documents for others are made of: a title with facts, a list of exchanges, and messages,
//! each with facts of its own.
//!
//! What comes in are trees and what is known beside them; what goes out are texts that are safe to
//! show anywhere text is, and that each format still has to write by its own rules. Nothing here
//! knows a format.

use std::fmt;

use super::{
    Cut, ExchangeField as F, ExchangeRow, Head, Wording, escape_str, exchange::timestamp,
    latency_text, place,
};
use crate::{
    decode::Decoded,
    event::n_bytes,
    hextext::Place,
    schema::{ApiKey, Direction},
    session::{Exchange, Index, Kind, Message},
    tree::{Found, Tree},
};

/// A name and a value, as `Latency` and `0.221 ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub name: &'static str,
    pub value: String,
}

impl Fact {
    /// A fact; the value is made safe to show.
    pub fn new(name: &'static str, value: impl fmt::Display) -> Fact {
        Fact {
            name,
            value: escape_str(&value.to_string()),
        }
    }
}

/// One message.
pub struct Sheet<'a> {
    pub tree: &'a Tree,
    /// What tells it from its neighbours, as `CreateTopics 4 response`.
    pub title: String,
    pub facts: Vec<Fact>,
    /// Tells its parts from those of other messages of the document; empty where it is alone.
    pub anchor: String,
    pub wording: Wording,
    pub cut: Cut,
    /// Where each byte stood in a paste.
    pub places: Option<&'a [Place]>,
}

impl<'a> Sheet<'a> {
    /// A message by itself, with what its header says.
    pub fn new(tree: &'a Tree, head: &Head<'_>, cut: Cut) -> Sheet<'a> {
        Sheet {
            tree,
            title: title(head),
            facts: facts(tree, head),
            anchor: String::new(),
            wording: Wording::Counted,
            cut,
            places: None,
        }
    }

    /// Where the first byte of a problem stood, if that is known.
    pub(super) fn source(&self, found: &Found) -> Option<String> {
        let place = place(found, self.places)?;
        Some(format!("line {}, column {}", place.line, place.column))
    }
}

/// What a message is called.
fn title(head: &Head<'_>) -> String {
    match head {
        Head::Message(decoded) if decoded.api == ApiKey::UNKNOWN => {
            decoded.direction.name().to_owned()
        }
        Head::Message(Decoded {
            api,
            version,
            direction,
            ..
        }) => format!("{api} {version} {}", direction.name()),
        Head::SaslToken => "SASL token".to_owned(),
        Head::Structure(plan) => format!("{} {}", plan.name, plan.version),
        Head::Records => "Record batches".to_owned(),
        Head::Content(name) => (*name).to_owned(),
    }
}

fn facts(tree: &Tree, head: &Head<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Head::Message(decoded) = head {
        let is_known = decoded.direction == Direction::Request || decoded.api != ApiKey::UNKNOWN;
        if is_known {
            facts.push(Fact::new("API key", decoded.api.0));
            facts.push(Fact::new("Version", decoded.version));
        }
        facts.push(Fact::new("Header version", decoded.header_version));
        facts.extend(
            decoded
                .correlation_id
                .map(|id| Fact::new("Correlation id", id)),
        );
        if decoded.direction == Direction::Request {
            let client_id = decoded.client_id.as_deref();
            facts.push(Fact::new("Client id", client_id.unwrap_or("null")));
        }
    }
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    facts.push(Fact::new("Size", n_bytes(size as u64)));
    facts
}

/// When and in which packet a message came.
pub fn message_facts(message: &Message) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("Time", format!("{:.6}", timestamp(message.time))),
        Fact::new("Packet", message.packet),
    ];
    if !message.is_whole() {
        facts.push(Fact::new(
            "Captured",
            format!("{} of {} bytes", message.captured, message.size),
        ));
    }
    facts
}

/// What an exchange is called.
pub fn exchange_title(index: &Index, exchange: &Exchange) -> String {
    let row = ExchangeRow::new(index, exchange);
    let (api, version) = (row.text(F::Api), row.text(F::Version));
    match exchange.kind {
        Kind::Api if !version.is_empty() => format!("{api} {version}"),
        _ => api.to_owned(),
    }
}

/// What is known of an exchange without looking into its messages.
pub fn exchange_facts(index: &Index, exchange: &Exchange) -> Vec<Fact> {
    let row = ExchangeRow::new(index, exchange);
    // The texts of a row are safe already.
    let safe = |name, value: &str| Fact {
        name,
        value: value.to_owned(),
    };
    let mut facts = vec![
        Fact::new("Time", format!("{:.6}", timestamp(exchange.time()))),
        safe("Client", row.text(F::Client)),
        safe("Server", &format!("{}{}", row.text(F::Server), row.tls)),
        safe("Connection", row.text(F::Connection)),
        safe("Client id", row.text(F::ClientId)),
        safe("Topics", row.text(F::Topics)),
        safe(
            "Request / response",
            &format!("{} bytes", row.text(F::Bytes)),
        ),
        safe("Latency", row.text(F::LatencyMs)),
    ];
    if let Some(ms) = index.throttle_ms(exchange).filter(|&ms| ms > 0) {
        facts.push(Fact::new("Throttle", format!("{ms} ms")));
        let net = index.latency_net(exchange);
        facts.extend(net.map(|nanos| Fact::new("Net latency", latency_text(nanos))));
    }
    facts.push(safe("Status", exchange.status.name()));
    facts.push(safe("Error", row.text(F::Errors)));
    facts.retain(|fact| !fact.value.is_empty());
    facts
}
