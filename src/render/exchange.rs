//! Exchanges of a capture as the lines of a table.

use std::{
    fmt::{Display, Write},
    io,
};

use jiff::Timestamp;
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
        self.client.clear();
        self.server.clear();
        if let Some(connection) = index.connection(exchange.connection) {
            set(&mut self.client, connection.client);
            set(&mut self.server, connection.server);
            self.tls.clear();
            if let Some(tls) = connection.tls {
                let _ = write!(self.tls, " ({tls})");
            }
        }
        self.fill_between(index, exchange);
    }

    /// Makes this the row of `exchange`, which is between the same two ends.
    fn fill_between(&mut self, index: &Index, exchange: &Exchange) {
        self.n.clear();
        push_number(&mut self.n, exchange.n.into());
        self.time.clear();
        push_time_of_day(&mut self.time, exchange.time());
        self.connection.clear();
        push_number(&mut self.connection, exchange.connection.into());
        self.version.clear();
        self.api.clear();
        match (exchange.kind, exchange.api) {
            (Kind::SaslToken, _) => self.api.push_str("SASL token"),
            (_, None) => self.api.push_str("response"),
            (_, Some((key, version))) => {
                match ApiKey(key).name() {
                    Some(name) => self.api.push_str(name),
                    None => set(&mut self.api, ApiKey(key)),
                }
                push_number(&mut self.version, version.into());
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
                push_spaces(line, pad);
                line.push_str(text);
                push_spaces(line, 2);
            } else {
                line.push_str(text);
                push_spaces(line, pad + 2);
            }
        }
        let end = line.bytes().rposition(|byte| byte != b' ');
        line.truncate(end.map_or(0, |last| last + 1));
        line.push('\n');
    }

    fn head() -> ExchangeRow {
        ExchangeRow {
            n: "n".to_owned(),
            time: "time".to_owned(),
            connection: "conn".to_owned(),
            client: "client".to_owned(),
            server: "server".to_owned(),
            tls: String::new(),
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

/// A million rows have ten numbers each: this is several times faster than formatting them.
fn push_number(out: &mut String, number: i64) {
    let mut digits = [0; 20];
    let mut left = number.unsigned_abs();
    let mut n_digits = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
        n_digits += 1;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('-');
    }
    let digits = digits.get(20 - n_digits..).unwrap_or_default();
    out.push_str(std::str::from_utf8(digits).unwrap_or_default());
}

fn push_spaces(out: &mut String, mut n: usize) {
    const SPACES: &str = "                                ";
    while n > 0 {
        let some = n.min(SPACES.len());
        out.push_str(SPACES.get(..some).unwrap_or_default());
        n -= some;
    }
}

fn push_size(out: &mut String, message: Option<Message>) {
    match message {
        Some(message) => push_number(out, message.size.into()),
        None => out.push('-'),
    }
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

/// A latency in nanoseconds, as rows show it.
pub fn latency_text(nanos: i64) -> String {
    let mut text = String::new();
    push_latency(&mut text, nanos);
    text
}

/// The time of day in UTC of a time in nanoseconds since 1970, as rows show it.
pub fn time_of_day(nanos: i64) -> String {
    let mut text = String::new();
    push_time_of_day(&mut text, nanos);
    text
}

/// Nanoseconds as milliseconds, with what matters behind the point.
pub(super) fn push_latency(out: &mut String, nanos: i64) {
    let (unit, n_digits, name) = match nanos.unsigned_abs() {
        0..10_000_000 => (1_000, 3, " ms"),
        10_000_000..1_000_000_000 => (100_000, 1, " ms"),
        _ => (10_000_000, 2, " s"),
    };
    if nanos < 0 {
        out.push('-');
    }
    let rounded = nanos.unsigned_abs().saturating_add(unit / 2) / unit;
    let ten = 10_u64.pow(n_digits);
    push_number(out, (rounded / ten) as i64);
    out.push('.');
    let mut rest = rounded % ten;
    let mut place = ten / 10;
    while place > 0 {
        out.push(char::from(b'0' + (rest / place) as u8));
        rest %= place;
        place /= 10;
    }
    out.push_str(name);
}

pub(super) fn timestamp(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}

/// `10:00:00.000250`, in UTC.
pub(super) fn push_time_of_day(out: &mut String, nanos: i64) {
    let micros = nanos.div_euclid(1_000).rem_euclid(86_400_000_000);
    let seconds = micros / 1_000_000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut text = *b"00:00:00.000000";
    let parts = [
        (0..2, hours),
        (3..5, minutes),
        (6..8, seconds % 60),
        (9..15, micros % 1_000_000),
    ];
    for (range, number) in parts {
        let mut left = number as u32;
        for digit in text.get_mut(range).unwrap_or_default().iter_mut().rev() {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
        }
    }
    out.push_str(std::str::from_utf8(&text).unwrap_or_default());
}

/// Rows that decide how wide the columns are; a later one that is wider pushes its line apart.
const MEASURED: usize = 4_000;

/// A table of exchanges, in columns as wide as what was measured.
#[derive(Clone, Debug)]
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
        self.measure_these(index, index.len(), index.exchanges());
    }

    /// Makes room for some of them; there are `len`.
    pub fn measure_these(
        &mut self,
        index: &Index,
        len: usize,
        exchanges: impl Iterator<Item = Exchange>,
    ) {
        self.ends = None;
        for exchange in exchanges.step_by(len / MEASURED + 1) {
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

    /// Appends the row of `exchange`.
    pub fn row(&mut self, out: &mut Vec<u8>, index: &Index, exchange: &Exchange) {
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
        out.extend_from_slice(self.line.as_bytes());
    }
}

pub(super) fn text_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}
