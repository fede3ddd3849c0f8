//! A long list of small entries, which is what an index of millions of rows is kept in.
//!
//! Entries lie in blocks of memory that never move, so that growing copies nothing. Large pages are
//! asked for: memory that comes by the 2 MiB and not by the 4 KiB is there in a fifth of the time,
//! and is given back in no time at the end.
//!
//! Invariant: an entry has one index as long as the list lives.

use std::fmt;
use std::marker::PhantomData;

use bytemuck::Pod;
use memmap2::MmapMut;

/// Entries of a block: some megabytes, so that most of it can lie in large pages.
const ENTRIES: usize = 1 << 18;

/// So much of a block stays in small pages: few entries shall not take a large one.
#[cfg(target_os = "linux")]
const SMALL: usize = 2 << 20;

/// A list that only grows.
pub(super) struct Table<T> {
    blocks: Vec<Block>,
    len: usize,
    entries: PhantomData<T>,
}

/// Room for entries, filled with zeros.
enum Block {
    Map(MmapMut),
    /// Where no memory can be mapped.
    Heap(Vec<u64>),
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            blocks: Vec::new(),
            len: 0,
            entries: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries", self.len)
    }
}

impl<T: Pod> Table<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Entries lie behind each other as they would in a slice, in memory that is aligned to words.
    const FITS: () = assert!(align_of::<T>() <= 8 && size_of::<T>() > 0);

    /// Adds an entry behind the others.
    pub(super) fn push(&mut self, entry: T) {
        let () = Self::FITS;
        if self.len / ENTRIES == self.blocks.len() {
            self.blocks.push(Block::new(ENTRIES * size_of::<T>()));
        }
        self.len += 1;
        if let Some(last) = self.get_mut(self.len - 1) {
            *last = entry;
        }
    }

    pub(super) fn get(&self, idx: usize) -> Option<&T> {
        if idx >= self.len {
            return None;
        }
        let block = self.blocks.get(idx / ENTRIES)?.bytes();
        let at = idx % ENTRIES * size_of::<T>();
        bytemuck::try_from_bytes(block.get(at..at + size_of::<T>())?).ok()
    }

    pub(super) fn get_mut(&mut self, idx: usize) -> Option<&mut T> {
        if idx >= self.len {
            return None;
        }
        let block = self.blocks.get_mut(idx / ENTRIES)?.bytes_mut();
        let at = idx % ENTRIES * size_of::<T>();
        bytemuck::try_from_bytes_mut(block.get_mut(at..at + size_of::<T>())?).ok()
    }
}

impl Block {
    fn new(n_bytes: usize) -> Block {
        let Ok(map) = MmapMut::map_anon(n_bytes) else {
            return Block::Heap(vec![0; n_bytes.div_ceil(size_of::<u64>())]);
        };
        // Only a wish: without large pages all is the same, and takes longer.
        #[cfg(target_os = "linux")]
        if let Some(large) = n_bytes.checked_sub(SMALL) {
            let _ = map.advise_range(memmap2::Advice::HugePage, SMALL, large);
        }
        Block::Map(map)
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Block::Map(map) => map,
            Block::Heap(words) => bytemuck::cast_slice(words),
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Block::Map(map) => map,
            Block::Heap(words) => bytemuck::cast_slice_mut(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_where_they_were_put() {
        let mut table = Table::<[u32; 6]>::default();
        assert!(table.is_empty() && table.get(0).is_none());
        let entry = |idx: usize| [idx as u32; 6];
        let n_entries = 2 * ENTRIES + 3;
        for idx in 0..n_entries {
            table.push(entry(idx));
        }
        *table.get_mut(ENTRIES).unwrap() = [7; 6];
        assert_eq!(table.len(), n_entries);
        for idx in [0, 1, ENTRIES - 1, ENTRIES + 1, n_entries - 1] {
            assert_eq!(table.get(idx), Some(&entry(idx)));
        }
        assert_eq!(table.get(ENTRIES), Some(&[7; 6]));
        assert!(table.get(n_entries).is_none() && table.get_mut(n_entries).is_none());
    }

    #[test]
    fn memory_that_is_not_mapped_holds_the_same() {
        let mut table = Table::<[u32; 6]>::default();
        for _ in 0..2 {
            let n_words = ENTRIES * size_of::<[u32; 6]>() / size_of::<u64>();
            table.blocks.push(Block::Heap(vec![0; n_words]));
        }
        let entry = |idx: usize| [idx as u32; 6];
        let n_entries = ENTRIES + 3;
        for idx in 0..n_entries {
            table.push(entry(idx));
        }
        assert_eq!(table.blocks.len(), 2);
        for idx in [0, ENTRIES - 1, ENTRIES, n_entries - 1] {
            assert_eq!(table.get(idx), Some(&entry(idx)));
        }
        *table.get_mut(ENTRIES).unwrap() = [7; 6];
        assert_eq!(table.get(ENTRIES - 1), Some(&entry(ENTRIES - 1)));
        assert_eq!(table.get(ENTRIES), Some(&[7; 6]));
        assert!(table.get(n_entries).is_none());
    }
}
