//! Why a message does not parse: the known mistakes, each tried until one explains every byte.
//!
//! What comes in is a message that its decode found errors in; what goes out are the repairs that
//! make the whole message consume exactly its size, most likely first. A repair is a sentence with
//! the bytes it is about. Nothing is changed and nothing guessed silently: where no few mistakes
//! explain the bytes, the nearest is told as such, or nothing.

mod batch;
mod confused;
mod inside;
mod mistake;
mod moved;
mod nearest;
mod odd;
mod other;
mod reading;
mod search;
mod trace;
mod transfer;
mod walk;
mod wording;

pub(super) use odd::STRANGE;
pub(super) use other::version_list;
pub(super) use reading::{Fitness, Reading};
use search::{Attempt, Budget, Found, search};
use walk::{Ending, Outcome};

use super::{Claim, Framing, limits};
use crate::{
    event::{Code, Place, Problem, Severity},
    schema::{ApiKey, Catalogue, Direction, Plan},
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
    /// Whether the repair explains all bytes, and needs no luck to do so.
    pub fn is_sure(&self) -> bool {
        self.cost <= limits::SURE
    }

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

/// What outputs say of repairs: the likeliest, and the others in a line behind it.
pub fn verdict(repairs: &[Repair]) -> Vec<Problem> {
    let Some((best, others)) = repairs.split_first() else {
        return Vec::new();
    };
    let mut problems = vec![best.problem()];
    if let Some(next) = others.first() {
        let texts: Vec<String> = others
            .iter()
            .take(limits::OTHERS)
            .map(|other| format!("{} (at 0x{:04x})", other.message, other.span.at))
            .collect();
        let more = match others.len().saturating_sub(limits::OTHERS) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        problems.push(Problem {
            message: format!("also possible: {}{more}", texts.join("; or ")),
            ..next.problem()
        });
    }
    problems
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
    let mut budget = Budget::of(limits::TRIAL_BYTES);
    diagnose_within(catalogue, subject, bytes, &mut budget)
}

/// The same, as far as `budget` goes: what a message holds is part of it.
fn diagnose_within(
    catalogue: &'static Catalogue,
    subject: Subject,
    bytes: &[u8],
    budget: &mut Budget,
) -> Vec<Repair> {
    let case = Case::new(catalogue, subject, bytes);
    if case.fits() {
        let mut repairs: Vec<Repair> = case.wrong_size().into_iter().collect();
        if !repairs.is_empty()
            && let Some(transfer) = case.transfer()
        {
            return vec![transfer];
        }
        repairs.extend(case.inside(budget));
        return repairs;
    }
    let mut repairs = case.other_starts();
    repairs.extend(case.framed_twice());
    repairs.extend(case.transfer());
    if repairs.is_empty() && case.is_cut() {
        return repairs;
    }
    repairs.extend(case.confused());
    repairs.extend(case.glued());
    let mut found = match case.proper.zip(case.plain.as_ref()) {
        Some((reading, plain)) => search(reading, bytes, plain, budget),
        None => Found::default(),
    };
    let moved = case.moved();
    if moved.is_some() {
        // Of two fields the first stands behind the other as well.
        found.exact.retain(|attempt| !attempt.is_swap());
    }
    repairs.extend(explanations(&found.exact));
    repairs.extend(moved);
    repairs.extend(case.other_versions());
    if repairs.iter().all(|repair| repair.cost > limits::SURE) {
        repairs.extend(case.other_apis());
        repairs.extend(case.is_response());
    }
    if repairs.is_empty() {
        repairs.extend(case.nearest(&found.partial).map(|nearest| Repair {
            cost: nearest.cost + limits::NEAREST,
            ..nearest
        }));
    }
    repairs.sort_by_key(|repair| repair.cost);
    repairs.dedup_by(|a, b| a.message == b.message);
    // Past the likeliest few, being exact is chance; and so is what is far less likely.
    let likeliest = repairs.first().map_or(0, |repair| repair.cost);
    repairs.retain(|repair| repair.cost <= likeliest + limits::COST_SPREAD);
    repairs.truncate(limits::REPAIRS);
    repairs
}

/// What attempts say, those that differ in the place alone as one.
fn explanations(exact: &[Attempt]) -> Vec<Repair> {
    let mut sorted: Vec<&Attempt> = exact.iter().collect();
    let doubt = |attempt: &Attempt| usize::MAX - attempt.outcome.text;
    sorted.sort_by_key(|attempt| (attempt.cost(), doubt(attempt), attempt.span().at));
    let mut kinds: Vec<Vec<_>> = Vec::new();
    let mut repairs = Vec::new();
    for attempt in sorted {
        let kind = attempt.kind();
        // Another length there would do as well, which is what a likelier mistake there says.
        let at = attempt.span().at;
        let is_said = attempt.is_chosen() && repairs.iter().any(|said: &Repair| said.span.at == at);
        if is_said || kinds.contains(&kind) {
            continue;
        }
        kinds.push(kind);
        repairs.push(Repair {
            span: attempt.span(),
            message: attempt.text(),
            cost: attempt.cost(),
        });
    }
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
    api: ApiKey,
    version: i16,
    /// As the bytes should be read; `None` for an API or version that is unknown.
    proper: Option<Reading>,
    /// How that goes.
    plain: Option<Outcome>,
}

impl<'a> Case<'a> {
    fn new(catalogue: &'static Catalogue, subject: Subject, bytes: &'a [u8]) -> Case<'a> {
        let start = match subject {
            Subject::Message(_, Framing::Sized | Framing::Cut { .. }) => bytes.len().min(4),
            _ => 0,
        };
        let mut case = Case {
            catalogue,
            subject,
            bytes,
            start,
            direction: Direction::Request,
            api: ApiKey::UNKNOWN,
            version: -1,
            proper: None,
            plain: None,
        };
        match subject {
            Subject::Message(Claim::Requests, _) => {
                case.api = ApiKey(case.int16(start).unwrap_or(-1));
                case.version = case.int16(start + 2).unwrap_or(-1);
                case.proper = case.reading(case.api, case.version, start);
            }
            Subject::Message(Claim::Responses { api, version }, _) => {
                case.direction = Direction::Response;
                case.api = api;
                case.version = version;
                case.proper = case.reading(api, version, start);
            }
            Subject::Structure(plan) => {
                case.version = plan.version;
                case.proper = Some(Reading {
                    start: 0,
                    header: None,
                    body: plan,
                });
            }
        }
        case.plain = case.proper.map(|reading| reading.trace(bytes, &[]));
        case
    }

    fn int16(&self, at: usize) -> Option<i16> {
        let bytes = self.bytes.get(at..)?.first_chunk()?;
        Some(i16::from_be_bytes(*bytes))
    }

    fn size(&self) -> Option<i64> {
        let bytes = self.bytes.first_chunk()?;
        Some(i64::from(i32::from_be_bytes(*bytes)))
    }

    /// Header and body of an API and version, from `start` on.
    fn reading(&self, api: ApiKey, version: i16, start: usize) -> Option<Reading> {
        Reading::of_api(self.catalogue, self.direction, api, version, start)
    }

    fn fits(&self) -> bool {
        let plain = self.plain.as_ref();
        plain.is_some_and(|plain| plain.ending == Ending::Exact)
    }

    /// The size prefix is wrong, and what follows it is whole.
    fn wrong_size(&self) -> Option<Repair> {
        let size = self.size().filter(|_| self.start == 4)?;
        let follow = self.bytes.len() as i64 - 4;
        if size == follow {
            return None;
        }
        let message = if size == follow + 4 {
            format!("the size counts itself: it is {size}, and should be {follow} (0x{follow:x})")
        } else if i64::from((size as i32).swap_bytes()) == follow {
            format!(
                "the size has its bytes the wrong way round: it should be {follow} (0x{follow:x})"
            )
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
}
