//! Values as an expression writes them.

use chrono::{DateTime, SecondsFormat};
use serde_json::Value as Json;

/// A text, in the escapes that CEL shares with JSON.
pub fn text_literal(value: &str) -> String {
    Json::from(value).to_string()
}

/// A time in nanoseconds since 1970.
pub fn time_literal(nanos: i64) -> String {
    let time = DateTime::from_timestamp_nanos(nanos);
    let text = time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    format!("timestamp(\"{text}\")")
}

/// Both expressions together; the first one, which somebody may have typed, is held together.
pub fn narrowed(by: &str, and: &str) -> String {
    match by.is_empty() || by == and {
        true => and.to_owned(),
        false => format!("({by}) && {and}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Filter;

    #[test]
    fn literals_are_read_as_what_they_were() {
        assert_eq!(text_literal("a\"\u{1}"), r#""a\"\u0001""#);
        assert_eq!(
            time_literal(1_700_000_000_250_000_000),
            r#"timestamp("2023-11-14T22:13:20.250Z")"#
        );
        for filter in [
            format!("client_id == {}", text_literal("\u{7f}\\ '\u{1}\"")),
            format!("time >= {}", time_literal(1)),
            narrowed("a || b", "c").replace(['a', 'b', 'c'], "true"),
        ] {
            assert!(Filter::parse(&filter).is_ok(), "{filter}");
        }
        assert_eq!(narrowed("", "n == 1"), "n == 1");
        assert_eq!(narrowed("n > 0", "n == 1"), "(n > 0) && n == 1");
    }
}
