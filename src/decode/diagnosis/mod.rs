//! Why a message does not parse: the known mistakes, each tried until one explains every byte.
//!
//! What comes in is a message that its decode found errors in; what goes out are the repairs that
//! make the whole message consume exactly its size, most likely first. A repair is a sentence with
//! the bytes it is about. Nothing is changed and nothing guessed silently: where no single mistake
//! explains the bytes, there is no repair.

mod deviation;
mod trial;

use deviation::{Deviation, Reach};
use trial::{HeaderReading, Trial, header_readings};

use super::{Claim, Framing, Piece, limits, pieces};
use crate::{
    event::{Code, Place, Problem, Severity, n_bytes},
    schema::{ApiKey, Catalogue, Definition, Direction, Kind, Plan},
    wire::{BufferId, Span},
};

/// One way to make sense of all bytes of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The bytes that are wrong; empty where bytes are missing.
    pub span: Span,
    /// What is wrong and what would be right, in one sentence without a full stop.
    pub message: String,
    /// How far-fetched it is; smaller is likelier.
    cost: u32,
}

impl Repair {
    /// The repair as what outputs know how to show.
    pub fn problem(&self) -> Problem {
        Problem {
            severity: Severity::Note,
            code: Code::Diagnosis,
            span: self.span,
            place: Place::Here,
            message: self.message.clone(),
        }
    }
}

/// What is looked into.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// A message with its header.
    Message(Claim, Framing<'static>),
    /// A body or data structure by itself.
    Structure(&'static Plan),
}

/// The repairs of `bytes`, likeliest first; empty when nothing is wrong with them, or nothing that
/// is known.
pub fn diagnose(catalogue: &'static Catalogue, subject: Subject, bytes: &[u8]) -> Vec<Repair> {
    let case = Case::new(catalogue, subject, bytes);
    let mut repairs: Vec<Repair> = case.frame_repairs().into_iter().collect();
    if case.fits_as_it_is() {
        return repairs;
    }
    repairs.extend(case.header_repairs());
    repairs.extend(case.body_repairs());
    repairs.extend(case.version_repairs());
    repairs.extend(case.glued());
    if repairs.is_empty() {
        repairs.extend(case.nearest());
    }
    repairs.sort_by_key(|repair| (repair.cost, repair.span.at));
    repairs.dedup_by(|a, b| a.message == b.message);
    // Past the likeliest few, being exact is chance.
    repairs.truncate(limits::REPAIRS);
    repairs
}

/// The bytes that are looked into, with what their header says.
struct Case<'a> {
    catalogue: &'static Catalogue,
    subject: Subject,
    bytes: &'a [u8],
    /// Where the header starts.
    start: usize,
    direction: Direction,
    version: i16,
    plan: Option<&'static Plan>,
}

impl<'a> Case<'a> {
    fn new(catalogue: &'static Catalogue, subject: Subject, bytes: &'a [u8]) -> Case<'a> {
        let (claim, framing) = match subject {
            Subject::Message(claim, framing) => (claim, framing),
            Subject::Structure(plan) => {
                return Case {
                    catalogue,
                    subject,
                    bytes,
                    start: 0,
                    direction: match plan.kind {
                        Kind::Request => Direction::Request,
                        _ => Direction::Response,
                    },
                    version: plan.version,
                    plan: Some(plan),
                };
            }
        };
        let start = match framing {
            Framing::Sized | Framing::Cut { .. } => bytes.len().min(4),
            Framing::Bare => 0,
        };
        let number = |at: usize| {
            let bytes = bytes.get(start + at..)?.first_chunk()?;
            Some(i16::from_be_bytes(*bytes))
        };
        let (direction, api, version) = match claim {
            Claim::Requests => (
                Direction::Request,
                ApiKey(number(0).unwrap_or(-1)),
                number(2).unwrap_or(-1),
            ),
            Claim::Responses { api, version } => (Direction::Response, api, version),
        };
        let newest = catalogue
            .api(api, direction)
            .map_or(version, Definition::newest);
        Case {
            catalogue,
            subject,
            bytes,
            start,
            direction,
            version,
            // Of a version that nobody knows, the newest is the nearest.
            plan: catalogue
                .api_plan(api, direction, version)
                .or_else(|| catalogue.api_plan(api, direction, newest)),
        }
    }

    /// The ways to read what is in front of a body of `plan`.
    fn readings(&self, plan: &Plan) -> Vec<HeaderReading> {
        match self.subject {
            Subject::Message(..) => {
                header_readings(self.catalogue, self.direction, plan, self.bytes, self.start)
            }
            Subject::Structure(_) => vec![HeaderReading {
                body: 0,
                span: Span::default(),
                message: String::new(),
                cost: 0,
            }],
        }
    }

    /// The size prefix is wrong, and what follows is whole.
    fn frame_repairs(&self) -> Option<Repair> {
        let size = self.bytes.first_chunk().copied().map(i32::from_be_bytes)?;
        let follow = self.bytes.len() - 4;
        if self.start == 0 || i64::from(size) == follow as i64 || !self.fits_as_it_is() {
            return None;
        }
        let message = if i64::from(size) == self.bytes.len() as i64 {
            format!("the size counts itself: it is {size}, and should be {follow} (0x{follow:x})")
        } else {
            format!(
                "everything but the size fits: it is {size}, and should be {follow} (0x{follow:x})"
            )
        };
        Some(Repair {
            span: Span::new(BufferId::FRAME, 0, 4),
            message,
            cost: 0,
        })
    }

    /// The header is of another version, or its client id is written like a compact string.
    fn header_repairs(&self) -> Vec<Repair> {
        let Some(plan) = self.plan.filter(|plan| plan.version == self.version) else {
            return Vec::new();
        };
        self.readings(plan)
            .into_iter()
            .filter(|reading| reading.cost > 0)
            .filter(|reading| {
                let body = self.bytes.get(reading.body..).unwrap_or_default();
                plan.fits(body)
            })
            .map(|reading| Repair {
                span: reading.span,
                message: reading.message,
                cost: reading.cost,
            })
            .collect()
    }

    /// One field of the body is written as another encoding has it, is missing, or one habit runs
    /// through all of the body.
    fn body_repairs(&self) -> Vec<Repair> {
        let Some(plan) = self.plan.filter(|plan| plan.version == self.version) else {
            return Vec::new();
        };
        let mut repairs = Vec::new();
        for header in self.readings(plan) {
            let body = header.body;
            let plain = Trial::count(plan, self.bytes, body);
            if plain.left == Some(0) {
                continue;
            }
            let budget = limits::TRIAL_BYTES / (self.bytes.len() - body).max(1);
            let mut left = budget;
            for deviation in Deviation::ALL {
                let reaches = match deviation.reach() {
                    Reach::Throughout => 0..1,
                    Reach::Once => 0..plain.steps + 1,
                };
                if deviation == Deviation::LengthTooSmall && plain.left.is_none() {
                    continue;
                }
                for step in reaches {
                    if left == 0 {
                        break;
                    }
                    left -= 1;
                    let surplus = plain.left.unwrap_or_default();
                    let found = Trial::run(plan, self.bytes, body, deviation, step, surplus);
                    let Some(found) = found else {
                        continue;
                    };
                    let message = match header.cost {
                        0 => found.message,
                        _ => format!("{}; and {}", header.message, found.message),
                    };
                    repairs.push(Repair {
                        span: found.span,
                        message,
                        cost: deviation.cost() + 2 * header.cost,
                    });
                }
            }
        }
        repairs
    }

    /// The body is one of another version.
    fn version_repairs(&self) -> Vec<Repair> {
        let Some(name) = self.plan.map(|plan| plan.name) else {
            return Vec::new();
        };
        let Some(Ok(definition)) = self.catalogue.definition(name) else {
            return Vec::new();
        };
        if self.fits_as_it_is() {
            return Vec::new();
        }
        definition
            .ever
            .iter()
            .filter(|&version| version != self.version)
            .filter_map(|version| {
                let plan = self.catalogue.plan(name, version)?;
                let reading = self
                    .readings(plan)
                    .into_iter()
                    .find(|reading| reading.cost == 0)?;
                let body = self.bytes.get(reading.body..)?;
                let distance = u32::from(version.abs_diff(self.version));
                plan.fits(body).then(|| Repair {
                    span: match (self.direction, self.subject) {
                        (Direction::Request, Subject::Message(..)) => {
                            Span::new(BufferId::FRAME, self.start + 2, self.start + 4)
                        }
                        _ => Span::new(BufferId::FRAME, reading.body, self.bytes.len()),
                    },
                    message: format!(
                        "the bytes are exactly {name} version {version}, not {}",
                        self.version
                    ),
                    cost: 4 + distance.min(20),
                })
            })
            .collect()
    }

    /// A whole message, and another one behind it that the size does not know of.
    fn glued(&self) -> Option<Repair> {
        let Subject::Message(claim, _) = self.subject else {
            return None;
        };
        let plan = self.plan?;
        let reading = self
            .readings(plan)
            .into_iter()
            .find(|reading| reading.cost == 0)?;
        let end = Trial::end(plan, self.bytes, reading.body)?;
        let tail = self.bytes.get(end..).filter(|tail| !tail.is_empty())?;
        let size = tail.first_chunk().copied().map(i32::from_be_bytes)?;
        if i64::from(size) > tail.len() as i64 - 4 || size < 4 {
            return None;
        }
        let whole = pieces(self.catalogue, claim, tail);
        let is_message = whole
            .iter()
            .all(|Piece { range, framing }| *framing == Framing::Sized && range.len() > 8);
        is_message.then(|| Repair {
            span: Span::new(BufferId::FRAME, end, self.bytes.len()),
            message: format!(
                "the message ends at 0x{end:04x}, and the {} bytes behind it are {} more",
                tail.len(),
                whole.len()
            ),
            cost: 3,
        })
    }

    /// What comes nearest where nothing explains all bytes: no body at all, or the version that
    /// reads most of it.
    fn nearest(&self) -> Option<Repair> {
        let plan = self.plan.filter(|plan| plan.version == self.version)?;
        let body = self
            .readings(plan)
            .into_iter()
            .find(|reading| reading.cost == 0)?
            .body;
        let len = self.bytes.len() - body;
        if len == 0 {
            return Some(Repair {
                span: Span::new(BufferId::FRAME, body, body),
                message: format!(
                    "the message ends behind its header: {} has a body",
                    plan.name
                ),
                cost: 0,
            });
        }
        let Some(Ok(definition)) = self.catalogue.definition(plan.name) else {
            return None;
        };
        let (left, version, end) = definition
            .ever
            .iter()
            .filter_map(|version| {
                let plan = self.catalogue.plan(plan.name, version)?;
                let end = Trial::end(plan, self.bytes, body)?;
                Some((self.bytes.len() - end, version, end))
            })
            .min()?;
        (left > 0 && left <= len / 2).then(|| Repair {
            span: Span::new(BufferId::FRAME, end, self.bytes.len()),
            message: format!(
                "no single mistake explains all bytes; read as version {version}, they leave {} over",
                n_bytes(left as u64)
            ),
            cost: 0,
        })
    }

    fn fits_as_it_is(&self) -> bool {
        let plan = self.plan.filter(|plan| plan.version == self.version);
        plan.is_some_and(|plan| {
            self.readings(plan).iter().any(|reading| {
                reading.cost == 0 && plan.fits(self.bytes.get(reading.body..).unwrap_or_default())
            })
        })
    }
}
