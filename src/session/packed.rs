//! Extents of messages in half a cache line each.
//!
//! What comes in is an [`Extent`]; what goes out is the same one again. Most messages lie whole in
//! one packet, so that the end is known from the beginning; what is more to be said of the others
//! stands in [`Tails`]. So a message takes 32 bytes, or 48 if it lies in several packets.
//!
//! Invariant: every extent of a message comes out as it went in.

use bytemuck::{Pod, Zeroable};

use crate::capture::Place;

use super::extent::Extent;
use super::table::Table;

/// An extent as the index keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Packed {
    place: Place,
    time: i64,
    /// Zero stands for no message.
    size: u32,
    packet: u32,
    seq: u32,
    end: End,
}

// Both messages of an exchange and what else is known of it have to fit.
const _: () = assert!(size_of::<Packed>() == 32);

/// How the end of a message is found.
///
/// The message is whole and in one packet, and this is by how many bytes the record of the packet
/// lies before the place; [`End::NUMBERED`] stands for a record known by its number. Or, from
/// [`End::ELSEWHERE`] on, it is the index of a tail; with [`End::FAR`] it has two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
struct End(u32);

impl End {
    const ELSEWHERE: u32 = 1 << 31;
    const FAR: u32 = 1 << 30;
    const NUMBERED: u32 = End::ELSEWHERE - 1;
}

/// The ends of messages that are not whole or lie in several packets.
#[derive(Debug, Default)]
pub(super) struct Tails(Table<Tail>);

/// The last place as its distance from the first, the last time as its distance from the first, how
/// much was captured. If the distance has no room, the last place stands behind.
type Tail = [u32; 4];

impl Packed {
    /// Whether there is a message.
    pub(super) fn is_some(&self) -> bool {
        self.size > 0
    }

    pub(super) fn time(&self) -> i64 {
        self.time
    }
}

impl Tails {
    /// An extent in little space.
    #[inline]
    pub(super) fn pack(&mut self, extent: &Extent) -> Packed {
        Packed {
            place: extent.place,
            time: extent.time,
            size: extent.size,
            packet: extent.packet,
            seq: extent.seq,
            end: in_one_packet(extent).unwrap_or_else(|| self.add(extent)),
        }
    }

    #[inline(never)]
    fn add(&mut self, extent: &Extent) -> End {
        // There is no memory for a billion of them.
        let idx = self.0.len() as u32 & (End::FAR - 1);
        let distance = distance(extent.place, extent.last);
        let [low, high] = halves(extent.last_time.wrapping_sub(extent.time) as u64);
        self.0
            .push([distance.unwrap_or_default(), low, high, extent.captured]);
        match distance {
            Some(_) => End(End::ELSEWHERE | idx),
            None => {
                let [low, high] = halves(extent.last.to_bits());
                self.0.push([low, high, 0, 0]);
                End(End::ELSEWHERE | End::FAR | idx)
            }
        }
    }

    /// The extent that was packed.
    #[inline]
    pub(super) fn unpack(&self, packed: &Packed) -> Extent {
        let Ends {
            last,
            last_time,
            captured,
        } = match packed.end.0 {
            End::NUMBERED => Ends::in_one_packet(packed, Place::numbered(packed.packet.into())),
            back @ 0..End::NUMBERED => Ends::in_one_packet(packed, packed.place.minus(back.into())),
            end => self.ends(packed, end),
        };
        Extent {
            place: packed.place,
            last,
            time: packed.time,
            last_time,
            size: packed.size,
            captured,
            packet: packed.packet,
            seq: packed.seq,
        }
    }

    fn ends(&self, packed: &Packed, end: u32) -> Ends {
        let idx = (end & (End::FAR - 1)) as usize;
        let tail = |idx: usize| self.0.get(idx).copied().unwrap_or_default();
        let [distance, low, high, captured] = tail(idx);
        Ends {
            captured,
            last_time: packed.time.wrapping_add(whole([low, high]) as i64),
            last: if end & End::FAR == 0 {
                packed.place.plus(distance.into())
            } else {
                let [low, high, ..] = tail(idx + 1);
                Place::from_bits(whole([low, high]))
            },
        }
    }
}

/// What of an extent is not said in so many words where it is packed.
struct Ends {
    last: Place,
    last_time: i64,
    captured: u32,
}

impl Ends {
    fn in_one_packet(packed: &Packed, last: Place) -> Ends {
        Ends {
            last,
            last_time: packed.time,
            captured: packed.size,
        }
    }
}

/// The end of a message that is whole and in one packet.
fn in_one_packet(extent: &Extent) -> Option<End> {
    if extent.captured != extent.size || extent.last_time != extent.time {
        return None;
    }
    if extent.last == Place::numbered(extent.packet.into()) {
        return Some(End(End::NUMBERED));
    }
    let back = distance(extent.last, extent.place)?;
    (back < End::NUMBERED).then_some(End(back))
}

fn distance(from: Place, to: Place) -> Option<u32> {
    u32::try_from(to.to_bits().checked_sub(from.to_bits())?).ok()
}

fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

fn whole([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Places near the ends of files and near each other, and places that only a number names.
    fn place() -> impl Strategy<Value = Place> {
        let near = prop_oneof![
            0..300_u64,
            u64::from(u32::MAX) - 2..u64::from(u32::MAX) + 300
        ];
        prop_oneof![
            (0..2_usize, near).prop_map(|(file, offset)| Place::new(file, offset)),
            (0..9_u64).prop_map(Place::numbered),
            any::<u32>().prop_map(|offset| Place::derived(offset.into())),
        ]
    }

    fn extent() -> impl Strategy<Value = Extent> {
        let number = || prop_oneof![0..9_u32, Just(u32::MAX)];
        let time = || prop_oneof![0..3_i64, Just(i64::MAX), Just(i64::MIN), any::<i64>()];
        let numbers = (1..9_u32, number(), number(), number());
        (place(), place(), time(), time(), numbers).prop_map(|(place, last, time, other, n)| {
            Extent {
                place,
                last,
                time,
                last_time: if n.3 < 5 { time } else { other },
                size: n.0,
                captured: if n.3 < 4 { n.0 } else { n.1 },
                packet: n.2,
                seq: n.3,
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_goes_in_comes_out(extents in prop::collection::vec(extent(), 1..5)) {
            let mut tails = Tails::default();
            let packed: Vec<Packed> = extents.iter().map(|extent| tails.pack(extent)).collect();
            for (extent, packed) in extents.iter().zip(&packed) {
                prop_assert_eq!(&tails.unpack(packed), extent);
            }
        }
    }

    #[test]
    fn a_whole_message_in_one_packet_has_no_tail() {
        let mut tails = Tails::default();
        let mut extent = Extent {
            place: Place::new(1, 166),
            last: Place::new(1, 100),
            size: 9,
            captured: 9,
            packet: 3,
            ..Extent::default()
        };
        tails.pack(&extent);
        extent.last = Place::numbered(3);
        tails.pack(&extent);
        assert_eq!(tails.0.len(), 0);
        extent.captured = 8;
        tails.pack(&extent);
        assert_eq!(tails.0.len(), 2);
    }
}
