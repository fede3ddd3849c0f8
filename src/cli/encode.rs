//! `encode`: JSON values as the bytes of a request or response.

use std::io::Write;

use anyhow::{Context, anyhow};
use serde_json::Value as Json;

use super::{Outcome, args::EncodeArgs, input, layout::api, output::Output};
use crate::{
    encode::{body, request_frame, response_frame},
    schema::{Catalogue, Direction},
};

pub(super) fn run(args: &EncodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::embedded();
    let api = api(&args.api)?;
    let direction = if args.response {
        Direction::Response
    } else {
        Direction::Request
    };
    let definition = catalogue
        .api(api, direction)
        .ok_or_else(|| anyhow!("{api} has no {}", direction.name()))?;
    let version = args.version.unwrap_or(definition.newest());
    let plan = catalogue
        .api_plan(api, direction, version)
        .ok_or_else(|| anyhow!("{api} has versions {}, not {version}", definition.ever))?;
    let text = input::read(&args.values)?;
    let name = input::name(&args.values);
    let mut values: Json =
        serde_json::from_slice(&text).with_context(|| format!("{name}: no JSON"))?;
    // What `decode --json` printed goes in as it is.
    if values.get("type") == Some(&Json::from("message"))
        && let Some(value) = values.get_mut("value")
    {
        values = value.take();
    }
    let body = body(plan, &values).with_context(|| name)?;
    let bytes = match direction {
        _ if args.body => body,
        Direction::Request => request_frame(
            catalogue,
            api,
            version,
            args.correlation_id,
            args.client_id.as_deref(),
            &body,
        ),
        Direction::Response => response_frame(catalogue, api, version, args.correlation_id, &body),
    };
    if args.hex || output.is_terminal() {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        output.line(hex)?;
    } else {
        output.raw().write_all(&bytes)?;
    }
    Ok(Outcome::Fine)
}
