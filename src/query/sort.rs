//! The order of a list: by a column, up or down.

use std::cmp::Ordering;

use serde_json::Value as Json;

use super::{
    column::{Column, Source},
    mistake::Mistake,
    path::Bodies,
};
use crate::{
    render::{ExchangeField as F, FieldValue, Fields},
    schema::ApiKey,
    session::{Exchange, Index, Session},
};

/// An order of exchanges. Those that are equal stay as they were, and those without a value come
/// last, up or down.
#[derive(Clone, Debug)]
pub struct Sort {
    column: Column,
    descends: bool,
}

/// Exchanges with what they are compared by, while an order is being made.
#[derive(Debug, Default)]
pub struct Keyed(Vec<(Key, usize)>);

/// What exchanges are compared by.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Number(i64),
    Real(f64),
    Text(String),
    /// One after the other.
    Group(Vec<Key>),
    Missing,
}

impl Sort {
    /// Reads a column with its direction: `latency`, `-latency` or `latency:desc`.
    ///
    /// # Errors
    /// A name that no column has, or a direction that is none.
    pub fn parse(text: &str) -> Result<Sort, Mistake> {
        let (bare, at, minus) = match text.strip_prefix('-') {
            Some(bare) => (bare, 1, true),
            None => (text, 0, false),
        };
        let (name, direction) = bare.rsplit_once(':').unwrap_or((bare, "asc"));
        let down = match direction {
            "asc" => false,
            "desc" => true,
            other => {
                let from = at + name.chars().count() + 1;
                let place = from..from + other.chars().count();
                return Err(Mistake::new(
                    text,
                    place,
                    format!("found {other}, expected asc or desc"),
                ));
            }
        };
        Ok(Sort {
            column: Column::parse(text, at, name)?,
            descends: down != minus,
        })
    }

    /// Adds the exchanges of these numbers to those that are put in order.
    pub fn add(&self, session: &Session, index: &Index, numbers: &[usize], keyed: &mut Keyed) {
        let exchanges = numbers
            .iter()
            .filter_map(|&n| Some((n, index.exchange(n)?)));
        let with_keys = exchanges.map(|(n, exchange)| (self.key(session, index, &exchange), n));
        keyed.0.extend(with_keys);
    }

    /// The numbers of all that were added, in order.
    pub fn order(&self, keyed: Keyed) -> Vec<usize> {
        let Keyed(mut keyed) = keyed;
        keyed.sort_by(|(a, _), (b, _)| self.compare(a, b));
        keyed.into_iter().map(|(_, n)| n).collect()
    }

    /// Whether messages have to be decoded for it.
    pub fn is_decoded(&self) -> bool {
        self.column.is_decoded()
    }

    /// What `exchange` is compared by.
    fn key(&self, session: &Session, index: &Index, exchange: &Exchange) -> Key {
        let field = match &self.column.source {
            Source::Field(field) => *field,
            Source::Path(path) => {
                let mut bodies = Bodies::new(session, index, exchange);
                return path
                    .values(&mut bodies)
                    .first()
                    .map_or(Key::Missing, Key::of);
            }
        };
        let fields = Fields {
            session,
            index,
            exchange,
        };
        match field {
            // It is the same everywhere.
            F::Type => Key::Missing,
            // A list shows the keys that no definition has.
            F::Api => exchange
                .api
                .map_or(Key::Missing, |(key, _)| Key::Text(ApiKey(key).to_string())),
            // By their codes.
            F::Errors => {
                let first = index.errors(exchange).first();
                first.map_or(Key::Missing, |&code| Key::Number(code.into()))
            }
            field => Key::of_field(fields, field),
        }
    }

    /// How two keys are ordered.
    fn compare(&self, a: &Key, b: &Key) -> Ordering {
        match (a, b) {
            (Key::Missing, Key::Missing) => Ordering::Equal,
            (Key::Missing, _) => Ordering::Greater,
            (_, Key::Missing) => Ordering::Less,
            (a, b) if self.descends => b.compare(a),
            (a, b) => a.compare(b),
        }
    }
}

impl Key {
    fn of_field(fields: Fields<'_>, field: F) -> Key {
        match fields.value(field) {
            FieldValue::Null => Key::Missing,
            FieldValue::Bool(value) => Key::Number(value.into()),
            FieldValue::Int(number)
            | FieldValue::Millis(number)
            | FieldValue::Span(number)
            | FieldValue::Time(number) => Key::Number(number),
            FieldValue::Problems(n) => Key::Number(n.into()),
            FieldValue::Text(text) => Key::Text(text.into_owned()),
            FieldValue::Texts(mut texts) => texts
                .next()
                .map_or(Key::Missing, |text| Key::Text(text.into_owned())),
            FieldValue::Group(members) => {
                let members = members.iter();
                Key::Group(members.map(|&of| Key::of_field(fields, of)).collect())
            }
        }
    }

    fn of(json: &Json) -> Key {
        match json {
            Json::Null => Key::Missing,
            Json::Bool(value) => Key::Number((*value).into()),
            Json::Number(number) => match number.as_i64() {
                Some(number) => Key::Number(number),
                None => Key::Real(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => Key::Text(text.clone()),
            json => Key::Text(json.to_string()),
        }
    }

    /// Numbers come before texts.
    fn compare(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.cmp(b),
            (Key::Text(a), Key::Text(b)) => a.cmp(b),
            (Key::Real(a), Key::Real(b)) => a.total_cmp(b),
            (Key::Number(a), Key::Real(b)) => (*a as f64).total_cmp(b),
            (Key::Real(a), Key::Number(b)) => a.total_cmp(&(*b as f64)),
            (Key::Group(a), Key::Group(b)) => {
                let mut members = a.iter().zip(b).map(|(a, b)| a.compare(b));
                members
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            }
            (Key::Text(_), _) => Ordering::Greater,
            (_, Key::Text(_)) => Ordering::Less,
            _ => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_read_and_what_is_missing_comes_last() {
        let (low, high) = (Key::Number(1), Key::Real(1.5));
        for (text, first) in [
            ("latency", &low),
            ("-latency", &high),
            ("latency:desc", &high),
            ("-latency_ms:desc", &low),
        ] {
            let sort = Sort::parse(text).unwrap();
            let mut keys = [Key::Missing, high.clone(), low.clone()];
            keys.sort_by(|a, b| sort.compare(a, b));
            assert_eq!(&keys[0], first, "{text}");
            assert_eq!(keys[2], Key::Missing, "{text}");
        }
        assert!(Sort::parse("latency:down").is_err());
        assert!(Sort::parse("latncy").is_err());
    }
}
