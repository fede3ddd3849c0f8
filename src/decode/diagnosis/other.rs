//! What else the bytes could be: framed in another way, another version, another API, or more than
//! one message.

use std::collections::BTreeMap;

use super::{
    Case, Repair, Subject,
    reading::{Fitness, Reading},
    walk::{Ending, Outcome},
};
use crate::{
    decode::{Claim, Framing, Piece, limits, pieces, recognise::request_body},
    event::n_bytes,
    schema::{ApiKey, Definition, Direction, Kind, Plan},
    wire::{BufferId, Span},
};

/// What other explanations cost, beside the strangeness of their values.
const START: u32 = 6;
/// The same against a size that is right: more than a mistake in the body.
const START_AGAINST_SIZE: u32 = 34;
/// No header behind such a size: nearly as much as a field that was forgotten.
const HEADER_MISSING: u32 = 20;
const GLUED: u32 = 5;
const FRAMED_TWICE: u32 = 2;
const VERSION: u32 = 10;
const API: u32 = 26;

impl Case<'_> {
    /// The message starts elsewhere than it seems: its size, or part of it, or its header is not
    /// there.
    pub(super) fn other_starts(&self) -> Vec<Repair> {
        let Subject::Message(claim, _) = self.subject else {
            return Vec::new();
        };
        let len = self.bytes.len();
        let cost = self.start_cost();
        let mut repairs = Vec::new();
        let mut push = |reading: Option<Reading>, span: (usize, usize), text: String| {
            let outcome = reading
                .filter(|reading| reading.start < len)
                .map(|reading| reading.walk(self.bytes, &[]));
            if let Some(outcome) = outcome.filter(|outcome| outcome.ending == Ending::Exact) {
                repairs.push(Repair {
                    span: Span::new(BufferId::FRAME, span.0, span.1),
                    message: text,
                    cost: cost + outcome.strangeness(),
                });
            }
        };
        for start in (0..=4).filter(|&start| start != self.start) {
            let reading = match claim {
                Claim::Requests => self
                    .int16(start)
                    .zip(self.int16(start + 2))
                    .and_then(|(api, version)| self.reading(ApiKey(api), version, start)),
                Claim::Responses { api, version } => self.reading(api, version, start),
            };
            let right = len - start.min(len);
            let text = match start {
                0 => format!(
                    "the size is missing: the bytes start with the header, and 4 bytes of size {right} (0x{right:x}) belong in front"
                ),
                4 => format!(
                    "the size is {}, and should be {right} (0x{right:x})",
                    self.size().unwrap_or_default()
                ),
                _ => format!(
                    "only {} of the 4 bytes of the size {} there: it should be {right} (0x{right:x})",
                    start,
                    if start == 1 { "is" } else { "are" }
                ),
            };
            push(reading, (0, start), text);
        }
        repairs.extend(self.headless());
        repairs
    }

    /// Two sizes, one behind the other: who frames what is framed already.
    pub(super) fn framed_twice(&self) -> Option<Repair> {
        const START: usize = 8;
        let Subject::Message(claim, _) = self.subject else {
            return None;
        };
        let inner = self.bytes.get(4..)?.first_chunk().copied();
        let inner = i64::from(i32::from_be_bytes(inner?));
        let right = self.bytes.len() as i64 - START as i64;
        let reading = match claim {
            Claim::Requests => {
                let (api, version) = (self.int16(START)?, self.int16(START + 2)?);
                self.reading(ApiKey(api), version, START)
            }
            Claim::Responses { api, version } => self.reading(api, version, START),
        };
        let outcome = reading.filter(|_| inner == right)?.walk(self.bytes, &[]);
        (outcome.ending == Ending::Exact).then(|| Repair {
            span: Span::new(BufferId::FRAME, 0, 4),
            message: format!(
                "the message is framed twice: behind these 4 bytes stands its size, {inner} \
                 (0x{inner:x})"
            ),
            cost: FRAMED_TWICE + outcome.strangeness(),
        })
    }

    fn start_cost(&self) -> u32 {
        match self.has_right_size() {
            true => START_AGAINST_SIZE,
            false => START,
        }
    }

    fn has_right_size(&self) -> bool {
        self.start == 4 && self.size() == Some(self.bytes.len() as i64 - 4)
    }

    /// A response without its header, and perhaps without its size: the body alone, in the version
    /// that is asked for or in others.
    fn headless(&self) -> Option<Repair> {
        let proper = self
            .proper
            .filter(|_| self.direction == Direction::Response)?;
        let starts = if self.start > 0 {
            &[4, 0][..]
        } else {
            &[0][..]
        };
        starts.iter().find_map(|&start| {
            let mut fitting = self.bodies(start);
            let of_asked = |version: i16| u32::from(version != proper.body.version);
            fitting.sort_by_key(|&(version, odd)| (odd, of_asked(version)));
            let &(version, odd) = fitting.first()?;
            let what = match (self.start, start) {
                (4, 0) => "neither size nor response header",
                _ => "no response header",
            };
            let body = match of_asked(version) {
                0 => "the body".to_owned(),
                _ => {
                    let mut versions: Vec<i16> = fitting
                        .iter()
                        .filter(|&&(_, other)| other == odd)
                        .map(|&(version, _)| version)
                        .collect();
                    versions.sort_unstable();
                    format!("a body of version {}", version_list(&versions))
                }
            };
            Some(Repair {
                span: Span::new(BufferId::FRAME, start, start),
                message: format!("there is {what}: the bytes are exactly {body}"),
                cost: match start {
                    0 => self.start_cost(),
                    _ if self.has_right_size() => HEADER_MISSING,
                    _ => START,
                } + 2 * of_asked(version)
                    + odd,
            })
        })
    }

    /// Versions whose body the bytes from `start` on are exactly, and how strange they are.
    fn bodies(&self, start: usize) -> Vec<(i16, u32)> {
        let Some(definition) = self.catalogue.api(self.api, self.direction) else {
            return Vec::new();
        };
        definition
            .ever
            .iter()
            .filter_map(|version| {
                let reading = Reading {
                    start,
                    header: None,
                    body: self.catalogue.api_plan(self.api, self.direction, version)?,
                };
                let outcome = reading.walk(self.bytes, &[]);
                let is_exact = outcome.ending == Ending::Exact;
                is_exact.then(|| (version, outcome.strangeness()))
            })
            .collect()
    }

    /// The body is one of another version.
    pub(super) fn other_versions(&self) -> Vec<Repair> {
        let (name, start) = match (self.subject, self.proper) {
            (_, Some(proper)) => (proper.body.name, proper.start),
            (Subject::Message(..), None) => match self.catalogue.api(self.api, self.direction) {
                Some(definition) => (definition.name.as_str(), self.start),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let Some(Ok(definition)) = self.catalogue.definition(name) else {
            return Vec::new();
        };
        let mut fitting: Vec<(u32, i16, Outcome)> = definition
            .ever
            .iter()
            .filter(|&version| version != self.version)
            .filter_map(|version| {
                let outcome = self
                    .version(definition, version, start)?
                    .walk(self.bytes, &[]);
                let is_exact = outcome.ending == Ending::Exact;
                is_exact.then_some((outcome.strangeness(), version, outcome))
            })
            .collect();
        let distance = |version: i16| u32::from(version.abs_diff(self.version));
        fitting.sort_by_key(|&(odd, version, _)| (odd, distance(version)));
        let Some(&(odd, nearest, ref outcome)) = fitting.first() else {
            return Vec::new();
        };
        let mut versions: Vec<i16> = fitting
            .iter()
            .filter(|&&(other, ..)| other == odd)
            .map(|&(_, version, _)| version)
            .collect();
        versions.sort_unstable();
        let span = match (self.direction, self.subject) {
            (Direction::Request, Subject::Message(..)) => (self.start + 2, self.start + 4),
            _ => (outcome.body.unwrap_or(self.start), self.bytes.len()),
        };
        vec![Repair {
            span: Span::new(BufferId::FRAME, span.0, span.1),
            message: format!(
                "the bytes are exactly {name} version {}, not {}",
                version_list(&versions),
                self.version
            ),
            cost: VERSION + distance(nearest).min(10) + odd,
        }]
    }

    /// `version` of what the bytes are said to be.
    fn version(&self, definition: &Definition, version: i16, start: usize) -> Option<Reading> {
        match self.subject {
            Subject::Message(..) => self.reading(self.api, version, start),
            Subject::Structure(_) => Some(Reading {
                start,
                header: None,
                body: self.catalogue.plan(&definition.name, version)?,
            }),
        }
    }

    /// The bytes are a message of another API, or another structure: a response that was matched
    /// to the wrong request, a key that was written wrong.
    pub(super) fn other_apis(&self) -> Vec<Repair> {
        let mut found: BTreeMap<(u32, usize, String), Vec<i16>> = BTreeMap::new();
        let mut note = |reading: Option<Reading>| {
            // Most of them are no such thing, which is soon seen.
            let outcome = reading.map(|reading| (reading, reading.walk(self.bytes, &[])));
            if let Some((reading, outcome)) = outcome
                && outcome.ending == Ending::Exact
                && outcome.odd == 0
                && outcome.text >= limits::TEXT_THAT_SPEAKS
            {
                let doubt = usize::MAX - outcome.text;
                let key = (outcome.odd, doubt, reading.body.name.to_owned());
                found.entry(key).or_default().push(reading.body.version);
            }
        };
        match self.subject {
            Subject::Message(..) => self.other_messages(&mut note),
            Subject::Structure(plan) => self.other_structures(plan, &mut note),
        }
        let span = match (self.direction, self.subject) {
            (Direction::Request, Subject::Message(..)) => (self.start, self.start + 2),
            _ => (self.start, self.bytes.len()),
        };
        let why = match (self.direction, self.subject) {
            (_, Subject::Structure(_)) => "",
            (Direction::Request, _) => ": its API key would be wrong",
            (Direction::Response, _) => ": it would answer another request",
        };
        found
            .into_iter()
            .take(limits::REPAIRS)
            .map(|((odd, _, name), versions)| Repair {
                span: Span::new(BufferId::FRAME, span.0, span.1),
                message: format!(
                    "the bytes are exactly {name} version {}{why}",
                    version_list(&versions)
                ),
                cost: API + odd,
            })
            .collect()
    }

    /// The same bytes as a message of every other API.
    fn other_messages(&self, note: &mut impl FnMut(Option<Reading>)) {
        for api in ApiKey::all().filter(|&api| api != self.api) {
            let Some(definition) = self.catalogue.api(api, self.direction) else {
                continue;
            };
            match self.direction {
                // The version stands beside the key, and is right.
                Direction::Request => note(self.reading(api, self.version, self.start)),
                Direction::Response => {
                    for version in definition.ever.iter() {
                        note(self.reading(api, version, self.start));
                    }
                }
            }
        }
    }

    /// The same bytes as every other structure of the same kind.
    fn other_structures(&self, plan: &Plan, note: &mut impl FnMut(Option<Reading>)) {
        for name in self.catalogue.names().filter(|&name| name != plan.name) {
            let Some(Ok(definition)) = self.catalogue.definition(name) else {
                continue;
            };
            if definition.kind != plan.kind || plan.kind == Kind::Header {
                continue;
            }
            for version in definition.ever.iter() {
                note(self.version(definition, version, 0));
            }
        }
    }

    /// A whole message, and other bytes behind it that the size does not know of, or should not.
    pub(super) fn glued(&self) -> Option<Repair> {
        let Subject::Message(claim, framing) = self.subject else {
            return None;
        };
        let plain = self.plain.as_ref()?;
        let end = match plain.ending {
            Ending::Over => plain.at,
            _ => return None,
        };
        let tail = self.bytes.get(end..).filter(|tail| !tail.is_empty())?;
        let repair = |message| Repair {
            span: Span::new(BufferId::FRAME, end, self.bytes.len()),
            message,
            cost: GLUED + plain.strangeness(),
        };
        if let b"\n" | b"\r\n" = tail {
            return Some(repair(format!(
                "the message ends at 0x{end:04x}, and behind it stands a line feed, as `echo` and \
                 println put one"
            )));
        }
        let behind = n_bytes(tail.len() as u64);
        let size = tail.first_chunk().copied().map(i32::from_be_bytes);
        let is_framed =
            size.is_some_and(|size| size >= 4 && i64::from(size) <= tail.len() as i64 - 4);
        if is_framed {
            let whole = pieces(self.catalogue, claim, tail);
            let is_message = whole
                .iter()
                .all(|Piece { range, framing }| *framing == Framing::Sized && range.len() > 8);
            if is_message {
                let n = whole.len();
                return Some(repair(format!(
                    "the message ends at 0x{end:04x}, and the {behind} behind it are {n} more"
                )));
            }
        }
        if let Some(name) = self.bare_request(end) {
            return Some(repair(format!(
                "the message ends at 0x{end:04x}, and the {behind} behind it are another one without \
                 its size: exactly {name}"
            )));
        }
        // The size has the message end where it does end.
        let is_sized = framing == Framing::Sized && self.size() == Some(end as i64 - 4);
        is_sized.then(|| {
            repair(match size {
                Some(size) => format!(
                    "the message is whole by its size; the {behind} behind it are no message (their \
                     size would be {size})"
                ),
                None => format!(
                    "the message is whole by its size; the {behind} behind it do not belong to it"
                ),
            })
        })
    }
}

impl Case<'_> {
    /// The request that the bytes from `at` on are to the last one.
    fn bare_request(&self, at: usize) -> Option<String> {
        let (api, version, _) = request_body(self.catalogue, self.bytes.get(at..)?)?;
        let reading = Reading::of_api(self.catalogue, Direction::Request, api, version, at)?;
        let Fitness { odd, text, .. } = reading.fitness(self.bytes)?;
        let is_likely = odd == 0 && text >= limits::TEXT_THAT_SPEAKS;
        is_likely.then(|| format!("{} version {version}", reading.body.name))
    }
}

/// Versions as a reader writes them: single ones with "or", runs as ranges.
pub(in crate::decode) fn version_list(versions: &[i16]) -> String {
    let mut runs: Vec<(i16, i16)> = Vec::new();
    for &version in versions {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == version => *last = version,
            _ => runs.push((version, version)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first} or {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    texts.join(" or ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_listed_in_runs() {
        assert_eq!(super::version_list(&[3]), "3");
        assert_eq!(super::version_list(&[3, 4]), "3 or 4");
        assert_eq!(super::version_list(&[0, 3, 4, 5, 9]), "0 or 3 to 5 or 9");
    }
}
