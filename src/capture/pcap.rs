//! Records of the classic pcap format (draft-ietf-opsawg-pcap).

use super::LinkType;

/// Bytes of the file header.
pub(super) const FILE_HEADER: u64 = 24;

/// Bytes of a record's header, and what the modified format of old Linux distributions has behind
/// it: interface, protocol and packet type.
const RECORD_HEADER: u64 = 16;
const MODIFIED: u64 = 8;

/// Interfaces send 64 KiB, segmentation offload four times as much; no snap length is larger.
const LONGEST: u32 = 1 << 18;

/// Packets of one file are rarely further apart than this, in nanoseconds: a year.
const APART: i64 = 366 * 86_400 * 1_000_000_000;

/// How the records of a file are to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    big_endian: bool,
    /// Nanoseconds in a unit of the fraction of a second.
    unit: u32,
    pub(super) record_header: u64,
    snap_len: u32,
    pub(super) link: LinkType,
}

/// The header of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) time: i64,
    fraction: u32,
    pub(super) captured_len: u32,
    pub(super) original_len: u32,
}

impl Layout {
    /// Reads the file header.
    pub(super) fn read(bytes: &[u8]) -> Option<Layout> {
        let (words, _) = bytes.first_chunk::<24>()?.as_chunks::<4>();
        let [magic, _version, _zone, _accuracy, snap_len, network] = *words else {
            return None;
        };
        let (big_endian, unit, record_header) = match magic {
            [0xa1, 0xb2, 0xc3, 0xd4] => (true, 1000, RECORD_HEADER),
            [0xd4, 0xc3, 0xb2, 0xa1] => (false, 1000, RECORD_HEADER),
            [0xa1, 0xb2, 0x3c, 0x4d] => (true, 1, RECORD_HEADER),
            [0x4d, 0x3c, 0xb2, 0xa1] => (false, 1, RECORD_HEADER),
            [0xa1, 0xb2, 0xcd, 0x34] => (true, 1000, RECORD_HEADER + MODIFIED),
            [0x34, 0xcd, 0xb2, 0xa1] => (false, 1000, RECORD_HEADER + MODIFIED),
            _ => return None,
        };
        let number = |word| match big_endian {
            true => u32::from_be_bytes(word),
            false => u32::from_le_bytes(word),
        };
        Some(Layout {
            big_endian,
            unit,
            record_header,
            snap_len: number(snap_len),
            // The upper bits say how long a frame check sequence is; IP knows its own length.
            link: LinkType(number(network) as u16),
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
        let fraction = number(fraction);
        Some(Record {
            time: i64::from(number(seconds)) * 1_000_000_000
                + i64::from(fraction) * i64::from(self.unit),
            fraction,
            captured_len: number(captured_len),
            original_len: number(original_len),
        })
    }

    /// Whether a record behind one of `last_time` (0 for none) is like those that programs write.
    /// One that is not may still be one.
    pub(super) fn is_sound(self, record: &Record, last_time: i64) -> bool {
        let longest = match self.snap_len {
            0 => LONGEST,
            snap_len => snap_len.max(1 << 16),
        };
        record.captured_len <= longest
            && record.captured_len <= record.original_len
            && record.original_len > 0
            && i64::from(record.fraction) * i64::from(self.unit) < 1_000_000_000
            && (last_time == 0 || (record.time - last_time).abs() < APART)
    }

    /// Whether what is behind a record of `bytes` could be the next one. `None` if too few bytes
    /// are there to tell.
    pub(super) fn is_followed(self, bytes: &[u8], record: &Record, last_time: i64) -> Option<bool> {
        let whole = self.record_header as usize + record.captured_len as usize;
        let next = self.record(bytes.get(whole..)?)?;
        // Programs that write strange records write many of them: no more is asked than that the
        // file can go on.
        let is_near = |time: i64| (next.time - time).abs() < APART;
        Some(
            next.captured_len <= LONGEST
                && (next.captured_len, next.original_len) != (0, 0)
                && next.fraction < 1_000_000_000
                && (is_near(record.time) || is_near(last_time)),
        )
    }

    /// Whether `bytes` hold all of a record.
    pub(super) fn ends_in(self, bytes: &[u8], record: &Record) -> bool {
        self.record_header as usize + record.captured_len as usize <= bytes.len()
    }

    /// Distance to the next record that holds anything and is sound, like the one behind it if there
    /// is one.
    pub(super) fn find(self, bytes: &[u8], last_time: i64) -> Option<usize> {
        (1..bytes.len()).find(|&at| {
            let rest = bytes.get(at..).unwrap_or_default();
            self.record(rest).is_some_and(|record| {
                let whole = self.record_header as usize + record.captured_len as usize;
                record.captured_len > 0
                    && self.is_sound(&record, last_time)
                    && rest.get(whole..).is_some_and(|behind| {
                        let next = self.record(behind);
                        behind.is_empty()
                            || next.is_some_and(|next| self.is_sound(&next, record.time))
                    })
            })
        })
    }
}
