//! The members of an exchange: columns, filters, orders, the help and the documents know the same ones.

use std::fs;

use kafscope::{
    query::{Filter, Sort, column_names},
    render::{ExchangeField as Field, FieldType, Standing},
};
use serde_json::{Map, Value as Json};

use crate::{
    filter::{CAPTURES, lines, path, taken},
    program::kafscope,
    timed::session,
};

/// Expressions that are true of a value.
fn truths(field: Field, value: &Json, all: &mut Vec<String>) {
    let name = field.name();
    match (field.ty(), value) {
        (_, Json::Null) => all.push(format!("{name} == null")),
        (FieldType::Time, time) => {
            // Times of the contract end with microseconds.
            all.push(format!("{name} >= timestamp({time})"));
            all.push(format!("{name} < timestamp({time}) + duration(\"1us\")"));
        }
        (FieldType::Problems, list) => {
            let len = list.as_array().unwrap().len();
            all.push(format!("{name}.size() == {len}"));
        }
        (FieldType::Group(_) | FieldType::Message(_), _) => all.push(format!("{name} != null")),
        (FieldType::Int | FieldType::Millis, value) => {
            assert!(value.is_i64(), "{name}: {value}");
            all.push(format!("{name} == {value}"));
        }
        (_, value) => all.push(format!("{name} == {value}")),
    }
}

#[test]
fn a_member_is_the_same_in_lines_columns_and_filters() {
    let captures = CAPTURES.into_iter().chain(["samples/tls.pcapng"]);
    for capture in captures {
        let capture = path(capture);
        let name = capture.to_str().unwrap();
        let session = session(&capture);
        let names: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        let chosen = lines(&["list", "--json", name, "--columns", &names.join(",")]);
        let whole = lines(&["list", "--json", name]);
        assert_eq!(chosen.len(), whole.len());
        for (chosen, whole) in chosen.iter().zip(&whole).step_by(9) {
            let mut line = Map::new();
            let mut all = Vec::new();
            for &field in Field::ALL {
                let value = &chosen[field.name()];
                let is_there = match field.standing() {
                    Standing::Line => true,
                    Standing::Sometimes => !value.is_null() && *value != Json::Bool(false),
                    Standing::Inside | Standing::Asked => false,
                };
                if is_there {
                    line.insert(field.name().to_owned(), value.clone());
                }
                for member in field.ty().members() {
                    let inside = value.get(member.part()).unwrap_or(&Json::Null);
                    assert_eq!(*inside, chosen[member.name()], "{}", member.name());
                }
                // An object that is not there has no members that could be compared.
                let (root, _) = field.name().split_once('.').unwrap_or(("n", ""));
                if field != Field::Type && !chosen[root].is_null() {
                    truths(field, value, &mut all);
                }
            }
            assert_eq!(Json::Object(line), *whole);
            let n = whole["n"].as_u64().unwrap() as u32;
            for one in &all {
                assert!(taken(&session, one).contains(&n), "{n}: {one}");
            }
        }
    }
}

#[test]
fn every_member_is_a_column_an_order_and_a_word_of_the_documents() {
    let read = |name| fs::read_to_string(path(name)).unwrap();
    let (json, filter) = (read("docs/JSON.md"), read("docs/FILTER.md"));
    let help = kafscope(&["list", "--help"], "").stdout;
    let words = help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
    let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).collect();
    for &field in Field::ALL {
        let name = field.name();
        assert!(Sort::parse(name).is_ok(), "{name}");
        assert!(Sort::parse(field.short()).is_ok(), "{name}");
        assert!(words.contains(&field.short()), "{name} is not in the help");
        let is_known = |document: &str| {
            // What is said of the one message holds for the other.
            let same = name.replace("response.", "request.");
            document.contains(&format!("`{same}`"))
                || document.contains(&format!("`.{}`", field.part()))
        };
        assert!(
            is_known(&json) || json.contains(&format!("\"{name}\"")),
            "{name}"
        );
        if field != Field::Type {
            assert!(is_known(&filter), "{name}");
            assert!(Filter::parse(&format!("{name} == null")).is_ok(), "{name}");
        }
    }
    assert_eq!(column_names().count(), Field::ALL.len());
    assert!(Filter::parse("type == \"exchange\"").is_err());
}

#[test]
fn a_column_that_is_named_twice_is_there_once() {
    let capture = path("samples/topics.pcap");
    let capture = capture.to_str().unwrap();
    for list in ["n,n", "n,time,-time,+n", "n, n "] {
        let run = kafscope(&["list", capture, "--columns", list, "--json"], "");
        assert_eq!(run.stdout.lines().next(), Some("{\"n\":1}"), "{list}");
    }
    let usual = kafscope(&["list", capture], "").stdout;
    let same = kafscope(&["list", capture, "--columns", "+latency_ms"], "").stdout;
    assert_eq!(same, usual);
    for list in ["", " ", "n,", "+"] {
        let run = kafscope(&["list", capture, "--columns", list], "");
        let said = "a name of a column is missing here";
        assert!(run.stderr.contains(said), "{list:?}: {}", run.stderr);
    }
}

#[test]
fn what_error_never_says_is_told_with_what_it_is_about() {
    let capture = path("samples/topics.pcap");
    let capture = capture.to_str().unwrap();
    for (filter, said) in [
        (
            "error in [\"nope\"]",
            "error is the text of that column, which never says nope",
        ),
        ("\"nope\" in errors", "no exchange has the error nope"),
        ("error == \"NONE\"", "errors.size() == 0"),
        ("\"NONE\" in errors", "errors.size() == 0"),
    ] {
        let run = kafscope(&["list", capture, "--filter", filter], "");
        assert!(run.stderr.contains(said), "{filter}: {}", run.stderr);
        assert!(!run.stderr.contains("did you mean NONE"), "{}", run.stderr);
    }
}
