//! Links from page to page.

use std::fmt::{self, Write};

use super::map::{ApiEntry, ERRORS, Standing};
use crate::{
    explain::{ApiFacts, ErrorCode, api_facts},
    render::Markup,
};

/// Writes what an API is for, as its page and those of its versions begin; all that is known of it.
pub(super) fn lead(
    out: &mut String,
    entry: &ApiEntry,
) -> Result<Option<&'static ApiFacts>, fmt::Error> {
    let known = api_facts(entry.api);
    if let Some(known) = known {
        writeln!(
            out,
            "<p class=\"lead summary\">{}</p>",
            Markup(&known.summary)
        )?;
    }
    Ok(known)
}

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

/// The attributes of a link to a version that brokers do not speak.
pub(super) fn age(entry: &ApiEntry, version: i16) -> &'static str {
    match entry.standing(version) {
        Standing::Spoken => "",
        Standing::Removed => " class=\"old\" title=\"removed\"",
        Standing::Newer => " class=\"newer\" title=\"not spoken yet\"",
    }
}

/// Writes a sentence in which names of errors are links.
pub(super) fn linked(out: &mut String, text: &str) -> fmt::Result {
    let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside = is_name(first);
        let len = rest.find(|c| is_name(c) != inside).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        // One word in capitals may be anything.
        let is_error = piece.contains('_')
            && ErrorCode::parse(piece).is_some_and(|code| code.name() == Some(piece));
        match is_error {
            true => write!(out, "<a href=\"{ERRORS}#{piece}\"><code>{piece}</code></a>")?,
            false => write!(out, "{}", Markup(piece))?,
        }
        rest = behind;
    }
    Ok(())
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
