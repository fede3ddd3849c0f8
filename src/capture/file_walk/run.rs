//! The packets that pcap files are full of, many at once.
//!
//! Invariant: what is handed on is what the walk would find one by one.

use super::super::pcap::{Layout, Record};
use super::super::source::Source;
use super::{FileWalk, MAX_PACKET, Packet, Place, Reader};

impl FileWalk {
    /// Hands the next packets to `take` for as long as it wants more and all is as usual: sound
    /// records of a pcap file.
    #[inline]
    pub(in crate::capture) fn run<'a>(
        &mut self,
        source: &'a Source,
        mut take: impl FnMut(&Packet<'a>, u64) -> bool,
    ) {
        let Reader::Pcap(layout) = self.reader else {
            return;
        };
        while !self.is_over {
            if let Some(ahead) = &mut self.ahead {
                ahead.slide(source, self.offset as usize);
            }
            let rest = source.bytes_from(self.offset);
            let Some(record) = layout.record(rest) else {
                return;
            };
            if !self.is_usual(layout, &record) {
                return;
            }
            let Some(packet) = self.record_packet(layout, rest, record) else {
                return;
            };
            if !take(&packet, self.offset) {
                return;
            }
        }
    }

    /// Whether a record needs no second look.
    #[inline]
    pub(super) fn is_usual(&self, layout: Layout, record: &Record) -> bool {
        record.captured_len <= MAX_PACKET && layout.is_sound(record, self.last_time)
    }

    /// The packet of a record at the start of `rest`, if all of it is there.
    #[inline(always)]
    pub(super) fn record_packet<'a>(
        &mut self,
        layout: Layout,
        rest: &'a [u8],
        record: Record,
    ) -> Option<Packet<'a>> {
        let whole = layout.record_header + u64::from(record.captured_len);
        let bytes = rest.get(layout.record_header as usize..whole as usize)?;
        let packet = Packet {
            number: self.number,
            number_in_file: self.number,
            time: record.time,
            link: layout.link,
            bytes,
            original_len: record.original_len,
            record: Place::new(self.file, self.offset),
            header: Place::new(self.file, self.offset),
            place: Place::new(self.file, self.offset + layout.record_header),
        };
        self.pass(&packet, whole);
        Some(packet)
    }
}
