//! Findings as lines: for people, and as JSON.

use std::fmt::{self, Write};

use serde_json::{Value as Json, json};

use super::{
    Palette, escape_sentence, escape_str,
    exchange::{time_of_day, timestamp},
};
use crate::check::{Extent, Finding, Occurrence, Removed, Severity, User};

/// Writes a line for each finding, or for each occurrence where all of them are wanted.
pub fn findings_text(
    out: &mut impl Write,
    findings: &[Finding],
    palette: Palette,
    extent: Extent,
) -> fmt::Result {
    for finding in findings {
        match extent {
            Extent::First(_) => {
                let text = format!(
                    "{}: {}{}",
                    escape_str(&finding.subject),
                    escape_sentence(&finding.detail),
                    places(finding)
                );
                line(out, finding, palette, &text)?;
            }
            Extent::All => {
                for occurrence in &finding.occurrences {
                    line(out, finding, palette, &one(finding, occurrence))?;
                }
            }
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, finding: &Finding, palette: Palette, text: &str) -> fmt::Result {
    let style = palette.severity(finding.severity);
    writeln!(
        out,
        "{style}{}{style:#} [{}] {text}",
        finding.severity.name(),
        finding.kind.name()
    )
}

fn one(finding: &Finding, occurrence: &Occurrence) -> String {
    let mut text = String::new();
    if let Some(time) = occurrence.time {
        text.push_str(&time_of_day(time));
        text.push_str(", ");
    }
    if let Some(batch) = occurrence.batch {
        let _ = write!(text, "batch {batch}, ");
    }
    match (occurrence.n, occurrence.connection) {
        (Some(n), _) => {
            let _ = write!(text, "exchange {n}, ");
        }
        (None, Some(connection)) => {
            let _ = write!(text, "connection {connection}, ");
        }
        (None, None) => {}
    }
    text.push_str(&escape_str(&finding.subject));
    let detail = match occurrence.detail.as_str() {
        "" => &finding.detail,
        detail => detail,
    };
    text.push_str(": ");
    text.push_str(&escape_sentence(detail));
    text
}

/// ` (3 times: exchanges 7, 9, 12)`.
fn places(finding: &Finding) -> String {
    let numbers = |number: fn(&Occurrence) -> Option<u64>| {
        let mut numbers: Vec<u64> = finding.occurrences.iter().filter_map(number).collect();
        numbers.dedup();
        numbers
    };
    let of_kinds = [
        ("batch", "batches", numbers(|found| found.batch)),
        (
            "exchange",
            "exchanges",
            numbers(|found| found.n.map(u64::from)),
        ),
        (
            "connection",
            "connections",
            numbers(|found| found.connection.map(u64::from)),
        ),
    ];
    let met = of_kinds
        .into_iter()
        .find(|(.., numbers)| !numbers.is_empty());
    let (word, words, numbers) = met.unwrap_or_default();
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let is_cut = finding.count > finding.occurrences.len() as u64;
    let place = match texts.as_slice() {
        [] => String::new(),
        [only] if !is_cut => format!("{word} {only}"),
        texts if is_cut => format!("first in {words} {}", texts.join(", ")),
        texts => format!("{words} {}", texts.join(", ")),
    };
    match (finding.count, place.is_empty()) {
        (1, true) => String::new(),
        (1, false) => format!(" ({place})"),
        (n, true) => format!(" ({n} times)"),
        (n, false) => format!(" ({n} times: {place})"),
    }
}

/// What there is of each severity, in a few words.
pub fn findings_summary(findings: &[Finding]) -> String {
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let of = findings
            .iter()
            .filter(|finding| finding.severity == severity);
        (of.count(), severity.name())
    });
    let texts: Vec<String> = counts
        .into_iter()
        .filter(|&(n, _)| n > 0)
        .map(|(n, name)| match n {
            1 => format!("1 {name}"),
            n => format!("{n} {name}s"),
        })
        .collect();
    texts.join(", ")
}

/// The lines of a finding: one, or one for each occurrence; docs/JSON.md is the contract.
pub fn finding_json(finding: &Finding, extent: Extent) -> Vec<Json> {
    let base = |occurrences: &[Occurrence], count: u64, message: &str| {
        let of = |number: fn(&Occurrence) -> Option<u32>| {
            let mut numbers: Vec<u32> = occurrences.iter().filter_map(number).collect();
            numbers.dedup();
            numbers
        };
        let time = occurrences.first().and_then(|first| first.time);
        let mut batches: Vec<u64> = occurrences.iter().filter_map(|found| found.batch).collect();
        batches.dedup();
        let mut line = json!({
            "type": "finding",
            "severity": finding.severity.name(),
            "kind": finding.kind.name(),
            "subject": finding.subject,
            "message": message,
            "count": count,
            "exchanges": of(|found| found.n),
            "connections": of(|found| found.connection),
            "time": time.map(|time| format!("{:.6}", timestamp(time))),
        });
        // A log segment has batches where captures have exchanges.
        if let (false, Some(line)) = (batches.is_empty(), line.as_object_mut()) {
            line.shift_remove("exchanges");
            line.shift_remove("connections");
            line.insert("batches".to_owned(), batches.into());
        }
        line
    };
    match extent {
        Extent::First(_) => {
            let mut line = base(&finding.occurrences, finding.count, &finding.detail);
            if let (Some(removed), Some(line)) = (&finding.removed, line.as_object_mut()) {
                line.insert("versions".to_owned(), versions_json(removed));
                line.insert("clients".to_owned(), clients_json(removed));
            }
            vec![line]
        }
        Extent::All => {
            let each = finding.occurrences.iter().map(|occurrence| {
                let message = match occurrence.detail.as_str() {
                    "" => &finding.detail,
                    detail => detail,
                };
                base(std::slice::from_ref(occurrence), 1, message)
            });
            each.collect()
        }
    }
}

fn versions_json(removed: &Removed) -> Json {
    let versions = removed.versions.iter();
    let each = versions.map(|&(api, version, count)| {
        json!({"api_key": api.0, "api": api.name(), "version": version, "count": count})
    });
    each.collect()
}

fn clients_json(removed: &Removed) -> Json {
    let each = removed.users.iter().map(|User { client, count }| {
        let software = client.software.as_ref();
        json!({
            "client_id": client.client_id,
            "software": software.map(|s| json!({"name": s.name, "version": s.version})),
            "address": client.address,
            "count": count,
        })
    });
    each.collect()
}
