//! Kafka's primitive encodings, the other way round from [`Cursor`](crate::wire::Cursor).

/// Bytes that grow at the end.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The bytes written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// One byte, two's complement.
    pub fn i8(&mut self, value: i8) {
        self.raw(&value.to_be_bytes());
    }

    /// Two bytes, big-endian.
    pub fn i16(&mut self, value: i16) {
        self.raw(&value.to_be_bytes());
    }

    /// Four bytes, big-endian.
    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_be_bytes());
    }

    /// Eight bytes, big-endian.
    pub fn i64(&mut self, value: i64) {
        self.raw(&value.to_be_bytes());
    }

    /// An unsigned varint: seven bits a byte, least significant first.
    pub fn uvarint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A zigzag varint of any width, as records use.
    pub fn varint(&mut self, value: i64) {
        self.uvarint((value << 1 ^ value >> 63).cast_unsigned());
    }

    /// A varint length and the bytes; -1 for null.
    pub fn varint_bytes(&mut self, bytes: Option<&[u8]>) {
        self.varint(bytes.map_or(-1, |bytes| bytes.len() as i64));
        self.raw(bytes.unwrap_or_default());
    }

    /// An int32 length and the bytes; -1 for null.
    pub fn int32_bytes(&mut self, bytes: Option<&[u8]>) {
        self.i32(bytes.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap_or(i32::MAX)));
        self.raw(bytes.unwrap_or_default());
    }
}
