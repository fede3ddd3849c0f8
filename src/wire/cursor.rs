//! The one reader of wire bytes.
//!
//! A [`Cursor`] walks a window of a buffer and remembers the buffer's own offsets, so that a
//! window cut out of the middle of a message still reports places in the message. Each method
//! either advances past exactly what it read or leaves the position and says why in a [`Fault`].

use super::{BufferId, Span};

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The value needs `needed` bytes, `found` are left.
    Short { needed: u64, found: usize },
    /// A varint goes on past the bytes that its type can have.
    LongVarint { limit: usize },
}

/// A position in a window of one buffer.
// Only `at` changes while a window is read. Positions are kept and gone back to as numbers, for a
// copy of the whole would have to wait until the last change has reached memory.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    /// The buffer up to the end of the window.
    bytes: &'a [u8],
    /// Never behind the end.
    at: usize,
    buffer: BufferId,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte of `bytes`, which is all of `buffer`.
    pub fn new(bytes: &'a [u8], buffer: BufferId) -> Cursor<'a> {
        Cursor {
            bytes,
            at: 0,
            buffer,
        }
    }

    /// Offset of the next byte in the buffer.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Offset behind the last byte of the window.
    #[inline]
    pub fn end(&self) -> usize {
        self.bytes.len()
    }

    /// The buffer that the offsets count in.
    #[inline]
    pub fn buffer(&self) -> BufferId {
        self.buffer
    }

    /// Number of bytes left in the window.
    #[inline]
    pub fn left(&self) -> usize {
        self.end() - self.at
    }

    /// The bytes left in the window, without moving.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The span from `from` to the position.
    #[inline]
    pub fn since(&self, from: usize) -> Span {
        Span::new(self.buffer, from, self.at)
    }

    /// Moves to the end of the window.
    pub fn finish(&mut self) {
        self.at = self.end();
    }

    /// Moves back to `at`, where the cursor has been.
    #[inline]
    pub fn back(&mut self, at: usize) {
        self.at = self.at.min(at);
    }

    /// A cursor over the next `len` bytes; this one moves behind them.
    #[inline]
    pub fn window(&mut self, len: usize) -> Result<Cursor<'a>, Fault> {
        let at = self.at;
        self.take(len)?;
        Ok(Cursor {
            bytes: self.bytes.get(..self.at).unwrap_or_default(),
            at,
            buffer: self.buffer,
        })
    }

    /// The next `len` bytes.
    #[inline]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let rest = self.bytes.get(self.at..);
        match rest.and_then(|rest| rest.get(..len)) {
            Some(bytes) => {
                self.at += len;
                Ok(bytes)
            }
            None => Err(self.short(len)),
        }
    }

    /// The next `N` bytes as an array.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let rest = self.bytes.get(self.at..);
        match rest.and_then(|rest| rest.first_chunk()) {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(self.short(N)),
        }
    }

    #[cold]
    fn short(&self, needed: usize) -> Fault {
        Fault::Short {
            needed: needed as u64,
            found: self.left(),
        }
    }

    /// One byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Fault> {
        self.array().map(u8::from_be_bytes)
    }

    /// One byte, two's complement.
    #[inline]
    pub fn i8(&mut self) -> Result<i8, Fault> {
        self.array().map(i8::from_be_bytes)
    }

    /// Two bytes, big-endian.
    #[inline]
    pub fn i16(&mut self) -> Result<i16, Fault> {
        self.array().map(i16::from_be_bytes)
    }

    /// Two bytes, big-endian, unsigned.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes, big-endian.
    #[inline]
    pub fn i32(&mut self) -> Result<i32, Fault> {
        self.array().map(i32::from_be_bytes)
    }

    /// Four bytes, big-endian, unsigned.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes, big-endian.
    #[inline]
    pub fn i64(&mut self) -> Result<i64, Fault> {
        self.array().map(i64::from_be_bytes)
    }

    /// Eight bytes, IEEE 754 double, big-endian.
    #[inline]
    pub fn f64(&mut self) -> Result<f64, Fault> {
        self.array().map(f64::from_be_bytes)
    }

    /// An unsigned varint of at most 32 bits: seven bits a byte, least significant first.
    #[inline]
    pub fn uvarint(&mut self) -> Result<u32, Fault> {
        // A fifth byte carries the top four bits; like Kafka's ByteUtils, bits above them are
        // dropped, only a continuation bit is refused.
        self.unsigned(5).map(|value| value as u32)
    }

    /// An unsigned varint of at most 64 bits.
    #[inline]
    pub fn uvarlong(&mut self) -> Result<u64, Fault> {
        self.unsigned(10)
    }

    /// A zigzag varint of at most 32 bits, as records use for lengths and offset deltas.
    #[inline]
    pub fn varint(&mut self) -> Result<i32, Fault> {
        self.uvarint()
            .map(|value| (value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// A zigzag varint of at most 64 bits, as records use for timestamp deltas.
    #[inline]
    pub fn varlong(&mut self) -> Result<i64, Fault> {
        self.uvarlong()
            .map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    #[inline]
    fn unsigned(&mut self, limit: usize) -> Result<u64, Fault> {
        // Most have one byte.
        match self.bytes.get(self.at) {
            Some(&byte @ ..0x80) => {
                self.at += 1;
                Ok(byte.into())
            }
            _ => self.long(limit),
        }
    }

    /// An unsigned varint of some bytes.
    fn long(&mut self, limit: usize) -> Result<u64, Fault> {
        let mut value = 0u64;
        for (idx, &byte) in self.rest().iter().take(limit).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * idx);
            if byte & 0x80 == 0 {
                self.at += idx + 1;
                return Ok(value);
            }
        }
        if self.left() >= limit {
            return Err(Fault::LongVarint { limit });
        }
        Err(self.short(self.left() + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, BufferId::FRAME)
    }

    #[test]
    fn varints_read_as_kafka_writes_them() {
        for (bytes, value) in [
            (&[0x00][..], 0),
            (&[0x7f], 127),
            (&[0x80, 0x01], 128),
            (&[0xff, 0xff, 0xff, 0xff, 0x0f], u32::MAX),
        ] {
            assert_eq!(cursor(bytes).uvarint(), Ok(value), "{bytes:02x?}");
        }
        assert_eq!(cursor(&[0x01]).varint(), Ok(-1));
        assert_eq!(cursor(&[0x02]).varint(), Ok(1));
        assert_eq!(
            cursor(&[0xa2, 0xd9, 0x9e, 0xea, 0x82, 0x68]).varlong(),
            Ok(1_787_086_231_121)
        );
    }

    #[test]
    fn a_fault_does_not_move_the_cursor() {
        let mut c = cursor(&[0xff; 6]);
        assert_eq!(c.uvarint(), Err(Fault::LongVarint { limit: 5 }));
        assert_eq!(
            c.i64(),
            Err(Fault::Short {
                needed: 8,
                found: 6
            })
        );
        assert_eq!(c.at(), 0);
        let mut c = cursor(&[0x80]);
        assert_eq!(
            c.uvarint(),
            Err(Fault::Short {
                needed: 2,
                found: 1
            })
        );
    }

    #[test]
    fn a_window_keeps_the_offsets_of_its_buffer() {
        let mut c = cursor(&[1, 2, 3, 4, 5]);
        c.u8().unwrap();
        let mut window = c.window(2).unwrap();
        assert_eq!((window.at(), window.end(), c.at()), (1, 3, 3));
        window.u8().unwrap();
        assert_eq!(
            window.i16(),
            Err(Fault::Short {
                needed: 2,
                found: 1
            })
        );
    }
}
