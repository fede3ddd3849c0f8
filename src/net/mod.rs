//! Packets in, TCP segments out.
//!
//! What comes in are captured packets of any link type that `link.rs` lists; what goes out are
//! [`Segment`]s: addresses, sequence numbers, flags, and where the payload lies. Tunnels are
//! looked through, IP fragments are put in their place without copying them.
//!
//! Invariant: a segment's payload is what the sender sent at that sequence number and nothing
//! else: padding of the frame is left out, and what the snap length cut off is counted in
//! [`Segment::missing`]. Checksums are not looked at: captures of sent packets hold them before
//! the network card filled them in.
//!
//! Not here: which segments belong together (`flow`). A packet that is no TCP is no error.

mod fragment;
mod head;
mod ip;
mod link;
mod segment;
mod tunnel;
mod usual;

#[cfg(test)]
mod tests;

pub use crate::capture::{Piece, Place};
pub use segment::{Endpoint, Flags, Segment};

use crate::capture::{LinkType, Packet};

use fragment::Fragments;

/// Reads packets. It remembers fragments, so that one reader sees all packets of a walk.
#[derive(Debug, Default)]
pub struct Reader {
    fragments: Fragments,
    released: Vec<Segment>,
    /// Link types of which packets came that cannot be read.
    foreign: Vec<LinkType>,
    /// The first packets of such, as long as nobody has asked.
    unread: Vec<Unread>,
}

/// A packet of a link type that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Which one that is.
    pub link: LinkType,
    /// Number of the packet, the first of that type.
    pub packet: u64,
}

impl Reader {
    /// A reader that has seen nothing.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// The TCP segment in a packet.
    pub fn read(&mut self, packet: &Packet<'_>) -> Option<Segment> {
        let frame = Frame {
            packet,
            at: 0,
            tunnels: 0,
        };
        link::read(self, packet.link, frame)
    }

    /// Segments of earlier packets that only became known with the last one: fragments that came
    /// before the one with the TCP header.
    pub fn released(&mut self) -> Option<Segment> {
        self.released.pop()
    }

    /// The first packets of link types that are not known, each only once.
    pub fn take_unread(&mut self) -> Vec<Unread> {
        std::mem::take(&mut self.unread)
    }

    fn pass_over(&mut self, packet: &Packet<'_>) {
        let link = packet.link;
        if !self.foreign.contains(&link) {
            self.foreign.push(link);
            let packet = packet.number;
            self.unread.push(Unread { link, packet });
        }
    }
}

/// The TCP segment in a packet of which nothing is unusual: the same that a [`Reader`] finds, written
/// where it is to stay. `None` says nothing.
#[inline(always)]
pub fn usual_segment(packet: &Packet<'_>) -> Option<Segment> {
    let frame = Frame {
        packet,
        at: link::usual_ip(packet.link, packet.bytes)?,
        tunnels: 0,
    };
    usual::read(frame)
}

/// What is left of a packet after the headers that were read so far.
#[derive(Clone, Copy, Debug)]
struct Frame<'a> {
    packet: &'a Packet<'a>,
    /// Offset of the next header in the packet's bytes.
    at: usize,
    tunnels: u8,
}

/// A packet inside a packet inside a packet is believed this deep.
const MAX_TUNNELS: u8 = 4;

impl<'a> Frame<'a> {
    fn rest(self) -> &'a [u8] {
        self.packet.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip(self, n: usize) -> Frame<'a> {
        Frame {
            at: self.at + n,
            ..self
        }
    }

    /// The frame inside a tunnel whose headers end `n` bytes on.
    fn tunnel(self, n: usize) -> Option<Frame<'a>> {
        (self.tunnels < MAX_TUNNELS).then(|| Frame {
            at: self.at + n,
            tunnels: self.tunnels + 1,
            ..self
        })
    }

    /// The bytes `part`, which lie in the packet, as a piece.
    fn piece(self, at: usize, len: usize) -> Piece {
        Piece {
            place: self.packet.place.plus(at as u64),
            record: self.packet.record,
            len: u32::try_from(len).unwrap_or(u32::MAX),
            packet: self.packet.number,
            time: self.packet.time,
        }
    }
}
