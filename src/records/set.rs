//! Batches and message set entries one after another, told apart by their magic byte.

use super::{
    Interpreter,
    checksum::Polynomial,
    header::{Field, compound},
    limits,
    message::Wrapper,
    plausible::{BATCH, LOG_OVERHEAD, MAGIC_AT, MESSAGE_V0, smallest},
};
use crate::{
    event::{
        Code, Meaning, Node, Place, Role, Section, Severity, Sink, Stop, Value, Walker, n_are,
        n_bytes,
    },
    wire::{BufferId, Cursor, Span},
};

/// Where records were found, which decides what is normal there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A response to a fetch: brokers cut the last batch at the size that was asked for.
    Fetch,
    /// A produce request: nothing may be cut, and the producer numbers the records of a batch
    /// without a hole.
    Produce,
    /// A piece of a log: its end may be anywhere.
    Log,
}

/// Reads records and tells a sink of them.
pub struct Reader<'i, S> {
    source: Source,
    interpreter: &'i dyn Interpreter<S>,
}

impl<'i, S: Sink> Reader<'i, S> {
    /// A reader of records from `source`, whose keys and values `interpreter` looks into.
    pub fn new(source: Source, interpreter: &'i dyn Interpreter<S>) -> Reader<'i, S> {
        Reader {
            source,
            interpreter,
        }
    }

    /// Reads the window to its end as batches and message set entries. A sink that skips the
    /// compound around them causes no work at all.
    pub fn read(&self, walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
        if walker.is_quiet() {
            cursor.finish();
            return;
        }
        let set = Set {
            source: self.source,
            interpreter: self.interpreter,
            before: cursor.end(),
            depth: 0,
        };
        set.entries(walker, None, cursor);
    }
}

/// A run of entries: the records themselves, or a compressed set in one of them.
pub(super) struct Set<'i, S> {
    pub source: Source,
    pub interpreter: &'i dyn Interpreter<S>,
    /// Bytes of the message up to the end of its records, which limits are measured by.
    pub before: usize,
    /// Number of compressed entries around.
    pub depth: u32,
}

/// Bytes that an entry takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As many as its size field says.
    Whole(usize),
    /// Fewer than it should have, which is unknown when the size field is cut as well.
    Cut(Option<usize>),
    /// All that are left, for its size field cannot be right.
    Rest,
}

impl Extent {
    /// Of the entry that `bytes` start with.
    pub fn of(bytes: &[u8]) -> Extent {
        Extent::within(bytes, bytes.len())
    }

    /// Of the entry that `bytes` start with, as part of what is `len` bytes long.
    pub(super) fn within(bytes: &[u8], len: usize) -> Extent {
        let Some(size) = size_field(bytes) else {
            return Extent::Cut(None);
        };
        let least = match magic_of(bytes) {
            Some(magic) => smallest(magic).unwrap_or(MAGIC_AT + 1 - LOG_OVERHEAD),
            None => MESSAGE_V0 - LOG_OVERHEAD,
        };
        match usize::try_from(size) {
            Ok(size) if size >= least => match LOG_OVERHEAD + size {
                whole if whole <= len => Extent::Whole(whole),
                whole => Extent::Cut(Some(whole)),
            },
            _ => Extent::Rest,
        }
    }
}

impl<S: Sink> Set<'_, S> {
    /// Reads all of the window. `wrapper` is the compressed message around it.
    pub(super) fn entries(
        &self,
        walker: &mut Walker<'_, S>,
        wrapper: Option<Wrapper>,
        cursor: &mut Cursor<'_>,
    ) {
        let mut magic = wrapper.map_or(2, |wrapper| wrapper.magic);
        for index in 0.. {
            if cursor.left() == 0 || self.is_full(walker, "entries", index, cursor) {
                break;
            }
            if self.source == Source::Log && self.depth == 0 && is_preallocated(cursor.rest()) {
                let message = format!(
                    "preallocated, no batches: {} of zeros up to the end",
                    n_bytes(cursor.left() as u64)
                );
                let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
                let code = Code::Preallocated;
                walker.problem(Severity::Note, code, Place::Here, span, message);
                break;
            }
            // What is cut off after a batch most likely is one of the same kind.
            magic = magic_of(cursor.rest()).unwrap_or(magic);
            if self.entry(walker, index, magic, wrapper, cursor).is_err() {
                break;
            }
        }
        walker.undecoded(cursor, Section::RecordBatch);
    }

    /// Whether decompressed data has given as many nodes as it may; says so when it has.
    pub(super) fn is_full(
        &self,
        walker: &mut Walker<'_, S>,
        what: &str,
        index: u32,
        cursor: &Cursor<'_>,
    ) -> bool {
        let most = limits::NODES + self.before / limits::BYTES_PER_NODE;
        if cursor.buffer() == BufferId::FRAME || walker.spent().nodes < most {
            return false;
        }
        let message = format!(
            "{what} from number {index} on are not shown: the decompressed data of this message \
             has {most} nodes before them"
        );
        let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
        walker.problem(Severity::Warning, Code::Bound, Place::Here, span, message);
        true
    }

    /// One entry. Stops where the next one cannot be found.
    fn entry(
        &self,
        walker: &mut Walker<'_, S>,
        index: u32,
        magic: i8,
        wrapper: Option<Wrapper>,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let extent = Extent::of(cursor.rest());
        let taken = match extent {
            Extent::Whole(len) => len,
            Extent::Cut(_) | Extent::Rest => cursor.left(),
        };
        let (name, role, about) = match magic {
            0 | 1 => ("Message", Role::Message, ""),
            _ => ("RecordBatch", Role::Batch, ""),
        };
        let node: Node = compound(name, index, role, Section::RecordBatch, about);
        let mut window = cursor.window(taken).map_err(|_| Stop)?;
        // What is wrong in an entry stays in it as long as its size says where the next one is.
        let _ = walker.compound(&node, &mut window, |walker, window| {
            if walker.is_quiet() {
                window.finish();
                return Ok(());
            }
            let is_whole = self.check_extent(walker, magic, extent, window);
            let result = match magic {
                0 | 1 => self.message(walker, magic, wrapper, is_whole, window),
                2 => self.batch(walker, is_whole, window),
                _ => unknown(walker, magic, window),
            };
            walker.undecoded(window, Section::RecordBatch);
            result
        });
        match extent {
            Extent::Whole(_) => Ok(()),
            Extent::Cut(_) | Extent::Rest => Err(Stop),
        }
    }

    /// Says what is wrong with the size of an entry. Whether all its bytes are there.
    fn check_extent(
        &self,
        walker: &mut Walker<'_, S>,
        magic: i8,
        extent: Extent,
        window: &Cursor<'_>,
    ) -> bool {
        let (what, field) = match magic {
            0 | 1 => ("message", "message_size"),
            _ => ("batch", "batch_length"),
        };
        let there = window.left();
        let at = window.at();
        let size = Span::new(window.buffer(), at + 8, at + LOG_OVERHEAD.min(there));
        match extent {
            Extent::Whole(_) => true,
            Extent::Rest => {
                let least = smallest(magic).unwrap_or(MESSAGE_V0 - LOG_OVERHEAD);
                let size_field = size_field(window.rest()).unwrap_or_default();
                let message = format!("{field} is {size_field}, a {what} has at least {least}");
                walker.problem(
                    Severity::Error,
                    Code::Inconsistent,
                    Place::Field(field),
                    size,
                    message,
                );
                false
            }
            Extent::Cut(Some(whole)) if magic == 2 && fits_checksum(window.rest()) => {
                let message = format!(
                    "{field} is {}, {} there, and the checksum says that they are all",
                    whole - LOG_OVERHEAD,
                    n_are(there - LOG_OVERHEAD)
                );
                walker.problem(
                    Severity::Error,
                    Code::Inconsistent,
                    Place::Field(field),
                    size,
                    message,
                );
                true
            }
            Extent::Cut(whole) => {
                let of = match whole {
                    Some(whole) => format!("{there} of {}", n_bytes(whole as u64)),
                    None => format!("{}, less than offset and size", n_bytes(there as u64)),
                };
                let (severity, why) = match self.source {
                    _ if self.depth > 0 => (Severity::Error, ""),
                    Source::Fetch => (
                        Severity::Note,
                        "; brokers cut the last one at the size that a fetch asks for",
                    ),
                    Source::Produce => (Severity::Error, ""),
                    Source::Log => (Severity::Warning, ""),
                };
                let message = format!("partial {what}: {of}{why}");
                let span = Span::new(window.buffer(), at, window.end());
                walker.problem(severity, Code::PartialBatch, Place::Here, span, message);
                false
            }
        }
    }
}

/// Whether nothing follows but the zeros that a broker lays out a segment with in advance. No batch
/// is of size 0.
pub fn is_preallocated(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&byte| byte == 0)
}

fn size_field(bytes: &[u8]) -> Option<i32> {
    let size = bytes.get(8..)?.first_chunk()?;
    Some(i32::from_be_bytes(*size))
}

fn magic_of(bytes: &[u8]) -> Option<i8> {
    bytes.get(MAGIC_AT).map(|&magic| magic.cast_signed())
}

/// Whether all of `bytes` is a batch by its checksum, whatever its length field says.
pub fn fits_checksum(bytes: &[u8]) -> bool {
    let stored = bytes
        .get(MAGIC_AT + 1..)
        .and_then(|rest| rest.split_first_chunk());
    bytes.len() >= BATCH
        && stored.is_some_and(|(stored, covered)| {
            Polynomial::Crc32c.of(covered) == u32::from_be_bytes(*stored)
        })
}

/// A batch in a format that is not known: what all formats have in common.
fn unknown<S: Sink>(
    walker: &mut Walker<'_, S>,
    magic: i8,
    window: &mut Cursor<'_>,
) -> Result<(), Stop> {
    let field = |name, ty, about| Field {
        name,
        ty,
        section: Section::RecordBatch,
        meaning: Meaning::Plain,
        about,
    };
    let int32 = |value| (Role::Plain, Value::Int32(value));
    let offset = field("base_offset", "int64", "offset of the first record");
    offset.read(walker, window, Cursor::i64, |absolute| {
        (Role::Offset { absolute }, Value::Int64(absolute))
    })?;
    let length = field("batch_length", "int32", "number of bytes that follow");
    length.read(walker, window, Cursor::i32, int32)?;
    let epoch = field("partition_leader_epoch", "int32", "");
    epoch.read(walker, window, Cursor::i32, int32)?;
    let from = window.at();
    let version = field("magic", "int8", "version of the format");
    version.read(walker, window, Cursor::i8, |value| {
        (Role::Plain, Value::Int8(value))
    })?;
    let message = format!("magic is {magic}; 0, 1 and 2 are known");
    let span = window.since(from);
    Err(walker.error(Code::UnknownVersion, Place::Field("magic"), span, message))
}
