//! Zstandard (RFC 8878): frames one after another.

use zstd::stream::read::Decoder;

use super::Unpacked;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub(super) fn unpack(input: &[u8], limit: usize, out: &mut Unpacked) {
    let all = 0..input.len();
    if input.is_empty() {
        out.refuse(all, "no zstd data at all".to_owned());
        return;
    }
    let result = match Decoder::with_buffer(input) {
        Ok(decoder) => out.read(decoder, limit),
        Err(error) => Err(error),
    };
    match result {
        Ok(false) => {}
        Ok(true) => {
            out.cut(all, limit);
        }
        Err(_) if out.bytes.is_empty() && !input.starts_with(&MAGIC) => {
            let message = "no zstd data: a frame starts with 28 b5 2f fd".to_owned();
            out.refuse(0..input.len().min(MAGIC.len()), message);
        }
        Err(error) => {
            out.refuse(all, format!("zstd data is broken: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, decompress};
    use crate::event::Code;

    #[test]
    fn frames_are_joined_and_skippable_ones_passed_over() {
        let mut input = zstd::encode_all(&b"hello "[..], 3).unwrap();
        input.extend([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 0xaa, 0xbb]);
        input.extend(zstd::encode_all(&b"zstd"[..], 19).unwrap());
        let out = decompress(Codec::Zstd, 2, &input, 100);
        assert_eq!(out.bytes, b"hello zstd");
        assert_eq!(out.remarks, []);
        let out = decompress(Codec::Zstd, 2, &input, 7);
        assert_eq!(out.bytes, b"hello z");
        assert_eq!(out.remarks[0].code, Code::Bound);
        let out = decompress(Codec::Zstd, 2, &input[..input.len() - 1], 100);
        assert_eq!(out.bytes.get(..6), Some(&b"hello "[..]));
        assert_eq!(out.remarks[0].code, Code::Decompression);
    }

    #[test]
    fn other_data_is_named_so() {
        for input in [&b""[..], b"z", b"no zstd at all"] {
            let out = decompress(Codec::Zstd, 2, input, 100);
            assert_eq!(out.remarks.len(), 1, "{input:?}");
        }
    }
}
