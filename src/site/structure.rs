//! The page of a definition that is neither a request nor a response: all its versions, the newest
//! first.

use std::fmt::{self, Write};

use super::{
    changes::fields,
    frame::{Frame, Part, Place},
    map::{SiteMap, StructureEntry},
    notation::notation,
};
use crate::{
    decode::VERSIONED,
    event::n_bytes,
    render::{
        Cut, Fact, Markup, Sheet, Sides, WireDiagram, Wording,
        html::{code, facts, message, page::Dress},
        schema_text, smallest_tree,
    },
    schema::{Catalogue, Definition, Kind},
};

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap, entry: &StructureEntry) -> fmt::Result {
    let definition = entry.definition;
    let frame = Frame {
        part: Part::Structures,
        dress: Dress::LAYOUT,
        heading: &definition.name,
        place: Place::Below {
            above: &[],
            here: &definition.name,
        },
    };
    frame.open(out)?;
    write!(out, "<nav aria-label=\"Versions\"><ul class=\"versions\">")?;
    for version in definition.ever.iter() {
        let class = match definition.valid.contains(version) {
            true => "",
            false => " class=\"old\" title=\"removed\"",
        };
        write!(
            out,
            "<li><a href=\"#v{version}\"{class}>v{version}</a></li>"
        )?;
    }
    writeln!(out, "</ul></nav>")?;
    facts(out, &head(definition))?;
    if let Some(sentence) = lead(definition) {
        writeln!(out, "<p class=\"lead\">{sentence}</p>")?;
    }
    for version in definition.ever.iter().rev() {
        section(out, map, definition, version)?;
    }
    writeln!(out, "<section><h2 id=\"definition\">Definition</h2>")?;
    let text = schema_text(Catalogue::current(), &definition.name);
    code(out, &definition.name, &text)?;
    writeln!(out, "</section>")?;
    frame.close(out)
}

fn head(definition: &Definition) -> Vec<Fact> {
    let flexible = definition.flexible.and(definition.ever);
    let mut facts = vec![Fact::new("Kind", definition.kind.name())];
    facts.extend(definition.api_key.map(|key| Fact::new("Type", key)));
    facts.push(Fact::new("Versions now", definition.valid));
    facts.push(Fact::new("Versions ever", definition.ever));
    facts.push(Fact::new("Flexible versions", flexible));
    facts
}

/// What stands in front of it, where it lies.
fn lead(definition: &Definition) -> Option<String> {
    let key = definition.api_key;
    Some(match definition.kind {
        Kind::CoordinatorKey => format!(
            "An int16 stands in front of it, its type{}. What follows here is without it.",
            key.map_or(String::new(), |key| format!(" {key}"))
        ),
        Kind::CoordinatorValue => {
            "An int16 stands in front of it, its version. What follows here is without it."
                .to_owned()
        }
        Kind::Metadata => format!(
            "Three unsigned varints stand in front of it: the version of the frame, 1, its type{}, and \
             its version. What follows here is without them.",
            key.map_or(String::new(), |key| format!(" {key}"))
        ),
        Kind::Data if VERSIONED.contains(&definition.name.as_str()) => {
            "An int16 stands in front of it, its version. What follows here is without it."
                .to_owned()
        }
        _ => return None,
    })
}

fn section(
    out: &mut String,
    map: &SiteMap,
    definition: &'static Definition,
    version: i16,
) -> fmt::Result {
    let catalogue = Catalogue::current();
    let plan = |version| catalogue.plan(&definition.name, version);
    let Some(plan_here) = plan(version) else {
        return Ok(());
    };
    let Some(tree) = smallest_tree(None, plan_here) else {
        return Ok(());
    };
    let size = tree
        .buffers()
        .first()
        .map_or(0, |buffer| buffer.bytes.len());
    let anchor = format!("v{version}");
    let sheet = Sheet {
        tree: &tree,
        title: format!("Version {version}"),
        facts: vec![Fact::new("The smallest one", n_bytes(size as u64))],
        anchor: anchor.clone(),
        wording: Wording::Sample,
        cut: Cut::Wide,
        places: None,
    };
    writeln!(out, "<section>")?;
    message(out, &sheet, 2)?;
    let older = version
        .checked_sub(1)
        .filter(|&older| definition.ever.contains(older))
        .and_then(plan);
    if let Some(older) = older {
        writeln!(
            out,
            "<h3>What changed since v{}</h3>",
            Markup(older.version.to_string())
        )?;
        let sides = Sides {
            direction: None,
            from: older,
            to: plan_here,
        };
        fields(out, &sides)?;
    }
    let diagram = WireDiagram::of_structure(plan_here);
    notation(out, map, &diagram, None, plan_here, &anchor)?;
    writeln!(out, "</section>")
}
