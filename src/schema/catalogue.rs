//! All known definitions, by name and by API key; parsed and compiled when first asked for.

use std::{borrow::Cow, sync::OnceLock};

use super::{
    ApiKey, Definition, Kind, LoadError, Plan, Released, ResponseShape, Versions, embedded, load,
};

/// Who sends a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Client to broker.
    Request,
    /// Broker to client.
    Response,
}

impl Direction {
    /// What definition names end in.
    pub fn suffix(self) -> &'static str {
        match self {
            Direction::Request => "Request",
            Direction::Response => "Response",
        }
    }

    /// The word in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Request => "request",
            Direction::Response => "response",
        }
    }
}

/// A set of definitions. Plans borrow from it for as long as the program runs.
#[derive(Debug)]
pub struct Catalogue {
    /// Sorted by name.
    entries: Vec<Entry>,
    /// Indexes of request and response by API key.
    apis: Vec<[Option<usize>; 2]>,
    /// What its responses look like, found when first asked for.
    pub(super) shapes: OnceLock<Vec<ResponseShape>>,
}

static CURRENT: OnceLock<Catalogue> = OnceLock::new();

#[derive(Debug)]
struct Entry {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
    definition: OnceLock<Result<Definition, LoadError>>,
    /// One slot a version, from the lowest that ever was.
    plans: OnceLock<Box<[OnceLock<Plan>]>>,
    /// The definition that the program carries, where another release's took its place: it has the
    /// versions that the release does not speak.
    carried: Option<Box<Entry>>,
}

impl Entry {
    fn new(name: Cow<'static, str>, text: Cow<'static, str>) -> Entry {
        Entry {
            name,
            text,
            definition: OnceLock::new(),
            plans: OnceLock::new(),
            carried: None,
        }
    }

    /// The entry of a definition that was read from a release, in place of `self`.
    fn replaced(self, released: Released) -> Entry {
        let mut definition = released.definition;
        if let Ok(carried) = self.definition() {
            // Of what a release has removed, it keeps a name without fields.
            if definition.valid.is_empty() {
                let listeners = definition.listeners;
                definition = Definition {
                    valid: Versions::NONE,
                    listeners,
                    ..carried.clone()
                };
            }
            definition.ever = definition.ever.hull(carried.ever);
        }
        Entry {
            name: self.name.clone(),
            text: released.text.into(),
            definition: Ok(definition).into(),
            plans: OnceLock::new(),
            carried: Some(Box::new(self)),
        }
    }

    fn definition(&self) -> Result<&Definition, &LoadError> {
        self.definition
            .get_or_init(|| load(&format!("{}.json", self.name), &self.text))
            .as_ref()
    }

    fn plan(&'static self, version: i16) -> Option<&'static Plan> {
        let definition = self.definition().ok()?;
        if let Some(carried) = &self.carried
            && !definition.valid.contains(version)
            && let Some(plan) = carried.plan(version)
        {
            return Some(plan);
        }
        let ever = definition.ever;
        let slot = usize::try_from(version.checked_sub(ever.min)?).ok()?;
        self.plans
            .get_or_init(|| ever.iter().map(|_| OnceLock::new()).collect())
            .get(slot)
            .map(|plan| plan.get_or_init(|| Plan::compile(definition, version)))
    }
}

impl Catalogue {
    /// The definitions that the program works with: those it carries, unless others were
    /// [installed](Catalogue::install).
    pub fn current() -> &'static Catalogue {
        CURRENT.get_or_init(Catalogue::carried)
    }

    /// Makes `self` what the program works with; `false` when that has been settled before.
    pub fn install(self) -> bool {
        CURRENT.set(self).is_ok()
    }

    /// The definitions that the program carries.
    fn carried() -> Catalogue {
        let entries = embedded::MESSAGES
            .iter()
            .map(|&(name, text)| Entry::new(name.into(), text.into()))
            .collect();
        Catalogue::of(entries)
    }

    /// The definitions of `release`, and those that the program carries for all that the release does
    /// not have: messages, and versions of messages.
    ///
    /// A definition takes the place of the one of its name, else of the one of its kind and API key:
    /// some messages have changed their names. One whose kind or key contradicts the carried one of
    /// the same name, as records of internal topics did before they had types, is left out.
    pub fn with(release: Vec<Released>) -> Catalogue {
        let mut entries = Catalogue::carried().entries;
        for released in release {
            let of = |entry: &Entry| {
                entry.definition().is_ok_and(|carried| {
                    carried.api_key == released.definition.api_key
                        && carried.kind == released.definition.kind
                })
            };
            let name = &released.definition.name;
            let named = entries.binary_search_by(|entry| entry.name.as_ref().cmp(name));
            let idx = match named {
                Ok(idx) if entries.get(idx).is_some_and(of) => Some(idx),
                Ok(_) => continue,
                Err(_) if released.definition.api_key.is_some() => entries.iter().position(of),
                Err(_) => None,
            };
            match (idx, named) {
                (Some(idx), _) => {
                    let carried = entries.remove(idx);
                    entries.insert(idx, carried.replaced(released));
                }
                (None, Err(idx)) => {
                    let mut entry = Entry::new(name.clone().into(), released.text.into());
                    entry.definition = Ok(released.definition).into();
                    entries.insert(idx, entry);
                }
                (None, Ok(_)) => {}
            }
        }
        Catalogue::of(entries)
    }

    /// `entries`, sorted by name, with the way to them by API key.
    fn of(entries: Vec<Entry>) -> Catalogue {
        let find = |name: String| {
            entries
                .binary_search_by(|entry| entry.name.as_ref().cmp(&name))
                .ok()
        };
        let mut apis: Vec<[Option<usize>; 2]> = ApiKey::NAMES
            .iter()
            .map(|name| {
                [Direction::Request, Direction::Response]
                    .map(|direction| find(format!("{name}{}", direction.suffix())))
            })
            .collect();
        // APIs that a release has beyond those; definitions that nobody has read have none.
        for (idx, entry) in entries.iter().enumerate() {
            let Some(Ok(definition)) = entry.definition.get() else {
                continue;
            };
            let side = match definition.kind {
                Kind::Request => 0,
                Kind::Response => 1,
                _ => continue,
            };
            let Some(key) = definition.api_key.and_then(|key| usize::try_from(key).ok()) else {
                continue;
            };
            if key < ApiKey::NAMES.len() {
                continue;
            }
            if apis.len() <= key {
                apis.resize(key + 1, [None, None]);
            }
            if let Some(slot) = apis.get_mut(key).and_then(|sides| sides.get_mut(side)) {
                *slot = Some(idx);
            }
        }
        Catalogue {
            entries,
            apis,
            shapes: OnceLock::new(),
        }
    }

    /// API keys, from 0 on, up to the highest that has a definition.
    pub(super) fn n_apis(&self) -> usize {
        self.apis.len()
    }

    /// Every name, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_ref())
    }

    /// The definition of that name; `Err` when its text breaks a rule of the format.
    pub fn definition(&self, name: &str) -> Option<Result<&Definition, &LoadError>> {
        self.entry(name).map(Entry::definition)
    }

    /// The JSON text of the definition of that name, as its file has it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.entry(name).map(|entry| entry.text.as_ref())
    }

    /// The JSON text that has `version` of the definition of that name.
    pub fn text_with(&self, name: &str, version: i16) -> Option<&str> {
        let mut entry = self.entry(name)?;
        if let Some(carried) = &entry.carried
            && entry
                .definition()
                .is_ok_and(|read| !read.valid.contains(version))
        {
            entry = carried;
        }
        Some(entry.text.as_ref())
    }

    /// The plan of one version of the definition of that name.
    pub fn plan(&'static self, name: &str, version: i16) -> Option<&'static Plan> {
        self.entry(name)?.plan(version)
    }

    /// The name of an API that only another release has.
    pub(super) fn api_name(&self, api: ApiKey) -> Option<&str> {
        let entry = self.api_entry(api, Direction::Request)?;
        entry.name.strip_suffix(Direction::Request.suffix())
    }

    /// The definition of one direction of an API.
    pub fn api(&self, api: ApiKey, direction: Direction) -> Option<&Definition> {
        self.api_entry(api, direction)?.definition().ok()
    }

    /// The JSON text of one direction of an API.
    pub fn api_text(&self, api: ApiKey, direction: Direction) -> Option<&str> {
        self.api_entry(api, direction)
            .map(|entry| entry.text.as_ref())
    }

    /// The plan of one version of one direction of an API. This is the decoder's way in and costs
    /// two index steps once a version has been compiled.
    pub fn api_plan(
        &'static self,
        api: ApiKey,
        direction: Direction,
        version: i16,
    ) -> Option<&'static Plan> {
        self.api_entry(api, direction)?.plan(version)
    }

    fn api_entry(&self, api: ApiKey, direction: Direction) -> Option<&Entry> {
        let [request, response] = *self.apis.get(usize::try_from(api.0).ok()?)?;
        let idx = match direction {
            Direction::Request => request?,
            Direction::Response => response?,
        };
        self.entries.get(idx)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries
            .binary_search_by(|entry| entry.name.as_ref().cmp(name))
            .ok()
            .and_then(|idx| self.entries.get(idx))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_definition_compiles_in_every_version() {
        let catalogue = Catalogue::current();
        for name in catalogue.names() {
            let definition = catalogue.definition(name).unwrap().unwrap();
            assert_eq!(definition.name, name);
            for version in definition.ever.iter() {
                let plan = catalogue.plan(name, version).unwrap();
                assert_eq!(plan.version, version, "{name}");
            }
            assert!(catalogue.plan(name, definition.ever.max + 1).is_none());
            assert!(catalogue.plan(name, -1).is_none());
        }
    }

    #[test]
    fn every_field_says_what_it_is_about() {
        fn check(message: &str, fields: &[crate::schema::Field]) {
            for field in fields {
                let about = &field.about;
                assert!(
                    about.ends_with('.') && about.is_ascii(),
                    "{message} {}: {about:?}",
                    field.name
                );
                check(message, &field.fields);
            }
        }
        let catalogue = Catalogue::current();
        for name in catalogue.names() {
            let definition = catalogue.definition(name).unwrap().unwrap();
            check(name, &definition.fields);
            for common in &definition.structs {
                check(name, &common.fields);
            }
        }
    }

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/schema/messages");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let listed: Vec<String> = Catalogue::current()
            .names()
            .map(|name| format!("{name}.json"))
            .collect();
        assert_eq!(listed, files);
    }
}
