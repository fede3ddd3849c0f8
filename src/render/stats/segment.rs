//! A log segment, counted, as text and JSON.

use std::fmt::{self, Write};

use serde_json::{Value as Json, json};

use super::{
    bytes, count, date_time, duration, iso, n_of,
    rows::{Align, Rows},
};
use crate::{
    records::Attributes,
    render::{Palette, batches::codec},
    stats::SegmentStats,
};

/// Writes what is in a segment.
pub fn segment_text(out: &mut impl Write, stats: &SegmentStats, palette: Palette) -> fmt::Result {
    writeln!(out, "{}", summary(stats))?;
    if let Some((first, last)) = stats.offsets {
        let missing = match stats.missing {
            0 => String::new(),
            n => format!(", of which {n} are in no batch"),
        };
        writeln!(out, "offsets {first} to {last}{missing}")?;
    }
    if let Some((first, last)) = stats.times {
        let span = duration(nanos(last).saturating_sub(nanos(first)));
        let (first, last) = (date_time(nanos(first)), date_time(nanos(last)));
        writeln!(out, "timestamps {first} to {last} ({span})")?;
    }
    if stats.codecs.is_empty() {
        return Ok(());
    }
    let bold = palette.title();
    writeln!(out, "\n{bold}compression{bold:#}")?;
    let mut rows = Rows::new(vec![
        ("codec", Align::Left),
        ("batches", Align::Right),
        ("records", Align::Right),
        ("bytes", Align::Right),
    ]);
    for (&number, share) in &stats.codecs {
        rows.push(vec![
            codec(Attributes(number)).unwrap_or_else(|| "none".to_owned()),
            share.batches.to_string(),
            count(share.records),
            bytes(share.bytes),
        ]);
    }
    rows.write(out, palette)
}

/// How much of what there is, in a line.
fn summary(stats: &SegmentStats) -> String {
    let batches = match stats.batches {
        1 => "1 batch".to_owned(),
        n => format!("{n} batches"),
    };
    let mut parts = vec![
        format!("{batches} of {}", n_of(stats.bytes, "byte")),
        n_of(stats.records, "record"),
    ];
    if stats.uncounted > 0 {
        parts.push(format!(
            "and those of {}",
            n_of(stats.uncounted, "compressed message set")
        ));
    }
    for (n, what) in [
        (stats.control, "control"),
        (stats.transactional, "transactional"),
        (stats.malformed, "malformed"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if !stats.producers.is_empty() {
        parts.push(n_of(stats.producers.len() as u64, "idempotent producer"));
    }
    parts.join(", ")
}

/// The line of `stats --json` of a segment; docs/JSON.md is the contract.
pub fn segment_json(file: &str, stats: &SegmentStats) -> Json {
    let codecs = stats.codecs.iter().map(|(&number, share)| {
        json!({
            "codec": codec(Attributes(number)),
            "batches": share.batches,
            "records": share.records,
            "bytes": share.bytes,
        })
    });
    json!({
        "type": "segment",
        "file": file,
        "batches": stats.batches,
        "bytes": stats.bytes,
        "records": stats.records,
        "uncounted": stats.uncounted,
        "base_offset": stats.offsets.map(|(first, _)| first),
        "last_offset": stats.offsets.map(|(_, last)| last),
        "missing_offsets": stats.missing,
        "from": stats.times.map(|(first, _)| iso(nanos(first))),
        "to": stats.times.map(|(_, last)| iso(nanos(last))),
        "magics": stats.magics,
        "control": stats.control,
        "transactional": stats.transactional,
        "producers": stats.producers.len(),
        "malformed": stats.malformed,
        "preallocated": stats.preallocated,
        "codecs": codecs.collect::<Vec<_>>(),
    })
}

fn nanos(ms: i64) -> i64 {
    ms.saturating_mul(1_000_000)
}
