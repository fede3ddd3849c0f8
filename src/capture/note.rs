//! What is wrong inside a capture and does not keep anybody from reading the rest.

use std::fmt;

use super::Place;

/// Something to know about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the inputs.
    pub place: Place,
    /// The packet that would have been next.
    pub packet: u64,
    /// What it is.
    pub trouble: Trouble,
}

/// The kinds of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The file ends inside a record.
    Cut { needed: u64, found: u64 },
    /// A record claims more bytes than any packet has, and no other follows; the rest of the file
    /// is not read.
    AbsurdLength { claimed: u64, limit: u64 },
    /// A pcapng block that contradicts itself, and is left out; where its length does, so is the
    /// rest of the file.
    BadBlock { block_type: u32, length: u32 },
    /// A pcapng block with another length at its end than at its start, which is right.
    TwoLengths { block_type: u32, length: u32 },
    /// Bytes that are no record, up to the next one.
    Skipped { len: u64 },
    /// Bytes that are no record, up to the end.
    Garbage { len: u64 },
    /// Somebody has written a comment on a packet; `is_last` if no further ones are told.
    Comment { text: String, is_last: bool },
    /// A packet of an interface that was never described; the packet is left out.
    UnknownInterface { interface: u32 },
    /// A simple packet block, the first, after a packet with a time or before any.
    NoTime { is_first: bool },
    /// The compressed input ends early or is damaged behind this place.
    Decompression { message: String },
    /// Reading the input failed behind this place.
    Read { message: String },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "packet {} at offset {}: ",
            self.packet,
            self.place.offset()
        )?;
        match &self.trouble {
            Trouble::Cut { needed, found } => {
                write!(
                    f,
                    "the file ends inside it, {needed} bytes were needed and {found} are there"
                )
            }
            Trouble::AbsurdLength { claimed, limit } => write!(
                f,
                "claims {claimed} bytes, at most {limit} are believed; the rest of the file is not read"
            ),
            Trouble::BadBlock { block_type, length } => write!(
                f,
                "block of type 0x{block_type:08x} whose length of {length} bytes contradicts what is in it; it is left out"
            ),
            Trouble::TwoLengths { block_type, length } => write!(
                f,
                "block of type 0x{block_type:08x} of {length} bytes has another length at its end"
            ),
            Trouble::Skipped { len } => write!(
                f,
                "{len} bytes are no record of a packet and are left out; reading goes on at the next one"
            ),
            Trouble::Garbage { len } => write!(
                f,
                "the last {len} bytes of the file are no record of a packet"
            ),
            Trouble::Comment { text, is_last } => {
                let more = match is_last {
                    true => "; show --provenance has further comments",
                    false => "",
                };
                write!(f, "comment: {text}{more}")
            }
            Trouble::UnknownInterface { interface } => {
                write!(
                    f,
                    "captured on interface {interface}, which the file does not describe"
                )
            }
            Trouble::NoTime { is_first } => {
                let shown = match is_first {
                    true => "1970-01-01",
                    false => "the time of the packet before it",
                };
                write!(
                    f,
                    "a simple packet block, which has no time: {shown} is shown; times and latencies of such packets say nothing"
                )
            }
            Trouble::Decompression { message } => write!(f, "decompression stopped: {message}"),
            Trouble::Read { message } => write!(f, "reading stopped: {message}"),
        }
    }
}
