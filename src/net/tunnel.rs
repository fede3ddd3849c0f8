//! Tunnels: from the payload of an IP packet to the packet inside.
//!
//! IP in IP, GRE with ERSPAN and NVGRE, EtherIP, MPLS in IP; over UDP VXLAN, VXLAN-GPE, Geneve,
//! GTP-U and MPLS. What is over UDP is known by its port alone, so it has to look right as well.

use etherparse::{EtherType, IpNumber, UdpSlice, ip_number};

use super::{Frame, Reader, Segment, ip, link};

const ETHERIP: IpNumber = IpNumber(97);
const MPLS_IN_IP: IpNumber = IpNumber(137);

const VXLAN: u16 = 4789;
/// Where Linux put VXLAN before it had a number.
const VXLAN_OLD: u16 = 8472;
const VXLAN_GPE: u16 = 4790;
const GENEVE: u16 = 6081;
const GTP_U: u16 = 2152;
const MPLS_OVER_UDP: u16 = 6635;

const ERSPAN_1_2: EtherType = EtherType(0x88be);
const ERSPAN_3: EtherType = EtherType(0x22eb);
const PPP: EtherType = EtherType(0x880b);

const UDP_HEADER: usize = 8;

/// Whether a protocol is a tunnel, or may hold one.
pub(super) fn may_be(number: IpNumber) -> bool {
    matches!(
        number,
        ip_number::IPV4 | ip_number::IPV6 | ip_number::GRE | ip_number::UDP | ETHERIP | MPLS_IN_IP
    )
}

/// Reads the packet inside of `bytes`, which start where `frame` does.
pub(super) fn read(
    reader: &mut Reader,
    number: IpNumber,
    frame: Frame<'_>,
    bytes: &[u8],
) -> Option<Segment> {
    match number {
        ip_number::IPV4 | ip_number::IPV6 => ip::read(reader, frame.tunnel(0)?),
        ip_number::GRE => gre(reader, frame, bytes),
        ip_number::UDP => udp(reader, frame, bytes),
        // The version and twelve bits that are zero (RFC 3378).
        ETHERIP => match bytes {
            [0x30, 0x00, ..] => link::ethernet(reader, frame.tunnel(2)?),
            _ => None,
        },
        MPLS_IN_IP => link::mpls(reader, frame.tunnel(0)?),
        _ => None,
    }
}

/// GRE (RFC 2784, RFC 2890) with what it announces, and its other version for PPP (RFC 2637).
fn gre(reader: &mut Reader, frame: Frame<'_>, bytes: &[u8]) -> Option<Segment> {
    let &[flags, version, high, low] = bytes.first_chunk::<4>()?;
    let ether_type = EtherType(u16::from_be_bytes([high, low]));
    let count = |byte: u8, bits: &[u8]| bits.iter().filter(|&&bit| byte & bit != 0).count();
    // Checksum, key and sequence number take four bytes each; with routing (RFC 1701) it is not
    // told where the payload starts.
    let (header_len, sequenced) = match version & 0x07 {
        0 if flags & 0x40 == 0 => (4 + 4 * count(flags, &[0x80, 0x20, 0x10]), flags & 0x10 != 0),
        1 if ether_type == PPP => (
            4 + 4 * (count(flags, &[0x20, 0x10]) + count(version, &[0x80])),
            true,
        ),
        _ => return None,
    };
    match ether_type {
        PPP => link::ppp(reader, frame.tunnel(header_len)?),
        // Type II has a header of its own, and the sequence number that type I lacks.
        ERSPAN_1_2 => {
            let own = if sequenced { 8 } else { 0 };
            link::ethernet(reader, frame.tunnel(header_len + own)?)
        }
        ERSPAN_3 => {
            // The last bit says that eight more bytes follow.
            let more = bytes.get(header_len + 11)? & 1 == 1;
            let own = if more { 20 } else { 12 };
            link::ethernet(reader, frame.tunnel(header_len + own)?)
        }
        _ => link::payload(reader, ether_type, frame.tunnel(header_len)?),
    }
}

fn udp(reader: &mut Reader, frame: Frame<'_>, bytes: &[u8]) -> Option<Segment> {
    let udp = UdpSlice::from_slice_lax(bytes).ok()?;
    match (udp.destination_port(), udp.payload()) {
        (VXLAN | VXLAN_OLD, [flags, ..]) if flags & 0x08 != 0 => {
            link::ethernet(reader, frame.tunnel(UDP_HEADER + 8)?)
        }
        (VXLAN_GPE, [flags, _, _, next, ..]) if flags & 0x08 != 0 => {
            let inner = frame.tunnel(UDP_HEADER + 8)?;
            match (flags & 0x04 != 0, next) {
                (true, 1 | 2) => ip::read(reader, inner),
                (true, 3) | (false, _) => link::ethernet(reader, inner),
                _ => None,
            }
        }
        (GENEVE, &[version_len, _, high, low, ..]) if version_len >> 6 == 0 => {
            let header_len = 8 + usize::from(version_len & 0x3f) * 4;
            let ether_type = EtherType(u16::from_be_bytes([high, low]));
            link::payload(reader, ether_type, frame.tunnel(UDP_HEADER + header_len)?)
        }
        (GTP_U, payload) => {
            let header_len = gtp_u(payload)?;
            ip::read(reader, frame.tunnel(UDP_HEADER + header_len)?)
        }
        (MPLS_OVER_UDP, _) => link::mpls(reader, frame.tunnel(UDP_HEADER)?),
        _ => None,
    }
}

/// Length of a GTP-U header (3GPP TS 29.281 section 5) in front of a user's packet.
fn gtp_u(bytes: &[u8]) -> Option<usize> {
    let &[flags, 0xff, ..] = bytes else {
        return None;
    };
    // Version 1, and not the other protocol of that number.
    if flags & 0xf0 != 0x30 {
        return None;
    }
    // With any of the three, all of them are there.
    if flags & 0x07 == 0 {
        return Some(8);
    }
    let mut len = 12;
    let mut next = *bytes.get(11)?;
    if flags & 0x04 == 0 {
        next = 0;
    }
    while next != 0 {
        let words = usize::from(*bytes.get(len)?);
        if words == 0 {
            return None;
        }
        len += words * 4;
        next = *bytes.get(len - 1)?;
    }
    Some(len)
}
