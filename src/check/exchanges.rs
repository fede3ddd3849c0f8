//! Requests and responses against each other: what has no answer, what nobody asked for, what was
//! refused, what took long.

use std::collections::HashMap;

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
    messages::place,
};
use crate::{
    explain::ErrorCode,
    schema::{ApiKey, Catalogue, Direction},
    session::{Connection, Exchange, Index, Kind as ExchangeKind, Status},
    stats::{Keep, is_unanswered},
};

/// A request that was sent so shortly before the capture ends may still be answered: most answers
/// come within a second, fetches wait for half of one.
const IN_FLIGHT: i64 = 1_000_000_000;

pub(super) fn check(index: &Index, keep: Keep<'_>, slow: Option<i64>, found: &mut Findings) {
    let spans = Spans::of(index);
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        unknown(&exchange, found);
        if is_unanswered(&exchange) {
            unanswered(index, &spans, &exchange, found);
        }
        let odd = match exchange.status {
            Status::Duplicate => Some("a second answer to a request that was answered before"),
            Status::Late => {
                Some("an answer behind that to a later request, which brokers never do")
            }
            Status::Unexpected if exchange.request.is_some() => {
                Some("an answer to a request that asks for none")
            }
            _ => None,
        };
        match odd {
            Some(what) => {
                let (severity, kind) = (Severity::Warning, Kind::UnexpectedResponse);
                found.add_one_of(severity, kind, api(&exchange), place(&exchange), what);
            }
            None if exchange.request.is_none() => {
                unexpected(index, &spans, &exchange, found);
            }
            None => {}
        }
        for &code in index.errors(&exchange) {
            let code = ErrorCode(code);
            let subject = format!("{}: {code}", api(&exchange));
            let kind = Kind::ErrorResponse;
            found.add(Severity::Note, kind, subject, place(&exchange), || {
                code.meaning()
                    .unwrap_or("no release of Kafka has it")
                    .to_owned()
            });
        }
        if let (Some(slow), Some(latency)) = (slow, exchange.latency())
            && latency >= slow
        {
            let occurrence = Occurrence {
                detail: format!("{} ms", latency / 1_000_000),
                ..place(&exchange)
            };
            found.add(
                Severity::Warning,
                Kind::Slow,
                api(&exchange),
                occurrence,
                || format!("answers took {} ms or more", slow / 1_000_000),
            );
        }
    }
}

/// When each connection was heard.
struct Spans {
    of: HashMap<u32, Span>,
    /// The last message of the capture.
    end: i64,
    has_responses: bool,
}

/// When one was.
#[derive(Clone, Copy, Default)]
struct Span {
    first_request: Option<i64>,
    /// The number of the last exchange whose request has an answer.
    last_answered: Option<u32>,
}

impl Spans {
    fn of(index: &Index) -> Spans {
        let mut spans = Spans {
            of: HashMap::new(),
            end: i64::MIN,
            has_responses: false,
        };
        for exchange in index.exchanges() {
            let span = spans.of.entry(exchange.connection).or_default();
            if let Some(request) = exchange.request {
                let first = span.first_request;
                let earlier = first.map_or(request.time, |first| first.min(request.time));
                span.first_request = Some(earlier);
                spans.end = spans.end.max(request.last_time);
            }
            if let Some(response) = exchange.response {
                spans.has_responses = true;
                spans.end = spans.end.max(response.last_time);
                if exchange.request.is_some() {
                    span.last_answered = span.last_answered.max(Some(exchange.n));
                }
            }
        }
        spans
    }
}

/// The API by name.
fn api(exchange: &Exchange) -> String {
    match (exchange.kind, exchange.api) {
        (ExchangeKind::SaslToken, _) => "SASL token".to_owned(),
        (_, Some((key, _))) => ApiKey(key).to_string(),
        (_, None) => "response".to_owned(),
    }
}

fn unanswered(index: &Index, spans: &Spans, exchange: &Exchange, found: &mut Findings) {
    let sent = exchange.request.map_or(0, |request| request.last_time);
    let connection = index.connection(exchange.connection);
    let is_lost = connection.is_some_and(|connection| connection.counts.b.lost > 0);
    let is_closed = connection.is_some_and(Connection::is_closed_by_server);
    let is_api_versions = exchange
        .api
        .is_some_and(|(key, _)| ApiKey(key) == ApiKey::API_VERSIONS);
    let is_left = connection.is_some_and(Connection::is_closed_by_client);
    let span = spans.of.get(&exchange.connection).copied();
    let span = span.unwrap_or_default();
    let is_waiting = spans.end - sent < IN_FLIGHT;
    let (severity, what) = if !spans.has_responses {
        (
            Severity::Note,
            "no answer; the capture holds no response at all",
        )
    } else if is_lost {
        let what = "no answer in the capture, which lacks bytes from that broker";
        (Severity::Note, what)
    } else if span.last_answered.is_some_and(|last| last > exchange.n) {
        let what = "no answer, though later requests of the connection have theirs";
        (Severity::Warning, what)
    } else if is_left {
        let what = "no answer: the client closed the connection behind it";
        (Severity::Note, what)
    } else if is_closed {
        let what = match is_api_versions {
            true => {
                "no answer: the broker closed the connection, as those before 0.10 do when they do not know a request"
            }
            false => "no answer: the broker closed the connection",
        };
        (Severity::Warning, what)
    } else if is_waiting {
        let what = "no answer yet, less than a second before the capture ends";
        (Severity::Note, what)
    } else {
        let what = "no answer, and none to anything after it on the connection";
        (Severity::Warning, what)
    };
    let subject = api(exchange);
    found.add_one_of(severity, Kind::Unanswered, subject, place(exchange), what);
}

fn unexpected(index: &Index, spans: &Spans, exchange: &Exchange, found: &mut Findings) {
    let Some(response) = exchange.response else {
        return;
    };
    let connection = index.connection(exchange.connection);
    let first = spans.of.get(&exchange.connection);
    let first = first.and_then(|span| span.first_request);
    let is_early = first.is_none_or(|first| response.time < first);
    let is_lost = connection.is_some_and(|connection| connection.counts.a.lost > 0);
    let is_from_start = connection.is_some_and(|connection| connection.from_start);
    let is_one_sided = connection.is_some_and(|connection| connection.counts.a.packets == 0);
    let (severity, what) = if is_one_sided {
        let what = "only what the broker sent is in the capture";
        (Severity::Note, what)
    } else if is_lost {
        let what = "the capture lacks bytes of that client, the request may be in them";
        (Severity::Note, what)
    } else if is_early && !is_from_start {
        let what = "the request came before the capture, or only one direction was captured";
        (Severity::Note, what)
    } else if exchange.status != Status::Unexpected {
        let what = "the request may be in what could not be read of that client";
        (Severity::Note, what)
    } else {
        let what = "no request of the connection has its correlation id";
        (Severity::Warning, what)
    };
    let occurrence = Occurrence {
        detail: format!("correlation id {}", exchange.correlation_id),
        ..place(exchange)
    };
    let subject = "response".to_owned();
    let kind = Kind::UnexpectedResponse;
    found.add_one_of(severity, kind, subject, occurrence, what);
}

/// Requests that no definition is for.
fn unknown(exchange: &Exchange, found: &mut Findings) {
    let Some((key, version)) = exchange.api else {
        return;
    };
    let definition = Catalogue::current().api(ApiKey(key), Direction::Request);
    let Some(definition) = definition else {
        let (kind, subject) = (Kind::UnknownApi, ApiKey(key).to_string());
        found.add(Severity::Warning, kind, subject, place(exchange), || {
            "no release up to 4.3 has an API of that key".to_owned()
        });
        return;
    };
    if !definition.ever.contains(version) {
        let subject = format!("{} {version}", ApiKey(key));
        let kind = Kind::UnknownVersion;
        found.add(Severity::Warning, kind, subject, place(exchange), || {
            format!("versions {} were ever there", definition.ever)
        });
    }
}
