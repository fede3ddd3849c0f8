//! The object tree in a picture: names on their branches, types, values, ranges, in columns that fit.

use unicode_width::UnicodeWidthStr;

use super::{Cut, Picture, Piece};
use crate::{
    event::Section,
    render::{Sheet, columns, cut_to_width, html::section_class},
    tree::{NodeId, Tree},
};

/// Characters of a name with its branches, of a type and of a value; longer ones are cut.
const NAME: usize = 44;
const TYPE: usize = 24;
const VALUE: usize = 44;

/// What a line is made of.
struct Row {
    section: Section,
    branch: String,
    name: String,
    ty: String,
    value: String,
    range: String,
}

/// Adds the tree, at most so many rows.
pub(super) fn tree(picture: &mut Picture, sheet: &Sheet<'_>, most: usize) {
    let rows = rows(sheet, most);
    let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
    let name_width = widest(&|row| row.branch.width() + row.name.width());
    let type_width = widest(&|row| row.ty.width());
    let value_width = widest(&|row| row.value.width());
    let pad = |used: usize, width: usize| " ".repeat(width.saturating_sub(used) + 2);
    picture.lines.push(Vec::new());
    for row in rows {
        let name_pad = pad(row.branch.width() + row.name.width(), name_width);
        let type_pad = pad(row.ty.width(), type_width);
        let value_pad = pad(row.value.width(), value_width);
        picture.lines.push(vec![
            Piece::new("soft", row.branch),
            Piece::new(section_class(row.section), row.name),
            Piece::new("soft", format!("{name_pad}{}{type_pad}", row.ty)),
            Piece::new("ink", row.value),
            Piece::new("soft", format!("{value_pad}{}", row.range)),
        ]);
    }
    let more = sheet.tree.len().saturating_sub(most);
    if more > 0 {
        picture.wrapped("soft", &format!("{more} more nodes"));
    }
}

fn rows(sheet: &Sheet<'_>, most: usize) -> Vec<Row> {
    let tree = sheet.tree;
    let mut open: Vec<usize> = Vec::new();
    let row = |id: NodeId| {
        let columns = columns(tree, id, sheet.wording, Cut::Short)?;
        let branch = branch(tree, id, &mut open);
        let room = NAME.saturating_sub(branch.width());
        let value = columns.value.map(|value| format!("= {value}"));
        Some(Row {
            section: tree.node(id).map(|node| node.section).unwrap_or_default(),
            name: cut_to_width(&columns.name, room),
            branch,
            ty: cut_to_width(&columns.ty, TYPE),
            value: cut_to_width(&value.unwrap_or_default(), VALUE),
            range: columns.range,
        })
    };
    tree.nodes().take(most).filter_map(row).collect()
}

/// The lines that a node hangs on. `open` has the ends of the compounds around the node before it,
/// and gets those around the next one.
fn branch(tree: &Tree, id: NodeId, open: &mut Vec<usize>) -> String {
    while open.last().is_some_and(|&end| end <= id.idx()) {
        open.pop();
    }
    let end = tree.after(id).map_or(tree.len(), NodeId::idx);
    // A trunk goes on where a level has more nodes behind the one that this lies in.
    let mut branch: String = open
        .iter()
        .skip(1)
        .zip(open.iter())
        .map(|(inner, outer)| if inner < outer { "│  " } else { "   " })
        .collect();
    if let Some(&outer) = open.last() {
        branch.push_str(if end < outer { "├─ " } else { "└─ " });
    }
    if end > id.idx() + 1 {
        open.push(end);
    }
    branch
}
