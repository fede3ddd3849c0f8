//! The mistakes of those who write record batches (magic 2, KIP-98) themselves.

use super::Repair;
use crate::{
    records::{Attributes, LOG_OVERHEAD, MAGIC_AT, Polynomial},
    wire::{BufferId, Cursor, Span},
};

/// Where the fields of a batch lie.
const LENGTH: usize = 8;
const CRC: usize = 17;
const COVERED: usize = 21;
const COUNT: usize = 57;
const RECORDS: usize = 61;

/// What such a mistake costs: its checksum, or all of its records, speak for it.
const COST: u32 = 8;

/// Batches of which each is tried as the last, whatever length it says.
const BATCHES: usize = 16;

/// The mistake of the first batch in `bytes` that has one; batches follow each other.
pub(super) fn diagnose(bytes: &[u8]) -> Option<Repair> {
    let mut at = 0;
    let mut n_batches = 0;
    while let Some(batch) = bytes.get(at..).and_then(Batch::of) {
        // To look at all that follows each of many would take time with the square of its length.
        n_batches += 1;
        if let Some((from, len, message)) = batch.mistake(n_batches <= BATCHES) {
            return Some(Repair {
                span: Span::new(BufferId::FRAME, at + from, at + from + len),
                message,
                cost: COST,
            });
        }
        at += usize::try_from(batch.length)
            .ok()?
            .checked_add(LOG_OVERHEAD)?;
    }
    None
}

struct Batch<'a> {
    /// From its first byte on, and what follows it.
    bytes: &'a [u8],
    length: i32,
    magic: u8,
    crc: u32,
}

/// A mistake: where it is, how many bytes, and what is wrong.
type Mistake = (usize, usize, String);

impl<'a> Batch<'a> {
    fn of(bytes: &'a [u8]) -> Option<Batch<'a>> {
        bytes.get(..RECORDS)?;
        let four = |at: usize| Some(*bytes.get(at..)?.first_chunk()?);
        Some(Batch {
            bytes,
            length: i32::from_be_bytes(four(LENGTH)?),
            magic: *bytes.get(MAGIC_AT)?,
            crc: u32::from_be_bytes(four(CRC)?),
        })
    }

    /// Where it ends by its length.
    fn end(&self) -> Option<usize> {
        let end = usize::try_from(self.length)
            .ok()?
            .checked_add(LOG_OVERHEAD)?;
        (RECORDS..=self.bytes.len()).contains(&end).then_some(end)
    }

    /// `is_last`: it may be all that there is.
    fn mistake(&self, is_last: bool) -> Option<Mistake> {
        let is_checked = |end: usize| {
            let covered = self.bytes.get(COVERED..end);
            covered.is_some_and(|covered| Polynomial::Crc32c.of(covered) == self.crc)
        };
        let end = self.end();
        if self.magic != 2 {
            let is_batch = end.is_some_and(is_checked) || is_last && is_checked(self.bytes.len());
            return is_batch.then(|| {
                let message = format!(
                    "magic is {}, but layout and checksum are those of a batch of magic 2",
                    self.magic
                );
                (MAGIC_AT, 1, message)
            });
        }
        // Which end the checksum has, or the records have.
        let follow = self.bytes.len() - LOG_OVERHEAD;
        let has_records = |end: usize| self.numbers(end, PROPER).is_some();
        let is_right = end.is_some_and(|end| is_checked(end) || has_records(end));
        let is_all = || is_checked(self.bytes.len()) || has_records(self.bytes.len());
        if !is_right && end != Some(self.bytes.len()) && is_last && is_all() {
            return Some((LENGTH, 4, self.wrong_length(follow)));
        }
        let end = end.filter(|&end| !self.has_numbered_records(end, PROPER))?;
        // Who counts nothing on writes all deltas as 0.
        let numbered = |layout| self.has_numbered_records(end, layout);
        let any = |layout| !has_records(end) && self.numbers(end, layout).is_some();
        let mut slips = SLIPS.iter();
        let (_, text) = slips
            .clone()
            .find(|(layout, _)| numbered(*layout))
            .or_else(|| slips.find(|(layout, _)| any(*layout)))?;
        Some((RECORDS, end - RECORDS, (*text).to_owned()))
    }

    fn wrong_length(&self, follow: usize) -> String {
        let length = self.length;
        let counts = |more: usize| i64::from(length) == (follow + more) as i64;
        if counts(LOG_OVERHEAD) {
            return format!(
                "batch_length counts base_offset and itself: it is {length}, and should be {follow}, \
                 the bytes behind it"
            );
        }
        if counts(4) {
            return format!("batch_length counts itself: it is {length}, and should be {follow}");
        }
        if i64::from(length.swap_bytes()) == follow as i64 {
            return format!("batch_length is little-endian; it should be {follow}");
        }
        format!(
            "batch_length is {length}, and should be {follow}: everything else fits the {follow} bytes \
             behind it"
        )
    }

    /// Whether there are records of this layout up to `end`, and each counts on from the one before,
    /// as producers number them.
    fn has_numbered_records(&self, end: usize, layout: Layout) -> bool {
        let numbers = self.numbers(end, layout);
        numbers.is_some_and(|numbers| (0..).zip(numbers).all(|(due, number)| number == due))
    }

    /// The offset deltas of the records of this layout, if they take all bytes up to `end` and are as
    /// many as there should be.
    fn numbers(&self, end: usize, layout: Layout) -> Option<Vec<i64>> {
        let attributes = self.bytes.get(COVERED..)?.first_chunk().copied()?;
        let count = self.bytes.get(COUNT..)?.first_chunk().copied()?;
        let is_plain = Attributes(i16::from_be_bytes(attributes)).codec_number() == 0;
        let count = i32::from_be_bytes(count);
        let records = self.bytes.get(RECORDS..end)?;
        if !is_plain || !(1..=records.len() as i64).contains(&count.into()) {
            return None;
        }
        let mut cursor = Cursor::new(records, BufferId::FRAME);
        let numbers: Option<Vec<i64>> = (0..count).map(|_| layout.record(&mut cursor)).collect();
        numbers.filter(|_| cursor.left() == 0)
    }
}

/// How records are laid out.
#[derive(Clone, Copy)]
struct Layout {
    /// The length of a record.
    length: Number,
    /// What it counts.
    counted: Counted,
    attributes: bool,
    /// Of timestamp and offset.
    deltas: Number,
    /// The lengths of key, value and parts of headers.
    parts: Number,
    /// How many headers there are; `None` where that is not said.
    headers: Option<Number>,
}

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    ZigZag,
    /// A varint that is not zig-zag.
    Plain,
    Int32,
}

/// What the length of a record counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Content,
    /// Its own bytes too.
    Itself,
}

const PROPER: Layout = Layout {
    length: Number::ZigZag,
    counted: Counted::Content,
    attributes: true,
    deltas: Number::ZigZag,
    parts: Number::ZigZag,
    headers: Some(Number::ZigZag),
};

/// Layouts of those who have missed something.
const SLIPS: [(Layout, &str); 11] = [
    (
        Layout {
            length: Number::Plain,
            deltas: Number::Plain,
            parts: Number::Plain,
            headers: Some(Number::Plain),
            ..PROPER
        },
        "the varints of the records are plain, and should be zig-zag (n is written as 2n): so all \
         records fit",
    ),
    (
        Layout {
            length: Number::Plain,
            ..PROPER
        },
        "the lengths of the records are plain varints, and should be zig-zag (n is written as 2n): \
         so all records fit",
    ),
    (
        Layout {
            length: Number::Plain,
            parts: Number::Plain,
            headers: Some(Number::Plain),
            ..PROPER
        },
        "the lengths of the records and in them are plain varints, and should be zig-zag (n is \
         written as 2n): so all records fit",
    ),
    (
        Layout {
            parts: Number::Plain,
            ..PROPER
        },
        "the lengths of keys and values are plain varints, and should be zig-zag (n is written as \
         2n): so all records fit",
    ),
    (
        Layout {
            deltas: Number::Plain,
            ..PROPER
        },
        "the deltas of timestamp and offset are plain varints, and should be zig-zag (n is written \
         as 2n): so the records count on by one",
    ),
    (
        Layout {
            length: Number::Int32,
            ..PROPER
        },
        "the lengths of the records are int32, and should be zig-zag varints: so all records fit",
    ),
    (
        Layout {
            length: Number::Int32,
            parts: Number::Int32,
            ..PROPER
        },
        "the lengths of the records and in them are int32, and should be zig-zag varints: so all \
         records fit",
    ),
    (
        Layout {
            counted: Counted::Itself,
            ..PROPER
        },
        "the lengths of the records count themselves, and should count what follows them: so all \
         records fit",
    ),
    (
        Layout {
            headers: None,
            ..PROPER
        },
        "the records end without their number of headers (00 where there are none)",
    ),
    (
        Layout {
            headers: Some(Number::Int32),
            ..PROPER
        },
        "the numbers of headers are int32, and should be zig-zag varints (00 where there are none): \
         so all records fit",
    ),
    (
        Layout {
            attributes: false,
            ..PROPER
        },
        "the records lack the attributes byte (00) behind their length",
    ),
];

impl Layout {
    /// Reads a record; the answer is its offset delta.
    fn record(self, cursor: &mut Cursor<'_>) -> Option<i64> {
        let from = cursor.at();
        let length = usize::try_from(self.length.read(cursor)?).ok()?;
        let length = match self.counted {
            Counted::Content => length,
            Counted::Itself => length.checked_sub(cursor.at() - from)?,
        };
        let mut record = cursor.window(length).ok()?;
        if self.attributes {
            record.i8().ok()?;
        }
        self.deltas.read(&mut record)?;
        let offset_delta = self.deltas.read(&mut record)?;
        self.parts.blob(&mut record)?;
        self.parts.blob(&mut record)?;
        if let Some(headers) = self.headers {
            for _ in 0..headers.read(&mut record)? {
                self.parts.blob(&mut record)?;
                self.parts.blob(&mut record)?;
            }
        }
        (record.left() == 0).then_some(offset_delta)
    }
}

impl Number {
    fn read(self, cursor: &mut Cursor<'_>) -> Option<i64> {
        match self {
            Number::ZigZag => cursor.varlong().ok(),
            Number::Int32 => cursor.i32().ok().map(i64::from),
            // -1 is all bits then, in 32 or in 64 of them.
            Number::Plain => cursor.uvarlong().ok().map(|number| match number {
                0xffff_ffff => -1,
                number => number.cast_signed(),
            }),
        }
    }

    /// A key, a value, or a part of a header; null is -1.
    fn blob(self, cursor: &mut Cursor<'_>) -> Option<()> {
        match self.read(cursor)? {
            -1 => Some(()),
            length => {
                cursor.take(usize::try_from(length).ok()?).ok()?;
                Some(())
            }
        }
    }
}
