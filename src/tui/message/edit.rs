//! Bytes of a message that somebody changes, with the way back.
//!
//! Nothing here decodes, and the capture is never written to: the bytes are a copy.

use std::sync::Arc;

/// A copy of a message's bytes, and what was done to it.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Edit {
    original: Arc<Vec<u8>>,
    bytes: Vec<u8>,
    done: Vec<Change>,
    undone: Vec<Change>,
}

/// A run of bytes that took the place of another.
#[derive(Clone, Debug)]
struct Change {
    at: usize,
    removed: Vec<u8>,
    inserted: Vec<u8>,
}

impl Edit {
    pub(super) fn new(original: Arc<Vec<u8>>) -> Edit {
        Edit {
            bytes: original.to_vec(),
            original,
            done: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The bytes as they are now.
    pub(in crate::tui) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether these are the bytes that it started from.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        self.original.as_slice() == bytes
    }

    /// Whether they are other bytes than at the start.
    pub(in crate::tui) fn is_changed(&self) -> bool {
        self.bytes != *self.original
    }

    /// Puts `inserted` in the place of `len` bytes at `at`, as far as those exist.
    pub(super) fn replace(&mut self, at: usize, len: usize, inserted: &[u8]) {
        let at = at.min(self.bytes.len());
        let end = at.saturating_add(len).min(self.bytes.len());
        let removed: Vec<u8> = self
            .bytes
            .splice(at..end, inserted.iter().copied())
            .collect();
        self.undone.clear();
        self.done.push(Change {
            at,
            removed,
            inserted: inserted.to_vec(),
        });
    }

    /// Takes the last change back; where it was.
    pub(super) fn undo(&mut self) -> Option<usize> {
        let change = self.done.pop()?;
        let end = change.at + change.inserted.len();
        self.bytes
            .splice(change.at..end, change.removed.iter().copied());
        let at = change.at;
        self.undone.push(change);
        Some(at)
    }

    /// Makes the change again that was taken back last; where it is.
    pub(super) fn redo(&mut self) -> Option<usize> {
        let change = self.undone.pop()?;
        let end = change.at + change.removed.len();
        self.bytes
            .splice(change.at..end, change.inserted.iter().copied());
        let at = change.at;
        self.done.push(change);
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_has_a_way_back() {
        let mut edit = Edit::new(Arc::new(b"kafka".to_vec()));
        edit.replace(0, 1, b"K");
        edit.replace(5, 0, b"!");
        edit.replace(1, 3, b"");
        edit.replace(9, 9, b"?");
        assert_eq!(edit.bytes(), b"Ka!?");
        let states = [b"Ka!".as_slice(), b"Kafka!", b"Kafka", b"kafka"];
        for state in states {
            assert!(edit.undo().is_some());
            assert_eq!(edit.bytes(), state);
        }
        assert!(!edit.is_changed());
        assert_eq!(edit.undo(), None);
        while edit.redo().is_some() {}
        assert_eq!(edit.bytes(), b"Ka!?");
        edit.undo();
        edit.replace(0, 0, b"_");
        assert_eq!(edit.redo(), None);
    }
}
