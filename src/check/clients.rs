//! Clients that use versions of APIs which Kafka 4 does not speak any more (KIP-896).
//!
//! Forty consumers of one program ask for the same versions: those that do are one finding, which names
//! the versions and the clients.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    net::IpAddr,
};

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
    messages::place,
};
use crate::{
    schema::{ApiKey, Catalogue, Direction},
    session::{Index, Session},
    stats::{Keep, Software, software},
};

/// Clients that the words of a finding name.
const NAMED: usize = 5;

/// Versions that Kafka 4 does not speak any more, and who uses them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// API, version, and how many requests ask for it.
    pub versions: Vec<(ApiKey, i16, u64)>,
    /// The client that uses them most comes first.
    pub users: Vec<User>,
}

/// A client that uses such versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub client: Client,
    /// How many of its requests are in such a version.
    pub count: u64,
}

/// One that connects from an address under a client id with a software.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Client {
    /// `None` where it is null or cannot be read.
    pub client_id: Option<String>,
    pub software: Option<Software>,
    pub address: Option<IpAddr>,
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.client_id.as_deref() {
            Some("") => f.write_str("client with an empty id")?,
            Some(id) => write!(f, "client {id}")?,
            None => f.write_str("client without a readable id")?,
        }
        if let Some(software) = &self.software {
            write!(f, " ({} {})", software.name, software.version)?;
        }
        match self.address {
            Some(address) => write!(f, " from {address}"),
            None => Ok(()),
        }
    }
}

/// How often versions are used, and where.
#[derive(Default)]
struct Uses {
    counts: BTreeMap<(i16, i16), u64>,
    occurrences: Vec<Occurrence>,
}

pub(super) fn check(session: &Session, index: &Index, keep: Keep<'_>, found: &mut Findings) {
    for (subject, (mut uses, mut users)) in alike(clients(session, index, keep)) {
        users.sort_by(|a, b| b.count.cmp(&a.count).then(a.client.cmp(&b.client)));
        let named = named(&users);
        uses.occurrences.sort_by_key(|occurrence| occurrence.n);
        let severity = Severity::Warning;
        for occurrence in uses.occurrences {
            let (kind, subject) = (Kind::RemovedVersion, subject.clone());
            found.add(severity, kind, subject, occurrence, || {
                format!("Kafka 4 does not speak this any more (KIP-896); used by {named}")
            });
        }
        let versions = uses.counts.into_iter();
        let removed = Removed {
            versions: versions.map(|((key, v), n)| (ApiKey(key), v, n)).collect(),
            users,
        };
        found.tell_removed((severity, Kind::RemovedVersion, subject, ""), removed);
    }
}

/// What each client uses.
fn clients(session: &Session, index: &Index, keep: Keep<'_>) -> HashMap<Client, Uses> {
    let software = software(session, index, &|_| true);
    let mut clients: HashMap<Client, Uses> = HashMap::new();
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        let Some((key, version)) = exchange.api.filter(|&api| is_removed(api)) else {
            continue;
        };
        let connection = index.connection(exchange.connection);
        let client = Client {
            client_id: exchange.client_id.map(|id| index.name(id).to_owned()),
            software: software.get(&exchange.connection).cloned(),
            address: connection.map(|connection| connection.client.addr),
        };
        let occurrence = Occurrence {
            detail: format!("{client} asks for {} {version}", ApiKey(key)),
            ..place(&exchange)
        };
        let uses = clients.entry(client).or_default();
        *uses.counts.entry((key, version)).or_default() += 1;
        uses.occurrences.push(occurrence);
    }
    clients
}

/// The clients that use the same versions, by what these are called.
fn alike(clients: HashMap<Client, Uses>) -> BTreeMap<String, (Uses, Vec<User>)> {
    let mut alike: BTreeMap<String, (Uses, Vec<User>)> = BTreeMap::new();
    for (client, uses) in clients {
        let (all, users) = alike.entry(list(&uses)).or_default();
        users.push(User {
            client,
            count: uses.occurrences.len() as u64,
        });
        for (version, count) in uses.counts {
            *all.counts.entry(version).or_default() += count;
        }
        all.occurrences.extend(uses.occurrences);
    }
    alike
}

/// `Fetch 2, Metadata 0`.
fn list(uses: &Uses) -> String {
    let versions = uses.counts.keys();
    let texts: Vec<String> = versions
        .map(|&(key, version)| format!("{} {version}", ApiKey(key)))
        .collect();
    texts.join(", ")
}

/// The first clients, and how many more there are.
fn named(users: &[User]) -> String {
    // One more is as long as the words that there is one more.
    let shown = match users.len() {
        n if n <= NAMED + 1 => n,
        _ => NAMED,
    };
    let names: Vec<String> = users
        .iter()
        .take(shown)
        .map(|user| user.client.to_string())
        .collect();
    match users.len() - shown {
        0 => names.join(", "),
        n => format!("{} and {n} more", names.join(", ")),
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

    fn client(name: String) -> Client {
        Client {
            client_id: Some(name),
            software: None,
            address: None,
        }
    }

    #[test]
    fn clients_of_the_same_versions_are_together() {
        let uses = |counts: &[((i16, i16), u64)]| Uses {
            counts: counts.iter().copied().collect(),
            occurrences: Vec::new(),
        };
        let clients = HashMap::from([
            (client("a".into()), uses(&[((3, 0), 1), ((1, 2), 12)])),
            (client("b".into()), uses(&[((3, 0), 2), ((1, 2), 1)])),
            (client("c".into()), uses(&[((1, 2), 1)])),
        ]);
        let alike = alike(clients);
        let subjects: Vec<&String> = alike.keys().collect();
        assert_eq!(subjects, ["Fetch 2", "Fetch 2, Metadata 0"]);
        let (all, users) = &alike["Fetch 2, Metadata 0"];
        assert_eq!(all.counts, BTreeMap::from([((1, 2), 13), ((3, 0), 3)]));
        assert_eq!(users.len(), 2);
    }

    #[test]
    fn the_first_clients_are_named() {
        let users = |n: usize| -> Vec<User> {
            let user = |n| User {
                client: client(format!("c{n}")),
                count: 1,
            };
            (0..n).map(user).collect()
        };
        assert_eq!(named(&users(2)), "client c0, client c1");
        assert!(named(&users(6)).ends_with("client c5"));
        let many = named(&users(40));
        assert!(many.ends_with("client c4 and 35 more"), "{many}");
    }
}
