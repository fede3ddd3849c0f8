//! Filling a temporary file from an input that can be read only once, or only compressed.
//!
//! What is filled is mapped before its length is known; how far it is, is told to those who read
//! the map. The file has no name and goes with the process; it lies in TMPDIR, and leaves room for
//! others there.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::Compression;
use super::map::Map;

/// A map must be made before the length of a pipe is known; this much address space costs nothing.
const SPACE: u64 = 1 << 42;

/// What all spools of a capture may take of the address space, of which processes have twice that.
const SPACE_IN_ALL: u64 = 1 << 46;

/// Files that are decompressed at a time: more would only take memory for their windows.
const MAX_FILLING: usize = 4;

/// What an opened input shares with the thread that still fills it.
#[derive(Debug, Default)]
pub(super) struct Fill {
    filled: AtomicU64,
    /// Set once `end` is: asked for every packet, so without a lock.
    complete: AtomicBool,
    abandoned: AtomicBool,
    end: Mutex<Option<End>>,
    grown: Condvar,
}

/// How filling ended.
#[derive(Debug)]
pub(super) enum End {
    Whole,
    Failed(Failure),
}

#[derive(Debug)]
pub(super) enum Failure {
    Decompress(io::Error),
    Read(io::Error),
    Spool(io::Error),
}

/// Whose turn it is to be filled, among the inputs of a capture.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnState>,
    freed: Condvar,
    /// Address space for each.
    space: u64,
}

#[derive(Debug)]
struct TurnState {
    n_free: usize,
    waiting: BTreeSet<usize>,
}

/// How an input is filled beside others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// At once, as something that may take forever.
    AtOnce,
    /// When it is its turn, but the first bytes at once; lower ranks come first.
    InTurn(usize),
}

impl Turns {
    /// For `n` inputs.
    pub(super) fn new(n: usize) -> Arc<Turns> {
        Arc::new(Turns {
            state: Mutex::new(TurnState {
                n_free: MAX_FILLING,
                waiting: BTreeSet::new(),
            }),
            freed: Condvar::new(),
            space: (SPACE_IN_ALL / n.max(1) as u64).min(SPACE) & !0xffff,
        })
    }

    fn take(&self, rank: usize) {
        let mut state = self.state();
        state.waiting.insert(rank);
        let mut state = self
            .freed
            .wait_while(state, |state| {
                state.n_free == 0 || state.waiting.first() != Some(&rank)
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.waiting.remove(&rank);
        state.n_free -= 1;
        drop(state);
        // Whoever is the first now may have a turn left.
        self.freed.notify_all();
    }

    fn give(&self) {
        self.state().n_free += 1;
        self.freed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fill {
    /// Of an input that is there from the start.
    pub(super) fn whole(len: u64) -> Fill {
        Fill {
            filled: AtomicU64::new(len),
            complete: AtomicBool::new(true),
            end: Mutex::new(Some(End::Whole)),
            ..Fill::default()
        }
    }

    /// Starts a thread that fills a temporary file with what `from` has when decompressed, and maps
    /// that file.
    pub(super) fn start(
        from: impl Read + Send + 'static,
        compression: Option<Compression>,
        turns: &Arc<Turns>,
        pace: Pace,
    ) -> io::Result<(Map, Arc<Fill>)> {
        let (spool, map) = make_room(turns.space)?;
        let fill = Arc::new(Fill::default());
        let mut filling = Filling {
            spool,
            fill: Arc::clone(&fill),
            room: Room::new("compressed and piped input is", map.bytes().len() as u64),
            turns: Arc::clone(turns),
            pace,
        };
        thread::spawn(move || {
            let end = match compression {
                None => filling.copy(from, Failure::Read),
                Some(Compression::Gzip) => {
                    filling.copy(flate2::read::MultiGzDecoder::new(from), Failure::Decompress)
                }
                Some(Compression::Zstd) => match zstd::Decoder::new(from) {
                    Ok(decoder) => filling.copy(decoder, Failure::Decompress),
                    Err(error) => End::Failed(Failure::Decompress(error)),
                },
            };
            let fill = &filling.fill;
            *fill.end() = Some(end);
            fill.complete.store(true, Ordering::Release);
            fill.grown.notify_all();
        });
        Ok((map, fill))
    }

    /// Waits until `len` bytes are there, or all.
    pub(super) fn wait_for(&self, len: u64) {
        let mut end = self.end();
        while end.is_none() && self.filled() < len {
            end = self.grown.wait(end).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until there is more, or the time is over.
    pub(super) fn wait(&self, longest: Duration) {
        let before = self.filled();
        let end = self.end();
        let _ = self
            .grown
            .wait_timeout_while(end, longest, |end| end.is_none() && self.filled() == before);
    }

    pub(super) fn filled(&self) -> u64 {
        self.filled.load(Ordering::Acquire)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// How it ended; `None` while it goes on.
    pub(super) fn end(&self) -> MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is there has become less.
    pub(super) fn shrink(&self, len: u64, error: io::Error) {
        *self.end() = Some(End::Failed(Failure::Read(error)));
        self.filled.store(len, Ordering::Release);
    }

    /// Nobody needs the rest.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}

/// A temporary file without a name, mapped with `space` bytes, or as many as there are.
pub(super) fn make_room(space: u64) -> io::Result<(File, Map)> {
    let spool = tempfile::tempfile()?;
    let map = std::iter::successors(Some(space), |len| Some(len / 4))
        .take_while(|&len| len >= 1 << 30)
        .find_map(|len| Map::of(&spool, len).ok())
        .ok_or(io::ErrorKind::OutOfMemory)?;
    Ok((spool, map))
}

/// A temporary file that is being filled.
struct Filling {
    spool: File,
    fill: Arc<Fill>,
    room: Room,
    turns: Arc<Turns>,
    pace: Pace,
}

impl Filling {
    /// Copies all of `from`, and says after each step how far it is.
    fn copy(&mut self, mut from: impl Read, failure: fn(io::Error) -> Failure) -> End {
        let mut chunk = vec![0; 1 << 18];
        let mut has_turn = false;
        let end = loop {
            let n = match from.read(&mut chunk) {
                Ok(0) => break End::Whole,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break End::Failed(failure(error)),
            };
            let filled = self.fill.filled() + n as u64;
            if let Err(error) = self.room.check(&self.spool, filled) {
                break End::Failed(Failure::Spool(error));
            }
            if let Err(error) = self.spool.write_all(chunk.get(..n).unwrap_or_default()) {
                break End::Failed(Failure::Spool(error));
            }
            // Under the lock, or a waiter could miss it between looking and sleeping.
            let end = self.fill.end();
            self.fill.filled.store(filled, Ordering::Release);
            drop(end);
            self.fill.grown.notify_all();
            if self.fill.abandoned.load(Ordering::Relaxed) {
                break End::Whole;
            }
            if let Pace::InTurn(rank) = self.pace
                && !has_turn
                && filled >= chunk.len() as u64
            {
                self.turns.take(rank);
                has_turn = true;
            }
        };
        if has_turn {
            self.turns.give();
        }
        end
    }
}

/// How far a spool may grow: as long as its file system keeps some room for others. A pipe may go
/// on for days, and a few kilobytes may decompress to more than any disk holds.
#[derive(Debug)]
pub(super) struct Room {
    /// What is kept in it, with its verb.
    what: &'static str,
    address_space: u64,
    /// Length of the spool when room was last looked for.
    checked: u64,
}

/// Free space is asked for after this many bytes again.
const ROOM_STEP: u64 = 16 << 20;

/// What is left to others: the sixteenth part of the file system, and at most this.
const MAX_RESERVE: u64 = 1 << 30;

impl Room {
    pub(super) fn new(what: &'static str, address_space: u64) -> Room {
        Room {
            what,
            address_space,
            checked: 0,
        }
    }

    pub(super) fn check(&mut self, spool: &File, filled: u64) -> io::Result<()> {
        if filled > self.address_space {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if filled < self.checked + ROOM_STEP {
            return Ok(());
        }
        self.checked = filled;
        match space(spool) {
            Some((total, free)) if is_short(total, free) => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                format!(
                    "{} kept in {}, where only {} MiB of {} MiB are free after {} MiB of it; set TMPDIR to a place with more room",
                    self.what,
                    std::env::temp_dir().display(),
                    free >> 20,
                    total >> 20,
                    filled >> 20,
                ),
            )),
            _ => Ok(()),
        }
    }
}

fn is_short(total: u64, free: u64) -> bool {
    free < (total / 16).min(MAX_RESERVE)
}

/// Size and free bytes of the file system that holds `file`.
#[cfg(unix)]
fn space(file: &File) -> Option<(u64, u64)> {
    let stat = rustix::fs::fstatvfs(file).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(stat.f_frsize);
    Some((bytes(stat.f_blocks), bytes(stat.f_bavail)))
}

#[cfg(not(unix))]
fn space(_: &File) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spool_leaves_room_for_others() {
        assert!(is_short(1600 << 20, 99 << 20) && !is_short(1600 << 20, 101 << 20));
        assert!(is_short(1 << 44, (1 << 30) - 1) && !is_short(1 << 44, 1 << 30));
    }
}
