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
