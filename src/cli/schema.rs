//! `schema`: a message definition as Kafka writes it, whole or as one version sees it.

use anyhow::anyhow;
use serde_json::Value as Json;

use super::{Outcome, args::SchemaArgs, output::Output, sample, structure_spec::is_records};
use crate::{
    render::{definition_text, schema_notation, schema_text},
    schema::{ApiKey, Catalogue, Direction, narrowed, nearest},
};

pub(super) fn run(args: &SchemaArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let (name, version) = split(&args.name)?;
    let catalogue = Catalogue::current();
    let mut text = String::new();
    for (idx, name) in definitions(args, name)?.into_iter().enumerate() {
        if idx > 0 {
            text.push('\n');
        }
        let definition = catalogue
            .definition(&name)
            .ok_or_else(|| anyhow!("{name} is unknown"))??;
        if let Some(version) = version
            && !definition.ever.contains(version)
        {
            return Err(anyhow!(
                "{name} has versions {}, not {version}",
                definition.ever
            ));
        }
        if args.notation {
            let version = version.unwrap_or(definition.newest());
            let plan = catalogue
                .plan(&name, version)
                .ok_or_else(|| anyhow!("{name} has no version {version}"))?;
            text.push_str(&format!("{name} v{version}\n"));
            schema_notation(&mut text, plan)?;
            continue;
        }
        match version {
            None => text.push_str(&schema_text(catalogue, &name)),
            Some(version) => {
                let whole = catalogue.text_with(&name, version).unwrap_or_default();
                if let Some(Json::Object(definition)) = narrowed(&name, whole, version) {
                    text.push_str(&definition_text(&definition));
                }
            }
        }
    }
    output.text(text)?;
    Ok(Outcome::Fine)
}

/// A name with its version, if it has one.
fn split(spec: &str) -> anyhow::Result<(&str, Option<i16>)> {
    let Some((name, version)) = spec.split_once(':') else {
        return Ok((spec, None));
    };
    let version = version
        .parse::<i16>()
        .map_err(|_| anyhow!("{spec}: \"{version}\" is no version; NAME:VERSION is expected"))?;
    Ok((name, Some(version)))
}

/// The names of the definitions that are asked for: those of an API, or one by its own name.
fn definitions(args: &SchemaArgs, name: &str) -> anyhow::Result<Vec<String>> {
    let catalogue = Catalogue::current();
    let exact = catalogue
        .names()
        .find(|known| known.eq_ignore_ascii_case(name));
    if let Some(exact) = exact {
        let is_side = |direction: Direction| exact.ends_with(direction.suffix());
        return match (args.request, args.response) {
            (true, _) if !is_side(Direction::Request) => Err(anyhow!("{exact} is no request")),
            (_, true) if !is_side(Direction::Response) => Err(anyhow!("{exact} is no response")),
            _ => Ok(vec![exact.to_owned()]),
        };
    }
    if is_records(name) {
        return Err(anyhow!(
            "{name}: Kafka has no definition of it; kafscope decode --as {name} reads one, and \
             kafscope layout Produce shows one field by field"
        ));
    }
    let Some(api) = ApiKey::parse(name) else {
        let names = catalogue.names();
        let all = names.chain(ApiKey::all().filter_map(ApiKey::name));
        return Err(match nearest(name, all) {
            Some(near) => anyhow!("{name}: no definition has this name; did you mean {near}?"),
            None => anyhow!(
                "{name}: no API or definition has this name; `kafscope apis` lists the APIs"
            ),
        });
    };
    Ok(sample::directions(args.request, args.response)
        .iter()
        .filter_map(|&direction| catalogue.api(api, direction))
        .map(|definition| definition.name.clone())
        .collect())
}
