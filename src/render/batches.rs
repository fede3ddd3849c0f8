//! Batches of a log segment as lines: a table for people, JSON for programs.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use crate::{
    explain,
    records::{Attributes, Extent, Overview},
    session::{Batch, Ending},
};

/// What is said of a batch that the file ends in.
const CUT: &str = "cut";

/// What is said of one whose size is wrong.
const WRONG_SIZE: &str = "wrong size";

/// What is said of bytes between batches.
const NO_BATCH: &str = "no batch";

/// The names of the columns of [`batch_row`].
pub fn batch_head() -> String {
    columns([
        "n", "at", "bytes", "offsets", "time", "records", "codec", "producer", "notes",
    ])
}

/// The line of a batch in a table.
pub fn batch_row(batch: &Batch) -> String {
    let (n, at, len) = (
        batch.n.to_string(),
        batch.at.to_string(),
        batch.len.to_string(),
    );
    let Some(overview) = batch.overview.as_ref().filter(|_| batch.is_batch()) else {
        let note = match (batch.ending, batch.extent) {
            (Some(Ending::NoBatch { .. }), _) | (None, Extent::Rest) => NO_BATCH,
            (Some(Ending::Size { .. }), _) => WRONG_SIZE,
            (_, Extent::Cut(_)) | (Some(Ending::Cut), _) => CUT,
            // The size is right, so the header is there and of a format that nobody knows.
            (None, Extent::Whole(_)) => "unknown magic",
        };
        return columns([&n, &at, &len, "", "", "", "", "", note]);
    };
    let offsets = match overview.base_offset {
        Some(base) if base == overview.last_offset => base.to_string(),
        Some(base) => format!("{base}-{}", overview.last_offset),
        None => format!("?-{}", overview.last_offset),
    };
    let times = [overview.base_timestamp, overview.max_timestamp];
    let time = times.into_iter().flatten().find_map(explain::time);
    let records = overview
        .count()
        .map_or(String::new(), |count| count.to_string());
    let producer = match overview.batch.filter(|batch| batch.producer_id >= 0) {
        Some(batch) => format!(
            "{}/{}/{}",
            batch.producer_id, batch.producer_epoch, batch.base_sequence
        ),
        None => String::new(),
    };
    columns([
        &n,
        &at,
        &len,
        &offsets,
        &time.unwrap_or_default(),
        &records,
        &codec(overview.attributes).unwrap_or_default(),
        &producer,
        &notes(batch, overview),
    ])
}

/// The line of `list --json`; docs/JSON.md is the contract. What is wrong is for the caller.
pub fn batch_json(file: &str, batch: &Batch) -> Map<String, Json> {
    let overview = batch.overview.as_ref().filter(|_| batch.is_batch());
    let inner = overview.and_then(|overview| overview.batch);
    let attributes = overview.map(|overview| overview.attributes);
    let json = json!({
        "type": "batch",
        "n": batch.n,
        "file": file,
        "position": batch.at,
        "size": batch.len,
        "magic": overview.map(|overview| overview.magic),
        "base_offset": overview.and_then(|overview| overview.base_offset),
        "last_offset": overview.map(|overview| overview.last_offset),
        "base_timestamp": overview.and_then(|overview| overview.base_timestamp),
        "max_timestamp": overview.and_then(|overview| overview.max_timestamp),
        "codec": attributes.and_then(codec),
        "transactional": attributes.map(Attributes::is_transactional),
        "control": attributes.map(Attributes::is_control),
        "partition_leader_epoch": inner.map(|batch| batch.partition_leader_epoch),
        "producer_id": inner.map(|batch| batch.producer_id),
        "producer_epoch": inner.map(|batch| batch.producer_epoch),
        "base_sequence": inner.map(|batch| batch.base_sequence),
        "records": overview.and_then(Overview::count),
        "problems": [],
    });
    match json {
        Json::Object(object) => object,
        _ => Map::new(),
    }
}

pub(super) fn codec(attributes: Attributes) -> Option<String> {
    match (attributes.codec_number(), attributes.codec()) {
        (0, _) => None,
        (_, Some(codec)) => Some(codec.to_string()),
        (number, None) => Some(format!("codec {number}")),
    }
}

fn notes(batch: &Batch, overview: &Overview) -> String {
    let mut notes = Vec::new();
    if overview.magic < 2 {
        notes.push(format!("magic {}", overview.magic));
    }
    if overview.attributes.is_control() && overview.magic == 2 {
        notes.push("control".to_owned());
    } else if overview.attributes.is_transactional() && overview.magic == 2 {
        notes.push("transactional".to_owned());
    }
    if batch.is_cut() {
        notes.push(CUT.to_owned());
    } else if matches!(batch.ending, Some(Ending::Size { .. })) {
        notes.push(WRONG_SIZE.to_owned());
    } else if batch.problems > 0 {
        notes.push("malformed".to_owned());
    }
    notes.join(", ")
}

/// Columns as wide as they are in a segment of a day, so that no row has to be kept: a cell that is
/// wider pushes its line apart.
fn columns(cells: [&str; 9]) -> String {
    const WIDTHS: [(usize, bool); 9] = [
        (7, true),
        (10, true),
        (8, true),
        (21, false),
        (24, false),
        (7, true),
        (6, false),
        (14, false),
        (0, false),
    ];
    let mut line = String::new();
    for (cell, (width, is_number)) in cells.into_iter().zip(WIDTHS) {
        let _ = match is_number {
            true => write!(line, "{cell:>width$}  "),
            false => write!(line, "{cell:width$}  "),
        };
    }
    line.truncate(line.trim_end().len());
    line
}
