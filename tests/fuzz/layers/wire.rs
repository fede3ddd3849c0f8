//! The cursor: a first byte says how many reads there are, their kinds follow, then the bytes that
//! are read.

use kafscope::wire::{BufferId, Cursor, Fault};

pub(super) fn run(data: &[u8]) {
    let Some((&n_reads, data)) = data.split_first() else {
        return;
    };
    let (reads, bytes) = data.split_at(data.len().min(n_reads.into()));
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    for &read in reads {
        let (at, left) = (cursor.at(), cursor.left());
        let len = usize::from(read >> 4);
        let done = match read % 14 {
            0 => cursor.u8().map(drop),
            1 => cursor.i8().map(drop),
            2 => cursor.i16().map(drop),
            3 => cursor.u16().map(drop),
            4 => cursor.i32().map(drop),
            5 => cursor.u32().map(drop),
            6 => cursor.i64().map(drop),
            7 => cursor.f64().map(drop),
            8 => cursor.uvarint().map(|value| {
                assert_eq!(value, plain(&bytes[at..], 5).unwrap() as u32);
            }),
            9 => cursor.uvarlong().map(|value| {
                assert_eq!(value, plain(&bytes[at..], 10).unwrap() as u64);
            }),
            10 => cursor.varint().map(drop),
            11 => cursor.varlong().map(drop),
            12 => cursor.take(len).map(|taken| assert_eq!(taken.len(), len)),
            _ => cursor.window(len).map(|mut window| {
                assert_eq!((window.at(), window.left()), (at, len));
                assert!(window.take(len + 1).is_err());
            }),
        };
        assert_eq!(cursor.at() + cursor.left(), bytes.len());
        assert_eq!(cursor.since(at).len, cursor.at() - at);
        match done {
            Ok(()) => assert!(cursor.left() <= left),
            Err(fault) => {
                assert_eq!((cursor.at(), cursor.left()), (at, left), "a fault moved");
                match fault {
                    Fault::Short { needed, found } => {
                        assert!(needed > found as u64 && found == left);
                    }
                    Fault::LongVarint { limit } => assert_eq!(plain(&bytes[at..], limit), None),
                }
            }
        }
    }
}

/// A varint as it is defined, without care for speed.
fn plain(bytes: &[u8], limit: usize) -> Option<u128> {
    let len = 1 + bytes.iter().take(limit).position(|byte| byte & 0x80 == 0)?;
    Some(
        bytes[..len]
            .iter()
            .rev()
            .fold(0, |value, byte| value << 7 | u128::from(byte & 0x7f)),
    )
}
