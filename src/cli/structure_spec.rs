//! What `--as` names: a structure by itself, and the number that it is stored behind.

use anyhow::anyhow;

use crate::{
    decode::{CONTROL_KEY, Lead, VERSIONED},
    schema::{ApiKey, Catalogue, Kind, Plan, nearest},
};

/// Names that no definition has: what Kafka calls the content of `records` fields.
const RECORDS: [&str; 3] = ["RecordBatch", "MessageSet", "Records"];

/// A name with its version, if it has one.
pub(super) fn split(spec: &str) -> anyhow::Result<(&str, Option<i16>)> {
    let Some((name, version)) = spec.split_once(':') else {
        return Ok((spec, None));
    };
    let version = version.parse::<i16>().map_err(|_| {
        anyhow!("--as {spec}: \"{version}\" is no version; NAME:VERSION is expected")
    })?;
    Ok((name, Some(version)))
}

/// Whether a name stands for record batches and message set entries, back to back.
pub(super) fn is_records(name: &str) -> bool {
    RECORDS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The plan of a name in a version, the newest without one, and what it is stored behind. With a
/// version it stands by itself. `others` are names that may have been meant as well.
pub(super) fn plan(
    name: &str,
    version: Option<i16>,
    others: &[&'static str],
) -> anyhow::Result<(&'static Plan, Lead)> {
    let catalogue = Catalogue::current();
    let name = match name.eq_ignore_ascii_case(CONTROL_KEY.0) {
        true => CONTROL_KEY.1,
        false => name,
    };
    let known = catalogue
        .names()
        .find(|known| known.eq_ignore_ascii_case(name))
        .ok_or_else(|| {
            let others = RECORDS.into_iter().chain(others.iter().copied());
            let near = match ApiKey::parse(name).and_then(ApiKey::name) {
                Some(api) => Some(format!("{api}Request or {api}Response")),
                None => nearest(name, catalogue.names().chain(others)).map(str::to_owned),
            };
            match near {
                Some(near) => {
                    anyhow!("--as {name}: no definition has this name; did you mean {near}?")
                }
                None => anyhow!("--as {name}: no definition has this name"),
            }
        })?;
    let definition = catalogue
        .definition(known)
        .ok_or_else(|| anyhow!("{known} is unknown"))??;
    let lead = match (version, definition.kind) {
        (Some(_), _) => Lead::None,
        (None, Kind::CoordinatorKey) => Lead::TYPE,
        (None, Kind::CoordinatorValue) => Lead::VERSION,
        (None, Kind::Data) if VERSIONED.contains(&known) => Lead::VERSION,
        (None, _) => Lead::None,
    };
    let version = version.unwrap_or(definition.newest());
    let plan = catalogue
        .plan(known, version)
        .ok_or_else(|| anyhow!("{known} has versions {}, not {version}", definition.ever))?;
    Ok((plan, lead))
}

/// The number in front of a structure of `plan`, where it is stored behind one.
pub(super) fn leading_number(plan: &Plan, lead: Lead) -> Option<i16> {
    match (lead, plan.kind) {
        (Lead::None, _) => None,
        (_, Kind::CoordinatorKey) => plan.api_key,
        _ => Some(plan.version),
    }
}
