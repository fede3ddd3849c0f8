//! The inputs that arguments name: files as they are, directories and patterns by what is in them.
//!
//! In a directory, and among what matches a pattern, captures are told by their first bytes. A
//! directory is not searched below its own files. Finding can be repeated, to see which files are
//! new since: those that were not there, and those that were written anew under an old name.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::follow::is_same;
use super::{Compression, Error, Format, Input, may_be_capture};

/// Where inputs are looked for.
#[derive(Debug)]
pub struct Finder {
    names: Vec<Name>,
    known: HashMap<PathBuf, Known>,
}

#[derive(Debug)]
enum Name {
    Input(Input),
    Directory(PathBuf),
    Pattern(String),
}

/// A file as it was when it was found.
#[derive(Debug)]
struct Known {
    metadata: Metadata,
    lead: Vec<u8>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Captures, and what may be one.
    pub inputs: Vec<Input>,
    /// Why other files are left out.
    pub left_out: Vec<Error>,
}

impl From<&[Input]> for Found {
    fn from(inputs: &[Input]) -> Found {
        Found {
            inputs: inputs.to_vec(),
            left_out: Vec::new(),
        }
    }
}

/// Bytes that tell a file from another of the same name: up to the time of the first packet.
const LEAD: u64 = 40;

/// What the name of a file with bookmarks has behind that of its capture.
pub const BOOKMARKS: &str = "bookmarks";

impl Finder {
    /// For arguments: a directory, a pattern where no file has such a name, and otherwise what
    /// [`Input::named`] says.
    pub fn new(arguments: &[PathBuf]) -> Finder {
        let name = |path: &PathBuf| match path.to_str() {
            Some("-") => Name::Input(Input::Stdin),
            _ if path.is_dir() => Name::Directory(path.clone()),
            Some(text) if text.contains(['*', '?', '[']) && !path.exists() => {
                Name::Pattern(text.to_owned())
            }
            _ => Name::Input(Input::File(path.clone())),
        };
        Finder {
            names: arguments.iter().map(name).collect(),
            known: HashMap::new(),
        }
    }

    /// All inputs, in the order of the arguments and then of their names.
    ///
    /// # Errors
    /// A directory that cannot be read, a pattern that is none, and either without a capture.
    pub fn find(&self) -> Result<Found, Error> {
        let mut found = Found::default();
        for name in &self.names {
            let (paths, what) = match name {
                Name::Input(input) => {
                    found.inputs.push(input.clone());
                    continue;
                }
                name => name.files()?,
            };
            let n_before = found.inputs.len();
            let mut n_others = 0;
            for path in paths {
                match is_candidate(&path) {
                    Ok(true) => found.inputs.push(Input::Found(path)),
                    Ok(false) if keeps_bookmarks(&path) => {}
                    Ok(false) => n_others += 1,
                    Err(source) => found.left_out.push(Error::Open {
                        name: path.display().to_string(),
                        source,
                    }),
                }
            }
            if found.inputs.len() == n_before {
                return Err(Error::NothingFound {
                    name: what,
                    n_others,
                });
            }
            if n_others > 0 {
                found.left_out.push(Error::Others {
                    name: what,
                    n_others,
                });
            }
        }
        Ok(found)
    }

    /// Captures that are new since this was last asked, those that were written last at the end.
    /// What cannot be read now may be the next time.
    pub(super) fn fresh(&mut self) -> Vec<PathBuf> {
        let mut fresh: Vec<(SystemTime, PathBuf)> = Vec::new();
        for name in &self.names {
            let paths = match name {
                Name::Input(Input::Stdin) => continue,
                Name::Input(Input::File(path) | Input::Found(path)) => vec![path.clone()],
                name => name.files().map(|(paths, _)| paths).unwrap_or_default(),
            };
            for path in paths {
                let Ok((lead, metadata)) = lead(&path) else {
                    continue;
                };
                if Format::detect(&lead).is_none() {
                    continue;
                }
                let is_known = self.known.get(&path).is_some_and(|known| {
                    is_same(&known.metadata, &metadata)
                        && metadata.len() >= known.metadata.len()
                        && lead.starts_with(&known.lead)
                });
                if !is_known {
                    let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    fresh.push((time, path.clone()));
                }
                self.known.insert(path, Known { metadata, lead });
            }
        }
        fresh.sort();
        fresh.into_iter().map(|(_, path)| path).collect()
    }
}

impl Name {
    /// The regular files of a directory or pattern, and what it is.
    fn files(&self) -> Result<(Vec<PathBuf>, String), Error> {
        let (mut paths, what): (Vec<PathBuf>, String) = match self {
            Name::Input(_) => return Ok(Default::default()),
            Name::Directory(folder) => {
                let name = folder.display().to_string();
                let failed = |source| Error::Open {
                    name: name.clone(),
                    source,
                };
                let entries = fs::read_dir(folder).map_err(failed)?;
                let paths = entries.map(|entry| Ok(entry?.path()));
                let paths = paths.collect::<io::Result<_>>().map_err(failed)?;
                (paths, format!("directory {name}"))
            }
            Name::Pattern(pattern) => {
                let paths = glob::glob(pattern).map_err(|error| Error::Pattern {
                    pattern: pattern.clone(),
                    at: error.pos,
                    why: error.msg,
                })?;
                (paths.filter_map(Result::ok).collect(), pattern.clone())
            }
        };
        paths.retain(|path| path.is_file());
        paths.sort();
        Ok((paths, what))
    }
}

/// Whether a file may be a capture, or is an empty one.
fn is_candidate(path: &Path) -> io::Result<bool> {
    let (lead, _) = lead(path)?;
    Ok(may_be_capture(&lead) || Format::refused(&lead).is_some())
}

fn lead(path: &Path) -> io::Result<(Vec<u8>, Metadata)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let mut lead = Vec::new();
    file.take(LEAD).read_to_end(&mut lead)?;
    Ok((lead, metadata))
}

/// Whether a file is the one beside another in which the browser keeps its bookmarks.
fn keeps_bookmarks(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == BOOKMARKS)
        && path.with_extension("").is_file()
}

/// Whether a file that is to be followed is compressed.
pub(super) fn compression(path: &Path) -> Option<Compression> {
    Compression::detect(&lead(path).ok()?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [u8; 24] = [
        0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 1, 0, 0, 0,
    ];

    #[test]
    fn captures_are_found_by_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("b.txt"), HEAD).unwrap();
        fs::write(at("a.pcap"), "no capture").unwrap();
        fs::write(at("c.pcap"), HEAD).unwrap();
        fs::create_dir(at("d.pcap")).unwrap();
        fs::write(at("c.pcap.bookmarks"), "{\"n\":1,\"note\":\"\"}\n").unwrap();
        let found = Finder::new(&[folder.path().to_owned()]).find().unwrap();
        let files = [Input::Found(at("b.txt")), Input::Found(at("c.pcap"))];
        assert_eq!(found.inputs, files);
        let said: Vec<String> = found.left_out.iter().map(Error::to_string).collect();
        assert_eq!(
            said,
            [format!(
                "directory {}: 1 file that is no capture is left out",
                folder.path().display()
            )]
        );
        let pattern = at("?.pcap");
        let found = Finder::new(std::slice::from_ref(&pattern)).find().unwrap();
        assert_eq!(found.inputs, files[1..]);
        // A file of just this name comes first.
        fs::write(&pattern, HEAD).unwrap();
        let found = Finder::new(std::slice::from_ref(&pattern)).find().unwrap();
        assert_eq!(found.inputs, [Input::File(pattern)]);
        let empty = tempfile::tempdir().unwrap();
        let error = Finder::new(&[empty.path().join("*.pcap")])
            .find()
            .unwrap_err();
        assert!(
            error.to_string().ends_with("no file is a capture"),
            "{error}"
        );
        let wrong = Finder::new(&[empty.path().join("a[")]).find().unwrap_err();
        assert!(wrong.to_string().contains("is no pattern"), "{wrong}");
    }

    #[test]
    fn what_is_written_anew_is_found_anew() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut finder = Finder::new(&[folder.path().to_owned()]);
        assert!(finder.fresh().is_empty());
        fs::write(at("0"), HEAD).unwrap();
        assert_eq!(finder.fresh(), [at("0")]);
        let grown = [&HEAD[..], &[1; 30]].concat();
        fs::write(at("0"), &grown).unwrap();
        assert!(finder.fresh().is_empty());
        fs::write(at("1"), HEAD).unwrap();
        assert_eq!(finder.fresh(), [at("1")]);
        // Shorter, and as long but with another first packet.
        fs::write(at("0"), HEAD).unwrap();
        assert_eq!(finder.fresh(), [at("0")]);
        fs::write(at("0"), &grown).unwrap();
        assert!(finder.fresh().is_empty());
        fs::write(at("0"), [&HEAD[..], &[2; 40]].concat()).unwrap();
        assert_eq!(finder.fresh(), [at("0")]);
    }
}
