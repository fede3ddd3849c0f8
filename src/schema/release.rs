//! The message definitions of another Kafka release: a folder or a jar → definitions.
//!
//! What comes in is a folder with definitions, a source checkout, a kafka-clients jar, or the folder
//! of a distribution with its jars; what goes out is every definition found, read and checked. The
//! first one that breaks a rule ends it all, as half a release would be read wrongly without a word.
//! Files are told by where they lie (Kafka keeps definitions in folders called `message` and
//! `metadata`), never by trying whether they parse. Nothing is written and nothing installed.

use std::{
    borrow::Cow,
    collections::HashMap,
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use thiserror::Error;
use zip::ZipArchive;

use super::{Definition, LoadError, load};

/// A definition of a release.
#[derive(Debug)]
pub struct Released {
    pub definition: Definition,
    /// The JSON text that it was read from.
    pub text: String,
}

/// Why the definitions of a release could not be read.
#[derive(Debug, Error)]
pub enum ReleaseError {
    #[error("{place}: {error}")]
    Io { place: String, error: io::Error },
    #[error("{place} is neither a folder nor a jar: {reason}")]
    NoJar { place: String, reason: String },
    #[error(
        "{place} holds no message definitions; expected Kafka's JSON files, in folders called \
         message or metadata if not in this one, or kafka-*.jar files with them"
    )]
    Empty { place: String },
    #[error("{place}: has {size} bytes, and no definition of Kafka comes near {MAX_DEFINITION}")]
    TooLong { place: String, size: u64 },
    #[error("{place}: is not text in UTF-8")]
    NoText { place: String },
    #[error("{name} is defined twice, in {first} and in {second}")]
    Twice {
        name: String,
        first: String,
        second: String,
    },
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Bytes of a definition at most; Kafka's longest has 30 kB, and what a jar claims is not believed.
const MAX_DEFINITION: u64 = 4 << 20;

/// Folders below the one given at most; a checkout of Kafka has its definitions eight deep.
const MAX_DEPTH: usize = 12;

/// Folders of a checkout that hold copies, or definitions made for tests.
const PASSED_OVER: [&str; 4] = ["build", "out", "target", "test"];

/// Every definition in the folder or jar at `path`, in the order of their places.
///
/// # Errors
/// There is none, one breaks a rule of the format, one of that name came before, or something could
/// not be read.
pub fn release(path: &Path) -> Result<Vec<Released>, ReleaseError> {
    let mut texts = Vec::new();
    if path.is_dir() {
        folder(path, &mut texts)?;
    } else {
        jar(path, &mut texts)?;
    }
    if texts.is_empty() {
        return Err(ReleaseError::Empty {
            place: path.display().to_string(),
        });
    }
    let mut places: HashMap<String, String> = HashMap::new();
    let mut definitions = Vec::with_capacity(texts.len());
    for (place, text) in texts {
        let definition = load(&place, &text)?;
        if let Some(first) = places.insert(definition.name.clone(), place.clone()) {
            return Err(ReleaseError::Twice {
                name: definition.name,
                first,
                second: place,
            });
        }
        definitions.push(Released { definition, text });
    }
    Ok(definitions)
}

/// Where each text was, and the text.
type Texts = Vec<(String, String)>;

/// Definitions in or below a folder, else those in the jars of a distribution.
fn folder(path: &Path, texts: &mut Texts) -> Result<(), ReleaseError> {
    let mut found = Found::default();
    search(path, 0, &mut found)?;
    let Found {
        mut kept,
        mut loose,
        mut jars,
    } = found;
    let files = if kept.is_empty() {
        &mut loose
    } else {
        &mut kept
    };
    files.sort();
    for file in files.iter() {
        let place = file.display().to_string();
        let reader = File::open(file).map_err(|error| io_error(&place, error))?;
        let size = reader.metadata().map_or(0, |metadata| metadata.len());
        texts.push((place.clone(), text(&place, reader, size)?));
    }
    if texts.is_empty() {
        jars.sort();
        for file in &jars {
            jar(file, texts)?;
        }
    }
    Ok(())
}

/// Files of a folder that may be or hold definitions.
#[derive(Default)]
struct Found {
    /// JSON files where Kafka keeps definitions.
    kept: Vec<PathBuf>,
    /// JSON files called like a message, in the folder itself.
    loose: Vec<PathBuf>,
    /// Kafka's jars, in the folder itself or its `libs`.
    jars: Vec<PathBuf>,
}

fn search(folder: &Path, depth: usize, found: &mut Found) -> Result<(), ReleaseError> {
    let place = || folder.display().to_string();
    let entries = fs::read_dir(folder).map_err(|error| io_error(&place(), error))?;
    for entry in entries {
        let entry = entry.map_err(|error| io_error(&place(), error))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let kind = entry
            .file_type()
            .map_err(|error| io_error(&place(), error))?;
        if kind.is_dir() {
            let is_passed = name.starts_with('.') || PASSED_OVER.contains(&name.as_ref());
            if !is_passed && depth < MAX_DEPTH {
                search(&entry.path(), depth + 1, found)?;
            }
        } else if name.ends_with(".json") {
            if is_kept(&entry.path()) {
                found.kept.push(entry.path());
            } else if depth == 0 && name.starts_with(|first: char| first.is_ascii_uppercase()) {
                found.loose.push(entry.path());
            }
        } else if name.starts_with("kafka-") && name.ends_with(".jar") {
            let is_near = depth == 0 || depth == 1 && folder.ends_with("libs");
            if is_near {
                found.jars.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Whether a file lies where Kafka keeps definitions.
fn is_kept(path: &Path) -> bool {
    path.parent()
        .is_some_and(|folder| folder.ends_with("message") || folder.ends_with("metadata"))
}

fn jar(path: &Path, texts: &mut Texts) -> Result<(), ReleaseError> {
    let place = path.display().to_string();
    let file = File::open(path).map_err(|error| io_error(&place, error))?;
    let no_jar = |reason: zip::result::ZipError| ReleaseError::NoJar {
        place: place.clone(),
        reason: reason.to_string(),
    };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(no_jar)?;
    let mut names: Vec<String> = archive
        .file_names()
        .map(|name| name.map(Cow::into_owned))
        .collect::<Result<_, _>>()
        .map_err(no_jar)?;
    names.retain(|name| name.ends_with(".json") && is_kept(Path::new(name)));
    names.sort();
    for name in names {
        let place = format!("{place}: {name}");
        let entry = archive
            .by_name(&name)
            .map_err(|error| io_error(&place, error.into()))?;
        let size = entry.size();
        texts.push((place.clone(), text(&place, entry, size)?));
    }
    Ok(())
}

/// The text of a definition, which is said to have `size` bytes.
fn text(place: &str, reader: impl Read, size: u64) -> Result<String, ReleaseError> {
    let mut bytes = Vec::new();
    reader
        .take(MAX_DEFINITION)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(place, error))?;
    if size.max(bytes.len() as u64) >= MAX_DEFINITION {
        return Err(ReleaseError::TooLong {
            place: place.to_owned(),
            size,
        });
    }
    String::from_utf8(bytes).map_err(|_| ReleaseError::NoText {
        place: place.to_owned(),
    })
}

fn io_error(place: &str, error: io::Error) -> ReleaseError {
    ReleaseError::Io {
        place: place.to_owned(),
        error,
    }
}
