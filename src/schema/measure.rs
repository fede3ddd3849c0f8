//! Finding where a structure ends without telling anyone what is in it.
//!
//! This is the judge of recognition and resynchronisation: bytes that a plan consumes exactly are
//! very likely what the plan describes. It follows the same rules as the decoder and stops at the
//! first byte that cannot be right.

use super::{FieldPlan, Plan, StructPlan, TypePlan};
use crate::wire::{BufferId, Cursor};

impl Plan {
    /// Whether a body of this version takes exactly all of `bytes`.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        self.measure(&mut cursor).is_some() && cursor.left() == 0
    }

    /// Moves `cursor` behind a body of this version; `None` where one cannot be.
    pub fn measure(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        self.body.measure(cursor)
    }
}

impl StructPlan {
    /// Moves `cursor` behind the struct.
    pub fn measure(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        for field in &self.fields {
            field.measure(cursor)?;
        }
        if self.flexible {
            self.measure_tagged_fields(cursor)?;
        }
        Some(())
    }

    /// The number of leading fields that take exactly all of `bytes`, where the last ones are not
    /// there: not all writers of a structure know them. Structs with tagged fields are never short.
    pub fn short(&self, bytes: &[u8]) -> Option<usize> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        for (n_read, field) in self.fields.iter().enumerate() {
            if cursor.left() == 0 && n_read > 0 {
                return (!self.flexible).then_some(n_read);
            }
            field.measure(&mut cursor)?;
        }
        None
    }

    fn measure_tagged_fields(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        let mut lowest = 0;
        for _ in 0..cursor.uvarint().ok()? {
            let tag = cursor.uvarint().ok()?;
            if tag < lowest {
                return None;
            }
            lowest = tag.saturating_add(1);
            let size = cursor.uvarint().ok()?;
            let mut content = cursor.window(size as usize).ok()?;
            if let Some((_, field)) = self.tagged.iter().find(|&&(known, _)| known == tag) {
                field.measure(&mut content)?;
                if content.left() > 0 {
                    return None;
                }
            }
        }
        Some(())
    }
}

impl FieldPlan {
    fn measure(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        let fixed = match &self.ty {
            TypePlan::Bool | TypePlan::Int8 => 1,
            TypePlan::Int16 | TypePlan::Uint16 => 2,
            TypePlan::Int32 | TypePlan::Uint32 => 4,
            TypePlan::Int64 | TypePlan::Float64 => 8,
            TypePlan::Uuid => 16,
            TypePlan::String => {
                let length = if self.compact {
                    compact_length(cursor)?
                } else {
                    i64::from(cursor.i16().ok()?)
                };
                self.length(length)?
            }
            TypePlan::Bytes | TypePlan::Records => {
                let length = self.int32_length(cursor)?;
                self.length(length)?
            }
            TypePlan::Struct(structure) => {
                if self.nullable {
                    match cursor.i8().ok()? {
                        -1 => return Some(()),
                        1 => {}
                        _ => return None,
                    }
                }
                return structure.measure(cursor);
            }
            TypePlan::Array(element) => {
                let length = self.int32_length(cursor)?;
                let count = self.length(length)?;
                // Every element takes at least a byte, save for those of structs without fields.
                if count > cursor.left() && !element.takes_nothing() {
                    return None;
                }
                for _ in 0..count {
                    if element.takes_nothing() {
                        break;
                    }
                    element.measure(cursor)?;
                }
                return Some(());
            }
        };
        cursor.take(fixed).ok().map(|_| ())
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

    pub(super) fn int32_length(&self, cursor: &mut Cursor<'_>) -> Option<i64> {
        if self.compact {
            compact_length(cursor)
        } else {
            cursor.i32().ok().map(i64::from)
        }
    }

    fn length(&self, length: i64) -> Option<usize> {
        match usize::try_from(length) {
            Ok(length) => Some(length),
            Err(_) if length == -1 && self.nullable => Some(0),
            Err(_) => None,
        }
    }
}

pub(super) fn compact_length(cursor: &mut Cursor<'_>) -> Option<i64> {
    cursor.uvarint().ok().map(|length| i64::from(length) - 1)
}

#[cfg(test)]
mod tests {
    use crate::schema::{ApiKey, Catalogue, Direction};

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
