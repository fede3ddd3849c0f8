//! Bytes that lie in several pieces, as those of a message in several packets do.
//!
//! What is read in order need not be put together first: with megabytes of records that would take
//! longer than to look at them.

/// Bytes in order, in pieces.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<'p> {
    /// None of them is over before `at`.
    pieces: &'p [&'p [u8]],
    /// Offset of the next byte in the first piece.
    at: usize,
    len: usize,
}

impl<'p> Pieces<'p> {
    /// All bytes of `pieces`.
    pub fn new(pieces: &'p [&'p [u8]]) -> Pieces<'p> {
        let mut all = Pieces {
            pieces,
            at: 0,
            len: pieces.iter().map(|piece| piece.len()).sum(),
        };
        all.pass(0);
        all
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes the first `len` bytes off; `None` if there are fewer.
    pub fn take(&mut self, len: usize) -> Option<Pieces<'p>> {
        let first = Pieces { len, ..*self };
        self.len = self.len.checked_sub(len)?;
        self.pass(len);
        Some(first)
    }

    /// Takes the first `N` bytes off.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut array = [0; N];
        self.take(N)?.copy_to(&mut array);
        Some(array)
    }

    /// An unsigned varint of at most 32 bits, as [`Cursor::uvarint`](super::Cursor::uvarint) reads
    /// it.
    pub fn uvarint(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let [byte] = self.array()?;
            // Of the fifth, bits above the top four are dropped.
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// All bytes, if they lie in one piece.
    pub fn together(&self) -> Option<&'p [u8]> {
        if self.len == 0 {
            return Some(&[]);
        }
        self.pieces.first()?.get(self.at..)?.get(..self.len)
    }

    /// The bytes, a slice a piece.
    pub fn slices(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        let (mut at, mut left) = (self.at, self.len);
        self.pieces.iter().map_while(move |piece| {
            let rest = piece.get(at..)?;
            at = 0;
            let slice = rest.get(..left).unwrap_or(rest);
            left -= slice.len();
            (left > 0 || !slice.is_empty()).then_some(slice)
        })
    }

    /// Copies the bytes to the front of `to`, as many as it has room for.
    pub fn copy_to(&self, mut to: &mut [u8]) {
        for slice in self.slices() {
            let n = slice.len().min(to.len());
            let (front, rest) = to.split_at_mut(n);
            front.copy_from_slice(slice.get(..n).unwrap_or_default());
            to = rest;
        }
    }

    /// Moves on by `len` bytes, to a piece that has more.
    fn pass(&mut self, len: usize) {
        self.at += len;
        while let Some((first, rest)) = self.pieces.split_first()
            && self.at >= first.len()
        {
            self.at -= first.len();
            self.pieces = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{BufferId, Cursor};

    #[test]
    fn varints_are_those_of_a_cursor() {
        for bytes in [
            &[0x00][..],
            &[0x7f],
            &[0x80, 0x01],
            &[0xff, 0xff, 0xff, 0xff, 0x0f],
            &[0xff, 0xff, 0xff, 0xff, 0x7f],
            &[0x80, 0x80, 0x80, 0x80, 0x80],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
            &[0x80],
            &[],
        ] {
            let (front, rest) = bytes.split_at(bytes.len() / 2);
            let value = Pieces::new(&[front, rest]).uvarint();
            let cursor = Cursor::new(bytes, BufferId::FRAME).uvarint();
            assert_eq!(value, cursor.ok(), "{bytes:02x?}");
        }
    }

    #[test]
    fn bytes_are_the_same_however_they_are_cut() {
        let whole: Vec<u8> = (0..9).collect();
        for cuts in 0..1 << 8 {
            let mut pieces: Vec<&[u8]> = vec![&[]];
            let mut from = 0;
            for at in (1..9).filter(|at| cuts >> (at - 1) & 1 == 1) {
                pieces.extend([&whole[from..at], &[]]);
                from = at;
            }
            pieces.push(&whole[from..]);
            for first in 0..=9 {
                let mut rest = Pieces::new(&pieces);
                let taken = rest.take(first).unwrap();
                assert_eq!((taken.len(), rest.len()), (first, 9 - first));
                assert_eq!(rest.is_empty(), first == 9);
                assert_eq!(taken.slices().collect::<Vec<_>>().concat(), whole[..first]);
                assert_eq!(rest.slices().collect::<Vec<_>>().concat(), whole[first..]);
                let together = taken.together();
                assert!(together.is_none_or(|bytes| bytes == &whole[..first]));
                assert!(together.is_some() || cuts > 0);
                let mut copy = vec![0xff; first + 1];
                taken.copy_to(&mut copy);
                assert_eq!(copy, [&whole[..first], &[0xff]].concat());
                assert_eq!(rest.take(10 - first).map(|more| more.len()), None);
                let four = rest.array::<4>();
                assert_eq!(
                    four.as_ref().map(|four| &four[..]),
                    whole.get(first..first + 4)
                );
            }
        }
    }
}
