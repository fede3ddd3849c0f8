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
    let mut order = Order::default();
    while let Some(batch) = segment.step() {
        match Offsets::of(&batch).filter(|_| batch.is_batch()) {
            Some(offsets) => order.add(offsets, &mut found),
            None => order.skip(),
        }
        content(&batch, file, &mut found);
    }
    order.finish(&mut found);
    (found.finish(), segment.n())
}

/// The offsets of a batch, which no checksum covers.
#[derive(Clone, Copy, Debug)]
struct Offsets {
    batch: Batch,
    first: i64,
    last: i64,
    /// The first one is known.
    is_based: bool,
}

impl Offsets {
    fn of(batch: &Batch) -> Option<Offsets> {
        let overview = batch.overview.as_ref()?;
        Some(Offsets {
            batch: *batch,
            first: overview.base_offset.unwrap_or(overview.last_offset),
            last: overview.last_offset,
            is_based: overview.base_offset.is_some(),
        })
    }
}

/// How offsets follow from batch to batch. One that is wrong is told by those around it, and nothing
/// behind it is compared with it.
#[derive(Debug, Default)]
struct Order {
    /// The last offset that is believed.
    before: Option<i64>,
    /// A batch that leaves offsets out, until the next one tells whether it is right.
    leap: Option<Offsets>,
    /// The last offset of a batch that came too early, in case those behind it go on from there.
    early: Option<i64>,
}

impl Order {
    fn add(&mut self, next: Offsets, found: &mut Findings) {
        if let Some(leap) = self.leap.take() {
            let is_between = self.before.is_some_and(|before| next.first > before);
            if next.first <= leap.first && is_between {
                // The leap was none.
                let detail = format!("offset {} comes before {}", leap.first, next.first);
                disorder(&leap.batch, detail, found);
                // What lies between are its own.
                self.before = Some(next.last);
                return;
            }
            self.gap(leap, found);
        }
        match self.before {
            Some(before) if next.first <= before => {
                let goes_on = self.early.is_some_and(|early| next.first > early);
                if goes_on {
                    self.before = Some(next.last);
                    self.early = None;
                    return;
                }
                let detail = format!("offset {} comes behind {before}", next.first);
                disorder(&next.batch, detail, found);
                self.early = Some(next.last);
            }
            Some(before) if self.early.is_none() && next.first > before.saturating_add(1) => {
                self.leap = Some(next);
            }
            Some(_) | None => {
                self.before = Some(next.last);
                self.early = None;
            }
        }
    }

    /// A batch of which the offsets are not known: they may be those that the next one leaves out.
    fn skip(&mut self) {
        self.early = self.early.or(self.before);
    }

    /// Notes the offsets in front of a batch that are in none.
    fn gap(&mut self, leap: Offsets, found: &mut Findings) {
        if let Some(before) = self.before
            && leap.is_based
        {
            let (from, to) = (before.saturating_add(1), leap.first.saturating_sub(1));
            let detail = format!("offsets {from} to {to} are in no batch");
            let what = "offsets are in no batch: compacted away, or lost";
            let subject = "offsets".to_owned();
            let place = place(&leap.batch, detail);
            found.add_one_of(Severity::Note, Kind::OffsetGap, subject, place, what);
        }
        self.before = Some(leap.last);
        self.early = None;
    }

    /// No other batch comes.
    fn finish(mut self, found: &mut Findings) {
        if let Some(leap) = self.leap.take() {
            self.gap(leap, found);
        }
    }
}

fn disorder(batch: &Batch, detail: String, found: &mut Findings) {
    let (kind, what) = (Kind::OffsetOrder, "offsets do not rise from batch to batch");
    let subject = "offsets".to_owned();
    found.add_one_of(Severity::Error, kind, subject, place(batch, detail), what);
}

/// What is in a batch, records included.
fn content(batch: &Batch, file: &Plain, found: &mut Findings) {
    if let Some(ending) = batch.ending {
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

/// Its size does not lead from a batch to the next one.
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
        Ending::NoBatch { next: None } => format!(
            "no batch starts here; {len} from byte {} on are not read",
            batch.at
        ),
        Ending::NoBatch { next: Some(next) } => format!(
            "no batch starts here, the next one begins at byte {next}; {len} from byte {} on are not \
             read",
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
