//! The wire diagram of a page: a box a field, a line of boxes a struct.

use std::fmt;

use super::section_class;
use crate::render::{WireDiagram, quote::Markup};

/// Steps that nested structs are moved in; deeper ones stand below each other.
const STEPS: usize = 6;

/// Writes a diagram.
pub fn wire(out: &mut dyn fmt::Write, diagram: &WireDiagram) -> fmt::Result {
    writeln!(out, "<div class=\"wire\">")?;
    for group in &diagram.groups {
        let depth = group.depth.min(STEPS);
        let title = group.title.as_deref().unwrap_or(group.name);
        write!(
            out,
            "<div class=\"group d{depth}\"><p class=\"of\">{}</p><ul>",
            Markup(title)
        )?;
        for field in &group.fields {
            write!(
                out,
                "<li class=\"{}\"><b>{}</b> <span>{}</span></li>",
                section_class(field.section),
                Markup(&field.name),
                Markup(&field.ty)
            )?;
        }
        if group.fields.is_empty() {
            write!(out, "<li class=\"nothing\"><span>no fields</span></li>")?;
        }
        writeln!(out, "</ul></div>")?;
    }
    for remark in &diagram.remarks {
        writeln!(out, "<p class=\"more\">{}.</p>", Markup(remark))?;
    }
    writeln!(out, "</div>")
}
