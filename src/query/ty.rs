//! What values an expression can meet: the variables, and what can be selected of each.
//!
//! Bodies take their members from the definitions of all messages: a name is known if any version
//! of any message has a field of that name at that place.

use crate::{
    render::{ExchangeField as F, FieldType, PROBLEM, Standing},
    schema::{ApiKey, Catalogue, Definition, Direction, Field, Type},
};

/// A type of values, as far as it is known before anything is read. Any value may be null.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    /// Nobody knows.
    Any,
    Null,
    Bool,
    Int,
    Double,
    Text,
    Bytes,
    Time,
    Duration,
    List(Box<Ty>),
    /// An object of the JSON contract.
    Object(Object),
    /// The bodies of the messages of these directions.
    Bodies(&'static [Direction]),
    /// Structs of definitions, one of which it is.
    Structs(Vec<Struct>),
}

/// The fields of a message or of a struct in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struct {
    definition: &'static Definition,
    fields: &'static [Field],
}

/// Objects whose members do not come from definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Message(Direction),
    /// Members of an exchange that stand together.
    Group(&'static [F]),
    Problem,
    Embedded,
    Batch,
    Record,
    Header,
}

/// The names that an expression can start with, and those of members that objects of them have.
pub fn filter_names() -> impl Iterator<Item = &'static str> {
    let inside = F::ALL.iter().filter(|of| of.standing() == Standing::Inside);
    let variables = variables().into_iter().map(|(name, _)| name);
    variables.chain(inside.map(|field| field.name()))
}

/// All names that an expression can start with, with their types: the members of the contract but for
/// the word that is the same in all lines, and what only expressions have.
pub(super) fn variables() -> Vec<(&'static str, Ty)> {
    let fields = F::ALL.iter().copied();
    let fields = fields.filter(|&of| of.standing() != Standing::Inside && of != F::Type);
    let fields = fields.map(|field| (field.name(), Ty::of(field.ty())));
    fields
        .chain([
            ("error", Ty::Text),
            (
                "body",
                Ty::Bodies(&[Direction::Request, Direction::Response]),
            ),
            ("embedded", list(Ty::Object(Object::Embedded))),
        ])
        .collect()
}

fn list(element: Ty) -> Ty {
    Ty::List(Box::new(element))
}

/// Numbers of record batches and of messages in older sets.
const BATCH: [&str; 17] = [
    "base_offset",
    "batch_length",
    "partition_leader_epoch",
    "magic",
    "crc",
    "computed_crc",
    "attributes",
    "last_offset_delta",
    "base_timestamp",
    "max_timestamp",
    "producer_id",
    "producer_epoch",
    "base_sequence",
    "records_count",
    "offset",
    "message_size",
    "timestamp",
];

impl Object {
    fn members(self) -> Vec<(&'static str, Ty)> {
        let mut members = match self {
            Object::Message(direction) => {
                let mut members = members_of(FieldType::message_members(direction));
                let bodies = Ty::Bodies(match direction {
                    Direction::Request => &[Direction::Request],
                    Direction::Response => &[Direction::Response],
                });
                members.push(("body", bodies));
                members.push(("embedded", list(Ty::Object(Object::Embedded))));
                members
            }
            Object::Group(members) => members_of(members),
            Object::Problem => PROBLEM.map(|(name, ty)| (name, Ty::of(ty))).to_vec(),
            Object::Embedded => vec![
                ("path", Ty::Text),
                ("as", Ty::Text),
                ("version", Ty::Int),
                ("value", Ty::Any),
            ],
            Object::Batch => {
                let numbers = BATCH.iter().map(|&name| (name, Ty::Int));
                let records = [("records", list(Ty::Object(Object::Record)))];
                numbers.chain(records).collect()
            }
            Object::Record => vec![
                ("offset", Ty::Int),
                ("timestamp", Ty::Int),
                ("timestamp_delta", Ty::Int),
                ("key", Ty::Text),
                ("value", Ty::Text),
                ("control", Ty::Text),
                ("attributes", Ty::Int),
                ("headers", list(Ty::Object(Object::Header))),
                ("headers_count", Ty::Int),
            ],
            Object::Header => vec![("key", Ty::Text), ("value", Ty::Text)],
        };
        if matches!(self, Object::Batch | Object::Record) {
            members.push(("_undecoded", Ty::Text));
        }
        members
    }
}

fn members_of(fields: &[F]) -> Vec<(&'static str, Ty)> {
    let members = fields.iter();
    members
        .map(|field| (field.part(), Ty::of(field.ty())))
        .collect()
}

impl Ty {
    /// That of a member of an exchange.
    fn of(ty: FieldType) -> Ty {
        match ty {
            FieldType::Bool => Ty::Bool,
            FieldType::Int | FieldType::Millis => Ty::Int,
            FieldType::Span => Ty::Double,
            FieldType::Time => Ty::Time,
            FieldType::Text => Ty::Text,
            FieldType::Texts => list(Ty::Text),
            FieldType::Message(direction) => Ty::Object(Object::Message(direction)),
            FieldType::Group(members) => Ty::Object(Object::Group(members)),
            FieldType::Problems => list(Ty::Object(Object::Problem)),
        }
    }

    /// The type of a member. `Err` holds the names that there are; it is empty where there are
    /// none at all.
    pub(super) fn select(&self, name: &str) -> Result<Ty, Vec<&'static str>> {
        match self {
            Ty::Any => Ok(Ty::Any),
            Ty::Object(object) => {
                let members = object.members();
                let found = members.iter().find(|(known, _)| *known == name);
                found
                    .map(|(_, ty)| ty.clone())
                    .ok_or_else(|| members.iter().map(|&(known, _)| known).collect())
            }
            Ty::Bodies(directions) => select_field(&bodies(directions), name),
            Ty::Structs(structs) => select_field(structs, name),
            _ => Err(Vec::new()),
        }
    }

    /// What is left of it in the messages of an API; `None` where it is of no message, or of none of
    /// these.
    pub(super) fn of_api(&self, api: ApiKey) -> Option<Ty> {
        let mut structs = match self {
            Ty::Bodies(directions) => bodies(directions),
            Ty::Structs(structs) => structs.clone(),
            _ => return None,
        };
        structs.retain(|of| of.definition.api_key == Some(api.0));
        (!structs.is_empty()).then_some(Ty::Structs(structs))
    }

    /// What the elements are; `None` if there are none.
    pub(super) fn element(&self) -> Option<Ty> {
        match self {
            Ty::Any => Some(Ty::Any),
            Ty::List(element) => Some((**element).clone()),
            // To iterate over an object gives the names of its members.
            Ty::Structs(_) => Some(Ty::Text),
            _ => None,
        }
    }

    /// What a value is that is one or the other.
    pub(super) fn or(self, other: Ty) -> Ty {
        match (self, other) {
            (Ty::Null, ty) | (ty, Ty::Null) => ty,
            (Ty::Int, Ty::Int) => Ty::Int,
            (Ty::Int | Ty::Double, Ty::Int | Ty::Double) => Ty::Double,
            (Ty::List(a), Ty::List(b)) => Ty::List(Box::new(a.or(*b))),
            (Ty::Structs(mut a), Ty::Structs(b)) => {
                a.extend(b);
                Ty::Structs(a)
            }
            (a, b) if a.word() == b.word() => a,
            _ => Ty::Any,
        }
    }

    /// Whether values of the two can be equal, or compared.
    pub(super) fn is_like(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Any | Ty::Null, _) | (_, Ty::Any | Ty::Null) => true,
            (Ty::Int | Ty::Double, Ty::Int | Ty::Double) => true,
            _ => self.word() == other.word(),
        }
    }

    /// What people call it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Ty::Any => "a value",
            Ty::Null => "null",
            Ty::Bool => "true or false",
            Ty::Int => "an integer",
            Ty::Double => "a number",
            Ty::Text => "a text",
            Ty::Bytes => "bytes",
            Ty::Time => "a time",
            Ty::Duration => "a duration",
            Ty::List(_) => "a list",
            Ty::Object(_) | Ty::Bodies(_) | Ty::Structs(_) => "an object",
        }
    }
}

/// The bodies of all messages of these directions.
fn bodies(directions: &[Direction]) -> Vec<Struct> {
    let catalogue = Catalogue::current();
    ApiKey::all()
        .flat_map(|api| directions.iter().map(move |&direction| (api, direction)))
        .filter_map(|(api, direction)| catalogue.api(api, direction))
        .map(|definition| Struct {
            definition,
            fields: &definition.fields,
        })
        .collect()
}

fn select_field(structs: &[Struct], name: &str) -> Result<Ty, Vec<&'static str>> {
    match name {
        "_unknown" => return Ok(Ty::Any),
        "_undecoded" => return Ok(Ty::Text),
        _ => {}
    }
    let fields = structs.iter().flat_map(|known| {
        let fields = known.fields.iter();
        fields.map(move |field| (known.definition, field))
    });
    fields
        .clone()
        .filter(|(_, field)| field.name == name)
        .map(|(definition, field)| value(definition, &field.ty))
        .reduce(Ty::or)
        .ok_or_else(|| fields.map(|(_, field)| field.name.as_str()).collect())
}

/// What JSON makes of a type.
fn value(definition: &'static Definition, ty: &Type) -> Ty {
    match ty {
        Type::Bool => Ty::Bool,
        Type::Int8 | Type::Int16 | Type::Uint16 | Type::Int32 | Type::Uint32 | Type::Int64 => {
            Ty::Int
        }
        Type::Float64 => Ty::Double,
        Type::Uuid | Type::String | Type::Bytes => Ty::Text,
        Type::Records => list(Ty::Object(Object::Batch)),
        Type::Struct(name) => Ty::Structs(vec![Struct {
            definition,
            fields: definition.struct_fields(name).unwrap_or_default(),
        }]),
        Type::Array(element) => list(value(definition, element)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_whatever_message_has_them() {
        let body = Ty::Bodies(&[Direction::Request, Direction::Response]);
        let topics = body.select("Topics").unwrap();
        let topic = topics.element().unwrap();
        assert_eq!(topic.select("Name").unwrap().word(), "a text");
        let names = topic.select("Nmae").unwrap_err();
        assert!(names.contains(&"Name") && names.contains(&"Partitions"));
        assert!(body.select("TimeoutMs").is_ok());
        let response = Ty::Bodies(&[Direction::Response]);
        assert!(response.select("TimeoutMs").is_err());
    }
}
