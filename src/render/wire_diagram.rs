//! What a wire diagram shows: the header of a message, then its structs, each with its fields, their
//! types and sizes.
//!
//! Fields stand in the order of the definition, nested structs behind the one that holds them. `?`
//! marks what can be null, `tagged` stands for the tagged fields that end a struct. Which fields
//! travel there, and what is not as in other messages, is said in remarks.

use crate::{
    event::Section,
    schema::{
        ApiKey, Catalogue, Direction, FieldPlan, Kind, Plan, StructPlan, TypePlan,
        request_header_version, response_header_version,
    },
};

/// A diagram, for whoever draws it.
#[derive(Debug, Default)]
pub struct WireDiagram {
    pub groups: Vec<WireGroup>,
    /// Sentences without a full stop.
    pub remarks: Vec<String>,
}

/// Fields that lie one behind the other.
#[derive(Debug)]
pub struct WireGroup {
    /// What stands above it; a nested struct has nothing.
    pub title: Option<String>,
    /// The struct.
    pub name: &'static str,
    /// How deep it is nested.
    pub depth: usize,
    pub fields: Vec<WireField>,
}

/// One field.
#[derive(Debug)]
pub struct WireField {
    pub section: Section,
    pub name: String,
    /// The type with its size, as `int32 · 4B`.
    pub ty: String,
}

impl WireDiagram {
    /// The diagram of one version of a request or response, with its header; `None` for one that does
    /// not exist.
    pub fn of_message(
        catalogue: &'static Catalogue,
        api: ApiKey,
        direction: Direction,
        version: i16,
    ) -> Option<WireDiagram> {
        let definition = catalogue.api(api, direction)?;
        let plan = catalogue.api_plan(api, direction, version)?;
        let header = match direction {
            Direction::Request => request_header_version(definition, version),
            Direction::Response => response_header_version(definition, version),
        };
        let mut diagram = WireDiagram::default();
        diagram.header(direction, header);
        let section = match direction {
            Direction::Request => Section::Request,
            Direction::Response => Section::Response,
        };
        diagram.body(plan, section);
        if plan.body.flexible && direction == Direction::Response && header == 0 {
            diagram.remarks.push(
                "the header is not flexible although the body is, so that clients can read it \
                 before they know what the broker speaks (KIP-511)"
                    .to_owned(),
            );
        }
        Some(diagram)
    }

    /// The diagram of a structure by itself.
    pub fn of_structure(plan: &'static Plan) -> WireDiagram {
        let section = match plan.kind {
            Kind::Header => Section::Header,
            _ => Section::Response,
        };
        let mut diagram = WireDiagram::default();
        diagram.body(plan, section);
        diagram
    }

    fn header(&mut self, direction: Direction, version: i16) {
        let (name, is_flexible) = match direction {
            Direction::Request => ("Request", version >= 2),
            Direction::Response => ("Response", version >= 1),
        };
        let suffix = if is_flexible { " · flexible" } else { "" };
        let mut fields = vec![WireField::new(Section::Frame, "message_size", "int32 · 4B")];
        let mut add = |name, ty| fields.push(WireField::new(Section::Header, name, ty));
        if direction == Direction::Request {
            add("api_key", "int16 · 2B");
            add("api_version", "int16 · 2B");
        }
        add("correlation_id", "int32 · 4B");
        if direction == Direction::Request && version >= 1 {
            add("client_id?", "string");
        }
        if is_flexible {
            fields.push(WireField::tagged());
        }
        self.groups.push(WireGroup {
            title: Some(format!("{name} Header{suffix}")),
            name: match direction {
                Direction::Request => "RequestHeader",
                Direction::Response => "ResponseHeader",
            },
            depth: 0,
            fields,
        });
    }

    fn body(&mut self, plan: &'static Plan, section: Section) {
        let title = format!("{} v{}", plan.name, plan.version);
        self.structure(&plan.body, section, 0, Some(title));
    }

    /// The fields of a struct, then the structs in it.
    fn structure(
        &mut self,
        plan: &'static StructPlan,
        section: Section,
        depth: usize,
        title: Option<String>,
    ) {
        let mut fields = Vec::new();
        let mut inner = Vec::new();
        for (field, tag) in plan.in_order() {
            let section = match tag {
                Some(tag) => {
                    self.remarks.push(format!(
                        "{} of {} travels in tagged, with tag {tag}, and only if it is not its \
                         default",
                        field.node.name, plan.name
                    ));
                    Section::TaggedFields
                }
                None => section,
            };
            let mark = if field.nullable { "?" } else { "" };
            let name = format!("{}{mark}", field.node.name);
            fields.push(WireField::new(section, &name, &spelled(field)));
            let element = match &field.ty {
                TypePlan::Array(element) => &element.ty,
                ty => ty,
            };
            if let TypePlan::Struct(plan) = element {
                inner.push((plan, section));
            }
        }
        if plan.flexible {
            fields.push(WireField::tagged());
        }
        self.groups.push(WireGroup {
            title,
            name: plan.name,
            depth,
            fields,
        });
        for (plan, section) in inner {
            self.structure(plan, section, depth + 1, None);
        }
    }
}

impl WireField {
    fn new(section: Section, name: &str, ty: &str) -> WireField {
        WireField {
            section,
            name: name.to_owned(),
            ty: ty.to_owned(),
        }
    }

    /// What ends a flexible struct.
    fn tagged() -> WireField {
        WireField::new(Section::TaggedFields, "tagged", "var")
    }
}

/// The type of a field with its size, or how its length is written.
fn spelled(field: &FieldPlan) -> String {
    match &field.ty {
        TypePlan::Array(element) => match &element.ty {
            TypePlan::Struct(_) => "array".to_owned(),
            _ => format!("array of {}", spelled(element)),
        },
        TypePlan::Struct(_) => "struct".to_owned(),
        TypePlan::String | TypePlan::Bytes | TypePlan::Records => {
            let compact = if field.compact { " (compact)" } else { "" };
            format!("{}{compact}", field.ty.name())
        }
        ty => format!("{} · {}B", ty.name(), size(ty)),
    }
}

/// Bytes of a type whose values all have the same number; 0 for the others.
fn size(ty: &TypePlan) -> usize {
    match ty {
        TypePlan::Bool | TypePlan::Int8 => 1,
        TypePlan::Int16 | TypePlan::Uint16 => 2,
        TypePlan::Int32 | TypePlan::Uint32 => 4,
        TypePlan::Int64 | TypePlan::Float64 => 8,
        TypePlan::Uuid => 16,
        TypePlan::String
        | TypePlan::Bytes
        | TypePlan::Records
        | TypePlan::Struct(_)
        | TypePlan::Array(_) => 0,
    }
}
