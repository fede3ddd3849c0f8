//! Who waits when a quota is exceeded: the broker before it answers, or the client after it.
//!
//! Until KIP-219 (Kafka 2.0) a broker kept the response for the throttle time. Since then it sends
//! the response at once and reads nothing more from the connection for that time; the version of
//! the response from which a client knows that it is to wait by itself is what
//! `AbstractResponse.shouldClientThrottle` says. In a lower version either may have happened, as
//! newer brokers answer old versions at once as well.

use super::state_rules::{HELD_BACK, RULES};

/// Whether a broker may have kept a response of this definition and version for the throttle time
/// that it states.
pub fn holds_back(message: &str, version: i16) -> bool {
    RULES
        .iter()
        .filter(|&&(name, _)| name == message)
        .flat_map(|(_, rules)| *rules)
        .any(|rule| rule.note == HELD_BACK && rule.versions.contains(&version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers_hold_back_below_the_version_that_tells_clients_to_wait() {
        for (message, first) in [
            ("ProduceResponse", 6),
            ("FetchResponse", 8),
            ("ListOffsetsResponse", 3),
            ("MetadataResponse", 6),
            ("FindCoordinatorResponse", 2),
            ("CreateTopicsResponse", 3),
            ("DeleteTopicsResponse", 2),
            ("ApiVersionsResponse", 2),
            ("InitProducerIdResponse", 1),
            // Younger than KIP-219.
            ("DescribeClusterResponse", 0),
        ] {
            for version in 0..20 {
                let what = format!("{message} {version}");
                assert_eq!(holds_back(message, version), version < first, "{what}");
            }
        }
    }
}
