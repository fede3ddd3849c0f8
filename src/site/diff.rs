//! The page of two neighbouring versions of an API: what the newer one changed.

use std::fmt::{self, Write};

use super::{
    changes::{Column, fields, layouts},
    frame::{Frame, Part, Place},
    links::linked,
    map::{ApiEntry, ERRORS},
};
use crate::{
    event::n_bytes,
    render::{Markup, Sides, VersionDiff, html::page::Dress, version_fact},
    schema::Direction,
    tree::Tree,
};

/// Writes the page.
pub(super) fn page(out: &mut String, entry: &ApiEntry, from: i16, to: i16) -> fmt::Result {
    let here = format!("v{from} → v{to}");
    let heading = format!("{} {here}", entry.name);
    let above = [(entry.name.as_str(), entry.page())];
    let frame = Frame {
        part: Part::Apis,
        dress: Dress::REFERENCE,
        heading: &heading,
        place: Place::Below {
            above: &above,
            here: &here,
        },
    };
    frame.open(out)?;
    turn(out, entry, from, to)?;
    let diff = VersionDiff::of_api(entry.api, from, to);
    for fact in diff.facts() {
        write!(out, "<p class=\"lead\"><b>v{}:</b> ", fact.version)?;
        linked(out, &version_fact(fact))?;
        writeln!(out, "</p>")?;
    }
    let mut notes = diff
        .notes()
        .filter_map(|note| Some((note.code.name()?, note)))
        .peekable();
    if notes.peek().is_some() {
        writeln!(out, "<ul class=\"prose\">")?;
        for (name, note) in notes {
            writeln!(
                out,
                "<li><a href=\"{ERRORS}#{name}\"><code>{name}</code></a>: {}.</li>",
                Markup(note.to_string())
            )?;
        }
        writeln!(out, "</ul>")?;
    }
    for side in diff.sides() {
        self::side(out, entry, side)?;
    }
    frame.close(out)
}

/// Links to both versions and to the comparisons around.
fn turn(out: &mut String, entry: &ApiEntry, from: i16, to: i16) -> fmt::Result {
    write!(out, "<nav class=\"turn\" aria-label=\"Neighbours\">")?;
    if let Some((before, _)) = entry.pairs().find(|&(_, newer)| newer == from) {
        write!(
            out,
            "<a href=\"{}\">← v{before} → v{from}</a>",
            entry.diff_page(before, from)
        )?;
    }
    for version in [from, to] {
        write!(
            out,
            "<a href=\"{}\">Layout of v{version}</a>",
            entry.version_page(version)
        )?;
    }
    if let Some((_, behind)) = entry.pairs().find(|&(older, _)| older == to) {
        write!(
            out,
            "<a class=\"next\" href=\"{}\">v{to} → v{behind} →</a>",
            entry.diff_page(to, behind)
        )?;
    }
    writeln!(out, "</nav>")
}

fn side(out: &mut String, entry: &ApiEntry, side: &Sides) -> fmt::Result {
    let (title, anchor) = match side.direction {
        Some(direction @ Direction::Request) => ("Request", direction.name()),
        Some(direction @ Direction::Response) => ("Response", direction.name()),
        None => return Ok(()),
    };
    writeln!(out, "<section><h2 id=\"{anchor}\">{title}</h2>")?;
    fields(out, side)?;
    if let Some([from, to]) = side.trees() {
        let column = |tree, version: i16| Column {
            tree,
            title: format!("v{version}, {}", size(tree)),
            page: entry.version_page(version),
            anchor: anchor.to_owned(),
        };
        writeln!(out, "<h3>The smallest {anchor} in both</h3>")?;
        layouts(
            out,
            [
                &column(&from, side.from.version),
                &column(&to, side.to.version),
            ],
        )?;
    }
    writeln!(out, "</section>")
}

fn size(tree: &Tree) -> String {
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    n_bytes(size as u64)
}
