//! JSON text in Kafka's definition format → [`Definition`], or a complaint that names the file,
//! the field and the rule it breaks.

use serde_json::{Map, Value};
use thiserror::Error;

use super::{Definition, Field, Kind, StructDefinition, Type, Versions};

/// Why a definition could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The text is not JSON, comments aside.
    #[error("{file}: line {line}, column {column}: {message}")]
    Syntax {
        file: String,
        line: usize,
        column: usize,
        message: String,
    },
    /// The text is JSON, but no definition.
    #[error("{file}: {place}: {rule}")]
    Rule {
        file: String,
        /// The field by its path, or `definition`.
        place: String,
        rule: String,
    },
}

/// Reads the definition in `text`, which was found in `file`.
///
/// # Errors
/// What the text says is no definition.
pub fn load(file: &str, text: &str) -> Result<Definition, LoadError> {
    let json = parse(file, text)?;
    let loader = Loader { file };
    let Value::Object(object) = &json else {
        return Err(loader.broken("definition", "must be a JSON object".into()));
    };
    loader.definition(object)
}

/// The JSON of a definition, comments aside.
pub(super) fn parse(file: &str, text: &str) -> Result<Value, LoadError> {
    serde_json::from_str(&without_comments(text)).map_err(|error| LoadError::Syntax {
        file: file.to_owned(),
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    })
}

/// Blanks `//` comments, so that lines and columns stay what they are in the file.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            '/' if !in_string && chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                    out.push(' ');
                }
            }
            _ => {}
        }
        // The slash that opened a comment is a blank as well.
        let comment = c == '/' && !in_string;
        out.push(if comment { ' ' } else { c });
    }
    out
}

/// Versions of one message at most: a table has a slot for each, the reference a page, and in fifteen
/// years Kafka came to 18. An open range is more.
const MOST_VERSIONS: i16 = 1000;

struct Loader<'a> {
    file: &'a str,
}

impl Loader<'_> {
    fn broken(&self, place: &str, rule: String) -> LoadError {
        LoadError::Rule {
            file: self.file.to_owned(),
            place: place.to_owned(),
            rule,
        }
    }

    fn definition(&self, object: &Map<String, Value>) -> Result<Definition, LoadError> {
        let place = "definition";
        let name = self.text(object, "name", place)?;
        let ty = self.text(object, "type", place)?;
        let kind = Kind::from_name(ty)
            .ok_or_else(|| self.broken(place, format!("type \"{ty}\" is no kind of message")))?;
        let valid = self.versions(object, "validVersions", place)?;
        let valid =
            valid.ok_or_else(|| self.broken(place, "needs \"validVersions\"".to_owned()))?;
        if !valid.is_empty() && valid.max - valid.min >= MOST_VERSIONS {
            let rule = format!("\"validVersions\" has more than {MOST_VERSIONS} versions: {valid}");
            return Err(self.broken(place, rule));
        }
        let flexible = self.versions(object, "flexibleVersions", place)?;
        let api_key = match object.get("apiKey") {
            None => None,
            Some(key) => Some(
                key.as_i64()
                    .and_then(|key| i16::try_from(key).ok())
                    .ok_or_else(|| self.broken(place, "\"apiKey\" must be an int16".into()))?,
            ),
        };
        let mut structs = Vec::new();
        for common in self.objects(object, "commonStructs", place)? {
            let name = self.text(common, "name", "commonStructs")?;
            structs.push(StructDefinition {
                name: name.to_owned(),
                versions: self
                    .versions(common, "versions", name)?
                    .unwrap_or(Versions::NONE),
                fields: self.fields(common, name)?,
            });
        }
        let definition = Definition {
            name: name.to_owned(),
            kind,
            api_key,
            listeners: match object.get("listeners").and_then(Value::as_array) {
                Some(list) => list
                    .iter()
                    .filter_map(|listener| listener.as_str().map(str::to_owned))
                    .collect(),
                None => Vec::new(),
            },
            valid,
            ever: self
                .versions(object, "allVersions", place)?
                .unwrap_or(valid),
            flexible: flexible.unwrap_or(Versions::NONE),
            latest_version_unstable: object.get("latestVersionUnstable")
                == Some(&Value::Bool(true)),
            fields: self.fields(object, "")?,
            structs,
        };
        self.check_structs(&definition, &definition.fields, "")?;
        for common in &definition.structs {
            self.check_structs(&definition, &common.fields, &common.name)?;
        }
        Ok(definition)
    }

    fn fields(&self, object: &Map<String, Value>, parent: &str) -> Result<Vec<Field>, LoadError> {
        self.objects(object, "fields", parent)?
            .into_iter()
            .map(|field| self.field(field, parent))
            .collect()
    }

    fn field(&self, object: &Map<String, Value>, parent: &str) -> Result<Field, LoadError> {
        let name = self.text(object, "name", &format!("a field of {parent}"))?;
        let place = &join(parent, name);
        let ty_name = self.text(object, "type", place)?;
        let ty = Type::parse(ty_name)
            .ok_or_else(|| self.broken(place, format!("type \"{ty_name}\" is unknown")))?;
        let tagged = self.tagged(object, place)?;
        let versions = match self.versions(object, "versions", place)? {
            Some(versions) => versions,
            // A field that is nothing but tagged may leave its versions to the tag's.
            None => match tagged {
                Some((versions, _)) => versions,
                None => return Err(self.broken(place, "needs \"versions\"".to_owned())),
            },
        };
        let nullable = self
            .versions(object, "nullableVersions", place)?
            .unwrap_or(Versions::NONE);
        if !nullable.is_empty() && !ty.can_be_null() {
            return Err(self.broken(place, format!("type \"{ty_name}\" cannot be null")));
        }
        Ok(Field {
            name: name.to_owned(),
            ty,
            ty_name: ty_name.to_owned(),
            versions,
            nullable,
            tagged,
            flexible: self.versions(object, "flexibleVersions", place)?,
            default: object.get("default").cloned(),
            entity: object
                .get("entityType")
                .and_then(Value::as_str)
                .map(str::to_owned),
            about: object
                .get("about")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            fields: self.fields(object, place)?,
        })
    }

    fn tagged(
        &self,
        object: &Map<String, Value>,
        place: &str,
    ) -> Result<Option<(Versions, u32)>, LoadError> {
        let Some(versions) = self.versions(object, "taggedVersions", place)? else {
            return Ok(None);
        };
        let tag = object
            .get("tag")
            .and_then(Value::as_u64)
            .and_then(|tag| u32::try_from(tag).ok())
            .ok_or_else(|| self.broken(place, "\"taggedVersions\" needs a \"tag\"".to_owned()))?;
        Ok(Some((versions, tag)))
    }

    fn check_structs(
        &self,
        definition: &Definition,
        fields: &[Field],
        parent: &str,
    ) -> Result<(), LoadError> {
        for field in fields {
            let place = join(parent, &field.name);
            if let Some(name) = field.ty.struct_name()
                && definition.struct_fields(name).is_none()
            {
                return Err(self.broken(&place, format!("struct \"{name}\" is defined nowhere")));
            }
            self.check_structs(definition, &field.fields, &place)?;
        }
        Ok(())
    }

    fn text<'v>(
        &self,
        object: &'v Map<String, Value>,
        key: &str,
        place: &str,
    ) -> Result<&'v str, LoadError> {
        object
            .get(key)
            .and_then(Value::as_str)
            .ok_or_else(|| self.broken(place, format!("needs a text \"{key}\"")))
    }

    fn versions(
        &self,
        object: &Map<String, Value>,
        key: &str,
        place: &str,
    ) -> Result<Option<Versions>, LoadError> {
        let Some(value) = object.get(key) else {
            return Ok(None);
        };
        value
            .as_str()
            .and_then(Versions::parse)
            .map(Some)
            .ok_or_else(|| {
                let rule =
                    format!("\"{key}\" must be versions like \"0-3\" or \"2+\", not {value}");
                self.broken(place, rule)
            })
    }

    fn objects<'v>(
        &self,
        object: &'v Map<String, Value>,
        key: &str,
        place: &str,
    ) -> Result<Vec<&'v Map<String, Value>>, LoadError> {
        let Some(value) = object.get(key) else {
            return Ok(Vec::new());
        };
        value
            .as_array()
            .and_then(|list| list.iter().map(Value::as_object).collect())
            .ok_or_else(|| self.broken(place, format!("\"{key}\" must be a list of objects")))
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() {
        name.to_owned()
    } else {
        format!("{parent}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        load("X.json", text).unwrap_err().to_string()
    }

    #[test]
    fn upstream_comments_are_read_over() {
        let text = r#"{ // a "comment" with quotes
          "name": "X", "type": "data", "validVersions": "0", // trailing
          "flexibleVersions": "none",
          "fields": [ { "name": "Url", "type": "string", "versions": "0+", "about": "http://x" } ] }"#;
        let definition = load("X.json", text).unwrap();
        assert_eq!(definition.fields[0].about, "http://x");
    }

    #[test]
    fn complaints_name_file_place_and_rule() {
        assert_eq!(
            complaint(
                r#"{"name":"X","type":"data","validVersions":"0","fields":[
                {"name":"A","type":"[]B","versions":"0","fields":[
                    {"name":"C","type":"int33","versions":"0"}]}]}"#
            ),
            "X.json: A.C: type \"int33\" is unknown"
        );
        assert_eq!(
            complaint(
                r#"{"name":"X","type":"data","validVersions":"0","fields":[
                {"name":"A","type":"B","versions":"0"}]}"#
            ),
            "X.json: A: struct \"B\" is defined nowhere"
        );
        assert_eq!(
            complaint(
                r#"{"name":"X","type":"data","validVersions":"0","fields":[
                {"name":"A","type":"int8","versions":"x"}]}"#
            ),
            "X.json: A: \"versions\" must be versions like \"0-3\" or \"2+\", not \"x\""
        );
        assert_eq!(
            complaint(r#"{"name":"X","type":"data","validVersions":"3+","fields":[]}"#),
            "X.json: definition: \"validVersions\" has more than 1000 versions: 3+"
        );
        assert!(complaint("{\n  // hm\n  nope }").starts_with("X.json: line 3, column 3: "));
    }
}
