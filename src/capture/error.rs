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
    /// A kind of capture that is not read.
    #[error("{name} is {why}")]
    Refused { name: String, why: &'static str },
    /// A compressed file cannot be read while it grows.
    #[error(
        "{name} is compressed with {kind} and cannot be followed: its last bytes mean something only once it is complete; list it without --follow, or let zcat -f write to a pipe"
    )]
    FollowCompressed { name: String, kind: &'static str },
    /// Standard input needs not to be told to follow.
    #[error("standard input cannot be followed: a pipe is read as it grows anyway")]
    FollowStdin,
    /// A pattern that is none.
    #[error("{pattern} is no pattern: {why} at character {at}")]
    Pattern {
        pattern: String,
        at: usize,
        why: &'static str,
    },
    /// A directory or pattern without captures.
    #[error("{name}: no file is a capture{}", others(*n_others))]
    NothingFound { name: String, n_others: usize },
    /// Files beside captures.
    #[error("{name}: {}", left_out(*n_others))]
    Others { name: String, n_others: usize },
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
    #[error("{found} inputs were given, at most 65534 can be read as one capture")]
    TooManyInputs { found: usize },
}

impl Error {
    /// Why an input is left out, to be told beside what the others hold.
    pub fn as_left_out(&self) -> String {
        match self {
            Error::Others { .. } => self.to_string(),
            error => format!("left out: {error}"),
        }
    }
}

fn others(n_others: usize) -> String {
    match n_others {
        0 => String::new(),
        1 => " (1 file is something else)".to_owned(),
        n => format!(" ({n} files are something else)"),
    }
}

fn left_out(n_others: usize) -> String {
    match n_others {
        1 => "1 file that is no capture is left out".to_owned(),
        n => format!("{n} files that are no captures are left out"),
    }
}
