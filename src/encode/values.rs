//! JSON values → the body of a message, the other way round from `decode --json`.
//!
//! Fields that are missing take the definition's default; a field that the version does not have
//! is an error, as is a value that its type cannot hold. Tagged fields are written when they are
//! named, unknown ones stand under `_unknown` as on the way out. Records are hex or an array of
//! batches. Nothing is written for an error.

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::{EncodeError, Writer, batches, trail::Trail};
use crate::schema::{FieldPlan, Plan, StructPlan, TypePlan, nearest};

/// The body of `plan` with the values of `json`, an object by field names.
pub fn body(plan: &'static Plan, json: &Json) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder {
        plan,
        writer: Writer::default(),
        trail: Trail::new(plan.name),
    };
    if json.is_null() {
        let expected = "an object with the fields of the message";
        return Err(encoder.trail.wrong(expected, json));
    }
    encoder.structure(&plan.body, json)?;
    Ok(encoder.writer.into_bytes())
}

struct Encoder {
    plan: &'static Plan,
    writer: Writer,
    trail: Trail,
}

impl Encoder {
    fn structure(&mut self, plan: &'static StructPlan, json: &Json) -> Result<(), EncodeError> {
        let empty = Map::new();
        let object = match json {
            Json::Object(object) => object,
            // The default of a struct is that of all its fields.
            Json::Null => &empty,
            _ => {
                let expected = format!("an object with the fields of {}", plan.name);
                return Err(self.trail.wrong(&expected, json));
            }
        };
        self.check_names(plan, object)?;
        for field in &plan.fields {
            self.named(field, object.get(field.node.name))?;
        }
        if plan.flexible {
            self.tagged_fields(plan, object)?;
        }
        Ok(())
    }

    fn check_names(
        &self,
        plan: &'static StructPlan,
        object: &Map<String, Json>,
    ) -> Result<(), EncodeError> {
        let names = || {
            let tagged = plan.tagged.iter().map(|(_, field)| field.node.name);
            plan.fields
                .iter()
                .map(|field| field.node.name)
                .chain(tagged)
        };
        for name in object.keys() {
            if name == "_undecoded" {
                return Err(self.trail.undecoded());
            }
            let is_known =
                names().any(|known| known == name) || (plan.flexible && name == "_unknown");
            if !is_known {
                return Err(EncodeError::UnknownField {
                    path: self.trail.path_to(name),
                    message: self.plan.name,
                    version: self.plan.version,
                    nearest: nearest(name, names()),
                });
            }
        }
        Ok(())
    }

    fn named(&mut self, plan: &'static FieldPlan, json: Option<&Json>) -> Result<(), EncodeError> {
        self.trail.enter(plan.node.name);
        match json {
            Some(json) => self.field(plan, json)?,
            None => self.field(plan, &default(plan))?,
        }
        self.trail.leave();
        Ok(())
    }

    fn tagged_fields(
        &mut self,
        plan: &'static StructPlan,
        object: &Map<String, Json>,
    ) -> Result<(), EncodeError> {
        let mut tagged: Vec<(u32, Vec<u8>)> = Vec::new();
        for (tag, field) in &plan.tagged {
            if let Some(json) = object.get(field.node.name) {
                let outer = std::mem::take(&mut self.writer);
                let result = self.named(field, Some(json));
                let content = std::mem::replace(&mut self.writer, outer).into_bytes();
                result?;
                tagged.push((*tag, content));
            }
        }
        self.trail.enter("_unknown");
        if let Some(unknown) = object.get("_unknown") {
            let Json::Object(unknown) = unknown else {
                return Err(self.trail.wrong("an object of hex by tag", unknown));
            };
            for (tag, content) in unknown {
                let wrong = |expected| Err(self.trail.wrong(expected, &tag.as_str().into()));
                let Ok(number) = tag.parse() else {
                    return wrong("a tag, which is a number from 0 to 4294967295,");
                };
                // The content of a known tag may be what its field cannot hold.
                let mut fields = plan.tagged.iter();
                let is_there = fields
                    .any(|(known, field)| *known == number && object.contains_key(field.node.name));
                if is_there {
                    return wrong("a tag whose field is not there as well");
                }
                tagged.push((number, self.trail.hex(content)?));
            }
        }
        self.trail.leave();
        tagged.sort_by_key(|&(tag, _)| tag);
        self.writer.uvarint(tagged.len() as u64);
        for (tag, content) in tagged {
            self.writer.uvarint(u64::from(tag));
            self.writer.uvarint(content.len() as u64);
            self.writer.raw(&content);
        }
        Ok(())
    }

    fn field(&mut self, plan: &'static FieldPlan, json: &Json) -> Result<(), EncodeError> {
        if json.is_null() && !matches!(plan.ty, TypePlan::Struct(_)) {
            return self.null(plan);
        }
        match &plan.ty {
            TypePlan::Bool => self.bool(json)?,
            TypePlan::Int8 => {
                let value = self.trail.integer(json, i8::MIN.into(), i8::MAX.into())?;
                self.writer.i8(value as i8);
            }
            TypePlan::Int16 => {
                let value = self.trail.integer(json, i16::MIN.into(), i16::MAX.into())?;
                self.writer.i16(value as i16);
            }
            TypePlan::Uint16 => {
                let value = self.trail.integer(json, 0, u16::MAX.into())?;
                self.writer.i16((value as u16).cast_signed());
            }
            TypePlan::Int32 => {
                let value = self.trail.integer(json, i32::MIN.into(), i32::MAX.into())?;
                self.writer.i32(value as i32);
            }
            TypePlan::Uint32 => {
                let value = self.trail.integer(json, 0, u32::MAX.into())?;
                self.writer.i32((value as u32).cast_signed());
            }
            TypePlan::Int64 => {
                let value = self.trail.integer(json, i64::MIN, i64::MAX)?;
                self.writer.i64(value);
            }
            TypePlan::Float64 => self.float(json)?,
            TypePlan::Uuid => self.uuid(json)?,
            TypePlan::String => self.string(plan, json)?,
            TypePlan::Bytes => {
                let bytes = self.trail.hex(json)?;
                self.bytes(plan, &bytes);
            }
            TypePlan::Records => {
                let bytes = match json {
                    Json::Array(items) => batches(&mut self.trail, items)?,
                    _ => self.trail.hex(json)?,
                };
                self.bytes(plan, &bytes);
            }
            TypePlan::Struct(_) if plan.nullable && json.is_null() => self.writer.i8(-1),
            TypePlan::Struct(structure) => {
                if plan.nullable {
                    self.writer.i8(1);
                }
                self.structure(structure, json)?;
            }
            TypePlan::Array(element) => self.array(plan, element, json)?,
        }
        Ok(())
    }

    fn bool(&mut self, json: &Json) -> Result<(), EncodeError> {
        let value = json
            .as_bool()
            .ok_or_else(|| self.trail.wrong("true or false", json))?;
        self.writer.i8(i8::from(value));
        Ok(())
    }

    fn float(&mut self, json: &Json) -> Result<(), EncodeError> {
        // Infinities and NaN are texts in JSON.
        let text = json.as_str().and_then(|text| text.parse::<f64>().ok());
        let value = json
            .as_f64()
            .or(text)
            .ok_or_else(|| self.trail.wrong("a number", json))?;
        self.writer.raw(&value.to_be_bytes());
        Ok(())
    }

    fn uuid(&mut self, json: &Json) -> Result<(), EncodeError> {
        let text = json.as_str().and_then(|text| Uuid::parse_str(text).ok());
        let value = text.ok_or_else(|| self.trail.wrong("a uuid", json))?;
        self.writer.raw(value.as_bytes());
        Ok(())
    }

    fn string(&mut self, plan: &FieldPlan, json: &Json) -> Result<(), EncodeError> {
        let text = json
            .as_str()
            .ok_or_else(|| self.trail.wrong("a text", json))?;
        if !plan.compact && text.len() > i16::MAX as usize {
            return Err(self.trail.wrong("a text of at most 32767 bytes", json));
        }
        self.bytes(plan, text.as_bytes());
        Ok(())
    }

    /// Bytes behind their length.
    fn bytes(&mut self, plan: &FieldPlan, bytes: &[u8]) {
        self.length(plan, bytes.len());
        self.writer.raw(bytes);
    }

    fn array(
        &mut self,
        plan: &FieldPlan,
        element: &'static FieldPlan,
        json: &Json,
    ) -> Result<(), EncodeError> {
        let items = json
            .as_array()
            .ok_or_else(|| self.trail.wrong("a list", json))?;
        self.length(plan, items.len());
        for (idx, item) in items.iter().enumerate() {
            self.trail.enter_item(idx);
            self.field(element, item)?;
            self.trail.leave();
        }
        Ok(())
    }

    fn null(&mut self, plan: &FieldPlan) -> Result<(), EncodeError> {
        if !plan.nullable {
            return Err(self.trail.wrong("a value other than null", &Json::Null));
        }
        match plan.ty {
            _ if plan.compact => self.writer.uvarint(0),
            TypePlan::String => self.writer.i16(-1),
            _ => self.writer.i32(-1),
        }
        Ok(())
    }

    fn length(&mut self, plan: &FieldPlan, length: usize) {
        match plan.ty {
            _ if plan.compact => self.writer.uvarint(length as u64 + 1),
            TypePlan::String => self.writer.i16(i16::try_from(length).unwrap_or(i16::MAX)),
            _ => self.writer.i32(i32::try_from(length).unwrap_or(i32::MAX)),
        }
    }
}

/// What a field is when nobody says.
pub(super) fn default(plan: &FieldPlan) -> Json {
    let default = plan.field.default.as_ref();
    let text = match default {
        Some(Json::String(text)) => text.as_str(),
        Some(Json::Null) => "null",
        Some(other) => return other.clone(),
        None => "",
    };
    match plan.ty {
        _ if text == "null" => Json::Null,
        TypePlan::Bool => (text == "true").into(),
        TypePlan::Float64 => text.parse::<f64>().unwrap_or_default().into(),
        TypePlan::Uuid => Uuid::nil().to_string().into(),
        TypePlan::String | TypePlan::Bytes | TypePlan::Records => text.into(),
        TypePlan::Array(_) => Json::Array(Vec::new()),
        TypePlan::Struct(_) => Json::Object(Map::new()),
        _ => match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).unwrap_or_default().into(),
            None => text.parse::<i64>().unwrap_or_default().into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::{ApiKey, Catalogue, Direction};

    fn complaint(api: &str, version: i16, json: &Json) -> String {
        let api = ApiKey::parse(api).unwrap();
        let plan = Catalogue::current()
            .api_plan(api, Direction::Request, version)
            .unwrap();
        body(plan, json).unwrap_err().to_string()
    }

    #[test]
    fn complaints_name_the_place_and_what_is_expected() {
        assert_eq!(
            complaint("DeleteTopics", 6, &json!({"Topics": [{"Nam": "a"}]})),
            "Topics[0].Nam: DeleteTopicsRequest has no such field in version 6; did you mean Name?"
        );
        assert_eq!(
            complaint("DeleteTopics", 5, &json!({"Topics": []})),
            "Topics: DeleteTopicsRequest has no such field in version 5"
        );
        assert_eq!(
            complaint("DeleteTopics", 6, &json!({"TimeoutMs": 5_000_000_000_i64})),
            "TimeoutMs: an integer from -2147483648 to 2147483647 is expected, not 5000000000"
        );
        assert_eq!(
            complaint("DeleteGroups", 2, &json!({"GroupsNames": [null]})),
            "GroupsNames[0]: a value other than null is expected, not null"
        );
        assert_eq!(
            complaint("DeleteGroups", 2, &json!([])),
            "DeleteGroupsRequest: an object with the fields of DeleteGroupsRequest is expected, not []"
        );
    }

    #[test]
    fn what_is_not_said_takes_its_default() {
        let plan = Catalogue::current()
            .api_plan(ApiKey::FETCH, Direction::Request, 4)
            .unwrap();
        let bytes = body(plan, &json!({"MaxWaitMs": 500})).unwrap();
        // ReplicaId -1, MaxWaitMs 500, MinBytes 0, MaxBytes 0x7fffffff, IsolationLevel 0, no topics.
        let expected = [
            &[0xff; 4][..],
            &[0, 0, 1, 0xf4],
            &[0; 4],
            &[0x7f, 0xff, 0xff, 0xff],
            &[0],
            &[0; 4],
        ];
        assert_eq!(bytes, expected.concat());
    }
}
