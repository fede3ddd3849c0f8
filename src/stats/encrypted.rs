//! Connections in TLS that nobody could look into: what of them shows without keys.

use crate::session::{Endpoint, Index, Protocol, Refusal, Suite, Version};

/// A connection in TLS that is not decrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encrypted {
    /// Its number, from 1.
    pub connection: u32,
    pub client: Endpoint,
    pub server: Endpoint,
    /// Version and suite, if the hello of the server was captured.
    pub chosen: Option<(Version, Suite)>,
    /// The host that the client names in its hello, as it was on the wire.
    pub server_name: Option<Box<str>>,
    /// Captured bytes of each end, TLS included.
    pub client_bytes: u64,
    pub server_bytes: u64,
    /// Why it is not decrypted, if that is known.
    pub refusal: Option<Refusal>,
}

/// Those of a capture, in the order of their numbers.
pub fn encrypted(index: &Index) -> Vec<Encrypted> {
    let numbered = (1..).zip(index.connections());
    let is_closed = |tls: Option<Protocol>| matches!(tls, Some(Protocol::Tls | Protocol::TlsAlert));
    numbered
        .filter(|(_, connection)| match connection.tls {
            Some(tls) => !tls.is_decrypted,
            None => is_closed(connection.protocol),
        })
        .map(|(n, connection)| Encrypted {
            connection: n,
            client: connection.client,
            server: connection.server,
            chosen: connection.tls.and_then(|tls| tls.chosen),
            server_name: index.server_name(n).map(Into::into),
            client_bytes: connection.counts.a.bytes,
            server_bytes: connection.counts.b.bytes,
            refusal: connection.tls.and_then(|tls| tls.refusal),
        })
        .collect()
}
