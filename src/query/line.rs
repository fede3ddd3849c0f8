//! An exchange as a JSON object of the chosen columns.

use super::{
    column::{Column, Source},
    path::Bodies,
};
use crate::{
    render::{ExchangeJson, push_json, push_name},
    session::{Exchange, Index, Session},
};

/// Writes lines of columns; each thread has its own.
#[derive(Clone, Debug)]
pub struct ColumnLine {
    columns: Vec<Column>,
    json: ExchangeJson,
}

impl ColumnLine {
    /// Lines of these columns.
    pub fn new(columns: Vec<Column>) -> ColumnLine {
        ColumnLine {
            columns,
            json: ExchangeJson::default(),
        }
    }

    /// Appends the line of `exchange`, with its end.
    pub fn line(
        &mut self,
        out: &mut Vec<u8>,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        let mut bodies = Bodies::new(session, index, exchange);
        let mut separator = b'{';
        for column in &self.columns {
            out.push(separator);
            separator = b',';
            push_name(out, &column.member);
            match &column.source {
                Source::Path(path) => push_json(out, &path.value(&mut bodies)),
                Source::Field(field) => {
                    self.json.value(out, *field, session, index, exchange);
                }
            }
        }
        out.extend_from_slice(b"}\n");
    }
}
