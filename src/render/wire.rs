//! The wire diagram of one version of a message as text: its header, then its structs one below the
//! other, each field with its type and size.
//!
//! Nested structs stand below the one that holds them, a step further in.

use std::fmt::{self, Write};

use super::{Palette, WireDiagram};
use crate::schema::{ApiKey, Catalogue, Direction};

/// Writes the diagram of `version` of one direction of `api`; nothing for one that does not exist.
pub fn wire(
    out: &mut impl Write,
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
    palette: Palette,
) -> fmt::Result {
    let Some(diagram) = WireDiagram::of_message(catalogue, api, direction, version) else {
        return Ok(());
    };
    let (title, dim) = (palette.title(), palette.dim());
    for group in &diagram.groups {
        if let Some(name) = &group.title {
            writeln!(out, "{title}{name}{title:#}")?;
        }
        for field in &group.fields {
            let style = palette.section(field.section);
            let indent = "  ".repeat(group.depth);
            let (name, ty) = (&field.name, &field.ty);
            writeln!(out, "{indent}{style}{name}{style:#} {dim}{ty}{dim:#}")?;
        }
    }
    if !diagram.remarks.is_empty() {
        writeln!(out)?;
    }
    for remark in &diagram.remarks {
        writeln!(out, "{dim}{remark}{dim:#}")?;
    }
    Ok(())
}
