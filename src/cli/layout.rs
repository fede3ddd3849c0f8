//! `layout`: the documented page of one version of an API.

use super::{
    Outcome,
    args::{LayoutArgs, LayoutPart},
    output::Output,
    sample, screen,
};
use crate::{
    render::{
        Cut, Palette, Wording, api_purpose, grid, layout, notations, object_tree, related_errors,
        schema_text, smallest_tree, version_history, wire,
    },
    schema::{ApiKey, Catalogue, Direction},
    wire::BufferId,
};

pub(super) fn run(args: &LayoutArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let (api, version) = sample::api_and_version(&args.api, args.version)?;
    let directions = sample::directions(args.request, args.response);
    let cut = screen::cut(args.wide);
    let palette = output.palette();
    let mut text = String::new();
    let Some(part) = args.only else {
        layout(&mut text, api, version, directions, cut, palette)?;
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
    let plan = catalogue.api_plan(api, direction, version);
    let tree = plan.and_then(|plan| smallest_tree(Some(direction), plan));
    match (part, tree) {
        (LayoutPart::Schema, _) => {
            if let Some(definition) = catalogue.api(api, direction) {
                text.push_str(&schema_text(catalogue, &definition.name));
            }
        }
        (LayoutPart::Wire, _) => wire(text, catalogue, api, direction, version, palette)?,
        (LayoutPart::Notation, _) => {
            if let Some(plan) = plan {
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
