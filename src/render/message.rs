//! A message as text: its tree, what is wrong, what its errors mean, its grids.

use std::fmt::{self, Write};

use super::{
    Cut, Palette, Wording, grid, grid::grid_up_to, legend, notes, object_tree, problems, range,
};
use crate::{
    event::n_bytes,
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

/// Decompressed bytes of one message that are shown when they are asked for, and more of them for
/// each byte of the message. A row takes seven bytes for each of its own, so what a kilobyte can be
/// decompressed to would make a gigabyte of rows.
const WIDE_GRID_LIMIT: usize = 4 << 20;
const WIDE_GRID_PER_BYTE: usize = 4;

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
    let frame = tree.buffers().first();
    let frame = frame.map_or(0, |buffer| buffer.bytes.len());
    let mut left = WIDE_GRID_LIMIT + WIDE_GRID_PER_BYTE * frame;
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
        if size > GRID_LIMIT && cut != Cut::Wide {
            writeln!(out, "more than {GRID_LIMIT} bytes; --wide prints them")?;
            continue;
        }
        let shown = size.min(left);
        left -= shown;
        if shown > 0 {
            grid_up_to(out, tree, id, shown, palette)?;
            writeln!(out, "{}", legend(tree, id, palette))?;
        }
        if shown < size {
            let rest = n_bytes((size - shown) as u64);
            writeln!(out, "{rest} more are left out; --json has them")?;
        }
    }
    Ok(())
}
