//! The header of a record (RFC 8446, 5.1; RFC 5246, 6.2.1), and how a stream is known to be TLS.

use super::Peer;
use super::limits;

/// What a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContentType(pub(super) u8);

impl ContentType {
    pub(super) const CHANGE_CIPHER_SPEC: ContentType = ContentType(20);
    pub(super) const ALERT: ContentType = ContentType(21);
    pub(super) const HANDSHAKE: ContentType = ContentType(22);
    pub(super) const APPLICATION_DATA: ContentType = ContentType(23);
}

/// The five bytes in front of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: ContentType,
    /// What the record says; no more than a legacy in TLS 1.3.
    pub(super) version: u16,
    /// Bytes of the fragment that follows.
    pub(super) len: usize,
}

impl Header {
    /// Bytes that it has.
    pub(super) const LEN: usize = 5;

    /// The header at the start of `bytes`; `None` if there are fewer than five, or no record
    /// starts so.
    pub(super) fn read(bytes: &[u8]) -> Option<Header> {
        let &[kind, major, minor, high, low] = bytes.first_chunk::<5>()?;
        let header = Header {
            kind: ContentType(kind),
            version: u16::from_be_bytes([major, minor]),
            len: usize::from(u16::from_be_bytes([high, low])),
        };
        let fits = matches!(kind, 20..=23)
            && major == 3
            && minor <= 4
            && header.len <= limits::MAX_FRAGMENT
            && (header.len > 0 || kind == 23);
        fits.then_some(header)
    }

    /// The header as it stands in the stream.
    pub(super) fn bytes(self) -> [u8; Header::LEN] {
        let [major, minor] = self.version.to_be_bytes();
        let [high, low] = (self.len as u16).to_be_bytes();
        [self.kind.0, major, minor, high, low]
    }
}

/// What the first bytes of a stream say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A hello, by which it is TLS and this peer's.
    Hello(Peer),
    /// The beginning of one, as far as the bytes go.
    Cut,
    /// Something else.
    Other,
}

/// Bytes of a stream that tell whether it is TLS.
pub const LEAD: usize = 9;

impl Start {
    /// Looks at the first bytes of a stream.
    pub fn of(bytes: &[u8]) -> Start {
        let peer = match bytes.get(5) {
            Some(1) => Some(Peer::Client),
            Some(2) => Some(Peer::Server),
            _ => None,
        };
        let byte_fits = |(at, &byte): (usize, &u8)| match at {
            0 => byte == 22,
            1 => byte == 3,
            2 => byte <= 4,
            3 => byte <= 0x40,
            5 => peer.is_some(),
            // The length of the hello, three bytes.
            6 => byte == 0,
            _ => true,
        };
        if !bytes.iter().enumerate().take(LEAD).all(byte_fits) {
            return Start::Other;
        }
        match (peer, bytes.get(7..9)) {
            // The version and the random are there at least.
            (Some(peer), Some(&[high, low])) if u16::from_be_bytes([high, low]) >= 38 => {
                Start::Hello(peer)
            }
            (_, None) => Start::Cut,
            _ => Start::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_known_by_its_first_nine_bytes() {
        let client = [22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3];
        assert_eq!(Start::of(&client), Start::Hello(Peer::Client));
        for cut in 0..9 {
            assert_eq!(Start::of(&client[..cut]), Start::Cut, "{cut}");
        }
        assert_eq!(
            Start::of(&[22, 3, 3, 0, 122, 2, 0, 0, 118]),
            Start::Hello(Peer::Server)
        );
        assert_eq!(Start::of(&[22, 3, 3, 0, 4, 1, 0, 0, 0]), Start::Other);
        assert_eq!(Start::of(&[0, 0, 0, 22, 3, 3, 0]), Start::Other);
        assert_eq!(Start::of(&[23, 3, 3, 0, 122]), Start::Other);
    }
}
