//! Link layers: how to get from the first byte of a packet to its IP header.
//!
//! Ethernet with any number of VLAN tags, LLC/SNAP, MPLS labels (with IP or another Ethernet frame
//! below them) and PPPoE; Linux cooked captures v1 and v2, NFLOG; BSD null and loopback in both byte
//! orders; PPP, Cisco HDLC; raw IP.

use etherparse::EtherType;

use crate::capture::LinkType;

use super::{Frame, Reader, Segment, ip};

const NULL: LinkType = LinkType(0);
const ETHERNET: LinkType = LinkType(1);
const PPP: LinkType = LinkType(9);
const PPP_HDLC: LinkType = LinkType(50);
const PPP_ETHER: LinkType = LinkType(51);
const CISCO_HDLC: LinkType = LinkType(104);
/// What BSD systems write for raw IP.
const RAW_BSD: LinkType = LinkType(12);
const RAW_OPENBSD: LinkType = LinkType(14);
const RAW: LinkType = LinkType(101);
const LOOP: LinkType = LinkType(108);
const LINUX_SLL: LinkType = LinkType(113);
const IPV4: LinkType = LinkType(228);
const NFLOG: LinkType = LinkType(239);
const IPV6: LinkType = LinkType(229);
const LINUX_SLL2: LinkType = LinkType(276);

const MPLS: EtherType = EtherType(0x8847);
const MPLS_MULTICAST: EtherType = EtherType(0x8848);
const PPPOE_SESSION: EtherType = EtherType(0x8864);
/// An Ethernet frame inside another protocol (GRE, Geneve).
const BRIDGED: EtherType = EtherType(0x6558);
const QINQ_OLD: EtherType = EtherType(0x9200);

/// Below this it is the length of an IEEE 802.3 frame.
const FIRST_ETHER_TYPE: u16 = 0x0600;

/// The attribute of an NFLOG message that holds the packet (NFULA_PAYLOAD).
const NFLOG_PAYLOAD: u16 = 9;

/// Without the two bits that say how what is in an attribute is to be read.
const NFLOG_KIND: u16 = 0x3fff;

/// Reads a packet from its first header on.
pub(super) fn read(reader: &mut Reader, link: LinkType, frame: Frame<'_>) -> Option<Segment> {
    match link {
        ETHERNET => ethernet(reader, frame),
        LINUX_SLL => {
            let ether_type = be16(frame, 14)?;
            payload(reader, ether_type, frame.skip(16))
        }
        LINUX_SLL2 => {
            let ether_type = be16(frame, 0)?;
            payload(reader, ether_type, frame.skip(20))
        }
        NULL | LOOP => {
            // The address family, in the byte order of the machine that captured; its value for
            // IPv6 differs from system to system. The IP header says its version anyway.
            let family = frame.rest().first_chunk::<4>()?;
            let family = u32::from_be_bytes(*family).min(u32::from_le_bytes(*family));
            matches!(family, 2 | 10 | 23 | 24 | 26 | 28 | 30)
                .then(|| ip::read(reader, frame.skip(4)))?
        }
        PPP | PPP_HDLC => ppp(reader, frame),
        PPP_ETHER => ppp(reader, frame.skip(6)),
        CISCO_HDLC => payload(reader, be16(frame, 2)?, frame.skip(4)),
        NFLOG => ip::read(reader, nflog(frame)?),
        RAW | RAW_BSD | RAW_OPENBSD | IPV4 | IPV6 => ip::read(reader, frame),
        _ => {
            reader.pass_over(frame.packet);
            None
        }
    }
}

/// Where the IP header begins in a packet that has nothing unusual in front of it.
#[inline]
pub(super) fn usual_ip(link: LinkType, bytes: &[u8]) -> Option<usize> {
    let (type_at, ip_at) = match link {
        ETHERNET => (12, 14),
        LINUX_SLL => (14, 16),
        LINUX_SLL2 => (0, 20),
        _ => return None,
    };
    let ether_type = bytes.get(type_at..)?.first_chunk::<2>()?;
    matches!(
        EtherType(u16::from_be_bytes(*ether_type)),
        EtherType::IPV4 | EtherType::IPV6
    )
    .then_some(ip_at)
}

/// Reads an Ethernet frame.
pub(super) fn ethernet(reader: &mut Reader, frame: Frame<'_>) -> Option<Segment> {
    let ether_type = be16(frame, 12)?;
    payload(reader, ether_type, frame.skip(14))
}

/// Reads what an EtherType announces.
pub(super) fn payload(
    reader: &mut Reader,
    mut ether_type: EtherType,
    mut frame: Frame<'_>,
) -> Option<Segment> {
    loop {
        match ether_type {
            EtherType::IPV4 | EtherType::IPV6 => return ip::read(reader, frame),
            EtherType::VLAN_TAGGED_FRAME
            | EtherType::PROVIDER_BRIDGING
            | EtherType::VLAN_DOUBLE_TAGGED_FRAME
            | QINQ_OLD => {
                ether_type = be16(frame, 2)?;
                frame = frame.skip(4);
            }
            MPLS | MPLS_MULTICAST => return mpls(reader, frame),
            EtherType(len) if len < FIRST_ETHER_TYPE => {
                // LLC with the EtherType of SNAP behind it.
                frame.rest().strip_prefix(&[0xaa, 0xaa, 0x03])?;
                ether_type = be16(frame, 6)?;
                frame = frame.skip(8);
            }
            PPPOE_SESSION => return ppp(reader, frame.skip(6)),
            BRIDGED => return ethernet(reader, frame.tunnel(0)?),
            _ => return None,
        }
    }
}

pub(super) fn mpls(reader: &mut Reader, mut frame: Frame<'_>) -> Option<Segment> {
    loop {
        let label = frame.rest().first_chunk::<4>()?;
        frame = frame.skip(4);
        if label[2] & 1 == 1 {
            break;
        }
    }
    // Nothing says what follows the bottom of the stack. The IP version does, and the zero of a
    // control word (RFC 4385) in front of an Ethernet frame, which may also come without one and
    // with an address that looks like a version.
    match frame.rest().first()? >> 4 {
        4 | 6 => match ip::read(reader, frame) {
            None => ethernet(reader, frame.tunnel(0)?),
            segment => segment,
        },
        0 => match ethernet(reader, frame.tunnel(4)?) {
            None => ethernet(reader, frame.tunnel(0)?),
            segment => segment,
        },
        _ => ethernet(reader, frame.tunnel(0)?),
    }
}

/// The packet in an NFLOG message: attributes, each with its length and type in the byte order of
/// the machine, padded to four bytes.
fn nflog(frame: Frame<'_>) -> Option<Frame<'_>> {
    let orders: [fn([u8; 2]) -> u16; 2] = [u16::from_le_bytes, u16::from_be_bytes];
    let mut found = orders
        .into_iter()
        .filter_map(|number| nflog_payload(frame, number));
    let first = found.next()?;
    // A packet that is cut ends nowhere.
    let exact = [Some(first), found.next()].into_iter().flatten();
    let mut exact = exact.filter(|(_, is_exact)| *is_exact);
    Some(exact.next().unwrap_or(first).0)
}

/// Like [`nflog`], with numbers in one byte order, and whether the packet ends where the message does.
fn nflog_payload(frame: Frame<'_>, number: fn([u8; 2]) -> u16) -> Option<(Frame<'_>, bool)> {
    let mut frame = frame.skip(4);
    loop {
        let [a, b, c, d] = *frame.rest().first_chunk::<4>()?;
        let len = usize::from(number([a, b]));
        let kind = number([c, d]) & NFLOG_KIND;
        // There are a few dozen kinds: in the wrong order each would be too large.
        if len < 4 || kind > u16::from(u8::MAX) {
            return None;
        }
        if kind == NFLOG_PAYLOAD {
            let end = frame.packet.original_len as usize;
            let ends = [len, len.next_multiple_of(4)].map(|len| frame.at + len);
            return Some((frame.skip(4), ends.contains(&end)));
        }
        frame = frame.skip(len.next_multiple_of(4));
    }
}

pub(super) fn ppp(reader: &mut Reader, frame: Frame<'_>) -> Option<Segment> {
    let frame = match frame.rest() {
        [0xff, 0x03, ..] => frame.skip(2),
        _ => frame,
    };
    match frame.rest() {
        [0x02, 0x81, ..] => mpls(reader, frame.skip(2)),
        [0x00, 0x21 | 0x57, ..] => ip::read(reader, frame.skip(2)),
        // The protocol field compressed to one byte.
        [0x21 | 0x57, ..] => ip::read(reader, frame.skip(1)),
        _ => None,
    }
}

fn be16(frame: Frame<'_>, at: usize) -> Option<EtherType> {
    let bytes = frame.rest().get(at..)?.first_chunk::<2>()?;
    Some(EtherType(u16::from_be_bytes(*bytes)))
}
