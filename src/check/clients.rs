//! Clients that use versions of APIs which Kafka 4 does not speak any more (KIP-896).

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
};

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
    messages::place,
};
use crate::{
    schema::{ApiKey, Catalogue, Direction},
    session::{Index, NameId, Session},
    stats::{Keep, Software, software},
};

/// One that connects from an address under a client id with a software.
type Client<'s> = (Option<NameId>, Option<&'s Software>, Option<IpAddr>);

/// Where a client used such a version, and how often by API and version.
#[derive(Default)]
struct Uses {
    counts: BTreeMap<(i16, i16), u64>,
    occurrences: Vec<Occurrence>,
}

pub(super) fn check(session: &Session, index: &Index, keep: Keep<'_>, found: &mut Findings) {
    let software = software(session, index, &|_| true);
    let mut clients: HashMap<Client<'_>, Uses> = HashMap::new();
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        let Some((key, version)) = exchange.api.filter(|&api| is_removed(api)) else {
            continue;
        };
        let connection = index.connection(exchange.connection);
        let client = (
            exchange.client_id,
            software.get(&exchange.connection),
            connection.map(|connection| connection.client.addr),
        );
        let uses = clients.entry(client).or_default();
        *uses.counts.entry((key, version)).or_default() += 1;
        uses.occurrences.push(Occurrence {
            detail: format!("{} {version}", ApiKey(key)),
            ..place(&exchange)
        });
    }
    for ((client_id, software, addr), uses) in clients {
        let mut subject = match client_id {
            Some(id) if index.name(id).is_empty() => "client with an empty id".to_owned(),
            Some(id) => format!("client {}", index.name(id)),
            None => "client without a readable id".to_owned(),
        };
        if let Some(software) = software {
            subject.push_str(&format!(" ({} {})", software.name, software.version));
        }
        if let Some(addr) = addr {
            subject.push_str(&format!(" from {addr}"));
        }
        let detail = format!(
            "uses versions that Kafka 4 does not speak any more (KIP-896): {}",
            list(&uses.counts)
        );
        for occurrence in uses.occurrences {
            let kind = Kind::RemovedVersion;
            let subject = subject.clone();
            found.add(Severity::Warning, kind, subject, occurrence, || {
                detail.clone()
            });
        }
    }
}

/// Whether a version that was once there is below those that are.
fn is_removed((key, version): (i16, i16)) -> bool {
    let definition = Catalogue::current().api(ApiKey(key), Direction::Request);
    definition.is_some_and(|definition| {
        let is_old = definition.valid.is_empty() || version < definition.valid.min;
        definition.ever.contains(version) && is_old
    })
}

/// `Fetch 2 (12 times), Metadata 0 (once)`; of one version, the finding itself says how often.
fn list(counts: &BTreeMap<(i16, i16), u64>) -> String {
    if let (Some(((key, version), _)), 1) = (counts.first_key_value(), counts.len()) {
        return format!("{} {version}", ApiKey(*key));
    }
    let texts = counts.iter().map(|((key, version), count)| {
        let times = match count {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        };
        format!("{} {version} ({times})", ApiKey(*key))
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_is_what_was_there_and_is_older_than_what_is() {
        // Fetch speaks 4 and later, LeaderAndIsr nothing any more, ApiVersions all that it ever did.
        assert!(is_removed((1, 3)) && !is_removed((1, 4)));
        assert!(is_removed((4, 0)));
        assert!(!is_removed((18, 0)));
        assert!(!is_removed((1, 999)) && !is_removed((999, 0)) && !is_removed((1, -1)));
    }

    #[test]
    fn versions_are_listed_by_api() {
        let counts = BTreeMap::from([((3, 0), 1), ((1, 2), 12)]);
        assert_eq!(list(&counts), "Fetch 2 (12 times), Metadata 0 (once)");
        assert_eq!(list(&BTreeMap::from([((1, 2), 12)])), "Fetch 2");
    }
}
