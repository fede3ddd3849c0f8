//! The wire diagram of one version of a message: its header, then its structs one below the other,
//! each field with its type and size.
//!
//! Fields stand in the order of the definition, nested structs below the one that holds them, a step
//! further in. `?` marks what can be null, `tagged` stands for the tagged fields that end a struct.
//! Which fields travel there, and what is not as in other messages, is said at the end.

use std::fmt::{self, Write};

use super::Palette;
use crate::{
    event::Section,
    schema::{
        ApiKey, Catalogue, Direction, FieldPlan, StructPlan, TypePlan, request_header_version,
        response_header_version,
    },
};

/// Writes the diagram of `version` of one direction of `api`; nothing for one that does not exist.
pub fn wire(
    out: &mut impl Write,
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
    palette: Palette,
) -> fmt::Result {
    let (Some(definition), Some(plan)) = (
        catalogue.api(api, direction),
        catalogue.api_plan(api, direction, version),
    ) else {
        return Ok(());
    };
    let mut diagram = Diagram {
        out,
        palette,
        tagged: Vec::new(),
    };
    let header = match direction {
        Direction::Request => request_header_version(definition, version),
        Direction::Response => response_header_version(definition, version),
    };
    diagram.header(direction, header)?;
    let title = palette.title();
    writeln!(diagram.out, "{title}{} v{version}{title:#}", plan.name)?;
    let section = match direction {
        Direction::Request => Section::Request,
        Direction::Response => Section::Response,
    };
    diagram.structure(&plan.body, section, 0)?;
    let is_exception = plan.body.flexible && direction == Direction::Response && header == 0;
    diagram.remarks(is_exception)
}

struct Diagram<'a, W> {
    out: &'a mut W,
    palette: Palette,
    /// Name and tag of the tagged fields met, with the struct that they stand in.
    tagged: Vec<(&'static str, &'static str, u32)>,
}

impl<W: Write> Diagram<'_, W> {
    fn header(&mut self, direction: Direction, version: i16) -> fmt::Result {
        let title = self.palette.title();
        let is_flexible = match direction {
            Direction::Request => version >= 2,
            Direction::Response => version >= 1,
        };
        let suffix = if is_flexible { " · flexible" } else { "" };
        let name = match direction {
            Direction::Request => "Request",
            Direction::Response => "Response",
        };
        writeln!(self.out, "{title}{name} Header{suffix}{title:#}")?;
        self.row(Section::Frame, 0, "message_size", "int32 · 4B")?;
        if direction == Direction::Request {
            self.row(Section::Header, 0, "api_key", "int16 · 2B")?;
            self.row(Section::Header, 0, "api_version", "int16 · 2B")?;
        }
        self.row(Section::Header, 0, "correlation_id", "int32 · 4B")?;
        if direction == Direction::Request && version >= 1 {
            self.row(Section::Header, 0, "client_id?", "string")?;
        }
        if is_flexible {
            self.row(Section::TaggedFields, 0, "tagged", "var")?;
        }
        Ok(())
    }

    /// The fields of a struct, then the structs in it.
    fn structure(
        &mut self,
        plan: &'static StructPlan,
        section: Section,
        depth: usize,
    ) -> fmt::Result {
        let fields = plan.in_order();
        for &(field, tag) in &fields {
            let section = match tag {
                Some(tag) => {
                    self.tagged.push((plan.name, field.node.name, tag));
                    Section::TaggedFields
                }
                None => section,
            };
            let mark = if field.nullable { "?" } else { "" };
            let name = format!("{}{mark}", field.node.name);
            self.row(section, depth, &name, &spelled(field))?;
        }
        if plan.flexible {
            self.row(Section::TaggedFields, depth, "tagged", "var")?;
        }
        for (field, tag) in fields {
            let inner = match &field.ty {
                TypePlan::Array(element) => &element.ty,
                ty => ty,
            };
            if let TypePlan::Struct(inner) = inner {
                let section = match tag {
                    Some(_) => Section::TaggedFields,
                    None => section,
                };
                self.structure(inner, section, depth + 1)?;
            }
        }
        Ok(())
    }

    fn row(&mut self, section: Section, depth: usize, name: &str, ty: &str) -> fmt::Result {
        let (style, dim) = (self.palette.section(section), self.palette.dim());
        let indent = "  ".repeat(depth);
        writeln!(self.out, "{indent}{style}{name}{style:#} {dim}{ty}{dim:#}")
    }

    fn remarks(&mut self, is_exception: bool) -> fmt::Result {
        let dim = self.palette.dim();
        if !self.tagged.is_empty() || is_exception {
            writeln!(self.out)?;
        }
        for (structure, name, tag) in &self.tagged {
            writeln!(
                self.out,
                "{dim}{name} of {structure} travels in tagged, with tag {tag}, and only if it is not \
                 its default{dim:#}"
            )?;
        }
        if is_exception {
            writeln!(
                self.out,
                "{dim}the header is not flexible although the body is, so that clients can read it \
                 before they know what the broker speaks (KIP-511){dim:#}"
            )?;
        }
        Ok(())
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
