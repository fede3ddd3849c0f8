//! Exchanges as rows, column by column.

use serde_json::Value as Json;

use super::{
    columns::ParquetColumns,
    leaf::{Leaf, Place},
    shape::Shape,
};
use crate::{
    query::{column::Source, path::Bodies},
    render::{FieldValue, Fields, exchange_problems},
    session::{Exchange, Index, Session},
};

/// Rows in memory; each thread has its own.
#[derive(Clone, Debug)]
pub struct ParquetRows {
    columns: ParquetColumns,
    pub(super) leaves: Vec<Leaf>,
    pub(super) len: usize,
}

const CELL: Place = Place::CELL;

impl ParquetRows {
    pub(super) fn new(columns: ParquetColumns, leaves: Vec<Leaf>) -> ParquetRows {
        ParquetRows {
            columns,
            leaves,
            len: 0,
        }
    }

    /// Appends the row of `exchange`.
    pub fn push(&mut self, session: &Session, index: &Index, exchange: &Exchange) {
        let fields = Fields {
            session,
            index,
            exchange,
        };
        let mut bodies = Bodies::new(session, index, exchange);
        let mut rest = self.leaves.as_mut_slice();
        for column in self.columns.columns.iter() {
            // There are as many as the shapes say.
            let split = rest.split_at_mut_checked(column.shape.n_leaves());
            let Some((leaves, others)) = split else {
                break;
            };
            match &column.source {
                Source::Field(member) => {
                    field(leaves, &column.shape, fields, fields.value(*member), CELL);
                }
                Source::Path(path) => {
                    let json = match column.shape {
                        Shape::List(_) => Json::Array(path.values(&mut bodies)),
                        _ => path.value(&mut bodies),
                    };
                    shred(leaves, &column.shape, &json, CELL);
                }
            }
            rest = others;
        }
        self.len += 1;
    }

    /// Takes over the rows of `other`, which keeps its memory.
    pub(super) fn append(&mut self, other: &mut ParquetRows) {
        for (leaf, more) in self.leaves.iter_mut().zip(&mut other.leaves) {
            leaf.append(more);
        }
        self.len += std::mem::take(&mut other.len);
    }

    /// Bytes that they take.
    pub(super) fn size(&self) -> usize {
        self.leaves.iter().map(Leaf::size).sum()
    }
}

/// Appends a cell, whose levels go on from `place`.
fn field(
    leaves: &mut [Leaf],
    shape: &Shape,
    fields: Fields<'_>,
    value: FieldValue<'_>,
    place: Place,
) {
    let (leaf, others) = match leaves {
        [] => return,
        [first, rest @ ..] => (first, rest),
    };
    match value {
        FieldValue::Null => {
            leaf.null(place);
            others.iter_mut().for_each(|leaf| leaf.null(place));
        }
        FieldValue::Bool(value) => leaf.bool(place, value),
        FieldValue::Int(number) | FieldValue::Millis(number) => leaf.int(place, Some(number)),
        FieldValue::Span(nanos) => leaf.double(place, Some(nanos as f64 / 1e6)),
        // Cut as JSON has them.
        FieldValue::Time(nanos) => leaf.int(place, Some(nanos.div_euclid(1_000))),
        FieldValue::Text(text) => leaf.text(place, Some(&text)),
        FieldValue::Texts(mut texts) => match texts.next() {
            None => leaf.null(place.inside()),
            Some(first) => {
                for (idx, text) in std::iter::once(first).chain(texts).enumerate() {
                    leaf.text(place.element(idx), Some(&text));
                }
            }
        },
        FieldValue::Group(members) => {
            let leaves = std::iter::once(leaf).chain(others);
            for (leaf, member) in leaves.zip(members) {
                // None of them has members of its own.
                let leaf = std::slice::from_mut(leaf);
                field(leaf, shape, fields, fields.value(*member), place.inside());
            }
        }
        FieldValue::Problems(_) => {
            let problems = exchange_problems(fields.session, fields.exchange);
            let problems = problems.unwrap_or_else(|| Json::Array(Vec::new()));
            shred(leaves, shape, &problems, place);
        }
    }
}

/// Takes a value of JSON to pieces, a leaf each.
fn shred(leaves: &mut [Leaf], shape: &Shape, json: &Json, place: Place) {
    match (shape, json) {
        (Shape::List(element), Json::Array(items)) if !items.is_empty() => {
            for (idx, item) in items.iter().enumerate() {
                shred(leaves, element, item, place.element(idx));
            }
        }
        (Shape::List(_), Json::Array(_)) => {
            leaves.iter_mut().for_each(|leaf| leaf.null(place.inside()));
        }
        (Shape::Struct(members), Json::Object(object)) => {
            let mut rest = leaves;
            for (name, member) in members {
                let Some((here, others)) = rest.split_at_mut_checked(member.n_leaves()) else {
                    break;
                };
                let value = object.get(*name).unwrap_or(&Json::Null);
                shred(here, member, value, place.inside());
                rest = others;
            }
        }
        (Shape::List(_) | Shape::Struct(_), _) => {
            leaves.iter_mut().for_each(|leaf| leaf.null(place));
        }
        _ => leaves.iter_mut().for_each(|leaf| leaf.json(place, json)),
    }
}
