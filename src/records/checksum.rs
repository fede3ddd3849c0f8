//! Checksums of batches (CRC-32C) and messages (CRC-32): whether they are right, and what most
//! likely went wrong where they are not.

use flate2::Crc;

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
            Polynomial::Crc32c => crc32c::crc32c(bytes),
            // The library sets tables up that cost more than a small message does.
            Polynomial::Crc32 if bytes.len() <= SHORT => crc32(bytes),
            Polynomial::Crc32 => {
                let mut crc = Crc::new();
                crc.update(bytes);
                crc.sum()
            }
        }
    }

    fn other(self) -> Polynomial {
        match self {
            Polynomial::Crc32c => Polynomial::Crc32,
            Polynomial::Crc32 => Polynomial::Crc32c,
        }
    }
}

/// Bytes up to which the tables below do.
const SHORT: usize = 4096;

/// CRC-32 of each byte with 0 to 7 zeros behind it, to take eight bytes at a time.
#[allow(clippy::indexing_slicing)] // When this is compiled, not when it runs.
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut zeros = 0;
        while zeros < 8 {
            let mut bit = 0;
            while bit < 8 {
                crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
                bit += 1;
            }
            tables[zeros][byte] = crc;
            zeros += 1;
        }
        byte += 1;
    }
    tables
};

fn crc32(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut crc = !0;
    for word in words {
        let word = (u64::from_le_bytes(*word) ^ u64::from(crc)).to_le_bytes();
        crc = TABLES
            .iter()
            .rev()
            .zip(word)
            .fold(0, |sum, (table, byte)| sum ^ entry(table, byte));
    }
    let [table, ..] = &TABLES;
    !rest.iter().fold(crc, |crc, &byte| {
        (crc >> 8) ^ entry(table, crc.to_le_bytes()[0] ^ byte)
    })
}

fn entry(table: &[u32; 256], byte: u8) -> u32 {
    // A byte is always one of 256.
    table.get(usize::from(byte)).copied().unwrap_or_default()
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
    fn short_and_long_messages_have_the_same_checksum() {
        assert_eq!(Polynomial::Crc32.of(b"123456789"), 0xcbf4_3926);
        for len in [0, 1, 7, 8, 9, 255, SHORT - 1, SHORT] {
            let bytes: Vec<u8> = (0..len).map(|n| (n * 7) as u8).collect();
            let mut crc = Crc::new();
            crc.update(&bytes);
            assert_eq!(Polynomial::Crc32.of(&bytes), crc.sum(), "{len}");
        }
    }
}
