//! The four codecs of Kafka, as its clients and brokers really write them.
//!
//! What comes in is the compressed bytes and how much output is acceptable; what goes out is as
//! much of the content as could be had, and remarks on what was odd, wrong or cut. Output is
//! produced piece by piece and never reserved for a size that the bytes claim. Nothing here knows
//! records.

mod gzip;
mod lz4;
mod snappy;
mod zstd;

use std::{
    fmt,
    io::{self, Read},
    ops::Range,
};

use crate::event::{Code, Severity, n_bytes};

/// What the records of a batch, or the messages of a set, are compressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    Gzip,
    Snappy,
    Lz4,
    /// Since magic 2 (KIP-110).
    Zstd,
}

impl Codec {
    /// The name as in the `compression.type` setting.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Snappy => "snappy",
            Codec::Lz4 => "lz4",
            Codec::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something to say about compressed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    pub severity: Severity,
    pub code: Code,
    /// The compressed bytes concerned.
    pub range: Range<usize>,
    pub message: String,
}

/// What came out of a decompression.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub bytes: Vec<u8>,
    pub remarks: Vec<Remark>,
    /// Members, frames or blocks without content so far.
    empty: u32,
}

/// Decompresses `input` to at most `limit` bytes. `magic` is the format version of what holds it,
/// which decides how odd some oddities are.
pub(super) fn decompress(codec: Codec, magic: i8, input: &[u8], limit: usize) -> Unpacked {
    let mut out = Unpacked::default();
    match codec {
        Codec::Gzip => gzip::unpack(input, limit, &mut out),
        Codec::Snappy => snappy::unpack(input, limit, &mut out),
        Codec::Lz4 => lz4::unpack(magic, input, limit, &mut out),
        Codec::Zstd => zstd::unpack(input, limit, &mut out),
    }
    out
}

/// A part of the input cannot be read, and with it the rest.
#[derive(Debug)]
struct Refused;

impl Unpacked {
    /// Whether there may be more than what came out.
    pub(super) fn is_partial(&self) -> bool {
        let mut codes = self.remarks.iter().map(|remark| remark.code);
        codes.any(|code| matches!(code, Code::Decompression | Code::Bound))
    }

    fn remark(&mut self, severity: Severity, code: Code, range: Range<usize>, message: String) {
        self.remarks.push(Remark {
            severity,
            code,
            range,
            message,
        });
    }

    /// The codec does not accept the bytes in `range`.
    fn refuse(&mut self, range: Range<usize>, message: String) -> Refused {
        self.remark(Severity::Error, Code::Decompression, range, message);
        Refused
    }

    /// There is more output than is wanted.
    fn cut(&mut self, range: Range<usize>, limit: usize) -> Refused {
        let message = format!(
            "decompression ends after {}, as much as is unpacked of one message",
            n_bytes(limit as u64)
        );
        self.remark(Severity::Warning, Code::Bound, range, message);
        Refused
    }

    /// Counts a part without content.
    fn nothing_in(&mut self, range: Range<usize>) -> Result<(), Refused> {
        self.empty += 1;
        if self.empty <= super::limits::EMPTY_PARTS {
            return Ok(());
        }
        let message = format!("decompression ends after {} empty parts", self.empty - 1);
        self.remark(Severity::Warning, Code::Bound, range, message);
        Err(Refused)
    }

    /// Reads all of `reader` behind what is there already. `Ok(true)` when `limit` ended it. What
    /// was read before an error is kept.
    fn read(&mut self, reader: impl Read, limit: usize) -> io::Result<bool> {
        let room = limit.saturating_sub(self.bytes.len());
        reader
            .take(room as u64 + 1)
            .read_to_end(&mut self.bytes)
            .inspect_err(|_| self.bytes.truncate(limit))?;
        let is_cut = self.bytes.len() > limit;
        self.bytes.truncate(limit);
        Ok(is_cut)
    }
}
