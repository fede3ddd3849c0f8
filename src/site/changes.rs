//! What differs between two versions of a message: fields that came, went and changed, and where the
//! rest of them lies.

use std::fmt::{self, Write};

use crate::{
    compare::{Placed, PlacedPair, changes, placed_pairs},
    render::{
        Markup, Sides, encoding_changes,
        html::{node_anchor, section_class},
    },
    tree::Tree,
};

/// Writes how encoding and fields differ.
pub(super) fn fields(out: &mut String, side: &Sides) -> fmt::Result {
    let [from, to] = side.encodings();
    writeln!(out, "<ul class=\"changes\">")?;
    let class = if from == to { "" } else { " class=\"resized\"" };
    for line in encoding_changes(from, to) {
        let line = line.replace("->", "→");
        writeln!(out, "<li{class}>{}</li>", Markup(capitalized(&line)))?;
    }
    let changes = changes(side.from, side.to);
    if changes.is_empty() {
        writeln!(out, "<li>The fields are the same</li>")?;
    }
    for change in changes {
        let (class, mark, spelled) = match (&change.was, &change.is) {
            (None, Some(is)) => ("came", "added", is.to_string()),
            (Some(was), None) => ("went", "removed", was.to_string()),
            (Some(was), Some(is)) => ("resized", "changed", format!("{was} → {is}")),
            (None, None) => continue,
        };
        writeln!(
            out,
            "<li class=\"{class}\">{} <code>{}</code> <span class=\"mono\">{}</span>\
             <p>{}</p></li>",
            capitalized(mark),
            Markup(&change.path),
            Markup(spelled),
            Markup(change.about)
        )?;
    }
    writeln!(out, "</ul>")
}

/// One of two layouts: what stands above it, and where its fields are shown in full.
pub(super) struct Column<'a> {
    pub tree: &'a Tree,
    pub title: String,
    /// The page, and the anchor of the message on it.
    pub page: String,
    pub anchor: String,
}

/// Bytes of a leaf that are shown beside it.
const SHOWN: usize = 8;

/// Writes the leaves of both beside each other.
pub(super) fn layouts(out: &mut String, columns: [&Column<'_>; 2]) -> fmt::Result {
    let [from, to] = columns;
    writeln!(
        out,
        "<p class=\"key\"><b class=\"came\">added</b><b class=\"went\">removed</b>\
         <b class=\"resized\">other size</b><b class=\"moved\">other place</b></p>\
         <div class=\"sides\"><div class=\"table\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Layouts side by side\"><table><thead><tr>\
         <th scope=\"colgroup\" colspan=\"3\">{}</th><th scope=\"col\" class=\"mark\"></th>\
         <th scope=\"colgroup\" colspan=\"3\">{}</th></tr></thead><tbody>",
        Markup(&from.title),
        Markup(&to.title)
    )?;
    for pair in placed_pairs(from.tree, to.tree) {
        let (class, mark) = mark(&pair);
        write!(out, "<tr class=\"{class}\">")?;
        cells(out, "was", from, pair.from.as_ref())?;
        write!(out, "<td class=\"mark\">{mark}</td>")?;
        cells(out, "is", to, pair.to.as_ref())?;
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div></div>")
}

fn mark(pair: &PlacedPair) -> (&'static str, &'static str) {
    match (&pair.from, &pair.to) {
        (None, _) => ("came", "+"),
        (_, None) => ("went", "−"),
        _ if pair.is_resized() => ("resized", "±"),
        _ if pair.is_moved() => ("moved", "→"),
        _ => ("same", "="),
    }
}

fn cells(
    out: &mut String,
    side: &str,
    column: &Column<'_>,
    placed: Option<&Placed>,
) -> fmt::Result {
    let Some(placed) = placed else {
        return write!(
            out,
            "<td class=\"{side} at\"></td><td class=\"raw\"></td><td class=\"{side} path\"></td>"
        );
    };
    let bytes = column.tree.bytes(placed.span);
    let mut hex = String::new();
    for byte in bytes.iter().take(SHOWN) {
        write!(hex, "{byte:02x} ")?;
    }
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    write!(
        out,
        "<td class=\"{side} at\"><a href=\"{}#{}\">{:04x}</a></td><td class=\"raw\">{}{more}</td>\
         <td class=\"{side} path\"><span class=\"{}\">{}</span></td>",
        Markup(&column.page),
        Markup(node_anchor(&column.anchor, placed.id)),
        placed.span.at,
        hex.trim_end(),
        section_class(placed.section),
        Markup(&placed.path)
    )
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        format!("{}{}", first.to_ascii_uppercase(), chars.as_str())
    })
}
