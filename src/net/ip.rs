//! IP and what it carries: TCP, a fragment of it, or a tunnel with another packet inside.

use std::net::IpAddr;

use etherparse::{IpNumber, Ipv6ExtensionSlice, LaxIpSlice, LenSource, TcpSlice, ip_number};

use super::fragment::{FragmentKey, Part};
use super::{Endpoint, Flags, Frame, Reader, Segment, tunnel, usual};

/// Reads an IP packet.
pub(super) fn read(reader: &mut Reader, frame: Frame<'_>) -> Option<Segment> {
    match usual::read(frame) {
        None => read_any(reader, frame),
        segment => segment,
    }
}

/// Reads an IP packet of any kind.
pub(super) fn read_any(reader: &mut Reader, frame: Frame<'_>) -> Option<Segment> {
    let bytes = frame.rest();
    let (ip, stop) = LaxIpSlice::from_slice(bytes).ok()?;
    let payload = ip.payload();
    if stop.is_some() {
        // An extension header is broken, what follows cannot be told.
        return None;
    }
    let header_len = offset_in(bytes, payload.payload);
    let inner = frame.skip(header_len);
    let wire_len = match &ip {
        LaxIpSlice::Ipv4(ip) => usize::from(ip.header().total_len()).checked_sub(header_len),
        LaxIpSlice::Ipv6(ip) => match usize::from(ip.header().payload_length()) {
            0 => None,
            len => (len + 40).checked_sub(header_len),
        },
    };
    // A length of zero (or one that not even holds the headers) is what segmentation offload
    // leaves: then the frame knows best. What the snap length cut off the frame is cut off the
    // payload.
    let cut = (frame.packet.original_len as usize).saturating_sub(frame.packet.bytes.len());
    let missing = match wire_len {
        Some(len) if payload.len_source != LenSource::Slice || payload.incomplete => {
            len.saturating_sub(payload.payload.len())
        }
        _ => cut,
    };
    let content = Content {
        frame: inner,
        bytes: payload.payload,
        missing: u32::try_from(missing).unwrap_or(0),
        source: ip.source_addr(),
        destination: ip.destination_addr(),
    };
    if payload.fragmented {
        return fragment(reader, &ip, content);
    }
    match payload.ip_number {
        ip_number::TCP => content.tcp(),
        number => content.tunnel(reader, number),
    }
}

/// Where `part`, a slice of `whole`, starts in it.
fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

/// The payload of an IP packet.
#[derive(Clone, Copy)]
struct Content<'a> {
    frame: Frame<'a>,
    bytes: &'a [u8],
    missing: u32,
    source: IpAddr,
    destination: IpAddr,
}

impl<'a> Content<'a> {
    fn tcp(self) -> Option<Segment> {
        let tcp = TcpSlice::from_slice(self.bytes).ok()?;
        let header_len = tcp.header_slice().len();
        let flags = tcp.header_slice().get(13).copied().unwrap_or_default();
        Some(Segment {
            source: Endpoint {
                addr: self.source,
                port: tcp.source_port(),
            },
            destination: Endpoint {
                addr: self.destination,
                port: tcp.destination_port(),
            },
            seq: tcp.sequence_number(),
            ack: tcp.acknowledgment_number(),
            flags: Flags(flags),
            payload: self
                .frame
                .piece(self.frame.at + header_len, tcp.payload().len()),
            missing: self.missing,
        })
    }

    fn tunnel(self, reader: &mut Reader, number: IpNumber) -> Option<Segment> {
        tunnel::read(reader, number, self.frame, self.bytes)
    }
}

/// Puts a fragment of a TCP segment, or of a tunnel around one, where it belongs.
fn fragment(reader: &mut Reader, ip: &LaxIpSlice<'_>, content: Content<'_>) -> Option<Segment> {
    let (id, offset, number) = match ip {
        LaxIpSlice::Ipv4(ip) => {
            let header = ip.header();
            (
                u32::from(header.identification()),
                header.fragments_offset().byte_offset(),
                header.protocol(),
            )
        }
        LaxIpSlice::Ipv6(ip) => ip
            .extensions()
            .clone()
            .into_iter()
            .find_map(|ext| match ext {
                Ipv6ExtensionSlice::Fragment(header) => Some((
                    header.identification(),
                    header.fragment_offset().byte_offset(),
                    header.next_header(),
                )),
                _ => None,
            })?,
    };
    if number != ip_number::TCP && !tunnel::may_be(number) {
        return None;
    }
    let key = FragmentKey {
        source: content.source,
        destination: content.destination,
        id,
    };
    if offset == 0 {
        let segment = match number {
            ip_number::TCP => content.tcp()?,
            number => content.tunnel(reader, number)?,
        };
        // What the packet in a tunnel lacks comes with the other fragments.
        let segment = Segment {
            missing: content.missing,
            ..segment
        };
        let front = content.frame.piece(content.frame.at, 0).place;
        let header_len = segment.payload.place.offset().checked_sub(front.offset())?;
        let header_len = u32::try_from(header_len).ok()?;
        reader
            .fragments
            .first(key, segment, header_len, &mut reader.released);
        return Some(segment);
    }
    reader.fragments.later(
        key,
        Part {
            at: u32::from(offset),
            payload: content.frame.piece(content.frame.at, content.bytes.len()),
            missing: content.missing,
        },
    )
}
