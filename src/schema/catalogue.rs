//! All known definitions, by name and by API key; parsed and compiled when first asked for.

use std::{borrow::Cow, sync::OnceLock};

use super::{ApiKey, Definition, LoadError, Plan, embedded, load};

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
}

#[derive(Debug)]
struct Entry {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
    definition: OnceLock<Result<Definition, LoadError>>,
    /// One slot a version, from the lowest that ever was.
    plans: OnceLock<Box<[OnceLock<Plan>]>>,
}

impl Entry {
    fn new(name: Cow<'static, str>, text: Cow<'static, str>) -> Entry {
        Entry {
            name,
            text,
            definition: OnceLock::new(),
            plans: OnceLock::new(),
        }
    }

    fn definition(&self) -> Result<&Definition, &LoadError> {
        self.definition
            .get_or_init(|| load(&format!("{}.json", self.name), &self.text))
            .as_ref()
    }

    fn plan(&'static self, version: i16) -> Option<&'static Plan> {
        let definition = self.definition().ok()?;
        let ever = definition.ever;
        let slot = usize::try_from(version.checked_sub(ever.min)?).ok()?;
        self.plans
            .get_or_init(|| ever.iter().map(|_| OnceLock::new()).collect())
            .get(slot)
            .map(|plan| plan.get_or_init(|| Plan::compile(definition, version)))
    }
}

impl Catalogue {
    /// The definitions that the program carries.
    pub fn embedded() -> &'static Catalogue {
        static EMBEDDED: OnceLock<Catalogue> = OnceLock::new();
        EMBEDDED.get_or_init(|| {
            let entries: Vec<Entry> = embedded::MESSAGES
                .iter()
                .map(|&(name, text)| Entry::new(name.into(), text.into()))
                .collect();
            let find = |name: String| {
                entries
                    .binary_search_by(|entry| entry.name.as_ref().cmp(&name))
                    .ok()
            };
            let apis = ApiKey::all()
                .map(|api| {
                    [Direction::Request, Direction::Response]
                        .map(|direction| find(format!("{api}{}", direction.suffix())))
                })
                .collect();
            Catalogue { entries, apis }
        })
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

    /// The plan of one version of the definition of that name.
    pub fn plan(&'static self, name: &str, version: i16) -> Option<&'static Plan> {
        self.entry(name)?.plan(version)
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
        let catalogue = Catalogue::embedded();
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
        let catalogue = Catalogue::embedded();
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
        let listed: Vec<String> = Catalogue::embedded()
            .names()
            .map(|name| format!("{name}.json"))
            .collect();
        assert_eq!(listed, files);
    }
}
