//! Checksums of batches (CRC-32C) and messages (CRC-32): whether they are right, and what most
//! likely went wrong where they are not.

use crc_fast::{CrcAlgorithm, Digest, crc32_iscsi, crc32_iso_hdlc};

/// Which CRC is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polynomial {
    /// Castagnoli's, since magic 2 (KIP-98).
    Crc32c,
    /// The one of gzip, for magic 0 and 1.
    Crc32,
}

impl Polynomial {
    pub(super) fn name(self) -> &'static str {
        match self {
            Polynomial::Crc32c => "CRC-32C",
            Polynomial::Crc32 => "CRC-32",
        }
    }

    /// The checksum of `bytes`.
    pub fn of(self, bytes: &[u8]) -> u32 {
        match self {
            Polynomial::Crc32c => crc32_iscsi(bytes),
            Polynomial::Crc32 => crc32_iso_hdlc(bytes),
        }
    }

    /// The CRC-32C of bytes in pieces.
    pub(super) fn crc32c_of<'p>(pieces: impl Iterator<Item = &'p [u8]>) -> u32 {
        let mut digest = Digest::new(CrcAlgorithm::Crc32Iscsi);
        pieces.for_each(|piece| digest.update(piece));
        digest.finalize() as u32
    }

    fn other(self) -> Polynomial {
        match self {
            Polynomial::Crc32c => Polynomial::Crc32,
            Polynomial::Crc32 => Polynomial::Crc32c,
        }
    }
}

/// What is wrong with `stored`, where it should be the checksum of `bytes[from..]` that is
/// `computed`. The sentence names the known mistake that gives the stored value, if one does.
pub(super) fn complaint(
    polynomial: Polynomial,
    stored: u32,
    computed: u32,
    bytes: &[u8],
    from: usize,
) -> String {
    let mistake = mistake(polynomial, stored, computed, bytes, from);
    let mistake = mistake.map_or(String::new(), |mistake| {
        format!("; the stored value is {mistake}")
    });
    format!(
        "crc is 0x{stored:08x}, computed 0x{computed:08x} ({} of the {} behind it){mistake}",
        polynomial.name(),
        crate::event::n_bytes(bytes.len().saturating_sub(from) as u64),
    )
}

fn mistake(
    polynomial: Polynomial,
    stored: u32,
    computed: u32,
    bytes: &[u8],
    from: usize,
) -> Option<String> {
    let name = polynomial.name();
    if stored == !computed {
        return Some("its bitwise NOT".to_owned());
    }
    if stored == computed.swap_bytes() {
        return Some("the same with its bytes in reverse order".to_owned());
    }
    let covered = bytes.get(from..)?;
    let other = polynomial.other();
    if stored == other.of(covered) {
        return Some(format!("the {} of these bytes", other.name()));
    }
    // The checksum itself is the nearest thing to include by mistake; it was zero at that time.
    let mut before = bytes.get(..from)?.to_vec();
    if let Some(own) = before.last_chunk_mut::<4>() {
        *own = [0; 4];
    }
    let of = |parts: Option<[&[u8]; 2]>| parts.map(|parts| polynomial.of(&parts.concat()));
    let with = |n_before: usize| of(Some([before.get(from.checked_sub(n_before)?..)?, covered]));
    // Magic stands before the checksum in batches, and behind it in messages.
    let is_batch = polynomial == Polynomial::Crc32c;
    let magic = before.iter().nth_back(4).filter(|_| is_batch);
    let magic = magic.map(std::slice::from_ref);
    let ranges = [
        (with(1), "one byte more at the start"),
        (
            of(covered.get(1..).map(|less| [less, &[]])),
            "one byte less at the start",
        ),
        (
            of(covered.split_last().map(|(_, less)| [less, &[]])),
            "one byte less at the end",
        ),
        // What follows a batch is the offset of the next, which starts with a zero.
        (of(Some([covered, &[0]])), "one byte more at the end"),
        (with(4), "the checksum's own bytes too, as zeros"),
        (of(magic.map(|magic| [magic, covered])), "magic too"),
        (
            with(5).filter(|_| is_batch),
            "magic too, with zeros for the checksum",
        ),
        (
            with(from),
            "all bytes from the first on, with zeros for the checksum",
        ),
    ];
    for (sum, what) in ranges {
        if sum == Some(stored) {
            return Some(format!("the {name} of {what}"));
        }
    }
    if stored == 0 {
        return Some("zero, as if none had been computed".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_that_others_compute() {
        assert_eq!(Polynomial::Crc32.of(b"123456789"), 0xcbf4_3926);
        assert_eq!(Polynomial::Crc32c.of(b"123456789"), 0xe306_9283);
        for len in [0, 1, 7, 8, 9, 255, 4095, 4096, 70_000] {
            let bytes: Vec<u8> = (0..len).map(|n| (n * 7) as u8).collect();
            let mut crc = flate2::Crc::new();
            crc.update(&bytes);
            assert_eq!(Polynomial::Crc32.of(&bytes), crc.sum(), "{len}");
            let castagnoli = crc32c::crc32c(&bytes);
            assert_eq!(Polynomial::Crc32c.of(&bytes), castagnoli, "{len}");
            for size in [1, 5, 1448] {
                assert_eq!(Polynomial::crc32c_of(bytes.chunks(size)), castagnoli);
            }
        }
    }
}
