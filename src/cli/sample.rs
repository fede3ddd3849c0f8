//! What the reference shows of an API: which one, in which version, which of its messages, decoded.

use anyhow::anyhow;

use crate::{
    decode::{Decoded, Framing, Lead, request, response, structure},
    encode::{request_frame, response_frame, smallest},
    schema::{ApiKey, Catalogue, Direction, Plan, nearest},
    tree::{Builder, Tree},
};

/// The API that an argument names.
pub(super) fn api(name: &str) -> anyhow::Result<ApiKey> {
    ApiKey::parse(name).ok_or_else(|| {
        let names = ApiKey::all().filter_map(ApiKey::name);
        match nearest(name, names) {
            Some(near) => anyhow!("{name}: no API has this name or key; did you mean {near}?"),
            None => anyhow!("{name}: no API has this name or key; `kafscope apis` lists them"),
        }
    })
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

/// The smallest legal message, framed.
pub(super) fn smallest_frame(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
) -> Option<Vec<u8>> {
    let body = smallest(catalogue.api_plan(api, direction, version)?);
    Some(match direction {
        Direction::Request => request_frame(catalogue, api, version, 0, Some(""), &body),
        Direction::Response => response_frame(catalogue, api, version, 0, &body),
    })
}

/// A framed message, decoded.
pub(super) fn tree(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
    frame: Vec<u8>,
) -> (Tree, Decoded) {
    Builder::build(frame, |bytes, sink| match direction {
        Direction::Request => request(catalogue, Framing::Sized, bytes, sink),
        Direction::Response => response(catalogue, Framing::Sized, bytes, api, version, sink),
    })
}

/// The smallest legal instance of a message with its header, or of a structure by itself, decoded.
pub(super) fn smallest_tree(direction: Option<Direction>, plan: &'static Plan) -> Option<Tree> {
    let catalogue = Catalogue::current();
    match (direction, plan.api()) {
        (Some(direction), Some(api)) => {
            let frame = smallest_frame(catalogue, api, direction, plan.version)?;
            Some(tree(catalogue, api, direction, plan.version, frame).0)
        }
        _ => {
            let (tree, ()) = Builder::build(smallest(plan), |bytes, sink| {
                structure(plan, Lead::None, bytes, sink);
            });
            Some(tree)
        }
    }
}

/// Bytes as hex digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
