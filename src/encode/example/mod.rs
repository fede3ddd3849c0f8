//! A plausible instance of a message: names, ids, offsets, times and errors as they occur in life.
//!
//! What comes in is a plan; what goes out is the value of its body, as JSON by field names, which
//! [`body`] takes as it is. What each field holds is said by a table, from its meaning; a
//! field that the table does not know, as another release may have, takes its default. The same
//! plan always gives the same value.

mod log;
mod rows;

use serde_json::{Map, Value as Json, json};

use super::{Writer, body, request_frame, response_frame, values::default};
use crate::schema::{ApiKey, Catalogue, Direction, FieldPlan, Plan, StructPlan, TypePlan};
use rows::row;

/// A plausible value of the body of `plan`.
pub fn example(plan: &'static Plan) -> Json {
    Filler { plan }.structure(&plan.body, "", 0)
}

/// A whole message with such a body: size, header, body; `None` for what is neither a request nor a
/// response.
pub fn example_frame(catalogue: &'static Catalogue, plan: &'static Plan) -> Option<Vec<u8>> {
    let body = body(plan, &example(plan)).ok()?;
    let api = plan.api()?;
    let direction = direction(plan)?;
    Some(match direction {
        Direction::Request => {
            let client = Some(CLIENT_ID);
            request_frame(catalogue, api, plan.version, CORRELATION_ID, client, &body)
        }
        Direction::Response => response_frame(catalogue, api, plan.version, CORRELATION_ID, &body),
    })
}

/// What the headers of examples say.
const CORRELATION_ID: i32 = 7;
const CLIENT_ID: &str = "billing-1";

fn direction(plan: &Plan) -> Option<Direction> {
    [Direction::Request, Direction::Response]
        .into_iter()
        .find(|direction| plan.name.ends_with(direction.suffix()))
}

struct Filler {
    plan: &'static Plan,
}

impl Filler {
    /// A struct that stands in field `parent`, as element `idx` of it if it is a list.
    fn structure(&self, plan: &'static StructPlan, parent: &str, idx: usize) -> Json {
        let mut object = Map::new();
        for field in &plan.fields {
            let value = self.field(field, parent, idx);
            object.insert(field.node.name.into(), value);
        }
        for (_, field) in &plan.tagged {
            let is_usual = row(self.plan.name, parent, field.node.name)
                .is_some_and(|row| row.names(self.plan.name));
            if is_usual {
                let value = self.field(field, parent, idx);
                object.insert(field.node.name.into(), value);
            }
        }
        Json::Object(object)
    }

    fn field(&self, plan: &'static FieldPlan, parent: &str, idx: usize) -> Json {
        let name = plan.node.name;
        let said = row(self.plan.name, parent, name).map(|row| &row.value);
        if said == Some(&Json::Null) && plan.nullable {
            return Json::Null;
        }
        match &plan.ty {
            TypePlan::Struct(structure) => self.structure(structure, name, idx),
            TypePlan::Array(element) => match &element.ty {
                TypePlan::Struct(structure) => {
                    let count = match said {
                        Some(Json::Array(list)) => list.len(),
                        Some(count) => count.as_u64().unwrap_or(1) as usize,
                        None => 1,
                    };
                    (0..count)
                        .map(|idx| self.structure(structure, name, idx))
                        .collect()
                }
                _ => match said {
                    Some(Json::Array(lists)) if lists.iter().all(Json::is_array) => {
                        turn(lists, idx).unwrap_or_else(|| json!([]))
                    }
                    Some(Json::Array(list)) => Json::Array(list.clone()),
                    _ => json!([]),
                },
            },
            _ => {
                let value = match said {
                    Some(Json::Array(values)) => turn(values, idx),
                    Some(value) => Some(value.clone()),
                    None => None,
                };
                match (&plan.ty, value) {
                    (_, Some(Json::Null)) if plan.nullable => Json::Null,
                    (TypePlan::String, None | Some(Json::Null)) => "".into(),
                    (TypePlan::Bytes | TypePlan::Records, Some(value)) => self.bytes(&value),
                    (_, Some(value)) if !value.is_null() => value,
                    _ => default(plan),
                }
            }
        }
    }

    /// The content of a bytes or records field.
    fn bytes(&self, said: &Json) -> Json {
        let text = |name| said.get(name).and_then(Json::as_str);
        let catalogue = Catalogue::current();
        let bytes = if let Some(offset) = said.get("log").and_then(Json::as_i64) {
            return log::records(self.plan, offset);
        } else if let Some(name) = text("metadata") {
            return log::metadata(catalogue, name);
        } else if let Some(hex) = text("hex") {
            return hex.into();
        } else if let Some(text) = text("text") {
            text.as_bytes().to_vec()
        } else if let Some(name) = text("as") {
            versioned(catalogue, name)
        } else if let Some(name) = text("request") {
            unframed(catalogue, name, Direction::Request)
        } else if let Some(name) = text("response") {
            unframed(catalogue, name, Direction::Response)
        } else {
            Vec::new()
        };
        hex(&bytes)
    }
}

/// The value for element `idx`, over and over.
fn turn(values: &[Json], idx: usize) -> Option<Json> {
    values.get(idx.checked_rem(values.len())?).cloned()
}

/// The newest version of a structure behind its version.
fn versioned(catalogue: &'static Catalogue, name: &str) -> Vec<u8> {
    let newest = catalogue
        .definition(name)
        .and_then(Result::ok)
        .map_or(0, |definition| definition.newest());
    let Some(plan) = catalogue.plan(name, newest) else {
        return Vec::new();
    };
    let body = body(plan, &example(plan)).unwrap_or_default();
    [&newest.to_be_bytes(), body.as_slice()].concat()
}

/// A message as an envelope carries it: without its size.
fn unframed(catalogue: &'static Catalogue, name: &str, direction: Direction) -> Vec<u8> {
    const SIZE: usize = 4;
    ApiKey::parse(name)
        .and_then(|api| {
            let newest = catalogue.api(api, direction)?.newest();
            let frame = example_frame(catalogue, catalogue.api_plan(api, direction, newest)?)?;
            frame.get(SIZE..).map(<[u8]>::to_vec)
        })
        .unwrap_or_default()
}

fn hex(bytes: &[u8]) -> Json {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.into()
}

#[cfg(test)]
mod tests;
