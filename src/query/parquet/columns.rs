//! The columns of a Parquet file: those that were chosen, or all that the contract has.

use std::sync::Arc;

use parquet::{
    errors::Result,
    schema::types::{Type, TypePtr},
};

use super::shape::{InList, Shape};
use super::{leaf::Leaf, rows::ParquetRows};
use crate::{
    query::{
        Mistake,
        column::{Column, Source, columns_from},
    },
    render::{ExchangeField as F, FieldType, Standing},
};

/// Columns with what their cells are.
#[derive(Clone, Debug)]
pub struct ParquetColumns {
    pub(super) columns: Arc<[ParquetColumn]>,
}

#[derive(Clone, Debug)]
pub(super) struct ParquetColumn {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) source: Source,
}

/// What a file has without being asked for: a line of JSON with all that may be in it, besides the
/// word that each begins with, and with the time that sorts all of them and the sum of both sizes.
fn usual() -> Vec<Column> {
    let is_usual = |field: &F| match field.standing() {
        Standing::Line | Standing::Sometimes => *field != F::Type,
        Standing::Inside | Standing::Asked => matches!(field, F::Time | F::Bytes),
    };
    let fields = F::ALL.iter().copied().filter(is_usual);
    fields.map(Column::of).collect()
}

impl ParquetColumns {
    /// Those of a list as `list` takes it, or the usual ones.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn new(list: Option<&str>) -> std::result::Result<ParquetColumns, Mistake> {
        let chosen = match list {
            Some(list) => columns_from(list, usual)?,
            None => usual(),
        };
        let columns = chosen.into_iter().map(|column| ParquetColumn {
            shape: match &column.source {
                Source::Field(field) => Shape::of(field.ty()),
                Source::Path(path) => Shape::of_path(path),
            },
            name: column.member,
            source: column.source,
        });
        Ok(ParquetColumns {
            columns: columns.collect(),
        })
    }

    /// Whether all messages are decoded for it, which makes rows of any size.
    pub fn decodes(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| matches!(column.source, Source::Path(_)))
    }

    /// Rows of these columns, none yet.
    pub fn rows(&self) -> ParquetRows {
        let mut leaves = Vec::new();
        for column in self.columns.iter() {
            column.shape.leaves(InList::No, &mut |shape, in_list| {
                leaves.push(Leaf::new(shape, in_list));
            });
        }
        ParquetRows::new(self.clone(), leaves)
    }

    /// The paths of columns whose numbers rise from row to row, by little: as differences they take
    /// a fraction of the room, and a dictionary of them would be as long as they are.
    pub(super) fn rising(&self) -> Vec<Vec<String>> {
        let mut rising = Vec::new();
        for ParquetColumn { name, source, .. } in self.columns.iter() {
            let Source::Field(field) = source else {
                continue;
            };
            if rises(*field) {
                rising.push(vec![name.clone()]);
            }
            let members = field.ty().members().iter();
            let members = members.filter(|member| rises(**member));
            rising.extend(members.map(|member| vec![name.clone(), member.part().to_owned()]));
        }
        rising
    }

    pub(super) fn schema(&self) -> Result<TypePtr> {
        let columns = self.columns.iter();
        let fields = columns.map(|column| column.shape.schema(&column.name));
        let schema = Type::group_type_builder("exchanges")
            .with_fields(fields.collect::<Result<_>>()?)
            .build()?;
        Ok(schema.into())
    }
}

/// Whether the numbers of a member rise from row to row, by little.
fn rises(field: F) -> bool {
    let counts = [
        F::N,
        F::CorrelationId,
        F::Packet,
        F::RequestPacket,
        F::ResponsePacket,
    ];
    field.ty() == FieldType::Time || counts.contains(&field)
}
