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
