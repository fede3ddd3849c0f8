//! An exchange of a capture as the texts of a row.

use jiff::Timestamp;

use super::{
    backward,
    exchange_cells::{
        latency_cell, latency_of_cell, push_api, push_client_id, push_endpoint, push_error,
        push_number, push_time_of_day, push_topics, sizes_cell, version_cell,
    },
};
use crate::session::{Exchange, Index};

/// The texts of one exchange, safe to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExchangeRow {
    pub n: String,
    /// Time of day in UTC, microseconds.
    pub time: String,
    pub connection: String,
    pub client: String,
    pub server: String,
    /// Version and suite of the TLS around the connection, in parentheses; empty for none.
    pub tls: String,
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
        let connection = index.connection(exchange.connection);
        set(&mut self.tls, |out| {
            if let Some(tls) = connection.and_then(|connection| connection.tls) {
                out.extend_from_slice(format!(" ({tls})").as_bytes());
            }
        });
        let ends = connection.map_or_else(Default::default, |ends| (ends.client, ends.server));
        set(&mut self.client, |out| push_endpoint(out, ends.0));
        set(&mut self.server, |out| push_endpoint(out, ends.1));
        set(&mut self.n, |out| push_number(out, exchange.n.into()));
        set(&mut self.time, |out| push_time_of_day(out, exchange.time()));
        set(&mut self.connection, |out| {
            push_number(out, exchange.connection.into())
        });
        set(&mut self.api, |out| push_api(out, exchange));
        set(&mut self.version, |out| {
            backward::push(out, 0, |cell| version_cell(cell, exchange))
        });
        set(&mut self.client_id, |out| {
            push_client_id(out, index, exchange)
        });
        set(&mut self.topics, |out| push_topics(out, index, exchange));
        self.has_request = exchange.request.is_some();
        self.has_response = exchange.response.is_some();
        set(&mut self.bytes, |out| {
            backward::push(out, 0, |cell| sizes_cell(cell, exchange))
        });
        set(&mut self.latency, |out| {
            backward::push(out, 0, |cell| latency_of_cell(cell, exchange))
        });
        set(&mut self.error, |out| push_error(out, index, exchange));
    }

    /// One line that names the exchange.
    pub fn title(&self) -> String {
        let mut title = format!(
            "exchange {}: {}{}{}, {} -> {}{}, {}",
            self.n,
            self.api,
            if self.version.is_empty() { "" } else { " " },
            self.version,
            self.client,
            self.server,
            self.tls,
            self.time
        );
        if !self.latency.is_empty() {
            title.push_str(", answered after ");
            title.push_str(&self.latency);
        }
        title
    }
}

/// Makes `cell` what is pushed, in the memory that it has.
fn set(cell: &mut String, push: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::mem::take(cell).into_bytes();
    bytes.clear();
    push(&mut bytes);
    // Whatever was not text when it was captured has been escaped.
    *cell = String::from_utf8(bytes).unwrap_or_default();
}

/// What is wrong with `exchange`, as rows show it; empty when nothing is.
pub fn error_text(index: &Index, exchange: &Exchange) -> String {
    let mut text = String::new();
    set(&mut text, |out| push_error(out, index, exchange));
    text
}

/// A latency in nanoseconds, as rows show it.
pub fn latency_text(nanos: i64) -> String {
    let mut text = String::new();
    set(&mut text, |out| {
        backward::push(out, 0, |cell| latency_cell(cell, nanos))
    });
    text
}

/// The time of day in UTC of a time in nanoseconds since 1970, as rows show it.
pub fn time_of_day(nanos: i64) -> String {
    let mut text = String::new();
    set(&mut text, |out| push_time_of_day(out, nanos));
    text
}

/// The date in UTC of a time in nanoseconds since 1970.
pub fn date(nanos: i64) -> String {
    timestamp(nanos).strftime("%F").to_string()
}

/// A time in nanoseconds since 1970.
pub(super) fn timestamp(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}
