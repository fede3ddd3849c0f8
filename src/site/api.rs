//! The page of an API: what it is for, who calls it, its errors, its versions, its definitions.

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place},
    links::{error_chips, lead, linked, version_bar},
    map::{ApiEntry, Standing},
};
use crate::{
    explain::{ApiFacts, errors_of},
    render::{
        Fact, Markup,
        html::{code, facts, page::Dress},
        schema_text, smallest_frame,
    },
    schema::{Catalogue, Direction, request_header_version, response_header_version},
};

/// Writes the page.
pub(super) fn page(out: &mut String, entry: &ApiEntry) -> fmt::Result {
    let frame = Frame {
        part: Part::Apis,
        dress: Dress::REFERENCE,
        heading: &entry.name,
        place: Place::Below {
            above: &[],
            here: &entry.name,
        },
    };
    frame.open(out)?;
    let known = lead(out, entry)?;
    version_bar(out, entry, None)?;
    facts(out, &head(entry, known))?;
    if let Some(known) = known {
        purpose(out, known)?;
    }
    if errors_of(entry.api).next().is_some() {
        writeln!(out, "<section><h2 id=\"errors\">Errors</h2>")?;
        error_chips(out, errors_of(entry.api))?;
        writeln!(out, "</section>")?;
    }
    versions(out, entry, known)?;
    writeln!(out, "<section><h2 id=\"definition\">Definition</h2>")?;
    for definition in [entry.request, entry.response] {
        writeln!(out, "<h3>{}</h3>", Markup(&definition.name))?;
        let text = schema_text(Catalogue::current(), &definition.name);
        code(out, &definition.name, &text)?;
    }
    writeln!(out, "</section>")?;
    frame.close(out)
}

fn head(entry: &ApiEntry, known: Option<&ApiFacts>) -> Vec<Fact> {
    let newest = entry.newest();
    let flexible = entry.flexible_from();
    let release = |release: &Option<String>| release.as_ref().map(|name| format!("Kafka {name}"));
    let since = known.and_then(|known| release(&known.since));
    let removed = known.and_then(|known| release(&known.removed));
    let mut facts = vec![
        Fact::new("API key", entry.api.0),
        Fact::new("Versions now", entry.request.valid),
        Fact::new("Versions ever", entry.versions),
        Fact::new(
            "Flexible from",
            flexible.map_or("never".to_owned(), |from| format!("v{from}")),
        ),
        Fact::new(
            "Headers of the newest",
            format!(
                "request v{}, response v{}",
                request_header_version(entry.request, newest),
                response_header_version(entry.response, newest)
            ),
        ),
        Fact::new("Answered by", entry.request.listeners.join(", ")),
    ];
    facts.extend(since.map(|since| Fact::new("Since", since)));
    facts.extend(removed.map(|removed| Fact::new("Removed in", removed)));
    facts.retain(|fact| !fact.value.is_empty());
    facts
}

fn purpose(out: &mut String, known: &ApiFacts) -> fmt::Result {
    write!(
        out,
        "<section class=\"two\"><div class=\"prose\"><h2 id=\"purpose\">What it is for</h2>\n<p>"
    )?;
    linked(out, &known.purpose)?;
    writeln!(out, "</p>\n<h3>Called by</h3>\n<ul>")?;
    for caller in &known.callers {
        writeln!(out, "<li>{}</li>", Markup(caller))?;
    }
    writeln!(out, "</ul></div>")?;
    if !known.kips.is_empty() {
        writeln!(out, "<div class=\"prose\"><h3>Changed by</h3>\n<ul>")?;
        for fact in &known.kips {
            writeln!(
                out,
                "<li><b>KIP-{}</b> {}</li>",
                fact.kip,
                Markup(&fact.what)
            )?;
        }
        writeln!(out, "</ul></div>")?;
    }
    writeln!(out, "</section>")
}

fn versions(out: &mut String, entry: &ApiEntry, known: Option<&ApiFacts>) -> fmt::Result {
    writeln!(
        out,
        "<section><h2 id=\"versions\">Versions</h2>\n<div class=\"table\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Versions\"><table><thead><tr><th scope=\"col\">Version</th>\
         <th scope=\"col\">What it changed</th><th scope=\"col\">Known from</th>\
         <th scope=\"col\" class=\"number\">Smallest request</th>\
         <th scope=\"col\" class=\"number\">response</th>\
         <th scope=\"col\">Compare</th></tr></thead><tbody>"
    )?;
    let mut older = None;
    let mut rows = Vec::new();
    for version in entry.versions.iter() {
        rows.push(row(entry, known, older, version)?);
        older = Some(version);
    }
    // The newest is what most come for.
    for row in rows.iter().rev() {
        out.push_str(row);
    }
    writeln!(out, "</tbody></table></div>")?;
    if let Some(history) = known.and_then(|known| known.history.as_ref()) {
        write!(out, "<p class=\"prose\">")?;
        linked(out, history)?;
        writeln!(out, "</p>")?;
    }
    writeln!(out, "</section>")
}

fn row(
    entry: &ApiEntry,
    known: Option<&ApiFacts>,
    older: Option<i16>,
    version: i16,
) -> Result<String, fmt::Error> {
    let fact = known.and_then(|known| known.versions.iter().find(|fact| fact.version == version));
    let mut out = format!(
        "<tr id=\"v{version}\"><th scope=\"row\"><a href=\"{}\">v{version}</a>",
        entry.version_page(version)
    );
    match entry.standing(version) {
        Standing::Spoken => {}
        Standing::Removed => write!(out, " <span class=\"tag\">removed</span>")?,
        Standing::Newer => write!(out, " <span class=\"tag\">not yet</span>")?,
    }
    if entry.flexible_from() == Some(version) {
        write!(out, " <span class=\"tag\">flexible</span>")?;
    }
    write!(out, "</th><td class=\"wide\">")?;
    linked(&mut out, fact.map_or("", |fact| fact.what.as_str()))?;
    write!(
        out,
        "</td><td class=\"nowrap soft\">{}</td>",
        Markup(fact.map(|fact| fact.source()).unwrap_or_default())
    )?;
    for direction in [Direction::Request, Direction::Response] {
        let frame = smallest_frame(Catalogue::current(), entry.api, direction, version);
        let size = frame.map_or("-".to_owned(), |frame| format!("{} bytes", frame.len()));
        write!(out, "<td class=\"number\">{size}</td>")?;
    }
    match older {
        Some(older) => writeln!(
            out,
            "<td class=\"nowrap\"><a href=\"{}\">with v{older}</a></td></tr>",
            entry.diff_page(older, version)
        )?,
        None => writeln!(out, "<td></td></tr>")?,
    }
    Ok(out)
}
