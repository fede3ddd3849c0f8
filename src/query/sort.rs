//! The order of a list: by a column, up or down.

use std::cmp::Ordering;

use serde_json::Value as Json;

use super::{
    column::{Column, Source},
    mistake::Mistake,
    path::Bodies,
};
use crate::{
    render::{ExchangeField as F, client_host, server_host, tls_of, tls_text},
    schema::ApiKey,
    session::{Exchange, Index, Session},
};

const NANOS_OF_DAY: i64 = 86_400_000_000_000;

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
        let (request, response) = (exchange.request, exchange.response);
        match field {
            F::Type => Key::Missing,
            F::Kind => Key::Number(exchange.kind as i64),
            F::N => Key::Number(exchange.n.into()),
            F::Connection => Key::Number(exchange.connection.into()),
            F::Client | F::Server => {
                let ends = index.connection(exchange.connection);
                Key::text(ends.map(|ends| match field {
                    F::Client => ends.client.to_string(),
                    _ => ends.server.to_string(),
                }))
            }
            F::ClientHost => Key::text(client_host(session, index, exchange)),
            F::ServerHost => Key::text(server_host(session, index, exchange)),
            F::Tls => Key::text(tls_text(index, exchange)),
            F::TlsVersion => Key::text(tls_of(index, exchange).map(|tls| tls.0.to_string())),
            F::TlsSuite => Key::text(tls_of(index, exchange).map(|tls| tls.1.to_string())),
            F::ApiKey => Key::number(exchange.api.map(|(key, _)| key)),
            F::Api => Key::text(exchange.api.map(|(key, _)| ApiKey(key).to_string())),
            F::Version => Key::number(exchange.api.map(|(_, version)| version)),
            F::CorrelationId => Key::Number(exchange.correlation_id.into()),
            F::Status => Key::text(Some(exchange.status.name().to_owned())),
            F::ClientId => Key::text(exchange.client_id.map(|id| index.name(id).to_owned())),
            F::LatencyMs => Key::number(exchange.latency()),
            F::LatencyLastMs => Key::number(exchange.latency_to_last()),
            F::LatencyNetMs => Key::number(index.latency_net(exchange)),
            F::ThrottleMs => Key::number(index.throttle_ms(exchange)),
            F::Errors => Key::number(index.errors(exchange).first().copied()),
            F::Topics => Key::text(index.topics(exchange).next().map(str::to_owned)),
            F::TopicsCut => Key::Number(exchange.topics_cut.into()),
            F::Records => Key::Number(exchange.records.into()),
            F::Problems => Key::Number(exchange.problems.into()),
            F::Time => Key::Number(exchange.time()),
            F::Date => Key::Number(exchange.time().div_euclid(NANOS_OF_DAY)),
            F::Packet => Key::number(request.or(response).map(|m| m.packet as i64)),
            F::Bytes => {
                let sizes = [request, response].into_iter().flatten();
                Key::Number(sizes.map(|m| i64::from(m.size)).sum())
            }
            F::Request | F::RequestTime => Key::number(request.map(|m| m.time)),
            F::Response | F::ResponseTime => Key::number(response.map(|m| m.time)),
            F::RequestPacket => Key::number(request.map(|m| m.packet as i64)),
            F::ResponsePacket => Key::number(response.map(|m| m.packet as i64)),
            F::RequestSize => Key::number(request.map(|m| m.size)),
            F::ResponseSize => Key::number(response.map(|m| m.size)),
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
    fn number(number: Option<impl Into<i64>>) -> Key {
        number.map_or(Key::Missing, |number| Key::Number(number.into()))
    }

    fn text(text: Option<String>) -> Key {
        text.map_or(Key::Missing, Key::Text)
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
