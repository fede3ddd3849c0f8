//! An exchange as a line of CSV (RFC 4180) with the chosen columns.
//!
//! The columns are members of the JSON contract under its names, so that numbers are numbers and
//! times are whole. Several values in one cell are separated by spaces; what is no plain value is
//! JSON.

use serde_json::Value as Json;

use super::{
    column::{Column, Source, default_columns},
    path::Bodies,
};
use crate::{
    render::{ExchangeJson, csv_text},
    session::{Exchange, Index, Session},
};

/// Writes lines of columns; each thread has its own.
#[derive(Clone, Debug)]
pub struct ColumnCsv {
    columns: Vec<Column>,
    json: ExchangeJson,
}

impl ColumnCsv {
    /// Lines of these columns, or of the usual ones.
    pub fn new(columns: Option<Vec<Column>>) -> ColumnCsv {
        ColumnCsv {
            columns: columns.unwrap_or_else(default_columns),
            json: ExchangeJson::default(),
        }
    }

    /// The line with the names of the columns.
    pub fn head(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|c| csv_text(&c.member)).collect();
        names.join(",") + "\r\n"
    }

    /// Appends the line of `exchange`.
    pub fn line(
        &mut self,
        out: &mut Vec<u8>,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        let mut bodies = Bodies::new(session, index, exchange);
        let mut value = Vec::new();
        for (idx, column) in self.columns.iter().enumerate() {
            if idx > 0 {
                out.push(b',');
            }
            let json = match &column.source {
                Source::Path(path) => path.value(&mut bodies),
                Source::Field(field) => {
                    value.clear();
                    self.json
                        .value(&mut value, *field, session, index, exchange);
                    // What was just written as JSON is some.
                    serde_json::from_slice(&value).unwrap_or_default()
                }
            };
            out.extend_from_slice(cell(&json).as_bytes());
        }
        out.extend_from_slice(b"\r\n");
    }
}

/// The cell of a value. Numbers stand as they are, so that negative ones stay numbers.
fn cell(json: &Json) -> String {
    match json {
        Json::Null => String::new(),
        Json::Bool(_) | Json::Number(_) => json.to_string(),
        Json::String(text) => csv_text(text),
        Json::Array(list) => {
            let texts: Option<Vec<&str>> = list
                .iter()
                .map(|item| item.as_str().filter(|text| is_word(text)))
                .collect();
            match texts {
                Some(texts) => csv_text(&texts.join(" ")),
                None => csv_text(&json.to_string()),
            }
        }
        Json::Object(_) => csv_text(&json.to_string()),
    }
}

/// Whether a text among others is told from them by spaces, and all of them from JSON.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('[') && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_cells() {
        for (json, shown) in [
            (json!(null), ""),
            (json!(-1), "-1"),
            (json!(4.7), "4.7"),
            (json!("=a"), "'=a"),
            (json!(["a", "b"]), "a b"),
            (json!([]), ""),
            (json!(["=a", "b"]), "'=a b"),
            (json!(["a b", "c"]), r#""[""a b"",""c""]""#),
            (json!([1, 2]), "\"[1,2]\""),
            (json!([""]), r#""[""""]""#),
            (json!(["[a]", "b"]), r#""[""[a]"",""b""]""#),
            (json!(["a\tb"]), r#""[""a\tb""]""#),
            (json!({"a": 1}), r#""{""a"":1}""#),
        ] {
            assert_eq!(cell(&json), shown);
        }
    }
}
