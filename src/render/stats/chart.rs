//! The rate over time as bars, one a line, with the part that had errors marked.

use std::fmt::{self, Write};

use super::{date, n_of, time_of_day};
use crate::{
    event::Severity,
    render::Palette,
    stats::{Key, Table},
};

/// What bars are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Blocks, an eighth of a column fine.
    Unicode,
    Ascii,
}

impl Marks {
    /// The line under a table that is cut.
    pub(in crate::render) fn and_more(self, n: usize) -> String {
        match self {
            Marks::Unicode => format!("… and {n} more"),
            Marks::Ascii => format!("... and {n} more"),
        }
    }
}

/// Columns of a bar at least, however narrow the screen.
const NARROWEST: usize = 10;

/// Columns of a bar at most; longer ones are harder to compare.
const WIDEST: usize = 60;

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// Writes the bars of a table of times, in lines of at most `width` columns.
pub(super) fn chart(
    out: &mut impl Write,
    table: &Table,
    palette: Palette,
    marks: Marks,
    width: usize,
) -> fmt::Result {
    let highest = table.rows.iter().map(|row| row.tally.exchanges).max();
    let highest = highest.unwrap_or(0).max(1);
    let digits = highest.to_string().len();
    let labels: Vec<String> = labels(table);
    let label_width = labels.iter().map(String::len).max().unwrap_or(0);
    let has_errors = table.rows.iter().any(|row| row.tally.errors > 0);
    let behind = if has_errors { digits + 11 } else { 0 };
    let bar_width = width
        .saturating_sub(label_width + digits + behind + 6)
        .clamp(NARROWEST, WIDEST);
    let (red, dim) = (palette.severity(Severity::Error), palette.dim());
    for (row, label) in table.rows.iter().zip(labels) {
        let tally = &row.tally;
        let (good, bad) = bar(tally.exchanges, tally.errors, highest, bar_width, marks);
        write!(out, "  {dim}{label:<label_width$}{dim:#}")?;
        if tally.exchanges > 0 {
            write!(out, "  {:>digits$}", tally.exchanges)?;
        }
        if !good.is_empty() || !bad.is_empty() {
            write!(out, "  {good}")?;
        }
        if !bad.is_empty() {
            write!(out, "{red}{bad}{red:#}")?;
        }
        if tally.errors > 0 {
            write!(out, "  {}", n_of(tally.errors, "error"))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// What the bars are of.
pub(super) fn title(table: &Table) -> String {
    format!("exchanges per {}", round(table.width))
}

/// A width, which is a whole number of some unit.
fn round(nanos: i64) -> String {
    const UNITS: [(i64, &str); 6] = [
        (DAY, "d"),
        (3_600_000_000_000, "h"),
        (60_000_000_000, "min"),
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "µs"),
    ];
    let fits = |&&(unit, _): &&(i64, &str)| nanos > 0 && nanos % unit == 0;
    match UNITS.iter().find(fits) {
        Some((unit, name)) => format!("{} {name}", nanos / unit),
        None => format!("{nanos} ns"),
    }
}

/// The times at which buckets start, as fine as the buckets are wide; with the date where there is
/// more than one.
fn labels(table: &Table) -> Vec<String> {
    let starts: Vec<i64> = table
        .rows
        .iter()
        .filter_map(|row| match row.key {
            Key::Time(start) => Some(start),
            _ => None,
        })
        .collect();
    let day = |time: Option<&i64>| time.map(|time| time.div_euclid(DAY));
    let is_one_day = day(starts.first()) == day(starts.last());
    // HH:MM:SS.mmmuuu
    let len = match table.width {
        0..1_000_000 => 15,
        1_000_000..1_000_000_000 => 12,
        1_000_000_000..60_000_000_000 => 8,
        _ => 5,
    };
    let label = |start: &i64| {
        let mut time = time_of_day(*start);
        time.truncate(len);
        match is_one_day {
            true => time,
            false => format!("{} {time}", date(*start)),
        }
    };
    starts.iter().map(label).collect()
}

/// The parts of a bar of `n` that are without and with errors. Whatever is not zero can be seen.
fn bar(n: u64, n_errors: u64, highest: u64, width: usize, marks: Marks) -> (String, String) {
    // One eighth of a column to seven.
    const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    // Amounts of messages stay far below what a float holds exactly.
    let length = |n: u64| n as f64 / highest as f64 * width as f64;
    if n == 0 {
        return (String::new(), String::new());
    }
    let (full, shade) = match marks {
        Marks::Unicode => ('█', '▒'),
        Marks::Ascii => ('#', 'x'),
    };
    if n_errors == 0 && marks == Marks::Unicode {
        let eighths = (length(n) * 8.0).round().max(1.0) as usize;
        let mut good: String = std::iter::repeat_n(full, eighths / 8).collect();
        good.extend(PARTS.get((eighths % 8).wrapping_sub(1)));
        return (good, String::new());
    }
    let all = length(n).round().max(1.0) as usize;
    let bad = match n_errors {
        0 => 0,
        n_errors => (length(n_errors).round().max(1.0) as usize).min(all),
    };
    (
        std::iter::repeat_n(full, all - bad).collect(),
        std::iter::repeat_n(shade, bad).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share_and_mark_errors() {
        let both = |n, errors, marks| {
            let (good, bad) = bar(n, errors, 100, 20, marks);
            format!("{good}{bad}")
        };
        assert_eq!(both(100, 0, Marks::Unicode), "█".repeat(20));
        assert_eq!(both(12, 0, Marks::Unicode), "██▍");
        assert_eq!(both(1, 0, Marks::Unicode), "▎");
        assert_eq!(both(50, 25, Marks::Unicode), "█████▒▒▒▒▒");
        assert_eq!(both(50, 1, Marks::Ascii), "#########x");
        assert_eq!(both(1, 1, Marks::Ascii), "x");
        assert_eq!(both(0, 0, Marks::Ascii), "");
    }
}
