//! A message definition as its JSON file says it, before a version is chosen.

use serde_json::Value;

use super::Versions;

/// What a definition describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Request,
    Response,
    /// A request or response header.
    Header,
    /// A structure by itself: consumer protocol, control records, snapshots.
    Data,
    /// The key of a record in an internal topic of a coordinator.
    CoordinatorKey,
    /// The value of such a record.
    CoordinatorValue,
    /// A record of the metadata log.
    Metadata,
}

impl Kind {
    /// The word in the definition's `type`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Request => "request",
            Kind::Response => "response",
            Kind::Header => "header",
            Kind::Data => "data",
            Kind::CoordinatorKey => "coordinator-key",
            Kind::CoordinatorValue => "coordinator-value",
            Kind::Metadata => "metadata",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        [
            Kind::Request,
            Kind::Response,
            Kind::Header,
            Kind::Data,
            Kind::CoordinatorKey,
            Kind::CoordinatorValue,
            Kind::Metadata,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }
}

/// A type as a definition spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Float64,
    Uuid,
    String,
    Bytes,
    Records,
    /// A struct by name, defined inline or under `commonStructs`.
    Struct(String),
    /// `[]T`.
    Array(Box<Type>),
}

impl Type {
    /// Reads a type name; any capitalised name is a struct.
    pub fn parse(text: &str) -> Option<Type> {
        if let Some(element) = text.strip_prefix("[]") {
            return Type::parse(element).map(|element| Type::Array(Box::new(element)));
        }
        Some(match text {
            "bool" => Type::Bool,
            "int8" => Type::Int8,
            "int16" => Type::Int16,
            "uint16" => Type::Uint16,
            "int32" => Type::Int32,
            "uint32" => Type::Uint32,
            "int64" => Type::Int64,
            "float64" => Type::Float64,
            "uuid" => Type::Uuid,
            "string" => Type::String,
            "bytes" => Type::Bytes,
            "records" => Type::Records,
            name if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                Type::Struct(name.to_owned())
            }
            _ => return None,
        })
    }

    /// Whether the type can be null on the wire.
    pub fn can_be_null(&self) -> bool {
        matches!(
            self,
            Type::String | Type::Bytes | Type::Records | Type::Struct(_) | Type::Array(_)
        )
    }

    /// The struct that the type or its elements are, if any.
    pub fn struct_name(&self) -> Option<&str> {
        match self {
            Type::Struct(name) => Some(name),
            Type::Array(element) => element.struct_name(),
            _ => None,
        }
    }
}

/// One field of a message or struct.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// The type as spelled.
    pub ty_name: String,
    /// Versions that have the field.
    pub versions: Versions,
    /// Versions in which it can be null.
    pub nullable: Versions,
    /// Versions in which it is a tagged field, with its tag.
    pub tagged: Option<(Versions, u32)>,
    /// Versions in which its length is compact, where they are not the message's.
    pub flexible: Option<Versions>,
    /// The default as the file has it; zero, empty or false when absent.
    pub default: Option<Value>,
    /// What the value identifies, as `topicName` or `brokerId`.
    pub entity: Option<String>,
    /// One sentence; empty when the file has none.
    pub about: String,
    /// The fields of a struct that is defined at this place.
    pub fields: Vec<Field>,
}

/// A struct under `commonStructs`.
#[derive(Clone, Debug)]
pub struct StructDefinition {
    pub name: String,
    pub versions: Versions,
    pub fields: Vec<Field>,
}

/// A whole definition.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub kind: Kind,
    /// API key, or the record type for records.
    pub api_key: Option<i16>,
    /// Who answers the request: `broker`, `controller`.
    pub listeners: Vec<String>,
    /// What the newest release speaks.
    pub valid: Versions,
    /// Every version that was ever on the wire.
    pub ever: Versions,
    /// Versions with compact lengths and tagged fields.
    pub flexible: Versions,
    /// Whether the newest version may still change.
    pub latest_version_unstable: bool,
    pub fields: Vec<Field>,
    pub structs: Vec<StructDefinition>,
}

impl Definition {
    /// The fields of struct `name`, wherever the definition has them.
    pub fn struct_fields(&self, name: &str) -> Option<&[Field]> {
        fn inline<'a>(fields: &'a [Field], name: &str) -> Option<&'a [Field]> {
            fields.iter().find_map(|field| {
                if field.ty.struct_name() == Some(name) && !field.fields.is_empty() {
                    Some(field.fields.as_slice())
                } else {
                    inline(&field.fields, name)
                }
            })
        }
        self.structs
            .iter()
            .find(|common| common.name == name)
            .map(|common| common.fields.as_slice())
            .or_else(|| inline(&self.fields, name))
            .or_else(|| {
                self.structs
                    .iter()
                    .find_map(|common| inline(&common.fields, name))
            })
    }

    /// The newest version that was ever on the wire.
    pub fn newest(&self) -> i16 {
        self.ever.max
    }
}
