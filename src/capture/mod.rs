//! Capture files and pipes in, packets out.
//!
//! What comes in are inputs by name (a file, or `-` for standard input; a [`Finder`] knows
//! directories and patterns too): pcap or pcapng, plain or compressed with gzip or zstd. What they
//! are is found from their bytes, never from their names. What goes out are [`Packet`]s, those of
//! one file as they were written and those of several merged by time, numbered from 1 over all of
//! them, their bytes borrowed from a memory map. A [`Place`] names a byte of any input and can be
//! turned into bytes again at any time, so that nobody has to keep a copy.
//!
//! Invariant: the bytes behind a place never change and never move while the [`Capture`] lives.
//! What is wrong inside a capture (a cut end, an absurd length) is a [`Note`]; an [`Error`] only
//! says that an input could not be read or is no capture at all.
//!
//! A [`Plain`] file is mapped as it is, or as it was before it was compressed, for readers of log
//! segments.
//!
//! Not here: what the packets mean (`net`), and pasted text or bare Kafka frames.

mod ahead;
mod error;
mod file_walk;
mod fill;
mod find;
mod follow;
mod following;
mod format;
mod map;
mod merge;
mod note;
mod options;
mod pcap;
mod pcapng;
mod place;
mod plain;
mod source;
mod spool;
mod trail;
mod walk;
mod write;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use find::{BOOKMARKS, Finder, Found};
pub use format::{Compression, Format, may_be_capture};
pub use note::{Note, Trouble};
pub use options::Annotation;
pub use place::{Piece, Place};
pub use plain::Plain;
pub use source::{Input, Secret};
pub use walk::{Step, Walk};
pub use write::{Survey, Writer};

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use file_walk::FileWalk;
use fill::Turns;
use following::Following;
use source::Source;
use spool::Spool;
use trail::Trail;

/// Link-layer header types by their registered numbers (<https://www.tcpdump.org/linktypes.html>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            105 => "IEEE 802.11",
            127 => "IEEE 802.11 with radiotap",
            147..=162 => "reserved for private use",
            187 | 201 => "Bluetooth",
            189 | 220 | 249 => "USB",
            195 | 215 | 230 | 283 => "IEEE 802.15.4",
            227 => "CAN",
            252 => "upper PDUs of Wireshark",
            253 => "netlink",
            _ => return write!(f, "{}", self.0),
        };
        write!(f, "{} ({name})", self.0)
    }
}

/// One captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Counts from 1 over all inputs, in the order in which a walk finds them.
    pub number: u64,
    /// Counts from 1 in its file.
    pub number_in_file: u64,
    /// Nanoseconds since 1970-01-01 UTC.
    pub time: i64,
    /// What the first header is.
    pub link: LinkType,
    /// The bytes that were captured.
    pub bytes: &'a [u8],
    /// How long the packet was on the wire; more than `bytes.len()` where it was cut.
    pub original_len: u32,
    /// From where a walk can be taken up again: its record, or its number where several inputs
    /// are merged. Grows from packet to packet.
    pub record: Place,
    /// Its record in its file: the header in front of the bytes, or the block around them.
    pub header: Place,
    /// The first of `bytes`.
    pub place: Place,
}

/// The opened inputs.
#[derive(Debug)]
pub struct Capture {
    /// In the order of their first packets; followed files are added as they are found.
    sources: Vec<OnceLock<Box<Source>>>,
    n_sources: AtomicUsize,
    /// Why inputs that were named are not among them.
    left_out: Vec<Error>,
    trail: Trail,
    turns: Arc<Turns>,
    following: Option<Following>,
    spool: Spool,
}

impl Capture {
    /// Opens the inputs. Compressed ones and pipes are spooled to an unlinked temporary file by a
    /// thread of their own, so this returns as soon as the first packet of each is there, and the
    /// first bytes of a pipe.
    ///
    /// # Errors
    /// An input that cannot be read, or that is neither pcap nor pcapng. Empty ones are left out
    /// where others are not.
    pub fn open(inputs: impl Into<Found>) -> Result<Capture, Error> {
        let Found {
            inputs,
            mut left_out,
        } = inputs.into();
        raise_file_limit(inputs.len());
        let turns = Turns::new(inputs.len());
        let mut sources = Vec::new();
        for (rank, input) in inputs.iter().enumerate() {
            match (Source::open(input, rank, &turns), input) {
                (Ok(source), _) => sources.push(source),
                (Err(error @ Error::Empty { .. }), _) => left_out.push(error),
                (
                    Err(error @ (Error::NotCapture { .. } | Error::Decompress { .. })),
                    Input::Found(_),
                ) => left_out.push(error),
                (Err(error), _) => return Err(error),
            }
        }
        if sources.is_empty() && !left_out.is_empty() {
            return Err(left_out.swap_remove(0));
        }
        let mut capture = Capture::of(sources, turns)?;
        capture.left_out = left_out;
        Ok(capture)
    }

    /// Opens what is found, and then what is written later: each file to its end and on, until
    /// another one is found. Files are copied like pipes.
    ///
    /// # Errors
    /// An input that cannot be read, is compressed, or is neither pcap nor pcapng.
    pub fn follow(finder: Finder) -> Result<Capture, Error> {
        Following::open(finder)
    }

    /// A capture that lies in memory, one slice an input.
    ///
    /// # Errors
    /// An input that is neither pcap nor pcapng.
    pub fn from_bytes(inputs: Vec<Vec<u8>>) -> Result<Capture, Error> {
        let turns = Turns::new(inputs.len());
        let sources = inputs
            .into_iter()
            .enumerate()
            .map(|(idx, bytes)| Source::from_bytes(format!("input {}", idx + 1), bytes, &turns))
            .collect::<Result<_, Error>>()?;
        Capture::of(sources, turns)
    }

    /// Of inputs in any order.
    fn of(mut sources: Vec<Source>, turns: Arc<Turns>) -> Result<Capture, Error> {
        // Sixteen bits of a place name the file, and some names are taken.
        if sources.len() > place::MAX_INPUTS {
            return Err(Error::TooManyInputs {
                found: sources.len(),
            });
        }
        if sources.len() > 1 {
            for source in &mut sources {
                let time = first_time(source);
                source.set_first_time(time);
                // Which of the inputs this will be was not known on that visit.
                source.forget_secrets();
            }
            // Those without a packet, or whose first may take forever, come last.
            sources.sort_by_key(|source| (source.first_time().is_none(), source.first_time()));
        }
        Ok(Capture {
            n_sources: AtomicUsize::new(sources.len()),
            sources: sources
                .into_iter()
                .map(|source| OnceLock::from(Box::new(source)))
                .collect(),
            left_out: Vec::new(),
            trail: Trail::default(),
            turns,
            following: None,
            spool: Spool::default(),
        })
    }

    /// Names of the inputs, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources().map(Source::name)
    }

    /// Name of the input that `place` lies in.
    pub fn name(&self, place: Place) -> &str {
        self.source(place.file()).map_or("", Source::name)
    }

    /// Why inputs that were named were left out.
    pub fn left_out(&self) -> &[Error] {
        &self.left_out
    }

    /// File format and compression of an input.
    pub fn format(&self, file: usize) -> Option<(Format, Option<Compression>)> {
        self.source(file)
            .map(|source| (source.format(), source.compression()))
    }

    /// The `len` bytes at `place`; fewer where the input ends before.
    pub fn bytes(&self, place: Place, len: usize) -> &[u8] {
        if place.is_derived() {
            let rest = self.spool.bytes_from(place.offset());
            return rest.get(..len).unwrap_or(rest);
        }
        let Some(source) = self.source(place.file()) else {
            return &[];
        };
        let rest = source.bytes_from(place.offset());
        rest.get(..len).unwrap_or(rest)
    }

    /// Keeps bytes that were made from those of the inputs; where they are found again.
    ///
    /// # Errors
    /// The temporary file cannot be made or written, or would take the last room of its disk.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<Place> {
        self.spool.add(bytes)
    }

    /// Brings in what a walk will come to next, for a thread that has nothing better to do; returns
    /// whether there was anything.
    pub fn bring_ahead(&self) -> bool {
        self.sources().any(|source| source.front().help(source))
    }

    /// Notices files that somebody has shortened, before their bytes are looked at.
    pub fn check_lengths(&self) {
        self.sources().for_each(Source::check_length);
    }

    /// Number of bytes in all inputs as far as they have been read; `true` once that is final.
    pub fn size(&self) -> (u64, bool) {
        self.sources().fold((0, true), |(sum, done), source| {
            let (len, complete) = source.filled();
            (sum + len, done && complete)
        })
    }

    /// Whether it is known how large the inputs are, as far as [`Capture::settled_size`] asks.
    pub fn is_settled(&self) -> bool {
        self.is_live() || self.sources().all(|source| source.settled().is_some())
    }

    /// Waits until more is known of the size of a compressed input, or the time is over.
    pub fn settle(&self, longest: Duration) {
        let unsettled = self.sources().find(|source| source.settled().is_none());
        if let Some(source) = unsettled {
            source.wait(longest);
        }
    }

    /// Number of bytes in all inputs; `None` if some may grow for long: pipes, followed files, and
    /// compressed inputs of more than 64 MiB. Depends on nothing but the inputs once
    /// [`Capture::is_settled`].
    pub fn settled_size(&self) -> Option<u64> {
        if self.is_live() {
            return None;
        }
        self.sources()
            .map(|source| source.settled().flatten())
            .sum()
    }

    /// Whether an input is a pipe or is followed, and may go on for as long as its writer likes.
    pub fn is_live(&self) -> bool {
        self.following.is_some() || self.sources().any(Source::is_live)
    }

    /// Whether an input is of the format that can carry secrets.
    pub fn may_carry_secrets(&self) -> bool {
        self.sources()
            .any(|source| source.format() == Format::Pcapng)
    }

    /// Whether packets of several inputs are merged, so that their records are in no order.
    pub fn is_merged(&self) -> bool {
        self.following.is_some() || self.n_sources() != 1
    }

    /// Waits until an input has delivered more, or the time is over.
    pub fn wait(&self, longest: Duration) {
        let filling = self.sources().position(|source| !source.filled().1);
        if let Some(file) = filling {
            self.wait_for(file, longest);
        }
    }

    /// Waits for more of one input. Files that are new are found meanwhile.
    fn wait_for(&self, file: usize, longest: Duration) {
        if let Some(following) = &self.following {
            following.look(self);
        }
        match self.source(file) {
            Some(source) => source.wait(longest),
            // The next file of a rotation has not begun.
            None => thread::sleep(longest),
        }
    }

    fn is_following(&self) -> bool {
        self.following.is_some()
    }

    /// The name that an input gives to a host, as far as it has been walked.
    pub fn host(&self, address: IpAddr) -> Option<String> {
        self.sources().find_map(|source| source.host(address))
    }

    /// Secrets for decryption that the inputs carry, as far as they have been walked.
    pub fn secrets(&self) -> Vec<Secret> {
        self.sources().flat_map(Source::secrets).collect()
    }

    fn sources(&self) -> impl Iterator<Item = &Source> {
        (0..self.n_sources()).filter_map(|file| self.source(file))
    }

    fn source(&self, file: usize) -> Option<&Source> {
        self.sources.get(file)?.get().map(Box::as_ref)
    }

    fn n_sources(&self) -> usize {
        self.n_sources.load(Ordering::Acquire)
    }

    /// When the first packet of an input was captured; `None` for those that are read when nothing
    /// else is left.
    fn first_time(&self, file: usize) -> Option<i64> {
        self.source(file)?.first_time()
    }

    fn trail(&self) -> &Trail {
        &self.trail
    }
}

/// When the first packet of an input was captured. Nobody waits for a pipe.
fn first_time(source: &Source) -> Option<i64> {
    let mut walk = FileWalk::visit();
    loop {
        match walk.next(source) {
            Step::Packet(packet) => return Some(packet.time),
            Step::Pending if source.is_live() => return None,
            Step::Pending => source.wait(FIRST_PACKET),
            Step::End => return None,
        }
    }
}

/// How often it is asked whether the first packet is there.
const FIRST_PACKET: Duration = Duration::from_millis(100);

/// Every input keeps a file open, and hundreds of them are more than shells allow at first.
fn raise_file_limit(n_inputs: usize) {
    #[cfg(unix)]
    if n_inputs > 100 {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // Without it, opening says what is wrong.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                ..limit
            },
        );
    }
    #[cfg(not(unix))]
    let _ = n_inputs;
}
