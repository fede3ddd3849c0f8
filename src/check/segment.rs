//! What is wrong in a log segment: its batches down to their records, and how their offsets follow.

use super::{
    Extent, Severity,
    findings::{Finding, Findings, Kind, Occurrence},
    messages::Problems,
};
use crate::{
    event::n_bytes,
    session::{Batch, Ending, Plain, Segment},
};

/// Everything that is wrong with a log segment, the worst first, and the number of its batches.
pub fn check_segment(file: &Plain, extent: Extent) -> (Vec<Finding>, u64) {
    let mut found = Findings::new(extent);
    let mut segment = Segment::new(file);
    let mut last = None;
    while let Some(batch) = segment.step() {
        if let Some(overview) = &batch.overview {
            offsets(
                &batch,
                overview.base_offset,
                overview.last_offset,
                last,
                &mut found,
            );
            last = last.max(Some(overview.last_offset));
        }
        content(&batch, file, &mut found);
    }
    (found.finish(), segment.n())
}

/// How the offsets of a batch follow the last one before it.
fn offsets(batch: &Batch, base: Option<i64>, last: i64, before: Option<i64>, found: &mut Findings) {
    let Some(before) = before else {
        return;
    };
    let subject = "offsets".to_owned();
    if base.unwrap_or(last) <= before {
        let detail = format!("offset {} comes behind {before}", base.unwrap_or(last));
        let (kind, what) = (Kind::OffsetOrder, "offsets do not rise from batch to batch");
        found.add_one_of(Severity::Error, kind, subject, place(batch, detail), what);
    } else if let Some(base) = base
        && base - 1 > before
    {
        let detail = format!("offsets {} to {} are in no batch", before + 1, base - 1);
        let what = "offsets are in no batch: compacted away, or lost";
        let kind = Kind::OffsetGap;
        found.add_one_of(Severity::Note, kind, subject, place(batch, detail), what);
    }
}

/// What is in a batch, records included.
fn content(batch: &Batch, file: &Plain, found: &mut Findings) {
    if let Some(ending) = batch.ending(file) {
        end(batch, ending, found);
        return;
    }
    let mut problems = Problems::default();
    batch.decode_into(file, &mut problems);
    for seen in problems.found {
        let subject = match seen.path.is_empty() {
            true => "batch".to_owned(),
            false => format!("batch at {}", seen.path),
        };
        let detail = format!("[{}] {}", seen.code, seen.message);
        let occurrence = place(batch, detail.clone());
        found.add(seen.severity, seen.kind(), subject, occurrence, || detail);
    }
}

/// Behind a batch no other is found.
fn end(batch: &Batch, ending: Ending, found: &mut Findings) {
    let len = n_bytes(batch.len as u64);
    let detail = match ending {
        Ending::Cut => {
            let (kind, subject) = (Kind::Incomplete, "last batch".to_owned());
            let detail = format!("{} bytes of it are there", batch.len);
            let what = "the file ends inside it";
            found.add_one_of(Severity::Warning, kind, subject, place(batch, detail), what);
            return;
        }
        Ending::Size { next } => format!(
            "its size is wrong, a batch begins inside it at byte {next}; {len} from byte {} on are not \
             read",
            batch.at
        ),
        Ending::NoBatch => format!(
            "no batch starts here; {len} from byte {} on are not read",
            batch.at
        ),
    };
    let (kind, subject) = (Kind::Malformed, "batch".to_owned());
    let occurrence = place(batch, detail.clone());
    found.add(Severity::Error, kind, subject, occurrence, || detail);
}

fn place(batch: &Batch, detail: String) -> Occurrence {
    let ms = batch.overview.and_then(|overview| overview.max_timestamp);
    Occurrence {
        batch: Some(batch.n),
        time: ms
            .filter(|&ms| ms >= 0)
            .map(|ms| ms.saturating_mul(1_000_000)),
        detail,
        ..Occurrence::default()
    }
}
