//! What is in a log segment: batches counted, with their offsets, times and codecs.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    records::Overview,
    session::{Plain, Segment},
};

/// A log segment, counted. Offsets and times are those that headers say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentStats {
    pub batches: u64,
    /// Bytes of batches that are there.
    pub bytes: u64,
    /// By the headers; those of compressed message sets are not counted.
    pub records: u64,
    /// Batches of which the number of records is not known without decompressing them.
    pub uncounted: u64,
    /// The first and the last offset.
    pub offsets: Option<(i64, i64)>,
    /// Offsets between the batches that are in none.
    pub missing: u64,
    /// The earliest and the latest timestamp, milliseconds since 1970.
    pub times: Option<(i64, i64)>,
    /// How much of it is compressed how, by the number of the codec.
    pub codecs: BTreeMap<i16, CodecShare>,
    pub magics: BTreeSet<i8>,
    pub control: u64,
    pub transactional: u64,
    /// Ids of idempotent producers.
    pub producers: BTreeSet<i64>,
    /// Batches outside of whose records something is wrong.
    pub malformed: u64,
    /// Zeros behind the last batch.
    pub preallocated: u64,
}

/// The batches of one codec.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodecShare {
    pub batches: u64,
    pub records: u64,
    pub bytes: u64,
}

/// Counts a log segment.
pub fn segment_stats(file: &Plain) -> SegmentStats {
    let mut stats = SegmentStats::default();
    let mut segment = Segment::new(file);
    for batch in segment.by_ref() {
        if !batch.is_batch() {
            stats.malformed += 1;
            continue;
        }
        stats.batches += 1;
        stats.bytes += batch.len as u64;
        stats.malformed += u64::from(batch.problems > 0);
        if let Some(overview) = &batch.overview {
            stats.add(overview, batch.len as u64);
        }
    }
    stats.preallocated = segment.preallocated() as u64;
    stats
}

impl SegmentStats {
    fn add(&mut self, overview: &Overview, bytes: u64) {
        self.magics.insert(overview.magic);
        self.uncounted += u64::from(overview.count().is_none());
        // A header that counts fewer than none is malformed, and counts none here.
        let records = overview.count().and_then(|n| u64::try_from(n).ok());
        let records = records.unwrap_or_default();
        self.records += records;
        let codec = self.codecs.entry(overview.attributes.codec_number());
        let share = codec.or_default();
        share.batches += 1;
        share.records += records;
        share.bytes += bytes;
        if let Some(batch) = overview.batch {
            self.control += u64::from(overview.attributes.is_control());
            self.transactional += u64::from(overview.attributes.is_transactional());
            if batch.producer_id >= 0 {
                self.producers.insert(batch.producer_id);
            }
        }
        let (base, last) = (overview.base_offset, overview.last_offset);
        let first = base.unwrap_or(last);
        self.offsets = Some(match self.offsets {
            None => (first, last),
            Some((start, end)) => {
                // Of a compressed message, where it starts is not known.
                let gap = base.and_then(|base| base.checked_sub(end)?.checked_sub(1));
                self.missing += gap.map_or(0, |gap| u64::try_from(gap).unwrap_or(0));
                (start.min(first), end.max(last))
            }
        });
        for time in [overview.base_timestamp, overview.max_timestamp] {
            let Some(time) = time.filter(|&time| time >= 0) else {
                continue;
            };
            self.times = Some(match self.times {
                None => (time, time),
                Some((first, last)) => (first.min(time), last.max(time)),
            });
        }
    }
}
