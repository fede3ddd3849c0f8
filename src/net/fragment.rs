//! IP fragments of TCP segments, without reassembly buffers.
//!
//! A fragment is a run of the segment's bytes at a known distance from the TCP header, so each
//! one becomes a segment of its own as soon as the one with the header is known. What comes
//! before that waits as a reference.

use std::collections::VecDeque;
use std::net::IpAddr;

use super::{Flags, Piece, Segment};

/// Fragments of one packet share this (RFC 791; RFC 8200 section 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FragmentKey {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) id: u32,
}

/// A fragment without a TCP header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Offset in the payload of the unfragmented IP packet.
    pub(super) at: u32,
    pub(super) payload: Piece,
    pub(super) missing: u32,
}

/// Packets whose fragments are remembered at a time; fragments follow each other closely.
const MAX_PACKETS: usize = 256;

/// A packet of 64 KiB in fragments of the smallest usual size has about this many.
const MAX_WAITING: usize = 128;

#[derive(Debug)]
struct Fragmented {
    key: FragmentKey,
    first: Option<(Segment, u32)>,
    waiting: Vec<Part>,
}

/// Packets of which fragments were seen, oldest first.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    packets: VecDeque<Fragmented>,
}

impl Fragments {
    /// Takes in the fragment with the TCP header, `header_len` bytes long; what waited for it is
    /// pushed to `released`.
    pub(super) fn first(
        &mut self,
        key: FragmentKey,
        segment: Segment,
        header_len: u32,
        released: &mut Vec<Segment>,
    ) {
        let mut packet = self.take(key);
        packet.first = Some((segment, header_len));
        let waiting = std::mem::take(&mut packet.waiting);
        self.put(packet);
        released.extend(
            waiting
                .into_iter()
                .rev()
                .filter_map(|part| place(segment, header_len, part)),
        );
    }

    /// Takes in any other fragment.
    pub(super) fn later(&mut self, key: FragmentKey, part: Part) -> Option<Segment> {
        let mut packet = self.take(key);
        let segment = match packet.first {
            Some((segment, header_len)) => place(segment, header_len, part),
            None => {
                if packet.waiting.len() < MAX_WAITING {
                    packet.waiting.push(part);
                }
                None
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

/// The segment that a fragment is, once the TCP header is known.
fn place(first: Segment, header_len: u32, part: Part) -> Option<Segment> {
    let ahead = part.at.checked_sub(header_len)?;
    Some(Segment {
        seq: first.seq.wrapping_add(ahead),
        // The packet closes the connection once, not with each of its fragments.
        flags: Flags(first.flags.0 & (Flags::ACK.0 | Flags::PSH.0)),
        payload: Piece {
            // A walk that is to find this fragment again has to start at the TCP header.
            record: part.payload.record.min(first.payload.record),
            ..part.payload
        },
        missing: part.missing,
        ..first
    })
}
