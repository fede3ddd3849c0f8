//! Link layers: how to get from the first byte of a packet to its IP header.
//!
//! Ethernet with any number of VLAN tags, MPLS labels and PPPoE; Linux cooked captures v1 and v2;
//! BSD null and loopback in both byte orders; PPP; raw IP.

use etherparse::EtherType;

use crate::capture::LinkType;

use super::{Frame, Reader, Segment, ip};

const NULL: LinkType = LinkType(0);
const ETHERNET: LinkType = LinkType(1);
const PPP: LinkType = LinkType(9);
/// What BSD systems write for raw IP.
const RAW_BSD: LinkType = LinkType(12);
const RAW_OPENBSD: LinkType = LinkType(14);
const RAW: LinkType = LinkType(101);
const LOOP: LinkType = LinkType(108);
const LINUX_SLL: LinkType = LinkType(113);
const IPV4: LinkType = LinkType(228);
const IPV6: LinkType = LinkType(229);
const LINUX_SLL2: LinkType = LinkType(276);

const MPLS: EtherType = EtherType(0x8847);
const MPLS_MULTICAST: EtherType = EtherType(0x8848);
const PPPOE_SESSION: EtherType = EtherType(0x8864);
/// An Ethernet frame inside another protocol (GRE, Geneve).
const BRIDGED: EtherType = EtherType(0x6558);
const QINQ_OLD: EtherType = EtherType(0x9200);

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
        PPP => match frame.rest() {
            [0xff, 0x03, ..] => ppp(reader, frame.skip(2)),
            _ => ppp(reader, frame),
        },
        RAW | RAW_BSD | RAW_OPENBSD | IPV4 | IPV6 => ip::read(reader, frame),
        _ => None,
    }
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
            PPPOE_SESSION => return ppp(reader, frame.skip(6)),
            BRIDGED => return ethernet(reader, frame.tunnel(0)?),
            _ => return None,
        }
    }
}

fn mpls(reader: &mut Reader, mut frame: Frame<'_>) -> Option<Segment> {
    loop {
        let label = frame.rest().first_chunk::<4>()?;
        frame = frame.skip(4);
        if label[2] & 1 == 1 {
            // Nothing says what follows the bottom of the stack; the IP version does.
            return ip::read(reader, frame);
        }
    }
}

fn ppp(reader: &mut Reader, frame: Frame<'_>) -> Option<Segment> {
    match frame.rest() {
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
