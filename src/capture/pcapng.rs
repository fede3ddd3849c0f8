//! Blocks of the pcapng format (draft-ietf-opsawg-pcapng).

use std::sync::{Mutex, PoisonError};

use super::LinkType;
use super::options::options;

/// Block types.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
pub(super) const INTERFACE: u32 = 1;
pub(super) const OLD_PACKET: u32 = 2;
pub(super) const SIMPLE_PACKET: u32 = 3;
pub(super) const NAME_RESOLUTION: u32 = 4;
pub(super) const ENHANCED_PACKET: u32 = 6;
const SYSTEMD_JOURNAL: u32 = 9;
pub(super) const DECRYPTION_SECRETS: u32 = 10;
const CUSTOM: u32 = 0x0bad;
const CUSTOM_NOT_COPIED: u32 = 0x4000_0bad;

/// Bytes of type and length in front of what a block holds.
pub(super) const HEADER: usize = 8;

/// Options of an interface.
const TIME_RESOLUTION: u16 = 9;
const TIME_OFFSET: u16 = 14;

/// A section may describe this many interfaces; more only cost memory.
const MAX_INTERFACES: usize = 65_536;

/// A section: everything up to the next section header shares byte order and interfaces.
#[derive(Debug)]
pub(super) struct Section {
    /// Offset of its header.
    pub(super) at: u64,
    pub(super) big_endian: bool,
    interfaces: Mutex<Vec<(u64, Interface)>>,
}

/// What an interface description says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interface {
    pub(super) link: LinkType,
    pub(super) snap_len: u32,
    clock: Clock,
}

/// How an interface counts time.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Ticks a second as a power of ten or two.
    resolution: Resolution,
    /// Nanoseconds to be added.
    offset: i64,
}

#[derive(Clone, Copy, Debug)]
enum Resolution {
    /// A tick is this many nanoseconds.
    Coarse(i64),
    /// This many ticks are a nanosecond.
    Fine(u64),
    /// Two to this power ticks are a second.
    Binary(u32),
}

impl Clock {
    fn new(resolution: u8, offset_seconds: i64) -> Clock {
        let power = u32::from(resolution & 0x7f);
        let resolution = if resolution & 0x80 != 0 {
            Resolution::Binary(power.min(63))
        } else if power <= 9 {
            Resolution::Coarse(10i64.pow(9 - power))
        } else {
            Resolution::Fine(10u64.pow((power - 9).min(19)))
        };
        Clock {
            resolution,
            offset: offset_seconds.saturating_mul(1_000_000_000),
        }
    }

    fn nanoseconds(self, ticks: u64) -> i64 {
        let since = match self.resolution {
            Resolution::Coarse(each) => i64::try_from(ticks)
                .unwrap_or(i64::MAX)
                .saturating_mul(each),
            Resolution::Fine(each) => i64::try_from(ticks / each).unwrap_or(i64::MAX),
            Resolution::Binary(power) => {
                i64::try_from((u128::from(ticks) * 1_000_000_000) >> power).unwrap_or(i64::MAX)
            }
        };
        since.saturating_add(self.offset)
    }
}

/// The first eight bytes of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockHeader {
    pub(super) block_type: u32,
    pub(super) len: u32,
}

/// What a packet block holds before its data.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacketBlock {
    pub(super) interface: u32,
    pub(super) ticks: Option<u64>,
    pub(super) captured_len: u32,
    pub(super) original_len: u32,
    /// Offset of the data in the block.
    pub(super) data_at: u64,
}

impl Section {
    /// Reads the section header block at `at`; `None` unless its byte-order magic is right.
    pub(super) fn read(block: &[u8], at: u64) -> Option<Section> {
        let big_endian = match block.get(8..12)? {
            [0x1a, 0x2b, 0x3c, 0x4d] => true,
            [0x4d, 0x3c, 0x2b, 0x1a] => false,
            _ => return None,
        };
        Some(Section {
            at,
            big_endian,
            interfaces: Mutex::default(),
        })
    }

    fn number(&self, word: [u8; 4]) -> u32 {
        if self.big_endian {
            u32::from_be_bytes(word)
        } else {
            u32::from_le_bytes(word)
        }
    }

    /// Reads type and length of the block that starts with `bytes`.
    pub(super) fn header(&self, bytes: &[u8]) -> Option<BlockHeader> {
        let (words, _) = bytes.first_chunk::<8>()?.as_chunks::<4>();
        let [block_type, len] = words else {
            return None;
        };
        Some(BlockHeader {
            block_type: self.number(*block_type),
            len: self.number(*len),
        })
    }

    /// Reads the front of a packet block. This is the one block that is read by hand: a capture
    /// has millions of them, and none of their options are needed.
    pub(super) fn packet(&self, block_type: u32, block: &[u8]) -> Option<PacketBlock> {
        let word = |at: usize| {
            let bytes = block.get(at..)?.first_chunk::<4>()?;
            Some(self.number(*bytes))
        };
        let interface = match block_type {
            ENHANCED_PACKET => word(8)?,
            // Two bytes of interface and two of a drop count.
            OLD_PACKET if self.big_endian => word(8)? >> 16,
            OLD_PACKET => word(8)? & 0xffff,
            SIMPLE_PACKET => {
                let original_len = word(8)?;
                // Of the block's own length, as a file may end inside it.
                let room = word(4)?.saturating_sub(16);
                let snap_len = match self.interface(0) {
                    Some(interface) if interface.snap_len > 0 => interface.snap_len,
                    _ => u32::MAX,
                };
                return Some(PacketBlock {
                    interface: 0,
                    ticks: None,
                    captured_len: original_len.min(snap_len).min(room),
                    original_len,
                    data_at: 12,
                });
            }
            _ => return None,
        };
        Some(PacketBlock {
            interface,
            ticks: Some(u64::from(word(12)?) << 32 | u64::from(word(16)?)),
            captured_len: word(20)?,
            original_len: word(24)?,
            data_at: 28,
        })
    }

    /// Takes in the interface description block at `at`, once.
    pub(super) fn describe(&self, block: &[u8], at: u64) {
        let mut interfaces = self
            .interfaces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if interfaces.last().is_some_and(|(last, _)| *last >= at)
            || interfaces.len() >= MAX_INTERFACES
        {
            return;
        }
        // A block that cannot be read still takes its number.
        let interface = self.interface_of(block).unwrap_or(Interface {
            link: LinkType(u16::MAX),
            snap_len: 0,
            clock: Clock::new(6, 0),
        });
        interfaces.push((at, interface));
    }

    fn interface_of(&self, block: &[u8]) -> Option<Interface> {
        let link = *block.get(HEADER..)?.first_chunk::<2>()?;
        let snap_len = *block.get(12..)?.first_chunk::<4>()?;
        let (mut resolution, mut offset) = (6, 0);
        for (code, value) in options(block, self.options_at(block)?, self.big_endian) {
            match (code, value.first_chunk::<8>()) {
                (TIME_RESOLUTION, _) => resolution = *value.first().unwrap_or(&6),
                (TIME_OFFSET, Some(bytes)) => {
                    offset = match self.big_endian {
                        true => i64::from_be_bytes(*bytes),
                        false => i64::from_le_bytes(*bytes),
                    };
                }
                _ => {}
            }
        }
        Some(Interface {
            link: LinkType(match self.big_endian {
                true => u16::from_be_bytes(link),
                false => u16::from_le_bytes(link),
            }),
            snap_len: self.number(snap_len),
            clock: Clock::new(resolution, offset),
        })
    }

    /// The block that starts with `bytes`, if all of it is there.
    pub(super) fn block<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        bytes.get(..self.header(bytes)?.len as usize)
    }

    /// Where the options of a block start.
    pub(super) fn options_at(&self, block: &[u8]) -> Option<usize> {
        let header = self.header(block)?;
        Some(match header.block_type {
            SECTION_HEADER => 24,
            INTERFACE => 16,
            ENHANCED_PACKET | OLD_PACKET => {
                let front = self.packet(header.block_type, block)?;
                let end = front.data_at + u64::from(front.captured_len.next_multiple_of(4));
                usize::try_from(end).ok()?
            }
            _ => return None,
        })
    }

    /// The interface that a packet block names.
    pub(super) fn interface_of_packet(&self, block: &[u8]) -> Option<u32> {
        let header = self.header(block)?;
        Some(self.packet(header.block_type, block)?.interface)
    }

    /// Where interface `idx` is described.
    pub(super) fn interface_at(&self, idx: u32) -> Option<u64> {
        self.described(idx).map(|(at, _)| at)
    }

    /// Whether the block that starts with `bytes` names its length at both ends; `None` if not all
    /// of it is there.
    pub(super) fn has_two_lengths(&self, bytes: &[u8]) -> Option<bool> {
        let header = self.header(bytes)?;
        let last = (header.len as usize).checked_sub(4)?;
        let behind = *bytes.get(last..)?.first_chunk::<4>()?;
        Some(self.number(behind) == header.len)
    }

    /// Whether `bytes` start like a block of a kind that exists.
    pub(super) fn looks_like_block(&self, bytes: &[u8]) -> bool {
        self.header(bytes).is_some_and(|header| {
            matches!(
                header.block_type,
                SECTION_HEADER | INTERFACE
                    ..=ENHANCED_PACKET
                        | SYSTEMD_JOURNAL
                        | DECRYPTION_SECRETS
                        | CUSTOM
                        | CUSTOM_NOT_COPIED
            ) && header.len >= 12
                && header.len % 4 == 0
        })
    }

    /// Distance to the next block of a kind that exists and that names its length at both ends.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        (1..bytes.len()).find(|&at| {
            let rest = bytes.get(at..).unwrap_or_default();
            // A section may be in the other byte order.
            let fresh = rest
                .starts_with(&SECTION_HEADER.to_le_bytes())
                .then(|| Section::read(rest, 0))
                .flatten();
            let section = fresh.as_ref().unwrap_or(self);
            section.looks_like_block(rest) && section.has_two_lengths(rest) == Some(true)
        })
    }

    /// Interface `idx` of the section.
    pub(super) fn interface(&self, idx: u32) -> Option<Interface> {
        self.described(idx).map(|(_, interface)| interface)
    }

    /// Interface `idx`, and where it is described.
    fn described(&self, idx: u32) -> Option<(u64, Interface)> {
        let interfaces = self
            .interfaces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        interfaces.get(usize::try_from(idx).ok()?).copied()
    }

    /// Kind and data of a decryption secrets block.
    pub(super) fn secrets<'a>(&self, block: &'a [u8]) -> Option<(u32, &'a [u8])> {
        let word = |at: usize| Some(self.number(*block.get(at..)?.first_chunk::<4>()?));
        let len = usize::try_from(word(12)?).ok()?;
        // The length of the block stands once more behind the data.
        let room = block.get(16..block.len().checked_sub(4)?)?;
        Some((word(HEADER)?, room.get(..len)?))
    }
}

impl Interface {
    /// The time of a packet that was captured at `ticks`.
    pub(super) fn time(self, ticks: u64) -> i64 {
        self.clock.nanoseconds(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_count_in_any_resolution() {
        for (resolution, offset, ticks, nanoseconds) in [
            (6, 0, 1_500_000, 1_500_000_000),
            (9, 0, 7, 7),
            (0, 10, 3, 13_000_000_000),
            (12, 0, 5_999, 5),
            (0x80 | 10, 0, 1536, 1_500_000_000),
            (3, -1, 500, -500_000_000),
            (0, 0, u64::MAX, i64::MAX),
            (0xff, 0, u64::MAX, 1_999_999_999),
        ] {
            let clock = Clock::new(resolution, offset);
            assert_eq!(
                clock.nanoseconds(ticks),
                nanoseconds,
                "{resolution} {ticks}"
            );
        }
    }
}
