//! A file that is no capture, mapped: log segments are as large as captures are.

use std::{fs::File, path::Path};

use super::{Error, map::Map};

/// The bytes of a file.
#[derive(Debug)]
pub struct Plain {
    map: Map,
}

/// Pages behind a walk are given back in pieces of this size, which is a few milliseconds of
/// reading and nothing to hold.
const PIECE: usize = 16 << 20;

impl Plain {
    /// Maps a regular file.
    ///
    /// # Errors
    /// A file that cannot be opened or mapped, and what is none.
    pub fn open(path: &Path) -> Result<Plain, Error> {
        let name = path.display().to_string();
        let failed = |source| Error::Open {
            name: name.clone(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(Error::Directory { name });
        }
        let map = Map::of(&file, metadata.len()).map_err(failed)?;
        Ok(Plain { map })
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        self.map.bytes()
    }

    /// A walk that was at `before` is at `at` now, and has no need of what lies behind it.
    pub fn passed(&self, before: usize, at: usize) {
        let piece = |at: usize| at / PIECE;
        if piece(before) < piece(at) {
            let from = piece(before) * PIECE;
            self.map.release(from, piece(at) * PIECE - from);
        }
    }
}
