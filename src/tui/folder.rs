//! Names in a folder, so that they can be offered while the name of a file is typed.

use std::fs;

use super::saving::{at_home, is_savable};

/// Names that are kept; nobody reads through more.
const KEPT: usize = 10_000;

/// Folders, with a slash behind them, and files that a message can be saved to, in the folder that is
/// typed so; nothing where it cannot be read, which saving will say.
pub(super) fn names_in(folder: &str, stop: &dyn Fn() -> bool) -> Vec<String> {
    let place = match at_home(folder) {
        place if place.is_empty() => ".".to_owned(),
        place => place,
    };
    let Ok(entries) = fs::read_dir(place) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .take_while(|_| !stop())
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            // A line that is typed holds none of these.
            if name.chars().any(char::is_control) {
                return None;
            }
            // A link to a folder is one.
            match entry.path().is_dir() {
                true => Some(format!("{name}/")),
                false => is_savable(&name).then_some(name),
            }
        })
        .take(KEPT)
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_what_can_be_saved_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.txt", "a.BIN", "c.pcap", "\u{1}.txt"] {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        fs::create_dir(folder.path().join("pages")).unwrap();
        let place = format!("{}/", folder.path().display());
        assert_eq!(names_in(&place, &|| false), ["a.BIN", "b.txt", "pages/"]);
        assert!(names_in("/no/such/folder/", &|| false).is_empty());
    }
}
