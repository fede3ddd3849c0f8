//! `encode`: JSON values as the bytes of requests, responses, structures and record batches.
//!
//! The values are a body by field names, or what `decode --json` printed, which knows what it is.
//! Arguments may repeat that, or fill in what it leaves open, but not contradict it.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use serde_json::{Deserializer, Value as Json};

use super::{Outcome, args::EncodeArgs, input, output::Output, sample::api, structure_spec};
use crate::{
    encode::{body, records, request_frame, response_frame},
    schema::{ApiKey, Catalogue, Direction, Plan},
};

pub(super) fn run(args: &EncodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let (api, values) = positional(args)?;
    let text = input::read(&values)?;
    let name = input::name(&values);
    let mut any = false;
    for line in Deserializer::from_slice(&text).into_iter::<Json>() {
        let json = line.with_context(|| format!("{name}: no JSON"))?;
        let bytes = encoded(args, api, &json).with_context(|| name.clone())?;
        if was_cut(&json) {
            output.remark(&format!(
                "{name}: the message was cut when it was decoded; fields that it did not have \
                 are written with their defaults"
            ));
        }
        if args.hex || output.is_terminal() {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            output.line(hex)?;
        } else {
            output.raw().write_all(&bytes)?;
        }
        any = true;
    }
    match any {
        true => Ok(Outcome::Fine),
        false => Err(anyhow!("{name} is empty, expected values as JSON")),
    }
}

/// The API and the file with the values. One argument alone is an API if it can be.
fn positional(args: &EncodeArgs) -> anyhow::Result<(Option<ApiKey>, PathBuf)> {
    let stdin = || PathBuf::from("-");
    if args.structure.is_some() {
        return match (&args.api, &args.values) {
            (Some(name), Some(_)) => Err(anyhow!("--as says what to encode, and so does {name}")),
            (values, _) => Ok((None, values.as_ref().map_or_else(stdin, PathBuf::from))),
        };
    }
    match (&args.api, &args.values) {
        (None, values) => Ok((None, values.clone().unwrap_or_else(stdin))),
        (Some(text), None)
            if ApiKey::parse(text).is_none() && (text == "-" || Path::new(text).exists()) =>
        {
            Ok((None, PathBuf::from(text)))
        }
        (Some(name), values) => Ok((Some(api(name)?), values.clone().unwrap_or_else(stdin))),
    }
}

/// Whether a message ended before its last field, and even between two.
fn was_cut(json: &Json) -> bool {
    let problems = json.get("problems").and_then(Json::as_array);
    problems.into_iter().flatten().any(|problem| {
        let code = problem.get("code").and_then(Json::as_str);
        matches!(code, Some("short" | "gap"))
    })
}

/// What the values say of themselves, if they are a message that was decoded.
struct Message<'a> {
    kind: &'a str,
    /// The name of a definition, for a body or structure without header.
    name: Option<&'a str>,
    api: Option<ApiKey>,
    version: Option<i16>,
    /// The int16 in front of a stored structure.
    lead: Option<i16>,
    correlation_id: Option<i32>,
    client_id: Option<&'a str>,
    value: &'a Json,
}

impl<'a> Message<'a> {
    /// No field of a body is called `type` or `value`, as those of Kafka start with capitals.
    fn of(json: &'a Json) -> Option<Message<'a>> {
        let text = |name| json.get(name).and_then(Json::as_str);
        let number = |name| json.get(name).and_then(Json::as_i64);
        if text("type") != Some("message") {
            return None;
        }
        Some(Message {
            kind: text("kind")?,
            name: text("name"),
            api: number("api_key")
                .and_then(|key| i16::try_from(key).ok())
                .map(ApiKey),
            version: number("version").and_then(|version| version.try_into().ok()),
            lead: number("lead").and_then(|lead| lead.try_into().ok()),
            correlation_id: number("correlation_id").and_then(|id| id.try_into().ok()),
            client_id: text("client_id"),
            value: json.get("value")?,
        })
    }

    fn direction(&self) -> Option<Direction> {
        [Direction::Request, Direction::Response]
            .into_iter()
            .find(|direction| direction.name() == self.kind)
    }
}

fn encoded(args: &EncodeArgs, named: Option<ApiKey>, json: &Json) -> anyhow::Result<Vec<u8>> {
    let catalogue = Catalogue::current();
    let message = Message::of(json);
    if json.get("secrets_hidden") == Some(&Json::Bool(true)) {
        return Err(anyhow!(
            "secrets are hidden in the message, and asterisks are not what it said; decode it with --show-secrets"
        ));
    }
    if let Some(spec) = &args.structure {
        return structure_as(spec, message.as_ref(), json);
    }
    let asked = match (args.request, args.response) {
        (true, _) => Some(Direction::Request),
        (_, true) => Some(Direction::Response),
        _ => None,
    };
    if let Some(message) = &message
        && message.direction().is_none()
    {
        if let Some(api) = named {
            return Err(contradiction(api, message.kind));
        }
        if let Some(direction) = asked {
            return Err(contradiction(direction.name(), message.kind));
        }
        if message.kind == "records" {
            return Ok(records(message.value)?);
        }
        let plan = structure(catalogue, message, args.version)?;
        return Ok(behind(message.lead, body(plan, message.value)?));
    }
    api_message(args, (named, asked), message.as_ref(), json)
}

/// The request or response of the API that the arguments ask for, or the message says.
fn api_message(
    args: &EncodeArgs,
    (named, asked): (Option<ApiKey>, Option<Direction>),
    said: Option<&Message<'_>>,
    json: &Json,
) -> anyhow::Result<Vec<u8>> {
    let catalogue = Catalogue::current();
    let api = one(named, said.and_then(|message| message.api))?
        .ok_or_else(|| anyhow!("no API: name one, or give a message as decode --json prints it"))?;
    let said_direction = said.and_then(Message::direction);
    one(
        asked.map(Direction::name),
        said_direction.map(Direction::name),
    )?;
    let direction = asked.or(said_direction).unwrap_or(Direction::Request);
    let definition = catalogue
        .api(api, direction)
        .ok_or_else(|| anyhow!("{api} has no {}", direction.name()))?;
    let said_version = said.and_then(|message| message.version);
    let version = one(args.version.map(Version), said_version.map(Version))?
        .map_or(definition.newest(), |version| version.0);
    let plan = catalogue
        .api_plan(api, direction, version)
        .ok_or_else(|| anyhow!("{api} has versions {}, not {version}", definition.ever))?;
    let body = body(plan, said.map_or(json, |message| message.value))?;
    let has_header = said.is_none_or(|message| message.name.is_none());
    if args.body || !has_header {
        return Ok(body);
    }
    let correlation_id = args
        .correlation_id
        .or(said.and_then(|message| message.correlation_id))
        .unwrap_or(0);
    let client_id = args
        .client_id
        .as_deref()
        .or(said.and_then(|message| message.client_id));
    Ok(match direction {
        Direction::Request => {
            request_frame(catalogue, api, version, correlation_id, client_id, &body)
        }
        Direction::Response => response_frame(catalogue, api, version, correlation_id, &body),
    })
}

/// What `--as` names, from its value alone or a message of the same name and version.
fn structure_as(spec: &str, message: Option<&Message<'_>>, json: &Json) -> anyhow::Result<Vec<u8>> {
    let (name, asked) = structure_spec::split(spec)?;
    let value = message.map_or(json, |message| message.value);
    if structure_spec::is_records(name) {
        return Ok(records(value)?);
    }
    let said = message.and_then(|message| message.version);
    let version = one(asked.map(Version), said.map(Version))?.map(|version| version.0);
    // Whether there is a number in front does not hang on a version that the message says.
    let (_, lead) = structure_spec::plan(name, asked, &[])?;
    let (plan, _) = structure_spec::plan(name, version, &[])?;
    one(Some(plan.name), message.and_then(|message| message.name))?;
    let lead = structure_spec::leading_number(plan, lead);
    Ok(behind(
        message.map_or(lead, |message| message.lead),
        body(plan, value)?,
    ))
}

/// A structure with the number that it is stored behind.
fn behind(lead: Option<i16>, body: Vec<u8>) -> Vec<u8> {
    match lead {
        Some(lead) => [&lead.to_be_bytes(), body.as_slice()].concat(),
        None => body,
    }
}

/// The plan of a structure that has no API.
fn structure(
    catalogue: &'static Catalogue,
    message: &Message<'_>,
    asked: Option<i16>,
) -> anyhow::Result<&'static Plan> {
    let name = message
        .name
        .ok_or_else(|| anyhow!("the bytes of a {} have no fields to encode", message.kind))?;
    let version = one(asked.map(Version), message.version.map(Version))?
        .ok_or_else(|| anyhow!("{name} without its version"))?
        .0;
    catalogue
        .plan(name, version)
        .ok_or_else(|| anyhow!("{name} {version} is unknown"))
}

/// A version as complaints name it.
#[derive(Clone, Copy, PartialEq)]
struct Version(i16);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "version {}", self.0)
    }
}

/// What the arguments or the message say, which must be the same if both do.
fn one<T: PartialEq + std::fmt::Display>(
    asked: Option<T>,
    said: Option<T>,
) -> anyhow::Result<Option<T>> {
    match (asked, said) {
        (Some(asked), Some(said)) if asked != said => Err(contradiction(asked, said)),
        (asked, said) => Ok(asked.or(said)),
    }
}

fn contradiction(asked: impl std::fmt::Display, said: impl std::fmt::Display) -> anyhow::Error {
    anyhow!(
        "the arguments say {asked}, the message says {said}; give its value alone to encode it \
         as something else"
    )
}
