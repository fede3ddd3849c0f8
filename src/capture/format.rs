//! Telling formats apart by their first bytes.

use std::fmt;

/// Capture file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The classic format of libpcap, micro- or nanoseconds, either byte order; also as old Linux
    /// distributions modified it.
    Pcap,
    /// The block format of Wireshark.
    Pcapng,
}

/// Compressions that captures come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The name of the program that made it.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }

    /// The compression of an input that starts with `lead`.
    pub fn detect(lead: &[u8]) -> Option<Compression> {
        match lead {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            // A skippable frame, which pzstd and others put first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            _ => None,
        }
    }
}

impl Format {
    /// The name that people know.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pcap => "pcap",
            Format::Pcapng => "pcapng",
        }
    }

    /// The format of an uncompressed input that starts with `lead`.
    pub fn detect(lead: &[u8]) -> Option<Format> {
        match lead.first_chunk::<4>()? {
            [0xa1, 0xb2, 0xc3, 0xd4]
            | [0xd4, 0xc3, 0xb2, 0xa1]
            | [0xa1, 0xb2, 0x3c, 0x4d]
            | [0x4d, 0x3c, 0xb2, 0xa1]
            | [0xa1, 0xb2, 0xcd, 0x34]
            | [0x34, 0xcd, 0xb2, 0xa1] => Some(Format::Pcap),
            [0x0a, 0x0d, 0x0d, 0x0a] => {
                // The byte-order magic tells it from a text that starts with empty lines.
                matches!(
                    lead.get(8..12)?,
                    [0x1a, 0x2b, 0x3c, 0x4d] | [0x4d, 0x3c, 0x2b, 0x1a]
                )
                .then_some(Format::Pcapng)
            }
            _ => None,
        }
    }
}

impl Format {
    /// What an input is that is known and not read.
    pub fn refused(lead: &[u8]) -> Option<&'static str> {
        Some(match lead.first_chunk::<4>()? {
            b"snoo" if lead.starts_with(b"snoop\0\0\0") => {
                "a snoop capture of Solaris, expected pcap or pcapng; editcap writes them"
            }
            [0x1c, 0x00, 0x01, 0xab..=0xac] | [0xab..=0xac, 0x01, 0x00, 0x1c] => {
                "a capture of an Ixia device, expected pcap or pcapng; editcap writes them"
            }
            [0x52, 0x54, 0x53, 0x53] | [0x47, 0x4d, 0x42, 0x55] => {
                "a capture of Microsoft Network Monitor, expected pcap or pcapng; editcap writes them"
            }
            _ => return None,
        })
    }
}

/// Whether an input that starts with `lead` is a capture, or compressed and perhaps one.
pub fn may_be_capture(lead: &[u8]) -> bool {
    Compression::detect(lead).is_some() || Format::detect(lead).is_some()
}

/// The first bytes of something that is no capture, printable without harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead(Vec<u8>);

impl Lead {
    /// Keeps the first four of `bytes`.
    pub fn new(bytes: &[u8]) -> Lead {
        Lead(bytes.iter().take(4).copied().collect())
    }
}

impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        for byte in &self.0 {
            write!(f, "{byte:02x}")?;
        }
        if self.0.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            write!(f, " '{}'", String::from_utf8_lossy(&self.0))?;
        }
        Ok(())
    }
}
