//! gzip (RFC 1952): members one after another.

use flate2::bufread::GzDecoder;

use super::{Refused, Unpacked};
use crate::event::{Code, Severity, n_bytes};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

pub(super) fn unpack(input: &[u8], limit: usize, out: &mut Unpacked) {
    // What stops the loop has been remarked on.
    let _ = members(input, limit, out);
}

fn members(input: &[u8], limit: usize, out: &mut Unpacked) -> Result<(), Refused> {
    let mut rest = input;
    loop {
        let from = input.len() - rest.len();
        let before = out.bytes.len();
        let mut decoder = GzDecoder::new(rest);
        let result = out.read(&mut decoder, limit);
        rest = decoder.into_inner();
        let at = input.len() - rest.len();
        match result {
            Ok(false) => {}
            Ok(true) => return Err(out.cut(at..input.len(), limit)),
            Err(_) if from == 0 && !input.starts_with(&MAGIC) => {
                let message = "no gzip data: a member starts with 1f 8b".to_owned();
                return Err(out.refuse(0..input.len().min(2), message));
            }
            Err(error) => {
                let message = format!("gzip data is broken: {error}");
                return Err(out.refuse(from..input.len(), message));
            }
        }
        if rest.is_empty() {
            return Ok(());
        }
        if !rest.starts_with(&MAGIC) {
            let message = format!("{} behind the gzip data", n_bytes(rest.len() as u64));
            let range = at..input.len();
            out.remark(Severity::Warning, Code::TrailingBytes, range, message);
            return Ok(());
        }
        if out.bytes.len() == before {
            out.nothing_in(at..input.len())?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, Unpacked, decompress};
    use crate::event::Code;

    /// `hello ` and `gzip`, each a member with a file name, as Python's gzip module writes them.
    const TWO: &[u8] = &[
        0x1f, 0x8b, 0x08, 0x08, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x78, 0x00, 0xcb, 0x48, 0xcd,
        0xc9, 0xc9, 0x57, 0x00, 0x00, 0xf6, 0xf9, 0x81, 0xed, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x8b,
        0x08, 0x08, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x78, 0x00, 0x4b, 0xaf, 0xca, 0x2c, 0x00,
        0x00, 0xf2, 0x5c, 0xe9, 0x3a, 0x04, 0x00, 0x00, 0x00,
    ];

    fn gzip(input: &[u8], limit: usize) -> Unpacked {
        decompress(Codec::Gzip, 2, input, limit)
    }

    #[test]
    fn members_are_joined() {
        let out = gzip(TWO, 100);
        assert_eq!(
            (out.bytes.as_slice(), out.remarks.len()),
            (&b"hello gzip"[..], 0)
        );
    }

    #[test]
    fn what_is_there_is_kept_when_the_rest_is_broken() {
        let out = gzip(&[TWO, b"tail"].concat(), 100);
        assert_eq!(out.bytes, b"hello gzip");
        assert_eq!(out.remarks[0].code, Code::TrailingBytes);
        assert_eq!(out.remarks[0].range, TWO.len()..TWO.len() + 4);
        let out = gzip(&TWO[..TWO.len() - 3], 100);
        assert_eq!(out.bytes, b"hello gzip");
        assert_eq!(out.remarks[0].code, Code::Decompression);
        assert_eq!(gzip(b"", 100).remarks.len(), 1);
        assert!(gzip(b"no", 100).remarks[0].message.contains("1f 8b"));
    }

    #[test]
    fn the_limit_is_kept_to_the_byte() {
        let out = gzip(TWO, 8);
        assert_eq!(out.bytes, b"hello gz");
        assert_eq!(out.remarks[0].code, Code::Bound);
        assert_eq!(gzip(TWO, 10).remarks, []);
    }
}
