//! Tables of statistics as text.

use std::fmt::{self, Write};

use super::{
    bytes,
    chart::{self, Marks, chart},
    count, date_time, duration, n_of,
    rows::{Align, Room, Rows},
};
use crate::{
    explain::ErrorCode,
    render::{Palette, escape_str, latency_text, wrap},
    schema::ApiKey,
    stats::{By, EXACT, Key, Row, Software, Stats, Table, Tally},
};

/// How many rows of a table are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The first so many, with a word on how many more there are.
    Top(usize),
    All,
}

impl Extent {
    /// How many of `n` are shown.
    pub(super) fn of(self, n: usize) -> usize {
        match self {
            Extent::Top(most) => n.min(most),
            Extent::All => n,
        }
    }
}

/// A line of the text, and the row of a table that it is about.
#[derive(Clone, Debug)]
pub struct StatsLine<'s> {
    pub text: String,
    pub subject: Option<(&'s Table, &'s Row)>,
}

/// Writes all of `stats`.
pub fn stats_text(
    out: &mut impl Write,
    stats: &Stats,
    palette: Palette,
    marks: Marks,
    extent: Extent,
    room: Room,
) -> fmt::Result {
    total_text(out, stats, room)?;
    for table in stats.tables.iter().filter(|table| !table.rows.is_empty()) {
        writeln!(out)?;
        table_text(out, table, palette, marks, extent, room)?;
    }
    Ok(())
}

/// The lines of that text, each with what it is about.
pub fn stats_lines(
    stats: &Stats,
    palette: Palette,
    marks: Marks,
    extent: Extent,
    room: Room,
) -> Vec<StatsLine<'_>> {
    let mut text = String::new();
    // Nothing fails when a text is written to memory.
    let _ = total_text(&mut text, stats, room);
    let mut lines: Vec<StatsLine<'_>> = plain_lines(&text).collect();
    for table in stats.tables.iter().filter(|table| !table.rows.is_empty()) {
        let mut text = String::from("\n");
        let _ = table_text(&mut text, table, palette, marks, extent, room);
        let rows = table.rows.iter().take(shown(table, extent));
        let subjects = std::iter::repeat_n(None, 1 + head_lines(table.by))
            .chain(rows.map(|row| Some((table, row))))
            .chain(std::iter::repeat(None));
        let about = |(line, subject)| StatsLine { subject, ..line };
        lines.extend(plain_lines(&text).zip(subjects).map(about));
    }
    lines
}

fn plain_lines<'s>(text: &str) -> impl Iterator<Item = StatsLine<'s>> {
    text.lines().map(|line| StatsLine {
        text: line.to_owned(),
        subject: None,
    })
}

/// Lines above the first row of a table: its title, and the names of columns, which bars have none of.
fn head_lines(by: By) -> usize {
    match by {
        By::Time => 1,
        _ => 2,
    }
}

/// Rows of a table that are shown: of times all, since a bar that is left out looks like no traffic.
fn shown(table: &Table, extent: Extent) -> usize {
    match table.by {
        By::Time => table.rows.len(),
        _ => extent.of(table.rows.len()),
    }
}

/// What holds of all exchanges.
fn total_text(out: &mut impl Write, stats: &Stats, room: Room) -> fmt::Result {
    let summary = summary(stats);
    match room {
        Room::Bound(columns) => writeln!(
            out,
            "{}",
            wrap(&summary, columns.saturating_sub(2)).join("\n  ")
        )?,
        Room::Free(_) => writeln!(out, "{summary}")?,
    }
    if let Some(quantiles) = stats.total.latency.quantiles() {
        let approx = if quantiles.exact { "" } else { "~" };
        let [p50, p90, p99] = [quantiles.p50, quantiles.p90, quantiles.p99].map(latency);
        let max = latency(quantiles.max);
        writeln!(
            out,
            "latency p50 {approx}{p50}, p90 {approx}{p90}, p99 {approx}{p99}, max {max}"
        )?;
        if !quantiles.exact {
            writeln!(
                out,
                "(~: of more than {EXACT} latencies, right to a thousandth)"
            )?;
        }
    }
    if stats.total.latency.n_backwards() > 0 {
        let n = n_of(stats.total.latency.n_backwards(), "response");
        writeln!(
            out,
            "{n} captured before the request: without latency, the times of the capture are in doubt"
        )?;
    }
    Ok(())
}

fn table_text(
    out: &mut impl Write,
    table: &Table,
    palette: Palette,
    marks: Marks,
    extent: Extent,
    room: Room,
) -> fmt::Result {
    let bold = palette.title();
    if table.by == By::Time {
        writeln!(out, "{bold}{}{bold:#}", chart::title(table))?;
        return chart(out, table, palette, marks, room.columns());
    }
    writeln!(out, "{bold}{}{bold:#}", title(table.by))?;
    let shown = shown(table, extent);
    rows(table.by, table.rows.iter().take(shown))
        .within(room, SPARED)
        .write(out, palette)?;
    match table.rows.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "  {}", marks.and_more(more)),
    }
}

fn summary(stats: &Stats) -> String {
    let total = &stats.total;
    let mut text = format!(
        "{} on {}",
        n_of(total.exchanges, "exchange"),
        n_of(stats.n_connections as u64, "connection")
    );
    if let Some((first, last)) = stats.span {
        let _ = write!(
            text,
            " in {} from {}",
            duration(last.saturating_sub(first)),
            date_time(first)
        );
    }
    let _ = write!(
        text,
        ": {} of requests and {} of responses",
        with_unit(total.request_bytes),
        with_unit(total.response_bytes)
    );
    for (n, what) in [
        (total.errors, "with errors"),
        (total.unanswered, "unanswered"),
        (total.malformed, "malformed"),
    ] {
        if n > 0 {
            let _ = write!(text, ", {n} {what}");
        }
    }
    text
}

fn with_unit(n: u64) -> String {
    match bytes(n) {
        text if text.ends_with('B') => text,
        text => format!("{text} B"),
    }
}

fn title(by: By) -> &'static str {
    match by {
        By::Api => "APIs",
        By::Client => "clients",
        By::Topic => "topics",
        By::Partition => "partitions",
        By::Connection => "connections",
        By::Server => "servers",
        By::Error => "errors",
        By::Time => "times",
    }
}

/// The columns that say what a row is.
fn subject(by: By) -> Vec<(&'static str, Align)> {
    use Align::{Left, Right};
    match by {
        By::Api => vec![("API", Left), ("v", Right)],
        By::Client => vec![("client id", Left), ("software", Left), ("from", Left)],
        By::Topic => vec![("topic", Left)],
        By::Partition => vec![("partition", Left)],
        By::Connection => vec![("conn", Right), ("client", Left), ("server", Left)],
        By::Server => vec![("server", Left), ("node", Right)],
        By::Error => vec![("error", Left), ("API", Left)],
        By::Time => vec![("time", Left)],
    }
}

/// The columns that a table can do without, where there is no room for all.
const SPARED: &[&str] = &[
    "record B",
    "produced",
    "fetched",
    "p90",
    "request B",
    "response B",
    "from",
    "p50",
    "software",
];

/// The other columns. What a table does not tell apart has no column in it.
const AMOUNTS: [&str; 13] = [
    "exchanges",
    "request B",
    "response B",
    "produced",
    "fetched",
    "record B",
    "p50",
    "p90",
    "p99",
    "max",
    "unanswered",
    "errors",
    "malformed",
];

fn rows<'r>(by: By, table: impl Iterator<Item = &'r Row>) -> Rows {
    let mut head = subject(by);
    head.extend(AMOUNTS.map(|name| (name, Align::Right)));
    if by == By::Error {
        head.push(("first", Align::Right));
    }
    let mut rows = Rows::new(head);
    for row in table {
        let mut cells = texts(row);
        cells.extend(amounts(by, row));
        if by == By::Error {
            cells.push(row.tally.first.to_string());
        }
        rows.push(cells);
    }
    rows
}

/// What a row is, safe to show.
fn texts(row: &Row) -> Vec<String> {
    match &row.key {
        Key::Api { key, version } => vec![ApiKey(*key).to_string(), version.to_string()],
        Key::SaslToken => vec!["SASL token".to_owned(), String::new()],
        Key::Orphan => vec!["response".to_owned(), String::new()],
        Key::Client {
            client_id,
            software,
        } => {
            let from = match (row.hosts.first(), row.hosts.len()) {
                (Some(host), 1) => host.to_string(),
                (_, n) => format!("{n} addresses"),
            };
            let client_id = match client_id {
                Some(client_id) => escape_str(client_id),
                None => "(none)".to_owned(),
            };
            vec![client_id, software_text(software.as_ref()), from]
        }
        Key::Topic(topic) => vec![escape_str(topic)],
        Key::Partition(topic, partition) => vec![format!("{}-{partition}", escape_str(topic))],
        Key::Connection(n) => {
            let (client, server) = match row.ends {
                Some((client, server)) => (client.to_string(), server.to_string()),
                None => Default::default(),
            };
            vec![n.to_string(), client, server]
        }
        Key::Server(server) => vec![
            server.to_string(),
            row.node.map_or(String::new(), |node| node.to_string()),
        ],
        Key::Error { code, api } => vec![
            ErrorCode(*code).to_string(),
            api.map_or(String::new(), |api| ApiKey(api).to_string()),
        ],
        Key::Time(start) => vec![date_time(*start)],
    }
}

/// Name and version of client software, safe to show.
pub(in crate::render) fn software_text(software: Option<&Software>) -> String {
    software.map_or(String::new(), |software| {
        let text = format!(
            "{} {}",
            escape_str(&software.name),
            escape_str(&software.version)
        );
        text.trim().to_owned()
    })
}

fn amounts(by: By, row: &Row) -> [String; AMOUNTS.len()] {
    let tally = &row.tally;
    // All exchanges of the table of errors have one.
    let errors = match by {
        By::Error => 0,
        _ => tally.errors,
    };
    let [p50, p90, p99, max] = quantiles(tally);
    [
        tally.exchanges.to_string(),
        bytes(tally.request_bytes),
        bytes(tally.response_bytes),
        count(tally.produced),
        count(tally.fetched),
        match row.record_bytes {
            0 => String::new(),
            n => bytes(n),
        },
        p50,
        p90,
        p99,
        max,
        count(tally.unanswered),
        count(errors),
        count(tally.malformed),
    ]
}

fn quantiles(tally: &Tally) -> [String; 4] {
    let Some(quantiles) = tally.latency.quantiles() else {
        return Default::default();
    };
    let approx = |nanos| match quantiles.exact {
        true => latency(nanos),
        false => format!("~{}", latency(nanos)),
    };
    [
        approx(quantiles.p50),
        approx(quantiles.p90),
        approx(quantiles.p99),
        latency(quantiles.max),
    ]
}

fn latency(nanos: u64) -> String {
    latency_text(i64::try_from(nanos).unwrap_or(i64::MAX))
}
