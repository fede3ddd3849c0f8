//! Reading the fixed fields at the front of batches and messages.

use crate::{
    event::{Meaning, Node, Role, Section, Shape, Sink, Stop, Value, Walker},
    wire::{Cursor, Fault},
};

/// A fixed field: how outputs are told of it.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub name: &'static str,
    pub ty: &'static str,
    pub section: Section,
    pub meaning: Meaning,
    pub about: &'static str,
}

impl Field {
    /// The leaf of this field, with what its value is for.
    pub(super) const fn node(self, role: Role) -> Node {
        Node {
            name: self.name,
            index: None,
            shape: Shape::Leaf { ty: self.ty },
            role,
            section: self.section,
            meaning: self.meaning,
            about: self.about,
        }
    }

    /// Reads the field. It is cut off only in batches that are known to be cut, which their
    /// reader has said already; so a fault here is not reported again.
    #[inline]
    pub(super) fn read<'a, S: Sink, T: Copy>(
        self,
        walker: &mut Walker<'_, S>,
        cursor: &mut Cursor<'a>,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Fault>,
        describe: impl FnOnce(T) -> (Role, Value<'a>),
    ) -> Result<T, Stop> {
        let from = cursor.at();
        let value = read(cursor).map_err(|_| Stop)?;
        let (role, described) = describe(value);
        walker.value(&self.node(role), described, cursor.since(from));
        Ok(value)
    }
}

/// A compound of records: a batch, a record, a header.
pub(super) fn compound(
    name: &'static str,
    index: u32,
    role: Role,
    section: Section,
    about: &'static str,
) -> Node {
    Node {
        name,
        index: Some(index),
        shape: Shape::Struct {
            ty: name,
            present: true,
        },
        role,
        section,
        meaning: Meaning::Plain,
        about,
    }
}
