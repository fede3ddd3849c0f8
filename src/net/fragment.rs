//! IP fragments of TCP segments, without reassembly buffers.
//!
//! A fragment is a run of the segment's bytes at a known distance from the TCP header, so each
//! one becomes a segment of its own as soon as the header is known, of which the first fragments may
//! hold a piece each. What comes before that waits as a reference.

use std::collections::VecDeque;
use std::net::IpAddr;

use etherparse::{IpNumber, ip_number};

use super::head::TcpFront;
use super::{Endpoint, Flags, Piece, Segment};

/// Fragments of one packet share this (RFC 791; RFC 8200 section 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FragmentKey {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) id: u32,
}

/// A fragment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Offset in the payload of the unfragmented IP packet.
    pub(super) at: u32,
    pub(super) payload: Piece,
    pub(super) missing: u32,
    /// None comes behind it.
    pub(super) is_last: bool,
}

/// Packets whose fragments are remembered at a time; fragments follow each other closely.
const MAX_PACKETS: usize = 256;

/// A packet of 64 KiB in fragments of the smallest usual size has about this many.
const MAX_WAITING: usize = 128;

/// Of so many bytes at the start of a packet a copy is kept until the TCP header is known: room for one
/// behind some extension headers.
const HEAD: usize = 128;

#[derive(Debug)]
struct Fragmented {
    key: FragmentKey,
    first: Option<(Segment, u32)>,
    waiting: Vec<Waiting>,
}

/// A fragment that came before the TCP header was known.
#[derive(Debug)]
struct Waiting {
    part: Part,
    /// What of its bytes may be of the header.
    head: Box<[u8]>,
}

/// Packets of which fragments were seen, oldest first.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    packets: VecDeque<Fragmented>,
}

impl Fragments {
    /// Takes in the fragment with all headers in front of the payload, which are `header_len` bytes
    /// long; what waited for it is pushed to `released`.
    pub(super) fn first(
        &mut self,
        key: FragmentKey,
        segment: Segment,
        header_len: u32,
        part: Part,
        released: &mut Vec<Segment>,
    ) -> Segment {
        let mut packet = self.take(key);
        packet.first = Some((segment, header_len));
        packet.release(released);
        self.put(packet);
        Segment {
            flags: part.flags(segment.flags),
            ..segment
        }
    }

    /// Takes in a fragment. Its `bytes`, with what they start as, may hold some of the TCP header.
    pub(super) fn part(
        &mut self,
        key: FragmentKey,
        part: Part,
        bytes: Option<(IpNumber, &[u8])>,
        released: &mut Vec<Segment>,
    ) -> Option<Segment> {
        let mut packet = self.take(key);
        if part.at == 0 {
            // Another packet may have the same number.
            packet.first = None;
            packet.waiting.retain(|waiting| waiting.part.at > 0);
        }
        let segment = match packet.first {
            Some((segment, header_len)) => place(segment, header_len, part),
            None => {
                let (number, bytes) = bytes.unwrap_or((ip_number::TCP, &[]));
                packet.wait(part, bytes);
                packet.meet(number, released)
            }
        };
        self.put(packet);
        segment
    }

    /// Takes the entry of `key` out; the caller puts it back.
    fn take(&mut self, key: FragmentKey) -> Fragmented {
        let known = self.packets.iter().rposition(|packet| packet.key == key);
        known
            .and_then(|idx| self.packets.remove(idx))
            .unwrap_or(Fragmented {
                key,
                first: None,
                waiting: Vec::new(),
            })
    }

    fn put(&mut self, packet: Fragmented) {
        if self.packets.len() >= MAX_PACKETS {
            self.packets.pop_front();
        }
        self.packets.push_back(packet);
    }
}

impl Fragmented {
    fn wait(&mut self, part: Part, bytes: &[u8]) {
        if self.waiting.len() >= MAX_WAITING && part.at > 0 {
            return;
        }
        let len = HEAD.saturating_sub(part.at as usize).min(bytes.len());
        let head = bytes.get(..len).unwrap_or_default().into();
        self.waiting.push(Waiting { part, head });
    }

    /// The segment that the packet begins with, without payload unless the first fragment has some,
    /// once enough of the TCP header is there; what waited for it is pushed to `released`.
    fn meet(&mut self, number: IpNumber, released: &mut Vec<Segment>) -> Option<Segment> {
        let start = self.waiting.iter().find(|waiting| waiting.part.at == 0)?;
        let part = start.part;
        let mut payload = part.payload;
        let mut head = start.head.to_vec();
        while let Some(next) = self.waiting.iter().find(|waiting| {
            let at = waiting.part.at as usize;
            at > 0 && at <= head.len() && head.len() < at + waiting.head.len()
        }) {
            let skip = head.len() - next.part.at as usize;
            head.extend(next.head.get(skip..).unwrap_or_default());
            // A walk that is to find any of them again has to start at the first.
            payload.record = payload.record.min(next.part.payload.record);
        }
        let front = TcpFront::read(number, &head)?;
        let header_len = u32::try_from(front.len).ok()?;
        let end = |addr, port| Endpoint { addr, port };
        let whole = Segment {
            source: end(self.key.source, front.source_port),
            destination: end(self.key.destination, front.destination_port),
            seq: front.seq,
            ack: front.ack,
            flags: Flags(front.flags),
            payload: payload.skip(header_len),
            missing: part.missing_behind(header_len),
        };
        self.first = Some((whole, header_len));
        self.waiting.retain(|waiting| waiting.part.at > 0);
        self.release(released);
        Some(Segment {
            flags: part.flags(whole.flags),
            ..whole
        })
    }

    /// Pushes what waited for the header, as what it is.
    fn release(&mut self, released: &mut Vec<Segment>) {
        let waiting = std::mem::take(&mut self.waiting);
        if let Some((segment, header_len)) = self.first {
            let parts = waiting.into_iter().rev();
            released.extend(parts.filter_map(|it| place(segment, header_len, it.part)));
        }
    }
}

impl Part {
    /// The flags of the first fragment of a packet that has `flags`: what is closed is closed behind
    /// the last.
    fn flags(&self, flags: Flags) -> Flags {
        match self.is_last {
            true => flags,
            false => Flags(flags.0 & !Flags::FIN.0),
        }
    }

    /// Payload bytes that the snap length cut off, where headers take `header_len` bytes of the packet.
    fn missing_behind(&self, header_len: u32) -> u32 {
        let headers = header_len.saturating_sub(self.at);
        let cut_headers = headers.saturating_sub(self.payload.len);
        self.missing.saturating_sub(cut_headers)
    }
}

/// The segment that a fragment is, once the TCP header is known.
fn place(first: Segment, header_len: u32, part: Part) -> Option<Segment> {
    let payload = part.payload.skip(header_len.saturating_sub(part.at));
    let missing = part.missing_behind(header_len);
    // The packet opens and closes the connection once, not with each of its fragments.
    let mut flags = Flags::ACK.0 | Flags::PSH.0;
    if part.is_last {
        flags |= Flags::FIN.0;
    }
    let flags = Flags(first.flags.0 & flags);
    if payload.len == 0 && missing == 0 && !flags.has(Flags::FIN) {
        return None;
    }
    Some(Segment {
        seq: first.seq.wrapping_add(part.at.saturating_sub(header_len)),
        flags,
        payload: Piece {
            // A walk that is to find this fragment again has to start at the TCP header.
            record: payload.record.min(first.payload.record),
            ..payload
        },
        missing,
        ..first
    })
}
