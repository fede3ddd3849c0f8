//! Exchanges of a capture as lines: a table for people, JSON for programs.

use std::{
    fmt::{Display, Write},
    io,
};

use jiff::Timestamp;
use serde_json::{Map, Value as Json, json};
use unicode_width::UnicodeWidthStr;

use super::escape::push_escaped;
use crate::{
    explain::ErrorCode,
    schema::ApiKey,
    session::{Exchange, Index, Kind, Message, Side, Status},
};

/// Topics that a line names before it only counts them.
const TOPICS: usize = 3;

/// The texts of one exchange, safe to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExchangeRow {
    pub n: String,
    /// Time of day in UTC, microseconds.
    pub time: String,
    pub connection: String,
    pub client: String,
    pub server: String,
    pub api: String,
    pub version: String,
    pub client_id: String,
    pub topics: String,
    /// Which of request and response the capture holds.
    pub has_request: bool,
    pub has_response: bool,
    /// Bytes of request and response with their sizes, as `53/503`.
    pub bytes: String,
    pub latency: String,
    /// Names of error codes, and how many things are wrong with the messages.
    pub error: String,
}

impl ExchangeRow {
    /// The texts of `exchange`.
    pub fn new(index: &Index, exchange: &Exchange) -> ExchangeRow {
        let mut row = ExchangeRow::default();
        row.fill(index, exchange);
        row
    }

    /// Makes this the row of `exchange`, in the memory that it has.
    pub fn fill(&mut self, index: &Index, exchange: &Exchange) {
        self.client.clear();
        self.server.clear();
        if let Some(connection) = index.connection(exchange.connection) {
            set(&mut self.client, connection.client);
            set(&mut self.server, connection.server);
        }
        self.fill_between(index, exchange);
    }

    /// Makes this the row of `exchange`, which is between the same two ends.
    fn fill_between(&mut self, index: &Index, exchange: &Exchange) {
        set(&mut self.n, exchange.n);
        self.time.clear();
        push_time_of_day(&mut self.time, exchange.time());
        set(&mut self.connection, exchange.connection);
        self.version.clear();
        match (exchange.kind, exchange.api) {
            (Kind::SaslToken, _) => set(&mut self.api, "SASL token"),
            (_, None) => set(&mut self.api, "response"),
            (_, Some((key, version))) => {
                set(&mut self.api, ApiKey(key));
                set(&mut self.version, version);
            }
        }
        self.client_id.clear();
        if let Some(id) = exchange.client_id {
            push_escaped(&mut self.client_id, index.name(id));
        }
        self.topics.clear();
        push_topics(&mut self.topics, index, exchange);
        self.has_request = exchange.request.is_some();
        self.has_response = exchange.response.is_some();
        self.bytes.clear();
        push_size(&mut self.bytes, exchange.request);
        self.bytes.push('/');
        push_size(&mut self.bytes, exchange.response);
        self.latency.clear();
        if let Some(nanos) = exchange.latency() {
            push_latency(&mut self.latency, nanos);
        }
        self.error.clear();
        push_error(&mut self.error, index, exchange);
    }

    /// One line that names the exchange.
    pub fn title(&self) -> String {
        let mut title = format!(
            "exchange {}: {}{}{}, {} -> {}, {}",
            self.n,
            self.api,
            if self.version.is_empty() { "" } else { " " },
            self.version,
            self.client,
            self.server,
            self.time
        );
        if !self.latency.is_empty() {
            title.push_str(", answered after ");
            title.push_str(&self.latency);
        }
        title
    }

    /// The columns in the order of the table; the second element says whether they are numbers.
    fn columns(&self) -> [(&str, bool); 12] {
        [
            (&self.n, true),
            (&self.time, false),
            (&self.connection, true),
            (&self.client, false),
            (&self.server, false),
            (&self.api, false),
            (&self.version, true),
            (&self.client_id, false),
            (&self.topics, false),
            (&self.bytes, true),
            (&self.latency, true),
            (&self.error, false),
        ]
    }

    /// Replaces `line` by the row in columns of these widths.
    fn write(&self, widths: &[usize; 12], line: &mut String) {
        line.clear();
        for (&width, (text, is_number)) in widths.iter().zip(self.columns()) {
            let pad = width.saturating_sub(text_width(text));
            if is_number {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str(text);
            if !is_number {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str("  ");
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
    }

    fn head() -> ExchangeRow {
        ExchangeRow {
            n: "n".to_owned(),
            time: "time".to_owned(),
            connection: "conn".to_owned(),
            client: "client".to_owned(),
            server: "server".to_owned(),
            api: "API".to_owned(),
            version: "v".to_owned(),
            client_id: "client id".to_owned(),
            topics: "topics".to_owned(),
            has_request: true,
            has_response: true,
            bytes: "bytes".to_owned(),
            latency: "latency".to_owned(),
            error: "error".to_owned(),
        }
    }
}

/// Writing into a `String` cannot fail.
fn set(cell: &mut String, value: impl Display) {
    cell.clear();
    let _ = write!(cell, "{value}");
}

fn push_size(out: &mut String, message: Option<Message>) {
    let _ = match message {
        Some(message) => write!(out, "{}", message.size),
        None => write!(out, "-"),
    };
}

fn push_topics(out: &mut String, index: &Index, exchange: &Exchange) {
    let mut names = index.topics(exchange);
    for name in names.by_ref().take(TOPICS) {
        push_part(out, ",");
        push_escaped(out, name);
    }
    let more = names.count();
    if more > 0 {
        let _ = write!(out, ",+{more}");
    }
    if exchange.topics_cut {
        out.push_str(" or more");
    }
}

fn push_error(out: &mut String, index: &Index, exchange: &Exchange) {
    for &code in index.errors(exchange) {
        push_part(out, ", ");
        let _ = write!(out, "{}", ErrorCode(code));
    }
    let is_cut = [exchange.request, exchange.response]
        .into_iter()
        .flatten()
        .any(|message| !message.is_whole());
    let trouble = match (exchange.problems, is_cut) {
        (_, true) => Some("bytes missing"),
        (0, false) => None,
        (_, false) => Some("malformed"),
    };
    let standing = match exchange.status {
        Status::Answered | Status::NoResponseExpected => None,
        Status::Unanswered => Some("no response"),
        Status::ResponseNotCaptured => Some("response not captured"),
        Status::Late => Some("late"),
        Status::Duplicate => Some("duplicate"),
        Status::Unexpected => Some("unexpected"),
        Status::RequestNotCaptured => Some("request not captured"),
    };
    for text in [trouble, standing].into_iter().flatten() {
        push_part(out, ", ");
        out.push_str(text);
    }
}

fn push_part(out: &mut String, separator: &str) {
    if !out.is_empty() {
        out.push_str(separator);
    }
}

/// Nanoseconds as milliseconds, with what matters behind the point.
pub(super) fn push_latency(out: &mut String, nanos: i64) {
    let ms = nanos as f64 / 1e6;
    let _ = match ms.abs() {
        ms_abs if ms_abs < 10.0 => write!(out, "{ms:.3} ms"),
        ms_abs if ms_abs < 1000.0 => write!(out, "{ms:.1} ms"),
        _ => write!(out, "{:.2} s", ms / 1e3),
    };
}

pub(super) fn timestamp(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}

/// `10:00:00.000250`, in UTC.
pub(super) fn push_time_of_day(out: &mut String, nanos: i64) {
    let micros = nanos.div_euclid(1_000).rem_euclid(86_400_000_000);
    let seconds = micros / 1_000_000;
    push_digits(out, seconds / 3600, 10);
    out.push(':');
    push_digits(out, seconds / 60 % 60, 10);
    out.push(':');
    push_digits(out, seconds % 60, 10);
    out.push('.');
    push_digits(out, micros % 1_000_000, 100_000);
}

/// The digits of a number from the place of `unit`, a power of ten, down.
fn push_digits(out: &mut String, number: i64, unit: i64) {
    let mut unit = unit;
    while unit > 0 {
        out.push(char::from(b'0' + (number / unit % 10) as u8));
        unit /= 10;
    }
}

/// Rows that decide how wide the columns are; a later one that is wider pushes its line apart.
const MEASURED: usize = 4_000;

/// A table of exchanges, in columns as wide as what was measured.
#[derive(Debug)]
pub struct ExchangeTable {
    widths: [usize; 12],
    row: ExchangeRow,
    /// The connection that the row was last filled for, and its client's end.
    ends: Option<(u32, Side)>,
    line: String,
}

impl Default for ExchangeTable {
    fn default() -> Self {
        ExchangeTable::new()
    }
}

impl ExchangeTable {
    /// A table as wide as its head.
    pub fn new() -> ExchangeTable {
        ExchangeTable {
            widths: ExchangeRow::head().columns().map(|(text, _)| text.width()),
            row: ExchangeRow::default(),
            ends: None,
            line: String::new(),
        }
    }

    /// Makes room for the exchanges that there are.
    pub fn measure(&mut self, index: &Index) {
        self.ends = None;
        for exchange in index.exchanges().step_by(index.len() / MEASURED + 1) {
            self.row.fill(index, &exchange);
            for (width, (text, _)) in self.widths.iter_mut().zip(self.row.columns()) {
                *width = text_width(text).max(*width);
            }
        }
    }

    /// Writes the names of the columns.
    pub fn head(&mut self, out: &mut impl io::Write) -> io::Result<()> {
        ExchangeRow::head().write(&self.widths, &mut self.line);
        out.write_all(self.line.as_bytes())
    }

    /// Writes the row of `exchange`.
    pub fn row(
        &mut self,
        out: &mut impl io::Write,
        index: &Index,
        exchange: &Exchange,
    ) -> io::Result<()> {
        // Most rows follow one of the same connection.
        let ends = index
            .connection(exchange.connection)
            .map(|connection| (exchange.connection, connection.client_side()));
        if ends.is_some() && ends == self.ends {
            self.row.fill_between(index, exchange);
        } else {
            self.row.fill(index, exchange);
        }
        self.ends = ends;
        self.row.write(&self.widths, &mut self.line);
        out.write_all(self.line.as_bytes())
    }
}

pub(super) fn text_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// The line of `list --json`; docs/JSON.md is the contract.
pub fn exchange_json(index: &Index, exchange: &Exchange) -> Map<String, Json> {
    let message = |message: Option<Message>| match message {
        None => Json::Null,
        Some(message) => json!({
            "time": format!("{:.6}", timestamp(message.time)),
            "packet": message.packet,
            "size": message.size,
        }),
    };
    let connection = index.connection(exchange.connection);
    let api = exchange.api.map(|(key, _)| ApiKey(key));
    let errors: Vec<String> = index
        .errors(exchange)
        .iter()
        .map(|&code| ErrorCode(code).to_string())
        .collect();
    let topics: Vec<&str> = index.topics(exchange).collect();
    let json = json!({
        "type": "exchange",
        "kind": match exchange.kind {
            Kind::Api => "api",
            Kind::SaslToken => "sasl-token",
        },
        "n": exchange.n,
        "connection": exchange.connection,
        "client": connection.map(|connection| connection.client.to_string()),
        "server": connection.map(|connection| connection.server.to_string()),
        "api_key": api.map(|api| api.0),
        "api": api.and_then(ApiKey::name),
        "version": exchange.api.map(|(_, version)| version),
        "correlation_id": exchange.correlation_id,
        "status": exchange.status.name(),
        "client_id": exchange.client_id.map(|id| index.name(id)),
        "request": message(exchange.request),
        "response": message(exchange.response),
        "latency_ms": exchange.latency().map(|nanos| nanos as f64 / 1e6),
        "errors": errors,
        "topics": topics,
        "records": exchange.records,
        "problems": [],
    });
    let Json::Object(mut object) = json else {
        return Map::new();
    };
    if exchange.topics_cut {
        object.insert("topics_cut".into(), true.into());
    }
    object
}
