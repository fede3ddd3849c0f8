//! The index: all APIs, with a box that filters them.

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place, search},
    links::age,
    map::{ApiEntry, SiteMap},
};
use crate::{
    explain::{ErrorCode, api_facts, errors_of},
    render::{Markup, html::page::Dress},
};

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap) -> fmt::Result {
    let frame = Frame {
        part: Part::Apis,
        dress: Dress::REFERENCE,
        heading: "The Kafka protocol, byte by byte",
        place: Place::Top,
    };
    frame.open(out)?;
    let n_versions: usize = map
        .apis
        .iter()
        .map(|entry| entry.versions.iter().count())
        .sum();
    let n_spoken = map
        .apis
        .iter()
        .filter(|entry| !entry.request.valid.is_empty())
        .count();
    writeln!(
        out,
        "<p class=\"lead\">{} APIs in {n_versions} versions: what each is for, every field of its \
         requests and responses with its place, and what changed from version to version. Brokers \
         speak {n_spoken} of them today; versions that are struck out were removed.</p>",
        map.apis.len()
    )?;
    search(out, "Filter by name, key, error or KIP")?;
    writeln!(
        out,
        "<div class=\"table apis\" tabindex=\"0\" role=\"region\" aria-label=\"APIs\"><table><thead><tr>\
         <th scope=\"col\" class=\"number\">Key</th><th scope=\"col\">API</th>\
         <th scope=\"col\">Now</th><th scope=\"col\">What it does</th>\
         <th scope=\"col\">All versions</th><th scope=\"col\">Flexible</th>\
         <th scope=\"col\">Answered by</th></tr></thead><tbody>"
    )?;
    for entry in &map.apis {
        row(out, entry)?;
    }
    writeln!(out, "</tbody></table></div>")?;
    frame.close(out)
}

fn row(out: &mut String, entry: &ApiEntry) -> fmt::Result {
    let summary = api_facts(entry.api).map_or("", |facts| facts.summary.as_str());
    let now = match entry.request.valid {
        valid if valid.is_empty() => "removed".to_owned(),
        valid => valid.to_string(),
    };
    let flexible = entry
        .flexible_from()
        .map_or("never".to_owned(), |from| format!("{from}+"));
    write!(
        out,
        "<tr data-key=\"{0}\" data-q=\"{1}\"><td class=\"number soft\">{0}</td>\
         <th scope=\"row\"><a href=\"{2}\">{3}</a></th>\
         <td class=\"nowrap now\">{now}</td>\
         <td class=\"what\">{4} <span class=\"why\"></span></td><td class=\"list\"><div class=\"vs\">",
        entry.api.0,
        Markup(words(entry)),
        entry.page(),
        Markup(&entry.name),
        Markup(summary),
    )?;
    for version in entry.versions.iter() {
        let class = age(entry, version);
        write!(
            out,
            "<a href=\"{}\"{class}>{version}</a>",
            entry.version_page(version)
        )?;
    }
    writeln!(
        out,
        "</div></td><td class=\"flexible\">{flexible}</td>\
         <td class=\"listeners soft\">{}</td></tr>",
        Markup(entry.request.listeners.join(", "))
    )
}

/// What an API is found by, in lower case: its name, its summary, its errors and proposals.
fn words(entry: &ApiEntry) -> String {
    let mut words = entry.name.clone();
    if let Some(facts) = api_facts(entry.api) {
        words.push(' ');
        words.push_str(&facts.summary);
        for fact in &facts.kips {
            words.push_str(&format!(" kip-{}", fact.kip));
        }
    }
    for name in errors_of(entry.api).filter_map(ErrorCode::name) {
        words.push(' ');
        words.push_str(name);
    }
    words.to_lowercase()
}
