//! The header of a batch or message set entry at a glance, for lists of many.

use super::{
    Attributes, TimestampType,
    plausible::{MAGIC_AT, smallest},
};
use crate::wire::{BufferId, Cursor};

/// What a header says. Nothing of it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overview {
    /// 0 and 1 are messages of a set, 2 is a batch.
    pub magic: i8,
    pub attributes: Attributes,
    /// The first offset; of a compressed message, which has that of the last one in it, `None`.
    pub base_offset: Option<i64>,
    pub last_offset: i64,
    /// Milliseconds since 1970; `None` for magic 0, and for a batch whose base timestamp is the time
    /// from which tombstones may be deleted.
    pub base_timestamp: Option<i64>,
    pub max_timestamp: Option<i64>,
    /// The rest is what batches have alone.
    pub batch: Option<BatchOverview>,
}

/// What the header of a batch says beyond that of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchOverview {
    pub partition_leader_epoch: i32,
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub base_sequence: i32,
    pub records_count: i32,
}

impl Overview {
    /// Number of records; of a compressed message set, nobody knows without decompressing it.
    pub fn count(&self) -> Option<i32> {
        match (self.batch, self.attributes.codec_number()) {
            (Some(batch), _) => Some(batch.records_count),
            (None, 0) => Some(1),
            (None, _) => None,
        }
    }

    /// The header at the start of `bytes`; `None` where it is cut, of another magic or of a size
    /// that none has.
    pub fn of(bytes: &[u8]) -> Option<Overview> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        let offset = cursor.i64().ok()?;
        let size = usize::try_from(cursor.i32().ok()?).ok()?;
        let magic = bytes.get(MAGIC_AT)?.cast_signed();
        if size < smallest(magic)? {
            return None;
        }
        let leader_epoch_or_crc = cursor.i32().ok()?;
        cursor.i8().ok()?;
        let mut overview = Overview {
            magic,
            attributes: Attributes(0),
            base_offset: Some(offset),
            last_offset: offset,
            base_timestamp: None,
            max_timestamp: None,
            batch: None,
        };
        if magic < 2 {
            overview.attributes = Attributes(cursor.i8().ok()?.cast_unsigned().into());
            if magic == 1 {
                overview.max_timestamp = Some(cursor.i64().ok()?);
                overview.base_timestamp = overview.max_timestamp;
            }
            if overview.attributes.codec_number() != 0 {
                overview.base_offset = None;
                overview.base_timestamp = None;
            }
            return Some(overview);
        }
        cursor.i32().ok()?;
        overview.attributes = Attributes(cursor.i16().ok()?);
        overview.last_offset = offset.wrapping_add(cursor.i32().ok()?.into());
        let base_timestamp = cursor.i64().ok()?;
        let max_timestamp = cursor.i64().ok()?;
        overview.max_timestamp = Some(max_timestamp);
        overview.base_timestamp = match overview.attributes {
            attributes if attributes.timestamp_type() == TimestampType::LogAppendTime => {
                Some(max_timestamp)
            }
            attributes if attributes.has_delete_horizon() => None,
            _ => Some(base_timestamp),
        };
        overview.batch = Some(BatchOverview {
            partition_leader_epoch: leader_epoch_or_crc,
            producer_id: cursor.i64().ok()?,
            producer_epoch: cursor.i16().ok()?,
            base_sequence: cursor.i32().ok()?,
            records_count: cursor.i32().ok()?,
        });
        Some(overview)
    }
}
