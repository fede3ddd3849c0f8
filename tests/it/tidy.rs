//! Rules of the house that no compiler knows: which layer may import which, how long files are,
//! that each starts by saying what it is.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What each layer may import, in the order in which data flows; docs/ARCHITECTURE.md has the
/// same table.
const LAYERS: &[(&str, &[&str])] = &[
    ("wire", &[]),
    ("event", &["wire"]),
    ("capture", &["wire"]),
    ("net", &["wire", "capture"]),
    ("flow", &["wire", "capture", "net"]),
    ("tls", &["wire"]),
    ("schema", &["wire", "event"]),
    ("kafka", &["wire", "schema"]),
    ("records", &["wire", "event"]),
    ("payload", &["wire", "event", "schema"]),
    (
        "decode",
        &["wire", "event", "schema", "kafka", "records", "payload"],
    ),
    ("explain", &["wire", "event", "schema"]),
    ("encode", &["wire", "schema", "records"]),
    ("hextext", &["wire"]),
    ("tree", &["wire", "event", "explain"]),
    ("compare", &["wire", "event", "schema", "tree"]),
    (
        "session",
        &[
            "wire", "event", "capture", "net", "flow", "tls", "schema", "kafka", "records",
            "payload", "decode", "explain", "encode", "hextext", "tree",
        ],
    ),
    (
        "stats",
        &[
            "wire", "event", "schema", "records", "decode", "explain", "session",
        ],
    ),
    (
        "check",
        &[
            "wire", "event", "schema", "explain", "session", "stats", "tree",
        ],
    ),
    (
        "render",
        &[
            "wire", "event", "capture", "net", "flow", "tls", "schema", "kafka", "records",
            "payload", "decode", "explain", "encode", "hextext", "tree", "compare", "session",
            "stats", "check",
        ],
    ),
    (
        "site",
        &[
            "wire", "event", "schema", "decode", "explain", "encode", "tree", "compare", "render",
        ],
    ),
    ("query", &["explain", "schema", "session", "render"]),
    (
        "tui",
        &[
            "wire", "event", "capture", "net", "flow", "tls", "schema", "kafka", "records",
            "payload", "decode", "explain", "encode", "hextext", "tree", "compare", "session",
            "stats", "check", "render", "query",
        ],
    ),
    (
        "cli",
        &[
            "wire", "event", "capture", "net", "flow", "tls", "schema", "kafka", "records",
            "payload", "decode", "explain", "encode", "hextext", "tree", "compare", "session",
            "stats", "check", "render", "site", "query", "tui",
        ],
    ),
];

/// Files that are mostly a table, which may be as long as the table.
const TABLES: &[&str] = &["src/schema/embedded.rs", "src/explain/error_table.rs"];

/// Lines of a file without its tests.
const LONGEST: usize = 500;

fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    walk(&root.join("src"), &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The source without its test module, which comes last where it is in the same file.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
}

/// The source without its test module and without comments.
fn code(text: &str) -> String {
    without_tests(text)
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn layers_import_only_layers_before_them() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let Some((layer, _)) = file.strip_prefix("src/").unwrap().split_once('/') else {
            continue;
        };
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
            wrong.push(format!("{file}: {layer} is no layer"));
            continue;
        };
        for import in imports(&code(&text)) {
            if import != layer && !allowed.contains(&import.as_str()) {
                wrong.push(format!("{file}: {layer} may not import {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The layers that follow `crate::`, in paths and in grouped imports.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => found.push(std::mem::take(&mut name)),
                    _ if depth == 0 => name.push(c),
                    _ => {}
                }
            }
            found.push(name);
        } else {
            found.push(rest.to_owned());
        }
    }
    found
        .into_iter()
        .map(|path| {
            path.trim()
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect()
        })
        .filter(|name: &String| !name.is_empty())
        .collect()
}

#[test]
fn files_are_short_and_start_by_saying_what_they_are() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        if !text.starts_with("//!") {
            wrong.push(format!("{file}: starts without a module doc"));
        }
        let stem = Path::new(&file).file_stem().unwrap().to_str().unwrap();
        if ["utils", "util", "helpers", "manager", "common", "misc"].contains(&stem) {
            wrong.push(format!("{file}: the name says nothing"));
        }
        let lines = without_tests(&text).lines().count();
        if lines > LONGEST
            && !TABLES.contains(&file.as_str())
            && !file.ends_with("tests.rs")
            && !file.contains("/tests/")
        {
            wrong.push(format!("{file}: {lines} lines"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
