//! What a version's page says of a message beside its smallest instance: the wire diagram, fields with
//! types beside a plausible example, and the example byte by byte.

use std::fmt::{self, Write};

use serde_json::Value as Json;

use super::{inside::inside, map::SiteMap};
use crate::{
    decode::{Lead, structure},
    encode::{body, example, example_frame},
    event::n_bytes,
    render::{
        Cut, Sheet, WireDiagram, Wording, framed_tree,
        html::{code, message, wire},
        schema_notation, value_notation,
    },
    schema::{Catalogue, Direction, Plan},
    tree::{Builder, Tree},
};

/// Writes the diagram, the notation and the example. `anchor` tells the parts of the example from
/// others of the page.
pub(super) fn notation(
    out: &mut String,
    map: &SiteMap,
    diagram: &WireDiagram,
    direction: Option<Direction>,
    plan: &'static Plan,
    anchor: &str,
) -> fmt::Result {
    writeln!(out, "<h3>Wire diagram</h3>")?;
    wire(out, diagram)?;
    inside(out, map, plan)?;
    let value = example(plan);
    let mut text = String::new();
    schema_notation(&mut text, plan)?;
    writeln!(
        out,
        "<h3>Schema and example</h3>\n<div class=\"pair\"><div><h4>Fields and types, ? where null is \
         legal</h4>"
    )?;
    code(out, "Fields and types", &text)?;
    writeln!(out, "</div><div><h4>A plausible body</h4>")?;
    text.clear();
    value_notation(&mut text, plan, &value)?;
    code(out, "A plausible body", &text)?;
    writeln!(out, "</div></div>")?;
    match example_tree(direction, plan, &value) {
        Some(tree) => example_bytes(out, &tree, anchor),
        None => Ok(()),
    }
}

fn example_bytes(out: &mut String, tree: &Tree, anchor: &str) -> fmt::Result {
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    writeln!(
        out,
        "<details><summary>The example byte by byte, {}</summary>",
        n_bytes(size as u64)
    )?;
    let sheet = Sheet {
        tree,
        title: String::new(),
        facts: Vec::new(),
        anchor: format!("{anchor}-example"),
        wording: Wording::Counted,
        cut: Cut::Wide,
        places: None,
    };
    message(out, &sheet, 4)?;
    writeln!(out, "</details>")
}

fn example_tree(direction: Option<Direction>, plan: &'static Plan, value: &Json) -> Option<Tree> {
    let catalogue = Catalogue::current();
    match (direction, plan.api()) {
        (Some(direction), Some(api)) => {
            let frame = example_frame(catalogue, plan)?;
            Some(framed_tree(catalogue, api, direction, plan.version, frame).0)
        }
        _ => {
            let bytes = body(plan, value).ok()?;
            let (tree, ()) = Builder::build(bytes, |bytes, sink| {
                structure(plan, Lead::None, bytes, sink);
            });
            Some(tree)
        }
    }
}
