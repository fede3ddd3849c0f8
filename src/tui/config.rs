//! What users have set: theme, keys, columns of the list and of the tree; docs/BROWSER.md describes the file.
//!
//! What comes in is the text of the file; what goes out is the settings, and for everything in it
//! that cannot be followed a complaint with its line. A mistake costs that setting and nothing else.

use std::{env, fs, io::ErrorKind, ops::Range, path::PathBuf};

use toml::de::{DeTable, DeValue};

use super::{
    Theme,
    columns::Columns,
    keymap::{Keymap, parse_key},
};
use crate::schema::nearest;

/// A column of the object tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeColumn {
    Name,
    Value,
    Type,
    Place,
    Meaning,
}

impl TreeColumn {
    /// All of them, in the order that they have when nothing is set.
    pub(super) const ALL: [TreeColumn; 5] = [
        TreeColumn::Name,
        TreeColumn::Value,
        TreeColumn::Type,
        TreeColumn::Place,
        TreeColumn::Meaning,
    ];

    fn name(self) -> &'static str {
        match self {
            TreeColumn::Name => "name",
            TreeColumn::Value => "value",
            TreeColumn::Type => "type",
            TreeColumn::Place => "place",
            TreeColumn::Meaning => "meaning",
        }
    }
}

/// The settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// `None` to find it out.
    pub(super) theme: Option<Theme>,
    pub(super) keymap: Keymap,
    pub(super) columns: Vec<TreeColumn>,
    pub(super) exchange_columns: Columns,
    /// What in the file could not be followed, each in a sentence that names the place.
    pub(super) complaints: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            theme: None,
            keymap: Keymap::default(),
            columns: TreeColumn::ALL.to_vec(),
            exchange_columns: Columns::default(),
            complaints: Vec::new(),
        }
    }
}

impl Config {
    /// The user's, from `kafscope/config.toml` in the folder for configuration. Nobody needs one.
    pub fn of_user() -> Config {
        let Some(path) = path() else {
            return Config::default();
        };
        let name = path.display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => Config::read(&name, &text),
            Err(error) if error.kind() == ErrorKind::NotFound => Config::default(),
            Err(error) => Config {
                complaints: vec![format!("{name} cannot be read: {error}")],
                ..Config::default()
            },
        }
    }

    /// The settings in `text`, the content of the file `name`.
    pub fn read(name: &str, text: &str) -> Config {
        let mut config = Config::default();
        let mut complain = |span: Option<Range<usize>>, what: String| {
            let before = span.and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.split('\n').count());
            config
                .complaints
                .push(format!("{name}, line {line}: {what}"));
        };
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                complain(error.span(), error.message().to_owned());
                return config;
            }
        };
        let mut settings = Settings::default();
        for (key, value) in &table {
            let at = value.span();
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("theme", DeValue::String(text)) => match theme(text) {
                    Ok(theme) => settings.theme = theme,
                    Err(what) => complain(Some(at), what),
                },
                ("theme", _) => complain(Some(at), "theme is the name of one".to_owned()),
                ("keys", DeValue::Table(keys)) => {
                    for (action, keys) in keys {
                        if let Err(what) = settings.bind(action.get_ref(), keys.get_ref()) {
                            complain(Some(action.span()), what);
                        }
                    }
                }
                ("columns", DeValue::Table(columns)) => {
                    for (pane, names) in columns {
                        if let Err(what) = settings.choose(pane.get_ref(), names.get_ref()) {
                            complain(Some(pane.span()), what);
                        }
                    }
                }
                (name @ ("keys" | "columns"), _) => {
                    complain(Some(at), format!("{name} is a table: [{name}]"));
                }
                (other, _) => {
                    let what = unknown("setting", other, ["theme", "keys", "columns"].into_iter());
                    complain(Some(key.span()), what);
                }
            }
        }
        if let Some(twice) = settings.keymap.ambiguous() {
            complain(None, twice);
            settings.keymap = Keymap::default();
        }
        config.theme = settings.theme;
        config.keymap = settings.keymap;
        config.columns = settings.columns.unwrap_or(config.columns);
        let exchange_columns = settings.exchange_columns;
        config.exchange_columns = exchange_columns.unwrap_or(config.exchange_columns);
        config
    }
}

/// What was set so far.
#[derive(Default)]
struct Settings {
    theme: Option<Theme>,
    keymap: Keymap,
    columns: Option<Vec<TreeColumn>>,
    exchange_columns: Option<Columns>,
}

impl Settings {
    /// Gives an action its keys.
    fn bind(&mut self, action: &str, keys: &DeValue<'_>) -> Result<(), String> {
        let keys = strings(keys)?;
        let keys: Result<_, _> = keys.iter().map(|key| parse_key(key)).collect();
        self.keymap.bind(action, keys?)
    }

    /// Gives a pane its columns.
    fn choose(&mut self, pane: &str, names: &DeValue<'_>) -> Result<(), String> {
        match pane {
            "tree" => self.columns = Some(columns_of(&strings(names)?)?),
            "exchanges" => {
                let columns = Columns::parse(&strings(names)?, &Columns::default())?;
                self.exchange_columns = Some(columns);
            }
            other => {
                return Err(format!(
                    "no columns of {other} can be set; tree and exchanges are known"
                ));
            }
        }
        Ok(())
    }
}

/// Where the file is, by the XDG base directories.
fn path() -> Option<PathBuf> {
    let folder = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let config = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(config.join("kafscope").join("config.toml"))
}

fn theme(text: &str) -> Result<Option<Theme>, String> {
    match text {
        "auto" => Ok(None),
        name => Theme::parse(name).map(Some),
    }
}

fn columns_of(names: &[String]) -> Result<Vec<TreeColumn>, String> {
    if names.is_empty() {
        return Err("a tree without columns shows nothing".to_owned());
    }
    names
        .iter()
        .map(|name| {
            let found = TreeColumn::ALL
                .into_iter()
                .find(|column| column.name() == name);
            let names = TreeColumn::ALL.into_iter().map(TreeColumn::name);
            found.ok_or_else(|| unknown("column", name, names))
        })
        .collect()
}

/// One text, or a list of them.
fn strings(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let text = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Ok(text.to_string()),
        _ => Err("names in quotes are expected".to_owned()),
    };
    match value {
        DeValue::Array(values) => values.iter().map(|value| text(value.get_ref())).collect(),
        value => Ok(vec![text(value)?]),
    }
}

/// That nothing is called so, and what is.
pub(super) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("no {what} is called \"{name}\"; did you mean {near}?"),
        None => {
            let known: Vec<&str> = known.collect();
            format!(
                "no {what} is called \"{name}\"; there are {}",
                known.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sets_what_it_names() {
        let text = "theme = 'light'\n[keys]\nquit = 'ctrl-q'\nnext-pane = ['tab', 'f6']\n\
                    [columns]\ntree = ['place', 'name', 'value']\n";
        let config = Config::read("config.toml", text);
        assert_eq!(config.complaints, Vec::<String>::new());
        assert_eq!(config.theme, Some(Theme::Light));
        assert_eq!(
            config.columns,
            [TreeColumn::Place, TreeColumn::Name, TreeColumn::Value]
        );
    }

    #[test]
    fn a_mistake_is_said_with_its_line_and_costs_nothing_else() {
        let text = "thema = 1\ntheme = 'drak'\n[keys]\nquit = 'qq'\nquitt = 'q'\nzoom = 'Z'\n\
                    [columns]\ntree = ['names']\ngrid = []\n";
        let config = Config::read("c", text);
        let expected = [
            "c, line 1: no setting is called \"thema\"; did you mean theme?",
            "c, line 2: no theme is called \"drak\"; did you mean dark?",
            "c, line 4: ",
            "c, line 5: no action is called \"quitt\"; did you mean quit?",
            "c, line 8: no column is called \"names\"; did you mean name?",
            "c, line 9: ",
        ];
        // In the order of the file, whatever the order of its tables in memory.
        let mut complaints = config.complaints.clone();
        complaints.sort();
        assert_eq!(complaints.len(), expected.len(), "{complaints:?}");
        for (complaint, start) in complaints.iter().zip(expected) {
            assert!(complaint.starts_with(start), "{complaint}");
        }
        assert_eq!(config.columns, TreeColumn::ALL);
        let broken = Config::read("c", "theme = 'dark'\n[keys\n");
        assert_eq!(broken.complaints.len(), 1);
        assert!(
            broken.complaints[0].starts_with("c, line 2: "),
            "{broken:?}"
        );
    }

    #[test]
    fn a_key_for_two_things_is_refused() {
        let config = Config::read("c", "[keys]\nzoom = 'q'\n");
        assert_eq!(config.complaints.len(), 1);
        assert!(config.complaints[0].contains('q'), "{config:?}");
    }
}
