//! The memory map: two blocks of unsafe code, each with its reason.

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// A read-only map of a file, or bytes in memory for tests and tiny inputs.
#[derive(Debug)]
pub(super) enum Map {
    File(Mmap),
    Memory(Vec<u8>),
}

impl Map {
    /// Maps the first `len` bytes of a file, which may be more than it has so far.
    pub(super) fn of(file: &File, len: u64) -> io::Result<Map> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        if len == 0 {
            return Ok(Map::Memory(Vec::new()));
        }
        // A map changes under its reader if somebody else rewrites the file, and faults if they
        // shorten it; tcpdump and editors do neither (they append, or replace the file), rotation
        // by truncation does. The length is checked again before each few MiB and each message
        // (`Source::check_length`); what remains is a truncation between the check and the look,
        // which is a signal that ends the process (`cli/fault.rs` says why) and harms nothing else. The program only ever looks
        // at bytes that were written before it looked.
        #[allow(unsafe_code)]
        let map = unsafe { MmapOptions::new().len(len).map(file) }?;
        Ok(Map::File(map))
    }

    /// All that is mapped.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Map::File(map) => map,
            Map::Memory(bytes) => bytes,
        }
    }

    /// Gets a range that will be read next into the page tables in one go, which costs a fraction
    /// of the page faults. Only a hint: failure changes nothing.
    pub(super) fn prefetch(&self, at: usize, len: usize) {
        #[cfg(target_os = "linux")]
        if let Map::File(map) = self {
            let _ = map.advise_range(memmap2::Advice::PopulateRead, at, len);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (at, len);
    }

    /// Takes a range that was read out of the page tables again, so that a walk over a large file
    /// does not make the process look (and count) as large as the file. It stays readable.
    pub(super) fn release(&self, at: usize, len: usize) {
        #[cfg(unix)]
        if let Map::File(map) = self {
            // "Unchecked" because private maps lose what was written to them. This map is shared
            // and read-only, so its pages are the file's own: dropping them
            // from the process loses nothing, the next access finds the same bytes.
            #[allow(unsafe_code)]
            let _ =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, at, len) };
        }
        #[cfg(not(unix))]
        let _ = (at, len);
    }
}
