//! A place in the inputs, small enough to be kept for every message.

use bytemuck::{Pod, Zeroable};

/// A byte of an input: which file, and its offset there. For compressed inputs the offset counts
/// decompressed bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Place(u64);

/// Sixteen bits for the file leave 256 TiB for each.
const OFFSET_BITS: u32 = 48;

/// No input has this index: see `Error::TooManyInputs`.
const NUMBERED: usize = 0xffff;

/// Nor this one.
const DERIVED: usize = 0xfffe;

/// Inputs that a capture may have.
pub(super) const MAX_INPUTS: usize = DERIVED;

impl Place {
    /// Byte `offset` of input `file`; both count from 0.
    pub fn new(file: usize, offset: u64) -> Place {
        Place((file as u64) << OFFSET_BITS | offset & ((1 << OFFSET_BITS) - 1))
    }

    /// Stands for packet `number` of merged inputs, whose records are in no order.
    pub fn numbered(number: u64) -> Place {
        Place::new(NUMBERED, number)
    }

    /// The number of a packet, if that is what it stands for.
    pub fn number(self) -> Option<u64> {
        (self.file() == NUMBERED).then_some(self.offset())
    }

    /// Byte `offset` of what was made from the inputs: decrypted data.
    pub fn derived(offset: u64) -> Place {
        Place::new(DERIVED, offset)
    }

    /// Whether it lies in none of the inputs.
    pub fn is_derived(self) -> bool {
        self.file() == DERIVED
    }

    /// The input, counting from 0.
    pub fn file(self) -> usize {
        (self.0 >> OFFSET_BITS) as usize
    }

    /// The offset in the input.
    pub fn offset(self) -> u64 {
        self.0 & ((1 << OFFSET_BITS) - 1)
    }

    /// All of it as one number: places of one input lie as far apart as their numbers.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The place whose number is `bits`.
    pub fn from_bits(bits: u64) -> Place {
        Place(bits)
    }

    /// The place `n` bytes before it in the same input.
    #[must_use]
    pub fn minus(self, n: u64) -> Place {
        Place(self.0.wrapping_sub(n))
    }

    /// The place `n` bytes further on in the same input.
    #[must_use]
    pub fn plus(self, n: u64) -> Place {
        Place(self.0.wrapping_add(n))
    }
}

/// A run of payload bytes in one packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its first byte.
    pub place: Place,
    /// From where a walk finds the packet again, see `Packet::record`.
    pub record: Place,
    /// Number of bytes.
    pub len: u32,
    /// Number of the packet.
    pub packet: u64,
    /// Time of the packet, nanoseconds since 1970-01-01 UTC.
    pub time: i64,
}

impl Piece {
    /// The piece without its first `n` bytes.
    #[must_use]
    pub fn skip(self, n: u32) -> Piece {
        let n = n.min(self.len);
        Piece {
            place: self.place.plus(u64::from(n)),
            len: self.len - n,
            ..self
        }
    }

    /// The first `n` bytes of the piece.
    #[must_use]
    pub fn take(self, n: u32) -> Piece {
        Piece {
            len: self.len.min(n),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_file_and_offset_apart() {
        let place = Place::new(65535, (1 << 48) - 1);
        assert_eq!((place.file(), place.offset()), (65535, (1 << 48) - 1));
        assert!(Place::new(0, u64::MAX >> 16) < Place::new(1, 0));
    }
}
