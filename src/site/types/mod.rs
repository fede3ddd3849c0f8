//! The page of types: how each is written, with bytes.

mod headers;
mod lengths;
mod numbers;
mod records;
mod tags;
mod varints;

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place},
    map::SiteMap,
};
use crate::render::{Markup, html::page::Dress};

/// Anchor and title of each section, with what writes it.
type Section = (
    &'static str,
    &'static str,
    fn(&mut String, &SiteMap) -> fmt::Result,
);

const SECTIONS: [Section; 6] = [
    ("numbers", "Types of fixed size", numbers::section),
    (
        "lengths",
        "Strings, bytes, arrays, structs",
        lengths::section,
    ),
    ("varints", "Varints", varints::section),
    ("tagged", "Tagged fields", tags::section),
    ("headers", "Messages and their headers", headers::section),
    ("records", "Records", records::section),
];

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap) -> fmt::Result {
    let frame = Frame {
        part: Part::Types,
        dress: Dress::LAYOUT,
        heading: "Types",
        place: Place::Top,
    };
    frame.open(out)?;
    writeln!(
        out,
        "<p class=\"lead\">All numbers are big-endian. A message is its fields one behind the other: \
         no names, no types, no padding. Both sides know from key and version what comes next.</p>"
    )?;
    write!(out, "<ul class=\"toc\">")?;
    for (anchor, title, _) in SECTIONS {
        write!(out, "<li><a href=\"#{anchor}\">{}</a></li>", Markup(title))?;
    }
    writeln!(out, "</ul>")?;
    for (anchor, title, section) in SECTIONS {
        writeln!(out, "<section><h2 id=\"{anchor}\">{}</h2>", Markup(title))?;
        section(out, map)?;
        writeln!(out, "</section>")?;
    }
    frame.close(out)
}

/// Writes a paragraph of the program's own words.
fn paragraph(out: &mut String, text: &str) -> fmt::Result {
    writeln!(out, "<p class=\"prose\">{}</p>", Markup(text))
}

/// Starts a table; `label` is for those who do not see it. It ends with [`close_table`].
fn open_table(out: &mut String, label: &str, heads: &[&str]) -> fmt::Result {
    write!(
        out,
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
        Markup(label)
    )?;
    for head in heads {
        write!(out, "<th scope=\"col\">{}</th>", Markup(head))?;
    }
    writeln!(out, "</tr></thead><tbody>")
}

fn close_table(out: &mut String) -> fmt::Result {
    writeln!(out, "</tbody></table></div>")
}
