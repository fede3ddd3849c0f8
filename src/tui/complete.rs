//! What the word in front of the cursor of a line can become.

use std::collections::HashSet;

use super::{
    commands::{COMMANDS, named},
    prompt::PromptKind,
    theme::Theme,
};
use crate::{
    event::Shape,
    explain::ErrorCode,
    query::{Occurring, column_names, filter_names, paths_from},
    schema::{ApiKey, Catalogue, Direction},
    tree::{NodeId, Tree},
};

/// What the capture has to offer.
#[derive(Clone, Debug, Default)]
pub(super) struct Offered {
    pub occurring: Occurring,
    /// The revision of the index that this was asked for.
    pub revision: Option<u64>,
    /// Whether a line was opened that could use it.
    pub is_wanted: bool,
    /// The folder whose names were asked for since the line was opened.
    pub folder: Option<String>,
    /// Names in a folder.
    pub names: (String, Vec<String>),
}

/// Paths that are offered at once; nobody reads through more.
const PATHS: usize = 10_000;

/// The length of the word, in characters, and what it can become.
pub(super) fn complete(
    kind: PromptKind,
    before: &str,
    offered: &Offered,
    tree: Option<&Tree>,
) -> (usize, Vec<String>) {
    match kind {
        PromptKind::Filter => filter(before, &offered.occurring),
        PromptKind::Command => command(before, offered, tree),
        PromptKind::SaveAs => file(before, offered),
        PromptKind::DecodeAs => message(before, &["captured"]),
        _ => (0, Vec::new()),
    }
}

/// Where the text begins that is not ended yet.
fn open_quote(before: &str) -> Option<usize> {
    let mut open = None;
    let mut is_escaped = false;
    for (at, c) in before.char_indices() {
        match (open, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (None, '"' | '\'') => open = Some((at, c)),
            (Some((_, quote)), _) if quote == c => open = None,
            _ => {}
        }
    }
    open.filter(|&(_, quote)| quote == '"').map(|(at, _)| at)
}

/// Values of the name that is compared with, else names of what exchanges have.
fn filter(before: &str, occurring: &Occurring) -> (usize, Vec<String>) {
    let open = open_quote(before);
    let is_text = open.is_some();
    let start =
        open.unwrap_or_else(|| start_of(before, |c| c.is_ascii_alphanumeric() || "_.".contains(c)));
    let (context, word) = before.split_at_checked(start).unwrap_or_default();
    let member = compared(context);
    let mut found = match member {
        Some(member) => values(member, word, occurring),
        // In front of `in` stands an element of a list.
        None if is_text => {
            let lists = ["topics", "errors"].into_iter();
            lists
                .flat_map(|name| values(name, word, occurring))
                .collect()
        }
        None => Vec::new(),
    };
    if !is_text {
        let paths = match word.contains('.') {
            true => paths_from(word),
            false => Vec::new(),
        };
        // Of all elements of a list an expression has no member.
        let paths = paths.iter().filter(|path| !path.contains("[]"));
        let names: Vec<&str> = filter_names().collect();
        let names = names.into_iter().chain(paths.map(String::as_str));
        found.extend(starting(word, names, "").1);
    }
    (word.chars().count(), found)
}

/// The values of a name that start with a word, with or without the quote in front of it; where none
/// of those that occur does, of APIs and errors all that there are.
fn values(name: &str, word: &str, occurring: &Occurring) -> Vec<String> {
    let lower = word.to_ascii_lowercase();
    let starts = |value: &&String| {
        let value = value.to_ascii_lowercase();
        value.starts_with(&lower) || value.trim_start_matches('"').starts_with(&lower)
    };
    let found: Vec<String> = occurring
        .of(name)
        .unwrap_or_default()
        .iter()
        .filter(starts)
        .cloned()
        .collect();
    if !found.is_empty() || word.trim_matches('"').is_empty() {
        return found;
    }
    let all: Vec<&str> = match name {
        "api" => ApiKey::all().filter_map(ApiKey::name).collect(),
        "error" | "errors" => ErrorCode::all().filter_map(ErrorCode::name).collect(),
        _ => Vec::new(),
    };
    let all = all.into_iter().map(|name| format!("{name:?}"));
    all.filter(|value| starts(&value)).collect()
}

/// The name whose value stands behind the end of an expression: `api` of `records > 1 && api == `, of
/// `api in ["Fetch", `, and `topics` of `topics.exists(t, t == `.
fn compared(context: &str) -> Option<&str> {
    const CALLS: [&str; 3] = [".contains(", ".startsWith(", ".endsWith("];
    const SIGNS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
    let context = context.trim_end();
    let mut ends = CALLS.iter().chain(&SIGNS);
    let operand = match ends.find_map(|end| context.strip_suffix(end)) {
        Some(operand) => operand,
        None => {
            let (list, _) = context
                .rsplit_once('[')
                .filter(|(_, elements)| !elements.contains(']'))?;
            list.trim_end().strip_suffix(" in")?
        }
    };
    let name = path_at_end(operand);
    let bound = format!("({name},");
    let name = match operand.rfind(&bound).and_then(|at| operand.get(..at)) {
        Some(call) => path_at_end(call).rsplit_once('.')?.0,
        None => name,
    };
    (!name.is_empty()).then_some(name)
}

fn path_at_end(text: &str) -> &str {
    let text = text.trim_end();
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    text.get(start_of(text, is_part)..).unwrap_or_default()
}

/// Where the run of such characters starts that ends a text.
fn start_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    let run = text.char_indices().rev().take_while(|&(_, c)| is_part(c));
    run.last().map_or(text.len(), |(at, _)| at)
}

/// The name of a file that ends a line, if one is being typed.
pub(super) fn file_in(kind: PromptKind, before: &str) -> Option<&str> {
    match kind {
        PromptKind::SaveAs => Some(before),
        PromptKind::Command => {
            let (name, rest) = before.split_once(' ')?;
            (named(name)?.name == "save").then_some(rest)
        }
        _ => None,
    }
}

/// The folder in a name, with its slash; empty where it names none.
pub(super) fn folder_of(name: &str) -> &str {
    let end = name.rfind('/').map_or(0, |at| at + 1);
    name.get(..end).unwrap_or_default()
}

/// Names in the folder that is typed; hidden ones only where that is meant.
fn file(name: &str, offered: &Offered) -> (usize, Vec<String>) {
    let folder = folder_of(name);
    let (listed, names) = &offered.names;
    if listed != folder {
        return (0, Vec::new());
    }
    let start = name.get(folder.len()..).unwrap_or_default();
    let wanted = |found: &&String| start.starts_with('.') || !found.starts_with('.');
    let names = names.iter().filter(wanted);
    let names: Vec<String> = names.map(|found| format!("{folder}{found}")).collect();
    starting(name, names.iter().map(String::as_str), "")
}

/// Paths of fields of a message as far as they are typed, and one step further.
fn path(word: &str, tree: &Tree) -> (usize, Vec<String>) {
    let lower = word.to_lowercase();
    let mut found = Vec::new();
    let mut open: Vec<NodeId> = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        for child in tree.children(id) {
            let path = tree.path(child);
            let here = path.to_lowercase();
            let is_further = here.len() > lower.len() && here.starts_with(&lower);
            if lower.starts_with(&here) || is_wrapping(tree, child) {
                open.push(child);
            }
            if is_further && found.len() < PATHS {
                found.push(path);
            }
        }
    }
    starting(word, found.iter().map(String::as_str), "")
}

/// Whether fields below a node go by paths that do not begin with its own.
fn is_wrapping(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).is_some_and(|node| {
        matches!(
            node.shape,
            Shape::TaggedFields { .. } | Shape::TaggedField { .. }
        )
    })
}

fn command(before: &str, offered: &Offered, tree: Option<&Tree>) -> (usize, Vec<String>) {
    let mut words = before.splitn(2, ' ');
    let (name, rest) = (words.next().unwrap_or_default(), words.next());
    let Some(rest) = rest else {
        return starting(name, COMMANDS.iter().map(|entry| entry.name), " ");
    };
    match named(name).map_or("", |entry| entry.name) {
        "filter" => filter(rest, &offered.occurring),
        "path" => tree.map_or((0, Vec::new()), |tree| path(rest, tree)),
        "save" => file(rest, offered),
        "columns" => {
            let word = rest.rsplit([',', ' ']).next().unwrap_or_default();
            columns(word.trim_start_matches(['+', '-']))
        }
        "sort" => columns(rest.trim_start_matches('-')),
        "field" => columns(rest),
        "as" => message(rest, &["captured"]),
        "layout" => match rest.split_once(':') {
            Some((api, version)) => version_of(api, version),
            None => message(rest, &[]),
        },
        "diff" => versions_behind(rest),
        "error" => starting(rest, ErrorCode::all().filter_map(ErrorCode::name), ""),
        "theme" => starting(rest, Theme::ALL.into_iter().map(Theme::name), ""),
        _ => (0, Vec::new()),
    }
}

/// An API, its version, a direction; `others` can stand in the place of the API.
fn message(before: &str, others: &'static [&'static str]) -> (usize, Vec<String>) {
    let words: Vec<&str> = before.split(' ').collect();
    match words.as_slice() {
        [word] => {
            let apis = ApiKey::all().filter_map(ApiKey::name);
            starting(word, apis.chain(others.iter().copied()), "")
        }
        [api, version] => version_of(api, version),
        [_, _, word] => starting(word, ["request", "response"].into_iter(), ""),
        _ => (0, Vec::new()),
    }
}

/// An API and two of its versions.
fn versions_behind(before: &str) -> (usize, Vec<String>) {
    let words: Vec<&str> = before.split(' ').collect();
    match words.as_slice() {
        [word] => starting(word, ApiKey::all().filter_map(ApiKey::name), ""),
        [api, version] | [api, _, version] => version_of(api, version),
        _ => (0, Vec::new()),
    }
}

/// The versions of an API, the newest first.
fn version_of(api: &str, word: &str) -> (usize, Vec<String>) {
    let definition =
        ApiKey::parse(api).and_then(|api| Catalogue::current().api(api, Direction::Request));
    let Some(ever) = definition.map(|definition| definition.ever) else {
        return (0, Vec::new());
    };
    let versions = (ever.min..=ever.max).rev();
    let versions: Vec<String> = versions.map(|version| version.to_string()).collect();
    starting(word, versions.iter().map(String::as_str), "")
}

/// Names of columns, and paths of fields as far as they are typed.
fn columns(word: &str) -> (usize, Vec<String>) {
    let paths = paths_from(word);
    let names: Vec<&str> = column_names().collect();
    let paths = paths.iter().map(String::as_str);
    starting(word, names.into_iter().chain(paths), "")
}

/// Those of `names` that start with `word`, whatever its case, each with `end` behind it.
fn starting<'a>(
    word: &str,
    names: impl Iterator<Item = &'a str>,
    end: &str,
) -> (usize, Vec<String>) {
    let lower = word.to_ascii_lowercase();
    let mut found: Vec<String> = names
        .filter(|name| name.to_ascii_lowercase().starts_with(&lower))
        .map(|name| format!("{name}{end}"))
        .collect();
    let mut known = HashSet::new();
    found.retain(|name| known.insert(name.clone()));
    (word.chars().count(), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(kind: PromptKind, before: &str) -> (usize, Vec<String>) {
        super::complete(kind, before, &Offered::default(), None)
    }

    #[test]
    fn words_become_what_they_can_be_at_their_place() {
        let (len, offers) = complete(PromptKind::Filter, "records > 3 && lat");
        assert_eq!(len, 3);
        assert!(offers.contains(&"latency_ms".to_owned()), "{offers:?}");
        let (_, offers) = complete(PromptKind::Filter, "api == \"deletet");
        assert_eq!(offers, ["\"DeleteTopics\""]);
        let behind = r#"client_id == "a\"b" && !('"' in topics) && api == "deletet"#;
        let (_, offers) = complete(PromptKind::Filter, behind);
        assert_eq!(offers, ["\"DeleteTopics\""]);
        let (_, offers) = complete(PromptKind::Command, "tra");
        assert_eq!(offers, ["transactions "]);
        let (len, offers) = complete(PromptKind::Command, "columns n,+request.body.timeout");
        assert_eq!(len, "request.body.timeout".len());
        assert!(offers.contains(&"request.body.TimeoutMs".to_owned()));
        let (len, offers) = complete(PromptKind::Command, "layout createt");
        assert_eq!((len, offers), (7, vec!["CreateTopics".to_owned()]));
    }

    #[test]
    fn paths_and_files_are_offered_step_by_step() {
        let message = crate::tui::message::tests::open(3);
        let offers = |before| {
            let offered = Offered {
                names: (
                    "out/".to_owned(),
                    ["a.txt", ".b.txt", "pages/"].map(str::to_owned).to_vec(),
                ),
                ..Offered::default()
            };
            super::complete(PromptKind::Command, before, &offered, Some(&message.tree)).1
        };
        let [topics, elements, fields] = [
            offers("path top"),
            offers("path Topics"),
            offers("path topics[1]."),
        ];
        assert_eq!(topics, ["Topics"]);
        assert!(elements.contains(&"Topics[0]".to_owned()), "{elements:?}");
        assert!(fields.contains(&"Topics[1].Name".to_owned()), "{fields:?}");
        assert!(offers("path nothing").is_empty());
        assert_eq!(offers("save out/"), ["out/a.txt", "out/pages/"]);
        assert_eq!(offers("sav out/"), ["out/a.txt", "out/pages/"]);
        assert_eq!(file_in(PromptKind::Command, "sa x"), Some("x"));
        // `se` is not short for it.
        assert_eq!(file_in(PromptKind::Command, "se x"), None);
        assert_eq!(offers("save out/."), ["out/.b.txt"]);
        assert!(offers("save elsewhere/").is_empty());
    }

    #[test]
    fn what_is_compared_is_the_name_in_front() {
        for (context, name) in [
            ("api == ", Some("api")),
            ("records > 1 && api_key != ", Some("api_key")),
            ("api in [", Some("api")),
            ("api in [\"Fetch\", ", Some("api")),
            ("client_id.startsWith(", Some("client_id")),
            ("topics.exists(t, t == ", Some("topics")),
            ("body.Topics[0].Name == ", Some("body.Topics[0].Name")),
            ("topics[", None),
            ("api == \"Fetch\" && ", None),
            ("", None),
        ] {
            assert_eq!(compared(context), name, "{context}");
        }
    }
}
