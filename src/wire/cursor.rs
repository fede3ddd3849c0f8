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
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    end: usize,
    buffer: BufferId,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte of `bytes`, which is all of `buffer`.
    pub fn new(bytes: &'a [u8], buffer: BufferId) -> Cursor<'a> {
        Cursor {
            rest: bytes,
            end: bytes.len(),
            buffer,
        }
    }

    /// Offset of the next byte in the buffer.
    pub fn at(&self) -> usize {
        self.end - self.rest.len()
    }

    /// Offset behind the last byte of the window.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The buffer that the offsets count in.
    pub fn buffer(&self) -> BufferId {
        self.buffer
    }

    /// Number of bytes left in the window.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The bytes left in the window, without moving.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The span from `from` to the position.
    pub fn since(&self, from: usize) -> Span {
        Span::new(self.buffer, from, self.at())
    }

    /// Moves to the end of the window.
    pub fn finish(&mut self) {
        self.rest = &[];
    }

    /// A cursor over the next `len` bytes; this one moves behind them.
    pub fn window(&mut self, len: usize) -> Result<Cursor<'a>, Fault> {
        let rest = self.take(len)?;
        Ok(Cursor {
            rest,
            end: self.at(),
            buffer: self.buffer,
        })
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        match self.rest.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(Fault::Short {
                needed: len as u64,
                found: self.left(),
            }),
        }
    }

    /// The next `N` bytes as an array.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.rest.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => Err(Fault::Short {
                needed: N as u64,
                found: self.left(),
            }),
        }
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8, Fault> {
        self.array().map(u8::from_be_bytes)
    }

    /// One byte, two's complement.
    pub fn i8(&mut self) -> Result<i8, Fault> {
        self.array().map(i8::from_be_bytes)
    }

    /// Two bytes, big-endian.
    pub fn i16(&mut self) -> Result<i16, Fault> {
        self.array().map(i16::from_be_bytes)
    }

    /// Two bytes, big-endian, unsigned.
    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes, big-endian.
    pub fn i32(&mut self) -> Result<i32, Fault> {
        self.array().map(i32::from_be_bytes)
    }

    /// Four bytes, big-endian, unsigned.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes, big-endian.
    pub fn i64(&mut self) -> Result<i64, Fault> {
        self.array().map(i64::from_be_bytes)
    }

    /// Eight bytes, IEEE 754 double, big-endian.
    pub fn f64(&mut self) -> Result<f64, Fault> {
        self.array().map(f64::from_be_bytes)
    }

    /// An unsigned varint of at most 32 bits: seven bits a byte, least significant first.
    pub fn uvarint(&mut self) -> Result<u32, Fault> {
        // A fifth byte carries the top four bits; like Kafka's ByteUtils, bits above them are
        // dropped, only a continuation bit is refused.
        self.unsigned(5).map(|value| value as u32)
    }

    /// An unsigned varint of at most 64 bits.
    pub fn uvarlong(&mut self) -> Result<u64, Fault> {
        self.unsigned(10)
    }

    /// A zigzag varint of at most 32 bits, as records use for lengths and offset deltas.
    pub fn varint(&mut self) -> Result<i32, Fault> {
        self.uvarint()
            .map(|value| (value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// A zigzag varint of at most 64 bits, as records use for timestamp deltas.
    pub fn varlong(&mut self) -> Result<i64, Fault> {
        self.uvarlong()
            .map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn unsigned(&mut self, limit: usize) -> Result<u64, Fault> {
        let mut value = 0u64;
        for (idx, &byte) in self.rest.iter().take(limit).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * idx);
            if byte & 0x80 == 0 {
                self.rest = self.rest.get(idx + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        if self.left() >= limit {
            return Err(Fault::LongVarint { limit });
        }
        Err(Fault::Short {
            needed: self.left() as u64 + 1,
            found: self.left(),
        })
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
