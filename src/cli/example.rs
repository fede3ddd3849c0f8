//! `example`: a plausible request and response of one version of an API.

use super::{
    Outcome,
    args::{ExampleArgs, ExamplePart},
    output::Output,
    sample, screen,
};
use crate::{
    encode::{example, example_frame},
    render::{
        Head, JsonLine, Parts, Wording, framed_tree, grid, legend, message, object_tree,
        value_notation,
    },
    schema::Catalogue,
    wire::BufferId,
};

pub(super) fn run(args: &ExampleArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let (api, version) = sample::api_and_version(&args.api, args.version)?;
    let cut = screen::cut(args.wide);
    let palette = output.palette();
    let mut text = String::new();
    for (idx, &direction) in sample::directions(args.request, args.response)
        .iter()
        .enumerate()
    {
        let Some(plan) = catalogue.api_plan(api, direction, version) else {
            continue;
        };
        let Some(frame) = example_frame(catalogue, plan) else {
            continue;
        };
        let (tree, decoded) = framed_tree(catalogue, api, direction, version, frame.clone());
        if args.json {
            output.json(&JsonLine::new(&tree, &Head::Message(&decoded)))?;
            continue;
        }
        if idx > 0 {
            text.push('\n');
        }
        let value = example(plan);
        match args.only {
            Some(ExamplePart::Value) => value_notation(&mut text, plan, &value)?,
            Some(ExamplePart::Tree) => {
                object_tree(&mut text, &tree, Wording::Counted, cut, palette)?;
            }
            Some(ExamplePart::Grid) => {
                grid(&mut text, &tree, BufferId::FRAME, palette)?;
                text.push_str(&legend(&tree, BufferId::FRAME, palette));
                text.push('\n');
            }
            Some(ExamplePart::Hex) => {
                text.push_str(&sample::hex(&frame));
                text.push('\n');
            }
            None => {
                let title = palette.title();
                text.push_str(&format!(
                    "{title}{} v{version}, {} bytes on the wire{title:#}\n\n",
                    plan.name,
                    frame.len()
                ));
                value_notation(&mut text, plan, &value)?;
                text.push('\n');
                message(&mut text, &tree, Parts::All, cut, palette, |_| None)?;
            }
        }
    }
    output.text(text)?;
    Ok(Outcome::Fine)
}
