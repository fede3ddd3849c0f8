//! `diff`: what differs between two versions of an API, two messages, or the messages of two captures.

mod messages;
mod versions;

use std::path::Path;

use anyhow::anyhow;

use super::{Outcome, args::DiffArgs, output::Output};
use crate::schema::{ApiKey, Catalogue};

pub(super) fn run(args: &DiffArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let texts: Vec<&str> = args
        .what
        .iter()
        .map(|text| text.to_str().unwrap_or_default())
        .collect();
    let is_name = |text: &str| {
        let mut names = Catalogue::current().names();
        !Path::new(text).exists()
            && (ApiKey::parse(text).is_some() || names.any(|name| name.eq_ignore_ascii_case(text)))
    };
    match texts.as_slice() {
        [name, versions @ ..] if is_name(name) && versions.len() <= 2 => {
            let versions = versions
                .iter()
                .map(|text| {
                    text.trim_start_matches(['v', 'V'])
                        .parse()
                        .map_err(|_| anyhow!("{text}: no version; expected as in diff {name} 3 4"))
                })
                .collect::<anyhow::Result<Vec<i16>>>()?;
            versions::run(args, name, &versions, output)
        }
        [name, ..] if !Path::new(name).exists() && *name != "-" => Err(anyhow!(
            "{name}: no API or definition has this name, and there is no such file"
        )),
        _ => messages::run(args, output),
    }
}
