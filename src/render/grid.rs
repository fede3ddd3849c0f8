//! The hex grid: sixteen bytes a row, coloured by section, with an ASCII column. Bytes that the
//! tree hides are stars.

use std::fmt;

use super::Palette;
use crate::{event::Section, tree::Tree, wire::BufferId};

/// Bytes in a full row.
pub const BYTES_PER_ROW: usize = 16;

/// Digits of the row labels of a buffer of `len` bytes: four, more where offsets need them.
pub fn label_width(len: usize) -> usize {
    let digits = format!("{:x}", len.saturating_sub(1)).len();
    digits.max(4)
}

/// The character that the ASCII column shows for a byte.
pub fn ascii(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    }
}

/// Writes the bytes of one buffer of `tree`: a header row, then a row for every sixteen bytes.
pub fn grid(
    out: &mut impl fmt::Write,
    tree: &Tree,
    buffer: BufferId,
    palette: Palette,
) -> fmt::Result {
    grid_up_to(out, tree, buffer, usize::MAX, palette)
}

/// The same of the first `most` bytes.
pub(super) fn grid_up_to(
    out: &mut impl fmt::Write,
    tree: &Tree,
    buffer: BufferId,
    most: usize,
    palette: Palette,
) -> fmt::Result {
    let Some(bytes) = tree.buffers().get(usize::from(buffer.0)) else {
        return Ok(());
    };
    let bytes = bytes.bytes.as_slice();
    let bytes = bytes.get(..most).unwrap_or(bytes);
    let sections = sections_up_to(tree, buffer, bytes.len());
    let width = label_width(bytes.len());
    let dim = palette.dim();
    write!(out, "{dim}{:width$} ", "")?;
    for column in 0..BYTES_PER_ROW {
        write!(out, "  {column:X}")?;
    }
    writeln!(out, "{dim:#}")?;
    let mut shown_from = 0;
    for (row, chunk) in bytes.chunks(BYTES_PER_ROW).enumerate() {
        let at = row * BYTES_PER_ROW;
        if at < shown_from {
            continue;
        }
        if let Some(hole) = tree.hole_at(buffer, at)
            && hole.end() - at >= LONG_HOLE
        {
            let rows = (hole.end() - at) / BYTES_PER_ROW;
            shown_from = at + rows * BYTES_PER_ROW;
            writeln!(
                out,
                "{dim}{at:0width$x}  {} bytes were not captured{dim:#}",
                shown_from - at
            )?;
            continue;
        }
        let styles = sections.get(at..).unwrap_or_default();
        write!(out, "{dim}{at:0width$x}{dim:#} ")?;
        let is_lost = |column: usize| tree.hole_at(buffer, at + column).is_some();
        for (column, (byte, section)) in chunk.iter().zip(styles).enumerate() {
            let style = palette.section(*section);
            if is_lost(column) {
                write!(out, " {dim}{LOST}{dim:#}")?;
            } else if tree.hides(buffer, at + column) {
                write!(out, " {style}**{style:#}")?;
            } else {
                write!(out, " {style}{byte:02x}{style:#}")?;
            }
        }
        for _ in chunk.len()..BYTES_PER_ROW {
            out.write_str("   ")?;
        }
        out.write_str("  |")?;
        for (column, (byte, section)) in chunk.iter().zip(styles).enumerate() {
            let style = palette.section(*section);
            let shown = match *byte {
                _ if is_lost(column) => ' ',
                _ if tree.hides(buffer, at + column) => '*',
                byte => ascii(byte),
            };
            write!(out, "{style}{shown}{style:#}")?;
        }
        out.write_str("|\n")?;
    }
    Ok(())
}

/// A hole of at least this many bytes is one line, however long it is.
pub(super) const LONG_HOLE: usize = 4 * BYTES_PER_ROW;

/// What stands for a byte that the capture does not hold.
pub const LOST: &str = "--";

/// The section of every byte of one buffer.
pub fn sections(tree: &Tree, buffer: BufferId) -> Vec<Section> {
    let buffers = tree.buffers();
    let len = buffers
        .get(usize::from(buffer.0))
        .map_or(0, |buffer| buffer.bytes.len());
    sections_up_to(tree, buffer, len)
}

fn sections_up_to(tree: &Tree, buffer: BufferId, len: usize) -> Vec<Section> {
    let mut sections = vec![Section::default(); len];
    for id in tree.nodes_in(buffer) {
        let span = tree.span(id);
        let end = span.end().min(len);
        if let (Some(node), Some(run)) = (tree.node(id), sections.get_mut(span.at..end)) {
            // Children come after their parents and paint over them.
            run.fill(node.section);
        }
    }
    sections
}
