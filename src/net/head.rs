//! What stands between an IP header and the payload of TCP, from its bytes alone: the extension headers
//! of IPv6, and the front of a TCP header.

use etherparse::{IpNumber, Ipv4HeaderSlice, ip_number};

const MOBILITY: IpNumber = IpNumber(135);
const HIP: IpNumber = IpNumber(139);
const SHIM6: IpNumber = IpNumber(140);
/// Kept for experiments (RFC 4727), and extension headers as well (RFC 7045).
const EXPERIMENT_1: IpNumber = IpNumber(253);
const EXPERIMENT_2: IpNumber = IpNumber(254);

/// Where the first header starts that is no extension header, and what it is. A header that says that
/// the packet is a fragment is one of these, and what follows it is for others to tell.
pub(super) fn skip_extensions(mut number: IpNumber, bytes: &[u8]) -> Option<(usize, IpNumber)> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        let words = || rest.get(1).copied().map(usize::from);
        let len = match number {
            // Its length counts words of four bytes.
            ip_number::AUTH => 4 * (words()? + 2),
            _ if is_extension(number) => 8 * (words()? + 1),
            ip_number::IPV6_FRAG if FragmentHeader::read(rest)?.is_whole() => FragmentHeader::LEN,
            _ => return Some((at, number)),
        };
        number = IpNumber(*rest.get(..len)?.first()?);
        at += len;
    }
}

/// Whether a header between IPv6 and TCP is one that [`skip_extensions`] knows.
pub(super) fn is_extension(number: IpNumber) -> bool {
    matches!(
        number,
        ip_number::IPV6_HOP_BY_HOP
            | ip_number::IPV6_ROUTE
            | ip_number::IPV6_DEST_OPTIONS
            | MOBILITY
            | ip_number::AUTH
            | HIP
            | SHIM6
            | EXPERIMENT_1
            | EXPERIMENT_2
    )
}

/// The extension header that makes an IPv6 packet a fragment (RFC 8200 section 4.5), or what IPv4 has
/// for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FragmentHeader {
    pub(super) next: IpNumber,
    pub(super) offset: u16,
    pub(super) has_more: bool,
    pub(super) id: u32,
}

impl FragmentHeader {
    pub(super) const LEN: usize = 8;

    pub(super) fn read(bytes: &[u8]) -> Option<FragmentHeader> {
        let [next, _, high, low, id @ ..] = *bytes.first_chunk::<8>()?;
        let field = u16::from_be_bytes([high, low]);
        Some(FragmentHeader {
            next: IpNumber(next),
            offset: field & !7,
            has_more: field & 1 != 0,
            id: u32::from_be_bytes(id),
        })
    }

    /// What an IPv4 header says of the same.
    pub(super) fn of(header: &Ipv4HeaderSlice<'_>) -> FragmentHeader {
        FragmentHeader {
            next: header.protocol(),
            offset: header.fragments_offset().byte_offset(),
            has_more: header.more_fragments(),
            id: u32::from(header.identification()),
        }
    }

    /// Whether all of the packet is behind it.
    fn is_whole(self) -> bool {
        self.offset == 0 && !self.has_more
    }
}

/// What a TCP header says in front of its options.
#[derive(Clone, Copy, Debug)]
pub(super) struct TcpFront {
    pub(super) source_port: u16,
    pub(super) destination_port: u16,
    pub(super) seq: u32,
    pub(super) ack: u32,
    pub(super) flags: u8,
    /// Where the payload starts, behind all that was read to get here.
    pub(super) len: usize,
}

impl TcpFront {
    /// Reads the front of the TCP header that `number` leads to at the start of `bytes`.
    pub(super) fn read(number: IpNumber, bytes: &[u8]) -> Option<TcpFront> {
        let (at, number) = skip_extensions(number, bytes)?;
        let header = bytes.get(at..)?.first_chunk::<20>()?;
        let len = usize::from(header[12] >> 4) * 4;
        if number != ip_number::TCP || len < header.len() {
            return None;
        }
        let word = |at: usize| Some(u32::from_be_bytes(*header.get(at..)?.first_chunk()?));
        Some(TcpFront {
            source_port: u16::from_be_bytes([header[0], header[1]]),
            destination_port: u16::from_be_bytes([header[2], header[3]]),
            seq: word(4)?,
            ack: word(8)?,
            flags: header[13],
            len: at + len,
        })
    }
}
