//! Records of the classic pcap format.

use pcap_parser::{PcapHeader, parse_pcap_header};

use super::LinkType;

/// Bytes of the file header.
pub(super) const FILE_HEADER: u64 = 24;

/// Bytes of a record's header.
pub(super) const RECORD_HEADER: u64 = 16;

/// How the records of a file are to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    big_endian: bool,
    nanoseconds: bool,
    pub(super) link: LinkType,
}

/// The header of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) time: i64,
    pub(super) captured_len: u32,
    pub(super) original_len: u32,
}

impl Layout {
    /// Reads the file header.
    pub(super) fn read(bytes: &[u8]) -> Option<Layout> {
        let (_, header): (_, PcapHeader) = parse_pcap_header(bytes).ok()?;
        Some(Layout {
            big_endian: header.is_bigendian(),
            nanoseconds: header.is_nanosecond_precision(),
            // The upper bits say how long a frame check sequence is; IP knows its own length.
            link: LinkType(header.network.0 as u16),
        })
    }

    /// Reads the record header at the start of `bytes`.
    pub(super) fn record(self, bytes: &[u8]) -> Option<Record> {
        let (words, _) = bytes.first_chunk::<16>()?.as_chunks::<4>();
        let [seconds, fraction, captured_len, original_len] = words else {
            return None;
        };
        let number = |word: &[u8; 4]| {
            if self.big_endian {
                u32::from_be_bytes(*word)
            } else {
                u32::from_le_bytes(*word)
            }
        };
        let unit = if self.nanoseconds { 1 } else { 1000 };
        Some(Record {
            time: i64::from(number(seconds)) * 1_000_000_000 + i64::from(number(fraction)) * unit,
            captured_len: number(captured_len),
            original_len: number(original_len),
        })
    }
}
