//! Exchanges of a capture as JSON; docs/JSON.md is the contract.
//!
//! What comes in is an exchange with the index that it is in; what goes out are the members of its
//! line, appended to a buffer that the caller keeps. Lists of a million exchanges are written with
//! this, so no value is made that is not text already. It decodes nothing: what is wrong with the
//! messages is given by the caller.

use serde_json::Value as Json;

use super::{escape_json::write_json, exchange_cells::is_plain};
use crate::{
    explain::ErrorCode,
    schema::ApiKey,
    session::{Exchange, Index, Kind, Message, Side},
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

/// The members of a line, in order.
const LINE: [ExchangeField; 22] = [
    F::Type,
    F::Kind,
    F::N,
    F::Connection,
    F::Client,
    F::Server,
    F::ApiKey,
    F::Api,
    F::Version,
    F::CorrelationId,
    F::Status,
    F::ClientId,
    F::Request,
    F::Response,
    F::LatencyMs,
    F::LatencyLastMs,
    F::ThrottleMs,
    F::LatencyNetMs,
    F::Errors,
    F::Topics,
    F::Records,
    F::Problems,
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
    /// The connection whose ends are kept as text, and its client's end.
    ends: Option<(u32, Side)>,
    client: Vec<u8>,
    server: Vec<u8>,
    /// The day that was written last, in days since 1970, with its text.
    day: Option<(i64, String)>,
}

impl ExchangeJson {
    /// Appends the line of `exchange`, with what is wrong with it; `None` if nothing is.
    pub fn line(
        &mut self,
        out: &mut Vec<u8>,
        index: &Index,
        exchange: &Exchange,
        problems: Option<&Json>,
    ) {
        let mut separator = b'{';
        for field in LINE {
            out.push(separator);
            separator = b',';
            push_name(out, field.name());
            self.value(out, field, index, exchange, problems);
        }
        if exchange.topics_cut {
            out.extend_from_slice(b",\"topics_cut\":true");
        }
        let tls = index
            .connection(exchange.connection)
            .and_then(|connection| connection.tls);
        if let Some((version, suite)) = tls.and_then(|tls| tls.chosen) {
            out.extend_from_slice(b",\"tls\":{\"version\":");
            push_text(out, Some(&version.to_string()));
            out.extend_from_slice(b",\"suite\":");
            push_text(out, Some(&suite.to_string()));
            out.push(b'}');
        }
        out.extend_from_slice(b"}\n");
    }

    /// Appends one value.
    pub fn value(
        &mut self,
        out: &mut Vec<u8>,
        field: ExchangeField,
        index: &Index,
        exchange: &Exchange,
        problems: Option<&Json>,
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
            F::Client | F::Server => {
                self.find_ends(index, exchange);
                out.extend_from_slice(match field {
                    F::Client => &self.client,
                    _ => &self.server,
                });
            }
            F::ApiKey => push_some(out, api.map(|api| api.0)),
            F::Api => push_text(out, api.and_then(ApiKey::name)),
            F::Version => push_some(out, exchange.api.map(|(_, version)| version)),
            F::CorrelationId => push(out, exchange.correlation_id),
            F::Status => push_text(out, Some(exchange.status.name())),
            F::ClientId => push_text(out, exchange.client_id.map(|id| index.name(id))),
            F::Request => self.message(out, request),
            F::Response => self.message(out, response),
            F::LatencyMs => push_ms(out, exchange.latency()),
            F::LatencyLastMs => push_ms(out, exchange.latency_to_last()),
            F::ThrottleMs => push_some(out, index.throttle_ms(exchange)),
            F::LatencyNetMs => push_ms(out, index.latency_net(exchange)),
            F::Errors => {
                let codes = index.errors(exchange).iter();
                push_list(out, codes, |out, &code| match ErrorCode(code).name() {
                    Some(name) => push_text(out, Some(name)),
                    None => push_text(out, Some(&ErrorCode(code).to_string())),
                });
            }
            F::Topics => {
                push_list(out, index.topics(exchange), |out, name| {
                    push_text(out, Some(name));
                });
            }
            F::Records => push(out, exchange.records),
            F::Problems => match problems {
                None => out.extend_from_slice(b"[]"),
                Some(problems) => push_json(out, problems),
            },
            F::TopicsCut => {
                let text: &[u8] = if exchange.topics_cut {
                    b"true"
                } else {
                    b"false"
                };
                out.extend_from_slice(text);
            }
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
        let day = micros.div_euclid(86_400_000_000);
        let of_day = micros.rem_euclid(86_400_000_000);
        if self.day.as_ref().is_none_or(|&(known, _)| known != day) {
            let midnight = jiff::Timestamp::from_second(day * 86_400).unwrap_or_default();
            self.day = Some((day, midnight.strftime("%Y-%m-%d").to_string()));
        }
        out.push(b'"');
        if let Some((_, text)) = &self.day {
            out.extend_from_slice(text.as_bytes());
        }
        let seconds = of_day / 1_000_000;
        out.push(b'T');
        push_digits(out, seconds / 3600, 10);
        out.push(b':');
        push_digits(out, seconds / 60 % 60, 10);
        out.push(b':');
        push_digits(out, seconds % 60, 10);
        out.push(b'.');
        push_digits(out, of_day % 1_000_000, 100_000);
        out.extend_from_slice(b"Z\"");
    }

    /// Keeps the text of both ends; most exchanges follow one of the same connection.
    fn find_ends(&mut self, index: &Index, exchange: &Exchange) {
        let connection = index.connection(exchange.connection);
        let ends = connection.map(|connection| (exchange.connection, connection.client_side()));
        if ends.is_some() && ends == self.ends {
            return;
        }
        self.ends = ends;
        self.client.clear();
        self.server.clear();
        match connection {
            None => {
                self.client.extend_from_slice(b"null");
                self.server.extend_from_slice(b"null");
            }
            Some(connection) => {
                push_text(&mut self.client, Some(&connection.client.to_string()));
                push_text(&mut self.server, Some(&connection.server.to_string()));
            }
        }
    }
}

/// Appends the name of a member and what stands behind it.
pub fn push_name(out: &mut Vec<u8>, name: &str) {
    push_text(out, Some(name));
    out.push(b':');
}

/// Adds the names that the capture has for the two ends to a line.
pub fn json_hosts(line: &mut Vec<u8>, client: Option<&str>, server: Option<&str>) {
    for (key, name) in [("client_host", client), ("server_host", server)] {
        if name.is_some() && line.ends_with(b"}\n") {
            line.truncate(line.len() - 2);
            line.push(b',');
            push_name(line, key);
            push_text(line, name);
            line.extend_from_slice(b"}\n");
        }
    }
}

/// Appends any value. Writing into memory cannot fail.
pub fn push_json(out: &mut Vec<u8>, value: &Json) {
    let _ = write_json(out, value);
}

/// Appends a whole number; many times faster than formatting it.
fn push(out: &mut Vec<u8>, number: impl Into<i128>) {
    let number: i128 = number.into();
    if number < 0 {
        out.push(b'-');
    }
    // Nothing here has more digits than 64 bits can have.
    let mut left = u64::try_from(number.unsigned_abs()).unwrap_or(u64::MAX);
    let start = out.len();
    loop {
        out.push(b'0' + (left % 10) as u8);
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if let Some(digits) = out.get_mut(start..) {
        digits.reverse();
    }
}

fn push_some(out: &mut Vec<u8>, number: Option<impl Into<i128>>) {
    match number {
        Some(number) => push(out, number),
        None => out.extend_from_slice(b"null"),
    }
}

fn push_ms(out: &mut Vec<u8>, nanos: Option<i64>) {
    match nanos {
        // A float has the shortest digits that tell it from all others.
        Some(nanos) => {
            let _ = write_json(out, &(nanos as f64 / 1e6));
        }
        None => out.extend_from_slice(b"null"),
    }
}

fn push_text(out: &mut Vec<u8>, text: Option<&str>) {
    let Some(text) = text else {
        out.extend_from_slice(b"null");
        return;
    };
    if is_plain(text) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        let _ = write_json(out, &text);
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

/// The digits of a number from the place of `unit`, a power of ten, down.
fn push_digits(out: &mut Vec<u8>, number: i64, unit: i64) {
    let mut unit = unit;
    while unit > 0 {
        out.push(b'0' + (number / unit % 10) as u8);
        unit /= 10;
    }
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
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, -1, 1234567890, i64::MAX, i64::MIN] {
            let mut text = Vec::new();
            push(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
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
