//! The cells of a row of exchanges: a list of a million rows has ten million.
//!
//! What comes in are exchanges and the index that they are in; what goes out is UTF-8, safe to show:
//! appended where columns stand to the left, and else written backwards in their place.
//! The usual cases are written by hand, since formatting them takes longer than finding them.

use std::io::Write;
use std::net::IpAddr;

use super::{
    backward::{self, Backward},
    escape::escape_str,
    exchange_field::ExchangeField,
};
use crate::{
    explain::ErrorCode,
    schema::{ApiKey, Catalogue, Direction},
    session::{Endpoint, Exchange, Index, Kind, Message, Status},
};

use ExchangeField as F;

/// Topics that a line names before it only counts them.
const TOPICS: usize = 3;

/// Appends the cell of one of the usual columns.
pub(super) fn push_cell(
    out: &mut Vec<u8>,
    field: ExchangeField,
    index: &Index,
    exchange: &Exchange,
) {
    match field {
        F::N => push_number(out, exchange.n.into()),
        F::Time => push_time_of_day(out, exchange.time()),
        F::Connection => push_number(out, exchange.connection.into()),
        F::Client => push_endpoint(out, ends(index, exchange).0),
        F::Server => push_endpoint(out, ends(index, exchange).1),
        F::Api => push_api(out, exchange),
        F::Version => backward::push(out, 0, |cell| version_cell(cell, exchange)),
        F::ClientId => push_client_id(out, index, exchange),
        F::Topics => push_topics(out, index, exchange),
        F::Bytes => backward::push(out, 0, |cell| sizes_cell(cell, exchange)),
        F::LatencyMs => backward::push(out, 0, |cell| latency_of_cell(cell, exchange)),
        F::Errors => push_error(out, index, exchange),
        _ => {}
    }
}

/// Client and server of the connection.
pub(super) fn ends(index: &Index, exchange: &Exchange) -> (Endpoint, Endpoint) {
    let connection = index.connection(exchange.connection);
    connection.map_or_else(Default::default, |ends| (ends.client, ends.server))
}

pub(super) fn push_number(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    backward::push_number(out, number.unsigned_abs());
}

/// As `Endpoint` is displayed.
pub(super) fn push_endpoint(out: &mut Vec<u8>, end: Endpoint) {
    match end.addr {
        IpAddr::V4(addr) => {
            let [first, others @ ..] = addr.octets();
            push_number(out, first.into());
            for octet in others {
                out.push(b'.');
                push_number(out, octet.into());
            }
            out.push(b':');
            push_number(out, end.port.into());
        }
        // Writing into memory cannot fail.
        IpAddr::V6(_) => drop(write!(out, "{end}")),
    }
}

/// `10:00:00.000250`, in UTC.
pub(super) fn push_time_of_day(out: &mut Vec<u8>, nanos: i64) {
    Clock::default().push(out, nanos);
}

/// Writes times of day. Most rows are of the same second as the one before, so its text is kept with
/// its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Option<(i64, [u8; SECOND])>);

/// Bytes of `10:00:00.`.
const SECOND: usize = 9;

const NANOS: i64 = 1_000_000_000;

impl Clock {
    /// Appends the time of day, in UTC, of nanoseconds since 1970.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, nanos: i64) {
        let second = nanos.div_euclid(NANOS);
        let (_, text) = match self.0 {
            Some(kept) if kept.0 == second => kept,
            _ => *self.0.insert((second, text_of(second))),
        };
        out.extend_from_slice(&text);
        let fraction = nanos.wrapping_sub(second.wrapping_mul(NANOS)) as u32 / 1_000;
        backward::push(out, 6, |text| text.digits(fraction.into(), 6));
    }
}

/// The text of a second.
fn text_of(second: i64) -> [u8; SECOND] {
    let of_day = second.rem_euclid(86_400);
    let two = |number: i64| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
    let [a, b] = two(of_day / 3600);
    let [c, d] = two(of_day / 60 % 60);
    let [e, f] = two(of_day % 60);
    [a, b, b':', c, d, b':', e, f, b'.']
}

pub(super) fn push_api(out: &mut Vec<u8>, exchange: &Exchange) {
    match (exchange.kind, exchange.api) {
        (Kind::SaslToken, _) => out.extend_from_slice(b"SASL token"),
        (_, None) => out.extend_from_slice(b"response"),
        (_, Some((key, _))) => match ApiKey(key).name() {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => drop(write!(out, "{}", ApiKey(key))),
        },
    }
}

pub(super) fn version_cell(cell: &mut Backward<'_>, exchange: &Exchange) {
    if let (Kind::Api, Some((_, version))) = (exchange.kind, exchange.api) {
        cell.signed(version.into());
    }
}

pub(super) fn push_client_id(out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
    if let Some(id) = exchange.client_id {
        push_safe(out, index.name(id));
    }
}

pub(super) fn push_topics(out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
    let from = out.len();
    let mut names = index.topics(exchange);
    for name in names.by_ref().take(TOPICS) {
        push_part(out, from, b",");
        push_safe(out, name);
    }
    let more = names.count();
    if more > 0 {
        out.extend_from_slice(b",+");
        push_number(out, more as i64);
    }
    if exchange.topics_cut {
        out.extend_from_slice(b" or more");
    }
}

/// Sizes of request and response, as `53/503`.
pub(super) fn sizes_cell(cell: &mut Backward<'_>, exchange: &Exchange) {
    let size = |cell: &mut Backward<'_>, message: &Option<Message>| match message {
        Some(message) => cell.number(message.size.into()),
        None => cell.byte(b'-'),
    };
    size(cell, &exchange.response);
    cell.byte(b'/');
    size(cell, &exchange.request);
}

pub(super) fn latency_of_cell(cell: &mut Backward<'_>, exchange: &Exchange) {
    if let Some(nanos) = exchange.latency() {
        latency_cell(cell, nanos);
    }
}

/// Nanoseconds as milliseconds, with what matters behind the point.
pub(super) fn latency_cell(cell: &mut Backward<'_>, nanos: i64) {
    let (unit, n_digits, name) = match nanos.unsigned_abs() {
        0..10_000_000 => (1_000, 3, b" ms".as_slice()),
        10_000_000..1_000_000_000 => (100_000, 1, b" ms".as_slice()),
        _ => (10_000_000, 2, b" s".as_slice()),
    };
    let rounded = nanos.unsigned_abs().saturating_add(unit / 2) / unit;
    cell.text(name);
    cell.digits(rounded, n_digits);
    cell.byte(b'.');
    cell.number(rounded / 10_u64.pow(n_digits as u32));
    if nanos < 0 {
        cell.byte(b'-');
    }
}

/// Names of error codes, and what is wrong with the messages.
pub(super) fn push_error(out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
    let from = out.len();
    let messages = || {
        [&exchange.request, &exchange.response]
            .into_iter()
            .flatten()
    };
    for &code in index.errors(exchange) {
        push_part(out, from, b", ");
        match ErrorCode(code).name() {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => drop(write!(out, "{}", ErrorCode(code))),
        }
    }
    let mut cut = messages().filter(|message| !message.is_whole()).peekable();
    let trouble = match (exchange.problems, cut.peek().is_some()) {
        (0, false) => None,
        (_, false) => Some(what_is_wrong(exchange)),
        _ if cut.all(|message| message.ended.is_some()) => Some(word::CONNECTION_ENDED),
        _ => Some(word::BYTES_MISSING),
    };
    let standing = match exchange.status {
        Status::Answered | Status::NoResponseExpected => None,
        Status::Unanswered => Some(word::NO_RESPONSE),
        Status::ResponseNotCaptured => Some(word::RESPONSE_NOT_CAPTURED),
        Status::Late => Some(word::LATE),
        Status::Duplicate => Some(word::DUPLICATE),
        Status::Unexpected => Some(word::UNEXPECTED),
        Status::RequestNotCaptured => Some(word::REQUEST_NOT_CAPTURED),
    };
    for text in [trouble, standing].into_iter().flatten() {
        push_part(out, from, b", ");
        out.extend_from_slice(text.as_bytes());
    }
}

/// What the column `error` says beside the names of errors.
mod word {
    pub(super) const MALFORMED: &str = "malformed";
    pub(super) const UNKNOWN_API: &str = "unknown API";
    pub(super) const UNKNOWN_VERSION: &str = "unknown version";
    pub(super) const BYTES_MISSING: &str = "bytes missing";
    pub(super) const CONNECTION_ENDED: &str = "connection ended";
    pub(super) const NO_RESPONSE: &str = "no response";
    pub(super) const RESPONSE_NOT_CAPTURED: &str = "response not captured";
    pub(super) const LATE: &str = "late";
    pub(super) const DUPLICATE: &str = "duplicate";
    pub(super) const UNEXPECTED: &str = "unexpected";
    pub(super) const REQUEST_NOT_CAPTURED: &str = "request not captured";
}

/// All that the column `error` says beside the names of errors.
pub const ERROR_WORDS: [&str; 11] = [
    word::MALFORMED,
    word::UNKNOWN_API,
    word::UNKNOWN_VERSION,
    word::BYTES_MISSING,
    word::CONNECTION_ENDED,
    word::NO_RESPONSE,
    word::RESPONSE_NOT_CAPTURED,
    word::LATE,
    word::DUPLICATE,
    word::UNEXPECTED,
    word::REQUEST_NOT_CAPTURED,
];

/// What an exchange with problems is called: what no definition is known of is not wrong by itself.
fn what_is_wrong(exchange: &Exchange) -> &'static str {
    let Some((key, version)) = exchange.api else {
        return word::MALFORMED;
    };
    let api = ApiKey(key);
    let plan = Catalogue::current().api_plan(api, Direction::Request, version);
    match (api.name(), plan) {
        (None, _) => word::UNKNOWN_API,
        (_, None) => word::UNKNOWN_VERSION,
        _ => word::MALFORMED,
    }
}

/// Appends a separator to what there is since `from`, if there is any.
fn push_part(out: &mut Vec<u8>, from: usize, separator: &[u8]) {
    if out.len() > from {
        out.extend_from_slice(separator);
    }
}

/// Appends text from the wire.
fn push_safe(out: &mut Vec<u8>, text: &str) {
    match is_plain(text) {
        true => out.extend_from_slice(text.as_bytes()),
        false => out.extend_from_slice(escape_str(text).as_bytes()),
    }
}

/// Whether text can be shown as it is, in a table and in JSON.
pub(super) fn is_plain(text: &str) -> bool {
    // Without an early end, so that many bytes are looked at in one step.
    text.bytes().fold(true, |plain, byte| {
        plain & matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(push: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        push(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_and_addresses_are_written_as_they_are_displayed() {
        for number in [0, 7, 10, -1, 123_456, i64::MAX, i64::MIN] {
            assert_eq!(text(|out| push_number(out, number)), number.to_string());
        }
        for addr in [
            "10.0.0.255",
            "255.255.255.255",
            "0.0.0.0",
            "::1",
            "2001:db8::7",
        ] {
            let end = Endpoint {
                addr: addr.parse().unwrap(),
                port: 9092,
            };
            assert_eq!(text(|out| push_endpoint(out, end)), end.to_string());
        }
    }

    #[test]
    fn times_are_of_their_day_whatever_was_written_before() {
        let mut clock = Clock::default();
        for (nanos, expected) in [
            (0, "00:00:00.000000"),
            (999_999_999, "00:00:00.999999"),
            (1_000_000_000, "00:00:01.000000"),
            (999_999_999, "00:00:00.999999"),
            (-1, "23:59:59.999999"),
            (86_400 * NANOS + 36_000 * NANOS + 250_000, "10:00:00.000250"),
            (i64::MAX, "23:47:16.854775"),
            (i64::MIN, "00:12:43.145224"),
            (i64::MAX, "23:47:16.854775"),
        ] {
            assert_eq!(text(|out| clock.push(out, nanos)), expected);
            assert_eq!(text(|out| push_time_of_day(out, nanos)), expected);
        }
    }

    #[test]
    fn latencies_are_rounded_to_what_matters() {
        for (nanos, expected) in [
            (0, "0.000 ms"),
            (499, "0.000 ms"),
            (500, "0.001 ms"),
            (1_250_000, "1.250 ms"),
            (9_999_499, "9.999 ms"),
            (10_000_000, "10.0 ms"),
            (16_449_999, "16.4 ms"),
            (999_949_999, "999.9 ms"),
            (1_234_567_890, "1.23 s"),
            (-1_250_000, "-1.250 ms"),
        ] {
            let cell = text(|out| backward::push(out, 0, |cell| latency_cell(cell, nanos)));
            assert_eq!(cell, expected, "{nanos}");
        }
    }
}
