//! The page of one version of an API: the smallest request and response byte by byte, their diagrams,
//! fields and examples.

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place},
    links::{lead, linked, version_bar},
    map::{ApiEntry, ERRORS, SiteMap, Standing, TYPES},
    notation::notation,
};
use crate::{
    event::n_bytes,
    explain::version_notes_of,
    render::{
        Cut, Fact, Markup, Sheet, WireDiagram, Wording,
        html::{facts, message, page::Dress},
        layout_facts, layout_intro, smallest_tree, version_fact,
    },
    schema::{Catalogue, Definition, Direction, request_header_version, response_header_version},
};

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap, entry: &ApiEntry, version: i16) -> fmt::Result {
    let here = format!("v{version}");
    let heading = format!("{} {here}", entry.name);
    let above = [(entry.name.as_str(), entry.page())];
    let frame = Frame {
        part: Part::Apis,
        dress: Dress::LAYOUT,
        heading: &heading,
        place: Place::Below {
            above: &above,
            here: &here,
        },
    };
    frame.open(out)?;
    let known = lead(out, entry)?;
    version_bar(out, entry, Some(version))?;
    turn(out, entry, version)?;
    let head: Vec<Fact> = layout_facts(Catalogue::current(), entry.api, version)
        .into_iter()
        .flatten()
        .map(|(name, value)| Fact::new(name, value))
        .collect();
    facts(out, &head)?;
    match entry.standing(version) {
        Standing::Spoken => {}
        Standing::Removed => writeln!(
            out,
            "<p class=\"lead\"><span class=\"tag no\">removed</span> Brokers do not speak this version \
             any more.</p>"
        )?,
        Standing::Newer => writeln!(
            out,
            "<p class=\"lead\"><span class=\"tag\">not yet</span> Brokers do not speak this version \
             yet.</p>"
        )?,
    }
    let fact = known.and_then(|known| known.versions.iter().find(|fact| fact.version == version));
    if let Some(fact) = fact {
        write!(out, "<p class=\"lead\"><b>What it changed:</b> ")?;
        linked(out, &version_fact(fact))?;
        writeln!(out, "</p>")?;
    }
    writeln!(
        out,
        "<p class=\"lead soft\">{} <a href=\"{TYPES}\">Types</a> tells how each is written.</p>",
        Markup(layout_intro(entry.request, version))
    )?;
    notes(out, entry, version)?;
    for direction in [Direction::Request, Direction::Response] {
        side(out, map, entry, direction, version)?;
    }
    frame.close(out)
}

/// Links to the versions before and behind, and to what differs.
fn turn(out: &mut String, entry: &ApiEntry, version: i16) -> fmt::Result {
    write!(out, "<nav class=\"turn\" aria-label=\"Neighbours\">")?;
    let neighbour = |by: i16| {
        version
            .checked_add(by)
            .filter(|&other| entry.versions.contains(other))
    };
    if let Some(older) = neighbour(-1) {
        write!(
            out,
            "<a href=\"{}\">← v{older}</a> <a href=\"{}\">What changed since v{older}</a>",
            entry.version_page(older),
            entry.diff_page(older, version)
        )?;
    }
    write!(
        out,
        "<a href=\"{}#definition\">Definition</a>",
        entry.page()
    )?;
    if let Some(newer) = neighbour(1) {
        write!(
            out,
            "<a class=\"next\" href=\"{}\">What v{newer} changes</a> <a href=\"{}\">v{newer} →</a>",
            entry.diff_page(version, newer),
            entry.version_page(newer)
        )?;
    }
    writeln!(out, "</nav>")
}

/// Errors that mean something else in this version than in later ones.
fn notes(out: &mut String, entry: &ApiEntry, version: i16) -> fmt::Result {
    let mut notes = version_notes_of(entry.api)
        .filter(|note| version < note.since)
        .filter_map(|note| Some((note.code.name()?, note)))
        .peekable();
    if notes.peek().is_none() {
        return Ok(());
    }
    writeln!(
        out,
        "<section><h2 id=\"errors\">Errors in this version</h2>\n<ul class=\"prose\">"
    )?;
    for (name, note) in notes {
        writeln!(
            out,
            "<li><a href=\"{ERRORS}#{name}\"><code>{name}</code></a>: {}.</li>",
            Markup(note.to_string())
        )?;
    }
    writeln!(out, "</ul></section>")
}

/// The request or the response.
fn side(
    out: &mut String,
    map: &SiteMap,
    entry: &ApiEntry,
    direction: Direction,
    version: i16,
) -> fmt::Result {
    let catalogue = Catalogue::current();
    let anchor = direction.name();
    let (title, definition, header) = match direction {
        Direction::Request => (
            "Request",
            entry.request,
            request_header_version(entry.request, version),
        ),
        Direction::Response => (
            "Response",
            entry.response,
            response_header_version(entry.response, version),
        ),
    };
    let (Some(plan), Some(diagram)) = (
        catalogue.api_plan(entry.api, direction, version),
        WireDiagram::of_message(catalogue, entry.api, direction, version),
    ) else {
        return Ok(());
    };
    let Some(tree) = smallest_tree(Some(direction), plan) else {
        return Ok(());
    };
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    let sheet = Sheet {
        tree: &tree,
        title: title.to_owned(),
        facts: vec![
            Fact::new("Message", message_name(definition, version)),
            Fact::new("Header", format!("{anchor} header v{header}")),
            Fact::new("On the wire", n_bytes(size as u64)),
        ],
        anchor: anchor.to_owned(),
        wording: Wording::Sample,
        cut: Cut::Wide,
        places: None,
    };
    writeln!(out, "<section>")?;
    message(out, &sheet, 2)?;
    notation(out, map, &diagram, Some(direction), plan, anchor)?;
    writeln!(out, "</section>")
}

fn message_name(definition: &Definition, version: i16) -> String {
    format!("{} v{version}", definition.name)
}
