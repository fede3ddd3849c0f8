//! Statistics as text and JSON: tables, the chart of the rate, timelines.

mod chart;
mod encrypted;
mod failure;
mod groups;
mod groups_json;
mod json;
mod rows;
mod segment;
mod tables;
mod transactions;
mod transactions_json;

pub use chart::Marks;
pub use encrypted::{encrypted_json, encrypted_text};
pub use groups::group_text;
pub use groups_json::group_json;
pub use json::{row_json, total_json};
pub use rows::Room;
pub use segment::{segment_json, segment_text};
pub use tables::{Extent, StatsLine, stats_lines, stats_text};
pub use transactions::transactions_text;
pub use transactions_json::transactions_json;

use super::exchange::{latency_text, time_of_day, timestamp};

/// Bytes as they are up to five digits, then in thousands and so on.
fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if n < 100_000 {
        return n.to_string();
    }
    let mut value = n as f64;
    let mut unit = "";
    for next in UNITS {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    match value {
        value if value < 10.0 => format!("{value:.2} {unit}"),
        value if value < 100.0 => format!("{value:.1} {unit}"),
        _ => format!("{value:.0} {unit}"),
    }
}

/// A count, or nothing for none.
fn count(n: u64) -> String {
    match n {
        0 => String::new(),
        n => n.to_string(),
    }
}

/// A count with its word, which takes an s for all but one.
fn n_of(n: u64, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    }
}

/// A span of nanoseconds.
fn duration(nanos: i64) -> String {
    let seconds = nanos / 1_000_000_000;
    match seconds {
        0..120 => latency_text(nanos),
        120..7_200 => format!("{} min {} s", seconds / 60, seconds % 60),
        7_200..172_800 => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// `2026-11-01 10:00:00.000250`, in UTC.
fn date_time(nanos: i64) -> String {
    format!("{} {}", date(nanos), time_of_day(nanos))
}

/// `2026-11-01`, in UTC.
fn date(nanos: i64) -> String {
    timestamp(nanos).strftime("%Y-%m-%d").to_string()
}

/// `2026-11-01T10:00:00.000250Z`, as in the lines of exchanges.
fn iso(nanos: i64) -> String {
    format!("{:.6}", timestamp(nanos))
}

/// Nanoseconds as milliseconds.
fn ms(nanos: i64) -> f64 {
    nanos as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short_and_never_round_up_a_unit_wrongly() {
        assert_eq!(bytes(99_999), "99999");
        assert_eq!(bytes(123_456), "123 kB");
        assert_eq!(bytes(1_234_567), "1.23 MB");
        assert_eq!(bytes(45_600_000_000), "45.6 GB");
        assert_eq!(duration(1_500_000), "1.500 ms");
        assert_eq!(duration(121_000_000_000), "2 min 1 s");
        assert_eq!(duration(90_061_000_000_000), "25 h 1 min");
        assert_eq!(n_of(1, "error"), "1 error");
        assert_eq!(n_of(0, "error"), "0 errors");
    }
}
