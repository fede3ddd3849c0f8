//! The search for the fewest mistakes that explain all bytes of a message.
//!
//! First each mistake alone, wherever it can be made, and each habit; only when none of them
//! explains the bytes, several together, going on from those that let the reading come furthest.

use std::cmp::Reverse;

use super::{
    mistake::{Grant, HABITS, Habit, Mistake, Reach, Site},
    reading::Reading,
    trace::{Doubt, Met},
    walk::{Ending, Granted, Outcome},
};
use crate::{
    decode::limits,
    event::Section,
    schema::TypePlan,
    wire::{BufferId, Span},
};

/// Mistakes that are tried together, and what comes of it.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    grants: Vec<Grant>,
    habit: Option<&'static Habit>,
    /// Of the mistakes, without what strange values add.
    cost: u32,
    pub outcome: Outcome,
}

/// Bytes that may still be read in trials.
#[derive(Debug)]
pub(super) struct Budget(usize);

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Attempts that explain all bytes.
    pub exact: Vec<Attempt>,
    /// Single mistakes and habits that do not.
    pub partial: Vec<Attempt>,
}

/// Looks for mistakes that make `reading` take exactly all of `bytes`; `plain` is how it goes
/// without any.
pub(super) fn search(
    reading: Reading,
    bytes: &[u8],
    plain: &Outcome,
    budget: &mut Budget,
) -> Found {
    let trials = Trials {
        reading,
        bytes,
        plain,
    };
    let mut mistakes = single_mistakes(plain, bytes.len());
    // A mistake shows soon after it was made: should the budget not last for all, let it last for
    // those.
    mistakes.sort_by_key(|grant| match grant.reach {
        Reach::Step(step) => Reverse(Some(step)),
        Reach::Site(_) | Reach::All(_) | Reach::Everywhere => Reverse(None),
    });
    let mut singles: Vec<Attempt> = mistakes
        .into_iter()
        .map_while(|grant| trials.attempt(vec![grant], None, grant.cost(), budget))
        .filter(|single| single.outcome.used())
        .collect();
    let headers: Vec<(Grant, u32)> = singles
        .iter()
        .flat_map(|single| single.grants.first().map(|&grant| (grant, single.cost)))
        .filter(|(grant, _)| grant.is_of_header())
        .collect();
    for habit in &HABITS {
        let of_headers = headers
            .iter()
            .map(|&(grant, cost)| (vec![grant], cost + habit.cost));
        for (mut grants, cost) in std::iter::once((Vec::new(), habit.cost)).chain(of_headers) {
            grants.extend_from_slice(habit.grants);
            let attempt = trials.attempt(grants, Some(habit), cost, budget);
            // What is made in one place is no habit.
            singles.extend(attempt.filter(|habit| habit.outcome.used() && habit.is_habit()));
        }
    }
    let (exact, partial) = split(singles);
    let mut found = Found { exact, partial };
    let mut kept = furthest(found.partial.iter().cloned());
    for _ in 1..limits::MISTAKES {
        if !found.exact.is_empty() {
            break;
        }
        let next = kept
            .iter()
            .flat_map(|parent| trials.children(parent, budget))
            .collect();
        let (exact, partial) = split(next);
        found.exact = exact;
        kept = furthest(partial.into_iter());
    }
    found
}

/// Attempts that explain everything, and the others.
fn split(attempts: Vec<Attempt>) -> (Vec<Attempt>, Vec<Attempt>) {
    attempts
        .into_iter()
        .partition(|attempt| attempt.outcome.explains())
}

/// The attempts that are worth to be gone on from.
fn furthest(attempts: impl Iterator<Item = Attempt>) -> Vec<Attempt> {
    let mut kept: Vec<Attempt> = attempts
        .filter(|attempt| attempt.grants.iter().all(|grant| grant.combines()))
        .collect();
    kept.sort_by_key(|attempt| {
        let outcome = &attempt.outcome;
        (
            Reverse(outcome.sound()),
            outcome.strangeness(),
            attempt.cost,
        )
    });
    kept.truncate(limits::TRIALS_KEPT);
    kept
}

/// Every mistake that can be made at a place that the reading came to, each time there or once.
fn single_mistakes(plain: &Outcome, len: usize) -> Vec<Grant> {
    let mut grants = Vec::new();
    let last_step = plain.met.iter().map(|met| met.step).max().unwrap_or(0);
    for (idx, met) in plain.met.iter().enumerate() {
        let is_late = met.step + limits::FEW_STEPS > last_step;
        let is_first = !plain
            .met
            .iter()
            .take(idx)
            .any(|other| other.site == met.site);
        for mistake in Mistake::at(met.site) {
            if is_first && !matches!(mistake, Mistake::Off(_)) {
                grants.push(Grant {
                    mistake,
                    reach: Reach::Site(met.site),
                });
            }
            if is_late || mistake.combines() {
                grants.push(Grant {
                    mistake,
                    reach: Reach::Step(met.step),
                });
            }
        }
        // All that is left over may belong to one text or blob.
        let surplus = len - plain.at;
        if plain.ending == Ending::Over && surplus > 4 && met.site.is_text_or_blob() {
            grants.push(Grant {
                mistake: Mistake::Off(surplus as i64),
                reach: Reach::Step(met.step),
            });
        }
    }
    grants.extend(plain.doubts.iter().flat_map(|doubt| doubt.mistakes(len)));
    grants
}

impl Doubt {
    /// A length that cannot be kept may be any other, and one that takes more bytes than it needs may
    /// be all in its first one.
    fn mistakes(&self, len: usize) -> impl Iterator<Item = Grant> + use<> {
        let Doubt {
            step,
            claimed,
            is_long,
            is_short,
            ..
        } = *self;
        let left = (len - self.at).min(limits::LENGTHS_TRIED);
        let others = (0..=left as i64)
            .map(move |right| right - claimed)
            .filter(move |by| is_short && by.abs() > 4)
            .map(Mistake::Off);
        let bytes = (0..0x80).filter(move |_| is_long).map(Mistake::Byte);
        others.chain(bytes).map(move |mistake| Grant {
            mistake,
            reach: Reach::Step(step),
        })
    }
}

struct Trials<'a> {
    reading: Reading,
    bytes: &'a [u8],
    plain: &'a Outcome,
}

impl Trials<'_> {
    /// Tries `grants` together; `None` when the budget is spent.
    fn attempt(
        &self,
        grants: Vec<Grant>,
        habit: Option<&'static Habit>,
        cost: u32,
        budget: &mut Budget,
    ) -> Option<Attempt> {
        if !budget.is_left() {
            return None;
        }
        let checkpoints = &self.plain.checkpoints;
        let outcome = self.reading.run(self.bytes, &grants, checkpoints, None);
        budget.spend(outcome.n_read);
        Some(Attempt {
            grants,
            habit,
            cost,
            outcome,
        })
    }

    /// `parent` with one more mistake.
    fn children(&self, parent: &Attempt, budget: &mut Budget) -> Vec<Attempt> {
        let mut traced = self.reading.trace(self.bytes, &parent.grants);
        let last = traced.met.iter().map(|met| met.step).max().unwrap_or(0);
        let first = |met: &Met| {
            !parent
                .outcome
                .granted
                .iter()
                .flatten()
                .any(|granted| granted.site == met.site)
        };
        traced
            .met
            .retain(|met| first(met) && met.step + limits::NEXT_STEPS > last);
        single_mistakes(&traced, self.bytes.len())
            .into_iter()
            .filter(|grant| grant.combines() && !parent.grants.contains(grant))
            .map_while(|grant| {
                let mut grants = parent.grants.clone();
                grants.push(grant);
                self.attempt(grants, parent.habit, parent.cost + grant.cost(), budget)
            })
            .filter(|attempt| attempt.outcome.used())
            .collect()
    }
}

impl Attempt {
    /// Whether the mistakes are made in more than one place.
    fn is_habit(&self) -> bool {
        let granted = self.outcome.granted.iter().flatten();
        let habit = self.habit.map_or(0, |habit| habit.grants.len());
        let n_before = self.grants.len() - habit;
        granted
            .skip(n_before)
            .map(|granted| granted.n_places)
            .sum::<usize>()
            > 1
    }

    /// Whether a length or an order was chosen, or bytes left out, to make everything fit, which says
    /// nothing where it does not.
    pub(super) fn is_chosen(&self) -> bool {
        let mut mistakes = self.grants.iter().map(|grant| grant.mistake);
        mistakes.any(|mistake| {
            matches!(
                mistake,
                Mistake::Off(_)
                    | Mistake::Byte(_)
                    | Mistake::Extra(_)
                    | Mistake::Reversed
                    | Mistake::Swapped
            )
        })
    }

    /// How far-fetched the attempt is as an explanation.
    pub(super) fn cost(&self) -> u32 {
        let refined: i32 = self
            .grants
            .iter()
            .zip(&self.outcome.granted)
            .filter_map(|(grant, granted)| Some(grant.refined(granted.as_ref()?)))
            .sum();
        (self.cost + self.outcome.strangeness()).saturating_add_signed(refined)
    }

    /// Whether all that is wrong is that two fields have changed places.
    pub(super) fn is_swap(&self) -> bool {
        matches!(&*self.grants, [only] if only.mistake == Mistake::Swapped)
    }

    /// The bytes that the first mistake is about.
    pub(super) fn span(&self) -> Span {
        let mut granted = self.outcome.granted.iter().flatten();
        granted
            .next()
            .map_or(Span::new(BufferId::FRAME, 0, 0), |granted| granted.span)
    }

    /// All mistakes in one sentence.
    pub(super) fn text(&self) -> String {
        let habit = self.habit.filter(|habit| !habit.text.is_empty());
        let mut texts = Vec::new();
        for (grant, granted) in self.grants.iter().zip(&self.outcome.granted) {
            let Some(granted) = granted else {
                continue;
            };
            match habit.filter(|habit| habit.grants.contains(grant)) {
                Some(habit) if texts.iter().any(|text| text == habit.text) => {}
                Some(habit) => texts.push(habit.text.to_owned()),
                None if granted.n_places > 1 => {
                    let more = granted.n_places - 1;
                    let places = if more == 1 { "place" } else { "places" };
                    texts.push(format!("{}, and so at {more} more {places}", granted.text));
                }
                None => texts.push(granted.text.clone()),
            }
        }
        texts.join("; and ")
    }

    /// What is the same in attempts that differ in the place only.
    pub(super) fn kind(&self) -> Vec<(Mistake, Option<Site>)> {
        let granted = self.outcome.granted.iter();
        self.grants
            .iter()
            .zip(granted)
            .map(|(grant, granted)| (grant.mistake, granted.as_ref().map(|granted| granted.site)))
            .collect()
    }
}

impl Grant {
    fn cost(&self) -> u32 {
        self.mistake.cost()
    }

    /// What the place of the mistake adds to its cost.
    fn refined(&self, granted: &Granted) -> i32 {
        let reach = match (self.reach, granted.n_places) {
            // Who forgets a field forgets it in every element.
            (Reach::Step(_), _) if !self.combines() => 3,
            (_, 2..) => 1,
            _ => 0,
        };
        reach + self.mistake.refined(granted.site)
    }

    fn combines(&self) -> bool {
        self.mistake.combines()
    }

    fn is_of_header(&self) -> bool {
        match self.reach {
            Reach::Site(Site::Field(field)) => {
                field.node.section == Section::Header && self.combines()
            }
            Reach::Site(Site::End(plan)) => {
                matches!(plan.name, "RequestHeader" | "ResponseHeader")
            }
            _ => false,
        }
    }
}

impl Site {
    fn is_text_or_blob(self) -> bool {
        match self {
            Site::Field(field) => matches!(
                field.ty,
                TypePlan::String | TypePlan::Bytes | TypePlan::Records
            ),
            Site::End(_) => false,
        }
    }
}

impl Budget {
    pub(super) fn of(n_bytes: usize) -> Budget {
        Budget(n_bytes)
    }

    pub(super) fn is_left(&self) -> bool {
        self.0 > 0
    }

    /// Takes what a walk of `len` bytes costs; even the shortest has to be set up.
    pub(super) fn spend(&mut self, len: usize) {
        self.0 = self.0.saturating_sub(len + 64);
    }
}
