//! One input: opened, decompressed if need be, and mapped.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::format::Lead;
use super::map::Map;
use super::note::Trouble;
use super::pcapng::Section;
use super::{Compression, Error, Format, Place};

/// Where packets are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file; pipes and devices are read like standard input.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl Input {
    /// The input that an argument names: `-` is standard input.
    pub fn named(name: impl Into<PathBuf>) -> Input {
        let path = name.into();
        if path.as_os_str() == "-" {
            Input::Stdin
        } else {
            Input::File(path)
        }
    }

    fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "standard input".to_owned(),
        }
    }
}

/// Secrets that a pcapng file carries for decryption, where they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// `0x544c534b` for a TLS key log.
    pub kind: u32,
    /// The first byte.
    pub place: Place,
    /// Number of bytes.
    pub len: u32,
}

/// Bytes that are looked at to tell what an input is.
const LEAD: u64 = 12;

/// The longest decompressed input whose size is waited for: a tenth of a second of work.
const MAX_SETTLED: u64 = 64 << 20;

/// A map must be made before the length of a pipe is known; this much address space costs nothing.
const SPOOL_SPACE: u64 = 1 << 42;

/// What an opened input shares with the thread that still fills it.
#[derive(Debug, Default)]
struct Fill {
    filled: AtomicU64,
    /// Set once `end` is: asked for every packet, so without a lock.
    complete: AtomicBool,
    abandoned: AtomicBool,
    end: Mutex<Option<End>>,
    grown: Condvar,
}

/// How filling ended.
#[derive(Debug)]
enum End {
    Whole,
    Failed(Failure),
}

#[derive(Debug)]
enum Failure {
    Decompress(io::Error),
    Read(io::Error),
    Spool(io::Error),
}

impl Fill {
    fn end(&self) -> MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One opened input.
#[derive(Debug)]
pub(super) struct Source {
    name: String,
    map: Map,
    fill: Arc<Fill>,
    format: Format,
    compression: Option<Compression>,
    is_live: bool,
    /// The file behind the map, if somebody else may change it.
    file: Option<File>,
    sections: Mutex<Vec<Arc<Section>>>,
    secrets: Mutex<Vec<Secret>>,
}

impl Source {
    pub(super) fn open(input: &Input) -> Result<Source, Error> {
        let name = input.name();
        let Input::File(path) = input else {
            return Source::spool(name, io::stdin()).map(Source::live);
        };
        let failed = |source| Error::Open {
            name: name.clone(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(Error::Directory { name });
        }
        if !metadata.is_file() {
            return Source::spool(name, file).map(Source::live);
        }
        let map = Map::of(&file, metadata.len()).map_err(|source| Error::Read {
            name: name.clone(),
            at: 0,
            source,
        })?;
        if Compression::detect(map.bytes()).is_some() {
            return Source::spool(name, file);
        }
        let mut source = Source::whole(name, map)?;
        source.file = Some(file);
        Ok(source)
    }

    pub(super) fn from_bytes(name: String, bytes: Vec<u8>) -> Result<Source, Error> {
        if Compression::detect(&bytes).is_some() {
            return Source::spool(name, io::Cursor::new(bytes));
        }
        Source::whole(name, Map::Memory(bytes))
    }

    fn live(mut self) -> Source {
        self.is_live = true;
        self
    }

    fn whole(name: String, map: Map) -> Result<Source, Error> {
        let fill = Fill {
            filled: AtomicU64::new(map.bytes().len() as u64),
            complete: AtomicBool::new(true),
            end: Mutex::new(Some(End::Whole)),
            ..Fill::default()
        };
        Source::detect(name, map, Arc::new(fill), None)
    }

    fn detect(
        name: String,
        map: Map,
        fill: Arc<Fill>,
        compression: Option<Compression>,
    ) -> Result<Source, Error> {
        let filled = fill.filled.load(Ordering::Acquire) as usize;
        let lead = map.bytes().get(..filled).unwrap_or(map.bytes());
        let Some(format) = Format::detect(lead) else {
            fill.abandoned.store(true, Ordering::Relaxed);
            return Err(match (lead.is_empty(), fill.end().take(), compression) {
                (true, Some(End::Failed(Failure::Decompress(source))), Some(kind)) => {
                    Error::Decompress {
                        name,
                        kind: kind.name(),
                        source,
                    }
                }
                (true, Some(End::Failed(Failure::Spool(source))), _) => {
                    Error::Spool { name, source }
                }
                (true, Some(End::Failed(Failure::Read(source))), _) => Error::Read {
                    name,
                    at: 0,
                    source,
                },
                (true, ..) => Error::Empty { name },
                _ => Error::NotCapture {
                    name,
                    found: Lead::new(lead),
                },
            });
        };
        Ok(Source {
            name,
            map,
            fill,
            format,
            compression,
            is_live: false,
            file: None,
            sections: Mutex::default(),
            secrets: Mutex::default(),
        })
    }

    /// Reads an input once, through a temporary file that has no name and goes with the process;
    /// it lies in TMPDIR, and `Room` says how large it may become.
    fn spool(name: String, mut from: impl Read + Send + 'static) -> Result<Source, Error> {
        let mut lead = Vec::new();
        from.by_ref()
            .take(LEAD)
            .read_to_end(&mut lead)
            .map_err(|source| Error::Read {
                name: name.clone(),
                at: 0,
                source,
            })?;
        let compression = Compression::detect(&lead);
        let from = io::Cursor::new(lead).chain(from);
        let spool_failed = |source| Error::Spool {
            name: name.clone(),
            source,
        };
        let spool = tempfile::tempfile().map_err(spool_failed)?;
        let map = std::iter::successors(Some(SPOOL_SPACE), |len| Some(len / 4))
            .take_while(|&len| len >= 1 << 30)
            .find_map(|len| Map::of(&spool, len).ok());
        let Some(map) = map else {
            return Err(spool_failed(io::ErrorKind::OutOfMemory.into()));
        };
        let fill = Arc::new(Fill::default());
        let room = Room {
            address_space: map.bytes().len() as u64,
            checked: 0,
        };
        let filler = Arc::clone(&fill);
        thread::spawn(move || {
            let end = match compression {
                None => copy(from, spool, room, &filler, Failure::Read),
                Some(Compression::Gzip) => copy(
                    flate2::read::MultiGzDecoder::new(from),
                    spool,
                    room,
                    &filler,
                    Failure::Decompress,
                ),
                Some(Compression::Zstd) => match zstd::Decoder::new(from) {
                    Ok(decoder) => copy(decoder, spool, room, &filler, Failure::Decompress),
                    Err(error) => End::Failed(Failure::Decompress(error)),
                },
            };
            *filler.end() = Some(end);
            filler.complete.store(true, Ordering::Release);
            filler.grown.notify_all();
        });
        let mut end = fill.end();
        while end.is_none() && fill.filled.load(Ordering::Acquire) < LEAD {
            end = fill.grown.wait(end).unwrap_or_else(PoisonError::into_inner);
        }
        drop(end);
        Source::detect(name, map, fill, compression)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it came through a pipe.
    pub(super) fn is_live(&self) -> bool {
        self.is_live
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Number of bytes that are there, and whether that is all.
    pub(super) fn filled(&self) -> (u64, bool) {
        // In this order: bytes that come between the two are seen the next time.
        let done = self.fill.complete.load(Ordering::Acquire);
        (self.fill.filled.load(Ordering::Acquire), done)
    }

    /// The size, if it is within what is waited for; `None` while that is not known.
    pub(super) fn settled(&self) -> Option<Option<u64>> {
        let (filled, complete) = self.filled();
        match self.compression {
            Some(_) if filled > MAX_SETTLED => Some(None),
            _ if complete => Some(Some(filled)),
            _ => None,
        }
    }

    /// Why the input ended before its end.
    pub(super) fn failure(&self) -> Option<Trouble> {
        match &*self.fill.end() {
            Some(End::Failed(Failure::Decompress(error))) => Some(Trouble::Decompression {
                message: error.to_string(),
            }),
            Some(End::Failed(Failure::Read(error) | Failure::Spool(error))) => {
                Some(Trouble::Read {
                    message: error.to_string(),
                })
            }
            _ => None,
        }
    }

    /// Waits until there is more, or the time is over.
    pub(super) fn wait(&self, longest: Duration) {
        let before = self.fill.filled.load(Ordering::Acquire);
        let end = self.fill.end();
        let _ = self.fill.grown.wait_timeout_while(end, longest, |end| {
            end.is_none() && self.fill.filled.load(Ordering::Acquire) == before
        });
    }

    /// The bytes from `offset` on, as far as they are there.
    pub(super) fn bytes_from(&self, offset: u64) -> &[u8] {
        let filled = self.fill.filled.load(Ordering::Acquire) as usize;
        let bytes = self.map.bytes();
        let there = bytes.get(..filled).unwrap_or(bytes);
        usize::try_from(offset)
            .ok()
            .and_then(|offset| there.get(offset..))
            .unwrap_or_default()
    }

    /// Notices that somebody has shortened the file, whose pages behind its new end must not be
    /// touched any more. To be called now and then before bytes are looked at; what is cut off
    /// between this and the look still ends the program.
    pub(super) fn check_length(&self) {
        let Some(Ok(metadata)) = self.file.as_ref().map(File::metadata) else {
            return;
        };
        if metadata.len() < self.fill.filled.load(Ordering::Acquire) {
            *self.fill.end() = Some(End::Failed(Failure::Read(io::Error::other(
                "the file became shorter while it was open",
            ))));
            self.fill.filled.store(metadata.len(), Ordering::Release);
        }
    }

    pub(super) fn map(&self) -> &Map {
        &self.map
    }

    /// The sections of a pcapng input that were walked so far, by their offsets.
    pub(super) fn sections(&self) -> MutexGuard<'_, Vec<Arc<Section>>> {
        self.sections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_secret(&self, secret: Secret) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if secrets.last().is_none_or(|last| last.place < secret.place) {
            secrets.push(secret);
        }
    }

    pub(super) fn secrets(&self) -> Vec<Secret> {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.clone()
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.fill.abandoned.store(true, Ordering::Relaxed);
    }
}

/// How far a spool may grow: as long as its file system keeps some room for others. A pipe may go
/// on for days, and a few kilobytes may decompress to more than any disk holds.
struct Room {
    address_space: u64,
    /// Length of the spool when room was last looked for.
    checked: u64,
}

/// Free space is asked for after this many bytes again.
const ROOM_STEP: u64 = 16 << 20;

/// What is left to others: the sixteenth part of the file system, and at most this.
const MAX_RESERVE: u64 = 1 << 30;

impl Room {
    fn check(&mut self, spool: &File, filled: u64) -> io::Result<()> {
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
                    "compressed and piped input is kept in {}, where only {} MiB of {} MiB are free after {} MiB of it; set TMPDIR to a place with more room",
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

/// Copies all of `from` to the spool, and says after each step how far it is.
fn copy(
    mut from: impl Read,
    mut spool: File,
    mut room: Room,
    fill: &Fill,
    failure: fn(io::Error) -> Failure,
) -> End {
    let mut chunk = vec![0; 1 << 18];
    loop {
        let n = match from.read(&mut chunk) {
            Ok(0) => return End::Whole,
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return End::Failed(failure(error)),
        };
        let filled = fill.filled.load(Ordering::Relaxed) + n as u64;
        if let Err(error) = room.check(&spool, filled) {
            return End::Failed(Failure::Spool(error));
        }
        if let Err(error) = spool.write_all(chunk.get(..n).unwrap_or_default()) {
            return End::Failed(Failure::Spool(error));
        }
        // Under the lock, or a waiter could miss it between looking and sleeping.
        let end = fill.end();
        fill.filled.store(filled, Ordering::Release);
        drop(end);
        fill.grown.notify_all();
        if fill.abandoned.load(Ordering::Relaxed) {
            return End::Whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spool_leaves_room_for_others() {
        assert!(is_short(1600 << 20, 99 << 20) && !is_short(1600 << 20, 101 << 20));
        assert!(is_short(1 << 44, (1 << 30) - 1) && !is_short(1 << 44, 1 << 30));
    }

    #[test]
    fn a_file_that_becomes_shorter_is_read_to_its_new_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let head = [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
        file.write_all(&head).unwrap();
        file.write_all(&[0; 100_000]).unwrap();
        let source = Source::open(&Input::File(file.path().to_owned())).unwrap();
        source.check_length();
        assert_eq!(source.filled().0, 100_008);
        file.as_file().set_len(5000).unwrap();
        source.check_length();
        assert_eq!(source.bytes_from(4990).len(), 10);
        assert!(matches!(source.failure(), Some(Trouble::Read { .. })));
    }
}
