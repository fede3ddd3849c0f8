//! What the word in front of the cursor of a line can become.

use super::{commands::COMMANDS, prompt::PromptKind};
use crate::{
    explain::ErrorCode,
    query::{column_names, filter_names, paths_from},
    schema::ApiKey,
};

/// The length of the word, in characters, and what it can become.
pub(super) fn complete(kind: PromptKind, before: &str) -> (usize, Vec<String>) {
    match kind {
        PromptKind::Filter => filter(before),
        PromptKind::Command => command(before),
        _ => (0, Vec::new()),
    }
}

/// In a text of an expression names of APIs and errors, elsewhere names of what exchanges have.
fn filter(before: &str) -> (usize, Vec<String>) {
    if before.matches('"').count() % 2 == 1 {
        let word = before.rsplit('"').next().unwrap_or_default();
        let apis = ApiKey::all().filter_map(ApiKey::name);
        let errors = ErrorCode::all().filter_map(ErrorCode::name);
        return starting(word, apis.chain(errors), "\"");
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let start = before
        .char_indices()
        .rev()
        .take_while(|&(_, c)| is_part(c))
        .last();
    let word = start.map_or("", |(at, _)| before.get(at..).unwrap_or_default());
    starting(word, filter_names(), "")
}

fn command(before: &str) -> (usize, Vec<String>) {
    let mut words = before.splitn(2, ' ');
    let (name, rest) = (words.next().unwrap_or_default(), words.next());
    let Some(rest) = rest else {
        return starting(name, COMMANDS.iter().map(|entry| entry.name), " ");
    };
    match name {
        "filter" => filter(rest),
        "columns" => {
            let word = rest.rsplit([',', ' ']).next().unwrap_or_default();
            columns(word.trim_start_matches(['+', '-']))
        }
        "sort" => columns(rest.trim_start_matches('-')),
        "field" => columns(rest),
        "layout" | "diff" if !rest.contains([' ', ':']) => {
            starting(rest, ApiKey::all().filter_map(ApiKey::name), "")
        }
        "error" => starting(rest, ErrorCode::all().filter_map(ErrorCode::name), ""),
        _ => (0, Vec::new()),
    }
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
    found.dedup();
    (word.chars().count(), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_what_they_can_be_at_their_place() {
        let (len, offers) = complete(PromptKind::Filter, "records > 3 && lat");
        assert_eq!(len, 3);
        assert!(offers.contains(&"latency_ms".to_owned()), "{offers:?}");
        let (_, offers) = complete(PromptKind::Filter, "api == \"deletet");
        assert_eq!(offers, ["DeleteTopics\""]);
        let (_, offers) = complete(PromptKind::Command, "tra");
        assert_eq!(offers, ["transactions "]);
        let (len, offers) = complete(PromptKind::Command, "columns n,+request.body.timeout");
        assert_eq!(len, "request.body.timeout".len());
        assert!(offers.contains(&"request.body.TimeoutMs".to_owned()));
        let (len, offers) = complete(PromptKind::Command, "layout createt");
        assert_eq!((len, offers), (7, vec!["CreateTopics".to_owned()]));
    }
}
