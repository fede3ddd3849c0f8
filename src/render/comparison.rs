//! What differs, as text: between versions of a message, between their bytes, between two messages.

use std::fmt::{self, Write};

use super::{Columns, Cut, Palette, Wording, columns, wrap};
use crate::{
    compare::{Change, Difference, Encoding, Placed, PlacedPair},
    event::Section,
    tree::{NodeId, Tree},
};

/// Writes how header and encoding of a message differ; says so when they do not.
pub fn encoding_text(out: &mut impl Write, from: Encoding, to: Encoding) -> fmt::Result {
    for line in encoding_changes(from, to) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// How header and encoding of a message differ, or that they do not, a phrase each.
pub fn encoding_changes(from: Encoding, to: Encoding) -> Vec<String> {
    if from == to {
        return vec!["header and encoding stay as they are".to_owned()];
    }
    let mut lines = Vec::new();
    match (from.header, to.header) {
        (Some(was), Some(is)) if was != is => lines.push(format!("header v{was} -> v{is}")),
        _ => {}
    }
    let flexible = match (from.flexible, to.flexible) {
        (false, true) => Some(
            "flexible from here on: lengths are compact, length plus one as a uvarint, and tagged \
             fields end every struct",
        ),
        (true, false) => {
            Some("not flexible: lengths are int16 and int32, and no struct ends with tagged fields")
        }
        _ => None,
    };
    lines.extend(flexible.map(str::to_owned));
    lines
}

/// Writes the fields that came, went and changed.
pub fn changes_text(out: &mut impl Write, changes: &[Change], palette: Palette) -> fmt::Result {
    if changes.is_empty() {
        return writeln!(out, "  the fields are the same");
    }
    let width = changes.iter().map(|change| change.path.len()).max();
    let width = width.unwrap_or_default();
    for change in changes {
        let (mark, spelled) = match (&change.was, &change.is) {
            (None, Some(is)) => ('+', is.to_string()),
            (Some(was), None) => ('-', was.to_string()),
            (Some(was), Some(is)) => ('~', format!("{was} -> {is}")),
            (None, None) => continue,
        };
        let style = mark_style(mark, palette);
        writeln!(
            out,
            "  {style}{mark} {:<width$}{style:#}  {spelled}",
            change.path
        )?;
    }
    Ok(())
}

/// What is around a mark in its colour.
fn mark_style(mark: char, palette: Palette) -> anstyle::Style {
    match mark {
        '+' => palette.section(Section::Request),
        '-' => palette.section(Section::TaggedFields),
        '~' => palette.section(Section::RecordBatch),
        _ => palette.dim(),
    }
}

/// Bytes of a leaf that are shown beside it.
const SHOWN: usize = 8;

/// Writes the leaves of two messages beside each other. `titles` stand above the two sides.
///
/// The marks between them: `>` lies elsewhere, `~` takes more bytes or fewer, `+` and `-` are in one
/// of them.
pub fn places_text(
    out: &mut impl Write,
    trees: [&Tree; 2],
    titles: [&str; 2],
    pairs: &[PlacedPair],
    palette: Palette,
) -> fmt::Result {
    let path_width = pairs
        .iter()
        .filter_map(|pair| pair.from.as_ref())
        .map(|placed| placed.path.len())
        .max()
        .unwrap_or_default();
    let width = 5 + SHOWN * 2 + 2 + 1 + path_width;
    let title = palette.title();
    let [first, second] = titles;
    writeln!(out, "  {title}{first:<width$}     {second}{title:#}")?;
    let [from, to] = trees;
    for pair in pairs {
        let mark = mark_of(pair);
        let style = mark_style(mark, palette);
        write!(out, "  ")?;
        let shown = match &pair.from {
            Some(placed) => {
                let section = palette.section(placed.section);
                let place = side(from, placed);
                write!(out, "{place} {section}{}{section:#}", placed.path)?;
                place.len() + 1 + placed.path.len()
            }
            None => 0,
        };
        let pad = width.saturating_sub(shown);
        write!(out, "{:pad$}  {style}{mark}{style:#}", "")?;
        if let Some(placed) = &pair.to {
            let section = palette.section(placed.section);
            let (place, path) = (side(to, placed), &placed.path);
            write!(out, "  {place} {section}{path}{section:#}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// What has become of a leaf from the first message to the second.
fn mark_of(pair: &PlacedPair) -> char {
    match (&pair.from, &pair.to) {
        (None, _) => '+',
        (_, None) => '-',
        _ if pair.is_resized() => '~',
        _ if pair.is_moved() => '>',
        _ => ' ',
    }
}

/// Where a leaf is, and its first bytes.
fn side(tree: &Tree, placed: &Placed) -> String {
    let bytes = tree.bytes(placed.span);
    let mut hex: String = bytes
        .iter()
        .take(SHOWN)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    if bytes.len() > SHOWN {
        hex.push_str("..");
    }
    let width = SHOWN * 2 + 2;
    format!("{:04x} {hex:<width$}", placed.span.at)
}

/// Writes the fields in which two messages differ.
pub fn differences_text(
    out: &mut impl Write,
    [from, to]: [&Tree; 2],
    list: &[Difference],
    cut: Cut,
    palette: Palette,
) -> fmt::Result {
    for difference in list {
        let was = difference.from.and_then(|id| told(from, id, cut));
        let is = difference.to.and_then(|id| told(to, id, cut));
        let (mark, path, text, range) = match (was, is) {
            (Some((path, was)), Some((_, is))) => {
                let range = match was.range == is.range {
                    true => is.range,
                    false => format!("{} -> {}", was.range, is.range),
                };
                (
                    '~',
                    path,
                    format!("{} -> {}", value(was.value), value(is.value)),
                    range,
                )
            }
            (Some((path, was)), None) => ('-', path, value(was.value), was.range),
            (None, Some((path, is))) => ('+', path, value(is.value), is.range),
            (None, None) => continue,
        };
        let (style, dim) = (mark_style(mark, palette), palette.dim());
        writeln!(
            out,
            "{style}{mark} {path}{style:#}  {text}  {dim}{range}{dim:#}"
        )?;
    }
    Ok(())
}

fn told(tree: &Tree, id: NodeId, cut: Cut) -> Option<(String, Columns)> {
    let mut told = columns(tree, id, Wording::Counted, cut)?;
    if tree.node(id)?.index.is_some() && tree.value(id).is_none() {
        // An element goes by its first value.
        let first = tree.children(id).find(|&child| tree.value(child).is_some());
        let first = first.and_then(|child| columns(tree, child, Wording::Counted, cut));
        if let Some(first) = first {
            told.value = Some(format!(
                "{} {}",
                first.name,
                first.value.unwrap_or_default()
            ));
        }
    }
    let path = match tree.path(id) {
        path if path.is_empty() => told.name.clone(),
        path => path,
    };
    Some((path, told))
}

/// A compound without a value of its own is there, and that is all.
fn value(text: Option<String>) -> String {
    text.unwrap_or_else(|| "there".to_owned())
}

/// Writes facts with a label each, as running text.
pub fn facts_text(out: &mut impl Write, facts: &[(String, String)]) -> fmt::Result {
    const LABEL: usize = 5;
    const WIDTH: usize = 90;
    for (label, text) in facts {
        let mut label = label.as_str();
        for line in wrap(text, WIDTH) {
            writeln!(out, "  {label:<LABEL$}{line}")?;
            label = "";
        }
    }
    Ok(())
}
