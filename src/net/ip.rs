//! IP and what it carries: TCP, a fragment of it, or a tunnel with another packet inside.

use std::net::IpAddr;

use etherparse::{IpNumber, LaxIpSlice, LenSource, TcpSlice, ip_number};

use super::fragment::{FragmentKey, Part};
use super::head::{self, FragmentHeader};
use super::{Endpoint, Flags, Frame, Reader, Segment, tunnel, usual};

/// Bytes of an IPv6 header without extensions.
const V6_HEADER: usize = 40;

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
    let behind = offset_in(bytes, payload.payload);
    let (header_len, number) = match &ip {
        // What follows a broken extension header cannot be told.
        LaxIpSlice::Ipv4(_) if stop.is_some() => return None,
        LaxIpSlice::Ipv4(_) => (behind, payload.ip_number),
        LaxIpSlice::Ipv6(ip) => {
            let extensions = bytes.get(V6_HEADER..behind + payload.payload.len())?;
            let (len, number) = head::skip_extensions(ip.header().next_header(), extensions)?;
            (V6_HEADER + len, number)
        }
    };
    let content = bytes.get(header_len..behind + payload.payload.len())?;
    let wire_len = match &ip {
        LaxIpSlice::Ipv4(ip) => usize::from(ip.header().total_len()).checked_sub(header_len),
        LaxIpSlice::Ipv6(ip) => match usize::from(ip.header().payload_length()) {
            0 => None,
            len => (len + V6_HEADER).checked_sub(header_len),
        },
    };
    // A length of zero (or one that not even holds the headers) is what segmentation offload
    // leaves: then the frame knows best. What the snap length cut off the frame is cut off the
    // payload.
    let cut = (frame.packet.original_len as usize).saturating_sub(frame.packet.bytes.len());
    let missing = match wire_len {
        Some(len) if payload.len_source != LenSource::Slice || payload.incomplete => {
            len.saturating_sub(content.len())
        }
        _ => cut,
    };
    let content = Content {
        frame: frame.skip(header_len),
        bytes: content,
        missing: u32::try_from(missing).unwrap_or(0),
        source: ip.source_addr(),
        destination: ip.destination_addr(),
    };
    match (&ip, number) {
        (LaxIpSlice::Ipv4(ip), _) if payload.fragmented => {
            fragment_of(reader, FragmentHeader::of(&ip.header()), content)
        }
        (_, ip_number::IPV6_FRAG) => {
            let fragment = FragmentHeader::read(content.bytes)?;
            fragment_of(reader, fragment, content.skip(FragmentHeader::LEN)?)
        }
        (_, ip_number::TCP) => content.tcp(),
        (_, number) => content.tunnel(reader, number),
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

    /// What is left behind a header of `n` bytes.
    fn skip(self, n: usize) -> Option<Content<'a>> {
        Some(Content {
            frame: self.frame.skip(n),
            bytes: self.bytes.get(n..)?,
            ..self
        })
    }

    fn tunnel(self, reader: &mut Reader, number: IpNumber) -> Option<Segment> {
        tunnel::read(reader, number, self.frame, self.bytes)
    }
}

/// Puts a fragment of a TCP segment, or of a tunnel around one, where it belongs.
fn fragment_of(
    reader: &mut Reader,
    header: FragmentHeader,
    content: Content<'_>,
) -> Option<Segment> {
    let number = header.next;
    let is_tcp = number == ip_number::TCP || head::is_extension(number);
    if !is_tcp && !tunnel::may_be(number) {
        return None;
    }
    let key = FragmentKey {
        source: content.source,
        destination: content.destination,
        id: header.id,
    };
    let part = Part {
        at: u32::from(header.offset),
        payload: content.frame.piece(content.frame.at, content.bytes.len()),
        missing: content.missing,
        is_last: !header.has_more,
    };
    let Reader {
        fragments,
        released,
        ..
    } = reader;
    if is_tcp {
        return fragments.part(key, part, Some((number, content.bytes)), released);
    }
    if header.offset > 0 {
        return fragments.part(key, part, None, released);
    }
    let segment = content.tunnel(reader, number)?;
    // What the packet in a tunnel lacks comes with the other fragments.
    let segment = Segment {
        missing: content.missing,
        ..segment
    };
    let front = part.payload.place;
    let header_len = segment.payload.place.offset().checked_sub(front.offset())?;
    let header_len = u32::try_from(header_len).ok()?;
    let released = &mut reader.released;
    Some(
        reader
            .fragments
            .first(key, segment, header_len, part, released),
    )
}
