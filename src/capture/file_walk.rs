//! The walk over the packets of one file, from the start or from any packet in the middle.

use std::sync::Arc;

use super::ahead::Ahead;
use super::format::Format;
use super::note::{Note, Trouble};
use super::options;
use super::pcap::{self, Layout};
use super::pcapng::{self, Section};
use super::source::{Secret, Source};
use super::walk::Step;
use super::{Packet, Place};

mod run;

/// The longest packet that is believed. Interfaces send 64 KiB, segmentation offload of jumbo
/// payloads half a MiB; a record that claims more is the sign of a damaged file.
const MAX_PACKET: u32 = 1 << 24;

/// The longest pcapng block that is believed: room for a packet with options, or a large key log.
const MAX_BLOCK: u32 = 1 << 27;

/// A file with more troubles than this says nothing new with the next one.
const MAX_NOTES: usize = 1000;

/// Comments that are told; programs that write one on every packet would hide the troubles.
const MAX_COMMENTS: usize = 3;

/// A position between two packets of a file. It borrows nothing, so it can be kept while a pipe
/// grows.
#[derive(Debug)]
pub(super) struct FileWalk {
    file: usize,
    offset: u64,
    number: u64,
    reader: Reader,
    /// What is brought in ahead of the position; `None` for a walk that is only a short visit.
    ahead: Option<Ahead>,
    last_time: i64,
    is_over: bool,
    notes: Vec<Note>,
    n_notes: usize,
    n_comments: usize,
    /// Whether it was told that packets have no time.
    is_untimed: bool,
    /// Whether it was told that the file ends inside a block.
    is_cut: bool,
}

#[derive(Clone, Debug)]
enum Reader {
    /// The head of the file was not read yet.
    Unopened,
    Pcap(Layout),
    Pcapng(Arc<Section>),
}

/// What lies at the position inside one file.
enum Found<'a> {
    Packet(Packet<'a>),
    Other,
    Needs(u64),
    Stop(Trouble),
}

impl FileWalk {
    /// Before the first packet.
    pub(super) fn new(file: usize) -> FileWalk {
        FileWalk {
            file,
            offset: 0,
            number: 1,
            reader: Reader::Unopened,
            ahead: Some(Ahead::default()),
            last_time: 0,
            is_over: false,
            notes: Vec::new(),
            n_notes: 0,
            n_comments: 0,
            is_untimed: false,
            is_cut: false,
        }
    }

    /// For a short visit of the first packets.
    pub(super) fn visit() -> FileWalk {
        FileWalk {
            ahead: None,
            ..FileWalk::new(0)
        }
    }

    /// Before the packet whose record is at `record`, which an earlier walk has passed and given
    /// this number and time.
    pub(super) fn at(source: &Source, record: Place, number: u64, time: i64) -> FileWalk {
        let reader = match source.format() {
            Format::Pcap => {
                Layout::read(source.bytes_from(0)).map_or(Reader::Unopened, Reader::Pcap)
            }
            Format::Pcapng => source
                .section(record.offset())
                .map_or(Reader::Unopened, Reader::Pcapng),
        };
        FileWalk {
            // Without its head a file can only be walked from the start.
            offset: match reader {
                Reader::Unopened => 0,
                _ => record.offset(),
            },
            reader,
            number,
            last_time: time,
            ahead: None,
            ..FileWalk::new(record.file())
        }
    }

    /// The next packet, and the position moves behind it.
    pub(super) fn next<'a>(&mut self, source: &'a Source) -> Step<'a> {
        while !self.is_over {
            // Asked before looking: what comes in between is found by the next call.
            let (filled, complete) = source.filled();
            if let Some(ahead) = &mut self.ahead {
                ahead.slide(source, self.offset as usize);
            }
            let trouble = match self.look(source, complete) {
                Found::Packet(packet) => return Step::Packet(packet),
                Found::Other => continue,
                Found::Needs(_) if !complete => return Step::Pending,
                Found::Needs(needed) => {
                    let found = filled.saturating_sub(self.offset);
                    let cut = (found > 0).then_some(Trouble::Cut { needed, found });
                    source.failure().or(cut)
                }
                Found::Stop(trouble) => Some(trouble),
            };
            if let Some(trouble) = trouble {
                self.note(trouble);
            }
            self.is_over = true;
            if let Some(ahead) = &self.ahead {
                ahead.leave(source);
            }
        }
        Step::End
    }

    /// Moves back before the packet that was found last.
    pub(super) fn step_back(&mut self, packet: &Packet<'_>) {
        self.offset = packet.header.offset();
        self.number = packet.number_in_file;
        self.last_time = packet.time;
    }

    /// Where the next record or block is.
    pub(super) fn place(&self) -> Place {
        Place::new(self.file, self.offset)
    }

    /// Number of bytes that were walked over.
    pub(super) fn done(&self) -> u64 {
        self.offset
    }

    /// The file.
    pub(super) fn file(&self) -> usize {
        self.file
    }

    /// Number in the file of the packet that comes next.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// What was found wrong since this was last asked.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    fn note(&mut self, trouble: Trouble) {
        if self.n_notes >= MAX_NOTES {
            return;
        }
        self.n_notes += 1;
        self.notes.push(Note {
            place: Place::new(self.file, self.offset),
            packet: self.number,
            trouble,
        });
    }

    /// Looks at the record or block at the position and moves behind it.
    fn look<'a>(&mut self, source: &'a Source, complete: bool) -> Found<'a> {
        let rest = source.bytes_from(self.offset);
        match &self.reader {
            Reader::Unopened if source.format() == Format::Pcap => {
                let Some(layout) = Layout::read(rest) else {
                    return Found::Needs(pcap::FILE_HEADER);
                };
                self.reader = Reader::Pcap(layout);
                self.offset += pcap::FILE_HEADER;
                Found::Other
            }
            Reader::Pcap(layout) => {
                let layout = *layout;
                self.record(layout, rest, complete)
            }
            Reader::Unopened => self.block(None, source, rest, complete),
            Reader::Pcapng(section) => {
                // One count up and down a packet: cheap beside what follows.
                let section = Arc::clone(section);
                self.block(Some(&section), source, rest, complete)
            }
        }
    }

    fn record<'a>(&mut self, layout: Layout, rest: &'a [u8], complete: bool) -> Found<'a> {
        let Some(record) = layout.record(rest) else {
            return Found::Needs(layout.record_header);
        };
        if !self.is_usual(layout, &record) {
            let is_absurd = record.captured_len > MAX_PACKET;
            // Strange records exist; it is garbage if what follows is no record either.
            let is_followed = match is_absurd {
                true => Some(false),
                false => layout.is_followed(rest, &record, self.last_time),
            };
            let trouble = Trouble::AbsurdLength {
                claimed: record.captured_len.into(),
                limit: MAX_PACKET.into(),
            };
            match (is_followed, complete) {
                (Some(true), _) => {}
                // Whatever the last record of a file is like, it is all there is.
                (None, true) if layout.ends_in(rest, &record) => {}
                (None, false) => return Found::Needs(layout.record_header),
                _ => match layout.find(rest, self.last_time) {
                    Some(len) => return self.skip(len as u64),
                    None if !complete => return Found::Needs(layout.record_header),
                    None if is_absurd => return Found::Stop(trouble),
                    None if is_followed.is_none() => {}
                    None => {
                        return Found::Stop(Trouble::Garbage {
                            len: rest.len() as u64,
                        });
                    }
                },
            }
        }
        let whole = layout.record_header + u64::from(record.captured_len);
        self.record_packet(layout, rest, record)
            .map_or(Found::Needs(whole), Found::Packet)
    }

    fn block<'a>(
        &mut self,
        section: Option<&Arc<Section>>,
        source: &'a Source,
        rest: &'a [u8],
        complete: bool,
    ) -> Found<'a> {
        // The type of a section header reads the same in either byte order.
        let starts = rest.starts_with(&pcapng::SECTION_HEADER.to_le_bytes());
        let fresh = if starts {
            if rest.len() < 12 {
                return Found::Needs(28);
            }
            Section::read(rest, self.offset).map(Arc::new)
        } else {
            None
        };
        let Some(section) = fresh.as_ref().or(section) else {
            return Found::Needs(28);
        };
        let Some(header) = section.header(rest) else {
            return Found::Needs(12);
        };
        if header.len < 12 || header.len % 4 != 0 {
            let trouble = Trouble::BadBlock {
                block_type: header.block_type,
                length: header.len,
            };
            return self.resume(section, rest, complete, trouble);
        }
        if header.len > MAX_BLOCK {
            let trouble = Trouble::AbsurdLength {
                claimed: header.len.into(),
                limit: MAX_BLOCK.into(),
            };
            return self.resume(section, rest, complete, trouble);
        }
        let Some(block) = rest.get(..header.len as usize) else {
            // A wrong length may reach beyond the end although there are more blocks.
            return match complete {
                true => match section.find(rest) {
                    Some(len) => self.skip(len as u64),
                    None => self.cut_block(section, source, header, rest),
                },
                false => Found::Needs(header.len.into()),
            };
        };
        if section.has_two_lengths(rest) == Some(false) {
            let trouble = Trouble::TwoLengths {
                block_type: header.block_type,
                length: header.len,
            };
            let behind = rest.get(header.len as usize..).unwrap_or_default();
            if behind.len() < pcapng::HEADER && !complete {
                return Found::Needs(u64::from(header.len) + pcapng::HEADER as u64);
            }
            let is_section = behind.starts_with(&pcapng::SECTION_HEADER.to_le_bytes());
            if !behind.is_empty() && !is_section && !section.looks_like_block(behind) {
                return self.resume(section, rest, complete, trouble);
            }
            self.note(trouble);
        }
        let at = self.offset;
        match header.block_type {
            pcapng::SECTION_HEADER => {
                let Some(section) = fresh else {
                    return Found::Stop(Trouble::BadBlock {
                        block_type: header.block_type,
                        length: header.len,
                    });
                };
                let mut sections = source.sections();
                let known = sections
                    .binary_search_by_key(&at, |section| section.at)
                    .ok()
                    .and_then(|idx| sections.get(idx));
                self.reader =
                    Reader::Pcapng(known.map_or_else(|| Arc::clone(&section), Arc::clone));
                if sections.last().is_none_or(|last| last.at < at) {
                    sections.push(section);
                }
            }
            pcapng::INTERFACE => section.describe(block, at),
            pcapng::NAME_RESOLUTION => {
                let names = options::host_names(section, block);
                names.for_each(|(address, name)| source.add_host(at, address, name));
            }
            pcapng::ENHANCED_PACKET | pcapng::OLD_PACKET | pcapng::SIMPLE_PACKET => {
                return self.packet_block(section, header, block);
            }
            pcapng::DECRYPTION_SECRETS => {
                if let Some((kind, data)) = section.secrets(block) {
                    source.add_secret(Secret {
                        kind,
                        place: Place::new(self.file, at + 16),
                        len: data.len() as u32,
                    });
                }
            }
            _ => {}
        }
        self.offset += u64::from(header.len);
        Found::Other
    }

    /// Goes on at the next block, or ends the file.
    fn resume(
        &mut self,
        section: &Section,
        rest: &[u8],
        complete: bool,
        trouble: Trouble,
    ) -> Found<'static> {
        match section.find(rest) {
            Some(len) => self.skip(len as u64),
            None if complete => Found::Stop(trouble),
            None => Found::Needs(rest.len() as u64 + 1),
        }
    }

    /// Leaves out what is no record.
    fn skip(&mut self, len: u64) -> Found<'static> {
        self.note(Trouble::Skipped { len });
        self.offset += len;
        Found::Other
    }

    fn packet_block<'a>(
        &mut self,
        section: &Section,
        header: pcapng::BlockHeader,
        block: &'a [u8],
    ) -> Found<'a> {
        let Some((front, bytes)) = packet_data(section, header, block) else {
            // The block is there and what is in it is not.
            self.note(Trouble::BadBlock {
                block_type: header.block_type,
                length: header.len,
            });
            self.number += 1;
            self.offset += u64::from(header.len);
            return Found::Other;
        };
        let Some(interface) = section.interface(front.interface) else {
            self.note(Trouble::UnknownInterface {
                interface: front.interface,
            });
            self.number += 1;
            self.offset += u64::from(header.len);
            return Found::Other;
        };
        let padded = u64::from(front.captured_len.next_multiple_of(4));
        if block.len() as u64 >= front.data_at + padded + 8 {
            self.comments(section, block);
        }
        // A simple packet block has no time: the packet was there when its neighbour was.
        if front.ticks.is_none() && !self.is_untimed {
            self.is_untimed = true;
            let is_first = self.last_time == 0;
            self.note(Trouble::NoTime { is_first });
        }
        let time = front
            .ticks
            .map_or(self.last_time, |ticks| interface.time(ticks));
        let packet = Packet {
            number: self.number,
            number_in_file: self.number,
            time,
            link: interface.link,
            bytes,
            original_len: front.original_len,
            record: Place::new(self.file, self.offset),
            header: Place::new(self.file, self.offset),
            place: Place::new(self.file, self.offset + front.data_at),
        };
        self.pass(&packet, block.len() as u64);
        Found::Packet(packet)
    }

    /// The packet in the last block of a file that ends inside the block: it is as good as any if only
    /// what stands behind its data is missing.
    fn cut_block<'a>(
        &mut self,
        section: &Section,
        source: &Source,
        header: pcapng::BlockHeader,
        rest: &'a [u8],
    ) -> Found<'a> {
        let needed = u64::from(header.len);
        if packet_data(section, header, rest).is_none() {
            return Found::Needs(needed);
        }
        // Where decompression or reading failed, that is what is told at the end of the file. One file
        // of several may be looked at again.
        if !self.is_cut && source.failure().is_none() {
            let found = rest.len() as u64;
            self.note(Trouble::Cut { needed, found });
        }
        self.is_cut = true;
        self.packet_block(section, header, rest)
    }

    /// Tells of comments, as long as there are few.
    fn comments(&mut self, section: &Section, block: &[u8]) {
        if self.n_comments >= MAX_COMMENTS {
            return;
        }
        for text in options::comments(section, Some(block)) {
            self.n_comments += 1;
            let is_last = self.n_comments >= MAX_COMMENTS;
            self.note(Trouble::Comment { text, is_last });
            if is_last {
                return;
            }
        }
    }

    /// Moves behind a packet whose record or block has so many bytes.
    #[inline]
    fn pass(&mut self, packet: &Packet<'_>, record_len: u64) {
        self.number += 1;
        self.offset += record_len;
        self.last_time = packet.time;
    }
}

/// The front and the data of a packet block, of which what stands behind the data need not be there.
fn packet_data<'a>(
    section: &Section,
    header: pcapng::BlockHeader,
    block: &'a [u8],
) -> Option<(pcapng::PacketBlock, &'a [u8])> {
    let front = section.packet(header.block_type, block)?;
    let from = front.data_at as usize;
    let to = from.checked_add(front.captured_len as usize)?;
    // The length stands once more behind the data.
    let last = (header.len as usize).checked_sub(4)?;
    Some((front, block.get(from..to.min(last))?)).filter(|_| to <= last)
}
