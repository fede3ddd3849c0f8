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
    /// A record claims more bytes than any packet has; the rest of the file is not read.
    AbsurdLength { claimed: u64, limit: u64 },
    /// A pcapng block that contradicts itself; the rest of the file is not read.
    BadBlock { block_type: u32, length: u32 },
    /// A packet of an interface that was never described; the packet is left out.
    UnknownInterface { interface: u32 },
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
                "block of type 0x{block_type:08x} with an impossible length of {length} bytes; the rest of the file is not read"
            ),
            Trouble::UnknownInterface { interface } => {
                write!(
                    f,
                    "captured on interface {interface}, which the file does not describe"
                )
            }
            Trouble::Decompression { message } => write!(f, "decompression stopped: {message}"),
            Trouble::Read { message } => write!(f, "reading stopped: {message}"),
        }
    }
}
