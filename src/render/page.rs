//! The documented page of one version of an API: facts, legend, grid, tree, schema.

use std::fmt::{self, Write};

use super::{
    Cut, Palette, Wording, api_purpose, grid, legend, notations, object_tree, related_errors,
    smallest_frame, smallest_tree, version_history, wire,
};
use crate::{
    schema::{
        ApiKey, Catalogue, Definition, Direction, request_header_version, response_header_version,
    },
    tree::Tree,
    wire::BufferId,
};

/// What a page shows.
struct Page {
    catalogue: &'static Catalogue,
    api: ApiKey,
    version: i16,
    /// The smallest legal messages, decoded; one direction or both.
    trees: Vec<(Direction, Tree)>,
}

/// Writes the page of one version of an API, with the messages of `directions`.
pub fn layout(
    out: &mut String,
    api: ApiKey,
    version: i16,
    directions: &[Direction],
    cut: Cut,
    palette: Palette,
) -> fmt::Result {
    let catalogue = Catalogue::current();
    let tree = |direction| {
        let plan = catalogue.api_plan(api, direction, version)?;
        Some((direction, smallest_tree(Some(direction), plan)?))
    };
    let page = Page {
        catalogue,
        api,
        version,
        trees: directions.iter().copied().filter_map(tree).collect(),
    };
    write_page(out, &page, cut, palette)
}

fn write_page(out: &mut String, page: &Page, cut: Cut, palette: Palette) -> fmt::Result {
    let title = palette.title();
    let (Some(request), Some(response)) = (
        page.catalogue.api(page.api, Direction::Request),
        page.catalogue.api(page.api, Direction::Response),
    ) else {
        return Ok(());
    };
    writeln!(out, "{title}{}{title:#}\n", page.api)?;
    writeln!(out, "{}\n", layout_intro(request, page.version))?;
    let facts = layout_facts(page.catalogue, page.api, page.version);
    for (name, value) in facts.into_iter().flatten() {
        writeln!(out, "{name:<18} {value}")?;
    }
    for (direction, tree) in &page.trees {
        let (definition, header) = match direction {
            Direction::Request => (request, request_header_version(request, page.version)),
            Direction::Response => (response, response_header_version(response, page.version)),
        };
        let size = tree
            .buffers()
            .first()
            .map_or(0, |buffer| buffer.bytes.len());
        let name = match direction {
            Direction::Request => "Request",
            Direction::Response => "Response",
        };
        writeln!(out, "\n{title}{name}{title:#}\n")?;
        writeln!(
            out,
            "{} v{}, {} header v{header}, {size} bytes on the wire\n",
            definition.name,
            page.version,
            direction.name(),
        )?;
        writeln!(out, "{}\n", legend(tree, BufferId::FRAME, palette))?;
        writeln!(out, "byte layout ({size} bytes, 16 bytes per row)\n")?;
        grid(out, tree, BufferId::FRAME, palette)?;
        writeln!(out, "\nobject tree\n")?;
        object_tree(out, tree, Wording::Sample, cut, palette)?;
        writeln!(out, "\nkafka message schema (.json)\n")?;
        out.write_str(&schema_text(page.catalogue, &definition.name))?;
    }
    writeln!(out)?;
    beyond_bytes(out, page, palette)
}

/// What there is to know beside the smallest instance.
fn beyond_bytes(out: &mut String, page: &Page, palette: Palette) -> fmt::Result {
    api_purpose(out, page.api, palette)?;
    writeln!(out)?;
    related_errors(out, page.api, palette)?;
    writeln!(out)?;
    version_history(out, page.api, palette)?;
    let title = palette.title();
    writeln!(out, "\n{title}Wire Diagram{title:#}")?;
    for (direction, _) in &page.trees {
        writeln!(out)?;
        wire(
            out,
            page.catalogue,
            page.api,
            *direction,
            page.version,
            palette,
        )?;
    }
    writeln!(out, "\n{title}Schema & Example{title:#}")?;
    for (direction, _) in &page.trees {
        if let Some(plan) = page.catalogue.api_plan(page.api, *direction, page.version) {
            writeln!(out, "\n{} v{}", plan.name, plan.version)?;
            notations(out, plan, palette)?;
        }
    }
    Ok(())
}

/// What the page of a version encodes, and why its sizes are what they are.
pub fn layout_intro(request: &Definition, version: i16) -> String {
    let flexible = request.flexible.and(request.ever);
    let rule = if request.flexible.contains(version) {
        format!(
            "Version {version} is a flexible version, so every struct is terminated by a uvarint \
             tagged-field count and strings and arrays carry compact length-plus-one prefixes."
        )
    } else {
        let since = if flexible.is_empty() {
            String::new()
        } else {
            format!(" (flexible versions start at {})", flexible.min)
        };
        format!(
            "Version {version} is not a flexible version{since}, so strings carry int16 and arrays \
             int32 length prefixes and there are no tagged fields."
        )
    };
    format!(
        "This page encodes the smallest legal instance of the request and the response: numeric \
         fields are zero, strings and byte arrays are empty, every array carries exactly one \
         sample element, and any records field holds one empty 61-byte RecordBatch v2. {rule} \
         Sizes below include the leading int32 size prefix."
    )
}

/// Names and values at the top of the page of a version; `None` for an API without messages.
pub fn layout_facts(
    catalogue: &'static Catalogue,
    api: ApiKey,
    version: i16,
) -> Option<[(&'static str, String); 8]> {
    let request = catalogue.api(api, Direction::Request)?;
    let response = catalogue.api(api, Direction::Response)?;
    let bytes = |direction| {
        let frame = smallest_frame(catalogue, api, direction, version);
        frame.map_or("-".to_owned(), |frame| format!("{} bytes", frame.len()))
    };
    let versions = |definition: &Definition| {
        if definition.valid == definition.ever {
            definition.valid.to_string()
        } else {
            format!("{} (ever {})", definition.valid, definition.ever)
        }
    };
    Some([
        ("API key", api.0.to_string()),
        ("Encoded at", format!("v{version}")),
        ("Flexible versions", request.flexible.to_string()),
        (
            "Headers",
            format!(
                "req v{}, resp v{}",
                request_header_version(request, version),
                response_header_version(response, version)
            ),
        ),
        ("Request versions", versions(request)),
        ("Response versions", versions(response)),
        ("Request size", bytes(Direction::Request)),
        ("Response size", bytes(Direction::Response)),
    ])
}

/// The definition of that name as Kafka writes it. The list of removed versions is this project's own
/// addition to the format and stays out.
pub fn schema_text(catalogue: &Catalogue, name: &str) -> String {
    catalogue
        .text(name)
        .unwrap_or_default()
        .lines()
        // Kafka's own files start with the terms of their licence.
        .skip_while(|line| !line.starts_with('{'))
        .filter(|line| !line.trim_start().starts_with("\"allVersions\""))
        .fold(String::new(), |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        })
}
