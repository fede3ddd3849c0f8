//! A column of Parquet before it is written: values one after the other, with the levels that say
//! which of them are null and where lists begin.

use bytes::Bytes;
use parquet::{
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::Result,
    file::writer::SerializedColumnWriter,
};
use serde_json::Value as Json;

use super::shape::{IN_LIST, InList, Shape};

/// Values with their levels.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    values: Values,
    definitions: Vec<i16>,
    /// Empty for a column that is below no list.
    repetitions: Vec<i16>,
    in_list: InList,
}

#[derive(Clone, Debug)]
enum Values {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Double(Vec<f64>),
    /// All texts in one, and where each of them ends.
    Text(Vec<u8>, Vec<usize>),
}

/// Where in the lists and structs around it a value stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The list that goes on with it, counted from the outermost; 0 for a new row.
    repetition: i16,
    /// Levels around it that are there.
    definition: i16,
    /// Lists around it.
    n_lists: i16,
}

impl Place {
    /// That of a cell as a whole.
    pub(super) const CELL: Place = Place {
        repetition: 0,
        definition: 0,
        n_lists: 0,
    };

    /// Inside of a struct.
    pub(super) fn inside(self) -> Place {
        Place {
            definition: self.definition + 1,
            ..self
        }
    }

    /// At the element number `idx` of a list.
    pub(super) fn element(self, idx: usize) -> Place {
        let n_lists = self.n_lists + 1;
        Place {
            repetition: if idx == 0 { self.repetition } else { n_lists },
            definition: self.definition + IN_LIST,
            n_lists,
        }
    }
}

impl Leaf {
    /// An empty column of values of one kind.
    pub(super) fn new(shape: &Shape, in_list: InList) -> Leaf {
        Leaf {
            values: match shape {
                Shape::Bool => Values::Bool(Vec::new()),
                Shape::Int | Shape::Time => Values::Int(Vec::new()),
                Shape::Double => Values::Double(Vec::new()),
                Shape::Text | Shape::Json | Shape::List(_) | Shape::Struct(_) => {
                    Values::Text(Vec::new(), Vec::new())
                }
            },
            definitions: Vec::new(),
            repetitions: Vec::new(),
            in_list,
        }
    }

    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        let values = match &self.values {
            Values::Bool(values) => values.len(),
            Values::Int(values) => values.len() * 8,
            Values::Double(values) => values.len() * 8,
            Values::Text(text, ends) => text.len() + ends.len() * 8,
        };
        values + 2 * (self.definitions.len() + self.repetitions.len())
    }

    pub(super) fn null(&mut self, place: Place) {
        self.levels(place, place.definition);
    }

    pub(super) fn bool(&mut self, place: Place, value: bool) {
        if let Values::Bool(values) = &mut self.values {
            values.push(value);
            self.levels(place, place.definition + 1);
        }
    }

    pub(super) fn int(&mut self, place: Place, value: Option<i64>) {
        match (&mut self.values, value) {
            (Values::Int(values), Some(value)) => {
                values.push(value);
                self.levels(place, place.definition + 1);
            }
            _ => self.null(place),
        }
    }

    pub(super) fn double(&mut self, place: Place, value: Option<f64>) {
        match (&mut self.values, value) {
            (Values::Double(values), Some(value)) => {
                values.push(value);
                self.levels(place, place.definition + 1);
            }
            _ => self.null(place),
        }
    }

    pub(super) fn text(&mut self, place: Place, value: Option<&str>) {
        match (&mut self.values, value) {
            (Values::Text(text, ends), Some(value)) => {
                text.extend_from_slice(value.as_bytes());
                ends.push(text.len());
                self.levels(place, place.definition + 1);
            }
            _ => self.null(place),
        }
    }

    /// A value of JSON, as far as it is of the kind of this column; else it is null.
    pub(super) fn json(&mut self, place: Place, json: &Json) {
        match (&self.values, json) {
            (_, Json::Null) => self.null(place),
            (Values::Text(..), Json::String(text)) => self.text(place, Some(text)),
            (Values::Text(..), json) => self.text(place, Some(&json.to_string())),
            (Values::Int(_), json) => self.int(place, json.as_i64()),
            (Values::Double(_), json) => self.double(place, json.as_f64()),
            (Values::Bool(_), Json::Bool(value)) => self.bool(place, *value),
            (Values::Bool(_), _) => self.null(place),
        }
    }

    fn levels(&mut self, place: Place, definition: i16) {
        self.definitions.push(definition);
        if self.in_list == InList::Yes {
            self.repetitions.push(place.repetition);
        }
    }

    /// Takes over what `other` has, which keeps its memory.
    pub(super) fn append(&mut self, other: &mut Leaf) {
        self.definitions.append(&mut other.definitions);
        self.repetitions.append(&mut other.repetitions);
        match (&mut self.values, &mut other.values) {
            (Values::Bool(all), Values::Bool(more)) => all.append(more),
            (Values::Int(all), Values::Int(more)) => all.append(more),
            (Values::Double(all), Values::Double(more)) => all.append(more),
            (Values::Text(all, ends), Values::Text(more, more_ends)) => {
                let before = all.len();
                all.append(more);
                ends.extend(more_ends.drain(..).map(|end| before + end));
            }
            // Leaves of the same columns are of the same kind.
            _ => {}
        }
    }

    /// Writes it as the column of a row group, and is empty afterwards.
    pub(super) fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let definitions = Some(self.definitions.as_slice());
        let repetitions = match self.in_list {
            InList::No => None,
            InList::Yes => Some(self.repetitions.as_slice()),
        };
        match &mut self.values {
            Values::Bool(values) => {
                let column = column.typed::<BoolType>();
                column.write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Int(values) => {
                let column = column.typed::<Int64Type>();
                column.write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Double(values) => {
                let column = column.typed::<DoubleType>();
                column.write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Text(text, ends) => {
                let text = Bytes::from(std::mem::take(text));
                let mut from = 0;
                let texts: Vec<ByteArray> = ends
                    .drain(..)
                    .map(|end| ByteArray::from(text.slice(std::mem::replace(&mut from, end)..end)))
                    .collect();
                let column = column.typed::<ByteArrayType>();
                column.write_batch(&texts, definitions, repetitions)?;
            }
        }
        self.definitions.clear();
        self.repetitions.clear();
        Ok(())
    }
}
