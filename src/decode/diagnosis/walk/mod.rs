//! Reading a message while letting certain mistakes pass, to see whether it then fits to the last
//! byte.

mod length;
mod value;

use super::{
    mistake::{Grant, Mistake, Reach, Site},
    odd,
    reading::Reading,
    trace::{Checkpoint, Content, Doubt, Met, Told, Trace},
    wording,
};
use crate::{
    schema::{FieldPlan, StructPlan, TypePlan},
    wire::{BufferId, Cursor, Span},
};

/// How a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Behind the last byte, as it should.
    Exact,
    /// With bytes left over.
    Over,
    /// With fewer bytes than a field takes that starts inside of them.
    Short,
    /// At something that cannot be.
    Stuck,
}

/// A mistake that was let pass.
#[derive(Clone, Debug)]
pub(super) struct Granted {
    /// The first place.
    pub span: Span,
    pub text: String,
    /// At how many places.
    pub n_places: usize,
    /// What is got wrong there.
    pub site: Site,
}

/// What came of a walk.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub ending: Ending,
    /// Where it ended.
    pub at: usize,
    /// The body's first byte, when the walk came to it.
    pub body: Option<usize>,
    /// How strange the values are.
    pub odd: u32,
    /// How unusual those are that can well be.
    pub unusual: u32,
    /// Bytes of readable text: what speaks for a reading that fits.
    pub text: usize,
    /// For each grant, what it was good for.
    pub granted: Vec<Option<Granted>>,
    /// The first decision of each place, and the last ones before the end, where the walk was
    /// traced.
    pub met: Vec<Met>,
    /// Where other walks may go on, the same.
    pub checkpoints: Vec<Checkpoint>,
    /// Content of which more is known than that it is bytes, where the walk was traced.
    pub contents: Vec<Content>,
    /// Lengths that may be others, where the walk was traced.
    pub doubts: Vec<Doubt>,
    /// Bytes that were read, without those that a checkpoint stands for.
    pub n_read: usize,
    /// The length that the walk ended at, if it did.
    pub claimed: Option<i64>,
    /// The first count of more elements than there are bytes left.
    overdrawn: Option<usize>,
}

impl Outcome {
    /// Up to where the bytes make sense; a count that cannot be kept ends it.
    pub(super) fn sound(&self) -> usize {
        self.overdrawn.unwrap_or(self.at)
    }

    /// What the values add to the cost of an explanation.
    pub(super) fn strangeness(&self) -> u32 {
        self.odd + self.unusual
    }

    /// Whether the bytes make sense to the last one, and the rest of the message is missing.
    pub(super) fn is_cut(&self, len: usize) -> bool {
        self.ending == Ending::Short && self.claimed.is_none() && len - self.at < 16
    }

    /// Whether something that has a length of its own comes in `whole` behind where this walk
    /// ended.
    pub(super) fn may_be_longer(&self, whole: &Outcome) -> bool {
        let last = self.met.iter().map(|met| met.step).max().unwrap_or(0);
        let is_open = |site: Site| match site {
            Site::Field(field) => field.fixed_length().is_some(),
            Site::End(plan) => plan.flexible,
        };
        // The last decision itself, if its length is not there yet.
        let from = match self.claimed {
            Some(_) => last + 1,
            None => last,
        };
        whole
            .met
            .iter()
            .any(|met| met.step >= from && is_open(met.site))
    }

    /// Whether all bytes are explained and no grant was idle.
    pub(super) fn explains(&self) -> bool {
        self.ending == Ending::Exact && self.used()
    }

    pub(super) fn used(&self) -> bool {
        self.granted.iter().all(Option::is_some)
    }
}

enum Stop {
    Short,
    Stuck,
}

struct Walk<'a> {
    cursor: Cursor<'a>,
    grants: &'a [Grant],
    in_body: bool,
    n_met: usize,
    /// The place of the decision that is being made.
    site: Option<Site>,
    trace: Option<Trace>,
    /// Checkpoints of the walk without grants, and before which decision one may be gone on from.
    checkpoints: &'a [Checkpoint],
    unchanged: usize,
    n_skipped: usize,
    granted: Vec<Option<Granted>>,
    odd: u32,
    unusual: u32,
    text: usize,
    claimed: Option<i64>,
    overdrawn: Option<usize>,
}

impl Reading {
    /// Walks with what `checkpoints` of a walk without grants let it leave out.
    pub(super) fn run(
        self,
        bytes: &[u8],
        grants: &[Grant],
        checkpoints: &[Checkpoint],
        trace: Option<Trace>,
    ) -> Outcome {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        // The reading starts inside the bytes, or there is nothing to walk.
        let _ = cursor.take(self.start);
        let mut walk = Walk {
            cursor,
            grants,
            in_body: false,
            n_met: 0,
            site: None,
            trace,
            checkpoints,
            unchanged: unchanged(grants),
            n_skipped: 0,
            granted: vec![None; grants.len()],
            odd: 0,
            unusual: 0,
            text: 0,
            claimed: None,
            overdrawn: None,
        };
        let mut body = None;
        let header = match self.header {
            Some(header) => walk.structure(&header.body),
            None => Ok(()),
        };
        let read = header.and_then(|()| {
            body = Some(walk.cursor.at());
            walk.in_body = true;
            walk.structure(&self.body.body)
        });
        let Told {
            met,
            checkpoints,
            contents,
            doubts,
        } = walk.trace.map(Trace::end).unwrap_or_default();
        Outcome {
            ending: match read {
                Ok(()) if walk.cursor.left() == 0 => Ending::Exact,
                Ok(()) => Ending::Over,
                Err(Stop::Short) => Ending::Short,
                Err(Stop::Stuck) => Ending::Stuck,
            },
            at: walk.cursor.at(),
            body,
            odd: walk.odd,
            unusual: walk.unusual,
            text: walk.text,
            granted: walk.granted,
            met,
            checkpoints,
            contents,
            doubts,
            n_read: walk.cursor.at() - walk.n_skipped,
            claimed: walk.claimed,
            overdrawn: walk.overdrawn,
        }
    }
}

/// Decisions that are the same as without `grants`.
fn unchanged(grants: &[Grant]) -> usize {
    let steps = grants.iter().map(|grant| match grant.reach {
        Reach::Step(step) => step,
        Reach::Site(_) | Reach::All(_) | Reach::Everywhere => 0,
    });
    steps.min().unwrap_or(0)
}

impl Walk<'_> {
    /// Comes to a decision; the answer is the mistake to make there, and whose.
    fn meet(&mut self, site: Site) -> Option<(usize, Mistake)> {
        let step = self.n_met;
        self.n_met += 1;
        if let Some(trace) = &mut self.trace {
            if self.odd > 0 {
                trace.suspect();
            }
            trace.note(Met { step, site });
        }
        if self.grants.is_empty() {
            return None;
        }
        let in_body = self.in_body;
        self.grants
            .iter()
            .position(|grant| {
                let reaches = match grant.reach {
                    Reach::Step(wanted) => wanted == step,
                    Reach::Site(wanted) => wanted == site,
                    Reach::All(class) => in_body && class.takes(site),
                    Reach::Everywhere => true,
                };
                reaches && grant.mistake.suits(site)
            })
            .and_then(|idx| {
                self.site = Some(site);
                Some((idx, self.grants.get(idx)?.mistake))
            })
    }

    /// Notes that grant `idx` was taken; the first place is the one to tell of.
    fn grant(&mut self, idx: usize, span: Span, text: impl FnOnce() -> String) {
        match (self.granted.get_mut(idx), self.site) {
            (Some(Some(granted)), _) => granted.n_places += 1,
            (Some(none), Some(site)) => {
                *none = Some(Granted {
                    span,
                    text: text(),
                    n_places: 1,
                    site,
                });
            }
            _ => {}
        }
    }

    fn here(&self, len: usize) -> Span {
        Span {
            buffer: BufferId::FRAME,
            at: self.cursor.at(),
            len,
        }
    }

    fn take(&mut self, len: usize) -> Result<&[u8], Stop> {
        self.cursor.take(len).map_err(|_| Stop::Short)
    }

    fn uvarint(&mut self) -> Result<u32, Stop> {
        match self.cursor.uvarint() {
            Ok(number) => Ok(number),
            Err(_) if self.cursor.left() < 5 => Err(Stop::Short),
            Err(_) => Err(Stop::Stuck),
        }
    }

    /// A whole number of `size` bytes.
    fn int(&mut self, size: usize) -> Result<i64, Stop> {
        let cursor = &mut self.cursor;
        match size {
            1 => cursor.i8().map(i64::from),
            2 => cursor.i16().map(i64::from),
            4 => cursor.i32().map(i64::from),
            _ => cursor.i64(),
        }
        .map_err(|_| Stop::Short)
    }

    fn structure(&mut self, plan: &'static StructPlan) -> Result<(), Stop> {
        let mut fields = plan.fields.iter();
        while let Some(field) = fields.next() {
            match self.meet(Site::Field(field)) {
                Some((idx, Mistake::Swapped)) => {
                    let next = fields.next().ok_or(Stop::Stuck)?;
                    let from = self.cursor.at();
                    self.content(next, plan.name, None)?;
                    let span = self.cursor.since(from);
                    self.content(field, plan.name, None)?;
                    self.grant(idx, span, || wording::swapped(field, next));
                }
                wrong => self.content(field, plan.name, wrong)?,
            }
        }
        match self.meet(Site::End(plan)) {
            Some((idx, Mistake::TagsMissing)) => {
                let span = self.here(0);
                self.grant(idx, span, || wording::tags_missing(plan));
                return Ok(());
            }
            Some((idx, _)) if self.cursor.rest().first() == Some(&0) => {
                let span = self.here(1);
                self.grant(idx, span, || wording::tags_extra(plan));
                self.take(1)?;
            }
            Some(_) => return Err(Stop::Stuck),
            None => {}
        }
        if !plan.flexible {
            return Ok(());
        }
        let mut lowest = 0;
        for _ in 0..self.uvarint()? {
            let tag = self.uvarint()?;
            if tag < lowest {
                return Err(Stop::Stuck);
            }
            lowest = tag.saturating_add(1);
            let from = self.cursor.at();
            let size = self.uvarint()? as usize;
            let span = self.cursor.since(from);
            match plan.tagged.iter().find(|&&(known, _)| known == tag) {
                Some((_, field)) => self.tagged_field(field, plan.name, size, span)?,
                None => {
                    self.take(size)?;
                    // Those of releases to come are rare in what is malformed.
                    self.unusual += odd::STRANGE;
                }
            }
        }
        Ok(())
    }

    fn tagged_field(
        &mut self,
        field: &'static FieldPlan,
        owner: &str,
        size: usize,
        span: Span,
    ) -> Result<(), Stop> {
        let wrong = self.meet(Site::Field(field));
        let from = self.cursor.at();
        self.content(field, owner, None)?;
        let taken = self.cursor.at() - from;
        match wrong {
            Some((idx, Mistake::TagSize)) if taken != size => {
                self.grant(idx, span, || wording::tag_size(field, size, taken));
                Ok(())
            }
            None if taken == size => Ok(()),
            _ => Err(Stop::Stuck),
        }
    }

    fn field(&mut self, plan: &'static FieldPlan, owner: &str) -> Result<(), Stop> {
        let wrong = self.meet(Site::Field(plan));
        self.content(plan, owner, wrong)
    }

    fn content(
        &mut self,
        plan: &'static FieldPlan,
        owner: &str,
        mut wrong: Option<(usize, Mistake)>,
    ) -> Result<(), Stop> {
        match wrong {
            Some((idx, Mistake::FieldMissing)) => {
                let span = self.here(0);
                self.grant(idx, span, || wording::field_missing(plan, owner));
                return Ok(());
            }
            Some((idx, Mistake::Extra(len))) => {
                let span = self.here(len);
                self.take(len)?;
                self.grant(idx, span, || wording::extra(plan, len));
                wrong = None;
            }
            _ => {}
        }
        if let Some(size) = plan.int_size() {
            return self.number(plan, size, wrong);
        }
        match &plan.ty {
            TypePlan::Bool => self.bool(plan, wrong),
            TypePlan::Float64 => self.float(),
            TypePlan::Uuid => self.id(plan, wrong),
            TypePlan::String => self.text(plan, wrong),
            TypePlan::Struct(structure) => {
                if plan.nullable {
                    match wrong {
                        Some((idx, Mistake::PresenceMissing)) => {
                            let span = self.here(0);
                            self.grant(idx, span, || wording::presence_missing(plan));
                        }
                        _ => match self.int(1)? {
                            -1 => return Ok(()),
                            1 => {}
                            _ => return Err(Stop::Stuck),
                        },
                    }
                }
                self.structure(structure)
            }
            TypePlan::Array(element) => {
                let count = self.length(plan, 4, wrong)?;
                self.elements(element, plan.node.name, count)
            }
            _ => {
                let length = match wrong {
                    Some((idx, Mistake::LengthMissing)) => self.batch(plan, idx)?,
                    _ => self.length(plan, 4, wrong)?,
                };
                self.bytes(plan, length)
            }
        }
    }

    fn elements(
        &mut self,
        element: &'static FieldPlan,
        owner: &str,
        count: usize,
    ) -> Result<(), Stop> {
        if element.takes_nothing() && count > 0 {
            return Err(Stop::Stuck);
        }
        let array = self.n_met;
        for idx in self.skipped(array)?..count {
            let from = self.cursor.at();
            let checkpoint = Checkpoint {
                array,
                idx,
                step: self.n_met,
                at: from,
                odd: self.odd,
                unusual: self.unusual,
                text: self.text,
            };
            if let Some(trace) = &mut self.trace {
                trace.pass(checkpoint);
            }
            self.field(element, owner)?;
            // Elements that a mistake leaves nothing of could go on for ever.
            if self.cursor.at() == from {
                return Err(Stop::Stuck);
            }
        }
        Ok(())
    }

    /// Goes on from the last checkpoint in an array up to which nothing is other than it was; the
    /// element that comes next.
    fn skipped(&mut self, array: usize) -> Result<usize, Stop> {
        let checkpoint = self
            .checkpoints
            .iter()
            .rev()
            .find(|checkpoint| checkpoint.array == array && checkpoint.step <= self.unchanged);
        let Some(&checkpoint) = checkpoint else {
            return Ok(0);
        };
        let len = checkpoint.at.saturating_sub(self.cursor.at());
        self.take(len)?;
        self.n_skipped += len;
        self.n_met = checkpoint.step;
        self.odd = checkpoint.odd;
        self.unusual = checkpoint.unusual;
        self.text = checkpoint.text;
        Ok(checkpoint.idx)
    }
}
