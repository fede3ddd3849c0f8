//! Views that need no capture: APIs, layouts, differences, errors.

use std::fmt::Write;

use super::{Link, Text, TextLine, View};
use crate::{
    explain::{ErrorCode, api_facts, version_notes},
    render::{Cut, Palette, VersionDiff, layout, wrap},
    schema::{ApiKey, Catalogue, Direction},
};

/// The text of a view; `None` for one that needs a capture.
pub(super) fn reference_view(view: &View, width: usize) -> Option<Text> {
    Some(match *view {
        View::Apis => apis(),
        View::Layout(api, version) => {
            let mut text = String::new();
            let both = [Direction::Request, Direction::Response];
            // Nothing fails when a text is written to memory.
            let _ = layout(&mut text, api, version, &both, Cut::Short, Palette::Ansi);
            let mut page = Text::new(format!("{api} v{version}"), &folded(&text, width));
            page.lines.splice(0..0, neighbours(api, version));
            page
        }
        View::Diff(api, from, to) => {
            let mut text = String::new();
            let _ = VersionDiff::of_api(api, from, to).text(&mut text, None, Palette::Ansi);
            Text::new(format!("{api} v{from} -> v{to}"), &text)
        }
        View::Errors => errors(),
        View::Error(code) => error(ErrorCode(code), width),
        _ => return None,
    })
}

/// Running text is broken between words; everything else is left as it is.
fn folded(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let is_prose = line.len() > width && line.contains(". ") && !line.contains("+--");
        match is_prose {
            true => wrap(line, width.saturating_sub(4).max(20))
                .iter()
                .for_each(|line| {
                    out.push_str(line);
                    out.push('\n');
                }),
            false => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Lines that lead to the other versions of an API, and to what changed.
fn neighbours(api: ApiKey, version: i16) -> Vec<TextLine> {
    let Some(definition) = Catalogue::current().api(api, Direction::Request) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for other in definition.ever.iter().filter(|&other| other != version) {
        let is_near = (other - version).abs() == 1;
        if !is_near {
            continue;
        }
        lines.push(TextLine::to(
            format!("version {other}"),
            Link::View(View::Layout(api, other)),
        ));
        let (from, to) = (version.min(other), version.max(other));
        lines.push(TextLine::to(
            format!("what changed from version {from} to {to}"),
            Link::View(View::Diff(api, from, to)),
        ));
    }
    lines.push(TextLine::default());
    lines
}

fn apis() -> Text {
    let catalogue = Catalogue::current();
    let mut lines = vec![
        TextLine::to("all error codes", Link::View(View::Errors)),
        TextLine::default(),
        TextLine::of("\x1b[2mkey  API                             now     ever    about\x1b[0m"),
    ];
    for api in ApiKey::all() {
        let Some(definition) = catalogue.api(api, Direction::Request) else {
            continue;
        };
        let about = api_facts(api).map_or("", |facts| facts.summary.as_str());
        let text = format!(
            "{:>3}  {:<30}  {:<6}  {:<6}  {about}",
            api.0,
            api.to_string(),
            definition.valid.to_string(),
            definition.ever.to_string(),
        );
        let view = View::Layout(api, definition.newest());
        lines.push(TextLine::to(text, Link::View(view)));
    }
    Text {
        title: "APIs: Enter opens the newest version, / searches".to_owned(),
        lines,
    }
}

fn errors() -> Text {
    let line = |code: ErrorCode| {
        let retriable = match code.is_retriable() {
            Some(true) => "retriable",
            _ => "",
        };
        let name = code.name().unwrap_or_default();
        let meaning = code.meaning().unwrap_or_default();
        let first = meaning.split(". ").next().unwrap_or_default();
        let text = format!("{:>4}  {name:<40}  {retriable:<9}  {first}", code.0);
        TextLine::to(text, Link::View(View::Error(code.0)))
    };
    Text {
        title: "errors".to_owned(),
        lines: ErrorCode::all().map(line).collect(),
    }
}

fn error(code: ErrorCode, width: usize) -> Text {
    let mut text = String::new();
    let width = width.saturating_sub(4).clamp(20, 96);
    let mut part = |heading: &str, body: &str| {
        if !body.is_empty() {
            let _ = writeln!(text, "\x1b[1m{heading}\x1b[0m");
            for line in wrap(body, width) {
                let _ = writeln!(text, "{line}");
            }
            text.push('\n');
        }
    };
    let retriable = match code.is_retriable() {
        Some(true) => "It can be retried.",
        _ => "To try again does not help.",
    };
    part("What it means", code.meaning().unwrap_or_default());
    part("What to do", code.advice().unwrap_or_default());
    part("Retries", retriable);
    part("Since", code.since().unwrap_or_default());
    for note in version_notes(code) {
        part("In some versions", &note.to_string());
    }
    let mut text = Text::new(format!("error {}: {code}", code.0), &text);
    let apis: Vec<ApiKey> = code.apis().collect();
    if !apis.is_empty() {
        text.lines.push(TextLine::of("\x1b[1mReturned by\x1b[0m"));
    }
    for api in apis {
        let newest = Catalogue::current()
            .api(api, Direction::Request)
            .map_or(0, |definition| definition.newest());
        let link = Link::View(View::Layout(api, newest));
        text.lines.push(TextLine::to(api.to_string(), link));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_reference_leads_to_a_text() {
        let mut open = vec![View::Apis, View::Errors];
        let mut seen = Vec::new();
        while let Some(view) = open.pop() {
            if seen.contains(&view) {
                continue;
            }
            let text = reference_view(&view, 100).unwrap();
            assert!(text.lines.len() > 3, "{view:?}");
            for line in &text.lines {
                // All pages of all versions take a while; those of a few APIs do for the rest.
                if let Some(Link::View(next)) = &line.link {
                    let far =
                        matches!(next, View::Layout(api, _) | View::Diff(api, ..) if api.0 > 20);
                    if !far {
                        open.push(next.clone());
                    }
                }
            }
            seen.push(view);
        }
        assert!(seen.len() > 200, "{}", seen.len());
    }
}
