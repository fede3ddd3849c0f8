//! Bodies encoded by an independent encoder: all decode to their values and to the last byte.

use std::sync::OnceLock;

use kafscope::{
    decode::{Lead, structure},
    encode::body,
    render::{Head, json_message},
    schema::{Catalogue, Plan},
    tree::Builder,
};
use serde_json::Value as Json;

use crate::audit::Audit;

/// One line of `tests/data/vectors.jsonl`.
pub(crate) struct Vector {
    pub(crate) message: String,
    pub(crate) version: i16,
    pub(crate) body: Vec<u8>,
    pub(crate) value: Json,
}

impl Vector {
    pub(crate) fn plan(&self) -> &'static Plan {
        Catalogue::current()
            .plan(&self.message, self.version)
            .unwrap_or_else(|| panic!("{} {} is unknown", self.message, self.version))
    }
}

/// All vectors, read once.
pub(crate) fn vectors() -> &'static [Vector] {
    static VECTORS: OnceLock<Vec<Vector>> = OnceLock::new();
    VECTORS.get_or_init(|| {
        include_str!("../data/vectors.jsonl")
            .lines()
            .map(|line| {
                let json: Json = serde_json::from_str(line).unwrap();
                Vector {
                    message: json["message"].as_str().unwrap().to_owned(),
                    version: json["version"].as_i64().unwrap() as i16,
                    body: unhex(json["body"].as_str().unwrap()),
                    value: json["value"].clone(),
                }
            })
            .collect()
    })
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let text = text.trim();
    (0..text.len() / 2)
        .map(|idx| u8::from_str_radix(&text[2 * idx..2 * idx + 2], 16).unwrap())
        .collect()
}

#[test]
fn every_vector_decodes_to_its_value_and_its_last_byte() {
    let mut wrong = Vec::new();
    let vectors = vectors();
    for vector in vectors {
        let mut audit = Audit::new(vector.body.len());
        structure(vector.plan(), Lead::None, &vector.body, &mut audit);
        let problems = audit.finish();
        let (tree, ()) = Builder::build(vector.body.clone(), |bytes, sink| {
            structure(vector.plan(), Lead::None, bytes, sink);
        });
        let line = json_message(&tree, &Head::Structure(vector.plan()));
        // Some values of tagged fields say nothing that the default would not; both forms are read.
        if !problems.is_empty() || !covers(&vector.value, &line["value"]) {
            wrong.push(format!(
                "{} {}: {problems:?}\n want {}\n got  {}",
                vector.message, vector.version, vector.value, line["value"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(vectors.len() > 700);
}

/// Whether `got` says all that `want` says.
fn covers(want: &Json, got: &Json) -> bool {
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => want
            .iter()
            .all(|(key, want)| got.get(key).is_some_and(|got| covers(want, got))),
        (Json::Array(want), Json::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| covers(want, got))
        }
        // Records of no bytes are no batches.
        (Json::String(want), Json::Array(got)) => want.is_empty() && got.is_empty(),
        _ => want == got,
    }
}

#[test]
fn every_vector_fits_its_own_plan_only_as_a_whole() {
    for vector in vectors() {
        assert!(vector.plan().fits(&vector.body));
        let longer = [&vector.body[..], &[0]].concat();
        assert!(!vector.plan().fits(&longer), "{}", vector.message);
        if let Some((_, shorter)) = vector.body.split_last() {
            assert!(!vector.plan().fits(shorter), "{}", vector.message);
        }
    }
}

#[test]
fn every_vector_is_encoded_from_its_own_json() {
    for vector in vectors() {
        let (tree, ()) = Builder::build(vector.body.clone(), |bytes, sink| {
            structure(vector.plan(), Lead::None, bytes, sink);
        });
        let line = json_message(&tree, &Head::Structure(vector.plan()));
        let bytes = body(vector.plan(), &line["value"])
            .unwrap_or_else(|error| panic!("{} {}: {error}", vector.message, vector.version));
        assert_eq!(bytes, vector.body, "{} {}", vector.message, vector.version);
    }
}
