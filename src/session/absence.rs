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
