//! The folder that the pages go to.
//!
//! It is new, empty, or known by a marker file to be from a former run. The marker lists what that run
//! wrote: nothing else is ever written over, and what the new run does not write again is taken away.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("cannot make the folder {}", path.display())]
    Make { path: PathBuf, source: io::Error },
    #[error("cannot read the folder {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(
        "{} holds {found}, which site has not written; expected a new or empty folder, or one that \
         site wrote before", path.display()
    )]
    Foreign { path: PathBuf, found: String },
    #[error("the page {page} cannot be written as text")]
    Unwritten { page: String },
}

/// Tells that a folder is the program's, and what it has written there, a name a line.
const MARKER: &str = ".kafscope-site";

/// The first line of a marker.
const TITLE: &str = "pages written by kafscope site";

/// Bytes of a marker that are read; one of a thousand pages has thirty thousand.
const LONGEST: u64 = 16 << 20;

/// A folder that may be written to.
pub(super) struct Folder {
    path: PathBuf,
    names: HashSet<String>,
    /// What a former run has written and this one will not.
    stale: Vec<String>,
}

impl Folder {
    /// Takes a folder for the pages of these names.
    pub(super) fn claim(path: &Path, names: HashSet<String>) -> Result<Folder, SiteError> {
        fs::create_dir_all(path).map_err(|source| SiteError::Make {
            path: path.to_owned(),
            source,
        })?;
        let former = former(path)?;
        let unread = |source| SiteError::Read {
            path: path.to_owned(),
            source,
        };
        for entry in fs::read_dir(path).map_err(unread)? {
            let name = entry.map_err(unread)?.file_name();
            let name = name.to_string_lossy();
            let is_ours = match &former {
                // Others may keep files beside the pages, but not in their place.
                Some(former) => former.contains(name.as_ref()) || !names.contains(name.as_ref()),
                None => false,
            };
            if !is_ours {
                return Err(SiteError::Foreign {
                    path: path.to_owned(),
                    found: name.into_owned(),
                });
            }
        }
        let former = former.unwrap_or_default();
        let folder = Folder {
            path: path.to_owned(),
            stale: former.difference(&names).cloned().collect(),
            names,
        };
        // A run that is broken off has to be known as well.
        folder.mark(folder.names.iter().chain(&folder.stale))?;
        Ok(folder)
    }

    /// Writes a page.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), SiteError> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(|source| SiteError::Write { path, source })
    }

    /// Takes away what is from a former run alone.
    pub(super) fn finish(self) -> Result<(), SiteError> {
        for name in &self.stale {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(SiteError::Write { path, source }),
            }
        }
        self.mark(self.names.iter())
    }

    fn mark<'n>(&self, names: impl Iterator<Item = &'n String>) -> Result<(), SiteError> {
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.sort_unstable();
        let path = self.path.join(MARKER);
        let write = || -> io::Result<()> {
            let mut file = io::BufWriter::new(File::create(&path)?);
            writeln!(file, "{TITLE}")?;
            for name in names {
                writeln!(file, "{name}")?;
            }
            file.flush()
        };
        write().map_err(|source| SiteError::Write {
            path: path.clone(),
            source,
        })
    }
}

/// What a former run has written there; `None` where none has.
fn former(folder: &Path) -> Result<Option<HashSet<String>>, SiteError> {
    let path = folder.join(MARKER);
    let unread = |source| SiteError::Read {
        path: path.clone(),
        source,
    };
    let is_marker = match fs::symlink_metadata(&path) {
        Ok(found) => found.is_file() && found.len() <= LONGEST,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(unread(error)),
    };
    if !is_marker {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(unread)?;
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return Ok(None);
    }
    let names = lines.filter(|name| is_page(name)).map(str::to_owned);
    Ok(Some(names.collect()))
}

/// Whether a page can be called so: a marker that somebody has changed leads nowhere else.
fn is_page(name: &str) -> bool {
    name.strip_suffix(".html").is_some_and(|stem| {
        !stem.is_empty() && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> HashSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn listed(folder: &Path) -> Vec<String> {
        let mut found: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        found
    }

    #[test]
    fn a_second_run_replaces_the_first_and_nothing_else() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("new/site");
        let first = Folder::claim(&path, names(&["a.html", "b.html"])).unwrap();
        first.write("a.html", "1").unwrap();
        first.write("b.html", "1").unwrap();
        first.finish().unwrap();
        fs::write(path.join("robots.txt"), "mine").unwrap();
        let second = Folder::claim(&path, names(&["b.html", "c.html"])).unwrap();
        second.write("b.html", "2").unwrap();
        second.write("c.html", "2").unwrap();
        second.finish().unwrap();
        assert_eq!(listed(&path), [MARKER, "b.html", "c.html", "robots.txt"]);
        assert_eq!(fs::read_to_string(path.join("b.html")).unwrap(), "2");
    }

    #[test]
    fn a_run_that_was_broken_off_can_be_made_good() {
        let folder = tempfile::tempdir().unwrap();
        let broken = Folder::claim(folder.path(), names(&["a.html"])).unwrap();
        broken.write("a.html", "1").unwrap();
        drop(broken);
        let again = Folder::claim(folder.path(), names(&["b.html"])).unwrap();
        again.write("b.html", "2").unwrap();
        again.finish().unwrap();
        assert_eq!(listed(folder.path()), [MARKER, "b.html"]);
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("a.html");
        fs::write(&page, "mine").unwrap();
        let claim = || Folder::claim(folder.path(), names(&["a.html"]));
        let refusal = claim().map(drop).unwrap_err().to_string();
        assert!(
            refusal.contains("holds a.html, which site has not written"),
            "{refusal}"
        );
        // A marker that is none, or that knows nothing of the page, changes nothing.
        fs::write(folder.path().join(MARKER), "anything").unwrap();
        assert!(claim().is_err());
        fs::write(folder.path().join(MARKER), format!("{TITLE}\nb.html\n")).unwrap();
        assert!(claim().is_err());
        assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    }

    #[test]
    fn a_changed_marker_leads_nowhere_else() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("site");
        fs::create_dir(&path).unwrap();
        let outside = temporary.path().join("outside.html");
        fs::write(&outside, "mine").unwrap();
        let marker = format!("{TITLE}\n../outside.html\n{}\n", outside.display());
        fs::write(path.join(MARKER), marker).unwrap();
        Folder::claim(&path, names(&["a.html"]))
            .unwrap()
            .finish()
            .unwrap();
        assert!(outside.exists());
    }
}
