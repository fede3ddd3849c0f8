//! What the arguments of `decode` say that the bytes are: `--request`, `--response`, `--as`.

use anyhow::anyhow;

use super::{args::DecodeArgs, sample::api, structure_spec};
use crate::{
    decode::{Claim, Lead},
    payload::Token,
    schema::{Catalogue, Direction, Kind, Plan},
};

/// What the arguments say the bytes are.
#[derive(Clone, Copy)]
pub(super) enum What {
    Messages(Claim),
    Structure(&'static Plan, Lead),
    /// Record batches and message set entries, back to back.
    Records,
    /// What a bytes field could hold, by its name.
    Content(&'static str),
}

/// Names for `--as` that no definition has: what is inside bytes fields and records.
const CONTENTS: [&str; 4] = [
    "SaslToken",
    "MetadataRecord",
    "RemoteLogMetadataRecord",
    "MetricsData",
];

/// Structures whose first field is their version.
const SELF_VERSIONED: [&str; 5] = [
    "LeaderChangeMessage",
    "SnapshotHeaderRecord",
    "SnapshotFooterRecord",
    "KRaftVersionRecord",
    "VotersRecord",
];

impl What {
    pub(super) fn of(args: &DecodeArgs, catalogue: &'static Catalogue) -> anyhow::Result<What> {
        if let Some(name) = &args.structure {
            return What::structure(name);
        }
        match (args.response, &args.api, args.version) {
            (true, Some(name), Some(version)) => {
                let api = api(name)?;
                let ever = catalogue.api(api, Direction::Response).map(|d| d.ever);
                match ever {
                    Some(ever) if !ever.contains(version) => {
                        Err(anyhow!("{api} has versions {ever}, not {version}"))
                    }
                    _ => Ok(What::Messages(Claim::Responses { api, version })),
                }
            }
            (false, Some(_), _) | (false, _, Some(_)) => Err(anyhow!(
                "--api and --version say which request a response answers and need --response; a \
                 request's header has both"
            )),
            _ => Ok(What::Messages(Claim::Requests)),
        }
    }

    fn structure(spec: &str) -> anyhow::Result<What> {
        let (name, version) = structure_spec::split(spec)?;
        if structure_spec::is_records(name) {
            return Ok(What::Records);
        }
        let content = CONTENTS
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
            .or_else(|| Token::is_name(name).then_some("SaslToken"));
        if let (Some(name), None) = (content, version) {
            return Ok(What::Content(name));
        }
        let (plan, lead) = structure_spec::plan(name, version, &CONTENTS)?;
        Ok(What::Structure(plan, lead))
    }
}

/// The plan in the version that the leading number says, where it says one.
pub(super) fn plan_for(
    plan: &'static Plan,
    lead: Lead,
    has_version: bool,
    catalogue: &'static Catalogue,
    bytes: &[u8],
) -> anyhow::Result<&'static Plan> {
    if lead == Lead::None {
        let first = match (has_version, plan.name) {
            (true, _) => None,
            (false, "SubscriptionInfoData") => {
                let version = bytes.first_chunk().copied().map(i32::from_be_bytes);
                version.and_then(|version| i16::try_from(version).ok())
            }
            (false, name) if SELF_VERSIONED.contains(&name) => {
                bytes.first_chunk().copied().map(i16::from_be_bytes)
            }
            _ => None,
        };
        let said = first.and_then(|version| catalogue.plan(plan.name, version));
        return Ok(said.unwrap_or(plan));
    }
    let Some(number) = bytes.first_chunk().copied().map(i16::from_be_bytes) else {
        return Err(anyhow!(
            "{} is stored behind an int16, and there are only {} bytes",
            plan.name,
            bytes.len()
        ));
    };
    match (plan.kind, plan.api_key) {
        (Kind::CoordinatorKey, Some(ty)) if ty == number => Ok(plan),
        (Kind::CoordinatorKey, Some(ty)) => Err(anyhow!(
            "{} has record type {ty}, the bytes start with type {number}",
            plan.name
        )),
        _ => catalogue.plan(plan.name, number).ok_or_else(|| {
            anyhow!(
                "the bytes start with version {number}, and {} has none such",
                plan.name
            )
        }),
    }
}
