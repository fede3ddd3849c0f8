//! Blocks of the pcapng format (draft-ietf-opsawg-pcapng).

use std::sync::{Mutex, PoisonError};

use pcap_parser::pcapng::{
    DecryptionSecretsBlock, InterfaceDescriptionBlock, OptionCode, parse_decryptionsecretsblock_be,
    parse_decryptionsecretsblock_le, parse_interfacedescriptionblock_be,
    parse_interfacedescriptionblock_le,
};

use super::LinkType;

/// Block types.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
pub(super) const INTERFACE: u32 = 1;
pub(super) const OLD_PACKET: u32 = 2;
pub(super) const SIMPLE_PACKET: u32 = 3;
pub(super) const ENHANCED_PACKET: u32 = 6;
pub(super) const DECRYPTION_SECRETS: u32 = 10;

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
                let room = u32::try_from(block.len())
                    .unwrap_or(u32::MAX)
                    .saturating_sub(16);
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
        let parsed = if self.big_endian {
            parse_interfacedescriptionblock_be(block)
        } else {
            parse_interfacedescriptionblock_le(block)
        };
        // A block that cannot be read still takes its number.
        let interface = parsed.map_or(
            Interface {
                link: LinkType(u16::MAX),
                snap_len: 0,
                clock: Clock::new(6, 0),
            },
            |(_, block)| self.interface_of(&block),
        );
        interfaces.push((at, interface));
    }

    fn interface_of(&self, block: &InterfaceDescriptionBlock<'_>) -> Interface {
        let offset = block
            .options
            .iter()
            .find(|option| option.code == OptionCode::IfTsoffset)
            .and_then(|option| option.value().first_chunk::<8>())
            .map_or(0, |bytes| {
                if self.big_endian {
                    i64::from_be_bytes(*bytes)
                } else {
                    i64::from_le_bytes(*bytes)
                }
            });
        Interface {
            link: LinkType(block.linktype.0 as u16),
            snap_len: block.snaplen,
            clock: Clock::new(block.if_tsresol, offset),
        }
    }

    /// Interface `idx` of the section.
    pub(super) fn interface(&self, idx: u32) -> Option<Interface> {
        let interfaces = self
            .interfaces
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        interfaces
            .get(usize::try_from(idx).ok()?)
            .map(|(_, interface)| *interface)
    }

    /// Kind and data of a decryption secrets block.
    pub(super) fn secrets<'a>(&self, block: &'a [u8]) -> Option<(u32, &'a [u8])> {
        let (_, parsed): (_, DecryptionSecretsBlock<'a>) = if self.big_endian {
            parse_decryptionsecretsblock_be(block)
        } else {
            parse_decryptionsecretsblock_le(block)
        }
        .ok()?;
        let data = parsed
            .data
            .get(..usize::try_from(parsed.secrets_len).ok()?)?;
        Some((parsed.secrets_type.0, data))
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
