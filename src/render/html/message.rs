//! One message of a page: its facts, what is wrong, its bytes beside its tree, and what came out of
//! compressed data.

use std::fmt;

use super::{
    Ids, facts,
    grid::grid,
    problems::problems,
    tree::{n_rows, tree},
};
use crate::{
    render::{Cut, Sheet, quote::Markup, range},
    wire::BufferId,
};

/// Bytes of a buffer that are shown without being asked for. A row of a page is ten times as long
/// as its sixteen bytes.
const GRID_LIMIT: usize = 64 << 10;

/// Buffers that are shown without being asked for: a message can hold thousands of batches.
const BUFFERS: usize = 64;

/// Writes a message; `level` is that of its heading, from 1 to 6.
pub fn message(out: &mut dyn fmt::Write, sheet: &Sheet<'_>, level: u8) -> fmt::Result {
    let ids = Ids {
        prefix: &sheet.anchor,
    };
    let (rows, most, buffers) = match sheet.cut {
        Cut::Short | Cut::Fit(_) => (n_rows(sheet.tree, sheet.cut), GRID_LIMIT, BUFFERS),
        Cut::Wide => (sheet.tree.len(), usize::MAX, usize::MAX),
    };
    // One that is alone has its title above the page.
    let tag = match sheet.title.is_empty() {
        true => "div",
        false => "article",
    };
    write!(out, "<{tag} class=\"message\"")?;
    if !sheet.anchor.is_empty() {
        write!(
            out,
            " id=\"{0}\" data-prefix=\"{0}-\"",
            Markup(&sheet.anchor)
        )?;
    }
    writeln!(out, ">")?;
    if !sheet.title.is_empty() {
        let level = level.clamp(1, 6);
        writeln!(out, "<h{level}>{}</h{level}>", Markup(&sheet.title))?;
    }
    facts(out, &sheet.facts)?;
    problems(out, sheet, rows, &ids)?;
    writeln!(out, "<div class=\"panes\"><div class=\"bytes\">")?;
    for (number, buffer) in (0..).zip(sheet.tree.buffers().iter().take(buffers)) {
        if let Some(source) = buffer.source {
            writeln!(
                out,
                "<p class=\"buffer\">Buffer {number}: {} bytes, decompressed from {}</p>",
                buffer.bytes.len(),
                Markup(range(source))
            )?;
        }
        grid(out, sheet.tree, BufferId(number), most, rows, &ids)?;
        if let Some(more) = buffer
            .bytes
            .len()
            .checked_sub(most)
            .filter(|&more| more > 0)
        {
            left_out(out, more, "bytes")?;
        }
    }
    if let Some(more) = sheet
        .tree
        .buffers()
        .len()
        .checked_sub(buffers)
        .filter(|&more| more > 0)
    {
        left_out(out, more, "buffers")?;
    }
    writeln!(out, "</div><div class=\"fields\">")?;
    tree(out, sheet.tree, sheet.wording, sheet.cut, most, &ids)?;
    writeln!(out, "</div></div></{tag}>")
}

fn left_out(out: &mut dyn fmt::Write, more: usize, what: &str) -> fmt::Result {
    writeln!(
        out,
        "<p class=\"more\">{more} more {what} are left out; <code>--wide</code> writes all of \
         them.</p>"
    )
}
