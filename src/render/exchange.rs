//! Exchanges of a capture as lines: a table for people, JSON for programs.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::{Map, Value as Json, json};
use unicode_width::UnicodeWidthStr;

use super::escape::escape_str;
use crate::{
    explain::ErrorCode,
    schema::ApiKey,
    session::{Exchange, Index, Kind, Message},
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
    /// Bytes of request and response with their sizes, as `53/503`.
    pub bytes: String,
    pub latency: String,
    /// Names of error codes, and how many things are wrong with the messages.
    pub error: String,
}

impl ExchangeRow {
    /// The texts of `exchange`.
    pub fn new(index: &Index, exchange: &Exchange) -> ExchangeRow {
        let connection = index.connection(exchange.connection);
        let endpoint = |server: bool| {
            connection.map_or(String::new(), |connection| {
                let end = if server {
                    &connection.server
                } else {
                    &connection.client
                };
                end.to_string()
            })
        };
        let size = |message: Option<Message>| {
            message.map_or("-".to_owned(), |message| message.size.to_string())
        };
        ExchangeRow {
            n: exchange.n.to_string(),
            time: time_of_day(exchange.time()),
            connection: exchange.connection.to_string(),
            client: endpoint(false),
            server: endpoint(true),
            api: api(exchange),
            version: exchange
                .api
                .map_or(String::new(), |(_, version)| version.to_string()),
            client_id: exchange
                .client_id
                .map_or(String::new(), |id| escape_str(index.name(id))),
            topics: topics(index, exchange),
            bytes: format!("{}/{}", size(exchange.request), size(exchange.response)),
            latency: exchange.latency().map_or(String::new(), latency),
            error: error(index, exchange),
        }
    }

    /// One line that names the exchange.
    pub fn title(&self) -> String {
        let mut title = format!(
            "exchange {}: {} {}, {} -> {}, {}",
            self.n, self.api, self.version, self.client, self.server, self.time
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
            bytes: "bytes".to_owned(),
            latency: "latency".to_owned(),
            error: "error".to_owned(),
        }
    }
}

fn api(exchange: &Exchange) -> String {
    match (exchange.kind, exchange.api) {
        (Kind::SaslToken, _) => "SASL token".to_owned(),
        (_, Some((key, _))) => ApiKey(key).to_string(),
        (_, None) => "response".to_owned(),
    }
}

fn topics(index: &Index, exchange: &Exchange) -> String {
    let mut names = index.topics(exchange);
    let mut text: Vec<String> = names.by_ref().take(TOPICS).map(escape_str).collect();
    match names.count() {
        0 => {}
        more => text.push(format!("+{more}")),
    }
    text.join(",")
}

fn error(index: &Index, exchange: &Exchange) -> String {
    let mut texts: Vec<String> = index
        .errors(exchange)
        .iter()
        .map(|&code| ErrorCode(code).to_string())
        .collect();
    let is_cut = [exchange.request, exchange.response]
        .into_iter()
        .flatten()
        .any(|message| !message.is_whole());
    match (exchange.problems, is_cut) {
        (_, true) => texts.push("bytes missing".to_owned()),
        (0, false) => {}
        (_, false) => texts.push("malformed".to_owned()),
    }
    match (&exchange.request, &exchange.response) {
        (None, _) => texts.push("no request".to_owned()),
        (_, None) if exchange.answered => texts.push("no response".to_owned()),
        _ => {}
    }
    texts.join(", ")
}

/// Nanoseconds as milliseconds, with what matters behind the point.
fn latency(nanos: i64) -> String {
    let ms = nanos as f64 / 1e6;
    match ms.abs() {
        ms_abs if ms_abs < 10.0 => format!("{ms:.3} ms"),
        ms_abs if ms_abs < 1000.0 => format!("{ms:.1} ms"),
        _ => format!("{:.2} s", ms / 1e3),
    }
}

fn timestamp(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}

fn time_of_day(nanos: i64) -> String {
    let text = format!("{:.6}", timestamp(nanos));
    text.split_once('T')
        .map_or(text.as_str(), |(_, time)| time)
        .trim_end_matches('Z')
        .to_owned()
}

/// Writes the table of all rows; `rows` is gone through twice, first to see how wide they are.
pub fn exchange_table<R: Iterator<Item = ExchangeRow>>(
    out: &mut impl Write,
    rows: impl Fn() -> R,
) -> io::Result<()> {
    let head = ExchangeRow::head();
    let mut widths = head.columns().map(|(text, _)| text.width());
    for row in rows() {
        for (width, (text, _)) in widths.iter_mut().zip(row.columns()) {
            *width = text.width().max(*width);
        }
    }
    for row in [head].into_iter().chain(rows()) {
        let mut line = String::new();
        for (&width, (text, is_number)) in widths.iter().zip(row.columns()) {
            let pad = width - text.width();
            if is_number {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str(text);
            if !is_number {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
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
        "n": exchange.n,
        "connection": exchange.connection,
        "client": connection.map(|connection| connection.client.to_string()),
        "server": connection.map(|connection| connection.server.to_string()),
        "api_key": api.map(|api| api.0),
        "api": api.and_then(ApiKey::name),
        "version": exchange.api.map(|(_, version)| version),
        "correlation_id": exchange.correlation_id,
        "client_id": exchange.client_id.map(|id| index.name(id)),
        "request": message(exchange.request),
        "response": message(exchange.response),
        "latency_ms": exchange.latency().map(|nanos| nanos as f64 / 1e6),
        "errors": errors,
        "topics": topics,
        "records": exchange.records,
        "problems": [],
    });
    match json {
        Json::Object(object) => object,
        _ => Map::new(),
    }
}
