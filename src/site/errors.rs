//! The page of all error codes.

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place, search},
    links::{api_chips, linked},
    map::SiteMap,
};
use crate::{
    explain::{ErrorCode, version_notes},
    render::{Markup, html::page::Dress},
};

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap) -> fmt::Result {
    let frame = Frame {
        part: Part::Errors,
        dress: Dress::REFERENCE,
        heading: "Errors",
        place: Place::Top,
    };
    frame.open(out)?;
    writeln!(
        out,
        "<p class=\"lead\">An error code is an int16 in a response; 0 is none. Retriable means that the \
         same request can succeed when it is sent again. The lists of APIs are long, not complete: \
         any request may meet errors such as UNKNOWN_SERVER_ERROR.</p>"
    )?;
    search(out, "Filter by name, code or meaning")?;
    writeln!(out, "<div class=\"errors\">")?;
    for code in ErrorCode::all() {
        error(out, map, code)?;
    }
    writeln!(out, "</div>")?;
    frame.close(out)
}

fn error(out: &mut String, map: &SiteMap, code: ErrorCode) -> fmt::Result {
    let Some(name) = code.name() else {
        return Ok(());
    };
    let former: Vec<&str> = code.former_names().collect();
    let meaning = code.meaning().unwrap_or_default();
    let advice = code.advice().unwrap_or_default();
    let words = [name, meaning, advice, &former.join(" ")].join(" ");
    let tag = match (code, code.is_retriable()) {
        (ErrorCode::NONE, _) => "",
        (_, Some(true)) => " <span class=\"tag yes\">retriable</span>",
        _ => " <span class=\"tag no\">not retriable</span>",
    };
    write!(
        out,
        "<article class=\"error\" id=\"{name}\" data-key=\"{0}\" data-q=\"{1}\">\
         <h2><span class=\"code-number\">{0}</span> <a href=\"#{name}\">{name}</a>{tag}</h2>\n\
         <p>",
        code.0,
        Markup(words.to_lowercase())
    )?;
    linked(out, meaning)?;
    write!(out, "</p>\n<p class=\"advice\">")?;
    linked(out, advice)?;
    writeln!(out, "</p>")?;
    let since = code.since().map(|since| format!("Since {since}."));
    let was = (!former.is_empty()).then(|| format!("Formerly {}.", former.join(", ")));
    let rest: Vec<String> = since.into_iter().chain(was).collect();
    if !rest.is_empty() {
        writeln!(out, "<p class=\"meta\">{}</p>", Markup(rest.join(" ")))?;
    }
    for note in version_notes(code) {
        writeln!(
            out,
            "<p class=\"meta\">Version: {}.</p>",
            Markup(note.to_string())
        )?;
    }
    let mut apis = code.apis().filter_map(|api| map.api(api)).peekable();
    if apis.peek().is_some() {
        api_chips(out, apis)?;
    }
    writeln!(out, "</article>")
}
