//! `error`: what an error code means, what to do about it, who returns it.

use anyhow::anyhow;
use serde_json::json;

use super::{Outcome, args::ErrorArgs, output::Output};
use crate::{
    explain::{ErrorCode, version_notes},
    render::wrap,
    schema::ApiKey,
};

pub(super) fn run(args: &ErrorArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let code = ErrorCode::parse(&args.code);
    let code = code.ok_or_else(|| anyhow!(ErrorCode::unknown(&args.code)))?;
    let retriable = code.is_retriable().unwrap_or_default();
    let meaning = code.meaning().unwrap_or_default();
    let advice = code.advice().unwrap_or_default();
    let apis: Vec<&str> = code.apis().filter_map(ApiKey::name).collect();
    let versions: Vec<String> = version_notes(code).map(ToString::to_string).collect();
    let former = code.former_names().collect::<Vec<_>>();
    if args.json {
        output.json(&json!({
            "type": "error",
            "code": code.0,
            "name": code.name(),
            "retriable": retriable,
            "meaning": meaning,
            "advice": advice,
            "since": code.since(),
            "former_names": former,
            "versions": versions,
            "apis": apis,
        }))?;
        return Ok(Outcome::Fine);
    }
    let word = if retriable {
        "retriable"
    } else {
        "not retriable"
    };
    output.line(format_args!("{} {code} ({word})", code.0))?;
    let mut rows = vec![("meaning", meaning), ("what to do", advice)];
    rows.extend(code.since().map(|since| ("since", since)));
    rows.extend(versions.iter().map(|note| ("versions", note.as_str())));
    let former = former.join(", ");
    if !former.is_empty() {
        rows.push(("formerly", &former));
    }
    let apis = apis.join(", ");
    if code != ErrorCode::NONE {
        rows.push((
            "returned by",
            if apis.is_empty() {
                "no API in particular"
            } else {
                &apis
            },
        ));
    }
    for (label, text) in rows {
        let mut label = label;
        for line in wrap(text, WIDTH) {
            output.line(format_args!("{label:<12} {line}"))?;
            label = "";
        }
    }
    Ok(Outcome::Fine)
}

/// Width of the text beside the labels.
const WIDTH: usize = 86;
