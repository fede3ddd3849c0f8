//! What the reference shows of an API: which one, in which version, which of its messages.

use anyhow::anyhow;

use crate::schema::{ApiKey, Catalogue, Direction, nearest};

/// The API that an argument names.
pub(super) fn api(name: &str) -> anyhow::Result<ApiKey> {
    ApiKey::parse(name).ok_or_else(|| {
        if Catalogue::current().definition(name).is_some() {
            return anyhow!("{name} is a structure and no API; `kafscope schema {name}` shows it");
        }
        let names = ApiKey::all().filter_map(ApiKey::name);
        match nearest(name, names) {
            Some(near) => anyhow!("{name}: no API has this name or key; did you mean {near}?"),
            None => anyhow!("{name}: no API has this name or key; `kafscope apis` lists them"),
        }
    })
}

/// An API with a version behind a colon, if it has one.
pub(super) fn api_and_version(name: &str, asked: Option<i16>) -> anyhow::Result<(ApiKey, i16)> {
    let Some((name, text)) = name.split_once(':') else {
        let api = api(name)?;
        return Ok((api, version(api, asked)?));
    };
    let said = text
        .parse()
        .map_err(|_| anyhow!("{name}:{text}: \"{text}\" is no version"))?;
    match asked {
        Some(asked) if asked != said => Err(anyhow!("{name}:{said} contradicts --version {asked}")),
        _ => {
            let api = api(name)?;
            Ok((api, version(api, Some(said))?))
        }
    }
}

/// The version that is asked for, if the API ever had it; else the newest.
pub(super) fn version(api: ApiKey, asked: Option<i16>) -> anyhow::Result<i16> {
    let definition = Catalogue::current()
        .api(api, Direction::Request)
        .ok_or_else(|| anyhow!("{api} has no request"))?;
    let version = asked.unwrap_or(definition.newest());
    match definition.ever.contains(version) {
        true => Ok(version),
        false => Err(anyhow!(
            "{api} has versions {}, not {version}",
            definition.ever
        )),
    }
}

/// The messages that `--request` and `--response` leave.
pub(super) fn directions(request: bool, response: bool) -> &'static [Direction] {
    match (request, response) {
        (true, _) => &[Direction::Request],
        (_, true) => &[Direction::Response],
        _ => &[Direction::Request, Direction::Response],
    }
}

/// Bytes as hex digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
