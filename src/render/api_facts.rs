//! What there is to know of an API beyond its bytes: what it is for, its errors, its versions.

use std::fmt::{self, Write};

use super::{Palette, wrap};
use crate::{
    explain::{ErrorCode, VersionFact, api_facts, errors_of},
    schema::ApiKey,
};

/// Width of running text.
const WIDTH: usize = 96;

/// Writes what the API is for, who calls it and since when.
pub fn api_purpose(out: &mut impl Write, api: ApiKey, palette: Palette) -> fmt::Result {
    let Some(facts) = api_facts(api) else {
        return Ok(());
    };
    let title = palette.title();
    writeln!(out, "{title}What is {api}?{title:#}\n")?;
    paragraph(out, &facts.purpose)?;
    let mut rows = vec![("Called by", facts.callers.join(", "))];
    rows.extend(
        facts
            .since
            .clone()
            .map(|release| ("Since", format!("Kafka {release}"))),
    );
    rows.extend(
        facts
            .removed
            .clone()
            .map(|release| ("Removed", format!("Kafka {release}"))),
    );
    let kips = facts.kips.iter();
    rows.extend(kips.map(|fact| ("", format!("KIP-{} {}", fact.kip, fact.what))));
    if !facts.kips.is_empty()
        && let Some(row) = rows.iter_mut().find(|(label, _)| label.is_empty())
    {
        row.0 = "Changed by";
    }
    writeln!(out)?;
    for (label, text) in rows {
        hanging(out, label, &text)?;
    }
    Ok(())
}

/// Writes the names of the errors that the API is known to return, in the order of the alphabet.
pub fn related_errors(out: &mut impl Write, api: ApiKey, palette: Palette) -> fmt::Result {
    let mut names: Vec<&str> = errors_of(api).filter_map(ErrorCode::name).collect();
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    let title = palette.title();
    writeln!(out, "{title}Related Errors{title:#}\n")?;
    writeln!(out, "{}", names.join(" · "))
}

/// Writes what each version changed.
pub fn version_history(out: &mut impl Write, api: ApiKey, palette: Palette) -> fmt::Result {
    let Some(facts) = api_facts(api) else {
        return Ok(());
    };
    let title = palette.title();
    writeln!(out, "{title}Version history{title:#}\n")?;
    for fact in &facts.versions {
        hanging(out, &format!("v{}", fact.version), &version_fact(fact))?;
    }
    if let Some(history) = &facts.history {
        writeln!(out)?;
        paragraph(out, history)?;
    }
    Ok(())
}

/// What a version changed, with where that is known from.
pub fn version_fact(fact: &VersionFact) -> String {
    let source = fact.source();
    if source.is_empty() {
        fact.what.clone()
    } else {
        format!("{} ({source})", fact.what)
    }
}

fn paragraph(out: &mut impl Write, text: &str) -> fmt::Result {
    for line in wrap(text, WIDTH) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Text beside a label.
fn hanging(out: &mut impl Write, label: &str, text: &str) -> fmt::Result {
    const LABEL: usize = 11;
    let mut label = label;
    for line in wrap(text, WIDTH - LABEL) {
        writeln!(out, "{label:<LABEL$}{line}")?;
        label = "";
    }
    Ok(())
}
