//! What a body is about, found in one pass over bytes that are beyond doubt.
//!
//! A list of a million messages wants a few fields of each: topics, errors, records. This walks a
//! plan as `measure` does and tells of nothing else. It is stricter than the decoder: wherever that
//! would have anything to say, there is no answer here, and the caller decodes.

use uuid::Uuid;

use super::{FieldPlan, Plan, StructPlan, TypePlan};
use crate::event::Role;
use crate::wire::{BufferId, Cursor, Pieces};

/// Takes what a survey finds, in the order of the bytes.
pub trait Surveyor {
    /// A struct or an array begins or ends.
    fn boundary(&mut self);
    /// The name of a topic.
    fn topic(&mut self, name: &str);
    /// The id of a topic.
    fn topic_id(&mut self, id: Uuid);
    /// The id of a node.
    fn node(&mut self, node: i32);
    /// The host that the node named last listens on.
    fn host(&mut self, host: &str);
    /// Its port.
    fn port(&mut self, port: i64);
    /// An error code, zero included.
    fn error(&mut self, code: i16);
    /// How long a client is held back for exceeding a quota, in milliseconds; zero included.
    fn throttle(&mut self, ms: i32);
    /// The bytes of a field of records.
    fn records(&mut self, bytes: &[u8]);
    /// The same where they lie in several pieces; `None` if they have to be put together.
    fn records_in_pieces(&mut self, pieces: Pieces<'_>) -> Option<()>;
}

/// Where a survey reads: bytes that lie together, or in pieces.
trait Source {
    /// Number of bytes that are left.
    fn left(&self) -> usize;

    /// The next `len` bytes.
    fn take(&mut self, len: usize) -> Option<&[u8]>;

    /// Passes `len` bytes.
    fn skip(&mut self, len: usize) -> Option<()>;

    /// The next bytes, as many as an array has.
    fn array<const N: usize>(&mut self) -> Option<[u8; N]>;

    fn uvarint(&mut self) -> Option<u32>;

    /// Tells of the next `len` bytes as records.
    fn records(&mut self, len: usize, to: &mut impl Surveyor) -> Option<()>;
}

impl Source for Cursor<'_> {
    fn left(&self) -> usize {
        Cursor::left(self)
    }

    fn take(&mut self, len: usize) -> Option<&[u8]> {
        Cursor::take(self, len).ok()
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        Cursor::take(self, len).ok().map(drop)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        Cursor::array(self).ok()
    }

    fn uvarint(&mut self) -> Option<u32> {
        Cursor::uvarint(self).ok()
    }

    fn records(&mut self, len: usize, to: &mut impl Surveyor) -> Option<()> {
        to.records(Cursor::take(self, len).ok()?);
        Some(())
    }
}

/// Pieces, with room for what goes from one over into the next.
struct InPieces<'p> {
    pieces: Pieces<'p>,
    scratch: Vec<u8>,
}

/// What is longer and does not lie together is left to those who put it together.
const MAX_SCRATCH: usize = 1 << 16;

impl Source for InPieces<'_> {
    fn left(&self) -> usize {
        self.pieces.len()
    }

    fn take(&mut self, len: usize) -> Option<&[u8]> {
        let taken = self.pieces.take(len)?;
        if let Some(bytes) = taken.together() {
            return Some(bytes);
        }
        if len > MAX_SCRATCH {
            return None;
        }
        self.scratch.clear();
        self.scratch.extend(taken.slices().flatten());
        Some(&self.scratch)
    }

    fn skip(&mut self, len: usize) -> Option<()> {
        self.pieces.take(len).map(drop)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.pieces.array()
    }

    fn uvarint(&mut self) -> Option<u32> {
        self.pieces.uvarint()
    }

    fn records(&mut self, len: usize, to: &mut impl Surveyor) -> Option<()> {
        let taken = self.pieces.take(len)?;
        match taken.together() {
            Some(bytes) => to.records(bytes),
            None => to.records_in_pieces(taken)?,
        }
        Some(())
    }
}

impl Plan {
    /// Surveys a body of this version that takes exactly all of `bytes`. `None` where anything is
    /// unusual about it; what `to` was told until then is void.
    pub fn survey(&self, bytes: &[u8], to: &mut impl Surveyor) -> Option<()> {
        self.survey_all(&mut Cursor::new(bytes, BufferId::FRAME), to)
    }

    /// The same of a body in pieces. `None` also where it has to be put together.
    pub fn survey_in_pieces(&self, pieces: Pieces<'_>, to: &mut impl Surveyor) -> Option<()> {
        let mut source = InPieces {
            pieces,
            scratch: Vec::new(),
        };
        self.survey_all(&mut source, to)
    }

    fn survey_all(&self, source: &mut impl Source, to: &mut impl Surveyor) -> Option<()> {
        self.body.survey(source, to)?;
        (source.left() == 0).then_some(())
    }
}

/// What a survey does with the fields of a struct, one after the other: most are numbers, of which
/// it wants few.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Passes so many bytes that may be any.
    Skip(usize),
    /// Tells of a value of so many bytes that may be any.
    Tell(Told, usize),
    /// Looks at the field of this number.
    Field(usize),
}

/// What a value of fixed size is told as.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told {
    Error,
    TopicId,
    Throttle,
    Node,
    Port,
}

impl Told {
    /// As what a value of this role is told, if it is.
    fn of(role: Role) -> Option<Told> {
        Some(match role {
            Role::ErrorCode => Told::Error,
            Role::TopicId => Told::TopicId,
            Role::Throttle => Told::Throttle,
            Role::BrokerId => Told::Node,
            Role::Port => Told::Port,
            _ => return None,
        })
    }

    fn tell(self, bytes: &[u8], to: &mut impl Surveyor) -> Option<()> {
        match self {
            Told::Error => to.error(i16::from_be_bytes(*bytes.first_chunk()?)),
            Told::TopicId => to.topic_id(Uuid::from_bytes(*bytes.first_chunk()?)),
            Told::Throttle => to.throttle(i32::from_be_bytes(*bytes.first_chunk()?)),
            Told::Node => to.node(i32::from_be_bytes(*bytes.first_chunk()?)),
            Told::Port => to.port(match *bytes {
                [a, b, c, d] => i32::from_be_bytes([a, b, c, d]).into(),
                [a, b] => u16::from_be_bytes([a, b]).into(),
                _ => return None,
            }),
        }
        Some(())
    }
}

/// The steps for these fields.
pub(super) fn steps(fields: &[FieldPlan]) -> Box<[Step]> {
    let mut steps = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        let step = match (field.fixed_size(), Told::of(field.node.role)) {
            (None, _) => Step::Field(number),
            (Some(size), Some(told)) => Step::Tell(told, size),
            (Some(size), None) => match steps.last_mut() {
                Some(Step::Skip(sum)) => {
                    *sum += size;
                    continue;
                }
                _ => Step::Skip(size),
            },
        };
        steps.push(step);
    }
    steps.into()
}

impl StructPlan {
    fn survey(&self, source: &mut impl Source, to: &mut impl Surveyor) -> Option<()> {
        for step in &self.steps {
            match *step {
                Step::Skip(size) => source.skip(size)?,
                Step::Tell(told, size) => told.tell(source.take(size)?, to)?,
                Step::Field(number) => self.fields.get(number)?.survey(source, to)?,
            }
        }
        if !self.flexible {
            return Some(());
        }
        let mut lowest = 0;
        for _ in 0..source.uvarint()? {
            let tag = source.uvarint()?;
            if tag < lowest {
                return None;
            }
            lowest = tag.saturating_add(1);
            let size = source.uvarint()? as usize;
            let behind = source.left().checked_sub(size)?;
            to.boundary();
            match self.tagged.iter().find(|&&(known, _)| known == tag) {
                Some((_, field)) => field.survey(source, to)?,
                None => source.skip(size)?,
            }
            if source.left() != behind {
                return None;
            }
        }
        Some(())
    }
}

impl FieldPlan {
    fn survey(&self, source: &mut impl Source, to: &mut impl Surveyor) -> Option<()> {
        match &self.ty {
            TypePlan::Bool => (source.array()? <= [1]).then_some(()),
            TypePlan::String => {
                let length = if self.compact {
                    compact_length(source)?
                } else {
                    i16::from_be_bytes(source.array()?).into()
                };
                let Some(length) = self.nullable_length(length)? else {
                    return Some(());
                };
                let bytes = source.take(length)?;
                match self.node.role {
                    Role::TopicName => to.topic(std::str::from_utf8(bytes).ok()?),
                    Role::Host => to.host(std::str::from_utf8(bytes).ok()?),
                    // What most names are takes a fraction of the time to tell.
                    _ if bytes.is_ascii() => {}
                    _ => drop(std::str::from_utf8(bytes).ok()?),
                }
                Some(())
            }
            TypePlan::Struct(structure) => {
                if self.nullable {
                    match source.array()? {
                        [0xff] => return Some(()),
                        [1] => {}
                        _ => return None,
                    }
                }
                to.boundary();
                structure.survey(source, to)?;
                to.boundary();
                Some(())
            }
            TypePlan::Array(element) => {
                let length = self.survey_length(source)?;
                to.boundary();
                let Some(count) = self.nullable_length(length)? else {
                    return Some(());
                };
                if let Some(size) = element.fixed_size() {
                    // Numbers and ids in rows have no role that matters.
                    return source.skip(count.checked_mul(size)?);
                }
                if element.takes_nothing() || count > source.left() {
                    return (count == 0).then_some(());
                }
                for _ in 0..count {
                    element.survey(source, to)?;
                }
                to.boundary();
                Some(())
            }
            TypePlan::Bytes | TypePlan::Records => {
                let length = self.survey_length(source)?;
                match self.nullable_length(length)? {
                    Some(length) if matches!(self.ty, TypePlan::Records) => {
                        source.records(length, to)
                    }
                    Some(length) => source.skip(length),
                    None => Some(()),
                }
            }
            // A number or an id, outside of the steps of a struct.
            _ => {
                let bytes = source.take(self.fixed_size()?)?;
                match Told::of(self.node.role) {
                    Some(told) => told.tell(bytes, to),
                    None => Some(()),
                }
            }
        }
    }

    /// The length in front of an array, bytes or records.
    fn survey_length(&self, source: &mut impl Source) -> Option<i64> {
        match self.compact {
            true => compact_length(source),
            false => Some(i32::from_be_bytes(source.array()?).into()),
        }
    }

    /// Size of a value that may have any bytes.
    fn fixed_size(&self) -> Option<usize> {
        Some(match self.ty {
            TypePlan::Int8 => 1,
            TypePlan::Int16 | TypePlan::Uint16 => 2,
            TypePlan::Int32 | TypePlan::Uint32 => 4,
            TypePlan::Int64 | TypePlan::Float64 => 8,
            TypePlan::Uuid => 16,
            _ => return None,
        })
    }

    /// The length, or that it is null where it may be.
    fn nullable_length(&self, length: i64) -> Option<Option<usize>> {
        match usize::try_from(length) {
            Ok(length) => Some(Some(length)),
            Err(_) if length == -1 && self.nullable => Some(None),
            Err(_) => None,
        }
    }
}

fn compact_length(source: &mut impl Source) -> Option<i64> {
    Some(i64::from(source.uvarint()?) - 1)
}
