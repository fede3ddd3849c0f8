//! The header of the PROXY protocol, which proxies put in front of what they pass on.
//!
//! What comes in is the start of a stream; what goes out is how long the header is, and which client it
//! names. Versions 1 and 2, as HAProxy defines them.

use std::net::{IpAddr, SocketAddr};

const V1: &[u8] = b"PROXY ";
const V2: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// The longest line of version 1.
const MAX_V1: usize = 107;

/// A header that a proxy puts in front of the protocol proper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prelude {
    /// A PROXY protocol header of this many bytes.
    Proxy(usize),
    /// The start of one; more bytes are needed.
    ProxyCut,
}

impl Prelude {
    /// Bytes that hold the longest one that anybody sends.
    pub const MAX: usize = 16 + 1024;

    /// A PROXY protocol header (version 1 or 2) at the start of a stream.
    pub fn of(bytes: &[u8]) -> Option<Prelude> {
        if bytes.starts_with(V1) {
            let line = bytes.get(..MAX_V1).unwrap_or(bytes);
            return match line.windows(2).position(|pair| pair == b"\r\n") {
                Some(at) => Some(Prelude::Proxy(at + 2)),
                None if bytes.len() < MAX_V1 => Some(Prelude::ProxyCut),
                None => None,
            };
        }
        if bytes.starts_with(V2) {
            return match bytes.get(14..16) {
                Some(&[high, low]) => {
                    let len = 16 + usize::from(u16::from_be_bytes([high, low]));
                    Some(if bytes.len() < len {
                        Prelude::ProxyCut
                    } else {
                        Prelude::Proxy(len)
                    })
                }
                _ => Some(Prelude::ProxyCut),
            };
        }
        let cut = !bytes.is_empty() && (V1.starts_with(bytes) || V2.starts_with(bytes));
        cut.then_some(Prelude::ProxyCut)
    }

    /// Whom a whole header names as the client: nobody where the proxy speaks for itself, or does not
    /// know.
    pub fn client(header: &[u8]) -> Option<SocketAddr> {
        match header.strip_prefix(V2) {
            Some(rest) => client_of_v2(rest),
            None => client_of_v1(header.strip_prefix(V1)?),
        }
    }
}

/// Source and destination address, then their ports: `TCP4 192.0.2.1 192.0.2.9 50000 9092`.
fn client_of_v1(line: &[u8]) -> Option<SocketAddr> {
    let words: Vec<&str> = std::str::from_utf8(line)
        .ok()?
        .split_ascii_whitespace()
        .collect();
    match words.as_slice() {
        &["TCP4" | "TCP6", addr, _, port, _] => {
            let addr: IpAddr = addr.parse().ok()?;
            Some((addr, port.parse().ok()?).into())
        }
        _ => None,
    }
}

/// Version and command, family and protocol, the length of what follows, then as in the first version.
fn client_of_v2(rest: &[u8]) -> Option<SocketAddr> {
    const PROXY: u8 = 0x21;
    let (&[command, family, _, _], addresses) = rest.split_first_chunk()?;
    let (addr, ports): (IpAddr, _) = match (command, family >> 4) {
        (PROXY, 1) => {
            let (source, rest) = addresses.split_first_chunk::<4>()?;
            ((*source).into(), rest.get(4..)?)
        }
        (PROXY, 2) => {
            let (source, rest) = addresses.split_first_chunk::<16>()?;
            ((*source).into(), rest.get(16..)?)
        }
        _ => return None,
    };
    let port = u16::from_be_bytes(*ports.first_chunk()?);
    Some((addr, port).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(header: &[u8]) -> Option<String> {
        assert_eq!(Prelude::of(header), Some(Prelude::Proxy(header.len())));
        for len in 1..header.len() {
            assert_eq!(Prelude::of(&header[..len]), Some(Prelude::ProxyCut));
            Prelude::client(&header[..len]);
        }
        Prelude::client(header).map(|client| client.to_string())
    }

    #[test]
    fn a_header_names_the_client() {
        let told = |client: &str| Some(client.to_owned());
        let v1 = |line: &str| client(format!("PROXY {line}\r\n").as_bytes());
        assert_eq!(
            v1("TCP4 192.0.2.1 192.0.2.9 50000 9092"),
            told("192.0.2.1:50000")
        );
        assert_eq!(
            v1("TCP6 2001:db8::1 2001:db8::9 50000 9092"),
            told("[2001:db8::1]:50000")
        );
        for line in [
            "UNKNOWN",
            "UNKNOWN a b 1 2",
            "TCP4 192.0.2.1 192.0.2.9 50000",
            "TCP4 a b 1 2",
        ] {
            assert_eq!(v1(line), None, "{line}");
        }
        let v2 = |head: [u8; 2], rest: &[u8]| {
            let len = (rest.len() as u16).to_be_bytes();
            client(&[V2, &head, &len, rest].concat())
        };
        let v4 = [192, 0, 2, 1, 192, 0, 2, 9, 0xc3, 0x50, 0x23, 0x84];
        assert_eq!(v2([0x21, 0x11], &v4), told("192.0.2.1:50000"));
        // With more behind it, as the name of a host.
        assert_eq!(
            v2([0x21, 0x11], &[&v4[..], b"\x02\0\x01a"].concat()),
            told("192.0.2.1:50000")
        );
        let v6 = [&[0x20; 16][..], &[0x30; 16], &v4[8..]].concat();
        assert_eq!(
            v2([0x21, 0x21], &v6),
            told("[2020:2020:2020:2020:2020:2020:2020:2020]:50000")
        );
        // A check of its own, a local socket, less than it says.
        for (head, rest) in [
            ([0x20, 0x11], &v4[..]),
            ([0x21, 0x31], &[b'/'; 216]),
            ([0x21, 0x11], &v4[..9]),
        ] {
            assert_eq!(v2(head, rest), None, "{head:?}");
        }
    }
}
