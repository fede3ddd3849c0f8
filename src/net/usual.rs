//! The packets that captures are full of: TCP right behind an IP header, all of it there.
//!
//! What comes in is a frame at its IP header; what goes out is its segment, found in one look. In
//! whatever is unusual (fragments, extension headers, tunnels, lengths that do not fit) nothing is
//! found, and `ip.rs` goes the long way.
//!
//! Invariant: the long way finds the same in all that is found here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etherparse::ip_number;

use super::{Endpoint, Flags, Frame, Segment};

const TCP: u8 = ip_number::TCP.0;

/// The segment in an IP packet.
// Inlined, like all below, so that a segment is written where it is to stay.
#[inline(always)]
pub(super) fn read(frame: Frame<'_>) -> Option<Segment> {
    let bytes = frame.rest();
    match bytes.first()? >> 4 {
        4 => v4(frame, bytes),
        6 => v6(frame, bytes),
        _ => None,
    }
}

#[inline(always)]
fn v4(frame: Frame<'_>, bytes: &[u8]) -> Option<Segment> {
    let header = bytes.first_chunk::<20>()?;
    let header_len = words(header[0]);
    let total_len = usize::from(be16([header[2], header[3]]));
    let is_fragment = be16([header[6], header[7]]) & 0x3fff != 0;
    if is_fragment || header[9] != TCP || header_len < header.len() {
        return None;
    }
    let addr = |at| {
        let bytes = header.get(at..)?.first_chunk::<4>()?;
        Some(IpAddr::V4(Ipv4Addr::from(*bytes)))
    };
    let content = bytes.get(header_len..total_len)?;
    tcp(frame.skip(header_len), content, addr(12)?, addr(16)?)
}

#[inline(always)]
fn v6(frame: Frame<'_>, bytes: &[u8]) -> Option<Segment> {
    let header = bytes.first_chunk::<40>()?;
    let len = usize::from(be16([header[4], header[5]]));
    if header[6] != TCP || len == 0 {
        return None;
    }
    let addr = |at| {
        let bytes = header.get(at..)?.first_chunk::<16>()?;
        Some(IpAddr::V6(Ipv6Addr::from(*bytes)))
    };
    let content = bytes.get(header.len()..header.len() + len)?;
    tcp(frame.skip(header.len()), content, addr(8)?, addr(24)?)
}

#[inline(always)]
fn tcp(frame: Frame<'_>, bytes: &[u8], source: IpAddr, destination: IpAddr) -> Option<Segment> {
    let header = bytes.first_chunk::<20>()?;
    let header_len = words(header[12] >> 4);
    if header_len < header.len() {
        return None;
    }
    let payload_len = bytes.len().checked_sub(header_len)?;
    Some(Segment {
        source: Endpoint {
            addr: source,
            port: be16([header[0], header[1]]),
        },
        destination: Endpoint {
            addr: destination,
            port: be16([header[2], header[3]]),
        },
        seq: u32::from_be_bytes([header[4], header[5], header[6], header[7]]),
        ack: u32::from_be_bytes([header[8], header[9], header[10], header[11]]),
        flags: Flags(header[13]),
        payload: frame.piece(frame.at + header_len, payload_len),
        missing: 0,
    })
}

/// Bytes of a header whose length, in words of four bytes, is in the low half of `byte`.
fn words(byte: u8) -> usize {
    usize::from(byte & 0x0f) * 4
}

fn be16(bytes: [u8; 2]) -> u16 {
    u16::from_be_bytes(bytes)
}
