//! Compression as Kafka's own clients write it, the other way round from `decompress`.

use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::Codec;

/// Bytes in a block of the xerial framing, as the Java library cuts them.
const XERIAL_BLOCK: usize = 32 << 10;

/// The default of the zstd library.
const ZSTD_LEVEL: i32 = 3;

/// `content` compressed by `codec`. Its bytes are not those of another compressor.
pub fn compress(codec: Codec, content: &[u8]) -> io::Result<Vec<u8>> {
    match codec {
        Codec::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(content)?;
            encoder.finish()
        }
        Codec::Snappy => xerial(content),
        Codec::Lz4 => {
            // Kafka's readers knew no other frames for long.
            let info = FrameInfo::new()
                .block_size(BlockSize::Max64KB)
                .block_mode(BlockMode::Independent);
            let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
            encoder.write_all(content)?;
            encoder.finish().map_err(io::Error::other)
        }
        Codec::Zstd => zstd::encode_all(content, ZSTD_LEVEL),
    }
}

/// Snappy in the framing that the Java client writes and everybody reads.
fn xerial(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01".to_vec();
    let mut encoder = snap::raw::Encoder::new();
    for block in content.chunks(XERIAL_BLOCK) {
        let block = encoder.compress_vec(block).map_err(io::Error::other)?;
        let length = u32::try_from(block.len()).map_err(io::Error::other)?;
        out.extend(length.to_be_bytes());
        out.extend(block);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{super::decompress::decompress, *};

    #[test]
    fn what_is_compressed_is_decompressed_without_a_remark() {
        let long: Vec<u8> = (0..200_000_u64).map(|n| ((n * n) >> 7) as u8).collect();
        for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
            for content in [&b""[..], b"a", &[7; 100_000], &long] {
                let compressed = compress(codec, content).unwrap();
                for magic in 0..=2 {
                    let out = decompress(codec, magic, &compressed, 1 << 20);
                    assert_eq!(out.bytes, content, "{codec}");
                    assert_eq!(out.remarks, [], "{codec} {magic}");
                }
            }
        }
    }
}
