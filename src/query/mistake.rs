//! What is wrong with a text that somebody typed, and where.

use std::{fmt, ops::Range};

use crate::{render::escape_typed, schema::nearest};

/// A mistake in an expression or a list of columns. It shows itself as a sentence;
/// [`Mistake::pointer`] shows the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// All that was typed.
    text: String,
    /// The place, in characters.
    at: Range<usize>,
    sentence: String,
}

impl Mistake {
    /// A mistake at the characters `at` of `text`.
    pub(super) fn new(text: &str, at: Range<usize>, sentence: impl Into<String>) -> Mistake {
        Mistake {
            text: text.to_owned(),
            at,
            sentence: sentence.into(),
        }
    }

    /// The text, and below it carets under the place. Nothing in it steers a terminal.
    pub fn pointer(&self) -> String {
        let part = |range: Range<usize>| {
            let chars = self.text.chars().skip(range.start).take(range.len());
            // What was typed over several lines is shown in one.
            let text: String = chars
                .map(|c| if c.is_whitespace() { ' ' } else { c })
                .collect();
            escape_typed(&text)
        };
        let end = self.at.end.max(self.at.start + 1);
        let (before, place) = (part(0..self.at.start), part(self.at.start..end));
        let width = |text: &str| unicode_width::UnicodeWidthStr::width(text);
        format!(
            "  {before}{place}{}\n  {}{}",
            part(end..usize::MAX),
            " ".repeat(width(&before)),
            "^".repeat(width(&place).max(1))
        )
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Mistake {}

/// Names that a word is the beginning of before the others are only counted.
const LONGER: usize = 3;

/// `; did you mean NAME?`, if one of `names` is near; `NAME or OTHER` where a few begin with it, and
/// `NAME, OTHER, THIRD and 4 more` where many do.
pub(super) fn suggestion<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    // Of a letter or two, any other would be near.
    let is_short = name.chars().count() < 3;
    let names: Vec<&str> = names
        .filter(|known| !is_short || known.starts_with(name))
        .collect();
    // What is only cut short is meant before what is spelled alike.
    let begins = |known: &&str| !is_short && known.starts_with(name);
    let mut longer: Vec<&str> = names.iter().copied().filter(begins).collect();
    longer.sort_by_key(|known| (known.len(), *known));
    longer.dedup();
    let same = |known: &&&str| known.eq_ignore_ascii_case(name);
    if let Some(same) = names.iter().find(same) {
        longer = vec![same];
    }
    if longer.is_empty() {
        longer.extend(nearest(name, names.iter().copied()));
    }
    match longer.split_at_checked(LONGER) {
        _ if longer.is_empty() => String::new(),
        Some((first, more)) if !more.is_empty() => {
            let (first, more) = (first.join(", "), more.len());
            format!("; did you mean {first} and {more} more?")
        }
        _ => format!("; did you mean {}?", longer.join(" or ")),
    }
}

/// The operator that other languages call by this word.
pub(super) fn operator(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "and" => Some("&&"),
        "or" => Some("||"),
        "not" => Some("!"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_is_spelled_alike_or_goes_on() {
        let names = || ["Topics", "TopicStates", "TopicData", "Acks"].into_iter();
        assert_eq!(suggestion("topics", names()), "; did you mean Topics?");
        let both = "; did you mean TopicData or TopicStates?";
        assert_eq!(
            suggestion("Topic", ["TopicStates", "TopicData"].into_iter()),
            both
        );
        let many = [
            "TopicErrors",
            "TopicStates",
            "TopicData",
            "TopicIds",
            "TopicId",
            "Topics",
        ];
        for (word, said) in [
            ("TopicI", "; did you mean TopicId or TopicIds?"),
            (
                "Topic",
                "; did you mean Topics, TopicId, TopicIds and 3 more?",
            ),
            ("TOPICID", "; did you mean TopicId?"),
        ] {
            assert_eq!(suggestion(word, many.into_iter().chain(["Topics"])), said);
        }
        assert_eq!(suggestion("Akcs", names()), "; did you mean Acks?");
        assert_eq!(suggestion("Partition", names()), "");
    }

    #[test]
    fn carets_stand_under_the_place() {
        let pointer = |text, at| Mistake::new(text, at, "").pointer();
        assert_eq!(pointer("api == 1", 4..6), "  api == 1\n      ^^");
        assert_eq!(pointer("日本 x", 3..4), "  日本 x\n       ^");
        assert_eq!(pointer("a\n b", 3..9), "  a  b\n     ^");
        assert_eq!(pointer("a &&", 4..5), "  a &&\n      ^");
        assert_eq!(pointer("\u{1b}[2Ja", 4..5), "  \\u{1b}[2Ja\n           ^");
    }
}
