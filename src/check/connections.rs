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
        let size = connection.first.map_or(String::new(), |first| {
            format!("; a broker takes the first four bytes for a size of {first}")
        });
        let occurrence = Occurrence {
            connection: Some(n),
            detail: format!("from {client}{size}"),
            ..Occurrence::default()
        };
        found.add(
            Severity::Warning,
            Kind::NotKafka,
            subject,
            occurrence,
            || format!("others speak Kafka on that port{size}"),
        );
    }
}
