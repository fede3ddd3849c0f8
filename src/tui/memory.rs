//! What was typed before, by this run and those before it, and how wide columns were made.
//!
//! The file is `kafscope/history.json` in the user's state folder (`$XDG_STATE_HOME`, else
//! `~/.local/state`); without one, or where it cannot be written, nothing is kept.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::prompt::PromptKind;

/// Lines by what they were for, the newest last; widths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    filters: Vec<String>,
    searches: Vec<String>,
    commands: Vec<String>,
    /// Widths of columns of the list that were chosen by hand, by their names.
    widths: BTreeMap<String, usize>,
}

/// Lines of each kind that are kept.
const KEPT: usize = 200;

impl Memory {
    /// The file of the user.
    pub fn file() -> Option<PathBuf> {
        let folder = |name: &str| env::var_os(name).map(PathBuf::from);
        let state = folder("XDG_STATE_HOME").filter(|path| path.is_absolute());
        let state = state.or_else(|| folder("HOME").map(|home| home.join(".local/state")));
        state.map(|state| state.join("kafscope/history.json"))
    }

    /// What a file keeps; nothing where there is none, or it is something else.
    pub fn read(file: &Path) -> Memory {
        fs::read_to_string(file)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Writes the file, and the folder around it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, serde_json::to_string_pretty(self)?)
    }

    /// How wide a column was made.
    pub(super) fn width(&self, column: &str) -> Option<usize> {
        self.widths.get(column).copied()
    }

    /// Keeps how wide a column was made.
    pub(super) fn keep_width(&mut self, column: &str, width: usize) {
        self.widths.insert(column.to_owned(), width);
    }

    /// Forgets how wide a column was made.
    pub(super) fn forget_width(&mut self, column: &str) {
        self.widths.remove(column);
    }

    /// Forgets how wide columns were made.
    pub(super) fn forget_widths(&mut self) {
        self.widths.clear();
    }

    /// The lines of a kind.
    pub(super) fn lines(&self, kind: PromptKind) -> Vec<String> {
        match kind {
            PromptKind::Filter => self.filters.clone(),
            PromptKind::Search => self.searches.clone(),
            PromptKind::Command => self.commands.clone(),
            _ => Vec::new(),
        }
    }

    /// Keeps a line; one that was there becomes the newest.
    pub(super) fn keep(&mut self, kind: PromptKind, line: &str) {
        let lines = match kind {
            PromptKind::Filter => &mut self.filters,
            PromptKind::Search => &mut self.searches,
            PromptKind::Command => &mut self.commands,
            _ => return,
        };
        if line.trim().is_empty() {
            return;
        }
        lines.retain(|other| other != line);
        lines.push(line.to_owned());
        let surplus = lines.len().saturating_sub(KEPT);
        lines.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_once_and_come_back() {
        let mut memory = Memory::default();
        for line in ["a", "b", "a", " "] {
            memory.keep(PromptKind::Filter, line);
        }
        assert_eq!(memory.lines(PromptKind::Filter), ["b", "a"]);
        memory.keep_width("api", 30);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/history.json");
        memory.write(&file).unwrap();
        assert_eq!(Memory::read(&file), memory);
        fs::write(&file, "no json").unwrap();
        assert_eq!(Memory::read(&file), Memory::default());
    }
}
