//! One input: opened, decompressed if need be, and mapped.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ahead::Front;
use super::fill::{End, Failure, Fill, Pace, Turns};
use super::follow::Followed;
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
    /// A file that was found where captures are: it is left out if it is none.
    Found(PathBuf),
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
            Input::File(path) | Input::Found(path) => path.display().to_string(),
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

/// Names of hosts, and the last block that brought any.
#[derive(Debug, Default)]
struct Hosts {
    names: HashMap<IpAddr, String>,
    last: u64,
}

/// Names that are kept: a capture of ten thousand hosts is none to be read by eye.
const MAX_HOSTS: usize = 10_000;

/// Bytes that are looked at to tell what an input is.
const LEAD: u64 = 12;

/// The longest decompressed input whose size is waited for: a tenth of a second of work.
const MAX_SETTLED: u64 = 64 << 20;

/// One opened input.
#[derive(Debug)]
pub(super) struct Source {
    name: String,
    map: Map,
    front: Front,
    fill: Arc<Fill>,
    format: Format,
    compression: Option<Compression>,
    is_live: bool,
    /// The file behind the map, if somebody else may change it.
    file: Option<File>,
    /// The file that is copied as it grows.
    followed: Option<Arc<Followed>>,
    /// When its first packet was captured, if that was looked for.
    first_time: Option<i64>,
    sections: Mutex<Vec<Arc<Section>>>,
    secrets: Mutex<Vec<Secret>>,
    hosts: Mutex<Hosts>,
}

impl Source {
    /// Opens the input of this rank among those that take `turns`.
    pub(super) fn open(input: &Input, rank: usize, turns: &Arc<Turns>) -> Result<Source, Error> {
        let name = input.name();
        let path = match input {
            Input::File(path) | Input::Found(path) => path,
            Input::Stdin => {
                return Source::spool(name, io::stdin(), turns, Pace::AtOnce).map(Source::live);
            }
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
            return Source::spool(name, file, turns, Pace::AtOnce).map(Source::live);
        }
        let map = Map::of(&file, metadata.len()).map_err(|source| Error::Read {
            name: name.clone(),
            at: 0,
            source,
        })?;
        if Compression::detect(map.bytes()).is_some() {
            return Source::spool(name, file, turns, Pace::InTurn(rank));
        }
        let mut source = Source::whole(name, map)?;
        source.file = Some(file);
        Ok(source)
    }

    /// Opens a file that is still being written.
    pub(super) fn follow(followed: &Arc<Followed>, turns: &Arc<Turns>) -> Result<Source, Error> {
        let name = followed.name();
        let reader = followed.reader().map_err(|source| Error::Open {
            name: name.clone(),
            source,
        })?;
        let mut source = Source::spool(name.clone(), reader, turns, Pace::AtOnce)?;
        source.followed = Some(Arc::clone(followed));
        match source.compression {
            Some(kind) => Err(Error::FollowCompressed {
                name,
                kind: kind.name(),
            }),
            None => Ok(source.live()),
        }
    }

    pub(super) fn from_bytes(
        name: String,
        bytes: Vec<u8>,
        turns: &Arc<Turns>,
    ) -> Result<Source, Error> {
        if Compression::detect(&bytes).is_some() {
            return Source::spool(name, io::Cursor::new(bytes), turns, Pace::AtOnce);
        }
        Source::whole(name, Map::Memory(bytes))
    }

    fn live(mut self) -> Source {
        self.is_live = true;
        self
    }

    fn whole(name: String, map: Map) -> Result<Source, Error> {
        let fill = Fill::whole(map.bytes().len() as u64);
        Source::detect(name, map, Arc::new(fill), None)
    }

    fn detect(
        name: String,
        map: Map,
        fill: Arc<Fill>,
        compression: Option<Compression>,
    ) -> Result<Source, Error> {
        let filled = fill.filled() as usize;
        let lead = map.bytes().get(..filled).unwrap_or(map.bytes());
        let Some(format) = Format::detect(lead) else {
            fill.abandon();
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
                _ => match Format::refused(lead) {
                    Some(why) => Error::Refused { name, why },
                    None => Error::NotCapture {
                        name,
                        found: Lead::new(lead),
                    },
                },
            });
        };
        Ok(Source {
            name,
            map,
            front: Front::default(),
            fill,
            format,
            compression,
            is_live: false,
            file: None,
            followed: None,
            first_time: None,
            sections: Mutex::default(),
            secrets: Mutex::default(),
            hosts: Mutex::default(),
        })
    }

    /// Reads an input once, through a temporary file.
    fn spool(
        name: String,
        mut from: impl Read + Send + 'static,
        turns: &Arc<Turns>,
        pace: Pace,
    ) -> Result<Source, Error> {
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
        let (map, fill) =
            Fill::start(from, compression, turns, pace).map_err(|source| Error::Spool {
                name: name.clone(),
                source,
            })?;
        fill.wait_for(LEAD);
        Source::detect(name, map, fill, compression)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it comes through a pipe, or is followed.
    pub(super) fn is_live(&self) -> bool {
        self.is_live
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// When its first packet was captured; `None` for inputs that are read when others have ended.
    pub(super) fn first_time(&self) -> Option<i64> {
        self.first_time
    }

    pub(super) fn set_first_time(&mut self, time: Option<i64>) {
        self.first_time = time;
    }

    /// Number of bytes that are there, and whether that is all.
    pub(super) fn filled(&self) -> (u64, bool) {
        // In this order: bytes that come between the two are seen the next time.
        let done = self.fill.is_complete();
        (self.fill.filled(), done)
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
        self.fill.wait(longest);
    }

    /// The bytes from `offset` on, as far as they are there.
    pub(super) fn bytes_from(&self, offset: u64) -> &[u8] {
        let filled = self.fill.filled() as usize;
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
        if metadata.len() < self.fill.filled() {
            let error = io::Error::other("the file became shorter while it was open");
            self.fill.shrink(metadata.len(), error);
        }
    }

    pub(super) fn map(&self) -> &Map {
        &self.map
    }

    pub(super) fn front(&self) -> &Front {
        &self.front
    }

    /// The sections of a pcapng input that were walked so far, by their offsets.
    pub(super) fn sections(&self) -> MutexGuard<'_, Vec<Arc<Section>>> {
        self.sections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The section that a block lies in, if it was walked.
    pub(super) fn section(&self, at: u64) -> Option<Arc<Section>> {
        let sections = self.sections();
        let after = sections.partition_point(|section| section.at <= at);
        sections.get(after.checked_sub(1)?).map(Arc::clone)
    }

    /// Takes in the name of a host from the block at `at`.
    pub(super) fn add_host(&self, at: u64, address: &[u8], name: String) {
        let mut hosts = self.hosts();
        // Blocks that were walked before have nothing new; those of one block come together.
        if at < hosts.last || hosts.names.len() >= MAX_HOSTS {
            return;
        }
        hosts.last = at;
        let address = match (<[u8; 4]>::try_from(address), <[u8; 16]>::try_from(address)) {
            (Ok(v4), _) => IpAddr::from(v4),
            (_, Ok(v6)) => IpAddr::from(v6),
            _ => return,
        };
        hosts.names.entry(address).or_insert(name);
    }

    /// The name of a host.
    pub(super) fn host(&self, address: IpAddr) -> Option<String> {
        // Asked for every line of a list: other formats have none.
        if self.format != Format::Pcapng {
            return None;
        }
        self.hosts().names.get(&address).cloned()
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_secret(&self, secret: Secret) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if secrets.last().is_none_or(|last| last.place < secret.place) {
            secrets.push(secret);
        }
    }

    /// Forgets the secrets that were found, to be found again by the next who comes by.
    pub(super) fn forget_secrets(&self) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.clear();
    }

    pub(super) fn secrets(&self) -> Vec<Secret> {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.clone()
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.fill.abandon();
        if let Some(followed) = &self.followed {
            followed.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_becomes_shorter_is_read_to_its_new_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let head = [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
        file.write_all(&head).unwrap();
        file.write_all(&[0; 100_000]).unwrap();
        let input = Input::File(file.path().to_owned());
        let source = Source::open(&input, 0, &Turns::new(1)).unwrap();
        source.check_length();
        assert_eq!(source.filled().0, 100_008);
        file.as_file().set_len(5000).unwrap();
        source.check_length();
        assert_eq!(source.bytes_from(4990).len(), 10);
        assert!(matches!(source.failure(), Some(Trouble::Read { .. })));
    }
}
