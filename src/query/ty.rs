//! What values an expression can meet: the variables, and what can be selected of each.
//!
//! Bodies take their members from the definitions of all messages: a name is known if any version
//! of any message has a field of that name at that place.

use crate::schema::{ApiKey, Catalogue, Definition, Direction, Field, Type};

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
    Request,
    Response,
    Problem,
    Embedded,
    Batch,
    Record,
    Header,
}

/// The names that an expression can start with.
pub fn filter_names() -> impl Iterator<Item = &'static str> {
    variables().into_iter().map(|(name, _)| name)
}

/// All names that an expression can start with, with their types.
pub(super) fn variables() -> Vec<(&'static str, Ty)> {
    vec![
        ("n", Ty::Int),
        ("kind", Ty::Text),
        ("time", Ty::Time),
        ("packet", Ty::Int),
        ("connection", Ty::Int),
        ("client", Ty::Text),
        ("server", Ty::Text),
        ("api_key", Ty::Int),
        ("api", Ty::Text),
        ("version", Ty::Int),
        ("correlation_id", Ty::Int),
        ("status", Ty::Text),
        ("client_id", Ty::Text),
        ("request", Ty::Object(Object::Request)),
        ("response", Ty::Object(Object::Response)),
        ("bytes", Ty::Int),
        ("latency_ms", Ty::Double),
        ("latency_last_ms", Ty::Double),
        ("throttle_ms", Ty::Int),
        ("latency_net_ms", Ty::Double),
        ("errors", list(Ty::Text)),
        ("error", Ty::Text),
        ("topics", list(Ty::Text)),
        ("topics_cut", Ty::Bool),
        ("records", Ty::Int),
        ("problems", list(Ty::Object(Object::Problem))),
        (
            "body",
            Ty::Bodies(&[Direction::Request, Direction::Response]),
        ),
        ("embedded", list(Ty::Object(Object::Embedded))),
    ]
}

fn list(element: Ty) -> Ty {
    Ty::List(Box::new(element))
}

impl Object {
    fn members(self) -> Vec<(&'static str, Ty)> {
        let mut members = match self {
            Object::Request | Object::Response => vec![
                ("time", Ty::Time),
                ("packet", Ty::Int),
                ("size", Ty::Int),
                (
                    "body",
                    Ty::Bodies(match self {
                        Object::Request => &[Direction::Request],
                        _ => &[Direction::Response],
                    }),
                ),
                ("embedded", list(Ty::Object(Object::Embedded))),
            ],
            Object::Problem => vec![
                ("kind", Ty::Text),
                ("severity", Ty::Text),
                ("code", Ty::Text),
                ("offset", Ty::Int),
                ("size", Ty::Int),
                ("path", Ty::Text),
                ("message", Ty::Text),
                ("buffer", Ty::Int),
            ],
            Object::Embedded => vec![
                ("path", Ty::Text),
                ("as", Ty::Text),
                ("version", Ty::Int),
                ("value", Ty::Any),
            ],
            Object::Batch => [
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
            ]
            .into_iter()
            .map(|name| (name, Ty::Int))
            .chain([("records", list(Ty::Object(Object::Record)))])
            .collect(),
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

impl Ty {
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
