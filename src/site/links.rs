//! Links from page to page.

use std::fmt::{self, Write};

use super::map::{ApiEntry, ERRORS};
use crate::{explain::ErrorCode, render::Markup};

/// Writes the versions of an API as a bar of links; `here` is the one that the page is about.
pub(super) fn version_bar(out: &mut String, entry: &ApiEntry, here: Option<i16>) -> fmt::Result {
    write!(out, "<nav aria-label=\"Versions\"><ul class=\"versions\">")?;
    for version in entry.versions.iter() {
        let class = age(entry, version);
        if here == Some(version) {
            write!(
                out,
                "<li><span aria-current=\"page\">v{version}</span></li>"
            )?;
        } else {
            write!(
                out,
                "<li><a href=\"{}\"{class}>v{version}</a></li>",
                entry.version_page(version)
            )?;
        }
    }
    writeln!(out, "</ul></nav>")
}

/// The attributes of a link to a version that is not spoken any more.
pub(super) fn age(entry: &ApiEntry, version: i16) -> &'static str {
    match entry.is_spoken(version) {
        true => "",
        false => " class=\"old\" title=\"removed\"",
    }
}

/// Writes errors as links, in the order of the alphabet.
pub(super) fn error_chips(out: &mut String, codes: impl Iterator<Item = ErrorCode>) -> fmt::Result {
    let mut errors: Vec<(&str, ErrorCode)> = codes
        .filter_map(|code| Some((code.name()?, code)))
        .collect();
    errors.sort_unstable();
    write!(out, "<ul class=\"chips\">")?;
    for (name, code) in errors {
        let class = match code.is_retriable() {
            Some(true) => "retriable",
            _ => "final",
        };
        write!(
            out,
            "<li><a class=\"{class}\" href=\"{ERRORS}#{name}\" title=\"{}\">{name}</a></li>",
            Markup(code.meaning().unwrap_or_default())
        )?;
    }
    writeln!(out, "</ul>")?;
    writeln!(
        out,
        "<p class=\"key\"><b class=\"retriable\">can succeed when sent again</b>\
         <b class=\"final\">will fail again</b></p>"
    )
}

/// Writes the APIs as links.
pub(super) fn api_chips<'m>(
    out: &mut String,
    entries: impl Iterator<Item = &'m ApiEntry>,
) -> fmt::Result {
    write!(out, "<ul class=\"chips\">")?;
    for entry in entries {
        write!(
            out,
            "<li><a href=\"{}\">{}</a></li>",
            entry.page(),
            Markup(&entry.name)
        )?;
    }
    writeln!(out, "</ul>")
}
