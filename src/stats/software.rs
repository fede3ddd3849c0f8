//! What client software speaks on each connection, as its ApiVersions requests say from version 3
//! on (KIP-511).

use std::collections::HashMap;

use super::{Keep, fields::fields};
use crate::{
    schema::{ApiKey, Direction},
    session::{Index, Session},
};

/// Name and version of the software of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Software {
    pub name: Box<str>,
    pub version: Box<str>,
}

/// The first version whose requests name it.
const NAMES_SOFTWARE: i16 = 3;

/// The software by connection, of those that say it. A connection without the request, as when the
/// capture starts in the middle of it, has none: another one of the same client id could be another
/// program.
pub fn software(session: &Session, index: &Index, keep: Keep<'_>) -> HashMap<u32, Software> {
    let mut found = HashMap::new();
    for exchange in index.exchanges() {
        let Some((key, version)) = exchange.api else {
            continue;
        };
        if ApiKey(key) != ApiKey::API_VERSIONS || version < NAMES_SOFTWARE || !keep(&exchange) {
            continue;
        }
        let Some(fields) = fields(session, &exchange, Direction::Request) else {
            continue;
        };
        let text = |name| fields.text(name).unwrap_or_default();
        let software = Software {
            name: text("ClientSoftwareName").into(),
            version: text("ClientSoftwareVersion").into(),
        };
        if !software.name.is_empty() || !software.version.is_empty() {
            found.entry(exchange.connection).or_insert(software);
        }
    }
    found
}
