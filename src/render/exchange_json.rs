//! Exchanges of a capture as JSON; docs/JSON.md is the contract.
//!
//! What comes in is an exchange with the index that it is in; what goes out are the members of its
//! line, appended to a buffer that the caller keeps. Lists of a million exchanges are written with
//! this, so no value is made that is not text already. It decodes nothing but what something is wrong
//! with.

use serde_json::Value as Json;

use super::{
    backward,
    escape_json::write_json,
    exchange::date,
    exchange_cells::is_plain,
    exchange_problems::exchange_problems,
    json_number::{push, push_ms, push_some},
    kept::Kept,
};
use crate::{
    explain::ErrorCode,
    schema::ApiKey,
    session::{Exchange, Index, Kind, Message, Session, Side, Suite, Version},
};

/// A member of the line of an exchange, or of an object in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExchangeField {
    Type,
    Kind,
    N,
    Connection,
    Client,
    Server,
    ApiKey,
    Api,
    Version,
    CorrelationId,
    Status,
    ClientId,
    Request,
    Response,
    LatencyMs,
    LatencyLastMs,
    ThrottleMs,
    LatencyNetMs,
    Errors,
    Topics,
    Records,
    Problems,
    /// Whether there are more topics than are kept; a line has it only where there are.
    TopicsCut,
    /// Version and suite, of decrypted connections; a line has it only there.
    Tls,
    TlsVersion,
    TlsSuite,
    /// The name that the capture has for the address; a line has it only where there is one.
    ClientHost,
    ServerHost,
    /// Day of the first byte that was captured.
    Date,
    /// That of the first byte that was captured.
    Time,
    /// Packet with that byte.
    Packet,
    /// Size of both messages together.
    Bytes,
    RequestTime,
    RequestPacket,
    RequestSize,
    ResponseTime,
    ResponsePacket,
    ResponseSize,
}

use ExchangeField as F;

/// The members of a line, in order, each with what stands in front of its value.
const LINE: [(ExchangeField, &[u8]); 22] = [
    (F::Type, b"{\"type\":"),
    (F::Kind, b",\"kind\":"),
    (F::N, b",\"n\":"),
    (F::Connection, b",\"connection\":"),
    (F::Client, b",\"client\":"),
    (F::Server, b",\"server\":"),
    (F::ApiKey, b",\"api_key\":"),
    (F::Api, b",\"api\":"),
    (F::Version, b",\"version\":"),
    (F::CorrelationId, b",\"correlation_id\":"),
    (F::Status, b",\"status\":"),
    (F::ClientId, b",\"client_id\":"),
    (F::Request, b",\"request\":"),
    (F::Response, b",\"response\":"),
    (F::LatencyMs, b",\"latency_ms\":"),
    (F::LatencyLastMs, b",\"latency_last_ms\":"),
    (F::ThrottleMs, b",\"throttle_ms\":"),
    (F::LatencyNetMs, b",\"latency_net_ms\":"),
    (F::Errors, b",\"errors\":"),
    (F::Topics, b",\"topics\":"),
    (F::Records, b",\"records\":"),
    (F::Problems, b",\"problems\":"),
];

impl ExchangeField {
    /// The name of the member; of one in an object, its path.
    pub fn name(self) -> &'static str {
        match self {
            F::Type => "type",
            F::Kind => "kind",
            F::N => "n",
            F::Connection => "connection",
            F::Client => "client",
            F::Server => "server",
            F::ApiKey => "api_key",
            F::Api => "api",
            F::Version => "version",
            F::CorrelationId => "correlation_id",
            F::Status => "status",
            F::ClientId => "client_id",
            F::Request => "request",
            F::Response => "response",
            F::LatencyMs => "latency_ms",
            F::LatencyLastMs => "latency_last_ms",
            F::ThrottleMs => "throttle_ms",
            F::LatencyNetMs => "latency_net_ms",
            F::Errors => "errors",
            F::Topics => "topics",
            F::Records => "records",
            F::Problems => "problems",
            F::TopicsCut => "topics_cut",
            F::Tls => "tls",
            F::TlsVersion => "tls.version",
            F::TlsSuite => "tls.suite",
            F::ClientHost => "client_host",
            F::ServerHost => "server_host",
            F::Date => "date",
            F::Time => "time",
            F::Packet => "packet",
            F::Bytes => "bytes",
            F::RequestTime => "request.time",
            F::RequestPacket => "request.packet",
            F::RequestSize => "request.size",
            F::ResponseTime => "response.time",
            F::ResponsePacket => "response.packet",
            F::ResponseSize => "response.size",
        }
    }
}

/// Writes exchanges one after the other; each thread has its own.
#[derive(Clone, Debug, Default)]
pub struct ExchangeJson {
    clients: Kept,
    servers: Kept,
    client_ids: Kept,
    topics: Kept,
    /// The second that was written last, in seconds since 1970, with its text up to the point.
    second: Option<(i64, Vec<u8>)>,
    /// The same of its day.
    day: Option<(i64, String)>,
}

impl ExchangeJson {
    /// Appends the line of `exchange`.
    pub fn line(
        &mut self,
        out: &mut Vec<u8>,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        for (field, key) in LINE {
            out.extend_from_slice(key);
            self.value(out, field, session, index, exchange);
        }
        if exchange.topics_cut {
            out.extend_from_slice(b",\"topics_cut\":true");
        }
        if tls_of(index, exchange).is_some() {
            out.extend_from_slice(b",\"tls\":");
            self.value(out, F::Tls, session, index, exchange);
        }
        for (field, name) in [
            (F::ClientHost, client_host(session, index, exchange)),
            (F::ServerHost, server_host(session, index, exchange)),
        ] {
            if let Some(name) = name {
                out.push(b',');
                push_name(out, field.name());
                push_text(out, Some(&name));
            }
        }
        out.extend_from_slice(b"}\n");
    }

    /// Appends one value.
    pub fn value(
        &mut self,
        out: &mut Vec<u8>,
        field: ExchangeField,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        let api = exchange.api.map(|(key, _)| ApiKey(key));
        let (request, response) = (exchange.request, exchange.response);
        let time = |message: Message| message.time;
        let packet = |message: Message| message.packet;
        let size = |message: Message| message.size;
        match field {
            F::Type => out.extend_from_slice(b"\"exchange\""),
            F::Kind => out.extend_from_slice(match exchange.kind {
                Kind::Api => b"\"api\"",
                Kind::SaslToken => b"\"sasl-token\"",
            }),
            F::N => push(out, exchange.n),
            F::Connection => push(out, exchange.connection),
            F::Client | F::Server => self.end(out, field, index, exchange),
            F::ApiKey => push_some(out, api.map(|api| api.0)),
            F::Api => push_text(out, api.and_then(ApiKey::name)),
            F::Version => push_some(out, exchange.api.map(|(_, version)| version)),
            F::CorrelationId => push(out, exchange.correlation_id),
            F::Status => push_word(out, Some(exchange.status.name())),
            F::ClientId => {
                let number = exchange.client_id.map_or(0, |id| id.idx() + 1);
                self.client_ids.push(out, number, |out| {
                    push_text(out, exchange.client_id.map(|id| index.name(id)));
                });
            }
            F::Request => self.message(out, request),
            F::Response => self.message(out, response),
            F::LatencyMs => push_ms(out, exchange.latency()),
            F::LatencyLastMs => push_ms(out, exchange.latency_to_last()),
            F::ThrottleMs => push_some(out, index.throttle_ms(exchange)),
            F::LatencyNetMs => push_ms(out, index.latency_net(exchange)),
            F::Errors => {
                let codes = index.errors(exchange).iter();
                push_list(out, codes, |out, &code| match ErrorCode(code).name() {
                    Some(name) => push_word(out, Some(name)),
                    None => push_text(out, Some(&ErrorCode(code).to_string())),
                });
            }
            F::Topics => self.topics.push(out, exchange.topics.idx(), |out| {
                push_list(out, index.topics(exchange), |out, name| {
                    push_text(out, Some(name));
                });
            }),
            F::Records => push(out, exchange.records),
            F::Problems => match exchange_problems(session, exchange) {
                None => out.extend_from_slice(b"[]"),
                Some(problems) => push_json(out, &problems),
            },
            F::TopicsCut => {
                let text: &[u8] = if exchange.topics_cut {
                    b"true"
                } else {
                    b"false"
                };
                out.extend_from_slice(text);
            }
            F::Tls => match tls_of(index, exchange) {
                None => out.extend_from_slice(b"null"),
                Some((version, suite)) => {
                    out.extend_from_slice(b"{\"version\":");
                    push_text(out, Some(&version.to_string()));
                    out.extend_from_slice(b",\"suite\":");
                    push_text(out, Some(&suite.to_string()));
                    out.push(b'}');
                }
            },
            F::TlsVersion => {
                let version = tls_of(index, exchange).map(|tls| tls.0.to_string());
                push_text(out, version.as_deref());
            }
            F::TlsSuite => {
                let suite = tls_of(index, exchange).map(|tls| tls.1.to_string());
                push_text(out, suite.as_deref());
            }
            F::ClientHost => push_text(out, client_host(session, index, exchange).as_deref()),
            F::ServerHost => push_text(out, server_host(session, index, exchange).as_deref()),
            F::Date => push_word(out, Some(&date(exchange.time()))),
            F::Time => self.time(out, Some(exchange.time())),
            F::Packet => push_some(out, request.or(response).map(packet)),
            F::Bytes => {
                let sizes = [request, response].into_iter().flatten();
                push(out, sizes.map(|m| u64::from(m.size)).sum::<u64>());
            }
            F::RequestTime => self.time(out, request.map(time)),
            F::ResponseTime => self.time(out, response.map(time)),
            F::RequestPacket => push_some(out, request.map(packet)),
            F::ResponsePacket => push_some(out, response.map(packet)),
            F::RequestSize => push_some(out, request.map(size)),
            F::ResponseSize => push_some(out, response.map(size)),
        }
    }

    fn message(&mut self, out: &mut Vec<u8>, message: Option<Message>) {
        let Some(message) = message else {
            out.extend_from_slice(b"null");
            return;
        };
        out.extend_from_slice(b"{\"time\":");
        self.time(out, Some(message.time));
        out.extend_from_slice(b",\"packet\":");
        push(out, message.packet);
        out.extend_from_slice(b",\"size\":");
        push(out, message.size);
        out.push(b'}');
    }

    /// Nanoseconds since 1970 as `2026-11-01T10:00:00.000250Z`. The parts below a microsecond are
    /// left away.
    fn time(&mut self, out: &mut Vec<u8>, nanos: Option<i64>) {
        let Some(nanos) = nanos else {
            out.extend_from_slice(b"null");
            return;
        };
        let micros = nanos.div_euclid(1_000);
        let second = micros.div_euclid(1_000_000);
        if self
            .second
            .as_ref()
            .is_none_or(|&(known, _)| known != second)
        {
            self.turn_to(second);
        }
        if let Some((_, text)) = &self.second {
            out.extend_from_slice(text);
        }
        let fraction = micros.rem_euclid(1_000_000).unsigned_abs();
        backward::push(out, 6, |text| text.digits(fraction, 6));
        out.extend_from_slice(b"Z\"");
    }

    /// Makes the text of a second.
    fn turn_to(&mut self, second: i64) {
        let day = second.div_euclid(86_400);
        let of_day = second.rem_euclid(86_400).unsigned_abs();
        if self.day.as_ref().is_none_or(|&(known, _)| known != day) {
            let midnight = jiff::Timestamp::from_second(day * 86_400).unwrap_or_default();
            self.day = Some((day, midnight.strftime("\"%Y-%m-%dT").to_string()));
        }
        let date = self.day.as_ref().map_or("", |(_, text)| text);
        let mut text = date.as_bytes().to_vec();
        backward::push(&mut text, 9, |time| {
            time.byte(b'.');
            time.digits(of_day % 60, 2);
            time.byte(b':');
            time.digits(of_day / 60 % 60, 2);
            time.byte(b':');
            time.digits(of_day / 3600, 2);
        });
        self.second = Some((second, text));
    }

    fn end(&mut self, out: &mut Vec<u8>, field: ExchangeField, index: &Index, exchange: &Exchange) {
        let connection = index.connection(exchange.connection);
        let is_turned = connection.is_some_and(|ends| ends.client_side() == Side::B);
        let number = 2 * exchange.connection as usize + usize::from(is_turned);
        let is_client = field == F::Client;
        let kept = if is_client {
            &mut self.clients
        } else {
            &mut self.servers
        };
        kept.push(out, number, |out| {
            let end = connection.map(|ends| if is_client { ends.client } else { ends.server });
            push_text(out, end.map(|end| end.to_string()).as_deref());
        });
    }
}

/// Appends the name of a member and what stands behind it.
pub fn push_name(out: &mut Vec<u8>, name: &str) {
    push_text(out, Some(name));
    out.push(b':');
}

/// Version and cipher suite of the connection of an exchange, where it was decrypted.
pub fn tls_of(index: &Index, exchange: &Exchange) -> Option<(Version, Suite)> {
    index.connection(exchange.connection)?.tls?.chosen
}

/// Both in one text, `None` where it was not decrypted.
pub fn tls_text(index: &Index, exchange: &Exchange) -> Option<String> {
    let (version, suite) = tls_of(index, exchange)?;
    Some(format!("{version} {suite}"))
}

/// The name that the capture has for the client of an exchange.
pub fn client_host(session: &Session, index: &Index, exchange: &Exchange) -> Option<String> {
    let ends = index.connection(exchange.connection)?;
    session.capture().host(ends.client.addr)
}

/// The name that the capture has for the server of an exchange.
pub fn server_host(session: &Session, index: &Index, exchange: &Exchange) -> Option<String> {
    let ends = index.connection(exchange.connection)?;
    session.capture().host(ends.server.addr)
}

/// Appends any value. Writing into memory cannot fail.
pub fn push_json(out: &mut Vec<u8>, value: &Json) {
    let _ = write_json(out, value);
}

/// Appends a word of ours, in which nothing has to be escaped.
fn push_word(out: &mut Vec<u8>, word: Option<&str>) {
    match word {
        Some(word) => {
            out.push(b'"');
            out.extend_from_slice(word.as_bytes());
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
}

fn push_text(out: &mut Vec<u8>, text: Option<&str>) {
    let Some(text) = text else {
        out.extend_from_slice(b"null");
        return;
    };
    match is_plain(text) {
        true => push_word(out, Some(text)),
        false => drop(write_json(out, &text)),
    }
}

fn push_list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut push_item: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (idx, item) in items.enumerate() {
        if idx > 0 {
            out.push(b',');
        }
        push_item(out, item);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_what_a_calendar_says() {
        let mut writer = ExchangeJson::default();
        let mut nanos = vec![
            0,
            -1,
            i64::MIN,
            i64::MAX,
            951_782_399_999_999_999,
            951_782_400_000_000_000,
        ];
        nanos.extend((-1_000..1_000).map(|n| n * 7_777_777_777_777_777));
        for nanos in nanos {
            let mut text = Vec::new();
            writer.time(&mut text, Some(nanos));
            let micros = jiff::Timestamp::from_microsecond(nanos.div_euclid(1_000)).unwrap();
            let expected = format!("\"{micros:.6}\"");
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{nanos}");
        }
    }

    #[test]
    fn members_are_called_by_their_names() {
        for (idx, (field, key)) in LINE.into_iter().enumerate() {
            let separator = if idx == 0 { '{' } else { ',' };
            let expected = format!("{separator}\"{}\":", field.name());
            assert_eq!(key, expected.as_bytes());
        }
    }

    #[test]
    fn texts_are_written_as_json_has_them() {
        for text in ["", "orders", "a\"b\\c", "\u{1b}[2J", "日本\n", "\u{202e}"] {
            let (mut short, mut long) = (Vec::new(), Vec::new());
            push_text(&mut short, Some(text));
            write_json(&mut long, &text).unwrap();
            assert_eq!(short, long);
        }
    }
}
