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
    render::ExchangeField as F,
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
/// word that each begins with, and the time that sorts all of them.
const USUAL: &[F] = &[
    F::N,
    F::Time,
    F::Connection,
    F::Client,
    F::Server,
    F::Kind,
    F::ApiKey,
    F::Api,
    F::Version,
    F::CorrelationId,
    F::Status,
    F::ClientId,
    F::Topics,
    F::TopicsCut,
    F::Records,
    F::Bytes,
    F::Request,
    F::Response,
    F::LatencyMs,
    F::LatencyLastMs,
    F::ThrottleMs,
    F::LatencyNetMs,
    F::Errors,
    F::Problems,
    F::Tls,
    F::ClientHost,
    F::ServerHost,
];

impl ParquetColumns {
    /// Those of a list as `list` takes it, or the usual ones. A column that is named twice is there
    /// once, as no reader can tell two of one name apart.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn new(list: Option<&str>) -> std::result::Result<ParquetColumns, Mistake> {
        let usual = || Column::of_fields(USUAL);
        let chosen = match list {
            Some(list) => columns_from(list, usual)?,
            None => usual(),
        };
        let mut columns: Vec<ParquetColumn> = Vec::new();
        for column in chosen {
            if columns.iter().any(|other| other.name == column.member) {
                continue;
            }
            columns.push(ParquetColumn {
                shape: match &column.source {
                    Source::Field(field) => Shape::of_field(*field),
                    Source::Path(path) => Shape::of_path(path),
                },
                name: column.member,
                source: column.source,
            });
        }
        Ok(ParquetColumns {
            columns: columns.into(),
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
            match field {
                F::N
                | F::CorrelationId
                | F::Time
                | F::Packet
                | F::RequestTime
                | F::RequestPacket
                | F::ResponseTime
                | F::ResponsePacket => rising.push(vec![name.clone()]),
                F::Request | F::Response => {
                    rising.extend(["time", "packet"].map(|part| vec![name.clone(), part.into()]));
                }
                _ => {}
            }
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
