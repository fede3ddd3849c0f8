//! A file that is no capture, mapped: log segments are as large as captures are. One that is compressed
//! is mapped as what it was before.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use super::{
    Compression, Error,
    fill::{End, Failure, Fill, Pace, Turns},
    map::Map,
};

/// The bytes of a file.
#[derive(Debug)]
pub struct Plain {
    map: Map,
    /// How many of what is mapped there are.
    len: usize,
}

/// Pages behind a walk are given back in pieces of this size, which is a few milliseconds of
/// reading and nothing to hold.
const PIECE: usize = 16 << 20;

impl Plain {
    /// The first `len` bytes of a file, decompressed if need be.
    ///
    /// # Errors
    /// A file that cannot be opened, read or decompressed.
    pub fn lead(path: &Path, len: u64) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let mut raw = Vec::new();
        file.by_ref().take(len).read_to_end(&mut raw)?;
        let compression = Compression::detect(&raw);
        let all = io::Cursor::new(raw).chain(file);
        let mut lead = Vec::new();
        match compression {
            None => all.take(len).read_to_end(&mut lead),
            Some(Compression::Gzip) => flate2::read::MultiGzDecoder::new(all)
                .take(len)
                .read_to_end(&mut lead),
            Some(Compression::Zstd) => zstd::Decoder::new(all)?.take(len).read_to_end(&mut lead),
        }?;
        Ok(lead)
    }

    /// Maps a regular file, or what it has when decompressed.
    ///
    /// # Errors
    /// A file that cannot be opened, decompressed or mapped, and what is none.
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
        match Compression::detect(map.bytes()) {
            Some(compression) => Plain::decompress(name, file, compression),
            None => Ok(Plain {
                len: map.bytes().len(),
                map,
            }),
        }
    }

    /// Waits until all of a file is decompressed.
    fn decompress(name: String, file: File, compression: Compression) -> Result<Plain, Error> {
        let filling = Fill::start(file, Some(compression), &Turns::new(1), Pace::AtOnce);
        let (map, fill) = match filling {
            Ok(filling) => filling,
            Err(source) => return Err(Error::Spool { name, source }),
        };
        fill.wait_for(u64::MAX);
        let at = fill.filled();
        match fill.end().take() {
            Some(End::Failed(Failure::Decompress(source))) => Err(Error::Decompress {
                name,
                kind: compression.name(),
                source,
            }),
            Some(End::Failed(Failure::Spool(source))) => Err(Error::Spool { name, source }),
            Some(End::Failed(Failure::Read(source))) => Err(Error::Read { name, at, source }),
            Some(End::Whole) | None => Ok(Plain {
                len: usize::try_from(at).unwrap_or(usize::MAX),
                map,
            }),
        }
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.map.bytes();
        bytes.get(..self.len).unwrap_or(bytes)
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
