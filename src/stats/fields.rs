//! The fields of a message by their names in its definition: for those who know which API they
//! look at and want a few of its fields.
//!
//! What comes in are events; what goes out is a nest of [`Fields`]. Framing, headers, opaque bytes
//! and the records of clients are passed over; of control records, what they mark is kept, and of
//! bytes that hold a structure its fields.

use uuid::Uuid;

use crate::{
    event::{Descend, Node, Problem, Role, Shape, Sink, Value},
    schema::{Catalogue, Direction},
    session::{Exchange, Session},
    wire::{BufferId, Span},
};

/// The fields of one message of an exchange; `None` where the capture does not hold it or nothing
/// says what it is.
pub(super) fn fields(
    session: &Session,
    exchange: &Exchange,
    direction: Direction,
) -> Option<Fields> {
    let mut keeper = Keeper::default();
    session.decode_into(Catalogue::current(), exchange, direction, &mut keeper)?;
    Some(keeper.root)
}

/// The fields of a struct, in the order of the bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields(Vec<(&'static str, Field)>);

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Field {
    Null,
    Flag(bool),
    Int(i64),
    Text(Box<str>),
    Id(Uuid),
    /// Bytes of which there are none; others are not kept.
    NoBytes,
    Struct(Fields),
    Array(Vec<Field>),
}

impl Fields {
    fn get(&self, name: &str) -> Option<&Field> {
        let found = self.0.iter().find(|(field, _)| *field == name);
        found.map(|(_, field)| field)
    }

    /// An integer of any width.
    pub(super) fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Field::Int(int) => Some(*int),
            _ => None,
        }
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Field::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// A text that is not null.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn id(&self, name: &str) -> Option<Uuid> {
        match self.get(name)? {
            Field::Id(id) => Some(*id),
            _ => None,
        }
    }

    /// A struct, or what a bytes field holds.
    pub(super) fn inner(&self, name: &str) -> Option<&Fields> {
        match self.get(name)? {
            Field::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether it is a bytes field without a byte.
    pub(super) fn is_empty(&self, name: &str) -> bool {
        self.get(name) == Some(&Field::NoBytes)
    }

    /// The elements of an array; `None` for one that is null or not there.
    pub(super) fn array(&self, name: &str) -> Option<&[Field]> {
        match self.get(name)? {
            Field::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The structs of an array; none where it is null or not there.
    pub(super) fn rows(&self, name: &str) -> impl Iterator<Item = &Fields> {
        let elements = self.array(name).unwrap_or_default();
        elements.iter().filter_map(|element| match element {
            Field::Struct(fields) => Some(fields),
            _ => None,
        })
    }

    /// The texts of an array.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        let elements = self.array(name).unwrap_or_default();
        elements.iter().filter_map(|element| match element {
            Field::Text(text) => Some(text.as_ref()),
            _ => None,
        })
    }

    /// The integers of an array.
    pub(super) fn ints(&self, name: &str) -> impl Iterator<Item = i64> {
        let elements = self.array(name).unwrap_or_default();
        elements.iter().filter_map(|element| match element {
            Field::Int(int) => Some(*int),
            _ => None,
        })
    }

    /// The structs of that name that stand beside each other, as batches do.
    pub(super) fn siblings(&self, name: &str) -> impl Iterator<Item = &Fields> {
        self.0.iter().filter_map(move |(field, value)| match value {
            Field::Struct(fields) if *field == name => Some(fields),
            _ => None,
        })
    }

    /// Error codes other than zero, each once, however deep they lie.
    pub(super) fn errors(&self) -> Vec<i16> {
        let mut found = Vec::new();
        self.collect_errors(&mut found);
        found
    }

    fn collect_errors(&self, found: &mut Vec<i16>) {
        for (name, field) in &self.0 {
            match field {
                Field::Int(code) if name.ends_with("ErrorCode") => {
                    let code = i16::try_from(*code).unwrap_or_default();
                    if code != 0 && !found.contains(&code) {
                        found.push(code);
                    }
                }
                Field::Struct(fields) => fields.collect_errors(found),
                Field::Array(elements) => {
                    for element in elements {
                        if let Field::Struct(fields) = element {
                            fields.collect_errors(found);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The sink that keeps fields.
#[derive(Debug, Default)]
struct Keeper {
    root: Fields,
    open: Vec<Open>,
}

/// A compound that was entered.
#[derive(Debug)]
enum Open {
    /// Its fields belong to the compound around it.
    Through,
    Struct(&'static str, Fields),
    Array(&'static str, Vec<Field>),
}

impl Keeper {
    fn put(&mut self, name: &'static str, field: Field) {
        let around = self.open.iter_mut().rev();
        let mut around = around.filter(|open| !matches!(open, Open::Through));
        match around.next() {
            Some(Open::Struct(_, fields)) => fields.0.push((name, field)),
            Some(Open::Array(_, elements)) => elements.push(field),
            _ => self.root.0.push((name, field)),
        }
    }

    /// Whether the batch that is being read marks something.
    fn is_control(&self) -> bool {
        const CONTROL: i64 = 0x20;
        self.open.iter().rev().any(|open| match open {
            Open::Struct(_, fields) => fields
                .int("attributes")
                .is_some_and(|attributes| attributes & CONTROL != 0),
            _ => false,
        })
    }
}

impl Sink for Keeper {
    fn enter(&mut self, node: &Node, _: BufferId, _: usize) -> Descend {
        let (open, descend) = match node.shape {
            Shape::Frame | Shape::Header { .. } => (Open::Through, Descend::Skip),
            Shape::Array { of: "Record", .. } if !self.is_control() => {
                (Open::Through, Descend::Skip)
            }
            Shape::Array { len: None, .. } => {
                self.put(node.name, Field::Null);
                (Open::Through, Descend::Skip)
            }
            Shape::Struct { present: false, .. } => {
                self.put(node.name, Field::Null);
                (Open::Through, Descend::Skip)
            }
            _ if node.role == Role::Message => (Open::Through, Descend::Skip),
            Shape::Array { .. } => (Open::Array(node.name, Vec::new()), Descend::Into),
            Shape::Struct { .. } | Shape::Content { .. } => {
                (Open::Struct(node.name, Fields::default()), Descend::Into)
            }
            _ => (Open::Through, Descend::Into),
        };
        self.open.push(open);
        descend
    }

    fn value(&mut self, node: &Node, value: Value<'_>, _: Span) {
        if matches!(
            node.role,
            Role::Length { .. } | Role::Encoding | Role::TaggedCount | Role::Size { .. }
        ) {
            return;
        }
        let field = match value {
            Value::Bool(flag) => Field::Flag(flag),
            Value::Int8(int) => Field::Int(int.into()),
            Value::Int16(int) => Field::Int(int.into()),
            Value::Int32(int) | Value::Varint(int) => Field::Int(int.into()),
            Value::Int64(int) | Value::Varlong(int) => Field::Int(int),
            Value::Uint16(int) => Field::Int(int.into()),
            Value::Uint32(int) | Value::Uvarint(int) => Field::Int(int.into()),
            Value::Uuid(id) => Field::Id(id),
            Value::String(text, _) => Field::Text(String::from_utf8_lossy(text).into()),
            Value::Null(_) => Field::Null,
            Value::Bytes([], ..) => Field::NoBytes,
            Value::Float64(_) | Value::Bytes(..) => return,
        };
        self.put(node.name, field);
    }

    fn leave(&mut self, _: usize) {
        match self.open.pop() {
            Some(Open::Struct(name, fields)) => self.put(name, Field::Struct(fields)),
            Some(Open::Array(name, elements)) => self.put(name, Field::Array(elements)),
            Some(Open::Through) | None => {}
        }
    }

    fn problem(&mut self, _: Problem) {}
}
