//! Protobuf on the wire: fields one after another, each with its number and how it is written.

use crate::wire::Cursor;

/// A field as the wire has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub number: u64,
    pub value: Wire<'a>,
}

/// The ways of writing a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wire<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32,
    /// Text, bytes or a message; the cursor stands at its first byte.
    Bytes(Cursor<'a>),
}

/// The next field; `None` where there is none, and the cursor is somewhere.
pub(super) fn field<'a>(cursor: &mut Cursor<'a>) -> Option<Field<'a>> {
    let tag = cursor.uvarlong().ok()?;
    let number = tag >> 3;
    // Field numbers have 29 bits, and there is no 0.
    if number == 0 || number >> 29 != 0 {
        return None;
    }
    let value = match tag & 7 {
        0 => Wire::Varint(cursor.uvarlong().ok()?),
        1 => Wire::Fixed64(cursor.array().ok()?),
        2 => {
            let length = cursor.uvarlong().ok()?;
            Wire::Bytes(cursor.window(usize::try_from(length).ok()?).ok()?)
        }
        5 => {
            cursor.take(4).ok()?;
            Wire::Fixed32
        }
        _ => return None,
    };
    Some(Field { number, value })
}

/// Whether all of the window could be a message.
pub(super) fn is_message(mut cursor: Cursor<'_>) -> bool {
    while cursor.left() > 0 {
        if field(&mut cursor).is_none() {
            return false;
        }
    }
    true
}
