//! Two versions of an API or of any definition.

use anyhow::anyhow;
use serde_json::{Value as Json, json};

use crate::{
    cli::{
        Outcome,
        args::{DiffArgs, DiffPart},
        output::Output,
        sample,
    },
    compare::{Change, Encoding, PlacedPair, Spelled, changes, placed_pairs},
    explain::{VersionFact, VersionNote, api_facts, version_notes_of},
    render::{changes_text, encoding_text, facts_text, places_text, version_fact},
    schema::{
        ApiKey, Catalogue, Direction, Plan, Versions, nearest, request_header_version,
        response_header_version,
    },
};

/// The plans of one message in both versions.
struct Sides {
    direction: Option<Direction>,
    from: &'static Plan,
    to: &'static Plan,
}

pub(super) fn run(
    args: &DiffArgs,
    name: &str,
    versions: &[i16],
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let api = ApiKey::parse(name);
    let names: Vec<(Option<Direction>, String)> = match api {
        Some(api) => sample::directions(args.request, args.response)
            .iter()
            .filter_map(|&direction| {
                let definition = catalogue.api(api, direction)?;
                Some((Some(direction), definition.name.clone()))
            })
            .collect(),
        None => vec![(None, known_name(name)?)],
    };
    let ever = names
        .iter()
        .filter_map(|(_, name)| catalogue.definition(name)?.ok())
        .map(|definition| definition.ever)
        .fold(Versions::NONE, Versions::hull);
    let (from, to) = match versions {
        [] => (ever.max.saturating_sub(1).max(ever.min), ever.max),
        [from] => (*from, ever.max),
        [from, to, ..] => (*from, *to),
    };
    if let Some(version) = [from, to].into_iter().find(|&v| !ever.contains(v)) {
        return Err(anyhow!("{name} has versions {ever}, not {version}"));
    }
    let sides: Vec<Sides> = names
        .iter()
        .filter_map(|(direction, name)| {
            Some(Sides {
                direction: *direction,
                from: catalogue.plan(name, from)?,
                to: catalogue.plan(name, to)?,
            })
        })
        .collect();
    let title = api.map_or(name.to_owned(), |api| api.to_string());
    let report = Report { api, from, to };
    match args.json {
        true => report.json(&title, &sides, output)?,
        false => report.text(args.only, &title, &sides, output)?,
    }
    Ok(Outcome::Fine)
}

/// The definition of that name, in the case that it has.
fn known_name(name: &str) -> anyhow::Result<String> {
    let catalogue = Catalogue::current();
    let found = catalogue
        .names()
        .find(|known| known.eq_ignore_ascii_case(name));
    found
        .map(str::to_owned)
        .ok_or_else(|| match nearest(name, catalogue.names()) {
            Some(near) => anyhow!("{name}: no definition has this name; did you mean {near}?"),
            None => anyhow!("{name}: no definition has this name"),
        })
}

struct Report {
    api: Option<ApiKey>,
    from: i16,
    to: i16,
}

impl Report {
    fn text(
        &self,
        only: Option<DiffPart>,
        title: &str,
        sides: &[Sides],
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let palette = output.palette();
        let bold = palette.title();
        let shows = |part| only.is_none_or(|only| only == part);
        let mut text = format!("{bold}{title} v{} -> v{}{bold:#}\n", self.from, self.to);
        for side in sides {
            let [from, to] = self.encodings(side);
            if shows(DiffPart::Fields) {
                text.push_str(&format!("\n{bold}{}{bold:#}\n", side.to.name));
                encoding_text(&mut text, from, to)?;
                changes_text(&mut text, &changes(side.from, side.to), palette)?;
            }
        }
        if shows(DiffPart::Facts) {
            let facts: Vec<(String, String)> = self
                .facts()
                .map(|fact| (format!("v{}", fact.version), version_fact(fact)))
                .chain(self.notes().map(|note| {
                    let label = format!("v{}", note.since);
                    (label, format!("Error {}: {note}.", note.code))
                }))
                .collect();
            if !facts.is_empty() {
                let heading = match self.from <= self.to {
                    true => "What the versions brought",
                    false => "What the versions brought that is not there any more",
                };
                text.push_str(&format!("\n{bold}{heading}{bold:#}\n"));
                facts_text(&mut text, &facts)?;
            }
        }
        for side in sides {
            if !shows(DiffPart::Bytes) {
                continue;
            }
            let Some([from, to]) = self.trees(side) else {
                continue;
            };
            let size = |tree: &crate::tree::Tree| {
                tree.buffers()
                    .first()
                    .map_or(0, |buffer| buffer.bytes.len())
            };
            text.push_str(&format!(
                "\n{bold}The smallest {} byte by byte{bold:#}\n",
                side.to.name
            ));
            places_text(
                &mut text,
                [&from, &to],
                [
                    &format!("v{}, {} bytes", self.from, size(&from)),
                    &format!("v{}, {} bytes", self.to, size(&to)),
                ],
                &placed_pairs(&from, &to),
                palette,
            )?;
        }
        output.text(text)?;
        Ok(())
    }

    fn json(&self, title: &str, sides: &[Sides], output: &mut Output) -> anyhow::Result<()> {
        for side in sides {
            let [from, to] = self.encodings(side);
            let encoding = |encoding: Encoding| json!({ "header_version": encoding.header, "flexible": encoding.flexible });
            let head = |kind: &str| {
                let mut head = serde_json::Map::new();
                head.insert("type".into(), kind.into());
                head.insert("name".into(), side.to.name.into());
                head.insert("from_version".into(), self.from.into());
                head.insert("to_version".into(), self.to.into());
                head
            };
            let mut line = head("encoding");
            line.insert("from".into(), encoding(from));
            line.insert("to".into(), encoding(to));
            output.json(&line)?;
            for change in changes(side.from, side.to) {
                let mut line = head("change");
                put_change(&mut line, &change);
                output.json(&line)?;
            }
            let Some([from, to]) = self.trees(side) else {
                continue;
            };
            for pair in placed_pairs(&from, &to) {
                let mut line = head("place");
                put_pair(&mut line, &pair);
                output.json(&line)?;
            }
        }
        for fact in self.facts() {
            output.json(&json!({
                "type": "fact", "name": title, "version": fact.version, "kafka": fact.kafka,
                "kip": fact.kip, "text": fact.what,
            }))?;
        }
        for note in self.notes() {
            output.json(&json!({
                "type": "fact", "name": title, "version": note.since, "error": note.code.name(),
                "text": note.to_string(), "source": note.source,
            }))?;
        }
        Ok(())
    }

    /// How both versions are encoded.
    fn encodings(&self, side: &Sides) -> [Encoding; 2] {
        let definition = Catalogue::current()
            .definition(side.to.name)
            .and_then(Result::ok);
        [side.from, side.to].map(|plan| Encoding {
            header: definition.and_then(|definition| {
                Some(match side.direction? {
                    Direction::Request => request_header_version(definition, plan.version),
                    Direction::Response => response_header_version(definition, plan.version),
                })
            }),
            flexible: plan.body.flexible,
        })
    }

    /// What is known of the versions that lie between, the newer end among them.
    fn facts(&self) -> impl Iterator<Item = &'static VersionFact> {
        let facts = self.api.and_then(api_facts);
        let versions = facts.map_or(&[][..], |facts| facts.versions.as_slice());
        versions.iter().filter(|fact| self.spans(fact.version))
    }

    /// Errors to which one of those versions gave another sense.
    fn notes(&self) -> impl Iterator<Item = &'static VersionNote> {
        self.api
            .into_iter()
            .flat_map(version_notes_of)
            .filter(|note| self.spans(note.since))
    }

    fn spans(&self, version: i16) -> bool {
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        low < version && version <= high
    }

    /// The smallest legal instances, decoded.
    fn trees(&self, side: &Sides) -> Option<[crate::tree::Tree; 2]> {
        let tree = |plan| sample::smallest_tree(side.direction, plan);
        Some([tree(side.from)?, tree(side.to)?])
    }
}

fn put_change(line: &mut serde_json::Map<String, Json>, change: &Change) {
    let spelled = |spelled: &Option<Spelled>| match spelled {
        Some(spelled) => json!({
            "type": spelled.ty, "nullable": spelled.nullable, "tag": spelled.tag,
        }),
        None => Json::Null,
    };
    line.insert("path".into(), change.path.as_str().into());
    line.insert("from".into(), spelled(&change.was));
    line.insert("to".into(), spelled(&change.is));
    line.insert("about".into(), change.about.into());
}

fn put_pair(line: &mut serde_json::Map<String, Json>, pair: &PlacedPair) {
    let path = pair.to.as_ref().or(pair.from.as_ref());
    let place = |placed: &Option<crate::compare::Placed>| match placed {
        Some(placed) => json!({ "offset": placed.span.at, "size": placed.span.len }),
        None => Json::Null,
    };
    line.insert(
        "path".into(),
        path.map(|placed| placed.path.as_str()).into(),
    );
    line.insert("from".into(), place(&pair.from));
    line.insert("to".into(), place(&pair.to));
}
