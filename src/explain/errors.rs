//! Kafka's error codes.

use std::fmt;

use super::{
    api_errors,
    error_table::{ERRORS, Row},
};
use crate::schema::ApiKey;

/// A Kafka error code as it travels: an int16, of which 0 is no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorCode(pub i16);

/// What the names begin with that codes have here which no release knows.
pub const UNKNOWN_ERROR: &str = "UNKNOWN_ERROR_CODE_";

/// Names that are suggested for one that is unknown; more would say nothing.
const SUGGESTIONS: usize = 5;

impl ErrorCode {
    /// No error.
    pub const NONE: ErrorCode = ErrorCode(0);

    /// The name in Kafka's `Errors`; `None` for a code that no release has.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// Whether sending the same request again can succeed.
    pub fn is_retriable(self) -> Option<bool> {
        self.row().map(|row| row.retriable)
    }

    /// One sentence on what the error means.
    pub fn meaning(self) -> Option<&'static str> {
        self.row().map(|row| row.meaning)
    }

    /// One sentence on what to do about it.
    pub fn advice(self) -> Option<&'static str> {
        self.row().map(|row| row.advice)
    }

    /// The improvement proposal or release that brought it.
    pub fn since(self) -> Option<&'static str> {
        self.row()
            .map(|row| row.since)
            .filter(|since| !since.is_empty())
    }

    /// What older releases called it.
    pub fn former_names(self) -> impl Iterator<Item = &'static str> {
        FORMER_NAMES
            .iter()
            .filter(move |&&(_, code)| code == self.0)
            .map(|&(name, _)| name)
    }

    /// The APIs that are known to return it, by key.
    pub fn apis(self) -> impl Iterator<Item = ApiKey> {
        api_errors::apis(self.0)
    }

    /// The code of that name or number. Names are taken in any case, with blanks or hyphens for
    /// underscores, as class names of exceptions in a log, and as older releases had them.
    pub fn parse(text: &str) -> Option<ErrorCode> {
        let text = text.trim();
        if let Ok(code) = text.parse() {
            return ErrorCode(code).row().map(|row| ErrorCode(row.code));
        }
        let wanted = normal(text);
        let by_name = |wanted: &str| ErrorCode::all().find(|code| code.normal_name() == wanted);
        let is_former = |wanted: &str| {
            FORMER_NAMES
                .iter()
                .chain(EXCEPTIONS)
                .find(|(name, _)| normal(name) == wanted)
                .map(|&(_, code)| ErrorCode(code))
        };
        // TopicExistsException and the like keep the rest of their name.
        let bare = wanted.strip_suffix("EXCEPTION");
        by_name(&wanted)
            .or_else(|| is_former(&wanted))
            .or_else(|| by_name(bare?))
            .or_else(|| is_former(bare?))
    }

    /// Names that `text` may have been meant for, the likeliest first.
    pub fn similar(text: &str) -> Vec<&'static str> {
        let wanted = normal(text);
        let bare = wanted.strip_suffix("EXCEPTION").unwrap_or(&wanted);
        if bare.is_empty() {
            return Vec::new();
        }
        let mut ranked: Vec<(usize, &str)> = ErrorCode::all()
            .filter_map(|code| {
                let name = code.normal_name();
                let distance = if name.contains(bare) {
                    0
                } else {
                    Some(strsim::damerau_levenshtein(bare, &name))
                        .filter(|&far| far <= 2.max(bare.len() / 3))?
                };
                Some((distance, code.name()?))
            })
            .collect();
        ranked.sort_by_key(|&(distance, name)| (distance, name.len()));
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    /// Why `text`, which [`ErrorCode::parse`] does not know, is no error, with names that it may have been
    /// meant for.
    pub fn unknown(text: &str) -> String {
        if text.parse::<i64>().is_ok() {
            let most = ErrorCode::all().map(|code| code.0).max();
            return format!(
                "{text}: no Kafka error has this code; codes go from -1 to {}",
                most.unwrap_or_default()
            );
        }
        let similar = ErrorCode::similar(text);
        let named = similar.get(..SUGGESTIONS).unwrap_or(&similar);
        let no_error = format!("{text}: no Kafka error has this name");
        match named.split_last() {
            None => no_error,
            Some((only, [])) => format!("{no_error}; did you mean {only}?"),
            Some((last, rest)) => {
                format!("{no_error}; did you mean {} or {last}?", rest.join(", "))
            }
        }
    }

    /// Every code.
    pub fn all() -> impl Iterator<Item = ErrorCode> {
        ERRORS.iter().map(|row| ErrorCode(row.code))
    }

    fn normal_name(self) -> String {
        normal(self.name().unwrap_or_default())
    }

    fn row(self) -> Option<&'static Row> {
        // The codes are consecutive from -1.
        ERRORS.get(usize::try_from(i32::from(self.0) + 1).ok()?)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{UNKNOWN_ERROR}{}", self.0),
        }
    }
}

/// A name without what people and languages spell differently.
fn normal(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// What older releases called a code.
const FORMER_NAMES: &[(&str, i16)] = &[
    ("INVALID_MESSAGE", 2),
    ("NOT_LEADER_FOR_PARTITION", 6),
    ("MESSAGE_SIZE_TOO_LARGE", 10),
    ("OFFSETS_LOAD_IN_PROGRESS", 14),
    ("GROUP_LOAD_IN_PROGRESS", 14),
    ("CONSUMER_COORDINATOR_NOT_AVAILABLE", 15),
    ("GROUP_COORDINATOR_NOT_AVAILABLE", 15),
    ("NOT_COORDINATOR_FOR_CONSUMER", 16),
    ("NOT_COORDINATOR_FOR_GROUP", 16),
];

/// Exceptions whose name is not that of their code.
const EXCEPTIONS: &[(&str, i16)] = &[
    ("Timeout", 7),
    ("RecordTooLarge", 10),
    ("InvalidTopic", 17),
    ("RecordBatchTooLarge", 18),
    ("TopicExists", 36),
    ("InvalidConfiguration", 40),
    ("OutOfOrderSequence", 45),
    ("DuplicateSequence", 46),
    ("InvalidPidMapping", 49),
    ("InvalidTxnTimeout", 50),
    ("DelegationTokenDisabled", 61),
    ("UnsupportedByAuthentication", 64),
    ("GroupNotEmpty", 68),
    ("PrincipalDeserialization", 97),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_consecutive_and_found_both_ways() {
        for (idx, row) in ERRORS.iter().enumerate() {
            assert_eq!(usize::try_from(row.code + 1).unwrap(), idx);
            assert_eq!(ErrorCode(row.code).name(), Some(row.name));
            assert_eq!(ErrorCode::parse(row.name), Some(ErrorCode(row.code)));
        }
        assert_eq!(ErrorCode::parse("73"), Some(ErrorCode(73)));
        assert_eq!(ErrorCode::parse("-1"), Some(ErrorCode(-1)));
        assert_eq!(ErrorCode::parse("134"), None);
        assert_eq!(ErrorCode(-2).name(), None);
        assert_eq!(ErrorCode(i16::MAX).to_string(), "UNKNOWN_ERROR_CODE_32767");
    }

    #[test]
    fn every_error_says_what_it_means_and_what_to_do() {
        for row in ERRORS {
            for sentence in [row.meaning, row.advice] {
                assert!(sentence.ends_with('.'), "{}: {sentence}", row.name);
                assert!(
                    sentence.is_ascii() && sentence.len() <= 180,
                    "{}: {sentence}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn names_are_found_as_logs_and_older_releases_spell_them() {
        let code = |text| ErrorCode::parse(text).map(|code| code.0);
        assert_eq!(code("UnknownTopicOrPartitionException"), Some(3));
        assert_eq!(code("NotLeaderForPartitionException"), Some(6));
        assert_eq!(code("unknown-topic-or-partition"), Some(3));
        assert_eq!(code("InvalidTopicException"), Some(17));
        assert_eq!(code("TopicExistsException"), Some(36));
        assert_eq!(code("UNKNOWN_TOPIC"), None);
        for (name, code) in FORMER_NAMES.iter().chain(EXCEPTIONS) {
            assert!(ErrorCode(*code).name().is_some(), "{name}");
        }
    }

    #[test]
    fn a_part_or_a_slip_finds_the_name() {
        assert_eq!(ErrorCode::similar("UNKNOWN_TOPIC")[0], "UNKNOWN_TOPIC_ID");
        assert!(ErrorCode::similar("UNKNOWN_TOPIC").contains(&"UNKNOWN_TOPIC_OR_PARTITION"));
        assert_eq!(
            ErrorCode::similar("OFSET_OUT_OF_RAGNE")[0],
            "OFFSET_OUT_OF_RANGE"
        );
        assert_eq!(ErrorCode::similar("qqqqqqqqqqqqqqqqqq"), Vec::<&str>::new());
    }

    #[test]
    fn what_old_brokers_send_is_not_laid_to_clients_alone() {
        let meaning = ErrorCode(13).meaning().unwrap();
        assert!(meaning.contains("StaleLeaderEpochCode"), "{meaning}");
        assert!(
            ErrorCode(13)
                .apis()
                .any(|api| api.name() == Some("LeaderAndIsr"))
        );
    }

    #[test]
    fn the_apis_of_an_error_are_listed() {
        let names =
            |code| -> Vec<&str> { ErrorCode(code).apis().filter_map(ApiKey::name).collect() };
        assert_eq!(names(73), ["DeleteTopics"]);
        assert!(names(3).contains(&"Fetch"));
        assert_eq!(names(0), Vec::<&str>::new());
    }
}
