//! Connections that a proxy makes for others: who sends their requests, only its header says.

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
};
use crate::session::Index;

pub(super) fn check(index: &Index, found: &mut Findings) {
    for (connection, n) in index.connections().iter().zip(1..) {
        let Some(client) = index.proxied_client(n) else {
            continue;
        };
        let proxy = connection.client;
        let occurrence = Occurrence {
            connection: Some(n),
            detail: format!("{proxy} speaks for {client}"),
            ..Occurrence::default()
        };
        let detail = || {
            "its connections begin with the header of a proxy, which names the client: proxied_client"
                .to_owned()
        };
        let (severity, kind) = (Severity::Note, Kind::Proxied);
        found.add(severity, kind, proxy.addr.to_string(), occurrence, detail);
    }
}
