//! LZ4 frames, read block by block.
//!
//! The header checksum of a frame is the second byte of the XXH32 of its descriptor. Kafka's
//! clients before 0.10 computed it over the magic number as well (KAFKA-3160), and brokers still
//! write it so into messages of magic 0; such frames are read all the same. Dictionaries are not:
//! Kafka has none.

use lz4_flex::block;
use twox_hash::XxHash32;

use super::{Refused, Unpacked};
use crate::{
    event::{Code, Severity, n_are, n_bytes},
    wire::{BufferId, Cursor, Fault},
};

const MAGIC: u32 = 0x184d_2204;
/// The magic numbers of frames that readers pass over, but for the last four bits.
const SKIPPABLE: u32 = 0x184d_2a50;
/// How far back blocks that are linked look.
const WINDOW: usize = 64 << 10;

pub(super) fn unpack(magic: i8, input: &[u8], limit: usize, out: &mut Unpacked) {
    let mut frames = Frames {
        input: Cursor::new(input, BufferId::FRAME),
        magic,
        limit,
        scratch: Vec::new(),
    };
    if input.is_empty() {
        out.refuse(0..0, "no lz4 data at all".to_owned());
    }
    while frames.input.left() > 0 {
        // What stops a frame has been remarked on.
        if frames.frame(out).is_err() {
            break;
        }
    }
}

struct Frames<'a> {
    input: Cursor<'a>,
    /// Format version of the message or batch.
    magic: i8,
    limit: usize,
    /// Room for one block; reused, for a hostile input has many.
    scratch: Vec<u8>,
}

/// What the descriptor of a frame says of its blocks.
struct Descriptor {
    is_linked: bool,
    has_block_checksums: bool,
    has_content_checksum: bool,
    content_size: Option<u64>,
    /// Bytes that a block decompresses to at most.
    block: usize,
}

impl<'a> Frames<'a> {
    fn frame(&mut self, out: &mut Unpacked) -> Result<(), Refused> {
        let from = self.input.at();
        let before = out.bytes.len();
        let magic = self.word("magic number", out)?;
        if magic & !0xf == SKIPPABLE {
            let length = self.word("length of a skippable frame", out)?;
            self.take(length as usize, "skippable frame", out)?;
            return out.nothing_in(from..self.input.end());
        }
        if magic != MAGIC {
            let range = from..self.input.end();
            if from == 0 {
                let message = "no lz4 data: a frame starts with 04 22 4d 18".to_owned();
                return Err(out.refuse(0..4, message));
            }
            let message = format!("{} behind the lz4 data", n_bytes(range.len() as u64));
            out.remark(Severity::Warning, Code::TrailingBytes, range, message);
            return Err(Refused);
        }
        let descriptor = self.descriptor(out)?;
        self.blocks(&descriptor, before, out)?;
        let content = out.bytes.get(before..).unwrap_or_default();
        let len = content.len();
        let sum = match descriptor.has_content_checksum {
            true => XxHash32::oneshot(0, content),
            false => 0,
        };
        let at = self.input.at();
        if descriptor
            .content_size
            .is_some_and(|size| size != len as u64)
        {
            let message = format!(
                "lz4 frame claims another size than its {}",
                n_bytes(len as u64)
            );
            out.remark(Severity::Error, Code::Decompression, from..at, message);
        }
        if descriptor.has_content_checksum {
            let stored = self.word("content checksum", out)?;
            if stored != sum {
                let message =
                    format!("lz4 content checksum is 0x{stored:08x}, computed 0x{sum:08x}");
                out.remark(Severity::Error, Code::Checksum, at..at + 4, message);
            }
        }
        if len == 0 {
            out.nothing_in(from..self.input.end())?;
        }
        Ok(())
    }

    fn descriptor(&mut self, out: &mut Unpacked) -> Result<Descriptor, Refused> {
        let from = self.input.at();
        let bytes = self.input.rest();
        let &[flags, sizes] = self.array("frame descriptor", out)?;
        if flags >> 6 != 1 {
            let message = format!("lz4 frame has version {}, only 1 is known", flags >> 6);
            return Err(out.refuse(from..from + 1, message));
        }
        let has = |bit: u8| flags & (1 << bit) != 0;
        let content_size = match has(3) {
            true => Some(u64::from_le_bytes(*self.array("content size", out)?)),
            false => None,
        };
        if has(0) {
            let message = "lz4 frame needs a dictionary; Kafka has none".to_owned();
            return Err(out.refuse(from..from + 1, message));
        }
        let block = match sizes >> 4 & 7 {
            4 => 64 << 10,
            5 => 256 << 10,
            6 => 1 << 20,
            7 => 4 << 20,
            size => {
                let message = format!("lz4 block size {size} is unknown, 4 to 7 are");
                return Err(out.refuse(from + 1..from + 2, message));
            }
        };
        let length = self.input.at() - from;
        let &[stored] = self.array("header checksum", out)?;
        self.header_checksum(stored, bytes.get(..length).unwrap_or_default(), from, out);
        Ok(Descriptor {
            is_linked: !has(5),
            has_block_checksums: has(4),
            has_content_checksum: has(2),
            content_size,
            block,
        })
    }

    fn header_checksum(&self, stored: u8, descriptor: &[u8], from: usize, out: &mut Unpacked) {
        let sum = |bytes: &[u8]| (XxHash32::oneshot(0, bytes) >> 8) as u8;
        let due = sum(descriptor);
        if stored == due {
            return;
        }
        let old = sum(&[&MAGIC.to_le_bytes(), descriptor].concat());
        let (severity, why) = match (stored == old, self.magic) {
            (true, ..2) => (
                Severity::Note,
                "; it covers the magic number too, as old clients wrote it",
            ),
            (true, _) => (
                Severity::Warning,
                "; it covers the magic number too, as in old messages",
            ),
            (false, _) => (Severity::Error, ""),
        };
        let at = from + descriptor.len();
        let message = format!("lz4 header checksum is 0x{stored:02x}, computed 0x{due:02x}{why}");
        out.remark(severity, Code::Checksum, at..at + 1, message);
    }

    /// All blocks up to the end mark. The content of the frame starts at `start` of the output.
    fn blocks(
        &mut self,
        frame: &Descriptor,
        start: usize,
        out: &mut Unpacked,
    ) -> Result<(), Refused> {
        let limit = self.limit;
        loop {
            let from = self.input.at();
            let word = self.word("block size", out)?;
            if word == 0 {
                return Ok(());
            }
            let (is_raw, length) = (word >> 31 == 1, (word & 0x7fff_ffff) as usize);
            if length > frame.block {
                let message = format!(
                    "lz4 block claims {}, {} are the most in this frame",
                    n_bytes(length as u64),
                    frame.block
                );
                return Err(out.refuse(from..from + 4, message));
            }
            let data = self.take(length, "block", out)?;
            if frame.has_block_checksums {
                let at = self.input.at();
                let (stored, sum) = (
                    self.word("block checksum", out)?,
                    XxHash32::oneshot(0, data),
                );
                if stored != sum {
                    let message =
                        format!("lz4 block checksum is 0x{stored:08x}, computed 0x{sum:08x}");
                    out.remark(Severity::Error, Code::Checksum, at..at + 4, message);
                }
            }
            let range = from..self.input.at();
            let content = if is_raw {
                data
            } else {
                self.block(frame, data, start, range.clone(), out)?
            };
            if content.is_empty() {
                out.nothing_in(range.clone())?;
            }
            let room = limit.saturating_sub(out.bytes.len());
            match content.get(..room) {
                Some(fitting) if fitting.len() < content.len() => {
                    out.bytes.extend_from_slice(fitting);
                    return Err(out.cut(range, limit));
                }
                _ => out.bytes.extend_from_slice(content),
            }
        }
    }

    fn block(
        &mut self,
        frame: &Descriptor,
        data: &[u8],
        start: usize,
        range: std::ops::Range<usize>,
        out: &mut Unpacked,
    ) -> Result<&[u8], Refused> {
        if self.scratch.len() < frame.block {
            self.scratch.resize(frame.block, 0);
        }
        let room = self.scratch.get_mut(..frame.block).unwrap_or_default();
        let content = out.bytes.get(start..).unwrap_or_default();
        let result = if frame.is_linked {
            let seen = content.len().saturating_sub(WINDOW);
            block::decompress_into_with_dict(data, room, content.get(seen..).unwrap_or_default())
        } else {
            block::decompress_into(data, room)
        };
        match result {
            Ok(len) => Ok(self.scratch.get(..len).unwrap_or_default()),
            Err(error) => Err(out.refuse(range, format!("lz4 block is broken: {error}"))),
        }
    }

    fn word(&mut self, what: &str, out: &mut Unpacked) -> Result<u32, Refused> {
        self.array(what, out).map(|word| u32::from_le_bytes(*word))
    }

    fn array<const N: usize>(
        &mut self,
        what: &str,
        out: &mut Unpacked,
    ) -> Result<&'a [u8; N], Refused> {
        let bytes = self.take(N, what, out)?;
        bytes.first_chunk().ok_or(Refused)
    }

    fn take(&mut self, length: usize, what: &str, out: &mut Unpacked) -> Result<&'a [u8], Refused> {
        let (at, end) = (self.input.at(), self.input.end());
        self.input.take(length).map_err(|fault| {
            let needed = match fault {
                Fault::Short { needed, .. } => needed,
                Fault::LongVarint { limit } => limit as u64,
            };
            let message = format!(
                "lz4 data is cut: {what} needs {}, {} left",
                n_bytes(needed),
                n_are(end - at)
            );
            out.refuse(at..end, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

    use super::super::{Codec, Remark, Unpacked, decompress};
    use crate::event::{Code, Severity};

    fn lz4(input: &[u8], magic: i8, limit: usize) -> Unpacked {
        decompress(Codec::Lz4, magic, input, limit)
    }

    fn frame(info: FrameInfo, content: &[u8]) -> Vec<u8> {
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// A frame with every optional part, and content that is larger than a block and a window.
    fn full(content: &[u8]) -> Vec<u8> {
        let info = FrameInfo::new()
            .block_size(BlockSize::Max64KB)
            .block_mode(BlockMode::Linked)
            .block_checksums(true)
            .content_checksum(true)
            .content_size(Some(content.len() as u64));
        frame(info, content)
    }

    fn text() -> Vec<u8> {
        (0..40_000_u32)
            .flat_map(|n| (n * n % 1000).to_string().into_bytes())
            .collect()
    }

    #[test]
    fn all_kinds_of_frames_are_read() {
        let text = text();
        let independent = FrameInfo::new().block_mode(BlockMode::Independent);
        let skippable = [0x5f, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9];
        let input = [full(&text), skippable.to_vec(), frame(independent, b"end")].concat();
        let out = lz4(&input, 2, 1 << 20);
        assert_eq!(out.remarks, []);
        assert!(out.bytes == [&text[..], b"end"].concat());
        let out = lz4(&input, 2, 100_000);
        assert!(out.bytes == text[..100_000]);
        assert_eq!(out.remarks[0].code, Code::Bound);
    }

    #[test]
    fn the_old_header_checksum_is_normal_in_old_messages_only() {
        let mut input = frame(FrameInfo::new(), b"hello");
        let sum = twox_hash::XxHash32::oneshot(0, &input[..6]);
        assert_ne!(input[6], (sum >> 8) as u8);
        input[6] = (sum >> 8) as u8;
        let remark = |input: &[u8], magic| -> Remark {
            let mut out = lz4(input, magic, 100);
            assert_eq!(
                (out.bytes.as_slice(), out.remarks.len()),
                (&b"hello"[..], 1)
            );
            out.remarks.remove(0)
        };
        assert_eq!(remark(&input, 0).severity, Severity::Note);
        assert_eq!(remark(&input, 1).severity, Severity::Note);
        assert_eq!(remark(&input, 2).severity, Severity::Warning);
        input[6] ^= 1;
        assert_eq!(remark(&input, 0).severity, Severity::Error);
        assert_eq!(remark(&input, 0).range, 6..7);
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let content = b"hello hello hello hello hello";
        let input = full(content);
        for end in 0..input.len() {
            assert!(!lz4(&input[..end], 2, 100).remarks.is_empty(), "{end}");
        }
        for at in 0..input.len() {
            let mut input = input.clone();
            input[at] ^= 0x55;
            assert!(!lz4(&input, 2, 100).remarks.is_empty(), "{at}");
        }
        let out = lz4(&[input.as_slice(), b"tail"].concat(), 2, 100);
        assert_eq!(out.bytes, content);
        assert_eq!(out.remarks[0].code, Code::TrailingBytes);
    }
}
