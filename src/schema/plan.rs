//! A definition compiled for one version: what to read, in order, with every question about
//! versions answered.

use super::{
    ApiKey, Definition, Field, Inside, Kind, Tells, Type,
    contents::{inside, tells},
    meanings::meaning,
    survey,
};
use crate::event::{Node, Role, Section, Shape};

/// One version of one message.
#[derive(Debug)]
pub struct Plan {
    /// Name of the definition.
    pub name: &'static str,
    /// What the definition describes.
    pub kind: Kind,
    /// API key, or record type.
    pub api_key: Option<i16>,
    pub version: i16,
    /// The top-level struct.
    pub body: StructPlan,
}

/// The fields of a struct in one version.
#[derive(Debug)]
pub struct StructPlan {
    pub name: &'static str,
    /// Fields on the wire, in order.
    pub fields: Box<[FieldPlan]>,
    /// Tagged fields, by ascending tag.
    pub tagged: Box<[(u32, FieldPlan)]>,
    /// Whether tagged fields end the struct.
    pub flexible: bool,
    /// What a survey does with the fields on the wire.
    pub(super) steps: Box<[survey::Step]>,
}

impl StructPlan {
    /// All fields as the definition orders them, tagged ones with their tags.
    pub fn in_order(&self) -> Vec<(&FieldPlan, Option<u32>)> {
        let plain = self.fields.iter().map(|field| (field, None));
        let tagged = self.tagged.iter().map(|(tag, field)| (field, Some(*tag)));
        let mut fields: Vec<_> = plain.chain(tagged).collect();
        // The fields of a struct lie in one list of the definition: their places tell the order.
        fields.sort_by_key(|(field, _)| std::ptr::from_ref(field.field));
        fields
    }
}

/// One field in one version.
#[derive(Debug)]
pub struct FieldPlan {
    /// How outputs are told of it; arrays and structs complete the shape when they are read.
    pub node: Node,
    pub ty: TypePlan,
    /// Whether the length is an unsigned varint of n+1.
    pub compact: bool,
    /// Whether null is legal.
    pub nullable: bool,
    /// What is inside, for bytes that hold more than bytes.
    pub inside: Option<Inside>,
    /// What the value says of later fields.
    pub tells: Option<Tells>,
    /// The definition that it was compiled from.
    pub field: &'static Field,
}

/// A type with what its content needs.
#[derive(Debug)]
pub enum TypePlan {
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
    Struct(Box<StructPlan>),
    /// An array; the element is a field without a name of its own.
    Array(Box<FieldPlan>),
}

impl TypePlan {
    /// A type as definitions spell it; for structs and arrays the word for what they are.
    pub fn name(&self) -> &'static str {
        match self {
            TypePlan::Bool => "bool",
            TypePlan::Int8 => "int8",
            TypePlan::Int16 => "int16",
            TypePlan::Uint16 => "uint16",
            TypePlan::Int32 => "int32",
            TypePlan::Uint32 => "uint32",
            TypePlan::Int64 => "int64",
            TypePlan::Float64 => "float64",
            TypePlan::Uuid => "uuid",
            TypePlan::String => "string",
            TypePlan::Bytes => "bytes",
            TypePlan::Records => "records",
            TypePlan::Struct(_) => "struct",
            TypePlan::Array(_) => "array",
        }
    }
}

impl Plan {
    /// Compiles `version` of `definition`.
    pub(super) fn compile(definition: &'static Definition, version: i16) -> Plan {
        let section = match definition.kind {
            Kind::Request => Section::Request,
            Kind::Header => Section::Header,
            _ => Section::Response,
        };
        let compiler = Compiler {
            definition,
            version,
            flexible: definition.flexible.contains(version),
        };
        Plan {
            name: &definition.name,
            kind: definition.kind,
            api_key: definition.api_key,
            version,
            body: compiler.structure(&definition.name, &definition.fields, section),
        }
    }

    /// The API of a request or response.
    pub fn api(&self) -> Option<ApiKey> {
        match self.kind {
            Kind::Request | Kind::Response => self.api_key.map(ApiKey),
            _ => None,
        }
    }
}

struct Compiler {
    definition: &'static Definition,
    version: i16,
    flexible: bool,
}

impl Compiler {
    fn structure(
        &self,
        name: &'static str,
        fields: &'static [Field],
        section: Section,
    ) -> StructPlan {
        let mut plain = Vec::new();
        let mut tagged = Vec::new();
        for field in fields {
            if !field.versions.contains(self.version) {
                continue;
            }
            match field.tagged {
                Some((versions, tag)) if versions.contains(self.version) => {
                    tagged.push((tag, self.field(field, Section::TaggedFields)));
                }
                _ => plain.push(self.field(field, section)),
            }
        }
        tagged.sort_by_key(|&(tag, _)| tag);
        StructPlan {
            name,
            steps: survey::steps(&plain),
            fields: plain.into(),
            tagged: tagged.into(),
            flexible: self.flexible,
        }
    }

    fn field(&self, field: &'static Field, section: Section) -> FieldPlan {
        FieldPlan {
            node: Node {
                name: &field.name,
                index: None,
                shape: shape(&field.ty_name),
                role: role(&self.definition.name, field, &field.ty),
                meaning: meaning(&self.definition.name, field),
                section,
                about: &field.about,
            },
            ty: self.ty(field, &field.ty, section),
            compact: self.compact(field),
            nullable: field.nullable.contains(self.version),
            inside: inside(&self.definition.name, field),
            tells: tells(&self.definition.name, field),
            field,
        }
    }

    fn ty(&self, field: &'static Field, ty: &'static Type, section: Section) -> TypePlan {
        match ty {
            Type::Bool => TypePlan::Bool,
            Type::Int8 => TypePlan::Int8,
            Type::Int16 => TypePlan::Int16,
            Type::Uint16 => TypePlan::Uint16,
            Type::Int32 => TypePlan::Int32,
            Type::Uint32 => TypePlan::Uint32,
            Type::Int64 => TypePlan::Int64,
            Type::Float64 => TypePlan::Float64,
            Type::Uuid => TypePlan::Uuid,
            Type::String => TypePlan::String,
            Type::Bytes => TypePlan::Bytes,
            Type::Records => TypePlan::Records,
            Type::Struct(name) => {
                // The loader refuses definitions with undefined structs.
                let fields = self.definition.struct_fields(name).unwrap_or_default();
                TypePlan::Struct(Box::new(self.structure(name, fields, section)))
            }
            Type::Array(element) => {
                let name = field
                    .ty_name
                    .strip_prefix("[]")
                    .unwrap_or(field.ty_name.as_str());
                TypePlan::Array(Box::new(FieldPlan {
                    node: Node {
                        name,
                        index: None,
                        shape: shape(name),
                        role: role(&self.definition.name, field, element),
                        meaning: meaning(&self.definition.name, field),
                        section,
                        about: "",
                    },
                    ty: self.ty(field, element, section),
                    compact: self.compact(field),
                    nullable: false,
                    inside: None,
                    tells: None,
                    field,
                }))
            }
        }
    }

    fn compact(&self, field: &Field) -> bool {
        match field.flexible {
            Some(versions) => versions.contains(self.version),
            None => self.flexible,
        }
    }
}

fn shape(ty: &'static str) -> Shape {
    match ty.strip_prefix("[]") {
        Some(of) => Shape::Array { of, len: None },
        None if ty.starts_with(|first: char| first.is_ascii_uppercase()) => {
            Shape::Struct { ty, present: true }
        }
        None => Shape::Leaf { ty },
    }
}

/// Ids of nodes that some definitions do not call so.
const NODES: [&str; 7] = [
    "BrokerId",
    "ControllerId",
    "Isr",
    "LeaderId",
    "NodeId",
    "VotedId",
    "VoterId",
];

const HOSTS: [&str; 3] = ["Host", "HostName", "V0Host"];

const PORTS: [&str; 2] = ["Port", "V0Port"];

/// Whether a field of one of these names says where the node listens that was named before it. In
/// EndQuorumEpoch that would be a candidate, and the addresses are those of the leader.
fn is_address(message: &str, field: &Field, names: &[&str]) -> bool {
    names.contains(&field.name.as_str()) && message != "EndQuorumEpochRequest"
}

/// What definitions call the number of a partition, or a list of such numbers.
const PARTITIONS: [&str; 5] = [
    "Index",
    "Partition",
    "PartitionId",
    "PartitionIndex",
    "PartitionIndexes",
];

/// Whether a field holds numbers of partitions. Of those called `Partitions` these are the lists; the
/// others count.
fn is_partition(field: &Field) -> bool {
    let name = field.name.as_str();
    PARTITIONS.contains(&name) || name == "Partitions" && field.ty_name == "[]int32"
}

/// What a field is for: the definitions say it of names and ids, the rest goes by the naming that
/// all of Kafka's definitions keep to.
fn role(message: &str, field: &Field, ty: &Type) -> Role {
    match (ty, field.entity.as_deref()) {
        (Type::String, Some("topicName")) => Role::TopicName,
        (Type::String, Some("groupId")) => Role::GroupId,
        (Type::String, Some("transactionalId")) => Role::TransactionalId,
        (Type::Int32, Some("brokerId")) => Role::BrokerId,
        (Type::Int32, _) if NODES.contains(&field.name.as_str()) => Role::BrokerId,
        (Type::String, _) if is_address(message, field, &HOSTS) => Role::Host,
        (Type::Int32 | Type::Uint16, _) if is_address(message, field, &PORTS) => Role::Port,
        (Type::Int32, _) if is_partition(field) => Role::Partition,
        (Type::Int32, _) if field.name == "ThrottleTimeMs" => Role::Throttle,
        (Type::Int16, _) if field.name.ends_with("ErrorCode") => Role::ErrorCode,
        (Type::Int16, _) if field.name.ends_with("ApiKey") => Role::ApiKey,
        (Type::Uuid, _) if field.name.to_ascii_lowercase().ends_with("topicid") => Role::TopicId,
        _ => Role::Plain,
    }
}
