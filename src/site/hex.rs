//! Bytes in a line of text, coloured by what they are.

use std::fmt::{self, Write};

use crate::{event::Section, render::html::section_class};

/// Writes runs of bytes, each in the colour of a section.
pub(super) fn hex(out: &mut String, runs: &[(Section, &[u8])]) -> fmt::Result {
    write!(out, "<span class=\"hex\">")?;
    let runs = runs.iter().filter(|(_, bytes)| !bytes.is_empty());
    for (idx, (section, bytes)) in runs.enumerate() {
        let space = if idx > 0 { " " } else { "" };
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        write!(
            out,
            "{space}<i class=\"{}\">{}</i>",
            section_class(*section),
            digits.join(" ")
        )?;
    }
    write!(out, "</span>")
}
