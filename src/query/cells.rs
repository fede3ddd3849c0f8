//! An exchange as texts of the chosen columns, for tables of any format.

use super::{
    column::{Column, default_columns},
    path::Bodies,
};
use crate::{
    render::{ExchangeRow, Fields},
    session::{Exchange, Index, Session},
};

/// The columns of a table of exchanges.
#[derive(Clone, Debug)]
pub struct ColumnCells {
    pub(super) columns: Vec<Column>,
    row: ExchangeRow,
}

impl ColumnCells {
    /// Of these columns, or of the usual ones.
    pub fn new(columns: Option<Vec<Column>>) -> ColumnCells {
        ColumnCells {
            columns: columns.unwrap_or_else(default_columns),
            row: ExchangeRow::default(),
        }
    }

    /// What stands above the columns.
    pub fn heads(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|column| column.head.clone())
            .collect()
    }

    /// The texts of `exchange`, safe to show.
    pub fn cells(&mut self, session: &Session, index: &Index, exchange: &Exchange) -> Vec<String> {
        self.row.fill(index, exchange);
        let mut bodies = Bodies::new(session, index, exchange);
        let columns = self.columns.iter();
        let fields = Fields {
            session,
            index,
            exchange,
        };
        columns
            .map(|column| column.text(&self.row, fields, &mut bodies))
            .collect()
    }
}
