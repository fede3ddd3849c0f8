//! Which pages there are, and what their files are called.
//!
//! Names of definitions may come from files of another release, so that nothing but their letters and
//! digits gets into the name of a file, and two that would be one on a disk that does not tell cases
//! apart are told apart by a number.

use std::collections::HashSet;

use crate::schema::{ApiKey, Catalogue, Definition, Direction, Kind, Versions};

pub(super) const INDEX: &str = "index.html";
pub(super) const ERRORS: &str = "errors.html";
pub(super) const TYPES: &str = "types.html";
pub(super) const STRUCTURES: &str = "structures.html";

/// Everything that has pages of its own.
pub(super) struct SiteMap {
    pub apis: Vec<ApiEntry>,
    pub structures: Vec<StructureEntry>,
}

/// An API.
pub(super) struct ApiEntry {
    pub api: ApiKey,
    pub name: String,
    pub request: &'static Definition,
    pub response: &'static Definition,
    /// Every version that there are pages of.
    pub versions: Versions,
    stem: String,
}

/// What a version is to brokers of the release that the definitions are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Spoken,
    Removed,
    /// They do not speak it yet.
    Newer,
}

/// A definition that is neither a request nor a response.
pub(super) struct StructureEntry {
    pub definition: &'static Definition,
    stem: String,
}

impl SiteMap {
    pub(super) fn new(catalogue: &'static Catalogue) -> SiteMap {
        let mut stems = Stems::new();
        let apis = ApiKey::all()
            .filter_map(|api| {
                let request = catalogue.api(api, Direction::Request)?;
                let response = catalogue.api(api, Direction::Response)?;
                let name = api.to_string();
                Some(ApiEntry {
                    api,
                    stem: stems.take(&name),
                    name,
                    request,
                    response,
                    versions: request.ever.hull(response.ever),
                })
            })
            .collect();
        let structures = catalogue
            .names()
            .filter_map(|name| catalogue.definition(name)?.ok())
            .filter(|definition| !matches!(definition.kind, Kind::Request | Kind::Response))
            .map(|definition| StructureEntry {
                definition,
                stem: stems.take(&definition.name),
            })
            .collect();
        SiteMap { apis, structures }
    }

    pub(super) fn api(&self, api: ApiKey) -> Option<&ApiEntry> {
        self.apis.iter().find(|entry| entry.api == api)
    }

    pub(super) fn structure(&self, name: &str) -> Option<&StructureEntry> {
        self.structures
            .iter()
            .find(|entry| entry.definition.name == name)
    }
}

impl ApiEntry {
    pub(super) fn page(&self) -> String {
        format!("{}.html", self.stem)
    }

    pub(super) fn version_page(&self, version: i16) -> String {
        format!("{}-v{version}.html", self.stem)
    }

    pub(super) fn diff_page(&self, from: i16, to: i16) -> String {
        format!("{}-v{from}-v{to}.html", self.stem)
    }

    /// Versions that follow one another.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (i16, i16)> {
        self.versions.iter().zip(self.versions.iter().skip(1))
    }

    /// The version that is shown where none is asked for.
    pub(super) fn newest(&self) -> i16 {
        self.versions.max
    }

    /// Whether brokers of the release speak a version.
    pub(super) fn standing(&self, version: i16) -> Standing {
        let valid = self.request.valid;
        if valid.contains(version) {
            Standing::Spoken
        } else if !valid.is_empty() && version > valid.max {
            Standing::Newer
        } else {
            Standing::Removed
        }
    }

    /// The first flexible version.
    pub(super) fn flexible_from(&self) -> Option<i16> {
        let flexible = self.request.flexible.and(self.request.ever);
        (!flexible.is_empty()).then_some(flexible.min)
    }
}

impl StructureEntry {
    pub(super) fn page(&self) -> String {
        format!("{}.html", self.stem)
    }
}

/// Names of files without their ending, in lower case.
struct Stems {
    taken: HashSet<String>,
}

impl Stems {
    fn new() -> Stems {
        let fixed = [INDEX, ERRORS, TYPES, STRUCTURES];
        let taken = fixed.map(|name| name.trim_end_matches(".html").to_owned());
        Stems {
            taken: taken.into_iter().collect(),
        }
    }

    /// A stem for a name. What is between versions is a hyphen, which no stem has but in front of a
    /// number of its own.
    fn take(&mut self, name: &str) -> String {
        let mut bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        bare.truncate(LONGEST);
        if bare.is_empty() {
            bare.push_str("unnamed");
        }
        let mut stem = bare.clone();
        let mut number = 2;
        while !self.taken.insert(stem.to_ascii_lowercase()) {
            stem = format!("{bare}-{number}");
            number += 1;
        }
        stem
    }
}

/// Characters of a stem at most: file systems take names of 255 bytes.
const LONGEST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_of_their_own_and_stay_in_their_folder() {
        let mut stems = Stems::new();
        for (name, stem) in [
            ("Fetch", "Fetch"),
            ("FETCH", "FETCH-2"),
            ("Errors", "Errors-2"),
            ("../../etc/passwd", "etcpasswd"),
            ("a<b>\"c.html", "abchtml"),
            ("\u{202e}", "unnamed"),
            ("//", "unnamed-2"),
        ] {
            assert_eq!(stems.take(name), stem);
        }
        assert_eq!(stems.take(&"x".repeat(4000)).len(), LONGEST);
    }

    #[test]
    fn every_definition_has_a_page() {
        let catalogue = Catalogue::current();
        let map = SiteMap::new(catalogue);
        assert_eq!(map.apis.len(), ApiKey::all().count());
        assert_eq!(
            2 * map.apis.len() + map.structures.len(),
            catalogue.names().count()
        );
        let fetch = map.api(ApiKey::FETCH).unwrap();
        assert_eq!(fetch.version_page(4), "Fetch-v4.html");
        assert_eq!(fetch.pairs().next(), Some((0, 1)));
    }
}
