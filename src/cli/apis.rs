//! `apis`: every API with its key, versions and headers.

use serde_json::json;

use super::{Outcome, args::ApisArgs, output::Output};
use crate::schema::{
    ApiKey, Catalogue, Definition, Direction, Versions, request_header_version,
    response_header_version,
};

pub(super) fn run(args: &ApisArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    if !args.json {
        output.line(format_args!(
            "{:>3}  {:<30}  {:<6}  {:<6}  {:<8}  {:<8}  {}",
            "key", "API", "now", "ever", "flexible", "headers", "listeners"
        ))?;
    }
    for api in ApiKey::all() {
        let (Some(request), Some(response)) = (
            catalogue.api(api, Direction::Request),
            catalogue.api(api, Direction::Response),
        ) else {
            continue;
        };
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
            request.listeners.join(", "),
        ))?;
    }
    Ok(Outcome::Fine)
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
