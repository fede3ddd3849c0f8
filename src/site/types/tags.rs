//! Fields that travel only where they are not their default, with a number instead of a place.

use std::fmt::{self, Write};

use super::{close_table, open_table, paragraph};
use crate::{
    event::Section,
    render::Markup,
    site::{hex::hex, map::SiteMap},
};

/// The section of an example with two fields, part by part.
const PARTS: [(Section, &[u8], &str); 7] = [
    (Section::Frame, &[0x02], "two fields follow"),
    (Section::TaggedFields, &[0x00], "tag 0"),
    (Section::Frame, &[0x05], "5 bytes of it"),
    (
        Section::Request,
        &[0x05, b'e', b'u', b'-', b'1'],
        "a compact string: \"eu-1\"",
    ),
    (Section::TaggedFields, &[0x03], "tag 3"),
    (Section::Frame, &[0x08], "8 bytes of it"),
    (
        Section::Request,
        &[0, 0, 0, 0, 0, 0, 0x10, 0x92],
        "an int64: 4242; who does not know tag 3 skips them",
    ),
];

pub(super) fn section(out: &mut String, _: &SiteMap) -> fmt::Result {
    paragraph(
        out,
        "In flexible versions every struct, the body itself and the newest headers end with a section \
         of tagged fields: their number as an unsigned varint, then for each its tag and the size of its \
         content, unsigned varints too, and the content. Tags ascend and occur once. A field that has \
         its default is left out, and a reader keeps or skips what it does not know: so a field can be \
         added without a new version. A struct without any ends with the single byte 00.",
    )?;
    write!(out, "<p>")?;
    let runs: Vec<(Section, &[u8])> = PARTS
        .iter()
        .map(|&(section, bytes, _)| (section, bytes))
        .collect();
    hex(out, &runs)?;
    writeln!(out, "</p>")?;
    open_table(out, "Parts of the example", &["Bytes", "What they say"])?;
    for (section, bytes, meaning) in PARTS {
        write!(out, "<tr><td>")?;
        hex(out, &[(section, bytes)])?;
        writeln!(out, "</td><td>{}</td></tr>", Markup(meaning))?;
    }
    close_table(out)
}
