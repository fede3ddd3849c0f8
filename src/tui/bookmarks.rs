//! Exchanges that somebody has marked, each with a note, and the file that keeps them.
//!
//! The file lies beside the capture, so that it goes where the capture goes: one JSON object a line,
//! `{"n":12,"note":"first rebalance"}`, by the number of the exchange.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Value as Json, json};

use crate::session::BOOKMARKS;

/// What is marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmarks {
    /// Notes by exchange, from 0.
    notes: BTreeMap<usize, String>,
}

impl Bookmarks {
    /// The file beside a capture.
    pub fn file(capture: &Path) -> PathBuf {
        let mut name = capture.file_name().unwrap_or_default().to_owned();
        name.push(".");
        name.push(BOOKMARKS);
        capture.with_file_name(name)
    }

    /// Reads a file; there are none where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is no bookmark.
    pub fn read(file: &Path) -> io::Result<Bookmarks> {
        let text = match fs::read_to_string(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Bookmarks::default());
            }
            read => read?,
        };
        let mut notes = BTreeMap::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.is_empty()) {
            let wrong = || {
                let what = format!("{}: line {number} is no bookmark", file.display());
                io::Error::new(io::ErrorKind::InvalidData, what)
            };
            let json: Json = serde_json::from_str(line).map_err(|_| wrong())?;
            let n = json.get("n").and_then(Json::as_u64).ok_or_else(wrong)?;
            let note = json.get("note").and_then(Json::as_str).unwrap_or_default();
            let n = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
            notes.insert(n.ok_or_else(wrong)?, note.to_owned());
        }
        Ok(Bookmarks { notes })
    }

    /// Writes the file, or takes it away when nothing is marked.
    ///
    /// # Errors
    /// The folder or the file cannot be written to.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        if self.notes.is_empty() {
            return match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let lines: String = self
            .notes
            .iter()
            .map(|(idx, note)| format!("{}\n", json!({ "n": idx + 1, "note": note })))
            .collect();
        fs::write(file, lines)
    }

    /// The note of an exchange; `None` if it is not marked.
    pub fn note(&self, idx: usize) -> Option<&str> {
        self.notes.get(&idx).map(String::as_str)
    }

    /// Marks an exchange.
    pub fn set(&mut self, idx: usize, note: String) {
        self.notes.insert(idx, note);
    }

    /// Takes the mark away; whether there was one.
    pub fn remove(&mut self, idx: usize) -> bool {
        self.notes.remove(&idx).is_some()
    }

    /// The marked exchanges in order.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.notes.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_back_from_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = Bookmarks::file(&folder.path().join("a.pcap"));
        assert_eq!(Bookmarks::read(&file).unwrap(), Bookmarks::default());
        let mut marks = Bookmarks::default();
        marks.set(11, "first \"rebalance\"\n".to_owned());
        marks.set(2, String::new());
        marks.write(&file).unwrap();
        assert_eq!(Bookmarks::read(&file).unwrap(), marks);
        assert!(marks.remove(11) && marks.remove(2) && !marks.remove(2));
        marks.write(&file).unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn a_file_that_is_none_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("marks");
        fs::write(&file, "{\"n\":1}\n{\"n\":0}\n").unwrap();
        let error = Bookmarks::read(&file).unwrap_err().to_string();
        assert!(error.ends_with("line 2 is no bookmark"), "{error}");
    }
}
