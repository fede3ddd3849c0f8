//! `layout`: the documented page of one version of an API.

use super::{
    Outcome,
    args::{LayoutArgs, LayoutPart},
    output::Output,
    sample,
};
use crate::{
    render::{
        Cut, Page, Palette, Wording, api_purpose, grid, notations, object_tree, page,
        related_errors, schema_text, version_history, wire,
    },
    schema::{ApiKey, Catalogue, Direction},
    tree::Tree,
    wire::BufferId,
};

pub(super) fn run(args: &LayoutArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let api = sample::api(&args.api)?;
    let version = sample::version(api, args.version)?;
    let directions = sample::directions(args.request, args.response);
    let cut = if args.wide { Cut::Wide } else { Cut::Short };
    let palette = output.palette();
    let mut text = String::new();
    let Some(part) = args.only else {
        let trees = directions
            .iter()
            .filter_map(|&direction| {
                Some((direction, smallest(catalogue, api, direction, version)?))
            })
            .collect::<Vec<_>>();
        page(
            &mut text,
            &Page {
                catalogue,
                api,
                version,
                trees: &trees,
                sizes: [Direction::Request, Direction::Response].map(|direction| {
                    let frame = sample::smallest_frame(catalogue, api, direction, version);
                    frame.map(|frame| frame.len())
                }),
            },
            cut,
            palette,
        )?;
        output.text(text)?;
        return Ok(Outcome::Fine);
    };
    match part {
        LayoutPart::About => {
            api_purpose(&mut text, api, palette)?;
            text.push('\n');
            related_errors(&mut text, api, palette)?;
        }
        LayoutPart::History => version_history(&mut text, api, palette)?,
        _ => {
            for (idx, &direction) in directions.iter().enumerate() {
                if idx > 0 {
                    text.push('\n');
                }
                message_part(&mut text, part, (api, direction, version), cut, palette)?;
            }
        }
    }
    output.text(text)?;
    Ok(Outcome::Fine)
}

/// A part that there is for each message.
fn message_part(
    text: &mut String,
    part: LayoutPart,
    (api, direction, version): (ApiKey, Direction, i16),
    cut: Cut,
    palette: Palette,
) -> anyhow::Result<()> {
    let catalogue = Catalogue::current();
    match (part, smallest(catalogue, api, direction, version)) {
        (LayoutPart::Schema, _) => {
            if let Some(definition) = catalogue.api(api, direction) {
                text.push_str(&schema_text(catalogue, &definition.name));
            }
        }
        (LayoutPart::Wire, _) => wire(text, catalogue, api, direction, version, palette)?,
        (LayoutPart::Notation, _) => {
            if let Some(plan) = catalogue.api_plan(api, direction, version) {
                notations(text, plan, palette)?;
            }
        }
        (LayoutPart::Tree, Some(tree)) => {
            object_tree(text, &tree, Wording::Sample, cut, palette)?;
        }
        (LayoutPart::Grid, Some(tree)) => grid(text, &tree, BufferId::FRAME, palette)?,
        (LayoutPart::Hex, Some(tree)) => {
            let bytes = tree.buffers().first().map(|buffer| buffer.bytes.as_slice());
            text.push_str(&sample::hex(bytes.unwrap_or_default()));
            text.push('\n');
        }
        (LayoutPart::About | LayoutPart::History, _) | (_, None) => {}
    }
    Ok(())
}

/// The tree of the smallest legal message.
fn smallest(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
) -> Option<Tree> {
    let frame = sample::smallest_frame(catalogue, api, direction, version)?;
    Some(sample::tree(catalogue, api, direction, version, frame).0)
}
