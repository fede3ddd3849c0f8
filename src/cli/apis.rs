//! `apis`: every API with its key, versions and headers.

use serde_json::json;

use super::{Outcome, args::ApisArgs, output::Output};
use crate::explain::api_facts;
use crate::schema::{
    ApiKey, Catalogue, Definition, Direction, Versions, nearest, request_header_version,
    response_header_version,
};

pub(super) fn run(args: &ApisArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let mut rows: Vec<(ApiKey, &Definition, &Definition)> = ApiKey::all()
        .filter_map(|api| {
            let request = catalogue.api(api, Direction::Request)?;
            let response = catalogue.api(api, Direction::Response)?;
            Some((api, request, response))
        })
        .collect();
    rows.retain(|(api, request, _)| is_asked_for(args, *api, request));
    if rows.is_empty() {
        output.remark(&nobody(args));
        return Ok(Outcome::Nothing);
    }
    if !args.json {
        let last = if args.about { "about" } else { "listeners" };
        output.line(format_args!(
            "{:>3}  {:<30}  {:<6}  {:<6}  {:<8}  {:<8}  {last}",
            "key", "API", "now", "ever", "flexible", "headers"
        ))?;
    }
    for (api, request, response) in rows {
        let summary = api_facts(api).map(|facts| facts.summary.as_str());
        let name = api.name().unwrap_or_default();
        if args.json {
            output.json(&json!({
                "type": "api",
                "api_key": api.0,
                "api": name,
                "versions": range(request.valid),
                "versions_ever": range(request.ever),
                "flexible_from": flexible_from(request),
                "request_header_versions": headers(request, request_header_version),
                "response_header_versions": headers(response, response_header_version),
                "listeners": request.listeners,
                "about": summary,
            }))?;
            continue;
        }
        output.line(format_args!(
            "{:>3}  {:<30}  {:<6}  {:<6}  {:<8}  {:<8}  {}",
            api.0,
            name,
            request.valid.to_string(),
            request.ever.to_string(),
            flexible_from(request).map_or("-".to_owned(), |version| format!("{version}+")),
            format!(
                "{} / {}",
                numbers(&headers(request, request_header_version)),
                numbers(&headers(response, response_header_version))
            ),
            match args.about {
                true => summary.unwrap_or_default().to_owned(),
                false => request.listeners.join(", "),
            },
        ))?;
    }
    Ok(Outcome::Fine)
}

fn is_key(api: ApiKey, text: &str) -> bool {
    text.parse() == Ok(api.0)
}

/// That no API is like what was asked for, with the name that may have been meant.
fn nobody(args: &ApisArgs) -> String {
    let names = || ApiKey::all().filter_map(ApiKey::name);
    let near = args.name.as_deref().and_then(|name| nearest(name, names()));
    match near {
        Some(near) => format!("no API is like that; did you mean {near}?"),
        None => "no API is like that".to_owned(),
    }
}

fn is_asked_for(args: &ApisArgs, api: ApiKey, request: &Definition) -> bool {
    let name = api.name().unwrap_or_default().to_ascii_lowercase();
    let is_named = args
        .name
        .as_ref()
        .is_none_or(|part| name.contains(&part.to_ascii_lowercase()) || is_key(api, part));
    let is_heard = args
        .listener
        .is_none_or(|kind| request.listeners.iter().any(|known| known == kind.name()));
    let is_flexible = flexible_from(request).is_some();
    let is_encoded = match (args.flexible, args.inflexible) {
        (true, _) => is_flexible,
        (_, true) => !is_flexible,
        _ => true,
    };
    let lost = request.valid.is_empty() || request.valid.min > request.ever.min;
    is_named && is_heard && is_encoded && (lost || !args.removed)
}

fn range(versions: Versions) -> Option<[i16; 2]> {
    (!versions.is_empty()).then_some([versions.min, versions.max])
}

fn flexible_from(definition: &Definition) -> Option<i16> {
    let flexible = definition.flexible.and(definition.ever);
    (!flexible.is_empty()).then_some(flexible.min)
}

/// The header versions that occur, ascending.
fn headers(definition: &Definition, of: fn(&Definition, i16) -> i16) -> Vec<i16> {
    let mut versions: Vec<i16> = definition
        .ever
        .iter()
        .map(|version| of(definition, version))
        .collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

fn numbers(versions: &[i16]) -> String {
    let texts: Vec<String> = versions.iter().map(i16::to_string).collect();
    texts.join(",")
}
