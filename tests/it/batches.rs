//! Record batches and message sets made for tests, and real ones cut out of captures.

use std::io::Write;

use flate2::{Compression, Crc, write::GzEncoder};
use kafscope::records::Codec;

use crate::vectors::unhex;

/// A batch of magic 2 in the making; its fields may be made wrong before it is written.
#[derive(Clone)]
pub(crate) struct Batch {
    pub(crate) base_offset: i64,
    pub(crate) attributes: i16,
    pub(crate) last_offset_delta: i32,
    pub(crate) base_timestamp: i64,
    pub(crate) max_timestamp: i64,
    pub(crate) count: i32,
    /// The records section as it goes on the wire.
    pub(crate) records: Vec<u8>,
}

/// A header and its value.
pub(crate) type Header<'a> = (&'a str, Option<&'a [u8]>);

impl Batch {
    pub(crate) fn new(base_offset: i64, base_timestamp: i64) -> Batch {
        Batch {
            base_offset,
            attributes: 0,
            last_offset_delta: -1,
            base_timestamp,
            max_timestamp: base_timestamp,
            count: 0,
            records: Vec::new(),
        }
    }

    pub(crate) fn record(
        mut self,
        timestamp_delta: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[Header<'_>],
    ) -> Batch {
        let mut content = vec![0];
        varint(&mut content, timestamp_delta);
        varint(&mut content, i64::from(self.count));
        opt(&mut content, key);
        opt(&mut content, value);
        varint(&mut content, headers.len() as i64);
        for (key, value) in headers {
            opt(&mut content, Some(key.as_bytes()));
            opt(&mut content, *value);
        }
        varint(&mut self.records, content.len() as i64);
        self.records.extend(content);
        self.last_offset_delta = self.count;
        self.count += 1;
        self.max_timestamp = self
            .max_timestamp
            .max(self.base_timestamp + timestamp_delta);
        self
    }

    pub(crate) fn compressed(mut self, codec: Codec) -> Batch {
        self.attributes |= number(codec);
        self.records = compress(codec, &self.records);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut covered = Vec::new();
        covered.extend(self.attributes.to_be_bytes());
        covered.extend(self.last_offset_delta.to_be_bytes());
        covered.extend(self.base_timestamp.to_be_bytes());
        covered.extend(self.max_timestamp.to_be_bytes());
        covered.extend((-1i64).to_be_bytes());
        covered.extend((-1i16).to_be_bytes());
        covered.extend((-1i32).to_be_bytes());
        covered.extend(self.count.to_be_bytes());
        covered.extend(&self.records);
        let mut bytes = Vec::new();
        bytes.extend(self.base_offset.to_be_bytes());
        bytes.extend((covered.len() as i32 + 9).to_be_bytes());
        bytes.extend(7i32.to_be_bytes());
        bytes.push(2);
        bytes.extend(crc32c::crc32c(&covered).to_be_bytes());
        bytes.extend(covered);
        bytes
    }
}

/// A message of magic 0, or 1 when it has a timestamp.
pub(crate) fn message(
    offset: i64,
    attributes: u8,
    timestamp: Option<i64>,
    key: Option<&[u8]>,
    value: Option<&[u8]>,
) -> Vec<u8> {
    let mut covered = vec![u8::from(timestamp.is_some()), attributes];
    covered.extend(timestamp.map(i64::to_be_bytes).into_iter().flatten());
    for bytes in [key, value] {
        let length = bytes.map_or(-1, |bytes| bytes.len() as i32);
        covered.extend(length.to_be_bytes());
        covered.extend(bytes.unwrap_or_default());
    }
    let mut crc = Crc::new();
    crc.update(&covered);
    let mut bytes = Vec::new();
    bytes.extend(offset.to_be_bytes());
    bytes.extend((covered.len() as i32 + 4).to_be_bytes());
    bytes.extend(crc.sum().to_be_bytes());
    bytes.extend(covered);
    bytes
}

pub(crate) fn number(codec: Codec) -> i16 {
    match codec {
        Codec::Gzip => 1,
        Codec::Snappy => 2,
        Codec::Lz4 => 3,
        Codec::Zstd => 4,
    }
}

pub(crate) fn compress(codec: Codec, bytes: &[u8]) -> Vec<u8> {
    match codec {
        Codec::Gzip => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(bytes).unwrap();
            gzip.finish().unwrap()
        }
        Codec::Snappy => snap::raw::Encoder::new().compress_vec(bytes).unwrap(),
        Codec::Lz4 => {
            let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
            lz4.write_all(bytes).unwrap();
            lz4.finish().unwrap()
        }
        Codec::Zstd => zstd::encode_all(bytes, 1).unwrap(),
    }
}

pub(crate) const CODECS: [Codec; 4] = [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd];

fn varint(bytes: &mut Vec<u8>, value: i64) {
    let mut zigzag = (value << 1 ^ value >> 63) as u64;
    while zigzag >= 0x80 {
        bytes.push(zigzag as u8 | 0x80);
        zigzag >>= 7;
    }
    bytes.push(zigzag as u8);
}

fn opt(bytes: &mut Vec<u8>, content: Option<&[u8]>) {
    match content {
        None => varint(bytes, -1),
        Some(content) => {
            varint(bytes, content.len() as i64);
            bytes.extend(content);
        }
    }
}

/// The batches and messages of `tests/data/batches.txt` by name.
pub(crate) fn captured() -> Vec<(&'static str, Vec<u8>)> {
    include_str!("../data/batches.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (name, hex) = line.split_once(' ').unwrap();
            (name, unhex(hex))
        })
        .collect()
}
