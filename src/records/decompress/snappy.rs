//! Snappy: one raw block, or the framing of the xerial library for Java.
//!
//! A xerial stream is `82 S N A P P Y 00`, two int32 version words, then blocks of an int32
//! length and raw Snappy data. Nobody reads the version words; Redpanda is known to have written
//! them little-endian, and the length words of such streams are tried that way as well. A header
//! may come again between two blocks: streams that were put together are one.

use super::{Refused, Unpacked};
use crate::event::{Code, Severity, n_are, n_bytes};

const XERIAL: [u8; 8] = *b"\x82SNAPPY\0";
/// Bytes of that and of the version words.
const HEADER: usize = 16;

/// Most that a byte of Snappy data can stand for: a copy of 64 bytes takes three.
const MOST_PER_BYTE: usize = 22;

pub(super) fn unpack(input: &[u8], limit: usize, out: &mut Unpacked) {
    // What stops either has been remarked on.
    let _ = if input.starts_with(&XERIAL) {
        xerial(input, limit, out)
    } else if input.is_empty() {
        Err(out.refuse(0..0, "no snappy data at all".to_owned()))
    } else {
        block(input, 0, limit, out)
    };
}

fn xerial(input: &[u8], limit: usize, out: &mut Unpacked) -> Result<(), Refused> {
    let mut at = 0;
    let mut is_little = false;
    while at < input.len() {
        if input.get(at..).unwrap_or_default().starts_with(&XERIAL) {
            is_little = header(input, at, out)?;
            at += HEADER;
            if at > HEADER {
                out.nothing_in(at - HEADER..input.len())?;
            }
            continue;
        }
        let Some(length) = word(input, at) else {
            let message = format!(
                "xerial block length needs 4 bytes, {} left",
                n_are(input.len() - at)
            );
            return Err(out.refuse(at..input.len(), message));
        };
        let left = input.len() - at - length.len();
        let mut claimed = u32::from_be_bytes(length) as usize;
        if is_little && claimed > left {
            claimed = u32::from_le_bytes(length) as usize;
        }
        let from = at + length.len();
        let Some(data) = input.get(from..).and_then(|rest| rest.get(..claimed)) else {
            let message = format!(
                "xerial block claims {}, {} left",
                n_bytes(claimed as u64),
                n_are(left)
            );
            return Err(out.refuse(at..input.len(), message));
        };
        let before = out.bytes.len();
        if !data.is_empty() {
            block(data, from, limit, out)?;
        }
        if out.bytes.len() == before {
            out.nothing_in(at..input.len())?;
        }
        at = from + claimed;
    }
    Ok(())
}

/// The header that starts at `at`; whether its words are little-endian.
fn header(input: &[u8], at: usize, out: &mut Unpacked) -> Result<bool, Refused> {
    let versions = at + XERIAL.len();
    let left = input.len() - at;
    let Some(version) = word(input, versions).filter(|_| left >= HEADER) else {
        let message = format!("xerial header needs {HEADER} bytes, {} there", n_are(left));
        return Err(out.refuse(at..input.len(), message));
    };
    let is_little = version == [1, 0, 0, 0];
    if is_little {
        let message = "xerial version words are little-endian, big-endian is due; nobody reads \
                       them";
        out.remark(
            Severity::Note,
            Code::Inconsistent,
            versions..at + HEADER,
            message.to_owned(),
        );
    }
    Ok(is_little)
}

/// One raw block, `at` bytes into the input.
fn block(data: &[u8], at: usize, limit: usize, out: &mut Unpacked) -> Result<(), Refused> {
    let range = at..at + data.len();
    let claimed = match snap::raw::decompress_len(data) {
        Ok(claimed) => claimed,
        Err(error) => return Err(out.refuse(range, format!("snappy data is broken: {error}"))),
    };
    if claimed / MOST_PER_BYTE > data.len() {
        let message = format!(
            "snappy data claims to hold {}, its {} cannot",
            n_bytes(claimed as u64),
            n_bytes(data.len() as u64)
        );
        return Err(out.refuse(range, message));
    }
    let before = out.bytes.len();
    if claimed > limit.saturating_sub(before) {
        return Err(out.cut(range, before));
    }
    out.bytes.resize(before + claimed, 0);
    let room = out.bytes.get_mut(before..).unwrap_or_default();
    match snap::raw::Decoder::new().decompress(data, room) {
        Ok(found) => {
            out.bytes.truncate(before + found);
            Ok(())
        }
        Err(error) => {
            out.bytes.truncate(before);
            Err(out.refuse(range, format!("snappy data is broken: {error}")))
        }
    }
}

fn word(input: &[u8], at: usize) -> Option<[u8; 4]> {
    input.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, Unpacked, decompress};
    use crate::event::Code;

    fn snappy(input: &[u8], limit: usize) -> Unpacked {
        decompress(Codec::Snappy, 2, input, limit)
    }

    fn raw(content: &[u8]) -> Vec<u8> {
        snap::raw::Encoder::new().compress_vec(content).unwrap()
    }

    fn xerial(words: [u8; 8], blocks: &[&[u8]], length: fn(u32) -> [u8; 4]) -> Vec<u8> {
        let mut stream = b"\x82SNAPPY\0".to_vec();
        stream.extend(words);
        for block in blocks {
            let block = raw(block);
            stream.extend(length(block.len() as u32));
            stream.extend(block);
        }
        stream
    }

    const BIG: [u8; 8] = [0, 0, 0, 1, 0, 0, 0, 1];
    const LITTLE: [u8; 8] = [1, 0, 0, 0, 1, 0, 0, 0];

    #[test]
    fn raw_and_xerial_data_are_told_apart() {
        assert_eq!(snappy(&raw(b"hello"), 100).bytes, b"hello");
        let out = snappy(&xerial(BIG, &[b"hello ", b"snappy"], u32::to_be_bytes), 100);
        assert_eq!(out.bytes, b"hello snappy");
        assert_eq!(out.remarks, []);
        assert_eq!(snappy(&xerial(BIG, &[], u32::to_be_bytes), 100).remarks, []);
    }

    #[test]
    fn streams_that_were_put_together_are_one() {
        let first = xerial(BIG, &[b"hello "], u32::to_be_bytes);
        let second = xerial(LITTLE, &[b"snappy"], u32::to_le_bytes);
        let out = snappy(&[first.clone(), second, first.clone()].concat(), 100);
        assert_eq!(out.bytes, b"hello snappyhello ");
        assert_eq!(out.remarks.len(), 1);
        let out = snappy(&[&first[..], &first[..12]].concat(), 100);
        assert_eq!(out.bytes, b"hello ");
        assert_eq!(out.remarks[0].range, first.len()..first.len() + 12);
        let out = snappy(&super::XERIAL.repeat(2 * 5000), 100);
        assert_eq!(out.remarks[0].code, Code::Bound);
    }

    #[test]
    fn little_endian_words_are_read_and_remarked_on() {
        for length in [u32::to_be_bytes, u32::to_le_bytes] {
            let out = snappy(&xerial(LITTLE, &[b"hello ", b"snappy"], length), 100);
            assert_eq!(out.bytes, b"hello snappy");
            assert_eq!(out.remarks.len(), 1);
        }
    }

    #[test]
    fn broken_data_keeps_what_came_before() {
        let mut stream = xerial(BIG, &[b"hello ", b"snappy"], u32::to_be_bytes);
        let len = stream.len();
        for cut in 1..=12 {
            let out = snappy(&stream[..len - cut], 100);
            assert_eq!(out.bytes, b"hello ");
            // Cut between the blocks, nothing is missing.
            assert_eq!(out.remarks.is_empty(), cut == 12);
        }
        stream[20] = 0x40;
        assert_eq!(snappy(&stream, 100).remarks[0].code, Code::Decompression);
        assert_eq!(snappy(b"", 100).remarks.len(), 1);
        // 4 GiB claimed by six bytes.
        let out = snappy(&[0xff, 0xff, 0xff, 0xff, 0x0f, 0], usize::MAX);
        assert!(out.remarks[0].message.contains("claims to hold"));
    }

    #[test]
    fn the_limit_is_kept() {
        let stream = xerial(BIG, &[b"hello ", b"snappy"], u32::to_be_bytes);
        let out = snappy(&stream, 8);
        assert_eq!(out.bytes, b"hello ");
        assert_eq!(out.remarks[0].code, Code::Bound);
    }
}
