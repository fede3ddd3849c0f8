//! The short notation of a message: its fields as an object, with a type or a value for each.
//!
//! `?` behind a type, or behind what closes a list or struct, says that it can be null. In an example
//! a value stands where the type would, so the two read line by line beside each other.

use std::fmt::{self, Write};

use serde_json::Value as Json;

use super::{Palette, write_json};
use crate::{
    encode::example,
    schema::{FieldPlan, Plan, StructPlan, TypePlan},
};

/// Writes both, the fields and an example, with their headings.
pub fn notations(out: &mut impl Write, plan: &'static Plan, palette: Palette) -> fmt::Result {
    let title = palette.title();
    writeln!(out, "{title}Schema{title:#}")?;
    schema_notation(out, plan)?;
    writeln!(out, "{title}Example{title:#}")?;
    value_notation(out, plan, &example(plan))
}

/// Writes what fields one version of a message has.
pub fn schema_notation(out: &mut impl Write, plan: &'static Plan) -> fmt::Result {
    structure(out, &plan.body, None, TOP)?;
    writeln!(out)
}

/// Writes `value`, a body by field names, in the same way.
pub fn value_notation(out: &mut impl Write, plan: &'static Plan, value: &Json) -> fmt::Result {
    structure(out, &plan.body, Some(value), TOP)?;
    writeln!(out)
}

/// Where the lines of a struct start.
#[derive(Clone, Copy)]
struct Indent {
    fields: usize,
    close: usize,
}

const TOP: Indent = Indent {
    fields: 2,
    close: 0,
};

impl Indent {
    /// Of a struct in a field.
    fn inner(self) -> Indent {
        Indent {
            fields: self.fields + 4,
            close: self.fields,
        }
    }
}

fn structure(
    out: &mut impl Write,
    plan: &'static StructPlan,
    value: Option<&Json>,
    indent: Indent,
) -> fmt::Result {
    let fields: Vec<&FieldPlan> = plan
        .in_order()
        .into_iter()
        .map(|(field, _)| field)
        // A tagged field that an example leaves out has its default.
        .filter(|field| value.is_none_or(|value| value.get(field.node.name).is_some()))
        .collect();
    writeln!(out, "{{")?;
    for (idx, plan) in fields.iter().enumerate() {
        let name = plan.node.name;
        write!(out, "{:width$}\"{name}\": ", "", width = indent.fields)?;
        let value = value.and_then(|value| value.get(name));
        field(out, plan, value, indent.inner())?;
        let comma = if idx + 1 < fields.len() { "," } else { "" };
        writeln!(out, "{comma}")?;
    }
    write!(out, "{:width$}}}", "", width = indent.close)
}

/// What a field is or holds; structs in it are written with `indent`.
fn field(
    out: &mut impl Write,
    plan: &'static FieldPlan,
    value: Option<&Json>,
    indent: Indent,
) -> fmt::Result {
    match (&plan.ty, value) {
        (TypePlan::Struct(inner), Some(Json::Object(_)) | None) => {
            structure(out, inner, value, indent)?;
        }
        (TypePlan::Array(element), None) => {
            write!(out, "[")?;
            match &element.ty {
                TypePlan::Struct(inner) => structure(out, inner, None, indent)?,
                ty => write!(out, "{}", ty.name())?,
            }
            write!(out, "]")?;
        }
        (TypePlan::Array(element), Some(Json::Array(items))) => {
            write!(out, "[")?;
            for (idx, item) in items.iter().enumerate() {
                if idx > 0 {
                    write!(out, ", ")?;
                }
                match &element.ty {
                    TypePlan::Struct(inner) => structure(out, inner, Some(item), indent)?,
                    _ => out.write_str(&json(item))?,
                }
            }
            write!(out, "]")?;
        }
        (ty, None) => write!(out, "{}", ty.name())?,
        (_, Some(value)) => out.write_str(&json(value))?,
    }
    match value {
        None if plan.nullable => write!(out, "?"),
        _ => Ok(()),
    }
}

/// A value on one line, safe to show.
pub(super) fn json(value: &Json) -> String {
    let mut line = Vec::new();
    // Nothing can fail when a value is written to memory.
    let _ = write_json(&mut line, value);
    String::from_utf8(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ApiKey, Catalogue, Direction};

    #[test]
    fn an_example_is_json_and_says_what_the_example_is() {
        let catalogue = Catalogue::current();
        for api in ApiKey::all() {
            for direction in [Direction::Request, Direction::Response] {
                let newest = catalogue.api(api, direction).unwrap().newest();
                let plan = catalogue.api_plan(api, direction, newest).unwrap();
                let value = example(plan);
                let mut text = String::new();
                value_notation(&mut text, plan, &value).unwrap();
                assert_eq!(
                    serde_json::from_str::<Json>(&text).unwrap(),
                    value,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn what_can_be_null_is_marked() {
        let api = ApiKey::parse("CreatePartitions").unwrap();
        let plan = Catalogue::current()
            .api_plan(api, Direction::Request, 3)
            .unwrap();
        let mut text = String::new();
        schema_notation(&mut text, plan).unwrap();
        assert_eq!(
            text,
            r#"{
  "Topics": [{
      "Name": string,
      "Count": int32,
      "Assignments": [{
          "BrokerIds": [int32]
      }]?
  }],
  "TimeoutMs": int32,
  "ValidateOnly": bool
}
"#
        );
    }
}
