//! Sequence numbers of idempotent producers: whether they go on as they must (KIP-98).

use super::record::Record;
use crate::session::Exchange;

/// The sequence numbers that a producer used in a partition in one epoch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    pub epoch: i64,
    pub topic: Box<str>,
    pub partition: i32,
    /// The first and the last number, of those that were accepted or have no answer.
    pub first: i32,
    pub last: i32,
    pub batches: u64,
    pub records: u64,
}

/// Something wrong with a producer's sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Nanoseconds since 1970.
    pub time: i64,
    /// The exchange.
    pub n: u32,
    pub epoch: i64,
    pub topic: Box<str>,
    pub partition: i32,
    pub trouble: Trouble,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Numbers were left out, or the capture does not hold them.
    Gap { expected: i32, found: i32 },
    /// A batch was sent again that was accepted, or has no answer in the capture.
    Again { first: i32, last: i32 },
    /// The broker refused a batch.
    Refused { code: i16 },
}

/// A batch of a produce request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) producer_id: i64,
    pub(super) epoch: i64,
    pub(super) base_sequence: i32,
    pub(super) records: i64,
}

/// Takes in a batch that was written to a partition, or that the broker refused with `error`.
pub(super) fn batch(
    record: &mut Record<'_>,
    exchange: &Exchange,
    (topic, partition): (&str, i32),
    batch: Batch,
    error: Option<i16>,
) {
    let Some(producer) = record.producer(batch.producer_id) else {
        return;
    };
    let fault = |trouble| Fault {
        time: exchange.time(),
        n: exchange.n,
        epoch: batch.epoch,
        topic: topic.into(),
        partition,
        trouble,
    };
    if let Some(code) = error {
        if let Some(producer) = record.producer_mut(producer) {
            producer.faults.push(fault(Trouble::Refused { code }));
        }
        return;
    }
    // -1 stands for no sequence.
    let n_records = i32::try_from(batch.records).unwrap_or(0).max(0);
    if batch.base_sequence < 0 || n_records == 0 {
        return;
    }
    let last = advance(batch.base_sequence, n_records - 1);
    let key = (producer, batch.epoch, topic.into(), partition);
    let known = record.sequences.get(&key).copied();
    let Some(found) = record.producer_mut(producer) else {
        return;
    };
    let Some(sequence) = known.and_then(|at| found.sequences.get_mut(at)) else {
        found.sequences.push(Sequence {
            epoch: batch.epoch,
            topic: topic.into(),
            partition,
            first: batch.base_sequence,
            last,
            batches: 1,
            records: batch.records.unsigned_abs(),
        });
        let at = found.sequences.len() - 1;
        record.sequences.insert(key, at);
        return;
    };
    let trouble = sequence.go_on(batch, last);
    found.faults.extend(trouble.map(fault));
}

impl Sequence {
    /// Takes in a further batch, whose last number is `last`; what is wrong with it there.
    fn go_on(&mut self, batch: Batch, last: i32) -> Option<Trouble> {
        let expected = advance(self.last, 1);
        let first = batch.base_sequence;
        // How far ahead of what is expected, on the circle that sequences are on.
        let ahead = first.wrapping_sub(expected) & i32::MAX;
        if ahead > i32::MAX / 2 {
            return Some(Trouble::Again { first, last });
        }
        self.last = last;
        self.batches += 1;
        self.records += batch.records.unsigned_abs();
        let found = first;
        (ahead > 0).then_some(Trouble::Gap { expected, found })
    }
}

/// Sequences go from 2^31 - 1 on to 0 (Kafka's `DefaultRecordBatch.incrementSequence`).
fn advance(sequence: i32, by: i32) -> i32 {
    sequence.wrapping_add(by) & i32::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_start_again_at_zero_behind_the_largest() {
        assert_eq!(advance(i32::MAX, 1), 0);
        assert_eq!(advance(i32::MAX - 1, 5), 3);
        assert_eq!(advance(7, 3), 10);
    }
}
