//! An exchange of a capture as the texts of a row.

use jiff::Timestamp;

use super::{
    backward,
    exchange_cells::{latency_cell, push_cell, push_error, push_time_of_day},
    exchange_field::{ExchangeField, USUAL_COLUMNS},
};
use crate::session::{Exchange, Index};

use ExchangeField as F;

/// The texts of one exchange, safe to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExchangeRow {
    /// Those of the usual columns.
    cells: [String; USUAL_COLUMNS.len()],
    /// Version and suite of the TLS around the connection, in parentheses; empty for none.
    pub tls: String,
    /// Which of request and response the capture holds.
    pub has_request: bool,
    pub has_response: bool,
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
        self.has_request = exchange.request.is_some();
        self.has_response = exchange.response.is_some();
        for (cell, field) in self.cells.iter_mut().zip(USUAL_COLUMNS) {
            set(cell, |out| push_cell(out, field, index, exchange));
        }
    }

    /// Its text in one of the usual columns, `None` in another.
    pub fn cell(&self, field: ExchangeField) -> Option<&str> {
        let idx = USUAL_COLUMNS.iter().position(|usual| *usual == field)?;
        self.cells.get(idx).map(String::as_str)
    }

    /// The same, empty in another.
    pub fn text(&self, field: ExchangeField) -> &str {
        self.cell(field).unwrap_or_default()
    }

    /// The same row with another text in one of the usual columns.
    pub fn with(mut self, field: ExchangeField, text: &str) -> ExchangeRow {
        for (cell, usual) in self.cells.iter_mut().zip(USUAL_COLUMNS) {
            if usual == field {
                *cell = text.to_owned();
            }
        }
        self
    }

    /// One line that names the exchange.
    pub fn title(&self) -> String {
        let version = self.text(F::Version);
        let mut title = format!(
            "exchange {}: {}{}{version}, {} -> {}{}, {}",
            self.text(F::N),
            self.text(F::Api),
            if version.is_empty() { "" } else { " " },
            self.text(F::Client),
            self.text(F::Server),
            self.tls,
            self.text(F::Time),
        );
        let latency = self.text(F::LatencyMs);
        if !latency.is_empty() {
            title.push_str(", answered after ");
            title.push_str(latency);
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
