//! Two versions of an API or of any definition.

use anyhow::anyhow;

use crate::{
    cli::{
        Outcome,
        args::{DiffArgs, DiffPart},
        output::Output,
        sample,
    },
    render::{VersionDiff, VersionDiffPart},
    schema::{ApiKey, Catalogue, Direction, Versions, nearest},
};

pub(super) fn run(
    args: &DiffArgs,
    name: &str,
    versions: &[i16],
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let api = ApiKey::parse(name);
    let names: Vec<(Option<Direction>, String)> = match api {
        Some(api) => sample::directions(args.request, args.response)
            .iter()
            .filter_map(|&direction| {
                let definition = catalogue.api(api, direction)?;
                Some((Some(direction), definition.name.clone()))
            })
            .collect(),
        None => vec![(None, known_name(name)?)],
    };
    let ever = names
        .iter()
        .filter_map(|(_, name)| catalogue.definition(name)?.ok())
        .map(|definition| definition.ever)
        .fold(Versions::NONE, Versions::hull);
    let (from, to) = match versions {
        [] => (ever.max.saturating_sub(1).max(ever.min), ever.max),
        [from] => (*from, ever.max),
        [from, to, ..] => (*from, *to),
    };
    if let Some(version) = [from, to].into_iter().find(|&v| !ever.contains(v)) {
        return Err(anyhow!("{name} has versions {ever}, not {version}"));
    }
    let title = api.map_or(name.to_owned(), |api| api.to_string());
    let diff = VersionDiff::new(title, &names, from, to);
    if args.json {
        for line in diff.json() {
            output.json(&line)?;
        }
        return Ok(Outcome::Fine);
    }
    let part = args.only.map(|only| match only {
        DiffPart::Fields => VersionDiffPart::Fields,
        DiffPart::Facts => VersionDiffPart::Facts,
        DiffPart::Bytes => VersionDiffPart::Bytes,
    });
    let mut text = String::new();
    diff.text(&mut text, part, output.palette())?;
    output.text(text)?;
    Ok(Outcome::Fine)
}

/// The definition of that name, in the case that it has.
fn known_name(name: &str) -> anyhow::Result<String> {
    let catalogue = Catalogue::current();
    let found = catalogue
        .names()
        .find(|known| known.eq_ignore_ascii_case(name));
    found
        .map(str::to_owned)
        .ok_or_else(|| match nearest(name, catalogue.names()) {
            Some(near) => anyhow!("{name}: no definition has this name; did you mean {near}?"),
            None => anyhow!("{name}: no definition has this name"),
        })
}
