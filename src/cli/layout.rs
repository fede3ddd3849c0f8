//! `layout`: the documented page of one version of an API.

use anyhow::anyhow;

use super::{
    Outcome,
    args::{LayoutArgs, LayoutPart},
    output::Output,
};
use crate::{
    decode::{Framing, request, response},
    encode::{request_frame, response_frame, smallest},
    render::{Cut, Page, Wording, grid, object_tree, page, schema_text},
    schema::{ApiKey, Catalogue, Direction, nearest},
    tree::{Builder, Tree},
    wire::BufferId,
};

pub(super) fn run(args: &LayoutArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let api = api(&args.api)?;
    let definition = catalogue
        .api(api, Direction::Request)
        .ok_or_else(|| anyhow!("{api} has no request"))?;
    let version = args.version.unwrap_or(definition.newest());
    if !definition.ever.contains(version) {
        return Err(anyhow!(
            "{api} has versions {}, not {version}",
            definition.ever
        ));
    }
    let directions: &[Direction] = match (args.request, args.response) {
        (true, _) => &[Direction::Request],
        (_, true) => &[Direction::Response],
        _ => &[Direction::Request, Direction::Response],
    };
    let cut = if args.wide { Cut::Wide } else { Cut::Short };
    let palette = output.palette();
    let mut text = String::new();
    let Some(part) = args.only else {
        let trees = directions
            .iter()
            .filter_map(|&direction| Some((direction, sample(catalogue, api, direction, version)?)))
            .collect::<Vec<_>>();
        page(
            &mut text,
            &Page {
                catalogue,
                api,
                version,
                trees: &trees,
                sizes: [Direction::Request, Direction::Response]
                    .map(|direction| frame(catalogue, api, direction, version).map(|f| f.len())),
            },
            cut,
            palette,
        )?;
        output.text(text)?;
        return Ok(Outcome::Fine);
    };
    for (idx, &direction) in directions.iter().enumerate() {
        if idx > 0 {
            text.push('\n');
        }
        let Some(tree) = sample(catalogue, api, direction, version) else {
            continue;
        };
        match part {
            LayoutPart::Tree => object_tree(&mut text, &tree, Wording::Sample, cut, palette)?,
            LayoutPart::Grid => grid(&mut text, &tree, BufferId::FRAME, palette)?,
            LayoutPart::Schema => text.push_str(&schema_text(catalogue, api, direction)),
            LayoutPart::Hex => {
                let bytes = tree.buffers().first().map(|buffer| buffer.bytes.as_slice());
                text.push_str(&hex(bytes.unwrap_or_default()));
                text.push('\n');
            }
        }
    }
    output.text(text)?;
    Ok(Outcome::Fine)
}

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

/// The smallest legal message, framed.
fn frame(
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

/// The tree of the smallest legal message.
fn sample(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
) -> Option<Tree> {
    let bytes = frame(catalogue, api, direction, version)?;
    let (tree, _) = Builder::build(bytes, |bytes, sink| match direction {
        Direction::Request => request(catalogue, Framing::Sized, bytes, sink),
        Direction::Response => response(catalogue, Framing::Sized, bytes, api, version, sink),
    });
    Some(tree)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
