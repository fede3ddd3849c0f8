//! Where a message lies, in as few bytes as find it again.

use std::ops::Range;

use crate::capture::{Piece, Place};

use super::backlog::{Backlog, Held};

/// A reference to the bytes of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// In one packet: the first byte. Else the first record that holds any of it.
    pub(super) place: Place,
    /// In one packet: the record. Else the last place in the file that holds any of it, or the last
    /// record of merged files.
    pub(super) last: Place,
    /// When the first and the last byte were captured.
    pub(super) time: i64,
    pub(super) last_time: i64,
    /// Length of the frame with its size prefix; zero stands for no message.
    pub(super) size: u32,
    /// How many of them were captured.
    pub(super) captured: u32,
    /// Number of the packet with the first byte that was captured.
    pub(super) packet: u32,
    /// Sequence number of the first byte.
    pub(super) seq: u32,
}

impl Extent {
    /// The extent of a frame of `size` bytes of which `range` is what the stream had, all of it in
    /// one run.
    #[inline(always)]
    pub(super) fn within(held: &Held<'_>, range: Range<u64>, size: u32) -> Extent {
        let piece = held.piece;
        Extent {
            place: held.place(range.start),
            last: piece.record,
            time: piece.time,
            last_time: piece.time,
            size,
            captured: (range.end - range.start) as u32,
            packet: u32::try_from(piece.packet).unwrap_or(u32::MAX),
            seq: held.seq.wrapping_add((range.start - held.at) as u32),
        }
    }

    /// The extent of a frame of `size` bytes of which `range` is what the stream had.
    pub(super) fn of(backlog: &Backlog, range: Range<u64>, size: u32) -> Extent {
        let mut extent = Extent {
            size,
            ..Extent::default()
        };
        let mut n_pieces = 0;
        let mut is_single = false;
        for part in backlog.parts(range.clone()) {
            let Some(piece) = part.piece else {
                continue;
            };
            let from = range.start.max(part.at);
            let to = range.end.min(part.end());
            let place = piece.place.plus(from - part.at);
            let end = last_place(piece, place);
            if n_pieces == 0 {
                // A hole at the front counts back in the sequence numbers.
                let back = from - range.start;
                let seq = part.seq.wrapping_add((from - part.at) as u32);
                extent.seq = seq.wrapping_sub(back as u32);
                extent.packet = u32::try_from(piece.packet).unwrap_or(u32::MAX);
                extent.time = piece.time;
                is_single = back == 0;
                extent.place = if back == 0 { place } else { piece.record };
                extent.last = if back == 0 { piece.record } else { end };
            } else {
                if is_single {
                    // More than one packet: from places of bytes to places of records.
                    is_single = false;
                    let first = first_piece(backlog, range.start);
                    extent.last = last_place(first, extent.place);
                    extent.place = first.record;
                }
                extent.place = extent.place.min(piece.record);
                extent.last = extent.last.max(end);
            }
            extent.last_time = piece.time;
            extent.captured += (to - from) as u32;
            n_pieces += 1;
        }
        extent
    }

    /// Whether there is a message.
    pub(super) fn is_some(&self) -> bool {
        self.size > 0
    }
}

fn first_piece(backlog: &Backlog, at: u64) -> Piece {
    backlog
        .parts(at..at + 1)
        .find_map(|part| part.piece)
        .unwrap_or_default()
}

/// What no packet of the message lies behind, for a byte of a piece at `place`.
fn last_place(piece: Piece, place: Place) -> Place {
    match piece.record.number() {
        Some(_) => Place::numbered(piece.packet),
        None => place,
    }
}
