//! What can go wrong with an input as a whole.

use std::io;

use super::format::Lead;

/// Why an input cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be opened.
    #[error("cannot open {name}")]
    Open { name: String, source: io::Error },
    /// Reading it failed.
    #[error("cannot read {name} at offset {at}")]
    Read {
        name: String,
        at: u64,
        source: io::Error,
    },
    /// There was no room for a decompressed or piped input.
    #[error("cannot spool {name} to a temporary file")]
    Spool { name: String, source: io::Error },
    /// It is a directory.
    #[error("{name} is a directory, expected a capture file")]
    Directory { name: String },
    /// It has no bytes.
    #[error("{name} is empty, expected a pcap or pcapng capture")]
    Empty { name: String },
    /// It is something else.
    #[error(
        "{name} is no capture: it starts with {found}, expected pcap or pcapng, plain or compressed with gzip or zstd; kafscope decode reads pasted text, raw bytes and log segments"
    )]
    NotCapture { name: String, found: Lead },
    /// The compressed bytes are damaged before anything came out.
    #[error("{name} looks like {kind} but cannot be decompressed")]
    Decompress {
        name: String,
        kind: &'static str,
        source: io::Error,
    },
    /// More inputs than a place can name.
    #[error("{found} inputs were given, at most 65535 can be read as one capture")]
    TooManyInputs { found: usize },
}
