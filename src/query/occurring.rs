//! Values that exchanges have of the names that an expression can start with, so that they can be
//! offered while one is typed.
//!
//! In: exchanges of an index, one behind the other. Out: for each name its values as an expression
//! writes them, those that come most often first. Names whose values are mostly different, as times
//! and latencies, have none here.

use std::{cmp::Reverse, collections::HashMap};

use super::text_literal;
use crate::{
    render::{DecidedBy, ExchangeField as F, FieldValue, Fields, error_text},
    session::{Exchange, Index, Session},
};

/// Values of one name that are kept; nobody reads through more.
const KEPT: usize = 10_000;

const NANOS_OF_DAY: i64 = 86_400_000_000_000;

/// The values of each name, as an expression writes them: `"Produce"`, `11`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurring(Vec<(&'static str, Vec<String>)>);

impl Occurring {
    /// The values of a name; `None` if it is none of those whose values are kept.
    pub fn of(&self, name: &str) -> Option<&[String]> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, values)| values.as_slice())
    }
}

/// What was met, and how often.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// How many exchanges have in common what decides about values, with the number of one of them:
    /// values are made of this one alone, at the end.
    alike: HashMap<(DecidedBy, i64), (u64, u32)>,
    /// Texts of the column `error`.
    errors: HashMap<String, u64>,
}

impl Occurrences {
    /// Takes in an exchange.
    pub fn add(&mut self, index: &Index, exchange: &Exchange) {
        for by in DecidedBy::SHARED {
            if let Some(number) = number(exchange, by) {
                let alike = self.alike.entry((by, number));
                alike.or_insert((0, exchange.n)).0 += 1;
            }
        }
        let error = error_text(index, exchange);
        if !error.is_empty() && (self.errors.len() < KEPT || self.errors.contains_key(&error)) {
            add(&mut self.errors, error, 1);
        }
    }

    /// All values that were met.
    pub fn finish(self, session: &Session, index: &Index) -> Occurring {
        let fields = F::ALL.iter().copied().filter(|&field| field != F::Type);
        let fields = fields.filter(|field| DecidedBy::SHARED.contains(&field.decided_by()));
        let mut found: Vec<(&'static str, Vec<String>)> = fields
            .map(|field| {
                let mut values = HashMap::new();
                let alike = self.alike.iter();
                let alike = alike.filter(|((by, _), _)| *by == field.decided_by());
                for (_, &(count, n)) in alike {
                    let Some(exchange) = index.exchange(n as usize) else {
                        continue;
                    };
                    let fields = Fields {
                        session,
                        index,
                        exchange: &exchange,
                    };
                    each_literal(fields.value(field), |value| add(&mut values, value, count));
                }
                (field.name(), sorted(values))
            })
            .collect();
        let errors = self.errors.into_iter();
        let errors = errors.map(|(text, n)| (text_literal(&text), n));
        found.push(("error", sorted(errors.collect())));
        found.retain(|(_, values)| !values.is_empty());
        Occurring(found)
    }
}

/// The same number for all exchanges that have in common what decides; `None` where there is nothing.
fn number(exchange: &Exchange, by: DecidedBy) -> Option<i64> {
    Some(match by {
        DecidedBy::Kind => exchange.kind as i64,
        DecidedBy::Status => exchange.status as i64,
        DecidedBy::Connection => exchange.connection.into(),
        DecidedBy::Api => {
            let (key, version) = exchange.api?;
            (i64::from(key) << 16) | i64::from(version.cast_unsigned())
        }
        DecidedBy::ClientId => i64::try_from(exchange.client_id?.idx()).ok()?,
        DecidedBy::Topics => i64::try_from(exchange.topics.idx()).ok()?,
        DecidedBy::Errors => i64::try_from(exchange.errors.idx()).ok()?,
        DecidedBy::Day => exchange.time().div_euclid(NANOS_OF_DAY),
        DecidedBy::Exchange => return None,
    })
}

/// Calls `see` with a value as an expression writes it, or with each of a list.
fn each_literal(value: FieldValue<'_>, mut see: impl FnMut(String)) {
    match value {
        FieldValue::Int(number) | FieldValue::Millis(number) => see(number.to_string()),
        FieldValue::Bool(value) => see(value.to_string()),
        FieldValue::Text(text) => see(text_literal(&text)),
        FieldValue::Texts(texts) => texts.for_each(|text| see(text_literal(&text))),
        // These are what their members are, or differ from one exchange to the next.
        FieldValue::Null
        | FieldValue::Span(_)
        | FieldValue::Time(_)
        | FieldValue::Group(_)
        | FieldValue::Problems(_) => {}
    }
}

fn add(counts: &mut HashMap<String, u64>, value: String, n: u64) {
    *counts.entry(value).or_default() += n;
}

/// The values that come most often first, then in their order.
fn sorted(counted: HashMap<String, u64>) -> Vec<String> {
    let mut counted: Vec<(String, u64)> = counted.into_iter().collect();
    counted.sort_by(|(a, n_a), (b, n_b)| (Reverse(n_a), a).cmp(&(Reverse(n_b), b)));
    counted.truncate(KEPT);
    counted.into_iter().map(|(value, _)| value).collect()
}
