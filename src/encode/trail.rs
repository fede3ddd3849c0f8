//! Where in the values the encoder is, so that complaints can say it; and the readings of single
//! values, which complain.

use serde_json::{Map, Value as Json};

use super::EncodeError;
use crate::schema::nearest;

/// Names and indexes of what is being written, outermost first.
pub(super) struct Trail {
    /// What a complaint about the whole is about.
    root: &'static str,
    steps: Vec<String>,
}

impl Trail {
    pub(super) fn new(root: &'static str) -> Trail {
        let steps = Vec::new();
        Trail { root, steps }
    }

    pub(super) fn enter(&mut self, name: &str) {
        self.steps.push(name.to_owned());
    }

    pub(super) fn enter_item(&mut self, idx: usize) {
        self.steps.push(format!("[{idx}]"));
    }

    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    /// The path of `name` below what is being written.
    pub(super) fn path_to(&self, name: &str) -> String {
        let mut path = String::new();
        for step in self.steps.iter().map(String::as_str).chain([name]) {
            if !path.is_empty() && !step.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        if path.is_empty() {
            path.push_str(self.root);
        }
        path
    }

    pub(super) fn wrong(&self, expected: &str, found: &Json) -> EncodeError {
        self.wrong_member("", expected, found)
    }

    /// The same of the member `name`, which has not been entered.
    pub(super) fn wrong_member(&self, name: &str, expected: &str, found: &Json) -> EncodeError {
        let mut found = found.to_string();
        if found.len() > 60 {
            found = format!("{}...", found.chars().take(57).collect::<String>());
        }
        EncodeError::WrongValue {
            path: self.path_to(name),
            expected: expected.to_owned(),
            found,
        }
    }

    pub(super) fn undecoded(&self) -> EncodeError {
        let path = self.path_to("_undecoded");
        EncodeError::Undecoded { path }
    }

    /// `json` as an object, which is `what` and has no members but those `known`.
    pub(super) fn object<'a>(
        &self,
        json: &'a Json,
        what: &'static str,
        known: &[&'static str],
    ) -> Result<&'a Map<String, Json>, EncodeError> {
        let Json::Object(object) = json else {
            return Err(self.wrong(&format!("{what}, an object,"), json));
        };
        if object.contains_key("_undecoded") {
            return Err(self.undecoded());
        }
        match object.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(object),
            Some(name) => Err(EncodeError::UnknownMember {
                path: self.path_to(name),
                what,
                nearest: nearest(name, known.iter().copied()),
            }),
        }
    }

    pub(super) fn integer(&self, json: &Json, min: i64, max: i64) -> Result<i64, EncodeError> {
        json.as_i64()
            .filter(|value| (min..=max).contains(value))
            .ok_or_else(|| self.wrong(&format!("an integer from {min} to {max}"), json))
    }

    /// The integer of a member that may be missing or null.
    pub(super) fn member<T: TryFrom<i64>>(
        &mut self,
        object: &Map<String, Json>,
        name: &str,
        min: i64,
        max: i64,
    ) -> Result<Option<T>, EncodeError> {
        let Some(json) = object.get(name).filter(|json| !json.is_null()) else {
            return Ok(None);
        };
        self.enter(name);
        let value = self.integer(json, min, max)?;
        self.leave();
        Ok(T::try_from(value).ok())
    }

    pub(super) fn hex(&self, json: &Json) -> Result<Vec<u8>, EncodeError> {
        let digits = json.as_str().map(str::as_bytes).unwrap_or(b"?");
        if digits.contains(&b'*') {
            let expected = "bytes as hex, which decoding with --show-secrets prints,";
            return Err(self.wrong(expected, json));
        }
        digits
            .chunks(2)
            .map(|pair| match *pair {
                [high, low] => Some(digit(high)? << 4 | digit(low)?),
                _ => None,
            })
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(|| self.wrong("bytes as hex", json))
    }

    /// The bytes of a member; `None` where it is missing or null.
    pub(super) fn bytes(
        &mut self,
        object: &Map<String, Json>,
        name: &str,
    ) -> Result<Option<Vec<u8>>, EncodeError> {
        let Some(json) = object.get(name).filter(|json| !json.is_null()) else {
            return Ok(None);
        };
        self.enter(name);
        let bytes = self.hex(json)?;
        self.leave();
        Ok(Some(bytes))
    }

    /// The elements of a member; none where it is missing.
    pub(super) fn items<'a>(
        &self,
        object: &'a Map<String, Json>,
        name: &str,
        expected: &str,
    ) -> Result<&'a [Json], EncodeError> {
        match object.get(name) {
            None => Ok(&[]),
            Some(Json::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong_member(name, expected, other)),
        }
    }
}

fn digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
