//! What differs between two versions of an API or of any definition: fields, facts, bytes.

use std::fmt::{self, Write};

use serde_json::{Map, Value as Json, json};

use super::{
    Palette, changes_text, encoding_text, facts_text, places_text, smallest_tree, version_fact,
};
use crate::{
    compare::{Change, Encoding, Placed, PlacedPair, Spelled, changes, placed_pairs},
    explain::{VersionFact, VersionNote, api_facts, version_notes_of},
    schema::{ApiKey, Catalogue, Direction, Plan, request_header_version, response_header_version},
    tree::Tree,
};

/// A part of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionDiffPart {
    /// Fields, header and encoding.
    Fields,
    /// What is known of the versions between.
    Facts,
    /// The smallest messages beside each other.
    Bytes,
}

/// The plans of one message, or of a structure by itself, in both versions.
pub struct Sides {
    pub direction: Option<Direction>,
    pub from: &'static Plan,
    pub to: &'static Plan,
}

impl Sides {
    /// How both versions are encoded.
    pub fn encodings(&self) -> [Encoding; 2] {
        let definition = Catalogue::current()
            .definition(self.to.name)
            .and_then(Result::ok);
        [self.from, self.to].map(|plan| Encoding {
            header: definition.and_then(|definition| {
                Some(match self.direction? {
                    Direction::Request => request_header_version(definition, plan.version),
                    Direction::Response => response_header_version(definition, plan.version),
                })
            }),
            flexible: plan.body.flexible,
        })
    }

    /// The smallest legal instances, decoded.
    pub fn trees(&self) -> Option<[Tree; 2]> {
        let tree = |plan| smallest_tree(self.direction, plan);
        Some([tree(self.from)?, tree(self.to)?])
    }
}

/// Two versions of one thing.
pub struct VersionDiff {
    title: String,
    api: Option<ApiKey>,
    from: i16,
    to: i16,
    sides: Vec<Sides>,
}

impl VersionDiff {
    /// The difference between two versions of the definitions of these names, each with its
    /// direction if it is a message; what does not have both versions is left out.
    pub fn new(
        title: String,
        names: &[(Option<Direction>, String)],
        from: i16,
        to: i16,
    ) -> VersionDiff {
        let catalogue = Catalogue::current();
        let sides = names
            .iter()
            .filter_map(|(direction, name)| {
                Some(Sides {
                    direction: *direction,
                    from: catalogue.plan(name, from)?,
                    to: catalogue.plan(name, to)?,
                })
            })
            .collect();
        VersionDiff {
            api: ApiKey::parse(&title),
            title,
            from,
            to,
            sides,
        }
    }

    /// The difference between two versions of an API.
    pub fn of_api(api: ApiKey, from: i16, to: i16) -> VersionDiff {
        let catalogue = Catalogue::current();
        let names: Vec<(Option<Direction>, String)> = [Direction::Request, Direction::Response]
            .into_iter()
            .filter_map(|direction| {
                let definition = catalogue.api(api, direction)?;
                Some((Some(direction), definition.name.clone()))
            })
            .collect();
        VersionDiff::new(api.to_string(), &names, from, to)
    }

    /// Its messages that have both versions.
    pub fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// Writes it, or one part of it.
    pub fn text(
        &self,
        out: &mut String,
        only: Option<VersionDiffPart>,
        palette: Palette,
    ) -> fmt::Result {
        let bold = palette.title();
        let shows = |part| only.is_none_or(|only| only == part);
        writeln!(
            out,
            "{bold}{} v{} -> v{}{bold:#}",
            self.title, self.from, self.to
        )?;
        for side in self.sides.iter().filter(|_| shows(VersionDiffPart::Fields)) {
            let [from, to] = side.encodings();
            writeln!(out, "\n{bold}{}{bold:#}", side.to.name)?;
            encoding_text(out, from, to)?;
            changes_text(out, &changes(side.from, side.to), palette)?;
        }
        if shows(VersionDiffPart::Facts) {
            self.facts_text(out, palette)?;
        }
        for side in self.sides.iter().filter(|_| shows(VersionDiffPart::Bytes)) {
            self.bytes_text(out, side, palette)?;
        }
        Ok(())
    }

    fn facts_text(&self, out: &mut String, palette: Palette) -> fmt::Result {
        let notes = self.notes().map(|note| {
            let label = format!("v{}", note.since);
            (label, format!("Error {}: {note}.", note.code))
        });
        let facts: Vec<(String, String)> = self
            .facts()
            .map(|fact| (format!("v{}", fact.version), version_fact(fact)))
            .chain(notes)
            .collect();
        if facts.is_empty() {
            return Ok(());
        }
        let heading = match self.from <= self.to {
            true => "What the versions brought",
            false => "What the versions brought that is not there any more",
        };
        let bold = palette.title();
        writeln!(out, "\n{bold}{heading}{bold:#}")?;
        facts_text(out, &facts)
    }

    fn bytes_text(&self, out: &mut String, side: &Sides, palette: Palette) -> fmt::Result {
        let Some([from, to]) = side.trees() else {
            return Ok(());
        };
        let bold = palette.title();
        writeln!(
            out,
            "\n{bold}The smallest {} byte by byte{bold:#}",
            side.to.name
        )?;
        let title = |version: i16, tree: &Tree| {
            let size = tree
                .buffers()
                .first()
                .map_or(0, |buffer| buffer.bytes.len());
            format!("v{version}, {size} bytes")
        };
        places_text(
            out,
            [&from, &to],
            [&title(self.from, &from), &title(self.to, &to)],
            &placed_pairs(&from, &to),
            palette,
        )
    }

    /// It as objects, one a line.
    pub fn json(&self) -> Vec<Json> {
        let mut lines = Vec::new();
        for side in &self.sides {
            let head = |kind: &str| {
                let mut head = Map::new();
                head.insert("type".into(), kind.into());
                head.insert("name".into(), side.to.name.into());
                head.insert("from_version".into(), self.from.into());
                head.insert("to_version".into(), self.to.into());
                head
            };
            let [from, to] = side.encodings();
            let mut line = head("encoding");
            line.insert("from".into(), encoding_json(from));
            line.insert("to".into(), encoding_json(to));
            lines.push(line.into());
            for change in changes(side.from, side.to) {
                let mut line = head("change");
                put_change(&mut line, &change);
                lines.push(line.into());
            }
            let Some([from, to]) = side.trees() else {
                continue;
            };
            for pair in placed_pairs(&from, &to) {
                let mut line = head("place");
                put_pair(&mut line, &pair);
                lines.push(line.into());
            }
        }
        lines.extend(self.facts().map(|fact| {
            json!({
                "type": "fact", "name": self.title, "version": fact.version,
                "kafka": fact.kafka, "kip": fact.kip, "text": fact.what,
            })
        }));
        lines.extend(self.notes().map(|note| {
            json!({
                "type": "fact", "name": self.title, "version": note.since,
                "error": note.code.name(), "text": note.to_string(), "source": note.source,
            })
        }));
        lines
    }

    /// What is known of the versions that lie between, the newer end among them.
    pub fn facts(&self) -> impl Iterator<Item = &'static VersionFact> {
        let facts = self.api.and_then(api_facts);
        let versions = facts.map_or(&[][..], |facts| facts.versions.as_slice());
        versions.iter().filter(|fact| self.spans(fact.version))
    }

    /// Errors to which one of those versions gave another sense.
    pub fn notes(&self) -> impl Iterator<Item = &'static VersionNote> {
        self.api
            .into_iter()
            .flat_map(version_notes_of)
            .filter(|note| self.spans(note.since))
    }

    fn spans(&self, version: i16) -> bool {
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        low < version && version <= high
    }
}

fn encoding_json(encoding: Encoding) -> Json {
    json!({ "header_version": encoding.header, "flexible": encoding.flexible })
}

fn put_change(line: &mut Map<String, Json>, change: &Change) {
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

fn put_pair(line: &mut Map<String, Json>, pair: &PlacedPair) {
    let path = pair.to.as_ref().or(pair.from.as_ref());
    let place = |placed: &Option<Placed>| match placed {
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
