//! Capture files and pipes in, packets out.
//!
//! What comes in are inputs by name (a file, or `-` for standard input): pcap or pcapng, plain or
//! compressed with gzip or zstd. What they are is found from their bytes, never from their names.
//! What goes out are [`Packet`]s in the order of the inputs, numbered from 1 over all of them,
//! their bytes borrowed from a memory map. A [`Place`] names a byte of any input and can be
//! turned into bytes again at any time, so that nobody has to keep a copy.
//!
//! Invariant: the bytes behind a place never change and never move while the [`Capture`] lives.
//! What is wrong inside a capture (a cut end, an absurd length) is a [`Note`]; an [`Error`] only
//! says that an input could not be read or is no capture at all.
//!
//! A [`Plain`] file is mapped as it is, for readers of log segments.
//!
//! Not here: what the packets mean (`net`), and pasted text or bare Kafka frames.

mod error;
mod format;
mod map;
mod note;
mod pcap;
mod pcapng;
mod place;
mod plain;
mod source;
mod walk;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use format::{Compression, Format, may_be_capture};
pub use note::{Note, Trouble};
pub use place::{Piece, Place};
pub use plain::Plain;
pub use source::{Input, Secret};
pub use walk::{Step, Walk};

use std::time::Duration;

use source::Source;

/// Link-layer header types by their registered numbers (<https://www.tcpdump.org/linktypes.html>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

/// One captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Counts from 1 over all inputs.
    pub number: u64,
    /// Nanoseconds since 1970-01-01 UTC.
    pub time: i64,
    /// What the first header is.
    pub link: LinkType,
    /// The bytes that were captured.
    pub bytes: &'a [u8],
    /// How long the packet was on the wire; more than `bytes.len()` where it was cut.
    pub original_len: u32,
    /// The record of the packet in its file, from where a walk can be taken up again.
    pub record: Place,
    /// The first of `bytes`.
    pub place: Place,
}

/// The opened inputs.
#[derive(Debug)]
pub struct Capture {
    sources: Vec<Source>,
}

impl Capture {
    /// Opens the inputs. Compressed ones and pipes are spooled to an unlinked temporary file by a
    /// thread of their own, so this returns as soon as the first bytes of each are there.
    ///
    /// # Errors
    /// An input that cannot be read, or that is neither pcap nor pcapng.
    pub fn open(inputs: &[Input]) -> Result<Capture, Error> {
        // Sixteen bits of a place name the file.
        if inputs.len() > usize::from(u16::MAX) {
            return Err(Error::TooManyInputs {
                found: inputs.len(),
            });
        }
        let sources = inputs
            .iter()
            .map(Source::open)
            .collect::<Result<_, Error>>()?;
        Ok(Capture { sources })
    }

    /// A capture that lies in memory, one slice an input.
    ///
    /// # Errors
    /// An input that is neither pcap nor pcapng.
    pub fn from_bytes(inputs: Vec<Vec<u8>>) -> Result<Capture, Error> {
        let sources = inputs
            .into_iter()
            .enumerate()
            .map(|(idx, bytes)| Source::from_bytes(format!("input {}", idx + 1), bytes))
            .collect::<Result<_, Error>>()?;
        Ok(Capture { sources })
    }

    /// Names of the inputs, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(Source::name)
    }

    /// Name of the input that `place` lies in.
    pub fn name(&self, place: Place) -> &str {
        self.source(place.file()).map_or("", Source::name)
    }

    /// File format and compression of an input.
    pub fn format(&self, file: usize) -> Option<(Format, Option<Compression>)> {
        self.source(file)
            .map(|source| (source.format(), source.compression()))
    }

    /// The `len` bytes at `place`; fewer where the input ends before.
    pub fn bytes(&self, place: Place, len: usize) -> &[u8] {
        let Some(source) = self.source(place.file()) else {
            return &[];
        };
        let rest = source.bytes_from(place.offset());
        rest.get(..len).unwrap_or(rest)
    }

    /// Notices files that somebody has shortened, before their bytes are looked at.
    pub fn check_lengths(&self) {
        self.sources.iter().for_each(Source::check_length);
    }

    /// Number of bytes in all inputs as far as they have been read; `true` once that is final.
    pub fn size(&self) -> (u64, bool) {
        self.sources.iter().fold((0, true), |(sum, done), source| {
            let (len, complete) = source.filled();
            (sum + len, done && complete)
        })
    }

    /// Whether it is known how large the inputs are, as far as [`Capture::settled_size`] asks.
    pub fn is_settled(&self) -> bool {
        self.is_live() || self.sources.iter().all(|source| source.settled().is_some())
    }

    /// Waits until more is known of the size of a compressed input, or the time is over.
    pub fn settle(&self, longest: Duration) {
        let unsettled = self
            .sources
            .iter()
            .find(|source| source.settled().is_none());
        if let Some(source) = unsettled {
            source.wait(longest);
        }
    }

    /// Number of bytes in all inputs; `None` if some may grow for long: pipes, and compressed
    /// inputs of more than 64 MiB. Depends on nothing but the inputs once
    /// [`Capture::is_settled`].
    pub fn settled_size(&self) -> Option<u64> {
        if self.is_live() {
            return None;
        }
        let sizes = self.sources.iter().map(|source| source.settled().flatten());
        sizes.sum()
    }

    /// Whether an input is a pipe or the like, which may go on for as long as its writer likes.
    pub fn is_live(&self) -> bool {
        self.sources.iter().any(Source::is_live)
    }

    /// Waits until a pipe has delivered more, or the time is over.
    pub fn wait(&self, longest: Duration) {
        if let Some(source) = self.sources.iter().find(|source| !source.filled().1) {
            source.wait(longest);
        }
    }

    /// Secrets for decryption that the inputs carry, as far as they have been walked.
    pub fn secrets(&self) -> Vec<Secret> {
        self.sources.iter().flat_map(Source::secrets).collect()
    }

    pub(in crate::capture) fn source(&self, file: usize) -> Option<&Source> {
        self.sources.get(file)
    }

    pub(in crate::capture) fn n_sources(&self) -> usize {
        self.sources.len()
    }
}
