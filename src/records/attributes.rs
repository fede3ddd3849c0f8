//! The bit field of batches and messages.

use super::Codec;

/// Attributes of a record batch, or of a message of magic 0 or 1, which has the lower half only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attributes(pub i16);

/// Who set the timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimestampType {
    /// The producer; each record has its own.
    CreateTime,
    /// The broker; all records have the largest timestamp of the batch (KIP-32).
    LogAppendTime,
}

impl Attributes {
    /// The number of the codec, 0 for none.
    pub fn codec_number(self) -> i16 {
        self.0 & 7
    }

    /// The codec; `None` for no compression and for the numbers that no codec has.
    pub fn codec(self) -> Option<Codec> {
        match self.codec_number() {
            1 => Some(Codec::Gzip),
            2 => Some(Codec::Snappy),
            3 => Some(Codec::Lz4),
            4 => Some(Codec::Zstd),
            _ => None,
        }
    }

    /// Who set the timestamps (bit 3).
    pub fn timestamp_type(self) -> TimestampType {
        match self.has(3) {
            true => TimestampType::LogAppendTime,
            false => TimestampType::CreateTime,
        }
    }

    /// Whether the batch belongs to a transaction (bit 4, KIP-98).
    pub fn is_transactional(self) -> bool {
        self.has(4)
    }

    /// Whether the records are markers of the broker and not data (bit 5, KIP-98).
    pub fn is_control(self) -> bool {
        self.has(5)
    }

    /// Whether the base timestamp is the time from which tombstones may be deleted (bit 6,
    /// KIP-534).
    pub fn has_delete_horizon(self) -> bool {
        self.has(6)
    }

    /// The bits without a meaning.
    pub fn unknown(self) -> i16 {
        self.0 & !0x7f
    }

    fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_told_apart() {
        let all = Attributes(0x7c);
        assert_eq!(all.codec(), Some(Codec::Zstd));
        assert_eq!(all.timestamp_type(), TimestampType::LogAppendTime);
        assert!(all.is_transactional() && all.is_control() && all.has_delete_horizon());
        assert_eq!(all.unknown(), 0);
        let odd = Attributes(0x85);
        assert_eq!(
            (odd.codec(), odd.codec_number(), odd.unknown()),
            (None, 5, 0x80)
        );
        assert_eq!(Attributes(0).timestamp_type(), TimestampType::CreateTime);
    }
}
