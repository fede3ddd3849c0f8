//! A definition as text in the way Kafka's files are laid out: a field a line, its fields below it.

use serde_json::{Map, Value as Json};

use super::notation::json;

/// The text of a definition.
pub fn definition_text(definition: &Map<String, Json>) -> String {
    let mut out = String::from("{\n");
    let members: Vec<String> = definition
        .iter()
        .map(|(key, value)| match (key.as_str(), value) {
            ("fields" | "commonStructs", Json::Array(items)) => {
                format!("  \"{key}\": {}", list(items, 4))
            }
            (_, Json::Array(items)) => {
                let items: Vec<String> = items.iter().map(json).collect();
                format!("  \"{key}\": [{}]", items.join(", "))
            }
            _ => format!("  \"{key}\": {}", json(value)),
        })
        .collect();
    out.push_str(&members.join(",\n"));
    out.push_str("\n}\n");
    out
}

/// A list of fields or structs; what closes it stands two steps to the left of them.
fn list(items: &[Json], indent: usize) -> String {
    let items: Vec<String> = items
        .iter()
        .filter_map(Json::as_object)
        .map(|object| format!("{:indent$}{}", "", field(object, indent)))
        .collect();
    format!(
        "[\n{}\n{:close$}]",
        items.join(",\n"),
        "",
        close = indent - 2
    )
}

/// A field: what tells its layout on one line, its sentence and its fields below.
fn field(object: &Map<String, Json>, indent: usize) -> String {
    let mut line = String::from("{ ");
    let mut first = true;
    for (key, value) in object {
        let text = match (key.as_str(), value) {
            ("fields", Json::Array(items)) => list(items, indent + 2),
            _ => json(value),
        };
        if !first {
            line.push(',');
            let breaks = key == "about";
            line.push_str(&match breaks {
                true => format!("\n{:indent$}  ", ""),
                false => " ".to_owned(),
            });
        }
        line.push_str(&format!("\"{key}\": {text}"));
        first = false;
    }
    line.push_str(if line.ends_with(']') { "}" } else { " }" });
    line
}
