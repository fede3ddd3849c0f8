//! What a body is about, found in one pass over bytes that are beyond doubt.
//!
//! A list of a million messages wants a few fields of each: topics, errors, records. This walks a
//! plan as `measure` does and tells of nothing else. It is stricter than the decoder: wherever that
//! would have anything to say, there is no answer here, and the caller decodes.

use uuid::Uuid;

use super::measure::compact_length;
use super::{FieldPlan, Plan, StructPlan, TypePlan};
use crate::event::Role;
use crate::wire::{BufferId, Cursor};

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
}

impl Plan {
    /// Surveys a body of this version that takes exactly all of `bytes`. `None` where anything is
    /// unusual about it; what `to` was told until then is void.
    pub fn survey(&self, bytes: &[u8], to: &mut impl Surveyor) -> Option<()> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        self.body.survey(&mut cursor, to)?;
        (cursor.left() == 0).then_some(())
    }
}

/// What a survey does with the fields of a struct, one after the other: most are numbers, of which
/// it wants few.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Passes so many bytes that may be any.
    Skip(usize),
    /// Tells of a value of so many bytes that may be any.
    Tell(Role, usize),
    /// Looks at the field of this number.
    Field(usize),
}

/// The steps for these fields.
pub(super) fn steps(fields: &[FieldPlan]) -> Box<[Step]> {
    let mut steps = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        match (field.fixed_size(), steps.last_mut()) {
            (None, _) => steps.push(Step::Field(number)),
            (Some(size), _) if is_told(field.node.role) => {
                steps.push(Step::Tell(field.node.role, size));
            }
            (Some(size), Some(Step::Skip(sum))) => *sum += size,
            (Some(size), _) => steps.push(Step::Skip(size)),
        }
    }
    steps.into()
}

/// Whether a surveyor wants to know a value of fixed size.
fn is_told(role: Role) -> bool {
    matches!(
        role,
        Role::ErrorCode | Role::TopicId | Role::Throttle | Role::BrokerId | Role::Port
    )
}

/// Tells of a value of fixed size.
fn tell(role: Role, bytes: &[u8], to: &mut impl Surveyor) -> Option<()> {
    match role {
        Role::ErrorCode => to.error(i16::from_be_bytes(*bytes.first_chunk()?)),
        Role::TopicId => to.topic_id(Uuid::from_bytes(*bytes.first_chunk()?)),
        Role::Throttle => to.throttle(i32::from_be_bytes(*bytes.first_chunk()?)),
        Role::BrokerId => to.node(i32::from_be_bytes(*bytes.first_chunk()?)),
        Role::Port => to.port(match *bytes {
            [a, b, c, d] => i32::from_be_bytes([a, b, c, d]).into(),
            [a, b] => u16::from_be_bytes([a, b]).into(),
            _ => return None,
        }),
        _ => {}
    }
    Some(())
}

impl StructPlan {
    fn survey(&self, cursor: &mut Cursor<'_>, to: &mut impl Surveyor) -> Option<()> {
        for step in &self.steps {
            match *step {
                Step::Skip(size) => drop(cursor.take(size).ok()?),
                Step::Tell(role, size) => tell(role, cursor.take(size).ok()?, to)?,
                Step::Field(number) => self.fields.get(number)?.survey(cursor, to)?,
            }
        }
        if !self.flexible {
            return Some(());
        }
        let mut lowest = 0;
        for _ in 0..cursor.uvarint().ok()? {
            let tag = cursor.uvarint().ok()?;
            if tag < lowest {
                return None;
            }
            lowest = tag.saturating_add(1);
            let size = cursor.uvarint().ok()?;
            let mut content = cursor.window(size as usize).ok()?;
            to.boundary();
            if let Some((_, field)) = self.tagged.iter().find(|&&(known, _)| known == tag) {
                field.survey(&mut content, to)?;
                if content.left() > 0 {
                    return None;
                }
            }
        }
        Some(())
    }
}

impl FieldPlan {
    fn survey(&self, cursor: &mut Cursor<'_>, to: &mut impl Surveyor) -> Option<()> {
        match &self.ty {
            TypePlan::Bool => (cursor.u8().ok()? <= 1).then_some(()),
            TypePlan::String => {
                let length = if self.compact {
                    compact_length(cursor)?
                } else {
                    i64::from(cursor.i16().ok()?)
                };
                let Some(length) = self.nullable_length(length)? else {
                    return Some(());
                };
                let bytes = cursor.take(length).ok()?;
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
                    match cursor.i8().ok()? {
                        -1 => return Some(()),
                        1 => {}
                        _ => return None,
                    }
                }
                to.boundary();
                structure.survey(cursor, to)?;
                to.boundary();
                Some(())
            }
            TypePlan::Array(element) => {
                let length = self.int32_length(cursor)?;
                to.boundary();
                let Some(count) = self.nullable_length(length)? else {
                    return Some(());
                };
                if let Some(size) = element.fixed_size() {
                    // Numbers and ids in rows have no role that matters.
                    return cursor.take(count.checked_mul(size)?).ok().map(|_| ());
                }
                if element.takes_nothing() || count > cursor.left() {
                    return (count == 0).then_some(());
                }
                for _ in 0..count {
                    element.survey(cursor, to)?;
                }
                to.boundary();
                Some(())
            }
            TypePlan::Bytes | TypePlan::Records => {
                let length = self.int32_length(cursor)?;
                if let Some(length) = self.nullable_length(length)? {
                    let bytes = cursor.take(length).ok()?;
                    if matches!(self.ty, TypePlan::Records) {
                        to.records(bytes);
                    }
                }
                Some(())
            }
            // A number or an id, outside of the steps of a struct.
            _ => tell(self.node.role, cursor.take(self.fixed_size()?).ok()?, to),
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
