//! Bytes that no input holds as they are, because they had to be made from it: decrypted data. They
//! are kept in a temporary file without a name, so that a place can name them like any others.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Place;
use super::fill::{Room, make_room};
use super::map::Map;

/// Grows at its end, and is made when the first bytes come.
#[derive(Debug, Default)]
pub(super) struct Spool {
    writing: Mutex<Option<Writing>>,
    map: OnceLock<Map>,
    filled: AtomicU64,
}

#[derive(Debug)]
struct Writing {
    file: File,
    room: Room,
}

/// Address space that is asked for: so much decrypted data would fill most disks.
const SPACE: u64 = 1 << 42;

impl Spool {
    /// Adds bytes, which are there from then on; where.
    pub(super) fn add(&self, bytes: &[u8]) -> io::Result<Place> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Writing { file, room } = match &mut *writing {
            Some(writing) => writing,
            None => {
                let (file, map) = make_room(SPACE)?;
                let room = Room::new("decrypted data is", map.bytes().len() as u64);
                // Nobody else sets it: the lock is held.
                let _ = self.map.set(map);
                writing.insert(Writing { file, room })
            }
        };
        let at = self.filled.load(Ordering::Relaxed);
        let end = at + bytes.len() as u64;
        room.check(file, end)?;
        file.write_all(bytes)?;
        self.filled.store(end, Ordering::Release);
        Ok(Place::derived(at))
    }

    /// The bytes from `offset` on.
    pub(super) fn bytes_from(&self, offset: u64) -> &[u8] {
        let filled = self.filled.load(Ordering::Acquire) as usize;
        let bytes = self.map.get().map_or(&[][..], Map::bytes);
        let there = bytes.get(..filled).unwrap_or(bytes);
        usize::try_from(offset)
            .ok()
            .and_then(|offset| there.get(offset..))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_again_while_others_come() {
        let spool = Spool::default();
        assert!(spool.bytes_from(0).is_empty());
        let first = spool.add(b"question").unwrap();
        let bytes = spool.bytes_from(first.offset());
        let second = spool.add(&[7; 100_000]).unwrap();
        assert_eq!(bytes, b"question");
        assert!(first.is_derived() && second == first.plus(8));
        assert_eq!(spool.bytes_from(8), [7; 100_000]);
        assert!(spool.bytes_from(1 << 40).is_empty());
    }
}
