//! What the cells of a column are, and how Parquet has that.
//!
//! Everything may be null, which costs nothing where nothing is. Lists have the three levels that
//! the format prescribes: the list, its repetition, the element.

use parquet::{
    basic::{LogicalType, Repetition, TimeUnit, Type as Physical},
    errors::Result,
    schema::types::{Type, TypePtr},
};

use crate::query::{path::Path, ty::Ty};
use crate::render::{FieldType, PROBLEM};

/// What values are.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Bool,
    Int,
    Double,
    /// Microseconds since 1970.
    Time,
    Text,
    /// Anything, as the text of its JSON.
    Json,
    List(Box<Shape>),
    Struct(Vec<(&'static str, Shape)>),
}

/// Definition levels of a list: it is there, it has an element.
pub(super) const IN_LIST: i16 = 2;

impl Shape {
    /// That of a member of the contract.
    pub(super) fn of(ty: FieldType) -> Shape {
        match ty {
            FieldType::Bool => Shape::Bool,
            FieldType::Int | FieldType::Millis => Shape::Int,
            FieldType::Span => Shape::Double,
            FieldType::Time => Shape::Time,
            FieldType::Text => Shape::Text,
            FieldType::Texts => list(Shape::Text),
            FieldType::Group(_) | FieldType::Message(_) => {
                let members = ty.members().iter();
                let members = members.map(|member| (member.part(), Shape::of(member.ty())));
                Shape::Struct(members.collect())
            }
            FieldType::Problems => {
                let members = PROBLEM.map(|(name, ty)| (name, Shape::of(ty)));
                list(Shape::Struct(members.to_vec()))
            }
        }
    }

    /// That of what a path leads to.
    pub(super) fn of_path(path: &Path) -> Shape {
        let one = match path.ty {
            Ty::Bool => Shape::Bool,
            Ty::Int => Shape::Int,
            Ty::Double => Shape::Double,
            Ty::Text => Shape::Text,
            _ => Shape::Json,
        };
        match path.is_list || path.is_in_both {
            true => list(one),
            false => one,
        }
    }

    /// Number of columns that Parquet makes of it.
    pub(super) fn n_leaves(&self) -> usize {
        match self {
            Shape::List(element) => element.n_leaves(),
            Shape::Struct(members) => members.iter().map(|(_, shape)| shape.n_leaves()).sum(),
            _ => 1,
        }
    }

    /// Calls `see` with each of these columns, and whether it is below a list.
    pub(super) fn leaves(&self, in_list: InList, see: &mut impl FnMut(&Shape, InList)) {
        match self {
            Shape::List(element) => element.leaves(InList::Yes, see),
            Shape::Struct(members) => {
                members
                    .iter()
                    .for_each(|(_, shape)| shape.leaves(in_list, see));
            }
            leaf => see(leaf, in_list),
        }
    }

    /// The type in the schema of a file.
    pub(super) fn schema(&self, name: &str) -> Result<TypePtr> {
        let leaf = |physical, logical| {
            Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical)
                .build()
        };
        let group = |repetition, logical, fields| {
            Type::group_type_builder(name)
                .with_repetition(repetition)
                .with_logical_type(logical)
                .with_fields(fields)
                .build()
        };
        let ty = match self {
            Shape::Bool => leaf(Physical::BOOLEAN, None),
            Shape::Int => leaf(Physical::INT64, None),
            Shape::Double => leaf(Physical::DOUBLE, None),
            // In UTC. Readers of nanoseconds are few, and JSON has no more digits either.
            Shape::Time => leaf(
                Physical::INT64,
                Some(LogicalType::timestamp(true, TimeUnit::MICROS)),
            ),
            // Some readers know no JSON, and to others this is text of their own.
            Shape::Text | Shape::Json => leaf(Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Shape::List(element) => {
                let repeated = Type::group_type_builder("list")
                    .with_repetition(Repetition::REPEATED)
                    .with_fields(vec![element.schema("element")?])
                    .build()?;
                group(
                    Repetition::OPTIONAL,
                    Some(LogicalType::List),
                    vec![repeated.into()],
                )
            }
            Shape::Struct(members) => {
                let members = members.iter().map(|(name, shape)| shape.schema(name));
                group(Repetition::OPTIONAL, None, members.collect::<Result<_>>()?)
            }
        };
        Ok(ty?.into())
    }
}

/// Whether a column is below a list, and so has repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InList {
    No,
    Yes,
}

fn list(element: Shape) -> Shape {
    Shape::List(Box::new(element))
}
