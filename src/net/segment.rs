//! A TCP segment as the layers above see it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::Piece;

/// One end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    pub addr: IpAddr,
    pub port: u16,
}

impl Default for Endpoint {
    fn default() -> Self {
        Endpoint {
            addr: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            port: 0,
        }
    }
}

impl From<Endpoint> for SocketAddr {
    fn from(end: Endpoint) -> SocketAddr {
        SocketAddr::new(end.addr, end.port)
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.addr {
            IpAddr::V4(addr) => write!(f, "{addr}:{}", self.port),
            IpAddr::V6(addr) => write!(f, "[{addr}]:{}", self.port),
        }
    }
}

/// The flag byte of a TCP header (RFC 9293 section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    pub const FIN: Flags = Flags(0x01);
    pub const SYN: Flags = Flags(0x02);
    pub const RST: Flags = Flags(0x04);
    pub const PSH: Flags = Flags(0x08);
    pub const ACK: Flags = Flags(0x10);

    /// Whether all of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is set.
    pub fn has_any(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets of flags.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// One TCP segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub source: Endpoint,
    pub destination: Endpoint,
    /// Sequence number of the first payload byte, or of the SYN.
    pub seq: u32,
    /// Acknowledgment number; means something only with [`Flags::ACK`].
    pub ack: u32,
    pub flags: Flags,
    /// The payload as far as it was captured.
    pub payload: Piece,
    /// Payload bytes behind it that the snap length cut off.
    pub missing: u32,
}
