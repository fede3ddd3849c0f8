//! What a walk decided on its way: where a mistake could be that it did not expect.

use super::mistake::Site;
use crate::{
    decode::limits,
    schema::{FieldPlan, TypePlan},
    wire::Span,
};

/// A decision that a walk met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub step: usize,
    pub site: Site,
}

/// A walk in front of an element of an array, from where another one may go on that has decided
/// nothing else until there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    /// Decisions met when the array began.
    pub array: usize,
    pub idx: usize,
    /// Decisions met.
    pub step: usize,
    pub at: usize,
    pub odd: u32,
    pub unusual: u32,
    pub text: usize,
}

/// A length that says more than there is, or takes more bytes than it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    /// The decision that it belongs to.
    pub step: usize,
    /// Where it ends.
    pub at: usize,
    pub claimed: i64,
    /// Whether bytes follow its first one.
    pub is_long: bool,
    /// Whether it cannot be kept.
    pub is_short: bool,
}

/// The content of a bytes field, without its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub span: Span,
    pub plan: &'static FieldPlan,
}

/// What was decided on the way.
#[derive(Default)]
pub(super) struct Trace {
    firsts: Vec<Met>,
    recent: Vec<Met>,
    checkpoints: Vec<Checkpoint>,
    /// What was recent when the first value was strange: a text that swallows the next ones may be
    /// read for long after the mistake that it comes from.
    suspects: Option<(Vec<Met>, Vec<Checkpoint>)>,
    contents: Vec<Content>,
    doubts: Vec<Doubt>,
}

/// What is told of a walk when it has ended.
#[derive(Default)]
pub(super) struct Told {
    /// The first decision of each place, suspects, and the last ones of all.
    pub met: Vec<Met>,
    /// The last ones.
    pub checkpoints: Vec<Checkpoint>,
    pub contents: Vec<Content>,
    pub doubts: Vec<Doubt>,
}

impl Trace {
    pub(super) fn note(&mut self, met: Met) {
        let is_new = self.firsts.len() < limits::TRIAL_SITES
            && !self.firsts.iter().any(|first| first.site == met.site);
        if is_new {
            self.firsts.push(met);
            return;
        }
        if self.recent.len() >= 2 * limits::TRIAL_STEPS {
            self.recent.drain(..limits::TRIAL_STEPS);
        }
        self.recent.push(met);
    }

    /// Notes that the last value was strange.
    pub(super) fn suspect(&mut self) {
        if self.suspects.is_none() {
            let last = |len: usize| len.saturating_sub(limits::NEXT_STEPS);
            let met = self.recent.iter().skip(last(self.recent.len()));
            let checkpoints = self.checkpoints.iter().skip(last(self.checkpoints.len()));
            self.suspects = Some((met.copied().collect(), checkpoints.copied().collect()));
        }
    }

    pub(super) fn pass(&mut self, checkpoint: Checkpoint) {
        if self.checkpoints.len() >= 2 * limits::TRIAL_STEPS {
            self.checkpoints.drain(..limits::TRIAL_STEPS);
        }
        self.checkpoints.push(checkpoint);
    }

    /// Notes content that is looked into, should the message be fine otherwise.
    pub(super) fn hold(&mut self, content: Content) {
        let is_known =
            content.plan.inside.is_some() || matches!(content.plan.ty, TypePlan::Records);
        if is_known && content.span.len > 0 && self.contents.len() < limits::CONTENTS {
            self.contents.push(content);
        }
    }

    /// Notes a length that is doubtful. The last one is what ends a walk.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if self.doubts.len() >= limits::DOUBTS {
            self.doubts.pop();
        }
        self.doubts.push(doubt);
    }

    pub(super) fn end(self) -> Told {
        let (suspects, mut checkpoints) = self.suspects.unwrap_or_default();
        let mut met = self.firsts;
        let is_gone = |met: &Met| !self.recent.iter().any(|recent| recent.step == met.step);
        met.extend(suspects.into_iter().filter(is_gone));
        met.extend(self.recent);
        checkpoints.extend(self.checkpoints);
        Told {
            met,
            checkpoints,
            contents: self.contents,
            doubts: self.doubts,
        }
    }
}
