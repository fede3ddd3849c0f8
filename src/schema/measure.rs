//! Finding where a structure ends without telling anyone what is in it.
//!
//! This is the judge of recognition and resynchronisation: bytes that a plan consumes exactly are
//! very likely what the plan describes. It follows the same rules as the decoder and stops at the
//! first byte that cannot be right.

use super::{FieldPlan, Plan, StructPlan, TypePlan};
use crate::wire::{BufferId, Cursor, Fault};

/// Why bytes are no structure, or not yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// They end before it does.
    Short,
    Wrong,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        match fault {
            Fault::Short { .. } => Stop::Short,
            Fault::LongVarint { .. } => Stop::Wrong,
        }
    }
}

impl Plan {
    /// Whether a body of this version takes exactly all of `bytes`.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        self.measure(&mut cursor).is_some() && cursor.left() == 0
    }

    /// Whether `front` can begin a body of this version of which `n_missing` more bytes follow.
    pub fn begins(&self, front: &[u8], n_missing: usize) -> bool {
        let mut cursor = Cursor::new(front, BufferId::FRAME);
        match self.body.walk(&mut cursor, n_missing) {
            Ok(()) => cursor.left() == 0 && n_missing == 0,
            Err(stop) => stop == Stop::Short && n_missing > 0,
        }
    }

    /// Moves `cursor` behind a body of this version; `None` where one cannot be.
    pub fn measure(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        self.body.measure(cursor)
    }
}

impl StructPlan {
    /// Moves `cursor` behind the struct.
    pub fn measure(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        self.walk(cursor, 0).ok()
    }

    /// The same, where `n_missing` more bytes follow those of the cursor.
    fn walk(&self, cursor: &mut Cursor<'_>, n_missing: usize) -> Result<(), Stop> {
        for field in &self.fields {
            field.walk(cursor, n_missing)?;
        }
        if self.flexible {
            self.walk_tagged_fields(cursor, n_missing)?;
        }
        Ok(())
    }

    /// The number of leading fields that take exactly all of `bytes`, where the last ones are not
    /// there: not all writers of a structure know them. Structs with tagged fields are never short.
    pub fn short(&self, bytes: &[u8]) -> Option<usize> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        for (n_read, field) in self.fields.iter().enumerate() {
            if cursor.left() == 0 && n_read > 0 {
                return (!self.flexible).then_some(n_read);
            }
            field.walk(&mut cursor, 0).ok()?;
        }
        None
    }

    fn walk_tagged_fields(&self, cursor: &mut Cursor<'_>, n_missing: usize) -> Result<(), Stop> {
        let mut lowest = 0;
        for _ in 0..cursor.uvarint()? {
            let tag = cursor.uvarint()?;
            if tag < lowest {
                return Err(Stop::Wrong);
            }
            lowest = tag.saturating_add(1);
            let size = cursor.uvarint()? as usize;
            let short = short(cursor, size, n_missing);
            let mut content = cursor.window(size).map_err(|_| short)?;
            if let Some((_, field)) = self.tagged.iter().find(|&&(known, _)| known == tag) {
                field.walk(&mut content, 0).map_err(|_| Stop::Wrong)?;
                if content.left() > 0 {
                    return Err(Stop::Wrong);
                }
            }
        }
        Ok(())
    }
}

/// What it is if `len` bytes are not left in `cursor`.
fn short(cursor: &Cursor<'_>, len: usize, n_missing: usize) -> Stop {
    match len > cursor.left().saturating_add(n_missing) {
        true => Stop::Wrong,
        false => Stop::Short,
    }
}

impl FieldPlan {
    fn walk(&self, cursor: &mut Cursor<'_>, n_missing: usize) -> Result<(), Stop> {
        let fixed = match &self.ty {
            TypePlan::Bool | TypePlan::Int8 => 1,
            TypePlan::Int16 | TypePlan::Uint16 => 2,
            TypePlan::Int32 | TypePlan::Uint32 => 4,
            TypePlan::Int64 | TypePlan::Float64 => 8,
            TypePlan::Uuid => 16,
            TypePlan::String if !self.compact => self.length(cursor.i16()?.into())?,
            TypePlan::String | TypePlan::Bytes | TypePlan::Records => {
                let length = self.int32_length(cursor)?;
                self.length(length)?
            }
            TypePlan::Struct(structure) => {
                if self.nullable {
                    match cursor.i8()? {
                        -1 => return Ok(()),
                        1 => {}
                        _ => return Err(Stop::Wrong),
                    }
                }
                return structure.walk(cursor, n_missing);
            }
            TypePlan::Array(element) => {
                let length = self.int32_length(cursor)?;
                let count = self.length(length)?;
                // Every element takes at least a byte, save for those of structs without fields.
                if element.takes_nothing() {
                    return Ok(());
                }
                if short(cursor, count, n_missing) == Stop::Wrong {
                    return Err(Stop::Wrong);
                }
                for _ in 0..count {
                    element.walk(cursor, n_missing)?;
                }
                return Ok(());
            }
        };
        let short = short(cursor, fixed, n_missing);
        cursor.take(fixed).map(|_| ()).map_err(|_| short)
    }

    /// Whether values of this type are empty on the wire.
    pub fn takes_nothing(&self) -> bool {
        match &self.ty {
            TypePlan::Struct(structure) => {
                !self.nullable && !structure.flexible && structure.fields.is_empty()
            }
            _ => false,
        }
    }

    pub(super) fn int32_length(&self, cursor: &mut Cursor<'_>) -> Result<i64, Fault> {
        if self.compact {
            compact_length(cursor)
        } else {
            cursor.i32().map(i64::from)
        }
    }

    fn length(&self, length: i64) -> Result<usize, Stop> {
        match usize::try_from(length) {
            Ok(length) => Ok(length),
            Err(_) if length == -1 && self.nullable => Ok(0),
            Err(_) => Err(Stop::Wrong),
        }
    }
}

pub(super) fn compact_length(cursor: &mut Cursor<'_>) -> Result<i64, Fault> {
    cursor.uvarint().map(|length| i64::from(length) - 1)
}

#[cfg(test)]
mod tests {
    use crate::schema::{ApiKey, Catalogue, Direction};

    #[test]
    fn a_front_begins_a_body_that_has_room_for_it() {
        // DeleteGroups: an array of names.
        let plan = Catalogue::current()
            .api_plan(ApiKey(42), Direction::Request, 2)
            .unwrap();
        let body = [3, 4, b'o', b'n', b'e', 4, b't', b'w', b'o', 0];
        for len in 0..body.len() {
            let (front, rest) = body.split_at(len);
            assert!(plan.begins(front, rest.len()), "{len}");
            assert!(!plan.begins(front, 0), "{len}");
        }
        assert!(plan.begins(&body, 0));
        assert!(!plan.begins(&body, 1));
        // Neither a name nor an array is longer than what is left.
        assert!(!plan.begins(&body[..3], 0x01));
        assert!(!plan.begins(&[0x7f], 0x7d));
    }

    #[test]
    fn a_body_fits_only_when_every_byte_is_used() {
        let plan = Catalogue::current()
            .api_plan(ApiKey(42), Direction::Request, 2)
            .unwrap();
        assert!(plan.fits(&[2, 1, 0]));
        assert!(!plan.fits(&[2, 1]));
        assert!(!plan.fits(&[2, 1, 0, 0]));
        assert!(!plan.fits(&[0xff, 0xff, 0xff, 0xff, 0x0f]));
        // An unknown tagged field is read over by its size.
        assert!(plan.fits(&[1, 1, 7, 2, 0xaa, 0xbb]));
        assert!(!plan.fits(&[1, 2, 7, 0, 7, 0]));
    }
}
