//! Leaf values as they were read.

use uuid::Uuid;

/// How the length of a string or of bytes was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// No length: the value takes what is there.
    None,
    /// An int16.
    Int16,
    /// An int32.
    Int32,
    /// An unsigned varint of the length plus one; zero is null.
    Compact,
    /// A zigzag varint, as inside records.
    Varint,
}

/// A leaf's value. Borrowed content is the bytes behind the length prefix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Bool(bool),
    Int8(i8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    Uint16(u16),
    Uint32(u32),
    /// An unsigned varint.
    Uvarint(u32),
    /// A zigzag varint of 32 bits.
    Varint(i32),
    /// A zigzag varint of 64 bits.
    Varlong(i64),
    Float64(f64),
    Uuid(Uuid),
    /// Text; usually but not surely UTF-8.
    String(&'a [u8], Prefix),
    /// Opaque bytes.
    Bytes(&'a [u8], Prefix),
    /// A null string, bytes or records.
    Null(Prefix),
}
