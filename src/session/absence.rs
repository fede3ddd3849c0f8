//! Why a capture shows nothing: what its connections are instead of Kafka.

use super::Session;

impl Session {
    /// One sentence on a capture without exchanges.
    pub fn absence(&self) -> String {
        let index = self.index();
        let packets = index.n_packets();
        let connections = index.connections().len();
        let mut protocols: Vec<String> = index
            .connections()
            .iter()
            .filter_map(|connection| connection.protocol)
            .map(|protocol| protocol.to_string())
            .collect();
        protocols.sort();
        protocols.dedup();
        let found = match (connections, protocols.as_slice()) {
            (0, _) => format!("{packets} packets, none with TCP data to look at"),
            (n, []) => format!("{packets} packets and {n} TCP connections"),
            (n, protocols) => format!(
                "{packets} packets and {n} TCP connections that are {}",
                protocols.join(", ")
            ),
        };
        let n_closed = index
            .connections()
            .iter()
            .filter(|connection| connection.tls.is_some_and(|tls| !tls.is_decrypted))
            .count();
        let found = match (n_closed, &self.options.keylog) {
            (0, _) => found,
            (_, None) => format!("{found}; a key log decrypts TLS (--keylog FILE)"),
            (_, Some(_)) => found,
        };
        let ports: Vec<String> = self.options.ports.iter().map(u16::to_string).collect();
        if ports.is_empty() {
            format!("no Kafka messages in {found}")
        } else {
            format!(
                "no Kafka messages with a server on port {}: {found}",
                ports.join(" or ")
            )
        }
    }
}
