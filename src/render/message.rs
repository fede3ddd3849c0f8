//! A message as text: its tree, what is wrong, what its errors mean, its grids.

use std::fmt::{self, Write};

use super::{Cut, Palette, Wording, grid, legend, notes, object_tree, problems, range};
use crate::{
    tree::{Found, Tree},
    wire::BufferId,
};

/// The parts of a message's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    All,
    /// The tree, with what there is to say of it.
    Tree,
    /// The grids, with their legends.
    Grid,
}

/// Decompressed bytes that are shown without being asked for: some pages.
const GRID_LIMIT: usize = 64 << 10;

/// Writes a message. `source` says where a problem's first byte came from, if that is known.
pub fn message(
    out: &mut impl Write,
    tree: &Tree,
    parts: Parts,
    cut: Cut,
    palette: Palette,
    source: impl Fn(&Found) -> Option<String>,
) -> fmt::Result {
    if parts != Parts::Grid {
        object_tree(out, tree, Wording::Counted, cut, palette)?;
        problems(out, tree, palette, source)?;
        notes(out, tree, palette)?;
    }
    if parts == Parts::All {
        writeln!(out)?;
    }
    if parts != Parts::Tree {
        grid(out, tree, BufferId::FRAME, palette)?;
        writeln!(out, "{}", legend(tree, BufferId::FRAME, palette))?;
        decompressed(out, tree, cut, palette)?;
    }
    Ok(())
}

/// The grids of the buffers that came out of compressed data.
fn decompressed(out: &mut impl Write, tree: &Tree, cut: Cut, palette: Palette) -> fmt::Result {
    for (number, buffer) in (0..).zip(tree.buffers()) {
        let Some(source) = buffer.source else {
            continue;
        };
        let (id, size) = (BufferId(number), buffer.bytes.len());
        let source = range(source);
        writeln!(
            out,
            "\nbuffer {number}: {size} bytes, decompressed from {source}"
        )?;
        if size > GRID_LIMIT && cut == Cut::Short {
            writeln!(out, "more than {GRID_LIMIT} bytes; --wide prints them")?;
            continue;
        }
        grid(out, tree, id, palette)?;
        writeln!(out, "{}", legend(tree, id, palette))?;
    }
    Ok(())
}
