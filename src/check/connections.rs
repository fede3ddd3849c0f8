//! Connections to a port that speaks Kafka, which do not.

use std::collections::HashSet;

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
};
use crate::session::{Endpoint, Index, Protocol};

pub(super) fn check(index: &Index, found: &mut Findings) {
    // In TLS and in clear: what stays encrypted beside what was decrypted is no other protocol.
    let servers: HashSet<(Endpoint, bool)> = index
        .connections()
        .iter()
        .filter(|connection| connection.protocol.is_none() && connection.n_exchanges > 0)
        .map(|connection| (connection.server, connection.tls.is_some()))
        .collect();
    let mut all: Vec<Met> = Vec::new();
    for (connection, n) in index.connections().iter().zip(1..) {
        let Some(protocol) = connection.protocol else {
            continue;
        };
        // Which end is the server, nobody knows of a protocol that is not Kafka.
        let ends = [
            (connection.server, connection.client),
            (connection.client, connection.server),
        ];
        let is_tls = protocol == Protocol::Tls;
        let speaks = |end: Endpoint| {
            servers.contains(&(end, false)) || !is_tls && servers.contains(&(end, true))
        };
        let Some((server, client)) = ends.into_iter().find(|(end, _)| speaks(*end)) else {
            continue;
        };
        let what = match protocol {
            Protocol::Unknown => "something else than Kafka".to_owned(),
            protocol => protocol.to_string(),
        };
        let subject = format!("{what} from {} to {server}", client.addr);
        // Of a protocol in which the server speaks first, a broker reads nothing of the kind.
        let own = connection
            .first
            .filter(|first| first.sender(connection) == client);
        let own: Vec<i32> = own.map(|first| first.size).into_iter().collect();
        let occurrence = Occurrence {
            connection: Some(n),
            detail: format!("from {client}{}", taken_for(&own)),
            ..Occurrence::default()
        };
        match all.iter_mut().find(|met| met.subject == subject) {
            Some(met) => met.add(occurrence, &own),
            None => all.push(Met {
                subject,
                occurrences: vec![occurrence],
                sizes: own,
            }),
        }
    }
    for met in all {
        let sizes = taken_for(&met.sizes);
        for occurrence in met.occurrences {
            let (severity, kind) = (Severity::Warning, Kind::NotKafka);
            found.add(severity, kind, met.subject.clone(), occurrence, || {
                format!("others speak Kafka on that port{sizes}")
            });
        }
    }
}

/// Connections of which the same is to be said.
struct Met {
    subject: String,
    occurrences: Vec<Occurrence>,
    /// What their first bytes would be as a size, each once.
    sizes: Vec<i32>,
}

impl Met {
    fn add(&mut self, occurrence: Occurrence, sizes: &[i32]) {
        self.occurrences.push(occurrence);
        for &size in sizes {
            if !self.sizes.contains(&size) {
                self.sizes.push(size);
            }
        }
    }
}

/// What a broker makes of the first bytes of connections.
fn taken_for(sizes: &[i32]) -> String {
    const NAMED: usize = 3;
    let texts: Vec<String> = sizes.iter().take(NAMED).map(i32::to_string).collect();
    let sizes = match (texts.as_slice(), sizes.len() - texts.len()) {
        ([], _) => return String::new(),
        ([only], _) => format!("a size of {only}"),
        ([first @ .., last], 0) => format!("sizes of {} and {last}", first.join(", ")),
        (texts, 1) => format!("sizes of {} and another", texts.join(", ")),
        (texts, more) => format!("sizes of {} and {more} others", texts.join(", ")),
    };
    format!("; a broker takes the first four bytes for {sizes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_is_told_or_counted() {
        let told = |sizes: &[i32]| {
            taken_for(sizes).split_off("; a broker takes the first four bytes for ".len())
        };
        assert_eq!(taken_for(&[]), "");
        assert_eq!(told(&[7]), "a size of 7");
        assert_eq!(told(&[7, -5]), "sizes of 7 and -5");
        assert_eq!(told(&[7, -5, 9]), "sizes of 7, -5 and 9");
        assert_eq!(told(&[7, -5, 9, 8]), "sizes of 7, -5, 9 and another");
        assert_eq!(told(&[7, -5, 9, 8, 1]), "sizes of 7, -5, 9 and 2 others");
    }
}
